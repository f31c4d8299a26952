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
from typing import TypeVar, cast

import numpy as np
from numpy import ndarray

from tdtsql.compare.resample import (
    FEWEST_UNITS,
    NORMAL,
    ROUNDING,
    TIE,
    Row,
    Step,
    blocks,
    counted_rows,
    exact_sum,
    interval,
    places,
    stream,
    whole,
)
from tdtsql.compare.settings import COSTS, MOST_BCA, RATES, Method
from tdtsql.errors import InvalidSetting

MERGED = 250  #: a cell of so many trials is drawn as one number
TOGETHER = 20_000  #: so many single trials are drawn as Poisson numbers
REACH, FEW = 5.0, 12.0  #: half width of a window in standard errors, and in trials: small counts are not normal
MOST_UNDEFINED = 0.01  #: greatest share of draws without a class
HANDFUL = 10  #: errors of a class below which intervals of values are too narrow
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

    def most_errors(self, n: tuple[int, int], value: float) -> tuple[float, float]:
        """Return how many misses and false alarms at most are behind a value over so many trials of each class;
        infinite of metrics that count none.
        """
        if self.metric == "eer" or self.metric in RATES:
            return value * n[0] if self.depends_on[0] else math.inf, value * n[1] if self.depends_on[1] else math.inf
        miss, fa = (value * size / price if price else math.inf for size, price in zip(n, self.prices, strict=True))
        return (miss, fa) if "c_det" in self.metric else (math.inf, math.inf)


@dataclass(frozen=True)
class Trials:
    """The N trials of one subset, scored by R runs."""

    is_target: ndarray  #: N bool
    scores: ndarray  #: R x N
    accepts: ndarray | None = None  #: R x N bool, the runs' decisions
    sides: tuple[ndarray, ...] = ()  #: clusters of each trial: none (by trial), one array, or two; -1: no value
    is_one_population: bool = False  #: both sides name the same units: drawn once

    def of(self, runs: Sequence[int] | slice, where: ndarray | slice = slice(None)) -> "Trials":
        """Return the trials as some runs scored them; ``where``: N flags of those that are kept."""
        accepts = None if self.accepts is None else self.accepts[runs][:, where]
        sides = tuple(side[where] for side in self.sides)
        return replace(
            self, is_target=self.is_target[where], scores=self.scores[runs][:, where], accepts=accepts, sides=sides
        )

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
            codes.append(np.where(side < 0, side.max(initial=-1) + np.cumsum(side < 0), side))
        n_lone = [sum(int((side[of] < 0).sum()) for side in trials.sides) for of in classes]
        if trials.is_one_population:
            n = max(int(code.max(initial=-1)) for code in codes) + 1
            codes[1] = np.where(codes[0] == codes[1], n, codes[1])  # a unit against itself counts once
            return cls(tuple(tuple((0, code[of]) for code in codes) for of in classes), (n,), sum(n_lone))
        codes = [np.unique(code, return_inverse=True)[1] for code in codes]
        sides: list[tuple[tuple[int, ndarray], ...] | None]
        sides = [tuple(enumerate(code[of] for code in codes)) for of in classes]
        n_unit = [int(code.max(initial=-1)) + 1 for code in codes]
        values = [np.unique(trials.sides[0][of]) for of in classes]
        is_single = [len(some) < 2 for some in values]
        if len(codes) == 1 and (sum(is_single) == 1 or not np.isin(values[0][values[0] >= 0], values[1]).any()):
            sides, n_unit = [], []
            for at, of in enumerate(classes):
                if is_single[at] and not all(is_single):
                    sides.append(None)
                    n_lone[at] = 0
                    continue
                unit = np.unique(codes[0][of], return_inverse=True)[1]
                sides.append(((len(n_unit), unit),))
                n_unit.append(int(unit.max(initial=-1)) + 1)
        return cls(tuple(sides), tuple(n_unit), sum(n_lone))


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
        is_open = np.zeros(len(flat), dtype=bool)
        for step in np.floor(self.steps).astype(np.uint16):
            counts += flat > step
            is_open |= flat == step
        at = np.flatnonzero(is_open)  # there 53 bits more decide
        counts[at] = np.searchsorted(self.steps, flat[at] + uniform(self.raw, len(at)), side="right")
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
        """Draw, place (draw * groups + number), targets, non-targets of each group of scores that a draw has."""
        t, n = (np.diff(np.take(below, end, axis=1), axis=1) for below, end in zip(self.below, self.ends, strict=True))
        is_there = t + n > 0
        place, row = np.flatnonzero(is_there), np.repeat(self.rows, np.count_nonzero(is_there, axis=1))
        return row, place, t.ravel()[place].astype(np.int64), n.ravel()[place].astype(np.int64)

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
        group, place = group % self.n_group, np.arange(len(row))
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


def _joined(code: ndarray, is_target: ndarray, is_hull: bool) -> ndarray:
    """Return groups of which neighbours of one and the same class are joined: no draw can part them. On the convex
    hull, targets alone are in one pool with what follows, and non-targets alone with what comes before.
    """
    t, n = np.bincount(code, is_target), np.bincount(code, ~is_target)
    kind = np.where(n == 0, 1, np.where(t == 0, 2, 3))
    is_new = (kind[1:] != kind[:-1]) | (kind[1:] == 3)
    if is_hull:
        is_new &= (kind[:-1] != 1) & (kind[1:] != 2)
    return np.cumsum(np.append(0, is_new))[code]


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
                    is_hull = measure.metric == "min_cllr" or measure.metric == "eer" and measure.eer == "convex_hull"
                    code = _joined(code, is_target, is_hull)
                is_point = measure.metric == "eer" or measure.metric.startswith("min_c_det")
                if is_windowed and is_point and is_target.any() and not is_target.all():
                    code, self.merged[at] = _windowed(code, is_target, measure)
            codes.append(code)
        self.cell, self.size, self.sides, self.terms, self.orders = [], [], [], [], []
        for of, sides, sign in zip((is_target, ~is_target), plan.sides, (-1, 1), strict=True):
            told_apart = (
                codes if measure.metric != "cllr" or sides is None else ()
            )  # of units the sums of terms suffice
            n = int(of.sum())
            cell, first, size = cells_of(n, *(code[of] for code in told_apart), *(unit for _, unit in sides or ()))
            if sides is None and 2 * len(size) > n >= TOGETHER:  # few are alike, and single trials are drawn faster
                first, cell, size = (
                    np.argsort(codes[0][of], kind="stable"),
                    np.empty(n, dtype=np.int64),
                    np.ones_like(cell),
                )
                cell[first] = np.arange(n)
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


def resampled(
    trials: Trials, measure: Measure, values: Sequence[float | None], method: Method, step: Step | None = None
) -> Row:
    """Return the result of a pair, the first run of the trials against the second, or of the only run: the interval of
    its number. None and NaN where undefined.

    Args:
        values: the numbers of the runs over all trials.

    Raises:
        InvalidSetting: there are too many units for a BCa interval.
    """
    row = _facts(trials, measure, values, method)
    row |= dict(zip(("value", "baseline_value"), values, strict=False))
    known = [value for value in values if value is not None and math.isfinite(value)]
    if len(known) == 2:
        row["difference"] = known[0] - known[1]
    if method.test == "mcnemar" and not row["reason"]:
        row |= mcnemar(trials, measure)
    if row["reason"]:
        return row
    if method.interval == "normal":
        return row | closed_form(trials, measure, method.level)
    drawn = draw_trials(trials, measure, n_draw=method.n_draw, seed=method.seed, step=step)
    is_defined = ~np.isnan(drawn).any(axis=1)
    n_undefined = row["n_undefined_draw"] = int((~is_defined).sum())
    if n_undefined > MOST_UNDEFINED * len(drawn):
        row["reason"] = f"{n_undefined:,} of {len(drawn):,} draws lack a class: more than {MOST_UNDEFINED:.0%}"
        return row
    drawn, p = drawn[is_defined], math.nan
    strata = left_out(trials, measure) if method.interval == "bca" else None
    combinations = (
        {"": (1.0,)} if len(values) == 1 else {"value_": (1.0, 0.0), "baseline_": (0.0, 1.0), "": (1.0, -1.0)}
    )
    for name, factors in combinations.items():  # the difference last
        of, value = drawn @ factors, float(np.dot(known, factors))
        influence = None if strata is None else _influence([(size, without @ factors) for size, without in strata])
        row[f"{name}low"], row[f"{name}high"], p = interval(of, value, method.level, influence)
    row["deviation"] = math.sqrt(exact_sum((of - of.mean()) ** 2) / len(of))
    if math.isnan(row["low"]):
        row["reason"] = "a jackknife value is undefined: no BCa interval"
    if method.test == "bootstrap":
        row |= {"p": p, "mc_error": math.sqrt(max(0.0, p * (1 - p)) / len(drawn))}
    return row


def _facts(trials: Trials, measure: Measure, values: Sequence[float | None], method: Method) -> Row:
    """Return what is drawn, notes on it, and why intervals are missing."""
    plan, n_target = Plan.of(trials), int(trials.is_target.sum())
    classes, is_drawn = (n_target, len(trials.is_target) - n_target), method.interval != "normal"
    row: Row = {"n_target": classes[0], "n_nontarget": classes[1], "reason": None, "n_undefined_draw": None}
    row["n_unit"] = " x ".join(map(str, plan.n_unit)) or str(len(trials.is_target))
    names, notes = ("target", "non-target"), []
    if plan.n_lone:
        notes.append(f"{plan.n_lone:,} trials without a value of the unit: each is a cluster")
    for n, what, side in zip(classes, names, plan.sides, strict=True):
        if side is None and plan.n_unit:
            notes.append(f"{what}s have one value of the unit or none: drawn by trial")
        if n == 1 and is_drawn:
            notes.append(f"1 {what}: its variation is not in the interval")
    if min(plan.n_unit, default=10) < 10:
        notes.append("fewer than 10 units: intervals are approximate")
    lacking = [
        f"no {what}"
        for what, is_needed, n in zip(names, measure.depends_on, classes, strict=True)
        if is_needed and not n
    ]
    n_unit = sum(plan.n_unit) + sum(n for n, side in zip(classes, plan.sides, strict=True) if side is None)
    if lacking:
        row["reason"] = f"{measure.metric} is not defined here: {' and '.join(lacking)} in the trials"
    elif None in values:
        row["reason"] = "a value is undefined" if len(values) > 1 else f"{measure.metric} is not defined here"
    elif not all(value is not None and math.isfinite(value) for value in values):
        row["reason"] = "infinite value: differences and intervals are undefined"
    elif is_drawn and min(plan.n_unit, default=FEWEST_UNITS) < FEWEST_UNITS:
        row["reason"] = f"fewer than {FEWEST_UNITS} units to draw: no test and no interval"
    elif method.interval == "bca" and n_unit > MOST_BCA:
        raise InvalidSetting(
            f"interval bca is for at most {MOST_BCA:,} units, and there are {n_unit:,}. Use --interval percentile."
        )
    elif is_drawn:
        errors = measure.most_errors(classes, min(value for value in values if value is not None))
        few = [
            f"{what} at most {math.floor(n + TIE)}"
            for n, what in zip(errors, ("misses", "false alarms"), strict=True)
            if n < HANDFUL
        ]
        if few:
            notes.append(
                f"few errors ({', '.join(few)}): intervals of values hold the true one less often than they say"
            )
    row["note"] = "; ".join(notes)
    return row


def _influence(strata: list[tuple[ndarray, ndarray]]) -> tuple[float, float]:
    """Return the sums of squares and of cubes of the influence of units, of the values without one of them."""
    square = cube = 0.0
    for size, values in strata:
        n = int(size.sum())
        if n > 1:
            if not np.isfinite(values).all():
                return math.nan, math.nan
            own = (n - 1) * (exact_sum(size * values) / n - values)
            own[np.abs(own) < TIE * n] = 0.0
            square += exact_sum(size * own**2) / n**2
            cube += exact_sum(size * own**3) / n**3
    return square, cube


# ---- closed forms


def closed_form(trials: Trials, measure: Measure, level: float) -> Row:
    """Return the difference of two areas (DeLong) or of two Cllr, which are means of terms in each class, by the
    variance of the paired terms.
    """
    covariance, values, is_area = np.zeros((2, 2)), np.zeros(2), measure.metric == "auc"
    for of, sign in ((trials.is_target, 1), (~trials.is_target, -1)):
        n = int(of.sum())
        if n < 2:
            return {"reason": "a class of one trial: no test and no interval"}
        terms = np.logaddexp(0, -sign * trials.scores[:, of]) / math.log(4)
        if is_area:  # the share of the other class on the right side, ties half
            for term, score in zip(terms, sign * trials.scores, strict=True):
                other = np.sort(score[~of])
                term[:] = np.searchsorted(other, score[of], side="left") + np.searchsorted(
                    other, score[of], side="right"
                )
            terms /= 2 * (len(of) - n)
        means = np.array([exact_sum(term) / n for term in terms])
        away, values = terms - means[:, None], means + (0 if is_area else values)
        covariance += np.array([[exact_sum(one * other) for one in away] for other in away]) / (n - 1) / n
    z = NORMAL.inv_cdf((1 + level) / 2)
    reach = z * np.sqrt(covariance.diagonal())
    low, high = values - reach, values + reach
    if is_area:
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
    row = {"value_low": low[0], "value_high": high[0], "baseline_low": low[1], "baseline_high": high[1]}
    difference, variance = float(values[0] - values[1]), covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    se = row["se"] = math.sqrt(variance) if variance > ROUNDING * covariance.max() else 0.0
    if se:
        row |= {"statistic": difference / se, "p": 2 * NORMAL.cdf(-abs(difference / se))}
        return row | {"low": difference - z * se, "high": difference + z * se}
    if abs(difference) < TIE:
        return row | {"low": 0.0, "high": 0.0, "p": 1.0}
    return row | {"reason": "the difference does not vary: no test"}


def mcnemar(trials: Trials, measure: Measure) -> Row:
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
