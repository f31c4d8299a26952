"""Exact means have the bits of the documented rule.

The rule for a mean of ratios (fixed point): each ratio, one IEEE division of two counts, becomes
floor(ratio * 1e15 + 0.5); these whole numbers are summed; the sum is divided by 1e15, then by their number.
"""

import pytest
from fractions import Fraction
from math import floor

from every_value import write_evaluation

import tdtsql


# ---- more than 10^5 numbers of 14 metrics against a model in plain Python, from the counts alone

PARAMETERS = ("p_target", "c_miss", "c_fa", "f_beta", "t11su_beta", "t11su_min", "utility_weight", "utility_min")
POLICIES = ("fa_topics", "topic_cost", "empty_topic", "empty_retrieved")
COUNTS = ("n_target", "n_nontarget", "n_hit", "n_false_alarm")
#: units of the whole numbers that are summed: 1e-15 but for those that may be large
UNITS = {"utility": 1e9, "t11u": 1e9, "utility_norm": 1e12}


def of_block(counts, p, number=float):
    """Return the numbers of one topic; ``number`` is float (one IEEE operation after the other) or Fraction (exact)."""
    target, nontarget, hit, alarm = counts
    one = number(1)
    rates = (
        "p_miss p_fa c_det c_det_norm precision recall f1 f_beta utility utility_norm utility_scaled t11u t11su tdt5su"
    )
    made = dict.fromkeys(rates.split())
    weight_miss, weight_fa = p["c_miss"] * p["p_target"], p["c_fa"] * (one - p["p_target"])
    retrieved = hit + alarm
    if target:
        made["p_miss"], made["recall"] = number(target - hit) / target, number(hit) / target
        made["utility_norm"] = (p["utility_weight"] * hit - alarm) / (p["utility_weight"] * target)
        made["utility_scaled"] = scaled(made["utility_norm"], p["utility_min"], one)
        made["t11su"] = scaled((hit - p["t11su_beta"] * alarm) / target, p["t11su_min"], one)
        made["tdt5su"] = scaled((hit - p["c_fa"] / p["c_miss"] * alarm) / target, p["t11su_min"], one)
    if nontarget:
        made["p_fa"] = number(alarm) / nontarget
    if target and nontarget:
        made["c_det"] = weight_miss * made["p_miss"] + weight_fa * made["p_fa"]
        made["c_det_norm"] = made["c_det"] / min(weight_miss, weight_fa)
    if retrieved:
        made["precision"] = number(hit) / retrieved
    if target + nontarget:
        square = p["f_beta"] * p["f_beta"]
        made["f1"] = number(2 * hit) / (retrieved + target) if hit else number(0)
        made["f_beta"] = (one + square) * hit / (retrieved + square * target) if hit else number(0)
        made["utility"] = p["utility_weight"] * hit - alarm
        made["t11u"] = number(hit) / p["t11su_beta"] - alarm
    return made


def scaled(value, low, one):
    return (value - low) / (one - low) if value >= low else one - one


def mean_by_rule(values, unit=1e15):
    """Return the mean as documented: whole numbers of 1/unit, summed, divided once by unit and once by how many."""
    there = [value for value in values if value is not None]
    return float(sum(floor(value * unit + 0.5) for value in there)) / unit / len(there) if there else None


def exact_mean(values):
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None


def of_topics(blocks, p, mean, number=float):
    """Return the topic-weighted numbers of a run from (counts, numbers) of its topics."""

    def entered(counts):
        return counts[0] > 0 or p["empty_topic"] == "zero"

    zero = number(0)
    rates = [
        (made["p_miss"], made["p_fa"] if p["fa_topics"] == "all" or counts[0] else None) for counts, made in blocks
    ]
    both = [(made["p_miss"], made["p_fa"]) for counts, made in blocks if counts[0] and counts[1]]
    made = {"p_miss": mean([miss for miss, _ in rates]), "p_fa": mean([alarm for _, alarm in rates])}
    miss, alarm = (
        (mean([pair[0] for pair in both]), mean([pair[1] for pair in both]))
        if p["topic_cost"] == "mean_of_costs"
        else (made["p_miss"], made["p_fa"])
    )
    weight_miss, weight_fa = p["c_miss"] * p["p_target"], p["c_fa"] * (number(1) - p["p_target"])
    made["c_det"] = None if miss is None or alarm is None else weight_miss * miss + weight_fa * alarm
    made["c_det_norm"] = None if made["c_det"] is None else made["c_det"] / min(weight_miss, weight_fa)
    judged = [(counts, one) for counts, one in blocks if counts[0] + counts[1]]
    made["precision"] = mean(
        [
            None
            if counts[2] + counts[3] == 0 and p["empty_retrieved"] != "zero"
            else one["precision"]
            if one["precision"] is not None
            else zero
            for counts, one in judged
            if entered(counts)
        ]
    )
    for name in ("recall", "t11su", "tdt5su"):
        made[name] = mean([zero if one[name] is None else one[name] for counts, one in judged if entered(counts)])
    for name in ("f1", "f_beta"):
        made[name] = mean([one[name] for counts, one in judged if entered(counts)])
    for name in ("t11u", "utility", "utility_norm"):
        made[name] = mean([one[name] for _, one in blocks], *((UNITS[name],) if mean is mean_by_rule else ()))
    made["utility_scaled"] = mean([one["utility_scaled"] for _, one in blocks])
    return made


@pytest.mark.full
def test_over_a_hundred_thousand_numbers_have_the_bits_of_the_rule_and_lie_near_the_exact_fraction(tmp_path):
    bundle = write_evaluation(tmp_path, n_story=220, n_topic=115)
    with tdtsql.evaluate(bundle) as store:
        rows = store.engine.rows
        names = (*PARAMETERS, *POLICIES)
        profiles = {
            row[0]: dict(zip(names, row[1:], strict=True))
            for row in rows(f"select profile_id, {', '.join(names)} from registry.profile")
        }
        kept = {
            row[:-1]: row[-1]
            for row in rows("select run_id, profile_id, subset, block_id, metric, value from report.block_score")
        }
        means = {
            row[:-1]: row[-1]
            for row in rows("select run_id, profile_id, subset, weighting, metric, value from report.score")
        }
    exact = {
        name: {key: Fraction(value) if isinstance(value, float) else value for key, value in p.items()}
        for name, p in profiles.items()
    }
    compared = {"block": 0, "topic": 0, "story": 0}
    farthest: dict[tuple[str, str], Fraction] = {}

    def check(kind, key, metric, value, model, true):
        assert (value is None) == (model is None), (kind, key, metric)
        if value is not None:
            assert value.hex() == float(model).hex(), (kind, key, metric, value, model)
            far = abs(Fraction(value) - true) / max(1, abs(true))
            farthest[kind, metric] = max(far, farthest.get((kind, metric), Fraction(0)))
            compared[kind] += 1

    groups: dict[tuple, list] = {}
    for run, profile, subset, block in sorted({key[:4] for key in kept if key[4] == "n_target"}):
        counts = tuple(int(kept[run, profile, subset, block, name]) for name in COUNTS)
        model, true = of_block(counts, profiles[profile]), of_block(counts, exact[profile], Fraction)
        groups.setdefault((run, profile, subset), []).append((counts, model, true))
        for metric, value in model.items():
            check(
                "block",
                (run, profile, subset, block),
                metric,
                kept[run, profile, subset, block, metric],
                value,
                true[metric],
            )
    for (run, profile, subset), blocks in groups.items():
        model = of_topics([(counts, one) for counts, one, _ in blocks], profiles[profile], mean_by_rule)
        true = of_topics([(counts, one) for counts, _, one in blocks], exact[profile], exact_mean, Fraction)
        for metric, value in model.items():
            check(
                "topic",
                (run, profile, subset),
                metric,
                means[run, profile, subset, "topic", metric],
                value,
                true[metric],
            )
        added = tuple(sum(counts[place] for counts, _, _ in blocks) for place in range(4))
        model, true = of_block(added, profiles[profile]), of_block(added, exact[profile], Fraction)
        for metric in ("p_miss", "p_fa", "c_det", "c_det_norm", "precision", "recall"):
            check(
                "story",
                (run, profile, subset),
                metric,
                means[run, profile, subset, "story", metric],
                model[metric],
                true[metric],
            )

    print(
        f"{sum(compared.values())} numbers compared bit by bit: {compared}; farthest from the exact fraction "
        f"{float(max(farthest.values())):.2g}"
    )
    assert sum(compared.values()) >= 100_000 and compared["topic"] > 500
    for (kind, metric), far in farthest.items():
        # what is summed in larger units lies as far away as half of one; nothing else farther than 2e-15
        limit = Fraction(1, 2 * int(UNITS[metric])) if kind == "topic" and metric in UNITS else 0
        assert far <= Fraction(2, 10**15) + limit, (kind, metric, float(far))
