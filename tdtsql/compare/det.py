"""Where on the DET curve two runs differ, with a confidence band.

Thresholds of two systems mean nothing to each other, so curves are compared at
equal false-alarm rates: the miss rate of a curve at rate x is the lowest that
an operating point with p_fa <= x reaches (1 where none does). That number is
exact. For the band topics are resampled, with the same draw for both runs; both
curves are recomputed, and the band covers their differences.

Between two scores of targets a threshold cannot improve: the misses are the same, and
the stricter one has fewer false alarms. So only scores of targets are thresholds,
on every draw. Of very many a part is used for the draws, with the thresholds of the
exact numbers among them; ``Band.n_threshold_drawn`` is their number.

Resampling is a matrix product of whole numbers: counts per topic at these
thresholds, strictest first.

Source: A. Martin and others, The DET Curve in Assessment of Detection Task
Performance, Eurospeech 1997; S. Macskassy and F. Provost, Confidence Bands for
ROC Curves, 2004 (vertical averaging; the simultaneous band by the largest
standardised deviation).
"""

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy import ndarray

from tdtsql.compare.resampling import Step, resample_blocks
from tdtsql.errors import InvalidComparison, InvalidSetting

#: rates are summed as whole multiples of this while topics are drawn; 2^-40 of a rate is 1e-12
RATE_UNIT = 2.0**-40

#: a false-alarm rate that is this little above x counts as x, which is a decimal number rounded to a double
REACHED = Fraction(1, 10**12)

#: thresholds at which curves are recomputed
N_POINT = 1000


@dataclass(frozen=True)
class Decisions:
    """One run: N scored decisions on T topics."""

    scores: ndarray  #: N, higher = more target; ties move together
    is_target: ndarray  #: N flags
    topic: ndarray  #: N topic numbers from 0
    n_target: ndarray  #: T trials, decided or not; one without a decision is a miss
    n_nontarget: ndarray  #: T trials whose false alarms count


@dataclass(frozen=True)
class Band:
    """A curve over G false-alarm rates with its bands; these are NaN for one topic, whose draws are all itself."""

    p_fa: ndarray  #: G
    value: ndarray  #: G, the miss rate or the difference of two, correctly rounded
    low: ndarray  #: G, pointwise band
    high: ndarray
    low_all: ndarray  #: G, simultaneous band: holds the whole curve at the level
    high_all: ndarray
    n_resample: int
    level: float
    n_threshold: int  #: thresholds of the run that has more
    n_threshold_drawn: int  #: of them, those at which its curves were recomputed


def thresholds(run: Decisions) -> ndarray:
    """Return the different scores of targets, strictest first: all thresholds that can be the best for some misses."""
    return np.unique(run.scores[run.is_target])[::-1]


def miss_rates(run: Decisions, p_fa: ndarray, *, weighting: str) -> tuple[list[Fraction], list[int]]:
    """Return the exact miss rates at the false-alarm rates ``p_fa``, and how many of ``thresholds(run)`` are within
    them.

    Raises:
        InvalidComparison: no target or no non-target trial exists.
    """
    candidates = thresholds(run)
    others = ~run.is_target & (run.n_nontarget[run.topic] > 0)
    sides = []
    for flags, size in ((run.is_target, run.n_target), (others, run.n_nontarget)):
        order = np.argsort(-run.scores[flags], kind="stable")
        sides.append((run.topic[flags][order], -run.scores[flags][order], _exact_mean(size, weighting)))

    @cache
    def rate(side: int, place: int) -> Fraction:
        topic, falling, mean = sides[side]
        return mean(
            np.bincount(
                topic[: np.searchsorted(falling, -candidates[place], side="right")], minlength=len(run.n_target)
            )
        )

    found = [
        bisect_right(range(len(candidates)), Fraction(float(x)) + REACHED, key=lambda place: rate(1, place))
        for x in p_fa
    ]
    return [1 - rate(0, n - 1) if n else Fraction(1) for n in found], found


def _exact_mean(size: ndarray, weighting: str) -> Callable[[ndarray], Fraction]:
    """Return the weights that make T counts the mean of the topics' rates, or their pooled rate."""
    sizes = [int(n) for n in size]
    if not sum(sizes):
        raise InvalidComparison("a run has no target or no non-target trial: it has no DET curve.")
    if weighting == "story":
        return lambda count: Fraction(int(count.sum()), sum(sizes))
    common = math.lcm(*filter(None, sizes))
    weight = [common // n if n else 0 for n in sizes]
    whole = common * sum(n > 0 for n in sizes)
    return lambda count: Fraction(sum(int(n) * w for n, w in zip(count, weight, strict=True)), whole)


def det_band(
    run: Decisions,
    baseline: Decisions | None,
    p_fa: ndarray,
    *,
    weighting: str,
    n_resample: int,
    seed: int,
    level: float = 0.95,
    n_point: int = N_POINT,
    progress: Step | None = None,
) -> Band:
    """Return the miss rate of ``run`` at the rates ``p_fa``, minus that of ``baseline`` if one is given.

    Args:
        weighting: `topic` (mean of the topics' rates) or `story` (pooled counts).
        n_point: thresholds of a run that are used for the draws, evenly
            spread over its targets, in addition to those of the exact values.

    Raises:
        InvalidComparison: unknown weighting, other topics, or no target or non-target trial at all.
    """
    if weighting not in ("topic", "story"):
        raise InvalidSetting(f"weighting {weighting!r} has no DET curve. One of: topic, story.")
    sides = [run] if baseline is None else [run, baseline]
    if len({len(side.n_target) for side in sides}) != 1:
        raise InvalidComparison("the runs do not have the same topics. Align them first.")
    p_fa = np.asarray(p_fa, dtype=np.float64)
    curves, exact, sizes = [], [], []
    for side in sides:
        rates, found = miss_rates(side, p_fa, weighting=weighting)
        all_of_them = thresholds(side)
        kept = np.union1d(_evenly(len(all_of_them), n_point), [n - 1 for n in found if n]).astype(np.int64)
        exact.append(rates)
        sizes.append((len(all_of_them), len(kept)))
        curves.append(_Curve(side, all_of_them[kept], weighting))
    value = np.array(
        [
            float(one - (other or 0))
            for one, other in zip(exact[0], exact[1] if len(exact) > 1 else [None] * len(p_fa), strict=True)
        ]
    )
    n_topic = len(run.n_target)
    samples = []
    for counts in resample_blocks(n_topic, n_resample if n_topic > 1 else 0, seed):
        samples.append(_difference(curves, counts, p_fa))
        if progress is not None:
            progress(len(counts))
    drawn = np.concatenate(samples) if samples else np.empty((0, len(p_fa)))
    drawn = drawn[~np.isnan(drawn).any(axis=1)]  # a draw of topics without targets has no curve
    if not len(drawn):
        hole = np.full(len(p_fa), math.nan)
        return Band(p_fa, value, hole, hole, hole, hole, 0, level, *max(sizes))
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(drawn, [tail, 1.0 - tail], axis=0)
    away = np.round(drawn - value, 11)  # draws are known to 1e-11
    spread = np.sqrt(np.square(away).sum(axis=0) / len(drawn))
    with np.errstate(invalid="ignore", divide="ignore"):
        standardised = np.where(spread > 0.0, np.abs(away) / spread, 0.0)
    reach = float(np.quantile(standardised.max(axis=1), level))
    return Band(p_fa, value, low, high, value - reach * spread, value + reach * spread, len(drawn), level, *max(sizes))


class _Curve:
    """Numerators and denominators whose weighted sums give the operating points."""

    def __init__(self, run: Decisions, falling: ndarray, weighting: str):
        """Count per topic with no decision yes, and at each of the ``falling`` thresholds."""
        steps = np.concatenate([[np.inf], falling])
        n_topic, size = len(run.n_target), len(steps) + 1
        # a trial is a yes from the first threshold that is not above its score
        first = len(steps) - np.searchsorted(steps[::-1], run.scores, side="right")

        def yes(flags: ndarray) -> ndarray:
            grid = np.bincount(run.topic[flags] * size + first[flags], minlength=n_topic * size).reshape(n_topic, size)
            return np.cumsum(grid, axis=1)[:, :-1].astype(np.float64)

        n_target, n_nontarget = run.n_target.astype(np.float64), run.n_nontarget.astype(np.float64)
        self.miss, self.miss_size = _parts(n_target[:, None] - yes(run.is_target), n_target, weighting)
        n_false_alarm = yes(~run.is_target) * (n_nontarget > 0)[:, None]
        self.alarm, self.alarm_size = _parts(n_false_alarm, n_nontarget, weighting)

    def miss_at(self, weights: ndarray, p_fa: ndarray) -> ndarray:
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


def _parts(count: ndarray, size: ndarray, weighting: str) -> tuple[ndarray, ndarray]:
    """Return what to sum above and below the line: integers, so the result does not depend on the order of adding."""
    if weighting == "story":
        return np.ascontiguousarray(count), size
    defined = size > 0
    rate = count / np.where(defined, size, 1.0)[:, None]
    whole = np.floor(rate / RATE_UNIT + 0.5) * defined[:, None]
    return np.ascontiguousarray(whole), defined / RATE_UNIT


def _difference(curves: list[_Curve], weights: ndarray, p_fa: ndarray) -> ndarray:
    first = curves[0].miss_at(weights, p_fa)
    # rates are known to half a unit; smaller differences are rounding
    return np.round(first if len(curves) == 1 else first - curves[1].miss_at(weights, p_fa), 11) + 0.0


def _evenly(n: int, n_point: int) -> ndarray:
    """Return at most ``n_point`` of the places 0 to n - 1, evenly spread, both ends included."""
    return np.arange(n) if n <= n_point else np.unique(np.linspace(0, n - 1, n_point).round().astype(np.int64))
