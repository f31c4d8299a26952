"""Statistics of scored trials as functions of how often each trial counts, and their draws: arrays in, numbers out.

Trials that a statistic cannot tell apart in any of the runs form a *cell*; a draw is one whole number per cell. By
trial, draws are multinomial in each class; clusters are drawn singly and passed on to the cells of their trials. The
draws depend on the cells, hence on the metric and on the runs of a pair, and on nothing else.

| statistic                    | is a function of                                                                     |
|------------------------------|--------------------------------------------------------------------------------------|
| rates, actual costs, Cllr    | a mean of terms in each class                                                        |
| EER, minimum cost, AUC,      | misses and false alarms at the points between groups of scores (`Curve`)             |
| minimum Cllr                 |                                                                                      |

Windows. Equal error rate and minimum cost depend on thresholds near the operating point, so scores beyond a window are
merged (`near_operating_point`). Each draw is checked against a bound that holds for all merged thresholds; where one
fails, all are drawn again at the full resolution.

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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy import ndarray

from tdtsql.compare.resample import (
    FEWEST_UNITS,
    NORMAL,
    TIE,
    Draws,
    Row,
    Sample,
    Step,
    blockwise,
    exact_sum,
    interval,
    stream,
    whole,
)
from tdtsql.compare.settings import COSTS, MOST_BCA, RATES, Method
from tdtsql.errors import InvalidSetting

REACH, FEW = 5.0, 12.0  #: half width of a window in standard errors, and in trials: small counts are not normal
MOST_UNDEFINED = 0.01  #: greatest share of draws without a class
HANDFUL = 10  #: errors of a class below which intervals of values are too narrow
#: what columns of intervals begin with: of the number of the run, of the baseline, of their difference
NAMES = ("value_", "baseline_", "")
CLASSES, ERRORS = ("target", "non-target"), ("misses", "false alarms")
#: rules of the equal error rate: on corners of the curve, on single trials, on points that scores of one class part
CORNERS, BY_TRIAL = ("nearest_corner", "nearest_max"), ("nearest_trial", "target_step")
BY_POINT = ("nearest_point", *CORNERS)


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
    def is_mean(self) -> bool:
        """The metric is a weighted sum of the means of terms in each class."""
        return self.metric in (*RATES, *COSTS, "cllr")

    @property
    def prices(self) -> tuple[float, float]:
        """The weights of a miss and of a false alarm, of terms for Cllr; 0: the number does not need the class."""
        if "c_det" not in self.metric:
            weight = 0.5 if self.metric == "cllr" else 1.0
            return weight * (not self.metric.endswith("p_fa")), weight * (not self.metric.endswith("p_miss"))
        miss, fa = self.price_miss or 0.0, self.price_fa or 0.0
        scale = min(miss, fa) if self.metric.endswith("norm") else 1.0
        return miss / scale, fa / scale


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

    @property
    def classes(self) -> tuple[ndarray, ndarray]:
        """Flags of the targets and of the non-targets."""
        return self.is_target, ~self.is_target

    def terms(self, measure: Measure) -> ndarray:
        """Return what a mean is of (R x N): errors as 0 and 1, or bits of Cllr."""
        if measure.metric == "cllr":
            return np.logaddexp(0, np.where(self.is_target, -self.scores, self.scores)) / math.log(2)
        accepts = None if measure.metric.startswith("act") else self.accepts
        accepts = self.scores >= measure.threshold if accepts is None else accepts
        return np.not_equal(accepts, self.is_target).astype(np.float64)

    def tally(self, code: ndarray) -> ndarray:
        """Return how many targets and how many non-targets each of G groups has (2 x G), of the group of each trial."""
        n_group = int(code.max(initial=-1)) + 1
        return np.bincount(code + n_group * ~self.is_target, minlength=2 * n_group).reshape(2, -1)

    def shares(self) -> ndarray:
        """Return the share of the other class on the right side of each trial, ties half (R x N)."""
        found = []
        for score in self.scores:
            code = np.unique(score, return_inverse=True)[1]
            tally = self.tally(code)
            t, n = (np.cumsum(tally, axis=1) - tally / 2) / tally.sum(axis=1, keepdims=True)
            found.append(np.where(self.is_target, n[code], 1 - t[code]))
        return np.array(found)


@dataclass(frozen=True)
class Plan:
    """How trials are drawn: each class by trial, or by one or two sides of units.

    A side is the number of a population and the unit of each trial; the unit after the last of a population counts one
    in every draw.
    """

    by_trial: tuple[bool, ...] = (True, True)  #: of each class
    sides: tuple[tuple[int, ndarray], ...] = ()
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
        codes = [np.where(side < 0, side.max(initial=-1) + np.cumsum(side < 0), side) for side in trials.sides]
        is_lone = np.logical_or.reduce([side < 0 for side in trials.sides])
        parts = [np.ones(len(is_lone), dtype=bool)] * len(codes)
        if trials.is_one_population:
            n_unit = [int(np.max(codes, initial=-1)) + 1]
            sides = [(0, codes[0]), (0, np.where(codes[0] == codes[1], n_unit[0], codes[1]))]  # against itself: once
        else:
            if len(codes) == 1:
                values = [set(codes[0][of].tolist()) for of in trials.classes]
                of_many = [of for of in trials.classes if len(np.unique(trials.sides[0][of])) > 1]
                if len(of_many) == 1 or values[0].isdisjoint(values[1]):
                    parts = of_many or list(trials.classes)
            sides, n_unit = [], []
            for at, (code, part) in enumerate(zip(codes * len(parts), parts, strict=False)):
                units, own = np.unique(code[part], return_inverse=True)
                unit = np.full(len(code), len(units))
                unit[part] = own
                sides.append((at, unit))
                n_unit.append(len(units))
        is_drawn = np.logical_or.reduce(parts)
        by_trial = tuple(not is_drawn[of].any() for of in trials.classes)
        return cls(by_trial, tuple(sides), tuple(n_unit), int((is_lone & is_drawn).sum()))


# ---- statistics of a curve


class BeyondWindow(Exception):
    """The number of a draw could depend on trials that were merged."""


class Curve:
    """Misses and false alarms of D draws at each of G + 1 points between groups of scores, from accept-all to
    reject-all. A list of points has their flat indices, row by row, with the first and the last of each row.

    Its numbers are one of each draw; they raise BeyondWindow where one could depend on a merged group.
    """

    def __init__(self, errors: ndarray, is_merged: Sequence[bool] = (False, False)) -> None:
        """Take 2 x D x (G + 1) counts, and whether the first and the last group are beyond a window."""
        self.errors, self.is_merged, self.width = errors, is_merged, errors.shape[2]
        self.n = np.stack([errors[0, :, -1], errors[1, :, 0]]).astype(np.int64)  #: targets and non-targets of a draw

    @cached_property
    def balance(self) -> ndarray:
        return np.subtract(*(self.errors * self.n[::-1, :, None])).ravel()

    def point(self, at: ndarray) -> ndarray:
        return np.take(self.errors.reshape(2, -1), at, axis=1).astype(np.int64)

    def steps(self, at: ndarray) -> tuple[ndarray, ndarray, ndarray]:
        """Return targets and non-targets between neighbouring points, and flags of the ends of rows."""
        (t, n), place = np.diff(self.point(at)), at % self.width
        return t, -n, (place == 0) | (place == self.width - 1)

    def check(self, is_low: ndarray, is_high: ndarray) -> None:
        """Refuse draws whose number could depend on the first group, or on the last one, where these are merged."""
        if (is_low & self.is_merged[0] | is_high & self.is_merged[1]).any():
            raise BeyondWindow

    def check_cost(self, cost: ndarray, price_miss: ndarray | float, price_fa: ndarray | float) -> None:
        """Refuse draws where a point inside a merged group could cost less: rates are monotone."""
        miss, fa = self.errors[0, :, -2] / self.n[0], self.errors[1, :, 1] / self.n[1]
        self.check(price_fa * fa < cost, price_miss * miss < cost)

    @cached_property
    def occupied(self) -> ndarray:
        """The points above groups that a draw has."""
        is_there = np.ones(self.errors.shape[1:], dtype=bool)
        is_there[:, 1:-1] = np.diff(self.errors[0] - self.errors[1])[:, :-1] > 0
        return np.flatnonzero(is_there)

    @cached_property
    def hull(self) -> ndarray:
        """The vertices of the convex hull; between them are the pools of adjacent violators."""
        at = self.occupied
        (miss, fa), is_end = self.point(at), self.steps(at)[2]
        while True:
            t, n, is_vertex = np.diff(miss), -np.diff(fa), is_end.copy()
            is_vertex[1:-1] |= t[:-1] * n[1:] < t[1:] * n[:-1]
            if is_vertex.all():
                return at
            at, miss, fa, is_end = (column[is_vertex] for column in (at, miss, fa, is_end))

    def around(self, at: ndarray, more: int = 0) -> ndarray:
        """Return the last point of each row with at most as many misses as false alarms, as rates, and the next one;
        before and after them so many ``more`` points of the row (points x draws).
        """
        first = np.searchsorted(at, np.arange(0, self.errors[0].size, self.width))
        index = first + np.add.reduceat(self.balance[at] <= 0, first, dtype=np.int64) - 1
        last = np.append(first[1:], len(at)) - 1
        return at[np.clip(index + np.arange(-more, more + 2)[:, None], first, last)]

    def equal_error(self, rule: str) -> ndarray:
        """Return the equal error rate, see metric.verification_eer__v1."""
        (n_t, n_n), at, more = self.n, np.arange(self.errors[0].size), 0
        if rule == "convex_hull":
            at = self.hull
        elif rule in CORNERS:  # steps to both sides are not equal
            at, more = self.occupied, 1
            t, n, is_corner = self.steps(at)
            is_corner[1:-1] |= (t[1:] != t[:-1]) | (n[1:] != n[:-1])
            at = at[is_corner]
        near = self.around(at, more)
        (miss, miss_up), (fa, fa_up) = self.point(near[more : more + 2])
        below, above = self.balance[near[more : more + 2]]
        if rule == "convex_hull":
            t, n = (miss_up - miss) / n_t, (fa - fa_up) / n_n
            self.check_cost(n * (miss / n_t) + t * (fa / n_n), n, t)
        else:
            self.check(near[0] % self.width == 0, near[-1] % self.width == self.width - 1)
        if rule in ("interpolated", "convex_hull"):
            return (miss - below / (above - below) * (miss_up - miss)) / n_t
        if rule in BY_TRIAL:  # of a tie targets come first: the last trial of balance <= 0, and the one after
            miss = np.minimum(miss + -below // n_n, miss_up)
            is_target = miss < miss_up
            fa = fa - np.where(is_target, 0, (fa * n_t - miss * n_n) // n_t)
            below, miss_up, fa_up = miss * n_n - fa * n_t, miss + is_target, fa - ~is_target
            if rule == "target_step":
                return np.minimum(np.where(below < 0, miss_up, miss), n_t - 1) / n_t
            above = miss_up * n_n - fa_up * n_t + 1  # of two as near, the lower one
        rates = np.where(-below < above, (miss, fa), (miss_up, fa_up)) / self.n
        return rates.max(axis=0) if rule == "nearest_max" else rates.sum(axis=0) / 2

    def least_cost(self, *prices: float) -> ndarray:
        """Return the minimum cost, of the prices of a miss and of a false alarm."""
        least = np.add(*(self.errors * (np.array(prices)[:, None] / self.n)[:, :, None])).min(axis=1)
        self.check_cost(least - TIE, *prices)
        return least

    def area(self) -> ndarray:
        """Return the area under the curve."""
        (miss, fa), (n_t, n_n) = self.errors, self.n
        return 1 - np.einsum("ij,ij->i", np.diff(miss), fa[:, 1:] + fa[:, :-1], dtype=float) / (2.0 * n_t * n_n)

    def least_cllr(self, is_laplace: bool) -> ndarray:
        """Return the minimum Cllr: of each pool its own likelihood ratio."""
        curve, (n_t, n_n) = self, self.n
        if is_laplace:  # a target and a non-target are added below all scores, and above
            errors = np.pad(self.errors + 1, ((0, 0), (0, 0), (1, 1)))
            errors[0, :, -1], errors[1, :, 0] = self.n + 2
            curve = Curve(errors)
        t, n, is_end = curve.steps(curve.hull)
        of = np.flatnonzero((t > 0) & (n > 0))  # not from row to row
        row, t, n = curve.hull[of] // curve.width, 1.0 * t[of], 1.0 * n[of]
        odds, added = t / n * (n_n / n_t)[row], is_laplace * (1.0 * is_end[of] + is_end[of + 1])
        bits = (t - added) * np.log1p(1 / odds) / n_t[row] + (n - added) * np.log1p(odds) / n_n[row]
        return np.bincount(row, bits, minlength=len(n_t)) / math.log(4)

    def number(self, measure: Measure) -> ndarray:
        """Return the number of each draw."""
        if measure.metric == "eer":
            return self.equal_error(measure.eer)
        if measure.metric == "min_cllr":
            return self.least_cllr(measure.min_cllr == "laplace")
        return self.area() if measure.metric == "auc" else self.least_cost(*measure.prices)


# ---- cells


def groups_of(score: ndarray, trials: Trials, measure: Measure) -> ndarray:
    """Return the group of scores of each trial; neighbours of one and the same class are joined, as far as no draw can
    part them.
    """
    code = np.unique(score, return_inverse=True)[1]
    if measure.metric == "eer" and measure.eer in BY_POINT:
        return code
    t, n = trials.tally(code) > 0
    return np.cumsum(np.append(0, t[1:] & n[1:] | (t[1:] != t[:-1]) | (n[1:] != n[:-1])))[code]


def near_operating_point(code: ndarray, trials: Trials, measure: Measure) -> tuple[ndarray, tuple[bool, bool]]:
    """Return groups of which those beyond the window are merged, and whether there are such at each end.

    A threshold is outside if false alarms alone (below) or misses alone (above) cost more than the operating point by
    REACH standard errors and FEW trials; of equal errors both cost 1.
    """
    tally = trials.tally(code)
    below, n_group, size = (
        np.pad(np.cumsum(tally, axis=1), ((0, 0), (1, 0))),
        tally.shape[1],
        tally.sum(axis=1)[:, None],
    )
    below[1] = size[1] - below[1]
    rates, price, is_mean = below / size, np.array(measure.prices)[:, None], measure.metric != "eer"
    if measure.eer == "convex_hull" and not is_mean:
        curve, is_mean = Curve(below[:, None]), True
        t, n, _ = curve.steps(curve.around(curve.hull)[:, 0])
        price = np.maximum([n, t], 1) / size[::-1]
    costs = price * rates
    cost = costs.sum(axis=0) if is_mean else costs.max(axis=0)
    best, variance = int(np.argmin(cost)), costs * price / size
    least = cost[best] + FEW * (price / size).sum() + REACH * np.sqrt(variance + variance[:, [best]].sum())
    n_high, n_low = np.maximum((costs >= least).sum(axis=1) - 2, 0).tolist()
    high = n_group - n_high
    return np.clip(code - n_low + 1, 0, high - n_low + 1) - (n_low == 0), (n_low > 0, n_high > 0)


def cells_of(*columns: ndarray) -> tuple[ndarray, ndarray, ndarray]:
    """Return the cell of each of n trials by whole numbers >= 0, the first trial of each cell, and its size."""
    key = columns[0].astype(np.int64)
    for column in columns[1:]:
        key = np.unique(key, return_inverse=True)[1] * (int(column.max(initial=0)) + 1) + column
    _, first, cell, size = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return cell, first, size


class Cells:
    """The C cells of trials that a metric tells apart in some run: those of targets, then those of non-targets."""

    def __init__(self, trials: Trials, measure: Measure, plan: Plan, *, is_windowed: bool = False) -> None:
        self.measure, self.plan, self.merged = measure, plan, [(False, False)] * len(trials.scores)
        if measure.is_mean:  # of units the sums suffice
            terms, by_trial = trials.terms(measure), np.where(trials.is_target, *plan.by_trial)
            codes = [np.unique(term, return_inverse=True)[1] * by_trial for term in terms]
        else:
            codes = [groups_of(score, trials, measure) for score in trials.scores]
            if is_windowed and measure.metric.startswith(("eer", "min_c_det")):
                codes, self.merged = zip(*(near_operating_point(code, trials, measure) for code in codes), strict=True)
        self.cell, first, self.size = cells_of(~trials.is_target, *codes, *(unit for _, unit in plan.sides))
        self.sides, is_target = [(population, unit[first]) for population, unit in plan.sides], trials.is_target[first]
        self.classes = slice(is_target.sum()), slice(is_target.sum(), None)
        self.orders = []  #: of each run and class: its cells by score, and where in them groups end
        for code in [] if measure.is_mean else codes:
            keys, n_group = [code[first[of]] for of in self.classes], code.max(initial=-1) + 1
            ends = [np.append(0, np.cumsum(np.bincount(key, minlength=n_group))) for key in keys]
            self.orders.append([(np.argsort(key, kind="stable"), end) for key, end in zip(keys, ends, strict=True)])
        if measure.is_mean:
            means = np.array([np.bincount(self.cell, term, len(first)) / self.size for term in terms]).T
            parts, is_finite = [(means[of], self.size[of].sum()) for of in self.classes], np.isfinite(means).all()
            self.terms = [whole(part, n) if is_finite else (part, 1.0) for part, n in parts]

    def sources(self) -> list[ndarray]:
        """Return the cells to draw: of each class that is drawn by trial, then of each population of units."""
        by_trial = [self.size[of] * flag for of, flag in zip(self.classes, self.plan.by_trial, strict=True)]
        return by_trial + [np.ones(n, dtype=np.int64) for n in self.plan.n_unit]

    def values(self, drawn: Sequence[ndarray]) -> ndarray:
        """Return the numbers (draws x runs; NaN: a class is lacking), given the counts of each source."""
        units, counts = [np.pad(some, ((0, 0), (0, 1)), constant_values=1) for some in drawn[2:]], []
        for own, of, by_trial in zip(drawn, self.classes, self.plan.by_trial, strict=False):
            own = own if by_trial else self.size[of]
            for population, unit in self.sides:
                own = own * units[population][:, unit[of]]
            counts.append(own)
        return self.numbers(counts)

    def numbers(self, counts: Sequence[ndarray]) -> ndarray:
        """Return the numbers (draws x runs; NaN: a class is lacking), given the counts of the cells of each class."""
        prices, totals = self.measure.prices, [some.sum(axis=1) for some in counts]
        has = np.logical_and.reduce([n > 0 for n, price in zip(totals, prices, strict=True) if price])
        if not has.all():
            found = np.full((len(has), len(self.merged)), np.nan)
            if has.any():
                found[has] = self.numbers([some[has] for some in counts])
            return found
        if self.measure.is_mean:
            return sum(
                (some @ terms) * (price * grain / np.maximum(n, 1))[:, None]
                for some, (terms, grain), price, n in zip(counts, self.terms, prices, totals, strict=True)
            )
        numbers = []
        for merged, orders in zip(self.merged, self.orders, strict=True):
            errors = []
            for some, (order, ends) in zip(counts, orders, strict=True):
                below = np.zeros((len(some), some.shape[1] + 1), dtype=some.dtype)
                np.cumsum(np.take(some, order, axis=1), axis=1, dtype=some.dtype, out=below[:, 1:])
                errors.append(np.take(below, ends, axis=1))
            errors[1] = errors[1][:, -1:] - errors[1]
            numbers.append(Curve(np.stack(errors), merged).number(self.measure))
        return np.column_stack(numbers)


def observed(trials: Trials, measure: Measure) -> ndarray:
    """Return the number of each run over the trials themselves; NaN where a class is missing."""
    cells = Cells(trials, measure, Plan())
    return cells.values([size[None] for size in cells.sources()])[0]


def draw_trials(
    trials: Trials, measure: Measure, *, n_draw: int, seed: int, is_windowed: bool = True, step: Step | None = None
) -> ndarray:
    """Return the numbers of the runs over draws of the trials (draws x runs); NaN where a draw lacks a class."""
    cells = Cells(trials, measure, Plan.of(trials), is_windowed=is_windowed)
    draws = [Draws(size, n_draw, stream(seed, 3, at)) for at, size in enumerate(cells.sources())]
    width = len(cells.size) + sum(cells.plan.n_unit)
    try:
        return blockwise(lambda rows: cells.values([source.take(rows) for source in draws]), n_draw, width, step)
    except BeyondWindow:
        return draw_trials(trials, measure, n_draw=n_draw, seed=seed, is_windowed=False, step=step)


def _with_difference(values: ndarray) -> ndarray:
    """Return the numbers of one run, or of two with their difference, in columns."""
    return np.column_stack([values, values[:, 0] - values[:, 1]]) if values.shape[1] == 2 else values


def influence(trials: Trials, measure: Measure) -> list[list[float]]:
    """Return the sums of squares and of cubes of the influence of units on the number of each run and on the
    difference, of the numbers without one of the units; NaN where one of these is undefined.

    By trial and by units drawn apart a class is a stratum, of two sides each side is one.
    """
    cells = Cells(trials, measure, Plan.of(trials))
    sources, sums = cells.sources(), np.zeros((2 * len(trials.scores) - 1, 2))

    def without(at: int, rows: slice) -> ndarray:
        drawn = [np.repeat(some[None], rows.stop - rows.start, axis=0) for some in sources]
        drawn[at][:, rows][np.diag_indices(len(drawn[at]))] -= 1
        return cells.values(drawn)

    for at, size in enumerate(sources):
        if (n := int(size.sum())) > 1:
            values = _with_difference(blockwise(partial(without, at), len(size), len(cells.size)))
            if not np.isfinite(values).all():
                return (sums * math.nan).tolist()
            own = (n - 1) * (np.array([exact_sum(size * column) for column in values.T]) / n - values)
            own[np.abs(own) < TIE * n] = 0.0
            sums += np.array([[exact_sum(size * column**k) / n**k for k in (2, 3)] for column in own.T])
    return sums.tolist()


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
    row = _facts(trials, measure, values, method) | dict(zip(("value", "baseline_value"), values, strict=False))
    known = [value for value in values if value is not None and math.isfinite(value)]
    if len(known) == 2:
        row["difference"] = known[0] - known[1]
    if row["reason"]:
        return row
    if method.test == "mcnemar":
        row |= mcnemar(trials, measure)
    numbers = _with_difference(np.array([known]))[0].tolist()
    if method.interval == "normal":
        return row | closed_form(trials, measure, numbers, method.level)
    drawn = draw_trials(trials, measure, n_draw=method.n_draw, seed=method.seed, step=step)
    drawn = _with_difference(drawn[~np.isnan(drawn).any(axis=1)])
    n_undefined = row["n_undefined_draw"] = method.n_draw - len(drawn)
    if n_undefined > MOST_UNDEFINED * method.n_draw:
        return row | {
            "reason": f"{n_undefined:,} of {method.n_draw:,} draws lack a class: more than {MOST_UNDEFINED:.0%}"
        }
    sums = influence(trials, measure) if method.interval == "bca" else [None] * drawn.shape[1]
    names = NAMES[-len(numbers) :]  # the difference of two last
    for name, of, number, own in zip(names, drawn.T, numbers, sums, strict=True):
        row[f"{name}low"], row[f"{name}high"], p = interval(of, number, method.level, own)
    row["deviation"] = math.sqrt(exact_sum((of - of.mean()) ** 2) / len(of))
    if math.isnan(row["low"]):
        row["reason"] = "a jackknife value is undefined: no BCa interval"
    if method.test == "bootstrap":
        row |= {"p": p, "mc_error": math.sqrt(max(0.0, p * (1 - p)) / len(of))}
    return row


def _facts(trials: Trials, measure: Measure, values: Sequence[float | None], method: Method) -> Row:
    """Return what is drawn, notes on it, and why intervals are missing."""
    plan, n, notes = Plan.of(trials), [int(of.sum()) for of in trials.classes], []
    reason, is_drawn = None, method.interval != "normal"
    if plan.n_lone:
        notes.append(f"{plan.n_lone:,} trials without a value of the unit: each is a cluster")
    for what, size, by_trial in zip(CLASSES, n, plan.by_trial, strict=True):
        if by_trial and plan.n_unit:
            notes.append(f"{what}s have one value of the unit or none: drawn by trial")
        if size == 1 and is_drawn:
            notes.append(f"1 {what}: its variation is not in the interval")
    if min(plan.n_unit, default=10) < 10:
        notes.append("fewer than 10 units: intervals are approximate")
    n_unit = sum(plan.n_unit) + sum(np.multiply(n, plan.by_trial).tolist())
    lacking = [f"no {what}" for what, size, price in zip(CLASSES, n, measure.prices, strict=True) if price and not size]
    reason = None
    if lacking:
        reason = f"{measure.metric} is not defined here: {' and '.join(lacking)} in the trials"
    elif None in values:
        reason = "a value is undefined" if len(values) > 1 else f"{measure.metric} is not defined here"
    elif not np.isfinite(np.array(values, dtype=float)).all():
        reason = "infinite value: differences and intervals are undefined"
    elif is_drawn and min(plan.n_unit, default=FEWEST_UNITS) < FEWEST_UNITS:
        reason = f"fewer than {FEWEST_UNITS} units to draw: no test and no interval"
    elif method.interval == "bca" and n_unit > MOST_BCA:
        raise InvalidSetting(
            f"interval bca is for at most {MOST_BCA:,} units, and there are {n_unit:,}. Use --interval percentile."
        )
    elif is_drawn and (measure.metric in RATES or measure.metric.endswith(("eer", "c_det", "c_det_norm"))):
        most = min(value for value in values if value is not None)  # of the errors of a class at one price
        errors = [most * size / price if price else math.inf for size, price in zip(n, measure.prices, strict=True)]
        few = [
            f"{what} at most {math.floor(some + TIE)}"
            for what, some in zip(ERRORS, errors, strict=True)
            if some < HANDFUL
        ]
        if few:
            notes.append(
                f"few errors ({', '.join(few)}): intervals of values hold the true one less often than they say"
            )
    return {
        "n_target": n[0],
        "n_nontarget": n[1],
        "n_unit": " x ".join(map(str, plan.n_unit)) or str(n_unit),
        "n_undefined_draw": None,
        "reason": reason,
        "note": "; ".join(notes),
    }


def closed_form(trials: Trials, measure: Measure, values: ndarray, level: float) -> Row:
    """Return intervals and p of two areas (DeLong) or of two Cllr by the variance of terms: either number is a mean of
    the means of terms in each class.
    """
    if min(map(np.count_nonzero, trials.classes)) < 2:
        return {"reason": "a class of one trial: no test and no interval"}
    is_area, row = measure.metric == "auc", {}  # the mean in either class is the area
    terms = trials.shares() * 2.0 if is_area else trials.terms(measure)
    sample, z = Sample(terms.T, groups=trials.is_target), NORMAL.inv_cdf((1 + level) / 2)
    for name, value, column in zip(NAMES, values, _with_difference(terms.T).T, strict=True):
        se = sample.influence(column)[0]
        ends = value + z * se * np.array([-1.0, 1.0])
        row[f"{name}low"], row[f"{name}high"] = np.clip(ends, 0.0, 1.0) if is_area and name else ends
    if se > TIE:  # of the difference, the last one
        return row | {"se": se, "statistic": value / se, "p": 2 * NORMAL.cdf(-abs(value / se))}
    if abs(value) < TIE:
        return row | {"se": 0.0, "low": 0.0, "high": 0.0, "p": 1.0}
    return row | {"se": 0.0, "low": None, "high": None, "reason": "the difference does not vary: no test"}


def mcnemar(trials: Trials, measure: Measure) -> Row:
    """Return the exact two-sided p of errors that only one of two runs makes, and how many these are."""
    one, other = trials.terms(measure)[:, trials.classes[measure.metric.endswith("p_fa")]]
    only = [int((one > other).sum()), int((other > one).sum())]
    n, scale = sum(only), math.lgamma(sum(only) + 1) - sum(only) * math.log(2)
    logs = [scale - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(min(only) + 1)]
    p = min(1.0, 2 * math.fsum(map(math.exp, logs))) if only[0] != only[1] else 1.0
    return {"n_only_run": only[0], "n_only_baseline": only[1], "p": p}
