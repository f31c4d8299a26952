"""Rank stability; Kendall's tau against scipy."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tdtsql.compare.ranking import kendall_tau, rank_stability
from tdtsql.compare.units import without_holes


def matrix(columns: dict) -> object:
    values = np.array(list(columns.values()), dtype=float).T
    return without_holes(tuple(columns), [f"T{index:03}" for index in range(len(values))], values)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30))
def test_tau_is_scipys(pairs):
    one, other = np.array(pairs, dtype=float).T
    oracle = scipy.stats.kendalltau(one, other).statistic
    ours = kendall_tau(one, other)

    assert math.isnan(ours) if np.isnan(oracle) else ours == pytest.approx(oracle, abs=1e-12)


def test_a_run_that_is_best_on_every_topic_is_always_first():
    stable = rank_stability(
        matrix({"good": [0.1, 0.2, 0.1], "bad": [0.3, 0.4, 0.5]}), best="lowest", n_resample=200, seed=1
    )

    assert stable.rank.tolist() == [1.0, 2.0]
    assert stable.p_best.tolist() == [1.0, 0.0]
    assert stable.mean_tau == 1.0
    assert (stable.rank_low.tolist(), stable.rank_high.tolist()) == ([1.0, 2.0], [1.0, 2.0])


def test_highest_turns_the_ranking_round():
    stable = rank_stability(matrix({"good": [0.1, 0.2], "bad": [0.3, 0.4]}), best="highest", n_resample=20, seed=1)

    assert stable.rank.tolist() == [2.0, 1.0]


def test_two_topics_that_disagree_rank_the_other_run_first_in_a_quarter_of_the_draws():
    # a leads by 0.3 on T0, b by 0.2 on T1: only the draw (T1, T1), 1 of 4, puts b first
    stable = rank_stability(matrix({"a": [0.1, 0.4], "b": [0.4, 0.2]}), best="lowest", n_resample=20_000, seed=1)

    assert stable.rank.tolist() == [1.0, 2.0]
    assert stable.p_best[1] == pytest.approx(0.25, abs=0.01)


def test_equal_runs_share_their_rank_and_have_no_tau():
    stable = rank_stability(matrix({"a": [0.1, 0.2], "b": [0.1, 0.2]}), best="lowest", n_resample=50, seed=1)

    assert stable.rank.tolist() == [1.5, 1.5]
    assert math.isnan(stable.mean_tau)


def test_means_that_are_equal_but_for_rounding_tie():
    # 1/31 + 1/31 + 1/31 and 3/31 + 0 + 0: on a grid of 1e-12 one unit apart
    stable = rank_stability(
        matrix({"a": [1 / 31] * 3, "b": [3 / 31, 0.0, 0.0], "c": [0.1, 0.1, 0.1]}),
        best="lowest",
        n_resample=2000,
        seed=1,
    )

    assert stable.rank.tolist() == [1.5, 1.5, 3.0]
    # b draws its first topic once with chance 3 * 1/3 * 4/9 = 4/9: a tie, in which both lead; never 8/27, more often
    # 7/27
    assert stable.p_best[0] == pytest.approx(4 / 9 + 7 / 27, abs=0.05)
    assert stable.p_best[1] == pytest.approx(4 / 9 + 8 / 27, abs=0.05)
    assert math.isnan(kendall_tau(np.array([0.3, 0.1 + 0.2]), np.array([1.0, 2.0])))


def test_one_topic_has_a_ranking_and_no_stability():
    stable = rank_stability(matrix({"a": [0.1], "b": [0.3]}), best="lowest", n_resample=50, seed=1)

    assert stable.rank.tolist() == [1.0, 2.0]
    assert np.isnan(stable.rank_low).all() and np.isnan(stable.p_best).all()
    assert math.isnan(stable.mean_tau) and stable.n_resample == 0
