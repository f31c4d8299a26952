"""Comparisons with TDT3eval's numbers that its three tasks share; every number compared is counted."""

from collections import Counter
from contextlib import contextmanager

import pytest

import tdtsql
from tdtsql.load.bundle import evaluate_into
from tdt3eval_case import COST, UNDEFINED, ppndf, write_case

WEIGHTINGS = {"SW": "story", "TW": "topic"}
#: numbers compared, by kind
COMPARED = Counter()


def check(kind, found, wanted, what, *, rel=1e-9, absolute=1e-12):
    """Compare one number with the program's; an undefined one must be NULL."""
    COMPARED[kind] += 1
    wanted = None if isinstance(wanted, str) and wanted.strip() in UNDEFINED else wanted
    assert (found is None) == (wanted is None), (what, found, wanted)
    assert wanted is None or found == pytest.approx(wanted, rel=rel, abs=absolute), what


@contextmanager
def store_of(request, cases, folder):
    """Yield one store of those cases (name -> case) that the selected tests of a file have as parameter ``name``; all
    are scored together, each is a condition of its name.
    """
    tests = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    names = dict.fromkeys(test.callspec.params["name"] for test in tests)
    with tdtsql.connect(":memory:") as store:
        for name in names:
            ids = dict.fromkeys(("corpus_id", "condition_id", "profile_id"), name)
            evaluate_into(store.engine, write_case(cases[name], folder / name, **ids), score=False)
        store.refresh()
        yield store


def scores(case, store):
    rows = store.sql(
        f"select subset, metric, weighting, value from report.score where condition_id = '{case.name}'"
    ).fetchall()
    return {row[:3]: row[3] for row in rows}


def block_scores(case, store):
    rows = store.sql(
        f"select subset, block_id, metric, value from report.block_score where condition_id = '{case.name}'"
    ).fetchall()
    return {row[:3]: row[3] for row in rows}


def rates(task):
    return {"P(Miss)": "p_miss", "P(Fa)": "p_fa", COST[task]: "c_det", f"Norm({COST[task]})": "c_det_norm"}


def check_minima(case, store):
    """Cost, rates and threshold; where two thresholds give the same cost the program's rounding chooses."""
    found, wanted, name = scores(case, store), case.expected["global"], case.name
    for prefix, weighting in WEIGHTINGS.items():
        point = case.expected["mindet"]["det"][prefix]
        if point["score"] in UNDEFINED:
            for metric in ("min_c_det", "min_c_det_norm", "min_threshold", "min_p_miss", "min_p_fa"):
                check("minimum", found["all", metric, weighting], "NULL", (name, prefix, metric))
            continue
        check("minimum", found["all", "min_c_det", weighting], point["cost"], (name, prefix, "min_c_det"))
        check("minimum", found["all", "min_c_det_norm", weighting], point["norm"], (name, prefix, "min_c_det_norm"))
        if candidates(case, store, weighting) == 1:
            check("minimum", found["all", "min_threshold", weighting], point["score"], (name, prefix, "threshold"))
            check(
                "minimum",
                found["all", "min_p_miss", weighting],
                wanted[f"{prefix} Min DET P(miss)"],
                (name, prefix, "min_p_miss"),
            )
            check(
                "minimum",
                found["all", "min_p_fa", weighting],
                wanted[f"{prefix} Min DET P(fa)"],
                (name, prefix, "min_p_fa"),
            )


def candidates(case, store, weighting):
    """Return how many points of the curve have the minimum cost, up to rounding."""
    costs = [
        row[0]
        for row in store.sql(
            f"select c_det_norm from report.det_point where weighting = '{weighting}' and subset = 'all' and "
            f"condition_id = '{case.name}'"
        ).fetchall()
    ]
    return sum(cost <= min(costs) + 1e-9 for cost in costs)


def curve(case, store, weighting):
    columns = ["threshold", "p_miss", "p_fa", "p_miss_se", "p_fa_se", "c_det_norm"]
    rows = store.sql(
        f"select {', '.join(columns)} from report.det_point where weighting = '{weighting}' and subset = 'all' and "
        f"condition_id = '{case.name}' order by point_no"
    ).fetchall()
    return [dict(zip(columns, row, strict=True)) for row in rows]


def check_curve_of_stories(case, store):
    """Compare the story-weighted curve point by point."""
    found, wanted = curve(case, store, "story"), case.expected["det"]["det"]["story_weighted"]["rows"]
    assert len(found) == len(wanted)
    for number, (point, row) in enumerate(zip(found, wanted, strict=True)):
        check("story curve", ppndf(point["p_miss"]), row[0], (case.name, number, "p_miss"))
        check("story curve", ppndf(point["p_fa"]), row[1], (case.name, number, "p_fa"))


def check_curve_of_topics(case, store, unfinished):
    """Compare all eleven columns of the topic-weighted curve, but those of topics at ``unfinished`` rows."""
    name = case.name
    topics, stories = curve(case, store, "topic"), curve(case, store, "story")
    wanted = case.expected["det"]["det"]["topic_weighted"]["rows"]
    assert len(topics) == len(stories) == len(wanted)
    for number, (topic, story, row) in enumerate(zip(topics, stories, wanted, strict=True)):
        check("topic curve", topic["threshold"], row[6], (name, number, "threshold"))
        check("topic curve", ppndf(story["p_miss"]), row[7], (name, number, "SW p_miss"))
        check("topic curve", ppndf(story["p_fa"]), row[8], (name, number, "SW p_fa"))
        check("topic curve", ppndf(story["c_det_norm"]), row[10], (name, number, "SW cost"), rel=1e-7)
        if number in unfinished:
            COMPARED["(skipped inside ties)"] += 6
            continue
        check("topic curve", ppndf(topic["p_miss"]), row[0], (name, number, "p_miss"))
        check("topic curve", ppndf(topic["p_fa"]), row[1], (name, number, "p_fa"))
        check("topic curve", ppndf(topic["c_det_norm"]), row[9], (name, number, "cost"), rel=1e-7, absolute=1e-7)
        for place, (rate, sign) in enumerate((("p_miss", 1), ("p_miss", -1), ("p_fa", 1), ("p_fa", -1)), start=2):
            band = topic[rate] + sign * 1.28 * topic[f"{rate}_se"]
            check("topic curve", ppndf(band), row[place], (name, number, "band", place), rel=1e-7, absolute=1e-7)
