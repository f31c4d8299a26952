"""Where on the DET curve two runs differ, with a confidence band.

Thresholds of two systems mean nothing to each other, so curves are compared at
equal false-alarm rates: the miss rate of a curve at rate x is the lowest that
an operating point with p_fa <= x reaches (1 where none does). Topics are drawn
again, the same draw for both runs, both curves are made anew, and the band is
what the difference does.

Input are counts per topic at thresholds, strictest first (no decision yes,
then more and more), so that resampling is a matrix product of whole numbers.

Source: A. Martin and others, The DET Curve in Assessment of Detection Task
Performance, Eurospeech 1997; S. Macskassy and F. Provost, Confidence Bands for
ROC Curves, 2004 (vertical averaging; the simultaneous band by the largest
standardised deviation).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tdtsql.compare.resampling import resample_blocks
from tdtsql.errors import InvalidComparison

#: rates are summed as whole multiples of this; 2^-40 of a rate is 1e-12
RATE_UNIT = 2.0**-40


@dataclass(frozen=True, slots=True)
class TopicCounts:
    """One run: how many targets are missed and how many false alarms raised at K thresholds on T topics."""

    n_miss: np.ndarray  #: T x K, falling along K
    n_false_alarm: np.ndarray  #: T x K, rising along K
    n_target: np.ndarray  #: T
    n_nontarget: np.ndarray  #: T


@dataclass(frozen=True, slots=True)
class Band:
    """A curve over G false-alarm rates with its bands."""

    p_fa: np.ndarray  #: G
    value: np.ndarray  #: G, the miss rate or the difference of two
    low: np.ndarray  #: G, pointwise band
    high: np.ndarray
    low_all: np.ndarray  #: G, simultaneous band: holds the whole curve at the level
    high_all: np.ndarray
    n_resample: int
    level: float


def counts_at_thresholds(
    scores: np.ndarray, is_target: np.ndarray, topic: np.ndarray, *, n_topic: int, n_point: int = 200
) -> TopicCounts:
    """Return the per-topic counts at up to ``n_point`` thresholds of one run.

    Args:
        scores: N scores of scored trials, higher = more target; ties move together.
        is_target: N flags.
        topic: N topic numbers from 0.
        n_point: thresholds are quantiles of the distinct scores of targets and of
            non-targets, so both ends of the curve stay detailed.
    """
    is_target = np.asarray(is_target, dtype=bool)
    thresholds = np.concatenate(
        [[np.inf], *(_quantiles(np.unique(scores[flags]), n_point // 2) for flags in (is_target, ~is_target))]
    )
    thresholds = np.unique(thresholds)[::-1]
    n_target = np.bincount(topic[is_target], minlength=n_topic).astype(np.float64)
    n_nontarget = np.bincount(topic[~is_target], minlength=n_topic).astype(np.float64)
    # a trial is a yes from the first threshold that is not above its score
    first = len(thresholds) - np.searchsorted(thresholds[::-1], scores, side="right")
    size = len(thresholds) + 1

    def yes(flags: np.ndarray) -> np.ndarray:
        cell = topic[flags] * size + first[flags]
        grid = np.bincount(cell, minlength=n_topic * size).reshape(n_topic, size)
        return np.cumsum(grid, axis=1)[:, :-1].astype(np.float64)

    return TopicCounts(n_target[:, None] - yes(is_target), yes(~is_target), n_target, n_nontarget)


def det_band(
    run: TopicCounts,
    baseline: TopicCounts | None,
    p_fa: np.ndarray,
    *,
    weighting: str,
    n_resample: int,
    seed: int,
    level: float = 0.95,
    progress: Callable[[int], None] | None = None,
) -> Band:
    """Return the miss rate of ``run`` at the rates ``p_fa``, minus that of ``baseline`` if one is given.

    Args:
        weighting: `topic` (mean of the topics' rates) or `story` (pooled counts).

    Raises:
        InvalidComparison: unknown weighting, other topics, or no target or non-target trial at all.
    """
    if weighting not in ("topic", "story"):
        raise InvalidComparison(f"weighting {weighting!r} has no DET curve. One of: topic, story.")
    sides = [run] if baseline is None else [run, baseline]
    if len({len(side.n_target) for side in sides}) != 1:
        raise InvalidComparison("the runs do not have the same topics. Align them first.")
    curves = [_Curve(side, weighting) for side in sides]
    n_topic = len(run.n_target)
    everything = np.ones((1, n_topic))
    value = _difference(curves, everything, p_fa)[0]
    samples = []
    for counts in resample_blocks(n_topic, n_resample, seed):
        samples.append(_difference(curves, counts, p_fa))
        if progress is not None:
            progress(len(counts))
    drawn = np.concatenate(samples)
    drawn = drawn[~np.isnan(drawn).any(axis=1)]  # a draw of topics without targets has no curve
    if not len(drawn):
        hole = np.full(len(p_fa), math.nan)
        return Band(p_fa, value, hole, hole, hole, hole, 0, level)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(drawn, [tail, 1.0 - tail], axis=0)
    spread = np.sqrt(np.square(drawn - value).sum(axis=0) / len(drawn))
    with np.errstate(invalid="ignore", divide="ignore"):
        standardised = np.where(spread > 0.0, np.abs(drawn - value) / spread, 0.0)
    reach = float(np.quantile(standardised.max(axis=1), level))
    return Band(p_fa, value, low, high, value - reach * spread, value + reach * spread, len(drawn), level)


class _Curve:
    """Numerators and denominators whose weighted sums give the operating points."""

    def __init__(self, counts: TopicCounts, weighting: str):
        if not counts.n_target.sum() or not counts.n_nontarget.sum():
            raise InvalidComparison("a run has no target or no non-target trial: it has no DET curve.")
        self.miss, self.miss_size = _parts(counts.n_miss, counts.n_target, weighting)
        self.alarm, self.alarm_size = _parts(counts.n_false_alarm, counts.n_nontarget, weighting)

    def miss_at(self, weights: np.ndarray, p_fa: np.ndarray) -> np.ndarray:
        """Return B x G miss rates for B x T topic weights."""
        with np.errstate(invalid="ignore", divide="ignore"):
            miss = (weights @ self.miss) / (weights @ self.miss_size)[:, None]
            alarm = (weights @ self.alarm) / (weights @ self.alarm_size)[:, None]
        result = np.ones((len(weights), len(p_fa)))
        for row in range(len(weights)):
            if np.isnan(miss[row, 0]) or np.isnan(alarm[row, 0]):
                result[row] = math.nan
                continue
            # the last operating point with p_fa <= x; misses only fall along the curve
            last = np.searchsorted(alarm[row], p_fa + 1e-12, side="right") - 1
            reached = last >= 0
            result[row, reached] = miss[row, last[reached]]
        return result


def _parts(count: np.ndarray, size: np.ndarray, weighting: str) -> tuple[np.ndarray, np.ndarray]:
    """Return what to sum above and below the line: whole numbers, so every order of adding gives the same bits."""
    if weighting == "story":
        return np.ascontiguousarray(count), size
    defined = size > 0
    rate = count / np.where(defined, size, 1.0)[:, None]
    whole = np.floor(rate / RATE_UNIT + 0.5) * defined[:, None]
    return np.ascontiguousarray(whole), defined / RATE_UNIT


def _difference(curves: list[_Curve], weights: np.ndarray, p_fa: np.ndarray) -> np.ndarray:
    first = curves[0].miss_at(weights, p_fa)
    # rates are known to half a unit; what is below that is no difference
    return np.round(first if len(curves) == 1 else first - curves[1].miss_at(weights, p_fa), 11) + 0.0


def _quantiles(distinct: np.ndarray, n_point: int) -> np.ndarray:
    """Return at most ``n_point`` of the sorted distinct values, evenly spread, both ends included."""
    if len(distinct) <= n_point:
        return distinct
    return distinct[np.unique(np.linspace(0, len(distinct) - 1, n_point).round().astype(np.int64))]
