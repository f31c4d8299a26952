"""Paired bootstrap over topics: what other samples of topics could have shown.

Topics are drawn with replacement, the same draw for all comparisons. Sums of drawn differences are exact integers, so
the intervals are bitwise identical at any number of threads. Whether a resampled mean ties with the observed one is
decided on those integers, with the largest possible effect of rounding. As a test the bootstrap rejects too often on
few topics (8 to 10 % instead of 5 % on 10 topics, 6.5 % on 30; `tests/bench/type_one_error.py`):
the randomisation test is the default, the bootstrap gives its interval.

Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993,
equations 13.5 (percentile), 14.9 and 14.10 (BCa, with 14.15 by the jackknife),
16.4 (test on the distribution shifted to the null hypothesis).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ndarray

from tdtsql.compare.distribution import normal_cdf, normal_quantile
from tdtsql.compare.fixed import PairSums, to_fixed
from tdtsql.compare.resampling import Step, resample_sums


@dataclass(frozen=True)
class Interval:
    """A confidence interval; both ends NaN where it is undefined."""

    low: float
    high: float

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """Both ends, None where undefined."""
        return plain(self.low), plain(self.high)


UNDEFINED = Interval(math.nan, math.nan)


def plain(value: Any) -> Any:
    """Return NaN, which means undefined, as None."""
    return None if value != value else value


@dataclass(frozen=True)
class Bootstrap:
    """Resampled means of C comparisons on the same topics."""

    means: ndarray  #: B x C, NaN where a resample drew no topic of the comparison, or it has one topic only
    observed: ndarray  #: C means of the sample itself
    share_below: ndarray  #: C shares of the resampled means below the observed one, ties counted half
    p: ndarray  #: C two-sided p values, (c + 1) / (B + 1); NaN of one topic
    mc_error: ndarray  #: C standard errors of p by simulation


def bootstrap_means(
    differences: ndarray,
    *,
    n_resample: int,
    seed: int,
    unit: float | None = None,
    sizes: ndarray | None = None,
    values: ndarray | None = None,
    pairs: ndarray | None = None,
    progress: Step | None = None,
) -> Bootstrap:
    """Return the bootstrap distribution of the mean difference of C comparisons.

    Args:
        differences: T x C, run minus baseline; NaN = the topic is not compared.
        n_resample: B, number of samples of T topics to draw.
        seed: the same seed gives bitwise identical results.
        unit: the grid of the original numbers, if it is coarser.
        sizes: T, number of topics summed in each difference, if whole clusters are drawn.
        values: T x R, what ``differences`` are differences of, with ``pairs`` (C x 2): its columns.
    """
    fixed = to_fixed(differences, unit=unit)
    weight = fixed.defined * (np.ones(len(differences)) if sizes is None else sizes)[:, None].astype(np.float64)
    whole = fixed.whole
    pair_sums = PairSums(whole, values, pairs, fixed.unit)
    size, total, slack = weight.sum(axis=0), whole.sum(axis=0), fixed.slack
    means, n_done = np.empty((whole.shape[1], n_resample)), 0
    n_below, n_equal, n_as_far = (np.zeros(whole.shape[1]) for _ in range(3))
    with np.errstate(invalid="ignore", divide="ignore"):
        # columns that give the size of a resample: none if it is always the same, one if all comparisons have the same
        n_size = 0 if (weight == weight[:1, :1]).all() else 1 if fixed.defined.all() else len(size)
        for all_sums in resample_sums(np.hstack([weight[:, :n_size], pair_sums.columns]), n_resample, seed):
            n_draw = all_sums.shape[1]
            all_drawn = all_sums[:n_size] if n_size else np.broadcast_to(size[:1, None], (1, n_draw))
            for some, rows, sums in pair_sums.over(all_sums[n_size:]):
                drawn = all_drawn[:, rows] if len(all_drawn) == 1 else all_drawn[some, rows]
                np.divide(sums, drawn, out=means[some, n_done : n_done + n_draw][:, rows])
                # mean - observed mean, times both sample sizes: whole units; both sums are off by slack / 2 at most
                away, rounding = sums * size[some, None], slack[some, None] * drawn
                away -= total[some, None] * drawn
                n_below[some] += np.count_nonzero(away < -rounding, axis=1)
                np.abs(away, out=away)
                n_equal[some] += np.count_nonzero(away <= rounding, axis=1)
                # as far from the observed mean as that is from 0
                away += 1.5 * rounding
                n_as_far[some] += np.count_nonzero(away >= np.abs(total[some])[:, None] * drawn, axis=1)
            n_done += n_draw
            if progress is not None:
                progress(n_draw)
        observed = total / size
    size = fixed.defined.sum(axis=0)
    p = np.where(size > 1, (n_as_far + 1.0) / (n_resample + 1.0), math.nan)
    means[size < 2] = math.nan  # the draws of one topic are all itself
    share_below = (n_below + n_equal / 2.0) / max(n_resample, 1)
    return Bootstrap(
        (means * fixed.unit).T, observed * fixed.unit, share_below, p, np.sqrt(p * (1.0 - p) / max(n_resample, 1))
    )


def cluster_sums(values: ndarray, clusters: ndarray) -> tuple[ndarray, ndarray]:
    """Return the sums of T x R values over the topics of each of C clusters (C x R), and how many topics each has (C).

    Args:
        clusters: T codes; the rows are in their order.
    """
    _, place, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    return np.stack([np.bincount(place, weights=numbers) for numbers in values.T]).T, sizes


def percentile_interval(distribution: ndarray, *, level: float) -> Interval:
    """Return the interval that leaves (1 - level) / 2 of the resampled means on either side."""
    if not len(distribution) or np.isnan(distribution).any():
        return UNDEFINED
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(distribution, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def bca_interval(
    distribution: ndarray, values: ndarray, *, share_below: float, level: float, influence: ndarray | None = None
) -> Interval:
    """Return the bias-corrected and accelerated interval of the mean of ``values``.

    Args:
        distribution: B resampled means.
        values: the T differences themselves, no NaN.
        share_below: of ``bootstrap_means``: share of resampled means below the observed one.
        level: confidence, for example 0.95.
        influence: influence of a drawn unit on the mean, if it is not the value's distance from it (clusters).

    Equal differences of two topics and more give an interval of no width; one
    topic has no interval. An observed mean outside its own bootstrap
    distribution gives NaN ends: there is nothing to correct.
    """
    n = len(values)
    if n < 2:
        return UNDEFINED
    if (values == values[0]).all():
        return Interval(float(values[0]), float(values[0]))
    if not len(distribution) or np.isnan(distribution).any() or not 0.0 < share_below < 1.0:
        return UNDEFINED
    bias = normal_quantile(share_below)
    if influence is None:
        mean = math.fsum(values.tolist()) / n
        influence = values - mean
    deviations = influence.tolist()
    square = math.fsum([deviation * deviation for deviation in deviations])
    # multiplied: libm's pow, which is ** of Python's numbers, is not rounded in the same way everywhere
    cube = math.fsum([deviation * deviation * deviation for deviation in deviations])
    acceleration = cube / (6.0 * square**1.5)
    low, high = np.quantile(distribution, corrected_shares(bias, acceleration, (1.0 - level) / 2.0))
    return Interval(float(low), float(high))


def corrected_shares(bias: float, acceleration: float, tail: float) -> list[float]:
    """Return the shares of resamples below the ends of a bias-corrected and accelerated interval."""
    shifted = [bias + normal_quantile(share) for share in (tail, 1.0 - tail)]
    return [normal_cdf(bias + by / (1.0 - acceleration * by)) for by in shifted]
