"""Paired bootstrap over topics: what other samples of topics could have shown.

Topics are drawn with replacement, the same draw for all comparisons. Sums of
drawn differences are exact integers, so the intervals are the same bits at any
number of threads. As a test the bootstrap finds too much on few topics (8 to
10 % instead of 5 % on 10 topics, 6.5 % on 30; `tests/bench/type_one_error.py`):
the randomisation test is the default, the bootstrap gives its interval.

Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993,
equations 13.5 (percentile), 14.9 and 14.10 (BCa, with 14.15 by the jackknife),
16.4 (test on the distribution shifted to the null hypothesis).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tdtsql.compare.distribution import normal_cdf, normal_quantile
from tdtsql.compare.fixed import to_fixed
from tdtsql.compare.resampling import resample_blocks


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval; both ends NaN where it is undefined."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Resampled means of C comparisons on the same topics."""

    means: np.ndarray  #: B x C, NaN where a resample drew no topic of the comparison
    observed: np.ndarray  #: C means of the sample itself
    p: np.ndarray  #: C two-sided p values, (c + 1) / (B + 1)
    mc_error: np.ndarray  #: C standard errors of p by simulation


def bootstrap_means(
    differences: np.ndarray,
    *,
    n_resample: int,
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> Bootstrap:
    """Return the bootstrap distribution of the mean difference of C comparisons.

    Args:
        differences: T x C, run minus baseline; NaN = the topic is not compared.
        n_resample: B, how many samples of T topics to draw.
        seed: the same seed gives the same bits.
    """
    fixed = to_fixed(differences)
    weight = fixed.defined.astype(np.float64)
    whole = np.ascontiguousarray(fixed.whole)
    size = weight.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = whole.sum(axis=0) / size
        parts = []
        for counts in resample_blocks(len(whole), n_resample, seed):
            parts.append((counts @ whole) / (counts @ weight))
            if progress is not None:
                progress(len(counts))
        means = np.concatenate(parts) if parts else np.empty((0, whole.shape[1]))
        # both means are rounded once: a relative 1e-12 makes ties of equal fractions
        distance = np.abs(means - observed) + 1e-12 * np.abs(observed)
        n_as_far = (distance >= np.abs(observed)).sum(axis=0)
    p = (n_as_far + 1.0) / (n_resample + 1.0)
    return Bootstrap(means * fixed.unit, observed * fixed.unit, p, np.sqrt(p * (1.0 - p) / max(n_resample, 1)))


def percentile_interval(distribution: np.ndarray, *, level: float) -> Interval:
    """Return the interval that leaves (1 - level) / 2 of the resampled means on either side."""
    if not len(distribution) or np.isnan(distribution).any():
        return Interval(math.nan, math.nan)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(distribution, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def bca_interval(distribution: np.ndarray, values: np.ndarray, *, level: float) -> Interval:
    """Return the bias-corrected and accelerated interval of the mean of ``values``.

    Args:
        distribution: B resampled means.
        values: the T differences themselves, no NaN.
        level: confidence, for example 0.95.

    Equal differences give an interval of no width. An observed mean outside
    its own bootstrap distribution gives NaN ends: there is nothing to correct.
    """
    n = len(values)
    if n and (values == values[0]).all():
        return Interval(float(values[0]), float(values[0]))
    if n < 2 or not len(distribution) or np.isnan(distribution).any():
        return Interval(math.nan, math.nan)
    mean = math.fsum(values) / n
    margin = 1e-12 * float(np.abs(values).max())
    below = float((distribution < mean - margin).sum())
    equal = float((np.abs(distribution - mean) <= margin).sum())
    share = (below + equal / 2.0) / len(distribution)
    if not 0.0 < share < 1.0:
        return Interval(math.nan, math.nan)
    bias = normal_quantile(share)
    deviations = [float(value) - mean for value in values]
    square = math.fsum(deviation * deviation for deviation in deviations)
    cube = math.fsum(deviation**3 for deviation in deviations)
    acceleration = cube / (6.0 * square**1.5)

    def corrected(probability: float) -> float:
        shifted = bias + normal_quantile(probability)
        return normal_cdf(bias + shifted / (1.0 - acceleration * shifted))

    tail = (1.0 - level) / 2.0
    low, high = np.quantile(distribution, [corrected(tail), corrected(1.0 - tail)])
    return Interval(float(low), float(high))
