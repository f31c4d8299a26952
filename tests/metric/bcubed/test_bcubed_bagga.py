"""Bagga's worked responses, with the numbers he prints and those he omits.

    truth   t1 = S1-200   t2 = S201-400   t3 = S401-450   t4 = S451-500

    R1      t1 = t1       t2 = t2 + t3                    t4 = t4      a small topic swallowed by a large one
    R2      t1 = t1       t2 = t2                         t4 = t3 + t4 two small topics merged
    R3      t1 = t1 + t2                  t3 = t3         t4 = t4      two large topics merged
    R4      t1 = t1       t2 = t2 + 40 of t3              t3 = 10 of t3   t4 = t4
    R5      R1 with a truth 50 times smaller: 4, 4, 1 and 1 stories

Source: A. Bagga, Enhancing the TDT Tracking Evaluation, sections 3 to 5. (Section 3 prints "S451 ... S450" for t3 =
    S401-450.)
"""

from fractions import Fraction as F

import pytest

from partition import Answer, load, fetch, partition_scores


def span(topic, first, last):
    return {(f"S{number}", topic) for number in range(first, last + 1)}


TRUTH = span("t1", 1, 200) | span("t2", 201, 400) | span("t3", 401, 450) | span("t4", 451, 500)
SMALL_TRUTH = span("t1", 1, 4) | span("t2", 5, 8) | span("t3", 9, 9) | span("t4", 10, 10)
RESPONSES = {
    "R1": Answer(TRUTH, span("t1", 1, 200) | span("t2", 201, 450) | span("t4", 451, 500)),
    "R2": Answer(TRUTH, span("t1", 1, 200) | span("t2", 201, 400) | span("t4", 401, 500)),
    "R3": Answer(TRUTH, span("t1", 1, 400) | span("t3", 401, 450) | span("t4", 451, 500)),
    "R4": Answer(TRUTH, span("t1", 1, 200) | span("t2", 201, 440) | span("t3", 441, 450) | span("t4", 451, 500)),
    "R5": Answer(SMALL_TRUTH, span("t1", 1, 4) | span("t2", 5, 9) | span("t4", 10, 10)),
    # section 3, limitation 1: one topic of 10 stories among 1000, 9 found with 91 others
    "limitation1": Answer(span("t1", 1, 10), span("t1", 1, 9) | span("t1", 11, 101), n_other_story=899),
}

#: case: pooled P and R, weighted P and R
B_CUBED = {
    "R1": (F(21, 25), F(1), F(67, 75), F(1)),
    "R2": (F(9, 10), F(1), F(5, 6), F(1)),
    "R3": (F(3, 5), F(1), F(5, 6), F(1)),
    "R4": (F(13, 15), F(121, 125), F(67, 72), F(23, 25)),
    "R5": (F(21, 25), F(1), F(67, 75), F(1)),
    "limitation1": (F(81, 10000), F(81, 100), F(81, 10000), F(81, 100)),
}

#: case: pooled P_miss and P_fa, weighted P_miss and P_fa
ERRORS = {
    "R1": (F(1, 10), F(1, 30), F(1, 4), F(1, 24)),
    "R2": (F(1, 10), F(1, 30), F(1, 4), F(1, 36)),
    "R3": (F(2, 5), F(2, 15), F(1, 4), F(1, 6)),
    "R4": (F(2, 25), F(2, 75), F(1, 5), F(1, 30)),
    "R5": (F(1, 10), F(1, 30), F(1, 4), F(1, 24)),
    "limitation1": (F(1, 10), F(91, 990), F(1, 10), F(91, 990)),
}


@pytest.fixture(scope="module")
def scores():
    return partition_scores(RESPONSES)


@pytest.fixture(scope="module")
def errors():
    with load(RESPONSES, [("exclude", "exclude")]) as con:
        rows = fetch(con, "metric.detection_pooled__v1") + fetch(con, "metric.detection_topic_weighted__v1")
    return {(list(RESPONSES)[row["run_no"] - 1], row["weighting"]): row for row in rows if row["subset_no"] == 0}


@pytest.mark.parametrize("case", RESPONSES)
def test_b_cubed_of_the_worked_responses(scores, case):
    pooled, weighted = (scores[case, ("exclude", "exclude"), weighting] for weighting in ("story", "topic"))

    found = (pooled["b3_precision"], pooled["b3_recall"], weighted["b3_precision"], weighted["b3_recall"])

    assert found == pytest.approx([float(value) for value in B_CUBED[case]], abs=1e-15)


@pytest.mark.parametrize("case", RESPONSES)
def test_miss_and_false_alarm_of_the_worked_responses(errors, case):
    pooled, weighted = errors[case, "story"], errors[case, "topic"]

    found = (pooled["p_miss"], pooled["p_fa"], weighted["p_miss"], weighted["p_fa"])

    assert found == pytest.approx([float(value) for value in ERRORS[case]], abs=1e-15)


def test_the_current_algorithm_cannot_tell_r1_from_r2_and_b_cubed_can(scores, errors):
    policy = ("exclude", "exclude")

    assert errors["R1", "story"]["p_miss"] == errors["R2", "story"]["p_miss"]
    assert errors["R1", "story"]["p_fa"] == errors["R2", "story"]["p_fa"]
    assert scores["R1", policy, "story"]["b3_precision"] < scores["R2", policy, "story"]["b3_precision"]


def test_only_pooled_precision_tells_r2_from_r3(scores):
    policy = ("exclude", "exclude")

    assert scores["R2", policy, "topic"]["b3_precision"] == scores["R3", policy, "topic"]["b3_precision"]
    assert scores["R2", policy, "story"]["b3_precision"] > scores["R3", policy, "story"]["b3_precision"]


def test_both_weightings_are_free_of_scale(scores):
    policy = ("exclude", "exclude")

    for weighting in ("story", "topic"):
        assert scores["R5", policy, weighting]["b3_precision"] == scores["R1", policy, weighting]["b3_precision"]


def test_counts_behind_the_means(scores):
    pooled, weighted = (scores["R4", ("exclude", "exclude"), weighting] for weighting in ("story", "topic"))

    assert (pooled["n_precision"], pooled["n_recall"], pooled["n_f1"]) == (500, 500, 500)
    assert (weighted["n_precision"], weighted["n_recall"], weighted["n_f1"]) == (4, 4, 4)
