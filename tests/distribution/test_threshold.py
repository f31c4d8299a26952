"""Score models and thresholds: Manmatha, Feng, Allan's numbers, the guards, and brute force.

Worked example (mean 3, sd 1, rate 2; costs 1 and 0.1, prior 0.02, so k = 0.098/0.02 = 4.9):

    b = 3 + 2 * 1 = 5
    b**2 - 3**2 - 2 ln(4.9 * 2 * sqrt(2 pi)) = 16 - 2 ln 24.565 = 16 - 6.402650 = 9.597350
    crossings 5 -+ 3.097959: the threshold is 1.902041, the model ends at 8.097959
"""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tdtsql.distribution.model import (
    Exponential,
    Gaussian,
    exponential_ks,
    fit_exponential,
    fit_gaussian,
    gaussian_ks,
    ks_statistic,
)
from tdtsql.distribution.threshold import (
    CostModel,
    ScoredTopic,
    common_threshold,
    crossings,
    data_threshold,
    fitted_threshold,
)

scipy_stats = pytest.importorskip("scipy.stats")

FIXED = CostModel(c_miss=1, c_fa=0.1, p_target=0.02)
ON, OFF = Gaussian(3, 1), Exponential(2, 0)


def test_worked_example():
    assert FIXED.ratio == pytest.approx(4.9)
    point = fitted_threshold(ON, OFF, FIXED)
    assert point.kind == "crossing"
    assert point.threshold == pytest.approx(1.9020396771, abs=1e-10)
    assert point.upper == pytest.approx(8.0979603229, abs=1e-10)
    assert point.p_miss == pytest.approx(0.13611091, abs=1e-8)
    assert point.p_fa == pytest.approx(0.02227970, abs=1e-8)
    assert point.norm_cost == pytest.approx(0.24528143, abs=1e-8)


def test_where_the_densities_never_cross_nothing_is_accepted():
    on, off = Gaussian(1, 0.3), Exponential(5, 0)
    rare = CostModel(c_miss=1, c_fa=0.1, p_target=0.0005)
    assert crossings(on, off, rare.ratio) is None
    point = fitted_threshold(on, off, rare)
    assert (point.kind, point.threshold, point.upper) == ("reject_all", math.inf, None)
    assert (point.p_miss, point.p_fa, point.norm_cost) == (1, 0, 1)


def test_where_misses_are_dear_everything_is_accepted():
    point = fitted_threshold(Gaussian(0.1, 2), Exponential(2, 0), CostModel(c_miss=100, c_fa=0.1, p_target=0.5))
    assert (point.kind, point.threshold) == ("accept_all", -math.inf)
    assert (point.p_miss, point.p_fa) == (0, 1)


def test_a_crossing_dearer_than_rejecting_all_is_not_taken():
    on, off = Gaussian(1, 1), Exponential(1, 0)
    costly = CostModel(c_miss=1, c_fa=0.62, p_target=0.4)
    assert crossings(on, off, costly.ratio) is not None
    point = fitted_threshold(on, off, costly)
    assert point.norm_cost <= 1


@given(
    mean=st.floats(-3, 8),
    sd=st.floats(0.05, 3),
    rate=st.floats(0.1, 20),
    prior=st.floats(1e-5, 0.9),
    origin=st.sampled_from([0.0, -4.5]),
)
def test_no_threshold_of_a_fine_grid_is_cheaper(mean, sd, rate, prior, origin):
    on, off = Gaussian(mean + origin, sd), Exponential(rate, origin)
    model = CostModel(c_miss=1, c_fa=0.1, p_target=prior)
    point = fitted_threshold(on, off, model)
    grid = np.linspace(origin - 1, origin + mean + 10 * sd + 10 / rate, 400)
    cheapest = min(model.cost(on.below(score), off.above(score)) for score in grid.tolist())
    assert point.cost <= cheapest + 1e-12
    assert point.norm_cost <= 1 + 1e-12


def test_scores_below_zero_move_the_origin():
    model = fit_exponential(np.array([-4.0, -3.0, -2.0]))
    assert (model.origin, model.rate) == (-4.0, 1.0)


def test_fits_are_maximum_likelihood():
    model = fit_gaussian(np.array([1.0, 2.0, 3.0, 6.0]))
    assert model.mean == 3.0
    assert model.sd == pytest.approx(math.sqrt((4 + 1 + 0 + 9) / 4))
    assert fit_exponential(np.array([0.0, 1.0, 2.0, 5.0])).rate == 0.5


@pytest.mark.parametrize("scores", [[], [1.0], [2.0, 2.0], [1.0, 2.0, 9e99]])
def test_no_gaussian_without_two_different_scores(scores):
    assert fit_gaussian(np.array(scores)) is None


@pytest.mark.parametrize("scores", [[], [0.0, 0.0], [-1.0, -1.0], [1.0, -9e99]])
def test_no_exponential_without_a_score_above_the_origin(scores):
    assert fit_exponential(np.array(scores)) is None


@given(
    st.lists(st.integers(0, 6), max_size=8),
    st.lists(st.integers(0, 6), max_size=12),
    st.integers(0, 3),
    st.integers(1, 5),
)
def test_the_best_threshold_on_the_data_against_all_thresholds(on, off, more_on, more_off):
    assume(len(on) + more_on > 0)
    n_on, n_off = len(on) + more_on, len(off) + more_off
    point = data_threshold(ScoredTopic(np.array(on, float), np.array(off, float), n_on, n_off, FIXED))

    def cost(threshold):
        missed = n_on - sum(score >= threshold for score in on)
        alarms = sum(score >= threshold for score in off)
        return FIXED.cost(missed / n_on, alarms / n_off)

    costs = {threshold: cost(threshold) for threshold in [*range(7), math.inf]}
    assert point.cost == pytest.approx(min(costs.values()), abs=1e-15)
    assert cost(point.threshold) == pytest.approx(point.cost, abs=1e-12)


def test_one_threshold_for_two_topics_on_different_scales():
    """Topic 1 separates at 10, topic 2 at 1; with 10 all of topic 2 is missed (1), with 1 topic 1 accepts all (4.9).

    Each alone costs nothing, together the best is 10: mean (0 + 1) / 2.
    """
    first = ScoredTopic(np.array([10.0, 11.0]), np.array([5.0, 6.0]), 2, 2, FIXED)
    second = ScoredTopic(np.array([1.0, 2.0]), np.array([0.1, 0.2]), 2, 2, FIXED)
    common = common_threshold([first, second])
    assert common.threshold == 10
    assert (common.cost, common.own_cost) == (pytest.approx(0.5), 0)


@given(st.integers(2, 60), st.integers(0, 2**32 - 1))
def test_fit_statistics_against_scipy(n, seed):
    random = np.random.default_rng(seed)
    on, off = random.normal(3, 1, n), random.exponential(0.5, n)
    gaussian, exponential = fit_gaussian(on), fit_exponential(off)
    for ours, theirs in [
        (gaussian_ks(gaussian, on), scipy_stats.kstest(on, scipy_stats.norm(gaussian.mean, gaussian.sd).cdf)),
        (exponential_ks(exponential, off), scipy_stats.kstest(off, scipy_stats.expon(0, 1 / exponential.rate).cdf)),
    ]:
        assert ours == pytest.approx(theirs.statistic, abs=1e-12)


def test_ks_statistic_by_hand():
    """Two points of a uniform at 0.5 and 0.75: the steps are 0.5 off just below 0.5."""
    assert ks_statistic(np.array([0.5, 0.75])) == 0.5
