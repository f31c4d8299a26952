"""Worked example for metric/detection/utility__v1 and utility_mean__v1 (TDT3eval's utility, weight 10, floor -0.5).

      targets  hits  false alarms   U = 10 hits - FA   U / (10 targets)   (max(., -0.5) + 0.5) / 1.5
T1          2     1             4                  6             6/20           0.8 / 1.5
T2          1     0            30                -30            -30/10           0
T3          0     -             1                 -1             (none)         (none)
---------------------------------------------------------------------------------------------
mean                               -25/3 (over 3)     -2.7/2 (over 2)    0.8/3 (over 2)
"""

import pytest

EXAMPLE = """
T1  1 target    yes
T1  1 target    no
T1  4 nontarget yes
T2  1 target    no
T2 30 nontarget yes
T3  1 nontarget yes
T3  5 nontarget no
"""


def test_worked_example(worked):
    rows = worked(EXAMPLE, topics=["T4"])

    found = {row["block_no"]: row for row in rows("utility")}
    assert [found[block]["utility"] for block in (1, 2, 3, 4)] == [6, -30, -1, None]
    assert [found[block]["utility_norm"] for block in (1, 2, 3, 4)] == [pytest.approx(0.3), -3, None, None]
    assert [found[block]["utility_scaled"] for block in (1, 2, 3, 4)] == [pytest.approx(0.8 / 1.5), 0, None, None]
    [mean] = rows("utility_mean")
    assert mean["utility"] == pytest.approx(-25 / 3, abs=1e-9)
    assert mean["utility_norm"] == pytest.approx(-1.35, abs=1e-12)
    assert mean["utility_scaled"] == pytest.approx(0.8 / 3, abs=1e-14)
    assert (mean["n_block"], mean["n_block_norm"]) == (3, 2)


def test_a_norm_at_the_floor_scales_to_zero(worked):
    """10 * 0 - 5 = -5; / 10 = -0.5, exactly the floor."""
    rows = worked("T1 1 target no\nT1 5 nontarget yes")

    [topic] = rows("utility")
    assert (topic["utility_norm"], topic["utility_scaled"]) == (-0.5, 0)


def test_weight_and_floor_come_from_the_profile(worked):
    rows = worked(EXAMPLE, {"mine": {"utility_weight": 2.0, "utility_min": -4.0}})

    found = {row["block_no"]: row for row in rows("utility")}
    assert found[1]["utility"] == -2 and found[1]["utility_norm"] == -0.5
    assert found[1]["utility_scaled"] == pytest.approx(3.5 / 5)


def test_nothing_to_score_is_null(worked):
    [mean] = worked("", topics=["T1"])("utility_mean")
    assert (mean["utility"], mean["utility_norm"], mean["n_block"], mean["n_block_norm"]) == (None, None, 0, 0)
