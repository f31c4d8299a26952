"""Paired bootstrap over topics.

By hand: differences (0, 1), two topics. The four equally likely draws have
means 0, 1/2, 1/2, 1; the distribution of many draws must show 1/4, 1/2, 1/4.
"""

import math

import numpy as np
import pytest
import scipy.stats

from tdtsql.compare.bootstrap import bca_interval, bootstrap_means, percentile_interval

SKEWED = np.array([0.01, 0.02, 0.02, 0.05, 0.08, 0.11, 0.3, 0.7, -0.02, 0.04, 0.0, 0.13])


def distribution(values: np.ndarray, n_resample: int = 4000) -> np.ndarray:
    return bootstrap_means(values[:, None], n_resample=n_resample, seed=7).means[:, 0]


def test_two_topics_have_the_four_draws_of_the_table():
    means = distribution(np.array([0.0, 1.0]), 100_000)

    shares = [(means == value).mean() for value in (0.0, 0.5, 1.0)]

    assert sum(shares) == pytest.approx(1.0)
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.01)


def test_bca_is_scipys_on_the_same_resamples():
    means = distribution(SKEWED)
    # scipy is handed our resamples: it draws none of its own and corrects them
    given = scipy.stats._resampling.BootstrapResult(None, means, None)
    for level in (0.8, 0.95):
        oracle = scipy.stats.bootstrap(
            (SKEWED,), np.mean, n_resamples=0, method="BCa", confidence_level=level, bootstrap_result=given
        ).confidence_interval
        ours = bca_interval(means, SKEWED, level=level)
        assert (ours.low, ours.high) == pytest.approx((oracle.low, oracle.high), rel=1e-9)


def test_percentile_is_scipys_on_the_same_resamples():
    means = distribution(SKEWED)
    given = scipy.stats._resampling.BootstrapResult(None, means, None)
    oracle = scipy.stats.bootstrap(
        (SKEWED,), np.mean, n_resamples=0, method="percentile", bootstrap_result=given
    ).confidence_interval

    ours = percentile_interval(means, level=0.95)

    assert (ours.low, ours.high) == pytest.approx((oracle.low, oracle.high), rel=1e-12)


def test_bca_follows_the_skew_that_percentile_ignores():
    means = distribution(SKEWED)
    bca, percentile = bca_interval(means, SKEWED, level=0.95), percentile_interval(means, level=0.95)

    assert bca.low > percentile.low
    assert bca.high > percentile.high


def test_intervals_are_those_of_scipys_own_resamples_within_simulation():
    oracle = scipy.stats.bootstrap((SKEWED,), np.mean, n_resamples=20_000, method="BCa", rng=3).confidence_interval
    ours = bca_interval(distribution(SKEWED, 20_000), SKEWED, level=0.95)

    assert (ours.low, ours.high) == pytest.approx((oracle.low, oracle.high), abs=0.01)


def test_equal_differences_have_an_interval_of_no_width():
    values = np.full(5, 0.25)

    assert bca_interval(distribution(values), values, level=0.95).low == 0.25
    assert percentile_interval(distribution(values), level=0.95).high == 0.25


def test_one_topic_has_no_interval_but_its_own_value():
    values = np.array([0.5])

    assert bca_interval(distribution(values), values, level=0.95).high == 0.5


def test_no_resample_gives_nan_not_a_crash():
    empty = np.empty(0)

    assert math.isnan(percentile_interval(empty, level=0.95).low)
    assert math.isnan(bca_interval(empty, SKEWED, level=0.95).low)


def test_p_of_the_shifted_bootstrap_is_small_for_a_clear_difference_and_one_for_none():
    clear = bootstrap_means(np.linspace(0.5, 1.0, 30)[:, None], n_resample=999, seed=1)
    none = bootstrap_means(np.zeros((30, 1)), n_resample=999, seed=1)

    assert clear.p.tolist() == [1 / 1000]
    assert none.p.tolist() == [1.0]


def test_a_missing_topic_is_left_out_of_its_own_comparison_only():
    two = np.array([[1.0, 1.0], [3.0, np.nan], [2.0, 5.0]])

    result = bootstrap_means(two, n_resample=1000, seed=1)

    assert result.observed.tolist() == [2.0, 3.0]
