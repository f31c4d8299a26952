"""Worked example for metric/detection/det_curve__v1, det_minimum__v1 and det_block_curve__v1.

    T1   targets 0.9 0.4          non-targets 0.7 0.4 0.2 0.1
    T2   target  0.7              non-targets 0.9 0.3

Yes if score >= threshold, going down; equal scores are one threshold:

    threshold   T1 miss  fa     T2 miss  fa      topic-weighted        pooled
    (none)          1    0          1    0        1      0             1     0
    0.9           1/2    0          1    1/2      3/4    1/4           2/3   1/6
    0.7           1/2    1/4        0    1/2      1/4    3/8           1/3   2/6
    0.4             0    2/4        0    1/2      0      1/2           0     3/6
    0.3             0    2/4        0    1        0      3/4           0     4/6   (not a corner)
    0.2             0    3/4        0    1        0      7/8           0     5/6   (not a corner)
    0.1             0    1          0    1        0      1             0     1

Sample variance over the two topics, e.g. at 0.9: p_miss 1/2, 1 -> 1/8, standard error sqrt(1/8 / 2) = 1/4.
Under equal costs (1, 1, 0.5) the topic-weighted cost at 0.4 is 0.5 * 1/2 = 1/4, the minimum; norm 1/2.
Under the plan's costs reject-all is best: 0.02, norm 1.
"""

import pytest

EXAMPLE = """
T1 1 target    yes 0.9
T1 1 target    no  0.4
T1 1 nontarget yes 0.7
T1 1 nontarget no  0.4
T1 1 nontarget no  0.2
T1 1 nontarget no  0.1
T2 1 target    yes 0.7
T2 1 nontarget yes 0.9
T2 1 nontarget no  0.3
"""
ONE_TOPIC = """
T1 1 target    yes 0.9
T1 1 target    yes 0.8
T1 1 target    no  0.1
T1 1 nontarget yes 0.85
T1 6 nontarget no  0.2
"""
EQUAL = {"equal": {"c_miss": 1.0, "c_fa": 1.0, "p_target": 0.5}}


def curve(rows, weighting, **keys):
    found = sorted(rows("det_curve", weighting=weighting, **keys), key=lambda row: row["point_no"])
    return [(row["threshold"], row["p_miss"], row["p_fa"]) for row in found]


def about(points):
    return [
        (threshold, pytest.approx(p_miss, abs=1e-14), pytest.approx(p_fa, abs=1e-14))
        for threshold, p_miss, p_fa in points
    ]


ALL_TOPIC = [
    (None, 1, 0),
    (0.9, 3 / 4, 1 / 4),
    (0.7, 1 / 4, 3 / 8),
    (0.4, 0, 1 / 2),
    (0.3, 0, 3 / 4),
    (0.2, 0, 7 / 8),
    (0.1, 0, 1),
]
ALL_STORY = [
    (None, 1, 0),
    (0.9, 2 / 3, 1 / 6),
    (0.7, 1 / 3, 2 / 6),
    (0.4, 0, 3 / 6),
    (0.3, 0, 4 / 6),
    (0.2, 0, 5 / 6),
    (0.1, 0, 1),
]


def test_worked_example_at_all_points(worked):
    rows = worked(EXAMPLE, all_points=True)

    assert curve(rows, "topic") == about(ALL_TOPIC)
    assert curve(rows, "story") == about(ALL_STORY)


def test_points_on_a_straight_line_are_left_out(worked):
    rows = worked(EXAMPLE)

    corners = [None, 0.9, 0.7, 0.4, 0.1]
    assert curve(rows, "topic") == about([point for point in ALL_TOPIC if point[0] in corners])
    assert curve(rows, "story") == about([point for point in ALL_STORY if point[0] in corners])


def test_standard_errors_are_over_topics(worked):
    rows = worked(EXAMPLE)

    topic = {row["threshold"]: row for row in rows("det_curve", weighting="topic")}
    assert topic[0.9]["p_miss_se"] == pytest.approx(1 / 4, abs=1e-12)
    assert topic[0.9]["p_fa_se"] == pytest.approx(1 / 4, abs=1e-12)  # 0 and 1/2
    assert topic[0.7]["p_fa_se"] == pytest.approx(1 / 8, abs=1e-12)  # 1/4 and 1/2
    assert topic[0.4]["p_miss_se"] == 0
    assert topic[0.9]["n_block"] == 2
    assert {row["p_miss_se"] for row in rows("det_curve", weighting="story")} == {None}


def test_one_topic_has_no_standard_error(worked):
    rows = worked("T1 1 target yes 2\nT1 1 nontarget no 1")

    assert {(row["p_miss_se"], row["p_fa_se"]) for row in rows("det_curve")} == {(None, None)}


def test_minimum_under_equal_costs(worked):
    rows = worked(EXAMPLE, EQUAL)

    [topic] = rows("det_minimum", weighting="topic")
    assert (topic["min_c_det"], topic["min_c_det_norm"]) == (0.25, 0.5)
    assert (topic["min_threshold"], topic["min_p_miss"], topic["min_p_fa"]) == (0.4, 0, 0.5)
    [story] = rows("det_minimum", weighting="story")
    assert story["min_c_det_norm"] == 0.5 and story["min_threshold"] == 0.4


def test_minimum_at_reject_all_costs_one(worked):
    """Under the plan's costs a false alarm in six non-targets is dearer than all targets missed."""
    [topic] = worked(EXAMPLE)("det_minimum", weighting="topic")

    assert (topic["min_c_det"], topic["min_c_det_norm"]) == (0.02, 1)
    assert (topic["min_threshold"], topic["min_p_miss"], topic["min_p_fa"]) == (None, 1, 0)
    assert topic["n_point"] == 5


def test_n_of_a_minimum_counts_topics_or_trials_and_not_points(worked):
    rows = worked(EXAMPLE)
    [topic], [story] = rows("det_minimum", weighting="topic"), rows("det_minimum", weighting="story")
    [population] = rows("det_population")

    assert topic["n_counted"] == population["n_block_miss"] == 2
    assert story["n_counted"] == population["n_target"] + population["n_nontarget"]


def test_one_topic_has_the_same_bits_in_both_weightings(worked):
    """3 targets and 7 non-targets: thirds and sevenths, which no multiple of 1e-15 is."""
    rows = worked(ONE_TOPIC, EQUAL)
    by_weighting = [
        sorted(
            (row["point_no"], row["p_miss"], row["p_fa"], row["c_det"])
            for row in rows("det_curve", weighting=weighting)
        )
        for weighting in ("story", "topic")
    ]
    minima = [
        (row["min_c_det"], row["min_c_det_norm"], row["min_p_miss"], row["min_p_fa"])
        for weighting in ("story", "topic")
        for row in rows("det_minimum", weighting=weighting)
    ]

    assert by_weighting[0] == by_weighting[1]
    assert minima[0] == minima[1] and minima[0][2:] == (1 / 3, 1 / 7)


def test_of_equal_minima_the_lowest_threshold_is_the_point(worked):
    """Both 0.8 and 0.5 cost 1/4 under equal costs: (1/2, 0) and (0, 1/2)."""
    rows = worked("T 1 target yes 0.8\nT 1 target no 0.5\nT 1 nontarget no 0.5\nT 1 nontarget no 0.1", EQUAL)

    [story] = rows("det_minimum", weighting="story")
    assert (story["min_c_det"], story["min_threshold"], story["min_p_miss"], story["min_p_fa"]) == (0.25, 0.5, 0, 0.5)


def test_perfect_system_has_a_minimum_of_zero(worked):
    rows = worked("T1 2 target yes 5\nT1 1 nontarget no 4\nT1 3 nontarget no 1")

    [story] = rows("det_minimum", weighting="story")
    assert (story["min_c_det"], story["min_c_det_norm"], story["min_threshold"]) == (0, 0, 5)
    assert curve(rows, "story") == [(None, 1, 0), (5, 0, 0), (1, 0, 1)]


def test_inverted_system_is_best_rejected_whole(worked):
    rows = worked("T1 2 target no 1\nT1 3 nontarget yes 5\nT1 1 nontarget yes 4")

    [story] = rows("det_minimum", weighting="story")
    assert (story["min_c_det_norm"], story["min_threshold"]) == (1, None)
    assert curve(rows, "story") == [(None, 1, 0), (4, 1, 1), (1, 0, 1)]


def test_all_scores_equal_leaves_only_the_ends(worked):
    """A threshold cannot split a tie, whatever the order of the file."""
    for text in ("T1 2 target yes 0.5\nT1 3 nontarget yes 0.5", "T1 3 nontarget yes 0.5\nT1 2 target yes 0.5"):
        rows = worked(text)
        assert curve(rows, "story") == curve(rows, "topic") == [(None, 1, 0), (0.5, 0, 1)]
        assert rows("det_minimum", weighting="story")[0]["min_c_det_norm"] == 1


def test_minus_zero_and_zero_are_one_threshold(worked):
    rows = worked("T1 1 target yes -0.0\nT1 1 nontarget yes 0.0\nT1 1 nontarget no -1")

    assert curve(rows, "story") == [(None, 1, 0), (0, 0, 0.5), (-1, 0, 1)]


def test_omitted_trials_are_accepted_last(worked):
    rows = worked("T1 1 target yes 0.9\nT1 1 target -\nT1 1 nontarget no 0.1\nT1 1 nontarget -")

    assert curve(rows, "story") == [(None, 1, 0), (0.9, 0.5, 0), (0.1, 0.5, 0.5), (-9e99, 0, 1)]


def test_omitted_trials_can_be_missed_at_every_threshold(worked):
    rows = worked("T1 1 target yes 0.9\nT1 1 target -\nT1 1 nontarget no 0.1\nT1 1 nontarget -", {"f4de": {}})

    assert curve(rows, "story") == [(None, 1, 0), (0.9, 0.5, 0), (0.1, 0.5, 0.5)]


def test_just_say_no_with_scores_draws_the_same_curve(worked):
    """Decisions and scores are two things: the curve is made from scores alone."""
    said_no = EXAMPLE.replace("yes", "no ")
    assert curve(worked(said_no), "topic") == curve(worked(EXAMPLE), "topic")


def test_topics_without_targets_are_thresholds_and_false_alarms(worked):
    """T2 has non-targets only: it moves the mean p_fa, and under with_target the pooled one alone."""
    text = "T1 1 target yes 2\nT1 2 nontarget no 1\nT2 1 nontarget yes 3\nT2 1 nontarget no 0"

    assert curve(worked(text, all_points=True), "topic") == [
        (None, 1, 0),
        (3, 1, 0.25),
        (2, 0, 0.25),
        (1, 0, 0.75),
        (0, 0, 1),
    ]
    skipped = worked(text, {"f4de": {}}, all_points=True)
    assert curve(skipped, "topic") == [(None, 1, 0), (3, 1, 0), (2, 0, 0), (1, 0, 1), (0, 0, 1)]
    assert curve(skipped, "story") == [(None, 1, 0), (3, 1, 0.25), (2, 0, 0.25), (1, 0, 0.75), (0, 0, 1)]


FREE = """
T1 1 target    yes 5
T2 1 nontarget yes 4    # T2 has no target: under with_target its non-targets cost nothing
T2 1 nontarget no  3
T1 1 nontarget no  2
T2 1 nontarget no  1
T1 2 nontarget no  0
"""


def test_minimum_is_the_lowest_threshold_also_where_nontargets_cost_nothing(worked):
    """Down to 3 nothing is lost; the corners are 5 and 0, and at 2 topic T1 has its first false alarm."""
    rows = worked(FREE, {"f4de": {}, "tdt2004": {}})

    [skipped] = rows("det_minimum", profile_no=1, weighting="topic")
    assert (skipped["min_c_det"], skipped["min_threshold"], skipped["min_p_miss"], skipped["min_p_fa"]) == (0, 3, 0, 0)
    assert [point[0] for point in curve(rows, "topic", profile_no=1)] == [None, 5, 3, 0]
    [counted] = rows("det_minimum", profile_no=2, weighting="topic")
    assert (counted["min_c_det"], counted["min_threshold"]) == (0, 5)
    assert [point[0] for point in curve(rows, "topic", profile_no=2)] == [None, 5, 0]


def test_without_targets_there_is_no_minimum(worked):
    rows = worked("T1 2 nontarget no 1\nT1 1 nontarget yes 2")

    for minimum in rows("det_minimum"):
        assert (minimum["min_c_det"], minimum["min_threshold"], minimum["n_point"]) == (None, None, 0)
    assert {row["p_miss"] for row in rows("det_curve")} == {None}


def test_each_topic_has_its_own_curve(worked):
    rows = worked(EXAMPLE + "T3 1 nontarget yes 0.6")

    points = {}
    for row in sorted(rows("det_block_curve"), key=lambda row: (row["block_no"], row["point_no"])):
        points.setdefault(row["block_no"], []).append((row["threshold"], row["p_miss"], row["p_fa"]))
    assert points[1] == [(None, 1, 0), (0.9, 0.5, 0), (0.7, 0.5, 0.25), (0.4, 0, 0.5), (0.1, 0, 1)]
    assert points[2] == [(None, 1, 0), (0.9, 1, 0.5), (0.7, 0, 0.5), (0.3, 0, 1)]
    assert 3 not in points


def test_program_rule_ends_before_the_last_nontarget(worked):
    """TDT3eval passes 1 N, 2 T, 3 N, 4 T and never comes to the corner after its last non-target.

    After 1: (0, 1/2), since a target is next; after 2: (1/2, 1/2); then no non-target is left below a point: stop.
    """
    text = "T1 1 nontarget no 1\nT1 1 target no 2\nT1 1 nontarget yes 3\nT1 1 target yes 4"
    rows = worked(text, {"tdt3eval": {}})

    assert curve(rows, "story") == [(1, 0, 0.5), (2, 0.5, 0.5)]
    [story] = rows("det_minimum", weighting="story")
    assert story["min_threshold"] == 1 and story["min_p_fa"] == 0.5


def test_program_rule_has_no_point_for_a_perfect_system(worked):
    rows = worked("T1 2 target yes 5\nT1 2 nontarget no 1", {"tdt3eval": {}})

    assert rows("det_curve") == []
    assert {(row["min_c_det"], row["n_point"]) for row in rows("det_minimum")} == {(None, 0)}
