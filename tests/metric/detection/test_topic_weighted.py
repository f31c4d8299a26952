"""Worked example for metric/detection/topic_weighted__v1, pooled__v1, rate__v1 and count__v1.

            targets  missed  p_miss     non-targets  false alarms  p_fa
    T1            4       1   1/4                10             1  1/10
    T2            1       1   1/1                20             0  0/20
    T3            0       -   (none)              5             1  1/5
    T4            2       0   0/2                 0             -  (none)
    T5            0       -   (none)              0             -  (none)
    ------------------------------------------------------------------
    topic-weighted            (1/4 + 1 + 0)/3 = 5/12      (1/10 + 0 + 1/5)/3 = 1/10
    pooled, for contrast      2/7                         2/35
    over topics with both     (1/4 + 1)/2 = 5/8           (1/10 + 0)/2 = 1/20

The weightings differ on purpose: a view that pools by mistake fails here.
Cost under the plan's costs (1, 0.1, 0.02), of means:
    0.02 * 5/12 + 0.098 * 1/10 = 0.0181333...;  norm: / 0.02 = 0.90666...
Mean of costs over T1 and T2 (TDT3eval's way for new events):
    0.02 * 5/8  + 0.098 * 1/20 = 0.0174;        norm: 0.87
"""

import pytest

EXAMPLE = """
T1  3 target    yes
T1  1 target    no      # the miss
T1  9 nontarget no
T1  1 nontarget yes     # the false alarm
T2  1 target    -       # the only target, and the system says nothing of it
T2 20 nontarget no
T3  4 nontarget no      # no target story after training
T3  1 nontarget yes
T4  2 target    yes     # nothing but targets
"""


def test_worked_example(worked):
    rows = worked(EXAMPLE, topics=["T5"])

    [run] = rows("topic_weighted")
    assert run["p_miss"] == pytest.approx(5 / 12, abs=1e-15)
    assert run["p_fa"] == pytest.approx(1 / 10, abs=1e-15)
    assert run["c_det"] == pytest.approx(0.02 * 5 / 12 + 0.098 / 10, abs=1e-15)
    assert run["c_det_norm"] == pytest.approx(0.02 * 5 / 12 / 0.02 + 0.098 / 10 / 0.02, abs=1e-14)
    assert (run["n_block_miss"], run["n_block_fa"], run["n_block_both"], run["n_block_cost"]) == (3, 3, 2, 3)


def test_pooling_gives_another_answer(worked):
    rows = worked(EXAMPLE)

    [run] = rows("pooled")
    assert run["p_miss"] == pytest.approx(2 / 7, abs=1e-15)
    assert run["p_fa"] == pytest.approx(2 / 35, abs=1e-15)
    assert run["c_det"] == pytest.approx(0.02 * 2 / 7 + 0.098 * 2 / 35, abs=1e-15)
    assert (run["n_target"], run["n_hit"], run["n_miss"]) == (7, 5, 2)
    assert (run["n_nontarget"], run["n_false_alarm"], run["n_correct_rejection"]) == (35, 2, 33)
    assert (run["n_trial"], run["n_cost"]) == (42, 42)


def test_mean_of_costs_is_over_topics_with_targets_and_nontargets(worked):
    rows = worked(EXAMPLE, {"means": {"topic_cost": "mean_of_costs"}})

    [run] = rows("topic_weighted")
    assert run["c_det"] == pytest.approx(0.0174, abs=1e-15)
    assert run["c_det_norm"] == pytest.approx(0.87, abs=1e-13)
    assert run["n_block_cost"] == 2
    assert run["p_miss"] == pytest.approx(5 / 12, abs=1e-15)  # the rates beside it are over other topics, and say so
    assert run["n_block_miss"] == 3


def test_topics_without_targets_can_be_left_out_of_false_alarms(worked):
    """Under fa_topics = with_target T3 is skipped: (1/10 + 0)/2."""
    rows = worked(EXAMPLE, {"f4de": {}})

    [run] = rows("topic_weighted")
    assert run["p_fa"] == pytest.approx(1 / 20, abs=1e-15)
    assert run["n_block_fa"] == 2
    [pooled] = rows("pooled")
    assert pooled["p_fa"] == pytest.approx(2 / 35, abs=1e-15)  # pooling skips nothing


def test_one_sided_topics_give_null_not_nan(worked):
    rows = worked(EXAMPLE, topics=["T5"])

    found = {row["block_no"]: row for row in rows("rate")}
    assert found[3]["p_miss"] is None and found[3]["p_fa"] == pytest.approx(0.2) and found[3]["c_det"] is None
    assert found[4]["p_miss"] == 0 and found[4]["p_fa"] is None and found[4]["c_det_norm"] is None
    assert found[5]["p_miss"] is None and found[5]["p_fa"] is None
    assert [found[block]["n_target"] for block in range(1, 6)] == [4, 1, 0, 2, 0]
    assert [found[block]["n_nontarget"] for block in range(1, 6)] == [10, 20, 5, 0, 0]
    assert [found[block]["n_trial"] for block in range(1, 6)] == [14, 21, 0, 0, 0]


def test_nothing_to_score_is_a_row_of_nulls_with_n_zero(worked):
    rows = worked("", topics=["T1", "T2"])

    for view, numbers in (
        ("pooled", ("n_target", "n_nontarget", "n_trial", "n_cost")),
        ("topic_weighted", ("n_block_miss", "n_block_fa", "n_block_cost")),
    ):
        [run] = rows(view)
        assert [run[name] for name in ("p_miss", "p_fa", "c_det", "c_det_norm")] == [None] * 4
        assert [run[name] for name in numbers] == [0] * len(numbers)
    assert len(rows("count")) == len(rows("rate")) == 2


def test_only_nontargets_have_false_alarms_and_no_cost(worked):
    rows = worked("T1 3 nontarget no\nT1 1 nontarget yes\nT2 2 nontarget no")

    [run] = rows("topic_weighted")
    assert run["p_miss"] is None and run["p_fa"] == pytest.approx(1 / 8) and run["c_det"] is None
    assert (run["n_block_miss"], run["n_block_fa"], run["n_block_cost"]) == (0, 2, 0)


def test_just_say_no_misses_everything_and_alarms_never(worked):
    """It costs c_miss * p_target, which is what costs are normalised by."""
    rows = worked("T1 3 target no\nT1 7 nontarget no\nT2 1 target no\nT2 9 nontarget no")

    for view in ("pooled", "topic_weighted"):
        [run] = rows(view)
        assert (run["p_miss"], run["p_fa"]) == (1, 0)
        assert run["c_det"] == 0.02 and run["c_det_norm"] == 1


def test_just_say_yes_costs_4_9(worked):
    """0.1 * 0.98 / 0.02 = 4.9."""
    rows = worked("T1 3 target yes\nT1 7 nontarget yes")

    [run] = rows("pooled")
    assert (run["p_miss"], run["p_fa"]) == (0, 1)
    assert run["c_det_norm"] == pytest.approx(4.9, abs=1e-14)


def test_omitting_a_trial_is_saying_no(worked):
    silent = worked("T1 2 target -\nT1 1 target yes\nT1 5 nontarget -")
    said = worked("T1 2 target no\nT1 1 target yes\nT1 5 nontarget no")

    for view in ("count", "rate", "pooled", "topic_weighted"):
        assert silent(view) == said(view)


def test_normalisation_uses_the_cheaper_default(worked):
    """With dear misses saying yes to everything is the cheaper default: min(10 * 0.5, 1 * 0.5) = 0.5."""
    rows = worked("T1 2 target no\nT1 2 nontarget no", {"dear": {"c_miss": 10.0, "c_fa": 1.0, "p_target": 0.5}})

    [run] = rows("pooled")
    assert run["c_det"] == 5 and run["c_det_norm"] == 10


def test_two_profiles_at_once_differ_only_in_what_they_change(worked):
    both = worked(EXAMPLE, {"tdt2004": {}, "dear": {"c_miss": 10.0}})

    plain, dear = both("pooled", profile_no=1), both("pooled", profile_no=2)
    assert len(plain) == len(dear) == 1
    assert plain[0]["p_miss"] == dear[0]["p_miss"] and plain[0]["n_hit"] == dear[0]["n_hit"]
    assert dear[0]["c_det"] == pytest.approx(0.2 * 2 / 7 + 0.098 * 2 / 35, abs=1e-15)
    alone = worked(EXAMPLE, {"dear": {"c_miss": 10.0}})
    for view in ("count", "rate", "pooled", "topic_weighted", "det_curve", "det_minimum", "utility_mean"):
        assert [{**row, "profile_no": 1} for row in both(view, profile_no=2)] == alone(view)
