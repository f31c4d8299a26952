"""DET curves against exact reference points that NIST's F4DE agrees with (skips where they are absent).

Every trial of a case is a story of its own, every block a topic. An omitted
target is a trial of the condition without a decision in the run. The three cost
sets are three profiles based on ``f4de``; the curve is the same under each.
"""

import json
import math

import lanes
import pytest

import tdtsql
from golden_cases import asked_for, keyed
from det_case import CASES, COSTS, read, write_case
from tdtsql.load.bundle import evaluate_into

TOLERANCE = 1e-12
SIDES = {"pooled": "story", "weighted": "topic"}


@pytest.fixture(scope="module")
def golden(shared):
    """Return the folder of the cases and what the reference says of each."""
    folder = shared / "golden" / "det"
    expected = json.loads((folder / "expected.json").read_text())
    assert sorted(expected) == sorted(CASES)
    return folder, expected


@pytest.fixture(scope="module")
def evaluated(request, golden, tmp_path_factory):
    """Return the store of all cases that are tested, each a condition of its name; they are scored together."""
    with tdtsql.connect(":memory:") as store:
        for name in asked_for(request, "case"):
            bundle = write_case(golden[0] / name, tmp_path_factory.mktemp(name), name)
            evaluate_into(store.engine, bundle, score=False)
        store.refresh()
        yield store


def topics_in_means(trials):
    """Return how many blocks have targets, and how many of these have non-targets too."""
    with_targets = {row["block"] for row in trials if row["target"] == "1"}
    return len(with_targets), len(with_targets & {row["block"] for row in trials if row["target"] == "0"})


def number(text):
    return float(text) if text not in ("", None) else None


def check(found, wanted, what):
    assert (found is None) == (wanted is None), (what, found, wanted)
    assert wanted is None or abs(found - wanted) <= TOLERANCE, (what, found, wanted)
    return 1


@pytest.mark.sample(2)
@pytest.mark.parametrize("case", lanes.some(CASES, 4))
def test_every_point_of_the_curve(golden, evaluated, case):
    """Threshold, rates, standard deviations and number of topics, pooled and weighted, at every distinct score."""
    folder, expected = golden
    points = evaluated.det_curve("system", condition=case, weighting=None, profile="tdt", all_points=True).fetchall()
    columns = ("run_id profile_id subset weighting threshold p_miss p_fa p_miss_se p_fa_se c_det_norm n_block").split()
    n_compared = 0
    for side, weighting in SIDES.items():
        found = [
            row
            for row in (dict(zip(columns, point, strict=False)) for point in points)
            if row["weighting"] == weighting
        ]
        assert found[0]["threshold"] is None and (found[0]["p_miss"], found[0]["p_fa"]) == (1, 0)
        by_threshold = {math.inf if row["threshold"] is None else row["threshold"]: row for row in found}
        n_miss, n_fa = topics_in_means(read(folder / case / "trials.csv")) if side == "weighted" else (1, 1)
        wanted = read(folder / case / f"points_{side}.csv")
        assert len(wanted) == expected[case][side]["n_points"]
        for point in wanted:
            row = by_threshold.pop(float(point["threshold"]))
            what = (case, side, point["threshold"])
            n_compared += check(row["p_miss"], number(point["pmiss"]), (*what, "p_miss"))
            n_compared += check(row["p_fa"], number(point["pfa"]), (*what, "p_fa"))
            for name, deviation, n_topics in (("p_miss_se", "ssd_pmiss", n_miss), ("p_fa_se", "ssd_pfa", n_fa)):
                error = row[name]
                n_compared += check(
                    None if error is None else error * math.sqrt(n_topics), number(point[deviation]), (*what, name)
                )
            assert row["n_block"] == int(point["n_topics"]) == n_miss, what
            n_compared += 2  # the threshold and the number of topics
        assert not by_threshold, (case, side, "thresholds that the reference does not have")
    print(f"{case}: {n_compared} numbers compared")


@pytest.mark.parametrize("case", lanes.some(CASES, 4))
def test_minima_and_actual_costs_under_three_cost_sets(golden, evaluated, case):
    _, expected = golden
    here = f"subset = 'all' and condition_id = '{case}'"
    scores = keyed(evaluated, "profile_id, weighting, metric", where=here)
    n_compared = 0
    for side, weighting in SIDES.items():
        wanted = expected[case][side]
        for profile in COSTS:
            costs = wanted[profile]
            threshold = None if costs["threshold"] in (None, "inf", math.inf) else float(costs["threshold"])
            pairs = {
                "p_miss": wanted["actual"]["pmiss"],
                "p_fa": wanted["actual"]["pfa"],
                "c_det": costs["actual_cost"],
                "c_det_norm": costs["actual_norm"],
                "min_c_det": costs["min_cost"],
                "min_c_det_norm": costs["min_norm"],
                "min_threshold": threshold,
                "min_p_miss": costs["pmiss"],
                "min_p_fa": costs["pfa"],
            }
            for metric, value in pairs.items():
                n_compared += check(scores[profile, weighting, metric], value, (case, side, profile, metric))
    print(f"{case}: {n_compared} numbers compared")
