"""t, Wilcoxon and sign test against scipy, and what they say where nothing differs."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

from tdtsql.compare.classical import (
    binomial_two_sided,
    mean_and_deviation,
    student_interval,
    student_test,
    wilcoxon_test,
)
from tdtsql.compare.distribution import normal_cdf, normal_quantile, student_quantile, student_two_sided


def t_test(values):
    mean, deviation = mean_and_deviation(values)
    return student_test(mean, deviation / math.sqrt(len(values)), len(values) - 1)


SAMPLES = [np.random.default_rng(seed).normal(0.3, 1.0, 12 + 7 * seed) for seed in range(10)]


@pytest.mark.parametrize("values", SAMPLES)
def test_t_is_scipys(values):
    oracle = scipy.stats.ttest_1samp(values, 0.0)
    interval = oracle.confidence_interval(0.9)
    ours = t_test(values)
    mean, deviation = mean_and_deviation(values)
    reach = student_interval(mean, deviation / math.sqrt(len(values)), len(values) - 1, level=0.9)

    assert (ours.statistic, ours.p) == pytest.approx((oracle.statistic, oracle.pvalue), rel=1e-11)
    assert (reach.low, reach.high) == pytest.approx((interval.low, interval.high), rel=1e-10)


@pytest.mark.parametrize("values", SAMPLES)
def test_wilcoxon_is_scipys_exact_one(values):
    oracle = scipy.stats.wilcoxon(values, method="exact")
    ours = wilcoxon_test(values)

    assert (ours.statistic, ours.p) == pytest.approx((oracle.statistic, oracle.pvalue), rel=1e-11)


def test_wilcoxon_with_ties_and_zeros_is_the_enumeration():
    values = np.array([1.0, 1.0, -1.0, 2.0, 2.0, 3.0, -3.0, 4.0, 0.0, 0.0])
    oracle = scipy.stats.wilcoxon(values, method=scipy.stats.PermutationMethod(n_resamples=np.inf))

    ours = wilcoxon_test(values)

    assert ours.exact
    assert (ours.statistic, ours.p) == pytest.approx((oracle.statistic, oracle.pvalue), rel=1e-12)


def test_wilcoxon_of_many_topics_is_the_normal_approximation():
    values = np.round(np.random.default_rng(4).normal(0.05, 1.0, 900), 2)
    values = values[values != 0.0]
    oracle = scipy.stats.wilcoxon(values, method="asymptotic", correction=True)

    ours = wilcoxon_test(values)

    assert not ours.exact
    assert (ours.statistic, ours.p) == pytest.approx((oracle.statistic, oracle.pvalue), rel=1e-9)


@pytest.mark.parametrize(("positive", "negative"), [(5, 0), (8, 2), (3, 3), (120, 90), (0, 1)])
def test_two_sided_binomial_is_scipys(positive, negative):
    oracle = scipy.stats.binomtest(positive, positive + negative).pvalue

    assert binomial_two_sided(positive, negative) == pytest.approx(oracle, rel=1e-12)


@pytest.mark.parametrize("test", [t_test, wilcoxon_test])
def test_equal_runs_have_p_one(test):
    assert test(np.zeros(7)).p == 1.0


def test_one_topic_has_no_t():
    assert math.isnan(student_test(0.5, math.nan, 0).p)
    assert math.isnan(student_interval(0.5, math.nan, 0, level=0.95).low)


@pytest.mark.parametrize("df", [1, 2, 3, 10, 99, 100, 101, 249, 5000])
def test_student_is_scipys(df):
    for t in (1e-7, 0.1, 1.0, 2.5, 8.0, 30.0):
        assert student_two_sided(t, df) == pytest.approx(2 * scipy.stats.t.sf(t, df), rel=1e-10)
    for probability in (0.001, 0.025, 0.5, 0.7, 0.975, 0.9999):
        assert student_quantile(probability, df) == pytest.approx(scipy.stats.t.ppf(probability, df), rel=1e-10)


def test_normal_is_scipys():
    for x in (-12.0, -3.0, -0.5, 0.0, 1.0, 6.0):
        assert normal_cdf(x) == pytest.approx(scipy.stats.norm.cdf(x), rel=1e-12)
    for probability in (1e-9, 0.025, 0.5, 0.99):
        assert normal_quantile(probability) == pytest.approx(scipy.stats.norm.ppf(probability), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("values", [[0.0, 1.0], [0.1, 0.2, -0.3], [1e-9, 1e9, -0.25, 1 / 3], [0.1]])
def test_few_distinct_differences_have_the_mean_and_deviation_of_all(values):
    many = np.random.default_rng(1).choice(values, 1001)
    plain = many.tolist()
    mean = math.fsum(plain) / 1001
    deviation = math.sqrt(math.fsum([(value - mean) ** 2 for value in plain]) / 1000)
    assert mean_and_deviation(many) == ((0.1, 0.0) if len(values) == 1 else (mean, deviation))


@pytest.mark.parametrize("value", [0.8885923720325766, 0.38575445282271625, 0.49829293345316983])
def test_squares_are_rounded_once(value):
    # glibc's pow misses these by a bit, others on other machines
    half = Fraction(value) / 2
    assert mean_and_deviation(np.array([0.0, value])) == (float(half), math.sqrt(2 * float(half * half)))
