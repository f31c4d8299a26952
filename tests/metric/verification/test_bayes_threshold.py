"""A score that is equal to the threshold of least expected cost is accepted, in whatever unit the file has it."""

from math import log

import pytest

import tdtsql
from bundle_file import write_bundle, write_tables
from golden_cases import keyed
from tdtsql.definitions.catalogue import catalog


def accepted(folder, unit, profiles, scores):
    """Return {profile: (targets, non-targets) that are accepted} of trials that are a target and a non-target each."""
    rows = [(f"{kind}{number}", score) for number, score in enumerate(scores) for kind in ("target", "nontarget")]
    own = {
        name: {"base": "bosaris", "decide_at": "bayes", "p_target": prior, "c_miss": miss, "c_fa": fa}
        for name, (prior, miss, fa) in profiles.items()
    }
    key = write_tables(folder, key=("trial_id label", [(trial, trial.rstrip("0123456789")) for trial, _ in rows]))
    write_tables(folder, **{unit: ("trial_id score", rows)})
    condition = {"id": unit, "task": "verification", "scores": unit, "profile": list(profiles)} | key
    runs = [{"id": unit, "condition": unit, "files": [f"{unit}.csv"]}]
    bundle = write_bundle(folder, corpus={"id": "k"}, profiles=own, conditions=[condition], runs=runs)
    with tdtsql.evaluate(bundle) as store:
        values = keyed(store, "profile_id, metric", where="subset = 'all' and weighting = 'story'")
    for name in profiles:  # what decide_at = "bayes" decides is what the actual cost is of
        assert values[name, "n_hit"] == round(len(scores) * (1 - values[name, "act_p_miss"]))
        assert values[name, "n_false_alarm"] == round(len(scores) * values[name, "act_p_fa"])
    return {
        name: (round(len(scores) * (1 - values[name, "act_p_miss"])), round(len(scores) * values[name, "act_p_fa"]))
        for name in profiles
    }


def test_a_probability_equal_to_the_threshold_is_accepted(tmp_path):
    """Equal costs: accepted from 1 - p_target on; of 0.99, 0.98, ..., 0.01 that are as many as p_target has
    hundredths.
    """
    profiles = {f"p{number}": (number / 100, 1, 1) for number in (1, 5, 10, 15, 29, 33, 45, 50, 57, 70, 90, 95, 99)}
    profiles["dear"] = (0.2, 1, 3)  # 3 * 0.8 / (3 * 0.8 + 0.2) = 12/13: between 0.93 and 0.92

    found = accepted(tmp_path, "probability", profiles, [f"{1 - number / 100:.2f}" for number in range(1, 100)])

    assert found == {name: (int(name[1:]),) * 2 if name != "dear" else (7, 7) for name in profiles}


def test_a_decadic_logarithm_equal_to_the_threshold_is_accepted(tmp_path):
    """At p_target 1/2 the threshold is log10(c_fa / c_miss)."""
    profiles = {
        f"by{power}": (0.5, 10 ** max(-power, 0), 10 ** max(power, 0)) for power in (-4, -3, -2, -1, 0, 1, 2, 3, 4)
    }

    found = accepted(tmp_path, "log10lr", profiles, range(-5, 6))

    assert found == {name: (6 - int(name[2:]),) * 2 for name in profiles}


def test_what_is_no_short_decimal_is_not_rounded():
    """A third is no whole number of millionths: each of the three alone keeps the profile from being taken as whole."""
    profiles = [(1 / 3, 2.0, 5.0), (0.25, 1 / 3, 5.0), (0.25, 2.0, 1 / 3), (0.25, 2.0, 5.0)]
    view = catalog()["base.bayes_threshold__v1"]
    with tdtsql.connect(":memory:") as store:
        store.engine.insert_temporary(
            "stub_profile",
            {
                "profile_no": list(range(4)),
                **dict(zip(("p_target", "c_miss", "c_fa"), map(list, zip(*profiles, strict=True)), strict=True)),
            },
        )
        store.engine.execute("create temp table stub_condition as select 1 as condition_no, 'llr' as scores")
        store.engine.execute("create temp table stub_chosen as select 1 as condition_no, profile_no from stub_profile")
        stubs = {"profile": "profile", "condition": "condition", "condition_profile": "chosen"}
        body = view.reading({f"registry.{name}": f"stub_{stub}" for name, stub in stubs.items()})
        found = [row[0] for row in store.engine.rows(f"select act_threshold from ({body}) order by profile_no")]

    assert found == pytest.approx([log(fa * (1 - prior) / (miss * prior)) for prior, miss, fa in profiles], rel=1e-14)
