"""Runs compared on the same trials: the golden numbers (every draw of a small set counted), closed forms, refusals."""

import csv
import gzip
import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from tdtsql.compare.paired import Method
from tdtsql.compare.scored import Measure, Sample, observed
from tdtsql.compare.trial_pairs import _notes, bootstrap_p, compare_trials, delong_covariance, quantiles, resolved
from tdtsql.errors import InvalidSetting

CASES = (
    "attacks",
    "identical",
    "infinite",
    "many_ties",
    "no_target",
    "one_target",
    "pure_clusters",
    "same_order",
    "small",
    "speakers",
    "speakers_both_sides",
    "three_systems",
    "tiny_ties",
    "two_sides",
    "undefined_often",
    "undefined_rare",
)


def table(folder, name):
    path = folder / name
    with open(path) if path.exists() else gzip.open(f"{path}.gz", "rt") as file:
        return list(csv.DictReader(file))


def read_case(folder):
    """Return labels, runs, scores, decisions, and the columns of the key."""
    key = table(folder, "key.csv")
    name = ("trial_id",) if "trial_id" in key[0] else ("enroll_id", "test_id")
    place = {tuple(row[part] for part in name): index for index, row in enumerate(key)}
    runs = [run for run in "ABC" if list(folder.glob(f"scores_{run}.csv*"))]
    scores, accepts = np.empty((len(runs), len(key))), np.zeros((len(runs), len(key)), dtype=bool)
    for number, run in enumerate(runs):
        for row in table(folder, f"scores_{run}.csv"):
            index = place[tuple(row[part] for part in name)]
            scores[number, index], accepts[number, index] = float(row["score"]), row.get("decision") == "yes"
    return np.array([row["label"] == "target" for row in key]), runs, scores, accepts, key


def sides_of(key, unit):
    """Return the clusters of a unit, and whether both sides are one population."""
    if unit == "trial":
        return (), False
    names, is_one = (unit.split("="), True) if "=" in unit else (unit.split(","), False)
    columns = [[row[name] for row in key] for name in names]
    values = [sorted({value for some in columns for value in some} if is_one else set(column)) for column in columns]
    return tuple(
        np.array([-1 if value in ("", "-") else known.index(value) for value in column])
        for column, known in zip(columns, values, strict=True)
    ), is_one


def is_right(field, found, wanted):
    """Return whether a number is the one wanted, or in a range of the draws."""
    found = "inf" if found == math.inf else found
    if isinstance(wanted, list):
        return found is not None and wanted[0] - 1e-9 <= found <= wanted[1] + 1e-9
    if wanted == "+":
        return bool(found)
    if wanted is None or isinstance(wanted, str):
        return found == wanted
    exact = field in ("value", "baseline_value", "difference")
    return found is not None and found == pytest.approx(wanted, abs=1e-12 if exact else 1e-9)


@pytest.mark.sample(8)
@pytest.mark.parametrize("case", CASES)
def test_golden_numbers(shared, case):
    folder = shared / "golden/trial_comparison" / case
    expected = json.loads((folder / "expected.json").read_text())
    is_target, runs, scores, accepts, key = read_case(folder)
    for asked in expected["comparisons"]:
        profile = dict(
            part.split("=") for text in (asked["policy"], asked["costs"]) for part in text.split(",") if part
        )
        prior, c_miss, c_fa = (float(profile[name]) for name in ("p_target", "c_miss", "c_fa"))
        threshold = -math.log(c_miss * prior / (c_fa * (1 - prior)))
        measure = Measure(
            asked["metric"], profile.get("eer", "convex_hull"), "none", c_miss * prior, c_fa * (1 - prior), threshold
        )
        sides, is_one = sides_of(key, asked["unit"])
        here = np.ones(len(key), dtype=bool)
        if asked.get("subset"):
            name, value = asked["subset"].split("=")
            here = np.array([row[name] == value for row in key])
        sample = Sample(is_target[here], scores[:, here], accepts[:, here], tuple(side[here] for side in sides), is_one)
        values = [None if math.isnan(value) else float(value) for value in observed(sample, measure)]
        is_boot = asked["test"] == "bootstrap"
        method = Method(
            asked["test"],
            interval=asked["interval"] if is_boot else None,
            unit=asked["unit"],
            level=asked["level"],
            n_resample=asked["resamples"] if is_boot else None,
            correction=asked.get("correction") or "holm",
        )
        pairs = [(asked["run"], asked["baseline"])]
        if asked.get("all_pairs"):
            pairs = [("B", "A"), ("C", "A"), ("C", "B")]
        family = compare_trials(sample, measure, runs, values, pairs, method)
        row = next(row for row in family.rows if (row.run, row.baseline) == (asked["run"], asked["baseline"]))
        given = {
            "test": family.method.test,
            "unit": family.method.unit,
            "correction": family.method.correction,
            "family_size": family.family_size,
            "n_target": family.n_target,
            "n_nontarget": family.n_nontarget,
            "n_undefined_draw": family.n_undefined_draw,
        }
        found = {name: given[name] if name in given else getattr(row, name) for name in asked["want"]}
        wrong = {
            name: (found[name], wanted)
            for name, wanted in asked["want"].items()
            if not is_right(name, found[name], wanted)
        }
        assert not wrong, (asked["metric"], asked["policy"], asked["unit"], asked["test"], asked["interval"])


def test_percentiles_and_p_are_inverses_of_each_other():
    draws = np.array([-2.0, -1, 0, 0, 1, 2, 3, 4, 5, 6])
    assert quantiles(draws, 0.1, 0.11, 0.9, 1.0) == [-2.0, -1.0, 5.0, 6.0]
    assert bootstrap_p(draws) == 2 * (1 + 4) / 11
    assert bootstrap_p(np.zeros(5)) == 1.0
    assert bootstrap_p(np.ones(999)) == 2 / 1000


def test_the_covariance_of_areas_is_that_of_placements():
    random = np.random.default_rng(2)
    is_target = random.random(80) < 0.4
    scores = np.stack([(random.normal(0, 1, 80) + gain * is_target).round(1) for gain in (0.5, 1.0, 1.5)])
    above = [
        np.array([[(t > o) + (t == o) / 2 for o in score[~is_target]] for t in score[is_target]]) for score in scores
    ]
    wanted = np.cov([part.mean(axis=1) for part in above]) / is_target.sum()
    wanted += np.cov([part.mean(axis=0) for part in above]) / (~is_target).sum()
    assert delong_covariance(scores, is_target) == pytest.approx(wanted, rel=1e-12)


def test_the_normal_interval_of_cllr_is_near_that_of_draws():
    random = np.random.default_rng(3)
    is_target = random.random(800) < 0.3
    shared = random.normal(0, 1, 800)
    scores = np.stack([shared + random.normal(0, 1, 800) + gain * is_target for gain in (2.0, 2.4)])
    sample, measure = Sample(is_target, scores), Measure("cllr")
    values = [float(value) for value in observed(sample, measure)]
    rows = {
        interval: compare_trials(
            sample, measure, ["A", "B"], values, [("B", "A")], Method(interval=interval, n_resample=2_000)
        ).rows[0]
        for interval in ("percentile", "normal")
    }
    normal, drawn = rows["normal"], rows["percentile"]
    assert normal.se == pytest.approx((drawn.high - drawn.low) / (2 * 1.96), rel=0.1)
    assert normal.p == pytest.approx(2 * scipy.stats.norm.sf(abs(normal.difference / normal.se)), rel=1e-9)
    assert (drawn.se, drawn.statistic) == (None, None)


@pytest.mark.parametrize(
    ("metric", "given", "said"),
    [
        ("eer", {"test": "delong"}, "test delong is for auc, not for eer. Use test='bootstrap'"),
        ("eer", {"test": "mcnemar"}, "test mcnemar is for rates of decisions"),
        ("auc", {"test": "delong", "unit": "speaker"}, "not valid for clusters .unit speaker.. Use test='bootstrap'"),
        ("act_p_fa", {"test": "mcnemar", "unit": "speaker"}, "not valid for clusters"),
        ("eer", {"interval": "normal"}, "interval normal is not for eer"),
        ("auc", {"test": "delong", "interval": "bca"}, "interval bca is not for auc with test delong"),
        ("recall", {}, "metric 'recall' cannot be compared on scored trials"),
        ("eer", {"n_resample": 39}, "39 resamples cannot give a limit at level 0.95. Request 40 or more"),
        ("eer", {"interval": "t"}, "interval 't' is not for scored trials"),
        ("eer", {"correction": "sidak"}, "correction 'sidak' is not for scored trials"),
        ("eer", {"level": 1.0}, "level 1.0 is not between 0 and 1"),
        ("eer", {"seed": -1}, "seed -1 is negative"),
    ],
)
def test_what_does_not_go_together_is_refused(metric, given, said):
    with pytest.raises(InvalidSetting, match=said):
        resolved(Method(**given), metric, 100)


def test_defaults_are_by_metric_unit_and_number_of_trials():
    def chosen(metric, n_trial=100, **given):
        method = resolved(Method(**given), metric, n_trial)
        return method.test, method.interval, method.n_resample

    assert chosen("eer") == ("bootstrap", "percentile", 10_000)
    assert chosen("eer", 100_001) == ("bootstrap", "percentile", 1_000)
    assert chosen("auc")[:2] == ("delong", "normal")
    assert chosen("auc", unit="speaker")[:2] == ("bootstrap", "percentile")
    assert chosen("act_p_miss")[:2] == ("mcnemar", "percentile")
    assert chosen("p_fa", unit="speaker")[:2] == ("bootstrap", "percentile")


def test_what_limits_a_comparison_is_in_its_notes():
    is_target = np.array([True] + [False] * 6)
    sample = Sample(is_target, np.arange(14.0).reshape(2, 7), None, (np.array([-1, 0, 0, 1, 1, 2, 2]),))
    values = [float(value) for value in observed(sample, Measure("eer"))]
    family = compare_trials(sample, Measure("eer"), ["A", "B"], values, [("B", "A")], Method(unit="attack"))
    assert family.notes == (
        "targets have one value of attack or none: drawn by trial",
        "1 target: its variation is not in the interval",
        "fewer than 10 units: intervals are approximate",
    )
    assert (family.n_unit, family.rows[0].p) == (3, 1.0)


@pytest.mark.parametrize(("n_undefined", "said"), [(None, ()), (0, ()), (3, ("3 of 1,000 draws lack a class",))])
def test_draws_without_a_class_are_counted_in_a_note(n_undefined, said):
    plan = SimpleNamespace(kind="trial", n_lone=0, n_unit=(9,), target=None, nontarget=None)

    assert (
        _notes(SimpleNamespace(plan=plan, n_undefined=n_undefined), Method(n_resample=1000, unit="trial"), 4, 5) == said
    )


@pytest.mark.parametrize("metric", ["act_p_miss", "act_p_fa", "act_c_det", "cllr", "auc"])
def test_an_interval_of_a_mean_holds_its_value(monkeypatch, metric):
    """Trials with few different scores, by classes: many trials have the higher scores, few the lower ones; in every
    second case as few as there are scores (2 of 400 trials missed: two cells, of 2 and of 398 trials).
    """
    monkeypatch.setattr("tdtsql.compare.scored.DRAWN_SINGLY", 50)
    monkeypatch.setattr("tdtsql.compare.scored.MERGED", 20)
    random, measure = np.random.default_rng(54), Measure(metric, weight_miss=0.05, weight_fa=0.95, act_threshold=1.0)
    for case in range(40):
        scores = []
        for _ in range(2):
            n_large, n_small = random.integers(1, 4, 2)
            n_more = n_large if case % 2 else random.integers(0, 9)
            size = np.append(
                1 + random.multinomial(n_more, np.ones(n_small) / n_small), random.integers(30, 300, n_large)
            )
            scores.append(np.repeat(np.arange(len(size), dtype=float), size))
        is_target = np.repeat([True, False], [len(some) for some in scores])
        sample = Sample(is_target, np.stack([np.concatenate(scores), np.concatenate(scores[::-1])]))
        values = [float(value) for value in observed(sample, measure)]
        method = Method("bootstrap", interval="percentile", n_resample=400)
        [row] = compare_trials(sample, measure, ["A", "B"], values, [("B", "A")], method).rows
        assert row.value_low <= row.value <= row.value_high, case
        assert row.baseline_low <= row.baseline_value <= row.baseline_high, case
        assert row.low <= row.difference <= row.high, case
