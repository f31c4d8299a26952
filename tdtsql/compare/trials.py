"""Statistics of scored trials as functions of how often each trial counts, and their draws: arrays in, numbers out.

Trials that a statistic cannot tell apart in any of the runs form a *cell*; a draw is one whole number per cell.

Draws by trial are multinomial in each class. A cell of MERGED or more trials is drawn as a binomial number conditional
on the cells before it, single trials as places or, of many, as Poisson numbers that are completed to the size of the
class, which is the same distribution. Clusters of trials are drawn singly and passed on to the cells of their trials.
The draws depend on the cells, hence on the metric and on the runs of a pair, and on nothing else.

Windows. Equal error rate and minimum cost depend on thresholds near the operating point, so scores beyond a window are
merged. Each draw is checked against a bound that holds for all merged thresholds. The counts of a draw that fails are
distributed over the cells of the full resolution, conditional on those of the merged cells, which leaves the
distribution of the draws unchanged.

| what                | source                                                                                       |
|---------------------|----------------------------------------------------------------------------------------------|
| draws of each class | B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 8 (two samples)    |
| clusters            | A. Davison, D. Hinkley, Bootstrap Methods and their Application (1997), section 3.8          |
| two sides of trials | A. Owen, The pigeonhole bootstrap (2007); T. Snijders, S. Borgatti (1999): one population    |
| `delong`            | E. DeLong, D. DeLong, D. Clarke-Pearson (1988); X. Sun, W. Xu (2014)                         |
| `mcnemar`           | Q. McNemar (1947), exact binomial form                                                       |

Exchanging the scores of two systems trial by trial is not offered: they are on two scales, hence not exchangeable under
the hypothesis of equal error rates. Definitions of the numbers: metric.verification_*.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from numpy import ndarray

from tdtsql.compare.resample import (
    NORMAL,
    ROUNDING,
    TIE,
    How,
    Step,
    blocks,
    counted_rows,
    exact_sum,
    interval,
    places,
    stream,
    whole,
)

MERGED = 250  #: a cell of so many trials is drawn as one number
TOGETHER = 20_000  #: so many single trials are drawn as Poisson numbers
REACH, FEW = 5.0, 12.0  #: half width of a window in standard errors, and in trials: small counts are not normal
MOST_UNDEFINED = 0.01  #: greatest share of draws without a class
FEWEST_UNITS = 2  #: on a side, for an interval
#: rates of decisions: those of the runs, and those at the Bayes threshold (act_)
RATES = ("p_miss", "p_fa", "act_p_miss", "act_p_fa")
COSTS = ("c_det", "c_det_norm", "act_c_det", "act_c_det_norm")
METRICS = ("eer", "auc", "min_c_det", "min_c_det_norm", *COSTS, "cllr", "min_cllr", *RATES)
#: rules of the equal error rate that depend on groups of scores of one class
BY_POINT = ("nearest_point", "nearest_corner", "nearest_max")

T = TypeVar("T")


@dataclass(frozen=True)
class Measure:
    """A metric of scored trials, and what of a scoring profile it depends on."""

    metric: str  #: one of METRICS
    eer: str = "interpolated"  #: policy, see metric.verification_eer__v1
    min_cllr: str = "none"  #: policy: none or laplace
    price_miss: float | None = None  #: c_miss * p_target; None: no costs
    price_fa: float | None = None  #: c_fa * (1 - p_target)
    threshold: float | None = None  #: the Bayes threshold, of metrics act_

    @property
    def is_decided(self) -> bool:
        """The metric depends only on a decision for each trial."""
        return self.metric in RATES or self.metric in COSTS

    @property
    def depends_on(self) -> tuple[bool, bool]:
        """Whether the number needs targets, and whether it needs non-targets."""
        return not self.metric.endswith("p_fa"), not self.metric.endswith("p_miss")

    @property
    def prices(self) -> tuple[float, float]:
        """The weights of a miss and of a false alarm, normalised where the metric is; 0 of rates."""
        miss, fa = self.price_miss or 0.0, self.price_fa or 0.0
        scale = 1 / min(miss, fa) if self.metric.endswith("norm") else 1.0
        return miss * scale, fa * scale


@dataclass(frozen=True)
class Trials:
    """The N trials of one subset, scored by R runs."""

    is_target: ndarray  #: N bool
    scores: ndarray  #: R x N
    accepts: ndarray | None = None  #: R x N bool, the runs' decisions
    sides: tuple[ndarray, ...] = ()  #: clusters of each trial: none (by trial), one array, or two; -1: no value
    is_one_population: bool = False  #: both sides name the same units: drawn once

    def of(self, runs: Sequence[int]) -> "Trials":
        """Return the trials as some runs scored them."""
        accepts = None if self.accepts is None else self.accepts[list(runs)]
        return replace(self, scores=self.scores[list(runs)], accepts=accepts)

    def decisions(self, measure: Measure, run: int) -> ndarray:
        """Return the decisions that a rate or a cost is of."""
        if measure.metric.startswith("act") or self.accepts is None:
            return self.scores[run] >= measure.threshold
        return self.accepts[run]


@dataclass(frozen=True)
class Plan:
    """How trials are drawn: for each class by trial (None), or by one or two sides of units.

    A side is the number of a population and the unit of each trial of the class; the unit after the last of a
    population counts one in every draw.
    """

    sides: tuple[tuple[tuple[int, ndarray], ...] | None, ...] = (None, None)
    n_unit: tuple[int, ...] = ()  #: of each population
    n_lone: int = 0  #: trials without a value, each its own unit

    @classmethod
    def of(cls, trials: Trials) -> "Plan":
        """Return how trials are drawn.

        One column of units: a class whose trials have one value or none is drawn by trial; classes without a value in
        common are drawn apart; otherwise the units are drawn together, and a draw may lack a class.
        """
        if not trials.sides:
            return cls()
        classes = (trials.is_target, ~trials.is_target)
        codes = []
        for side in trials.sides:  # a trial without a value is its own unit
            lone = side < 0
            code = np.where(lone, side.max(initial=-1) + np.cumsum(lone), side)
            codes.append(code if trials.is_one_population else np.unique(code, return_inverse=True)[1])
        n_lone = sum(int((side < 0).sum()) for side in trials.sides)
        if trials.is_one_population:
            n = int(max(code.max(initial=-1) for code in codes)) + 1
            codes[1] = np.where(codes[0] == codes[1], n, codes[1])  # a unit against itself counts once
            return cls(tuple(tuple((0, code[of]) for code in codes) for of in classes), (n,), n_lone)
        n_unit = tuple(int(code.max(initial=-1)) + 1 for code in codes)
        if len(codes) == 2:
            return cls(tuple(tuple(enumerate(code[of] for code in codes)) for of in classes), n_unit, n_lone)
        values = [np.unique(trials.sides[0][of]) for of in classes]
        is_single = [len(some) < 2 for some in values]
        if sum(is_single) != 1 and len(np.intersect1d(values[0][values[0] >= 0], values[1][values[1] >= 0])):
            return cls(tuple(((0, codes[0][of]),) for of in classes), n_unit, n_lone)
        own = [
            None if single and not all(is_single) else np.unique(codes[0][of], return_inverse=True)[1]
            for single, of in zip(is_single, classes, strict=True)
        ]
        populations = [code for code in own if code is not None]
        n_lone = sum(
            int((trials.sides[0][of] < 0).sum()) for code, of in zip(own, classes, strict=True) if code is not None
        )
        sides, at = [], 0
        for unit in own:
            sides.append(None if unit is None else ((at, unit),))
            at += unit is not None
        return cls(tuple(sides), tuple(int(code.max(initial=-1)) + 1 for code in populations), n_lone)


# ---- draws of cells


def uniform(raw: np.random.PCG64, n: int) -> ndarray:
    """Return n numbers in [0, 1) of 53 bits."""
    return (raw.random_raw(n) >> np.uint64(11)) * 2.0**-53


def binomial(raw: np.random.PCG64, n: ndarray, share: float) -> ndarray:
    """Return one binomial number for each n, by inversion.

    A number of n trials is the sum of numbers of 2^k trials over the bits k of n, so that all n share one table per
    bit. Tables are products and sums outwards from the mode: identical on every machine.
    """
    drawn = np.zeros_like(n)
    for bit in range(int(n.max(initial=0)).bit_length()):
        of = np.flatnonzero(n >> bit & 1)
        if not len(of):
            continue
        size, mode = 2**bit, int((2**bit + 1) * share)
        reach = int(10 * math.sqrt(size * share * (1 - share))) + 30
        low, high = max(0, mode - reach), min(size, mode + reach)
        mode = min(mode, high)
        up, down = np.arange(mode + 1.0, high + 1), np.arange(mode, low, -1.0)
        odds = share / (1 - share)
        rising, falling = np.cumprod((size + 1 - up) / up * odds), np.cumprod(down / (size + 1 - down) / odds)
        below = np.cumsum(np.concatenate([falling[::-1], [1.0], rising]))
        drawn[of] += low + np.searchsorted(below, uniform(raw, len(of)) * below[-1], side="right").clip(0, high - low)
    return drawn


class Multinomial:
    """Draws of sum(size) trials with replacement from cells of so many trials."""

    def __init__(self, size: ndarray, n_draw: int, raw: np.random.PCG64) -> None:
        self.raw, self.big = raw, np.flatnonzero(size >= MERGED)
        small = np.where(size < MERGED, size, 0)
        self.single, self.width = np.repeat(np.arange(len(size)), small), len(size)
        self.is_plain = len(self.single) == len(size)
        self.start = (np.cumsum(small) - small)[small > 0]  # where the trials of each small cell begin
        self.small = np.flatnonzero(small)
        left, n_left = int(size.sum()), np.full(n_draw, size.sum(), dtype=np.int64)
        self.numbers = np.empty((n_draw, len(self.big)), dtype=np.int32)
        for at, n in enumerate(size[self.big].tolist()):
            self.numbers[:, at] = n_left if n == left else binomial(raw, n_left, n / left)
            n_left, left = n_left - self.numbers[:, at], left - n
        self.n_single = n_left
        least = int(n_left.min(initial=size.sum()))
        self.mean = (least - 7 * math.sqrt(least)) / max(1, len(self.single))
        terms = np.cumprod(np.append(math.exp(-self.mean), self.mean / np.arange(1.0, 60.0)))
        at_most = np.cumsum(terms) * 2.0**16  # the chance of at most so many of one trial, in units of two bytes
        self.steps = at_most[at_most < 2**16]

    def take(self, rows: slice) -> ndarray:
        """Return the counts (rows x cells) of the next draws; rows are taken in order."""
        n = self.n_single[rows]
        if len(self.single) < TOGETHER:
            cell = places(self.raw, int(n.sum()), max(1, len(self.single)))
            if not self.is_plain:
                cell = np.take(self.single, cell)
            cell += np.repeat(np.arange(len(n)) * self.width, n)
            counts = counted_rows(cell, len(n), self.width).astype(np.int32)
        else:
            drawn = self._together(n)
            if self.is_plain:
                return drawn
            counts = np.zeros((len(n), self.width), dtype=np.int32)
            counts[:, self.small] = np.add.reduceat(drawn, self.start, axis=1, dtype=np.int32)
        counts[:, self.big] = self.numbers[rows]
        return counts

    def _together(self, n: ndarray) -> ndarray:
        """Return how often each single trial is drawn, n in all: Poisson numbers, completed by single draws."""
        width = len(self.single)
        words = self.raw.random_raw((len(n), -(-width // 4))).astype("<u8", copy=False).view("<u2")[:, :width]
        flat = np.ascontiguousarray(words).reshape(-1)
        counts: ndarray = np.zeros(len(flat), dtype=np.uint8)
        floors, times = np.unique(np.floor(self.steps), return_counts=True)
        for step, n_step in zip(floors.astype(np.uint16), times, strict=True):
            above = (flat > step).view(np.uint8)
            counts += above if n_step == 1 else above * np.uint8(n_step)
            at = np.flatnonzero(flat == step)  # there 53 bits more decide
            counts[at] = np.searchsorted(self.steps, step + uniform(self.raw, len(at)), side="right")
        counts = counts.reshape(words.shape)
        left = n - counts.sum(axis=1, dtype=np.int64)
        for row in np.flatnonzero(left < 0):  # more than were to be drawn, once in 10^11 draws
            counts[row], left[row] = 0, n[row]
        cell = places(self.raw, int(left.sum()), width)
        np.add.at(counts, (np.repeat(np.arange(len(n)), left), cell), np.uint8(1))
        return counts


def refined(raw: np.random.PCG64, counts: ndarray, coarse: ndarray, fine: ndarray) -> ndarray:
    """Return the counts of finer cells given those of coarser cells, of which every unit has one of either."""
    n_draw, width = counts.shape
    order, size, n_fine = np.argsort(coarse, kind="stable"), np.bincount(coarse, minlength=width), int(fine.max()) + 1
    row, cell = np.divmod(np.repeat(np.arange(counts.size), counts.ravel()), width)
    unit = order[(np.cumsum(size) - size)[cell] + (uniform(raw, len(cell)) * size[cell]).astype(np.int64)]
    return np.bincount(row * n_fine + fine[unit], minlength=n_draw * n_fine).reshape(n_draw, n_fine).astype(np.int32)


def cells_of(n: int, *columns: ndarray) -> tuple[ndarray, ndarray, ndarray]:
    """Return the cell of each of n trials by whole numbers >= 0, the first trial of each cell, and its size."""
    key = np.zeros(n, dtype=np.int64)
    for column in columns:
        width = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) >= 2**62 // width:
            key = np.unique(key, return_inverse=True)[1]
        key = key * width + column
    _, first, cell, size = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return cell, first, size


# ---- statistics


@dataclass
class _Curve:
    """Running counts of a block of draws below each of G + 1 points, from accept-all to reject-all."""

    counts: tuple[ndarray, ndarray]  #: of the cells of each class in ascending order of score
    ends: tuple[ndarray, ndarray]  #: at each point, the number of cells below
    n: tuple[ndarray, ndarray]  #: trials of each class
    is_merged: tuple[bool, bool]  #: whether the first and the last group are beyond the window

    def __post_init__(self) -> None:
        self.n_group, self.rows = len(self.ends[0]) - 1, np.arange(len(self.n[0]))
        self.below = []
        for counts in self.counts:
            running = np.zeros((len(counts), counts.shape[1] + 1), dtype=np.int32)
            np.cumsum(counts, axis=1, dtype=np.int32, out=running[:, 1:])
            self.below.append(running)

    def point(self, at: ndarray | int) -> tuple[ndarray, ndarray]:
        """Return misses and false alarms of each draw at its point."""
        miss, rejected = (
            below[self.rows, end[at]].astype(np.int64) for below, end in zip(self.below, self.ends, strict=True)
        )
        return miss, self.n[1] - rejected

    def balance(self, at: ndarray) -> ndarray:
        miss, fa = self.point(at)
        return miss * self.n[1] - fa * self.n[0]

    def first(self, holds: Callable[[ndarray], ndarray], n: int) -> ndarray:
        """Return the first of n places of each draw where a monotone condition holds; n: nowhere."""
        low, high = np.full(len(self.rows), -1), np.full(len(self.rows), n)
        while (high - low > 1).any():
            middle = (low + high) // 2
            is_true = holds(np.clip(middle, 0, n - 1))
            high, low = np.where(is_true & (middle > low), middle, high), np.where(is_true, low, middle)
        return high

    def is_inside(self, group: ndarray) -> ndarray:
        return ~((group <= 0) & self.is_merged[0] | (group >= self.n_group - 1) & self.is_merged[1])

    def is_bounded(self, cost: ndarray, price_miss: ndarray | float, price_fa: ndarray | float) -> ndarray:
        """Return whether no point inside a merged group can cost less: rates are monotone."""
        (_, fa), (miss, _) = self.point(1), self.point(self.n_group - 1)
        is_low, is_high = price_fa * fa / self.n[1] >= cost, price_miss * miss / self.n[0] >= cost
        return (is_low | (not self.is_merged[0])) & (is_high | (not self.is_merged[1]))

    @cached_property
    def groups(self) -> tuple[ndarray, ndarray, ndarray, ndarray]:
        """Draw, number, targets, non-targets of each group of scores that a draw has."""
        t, n = (np.diff(np.take(below, end, axis=1), axis=1) for below, end in zip(self.below, self.ends, strict=True))
        place = np.flatnonzero(t + n)
        row, group = np.divmod(place, self.n_group)
        return row, group, t.ravel()[place].astype(np.int64), n.ravel()[place].astype(np.int64)

    def pools(self, n_added: int = 0) -> tuple[ndarray, ndarray, ndarray]:
        """Return draw, targets, non-targets of each pool of adjacent violators, the segments of the convex hull.

        Args:
            n_added: targets and non-targets that are added below all scores, and above: one pool each.
        """
        row, _, t, n = self.groups
        if n_added:
            ends = np.repeat(self.rows, 2)
            at = np.searchsorted(row, ends, side="left")
            at[1::2] = np.searchsorted(row, self.rows, side="right")
            row, t, n = (np.insert(some, at, more) for some, more in ((row, ends), (t, n_added), (n, n_added)))
        while True:
            is_start = np.ones(len(row), dtype=bool)
            is_start[1:] = (row[1:] != row[:-1]) | (t[:-1] * n[1:] < t[1:] * n[:-1])
            if is_start.all():
                return row, t, n
            start = np.flatnonzero(is_start)
            row, t, n = row[start], np.add.reduceat(t, start), np.add.reduceat(n, start)

    # each returns the number of each draw, and whether it is certain

    def equal_error(self, rule: str) -> tuple[ndarray, ndarray]:
        n_t, n_n = self.n
        if rule == "convex_hull":
            return self._hull_error()
        if rule == "target_step":
            at = self.first(lambda k: self.point(k)[1] * n_t <= n_n * (self.point(k + 1)[0] - 1), self.n_group)
            miss, fa = self.point(np.minimum(at, self.n_group - 1))
            found = np.where(at < self.n_group, np.maximum(miss, -(-fa * n_t // n_n)), n_t)
            miss, fa = self.point(
                1
            )  # no target below point 1 qualifies if its last one, with the fewest false alarms, does not
            is_above = (fa * n_t > n_n * (miss - 1)) | (not self.is_merged[0])
            return np.minimum(found, n_t - 1) / n_t, self.is_inside(at) & is_above
        if rule in ("nearest_corner", "nearest_max"):
            return self._corner_error(rule)
        at = self.first(lambda k: self.balance(k) > 0, self.n_group + 1) - 1
        (miss, fa), (miss_up, fa_up) = self.point(at), self.point(at + 1)
        low, high = miss * n_n - fa * n_t, miss_up * n_n - fa_up * n_t
        if rule == "interpolated":
            return (miss - low / (high - low) * (miss_up - miss)) / n_t, self.is_inside(at)
        if rule == "nearest_trial":  # targets of a tie come first: the last trial of balance <= 0, and the one after
            turn = low + (miss_up - miss) * n_n
            is_target = turn > 0
            step = np.where(is_target, -low // n_n, -turn // n_t)
            miss, fa = np.where(is_target, miss + step, miss_up), np.where(is_target, fa, fa - step)
            low, miss_up, fa_up = miss * n_n - fa * n_t, miss + is_target, fa - ~is_target
            high = miss_up * n_n - fa_up * n_t
            is_low = -low <= high
        else:
            is_low = -low < high
        return np.where(is_low, miss / n_t + fa / n_n, miss_up / n_t + fa_up / n_n) / 2, self.is_inside(at)

    def hull_edge(self) -> tuple[ndarray, ...]:
        """Misses, false alarms where the hull's segment that crosses equal rates starts; its targets, non-targets."""
        row, t, n = self.pools()
        miss, fa, (n_t, n_n) = _before(row, t), self.n[1][row] - _before(row, n), (some[row] for some in self.n)
        balance = miss * n_n - fa * n_t
        of = (balance <= 0) & (balance + t * n_n + n * n_t > 0)
        return miss[of], fa[of], t[of], n[of]

    def _hull_error(self) -> tuple[ndarray, ndarray]:
        (miss, fa, t, n), (n_t, n_n) = self.hull_edge(), self.n
        is_certain = self.is_bounded(n / n_n * miss / n_t + t / n_t * fa / n_n, n / n_n, t / n_t)
        return (miss + (fa * n_t - miss * n_n) / (t * n_n + n * n_t) * t) / n_t, is_certain

    def _corner_error(self, rule: str) -> tuple[ndarray, ndarray]:
        row, group, t, n = self.groups
        place = np.arange(len(row))
        start = np.flatnonzero(np.diff(row, prepend=-1))  # of each draw
        last = np.append(start[1:], len(row)) - 1
        n_t, n_n = (some[row] for some in self.n)
        miss, fa = _before(row, t), n_n - _before(row, n)
        # the point before each group is a corner, unless the steps to both sides are equal
        is_corner = np.append(True, (t[1:] != t[:-1]) | (n[1:] != n[:-1]))
        is_corner[start] = is_corner[last] = True
        corner = np.maximum.accumulate(np.where(is_corner, place, 0))
        after = np.minimum.accumulate(np.where(is_corner, place, len(row))[::-1])[::-1]
        at = np.add.reduceat(miss * n_n <= fa * n_t, start) - 1 + start
        low = corner[at]
        high = np.append(after[1:], len(row))[at]
        is_end = high > last  # reject all
        miss_up, fa_up = (
            np.where(is_end, self.n[0], np.append(miss, 0)[high]),
            np.where(is_end, 0, np.append(fa, 0)[high]),
        )
        miss, fa, (n_t, n_n) = miss[low], fa[low], self.n
        is_low = fa * n_t - miss * n_n < miss_up * n_n - fa_up * n_t
        rates = np.where(is_low, miss, miss_up) / n_t, np.where(is_low, fa, fa_up) / n_n
        # whether a point is a corner must not depend on a merged group: the groups at its sides are known
        is_known = ~((group[np.maximum(low - 1, start)] == 0) & self.is_merged[0])
        is_known &= ~((group[np.minimum(high, last)] == self.n_group - 1) & self.is_merged[1])
        return np.maximum(*rates) if rule == "nearest_max" else sum(rates) / 2, is_known

    def least_cost(self, price_miss: float, price_fa: float) -> tuple[ndarray, ndarray]:
        # a minimum is at reject-all or just below a target
        at = np.append(np.flatnonzero(np.diff(self.ends[0])), self.n_group)
        miss, rejected = (np.take(below, end[at], axis=1) for below, end in zip(self.below, self.ends, strict=True))
        cost = miss * (price_miss / self.n[0])[:, None]
        cost -= rejected * (price_fa / self.n[1])[:, None]
        cost = cost.min(axis=1) + price_fa
        return cost, self.is_bounded(cost - TIE, price_miss, price_fa)

    def area(self) -> ndarray:
        of = np.repeat(np.arange(self.n_group), np.diff(self.ends[0]))  # group of each cell of targets
        rejected = sum(np.take(self.below[1], self.ends[1][at], axis=1) for at in (of, of + 1))
        return np.einsum("ij,ij->i", self.counts[0], rejected, dtype=float) / (2.0 * self.n[0] * self.n[1])

    def least_cllr(self, is_laplace: bool) -> ndarray:
        row, t, n = self.pools(int(is_laplace))
        n_t, n_n = (some[row].astype(np.float64) for some in self.n)
        kept = [t.astype(np.float64), n.astype(np.float64)]
        if is_laplace:  # the two trials added at each end cost nothing themselves
            is_first = np.append(True, row[1:] != row[:-1])
            is_last = np.append(is_first[1:], True)
            kept = [some - is_first - is_last for some in kept]
        of = (t > 0) & (n > 0)
        odds = t[of] / n[of] * (n_n / n_t)[of]
        bits = kept[0][of] * np.log1p(1 / odds) / n_t[of] + kept[1][of] * np.log1p(odds) / n_n[of]
        return np.bincount(row[of], bits, minlength=len(self.rows)) / math.log(4)


def _before(row: ndarray, some: ndarray) -> ndarray:
    """Return the sums of what comes before, in each draw apart."""
    total = np.cumsum(some) - some
    return total - total[np.searchsorted(row, row)]


def _ranks(score: ndarray) -> ndarray:
    """Return the group of each score, from 0, ascending."""
    order = np.argsort(score, kind="stable")
    ordered, rank = score[order], np.empty(len(score), dtype=np.int64)
    rank[order] = np.cumsum(np.append(False, ordered[1:] != ordered[:-1])) if len(score) else 0
    return rank


def _joined(code: ndarray, is_target: ndarray) -> ndarray:
    """Return groups of which neighbours of one and the same class are joined: no draw can part them."""
    t, n = np.bincount(code, is_target), np.bincount(code, ~is_target)
    kind = np.where(n == 0, 1, np.where(t == 0, 2, 3))
    return np.cumsum(np.append(0, (kind[1:] != kind[:-1]) | (kind[1:] == 3)))[code]


def _windowed(code: ndarray, is_target: ndarray, measure: Measure) -> tuple[ndarray, tuple[bool, bool]]:
    """Return groups of which those beyond the window are merged, and whether there are such at each end.

    A threshold is inside if its draws could be the crossing (the least cost) by REACH standard errors and FEW trials.
    """
    (n_t, n_n), (a, b) = (int(is_target.sum()), int((~is_target).sum())), measure.prices
    counts = [np.bincount(code, of) for of in (is_target, ~is_target)]
    miss = np.append(0, np.cumsum(counts[0])) / n_t
    fa = 1 - np.append(0, np.cumsum(counts[1])) / n_n
    fa[-1] = 0
    if measure.metric == "eer" and measure.eer != "convex_hull":
        away = miss - fa
        reach = REACH * np.sqrt(miss * (1 - miss) / n_t + fa * (1 - fa) / n_n) + FEW * (1 / n_t + 1 / n_n)
        low, high = int(np.argmax(away >= -reach)), len(away) - 1 - int(np.argmax((away <= reach)[::-1]))
    else:
        if measure.metric == "eer":
            curve = _Curve(
                (counts[0][None], counts[1][None]),
                (np.arange(len(miss)),) * 2,
                (np.array([n_t]), np.array([n_n])),
                (False, False),
            )
            _, _, t, n = curve.hull_edge()
            a, b = max(n[0], 1) / n_n, max(t[0], 1) / n_t
        cost = a * miss + b * fa
        best = int(np.argmin(cost))
        few, own = FEW * (a / n_t + b / n_n), a * a * miss[best] / n_t + b * b * fa[best] / n_n
        is_low = b * fa - cost[best] >= REACH * np.sqrt(b * b * np.abs(fa - fa[best]) / n_n + own) + few
        is_high = a * miss - cost[best] >= REACH * np.sqrt(a * a * np.abs(miss - miss[best]) / n_t + own) + few
        low = int(np.flatnonzero(is_low)[-1]) if is_low.any() else 0
        high = int(np.argmax(is_high)) if is_high.any() else len(miss) - 1
    low, high = max(low - 1, 0), min(high + 1, len(miss) - 1)
    return np.clip(code - low + 1, 0, high - low + 1) - (low == 0), (low > 0, high < len(miss) - 1)


# ---- draws


class Cells:
    """The cells of trials that a metric tells apart in some run."""

    def __init__(self, trials: Trials, measure: Measure, plan: Plan, *, is_windowed: bool) -> None:
        is_target, scores = trials.is_target, trials.scores
        self.measure, self.plan, self.n_run = measure, plan, len(scores)
        self.merged = [(False, False)] * self.n_run
        codes = []
        for at, score in enumerate(scores):
            if measure.is_decided:
                codes.append(trials.decisions(measure, at).astype(np.int64))
                continue
            code = _ranks(score)
            if measure.metric != "cllr":
                if measure.metric != "eer" or measure.eer not in BY_POINT:
                    code = _joined(code, is_target)
                is_point = measure.metric == "eer" or measure.metric.startswith("min_c_det")
                if is_windowed and is_point and is_target.any() and not is_target.all():
                    code, self.merged[at] = _windowed(code, is_target, measure)
            codes.append(code)
        self.cell, self.size, self.sides, self.terms, self.orders = [], [], [], [], []
        for of, sides, sign in zip((is_target, ~is_target), plan.sides, (-1, 1), strict=True):
            told_apart = (
                codes if measure.metric != "cllr" or sides is None else ()
            )  # of units the sums of terms suffice
            cell, first, size = cells_of(
                int(of.sum()), *(code[of] for code in told_apart), *(unit for _, unit in sides or ())
            )
            self.cell.append(cell)
            self.size.append(size)
            self.sides.append(sides and [(population, unit[first]) for population, unit in sides])
            if measure.metric == "cllr":
                by_run = [np.bincount(cell, np.logaddexp(0, sign * score[of]), len(size)) / size for score in scores]
                terms = np.array(by_run).T / math.log(4)
                self.terms.append(whole(terms) if np.isfinite(terms).all() else (terms, 1.0))
                continue
            orders = []
            for code in codes:
                own, n_group = code[of][first], 2 if measure.is_decided else int(code.max(initial=0)) + 1
                order = np.argsort(own, kind="stable")
                is_sorted = bool((np.diff(order) == 1).all())
                orders.append((None if is_sorted else order, np.searchsorted(own[order], np.arange(n_group + 1))))
            self.orders.append(orders)

    def sources(self) -> list[ndarray]:
        """Return the cells to draw: of each class that is drawn by trial, then of each population of units."""
        by_trial = [size if sides is None else size[:0] for size, sides in zip(self.size, self.plan.sides, strict=True)]
        return by_trial + [np.ones(n, dtype=np.int64) for n in self.plan.n_unit]

    def counts(self, drawn: Sequence[ndarray]) -> list[ndarray]:
        """Return the counts of the cells of each class, given those of each source."""
        units, found = [np.pad(some, ((0, 0), (0, 1)), constant_values=1) for some in drawn[2:]], []
        for own, size, sides in zip(drawn, self.size, self.sides, strict=False):
            if sides is not None:
                own = size.astype(np.int32)
                for population, unit in sides:
                    own = own * np.take(units[population], unit, axis=1)
            found.append(own)
        return found

    def values(self, counts: Sequence[ndarray]) -> tuple[ndarray, ndarray]:
        """Return the numbers (draws x runs; NaN: a class is lacking), and which draws are certain."""
        measure, totals = self.measure, [some.sum(axis=1, dtype=np.int64) for some in counts]
        found, is_certain = np.full((len(totals[0]), self.n_run), np.nan), np.ones(len(totals[0]), dtype=bool)
        has = is_certain.copy()
        for n, is_needed in zip(totals, measure.depends_on, strict=True):
            has &= (n > 0) | (not is_needed)
        if not has.all():
            if has.any():
                found[has], is_certain[has] = self.values([some[has] for some in counts])
            return found, is_certain
        if measure.metric == "cllr":
            parts = [
                (some.astype(np.float64) @ numbers) * grain / n[:, None]
                for some, (numbers, grain), n in zip(counts, self.terms, totals, strict=True)
            ]
            return parts[0] + parts[1], is_certain
        for run in range(self.n_run):
            orders = [order[run] for order in self.orders]
            ordered = [
                some if order is None else np.take(some, order, axis=1)
                for some, (order, _) in zip(counts, orders, strict=True)
            ]
            curve = _Curve(
                (ordered[0], ordered[1]), (orders[0][1], orders[1][1]), (totals[0], totals[1]), self.merged[run]
            )
            found[:, run], certain = self._value(curve, totals)
            is_certain &= certain
        return found, is_certain

    def _value(self, curve: _Curve, totals: Sequence[ndarray]) -> tuple[ndarray, ndarray | bool]:
        measure, (price_miss, price_fa) = self.measure, self.measure.prices
        if measure.is_decided:  # two groups: rejected, accepted
            p_miss, p_fa = (wrong / np.maximum(n, 1) for wrong, n in zip(curve.point(1), totals, strict=True))
            if measure.metric in RATES:
                return p_miss if measure.metric.endswith("p_miss") else p_fa, True
            return price_miss * p_miss + price_fa * p_fa, True
        if measure.metric == "eer":
            return curve.equal_error(measure.eer)
        if measure.metric == "auc":
            return curve.area(), True
        if measure.metric == "min_cllr":
            return curve.least_cllr(measure.min_cllr == "laplace"), True
        return curve.least_cost(price_miss, price_fa)


# ---- draws of trials


def ahead(values: Iterator[T]) -> Iterator[T]:
    """Yield values, each made in a second thread while the one before is used."""
    with ThreadPoolExecutor(1) as other:
        end = object()
        coming = other.submit(next, values, end)
        while (value := coming.result()) is not end:
            coming = other.submit(next, values, end)
            yield cast(T, value)


def observed(trials: Trials, measure: Measure) -> ndarray:
    """Return the number of each run over the trials themselves; NaN where a class is missing."""
    cells = Cells(trials, measure, Plan(), is_windowed=False)
    return cells.values([size[None] for size in cells.size])[0][0]


def draw_trials(
    trials: Trials,
    measure: Measure,
    *,
    n_draw: int,
    seed: int,
    is_windowed: bool = True,
    step: Step | None = None,
) -> ndarray:
    """Return the numbers of the runs over draws of the trials (draws x runs); NaN where a draw lacks a class."""
    plan = Plan.of(trials)
    cells = Cells(trials, measure, plan, is_windowed=is_windowed)
    sources = [Multinomial(size, n_draw, stream(seed, 3, at)) for at, size in enumerate(cells.sources())]
    width = sum(map(len, cells.size)) + sum(len(source.single) for source in sources)
    values, uncertain = np.empty((n_draw, cells.n_run)), []
    taken = ((rows, [source.take(rows) for source in sources]) for rows in blocks(n_draw, width, 2**21))
    for rows, drawn in ahead(taken):
        values[rows], is_certain = cells.values(cells.counts(drawn))
        for row in np.flatnonzero(~is_certain).tolist():
            uncertain.append((rows.start + row, [some[row : row + 1] for some in drawn]))
        if step is not None:
            step(rows.stop - rows.start)
    if uncertain:
        full, raw = Cells(trials, measure, plan, is_windowed=False), stream(seed, 3, 9)
        for row, drawn in uncertain:
            for part in (0, 1):
                if plan.sides[part] is None:
                    drawn[part] = refined(raw, drawn[part], cells.cell[part], full.cell[part])
            values[row] = full.values(full.counts(drawn))[0][0]
    return values


def left_out(trials: Trials, measure: Measure) -> list[tuple[ndarray, ndarray]]:
    """Return, of each stratum, how many units have a value (J) and the values without one of them (J x runs).

    By trial and by units drawn apart a class is a stratum, of two sides each side is one.
    """
    cells = Cells(trials, measure, Plan.of(trials), is_windowed=False)
    base, found = cells.sources(), []
    for at, size in enumerate(base):
        parts = [np.empty((0, cells.n_run))]
        for rows in blocks(len(size), sum(map(len, cells.size))):
            drawn = [np.repeat(some[None].astype(np.int32), rows.stop - rows.start, axis=0) for some in base]
            drawn[at][np.arange(len(drawn[at])), np.arange(rows.start, rows.stop)] -= 1
            parts.append(cells.values(cells.counts(drawn))[0])
        found.append((size, np.concatenate(parts)))
    return found


# ---- results


def compare_trials(
    trials: Trials, measure: Measure, values: Sequence[float | None], how: How, step: Step | None = None
) -> dict[str, Any]:
    """Return the result of a pair: the first run of the trials against the second; None and NaN where undefined.

    Args:
        values: the numbers of both runs over all trials.
    """
    row = _facts(trials, measure, values, how)
    one, other = values
    row |= {"value": one, "baseline_value": other}
    if one is not None and other is not None and math.isfinite(one - other):
        row["difference"] = one - other
    if how.test == "mcnemar" and not row["reason"]:
        row |= mcnemar(trials, measure)
        row |= {"mc_error": 0.0, "is_exact": True}
    if row["reason"] or one is None or other is None:  # without a value there is a reason
        return row
    if how.interval == "normal":
        return row | (delong if measure.metric == "auc" else cllr_test)(trials, how.level)
    drawn, influence = _drawn(row, trials, measure, how, step)
    if row["reason"]:
        return row
    of_one, of_other = influence(lambda some: some[:, 0]), influence(lambda some: some[:, 1])
    row["value_low"], row["value_high"], _ = interval(drawn[:, 0], one, how.level, of_one)
    row["baseline_low"], row["baseline_high"], _ = interval(drawn[:, 1], other, how.level, of_other)
    differences = drawn[:, 0] - drawn[:, 1]
    row["low"], row["high"], p = interval(
        differences, row["difference"], how.level, influence(lambda some: some[:, 0] - some[:, 1])
    )
    row["deviation"] = math.sqrt(float(exact_sum((differences - differences.mean()) ** 2)) / len(differences))
    if math.isnan(row["low"]):
        row["reason"] = "a jackknife value is undefined: no BCa interval"
    if how.test == "bootstrap":
        row |= {"p": p, "mc_error": math.sqrt(max(0.0, p * (1 - p)) / len(drawn))}
    return row


def trial_interval(
    trials: Trials, measure: Measure, value: float | None, how: How, step: Step | None = None
) -> dict[str, Any]:
    """Return the interval of a run's number: the one run of the trials."""
    row = _facts(trials, measure, [value], how) | {"value": value, "low": math.nan, "high": math.nan}
    if not row["reason"] and value is not None:
        drawn, influence = _drawn(row, trials, measure, how, step)
        if not row["reason"]:
            row["low"], row["high"], _ = interval(drawn[:, 0], value, how.level, influence(lambda some: some[:, 0]))
    return row


def _facts(trials: Trials, measure: Measure, values: Sequence[float | None], how: How) -> dict[str, Any]:
    """Return what is drawn, notes on it, and why intervals are missing."""
    plan, n_target = Plan.of(trials), int(trials.is_target.sum())
    classes = (n_target, len(trials.is_target) - n_target)
    row: dict[str, Any] = {"n_target": classes[0], "n_nontarget": classes[1], "reason": None, "n_undefined_draw": None}
    row["n_unit"] = " x ".join(map(str, plan.n_unit)) or str(len(trials.is_target))
    notes = []
    if plan.n_lone:
        notes.append(f"{plan.n_lone:,} trials without a value of the unit: each is a cluster")
    for n, what, side in zip(classes, ("target", "non-target"), plan.sides, strict=True):
        if side is None and plan.n_unit:
            notes.append(f"{what}s have one value of the unit or none: drawn by trial")
        if n == 1 and how.interval != "normal":
            notes.append(f"1 {what}: its variation is not in the interval")
    if min(plan.n_unit, default=10) < 10:
        notes.append("fewer than 10 units: intervals are approximate")
    row["note"] = "; ".join(notes)
    names = ("no target", "no non-target")
    lacking = [
        what for is_needed, n, what in zip(measure.depends_on, classes, names, strict=True) if is_needed and not n
    ]
    if lacking:
        row["reason"] = f"{measure.metric} is not defined here: {' and '.join(lacking)} in the trials"
    elif None in values:
        row["reason"] = "a value is undefined" if len(values) > 1 else f"{measure.metric} is not defined here"
    elif not all(value is not None and math.isfinite(value) for value in values):
        row["reason"] = "infinite value: differences and intervals are undefined"
    elif how.interval != "normal" and min(plan.n_unit, default=FEWEST_UNITS) < FEWEST_UNITS:
        row["reason"] = f"fewer than {FEWEST_UNITS} units: nothing to resample"
    return row


def _drawn(
    row: dict[str, Any], trials: Trials, measure: Measure, how: How, step: Step | None
) -> tuple[ndarray, Callable[[Callable[[ndarray], ndarray]], tuple[float, float] | None]]:
    """Return the draws that have both classes, and a function from a statistic to the influence of units on it."""
    drawn = draw_trials(trials, measure, n_draw=how.n_resample, seed=how.seed, step=step)
    is_undefined = np.isnan(drawn).any(axis=1)
    n_undefined = row["n_undefined_draw"] = int(is_undefined.sum())
    if n_undefined > MOST_UNDEFINED * len(drawn):
        row["reason"] = f"{n_undefined:,} of {len(drawn):,} draws lack a class: more than {MOST_UNDEFINED:.0%}"
    strata = left_out(trials, measure) if how.interval == "bca" and not row["reason"] else None

    def influence(statistic: Callable[[ndarray], ndarray]) -> tuple[float, float] | None:
        if strata is None:
            return None
        square = cube = 0.0
        for size, without in strata:
            n = int(size.sum())
            if n > 1:
                values = statistic(without)
                if not np.isfinite(values).all():
                    return math.nan, math.nan
                own = (n - 1) * (float(exact_sum(size * values)) / n - values)
                own[np.abs(own) < TIE * n] = 0.0
                square += float(exact_sum(size * own**2)) / n**2
                cube += float(exact_sum(size * own**3)) / n**3
        return square, cube

    return drawn[~is_undefined], influence


# ---- closed forms


def delong(trials: Trials, level: float) -> dict[str, Any]:
    """Return the difference of two areas with its variance in closed form; sums of products are integers."""
    covariance, areas = np.zeros((2, 2)), np.zeros(2)
    for of, sign in ((trials.is_target, 1), (~trials.is_target, -1)):
        n, n_other = int(of.sum()), int((~of).sum())
        if n < 2:
            return {"reason": "a class of one trial: no test and no interval"}
        placed = []
        for score in trials.scores:
            other, own = np.sort(sign * score[~of]), sign * score[of]
            placed.append(np.searchsorted(other, own, side="left") + np.searchsorted(other, own, side="right"))
        total, step = [int(some.sum()) for some in placed], max(1, 2**62 // (4 * n_other**2))
        areas = np.array([some / (2 * n * n_other) for some in total])
        for i in (0, 1):
            for j in (0, 1):
                product = sum(int(placed[i][at : at + step] @ placed[j][at : at + step]) for at in range(0, n, step))
                covariance[i, j] += (n * product - total[i] * total[j]) / (4 * n_other**2 * n**2 * (n - 1))
    return _normal(areas, covariance, level, is_share=True)


def cllr_test(trials: Trials, level: float) -> dict[str, Any]:
    """Return the difference of the Cllr of two runs by the variance of paired terms in each class."""
    covariance, values = np.zeros((2, 2)), np.zeros(2)
    for of, sign in ((trials.is_target, -1), (~trials.is_target, 1)):
        n = int(of.sum())
        if n < 2:
            return {"reason": "a class of one trial: no test and no interval"}
        terms = np.logaddexp(0, sign * trials.scores[:, of]) / math.log(4)
        means = np.array([float(exact_sum(term)) / n for term in terms])
        away, values = terms - means[:, None], values + means
        for i in (0, 1):
            for j in (0, 1):
                covariance[i, j] += float(exact_sum(away[i] * away[j])) / (n - 1) / n
    return _normal(values, covariance, level, is_share=False)


def _normal(values: ndarray, covariance: ndarray, level: float, *, is_share: bool) -> dict[str, Any]:
    z = NORMAL.inv_cdf((1 + level) / 2)
    reach = z * np.sqrt(covariance.diagonal())
    low, high = values - reach, values + reach
    if is_share:
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
    row = {"value_low": low[0], "value_high": high[0], "baseline_low": low[1], "baseline_high": high[1]}
    row = {name: float(number) for name, number in row.items()} | {"mc_error": 0.0, "is_exact": True}
    difference, variance = float(values[0] - values[1]), covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    se = row["se"] = math.sqrt(variance) if variance > ROUNDING * covariance.max() else 0.0
    if se:
        at = difference / se
        row |= {"low": difference - z * se, "high": difference + z * se, "statistic": at}
        return row | {"p": 2 * NORMAL.cdf(-abs(at))}
    if abs(difference) < TIE:
        return row | {"low": 0.0, "high": 0.0, "p": 1.0}
    return row | {"reason": "the difference does not vary: no test"}


def mcnemar(trials: Trials, measure: Measure) -> dict[str, Any]:
    """Return the exact two-sided p of errors that only one of two runs makes, and how many these are."""
    is_miss = measure.metric.endswith("p_miss")
    of = trials.is_target if is_miss else ~trials.is_target
    wrong = [trials.decisions(measure, run)[of] != is_miss for run in (0, 1)]
    one, other = int((wrong[0] & ~wrong[1]).sum()), int((wrong[1] & ~wrong[0]).sum())
    n = one + other
    first = math.lgamma(n + 1) - n * math.log(2)
    logs = [first - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(min(one, other) + 1)]
    p = min(1.0, 2 * math.fsum(map(math.exp, logs))) if one != other else 1.0
    return {"n_only_run": one, "n_only_baseline": other, "p": p}
