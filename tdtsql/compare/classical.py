"""The classical paired tests on one column of differences: t and Wilcoxon.

Each returns a two-sided p value. Where no topic differs at all there is no
evidence against the null hypothesis, and p is 1. Differences that only
rounding tells apart are to be made equal first (`fixed.difference`): equal
ones have no variance, and nearly equal ones next to none.

Source: Student, The Probable Error of a Mean, 1908; F. Wilcoxon, Individual
Comparisons by Ranking Methods, 1945 (zero differences left out, tied ones
share their mean rank).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy import ndarray

from tdtsql.compare.bootstrap import UNDEFINED, Interval
from tdtsql.compare.distribution import student_quantile, student_two_sided
from tdtsql.compare.fixed import to_fixed

#: differing topics up to which Wilcoxon's distribution is exact
WILCOXON_EXACT_UP_TO = 500

#: trials up to which a binomial tail is a sum of whole numbers
EXACT_BINOMIAL_UP_TO = 20_000

#: from so many topics on, so few distinct differences are summed by their numbers
_MANY, _FEW = 200, 16


@dataclass(frozen=True)
class TestResult:
    """What a test says about one comparison."""

    __test__ = False  # pytest: not a test class

    statistic: float
    p: float
    exact: bool  #: False where a distribution was approximated or simulated


def student_test(mean: float, se: float, n_free: int) -> TestResult:
    """Return Student's t of a mean difference with its standard error; NaN without a degree of freedom."""
    if n_free < 1:
        return TestResult(math.nan, math.nan, False)
    if se == 0.0:
        return TestResult(0.0, 1.0, True) if mean == 0.0 else TestResult(math.copysign(math.inf, mean), 0.0, True)
    t = mean / se
    return TestResult(t, student_two_sided(t, n_free), True)


def student_interval(mean: float, se: float, n_free: int, *, level: float) -> Interval:
    """Return Student's confidence interval of a mean difference with its standard error."""
    if n_free < 1:
        return UNDEFINED
    reach = student_quantile((1.0 + level) / 2.0, n_free) * se
    return Interval(mean - reach, mean + reach)


def mean_and_deviation(values: ndarray) -> tuple[float, float]:
    """Return the mean and the standard deviation (n - 1), both correctly summed."""
    n = len(values)
    if (values == values[0]).all():
        return float(values[0]), 0.0
    if n >= _MANY and len(np.unique(values[:_MANY])) <= _FEW:  # scores such as 0 and 1 have few differences
        distinct, counts = np.unique(values, return_counts=True)
        if len(distinct) <= _FEW:
            times = counts.tolist()
            mean = _exact_sum(distinct.tolist(), times) / n
            return mean, math.sqrt(_exact_sum(np.square(distinct - mean).tolist(), times) / (n - 1))
    mean = math.fsum(values.tolist()) / n
    # multiplied: libm's pow, which is ** of Python's numbers, is not rounded in the same way everywhere
    return mean, math.sqrt(math.fsum(np.square(values - mean).tolist()) / (n - 1))


def _exact_sum(values: Sequence[float], times: Sequence[int]) -> float:
    """Return the correctly rounded sum of values that occur several times, as math.fsum of all of them."""
    return float(sum((Fraction(value) * n for value, n in zip(values, times, strict=True)), Fraction()))


def wilcoxon_test(differences: ndarray) -> TestResult:
    """Return Wilcoxon's signed-rank test; the statistic is the smaller rank sum.

    The distribution of the rank sum is computed, ties included, up to
    WILCOXON_EXACT_UP_TO differing topics; beyond, the normal approximation
    with tie and continuity correction.
    """
    whole = to_fixed(differences).whole
    whole = whole[whole != 0.0]
    n = len(whole)
    if n == 0:
        return TestResult(0.0, 1.0, True)
    ranks, tie_sizes = doubled_ranks(np.abs(whole))
    positive = int(ranks[whole > 0.0].sum())
    total = int(ranks.sum())
    smaller = min(positive, total - positive)
    if n <= WILCOXON_EXACT_UP_TO:
        p = min(1.0, 2.0 * _rank_sum_tail(ranks, smaller))
        return TestResult(smaller / 2.0, p, True)
    mean = total / 4.0
    variance = n * (n + 1) * (2 * n + 1) / 24.0 - float((tie_sizes**3 - tie_sizes).sum()) / 48.0
    z = max(0.0, mean - smaller / 2.0 - 0.5) / math.sqrt(variance)
    return TestResult(smaller / 2.0, min(1.0, math.erfc(z / math.sqrt(2.0))), False)


def doubled_ranks(values: ndarray) -> tuple[ndarray, ndarray]:
    """Return twice the mean rank of each value (so that it is an integer), and the sizes of the ties."""
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    return (2 * last - sizes + 1)[group.ravel()], sizes.astype(np.float64)


def _rank_sum_tail(ranks: ndarray, threshold: int) -> float:
    """Return the probability that the ranks of random positive signs sum to at most ``threshold``.

    The distribution is grown rank by rank, sums above the threshold are not needed.
    """
    reached = np.zeros(threshold + 1)
    reached[0] = 1.0
    for rank in np.sort(ranks):
        reached *= 0.5
        if rank <= threshold:
            reached[rank:] += reached[: threshold + 1 - rank].copy()
    return float(math.fsum(reached))


def binomial_two_sided(one: int, other: int) -> float:
    """Return the exact two-sided p value of ``one`` successes and ``other`` failures at probability 1/2."""
    smaller, n = min(one, other), one + other
    if n > EXACT_BINOMIAL_UP_TO:  # terms from the largest down, relative to it
        log_term = math.lgamma(n + 1) - math.lgamma(smaller + 1) - math.lgamma(n - smaller + 1) - n * math.log(2.0)
        steps = np.arange(smaller, 0, -1)
        return min(1.0, 2.0 * math.exp(log_term) * (1.0 + float(np.cumprod(steps / (n - steps + 1.0)).sum())))
    count, term = 0, 1
    for chosen in range(smaller + 1):  # term is n over chosen
        count += term
        term = term * (n - chosen) // (chosen + 1)
    return float(min(Fraction(1), Fraction(2 * count, 2**n)))
