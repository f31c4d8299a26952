"""Statistics of scored trials as functions of how often each trial counts, and their draws: arrays in, numbers out.

Trials of one class are drawn with replacement, or clusters of trials are; a statistic of a run is a function of how
often each trial counts. The draws depend on the seed and on what is drawn alone, so that all runs and metrics share
them; the errors of decisions are few different ones, and are drawn as counts of the pair.

| statistic                    | is a function of                                                                     |
|------------------------------|--------------------------------------------------------------------------------------|
| rates, actual costs, Cllr    | a mean of terms in each class                                                        |
| EER, minimum cost, AUC,      | misses and false alarms at the points between groups of scores (`Curve`)             |
| minimum Cllr                 |                                                                                      |

Windows. Equal error rate and minimum cost depend on thresholds near the operating point, so scores beyond a window are
merged where trials are drawn one by one (`near_operating_point`). It is so wide that a draw whose operating point is
outside does not occur.

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy import ndarray

from tdtsql.compare.resample import (
    FEWEST_UNITS,
    NORMAL,
    TIE,
    Row,
    Sample,
    Step,
    blockwise,
    draw_units,
    exact_sum,
    interval,
    stream,
    whole,
)
from tdtsql.compare.settings import COSTS, RATES, Method, check_bca

#: half width of a window, in square roots of errors: one deviates by 1/2, and by Chernoff's bound a draw is beyond with
#: a chance below 1e-13
REACH = 8.0
MOST_UNDEFINED = 0.01  #: greatest share of draws without a class
#: errors of a class below which intervals of values are too narrow, and how many per cent hold the true one; the
#: minimum of a draw is optimistic
FEW_ERRORS = {"min_cllr": (50, "55 to 65"), "min": (50, "80 to 85"), "": (10, "85 to 93")}  #: by starts of metrics
#: part of the note on few errors, by which tables of intervals find it
COVERAGE = "95 % intervals of values hold the true one"
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
    threshold: float | None = None  #: of metrics of decisions; act_: the Bayes threshold

    @property
    def is_of_errors(self) -> bool:
        """The metric is of decisions: a weighted sum of error rates."""
        return self.metric in (*RATES, *COSTS)

    @property
    def is_mean(self) -> bool:
        """The metric is a weighted sum of the means of terms in each class."""
        return self.is_of_errors or self.metric == "cllr"

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
    scores: ndarray  #: R x N; of metrics of the runs' decisions 1 where a trial is accepted, 0 where it is rejected
    sides: tuple[ndarray, ...] = ()  #: clusters of each trial: none (by trial), one array, or two; -1: no value
    is_one_population: bool = False  #: both sides name the same units: drawn once

    def of(self, runs: Sequence[int] | slice, where: ndarray | slice = slice(None)) -> "Trials":
        """Return the trials as some runs scored them; ``where``: N flags of those that are kept."""
        sides = tuple(side[where] for side in self.sides)
        return replace(self, is_target=self.is_target[where], scores=self.scores[runs][:, where], sides=sides)

    @property
    def classes(self) -> tuple[ndarray, ndarray]:
        """Flags of the targets and of the non-targets."""
        return self.is_target, ~self.is_target

    def terms(self, measure: Measure) -> ndarray:
        """Return what a mean is of (R x N): errors as 0 and 1, or bits of Cllr."""
        if measure.metric == "cllr":
            return np.logaddexp(0, np.where(self.is_target, -self.scores, self.scores)) / math.log(2)
        return np.not_equal(self.scores >= measure.threshold, self.is_target).astype(np.float64)

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
    """How trials are drawn: the U units of some populations, and those of each trial, of which it counts the product.

    Populations 0 and 1 are the trials of a class that is drawn by trial.
    """

    sizes: list[ndarray]  #: of each population: how many draws a unit represents
    unit: ndarray  #: the unit of each trial on each side (K x N)
    by_trial: tuple[bool, ...]  #: of each class, whether it is drawn by trial
    n_lone: int  #: trials without a value, each its own unit
    n_held: int  #: numbers held for each draw

    @classmethod
    def of(cls, trials: Trials, measure: Measure | None = None) -> "Plan":
        """Return how trials are drawn; by trial those with the same errors of every run are one unit.

        One column of units: a class whose trials have one value or none is drawn by trial; classes without a value in
        common are drawn apart; otherwise the units are drawn together, and a draw may lack a class.
        """
        n = len(trials.is_target)
        named = np.array(trials.sides or [np.full(n, -1)], dtype=np.int64)
        code = np.where(named < 0, named.max(initial=-1) + 1 + np.arange(named.size).reshape(named.shape), named)
        has_many = [len(np.unique(named[0][of])) > 1 for of in trials.classes]
        drawn = [2, 2 if trials.is_one_population else 3]  # the populations of sides, or of classes
        if not trials.sides:
            drawn = [0, 1]
        elif len(named) == 1 and sum(has_many) == 1:
            drawn = [2 if many else at for at, many in enumerate(has_many)]
        elif len(named) == 1 and np.isin(*(code[0][of] for of in trials.classes)).any():
            drawn = [2, 2]
        population = np.repeat(drawn, n).reshape(2, n) if len(named) == 2 else np.where(trials.is_target, *drawn)[None]
        is_own, trial, is_merged = population < 2, np.arange(n), measure is not None and measure.is_of_errors
        if measure is not None and is_merged:
            errors = 2 ** np.arange(len(trials.scores)) @ trials.terms(measure).astype(np.int64)
            trial = np.unique(errors, return_inverse=True)[1]
        code = np.where(is_own, trial, code)
        width = int(code.max(initial=0)) + 1
        code += population * width
        size = np.bincount(code.ravel())
        key, unit = np.flatnonzero(size), np.cumsum(size > 0)[code] - 1
        size = np.where(key < 2 * width, size[key], 1)
        sizes = np.split(size, np.searchsorted(key, width * np.arange(1, max(drawn) + 1)))
        return cls(
            sizes,
            unit,
            tuple(at < 2 for at in drawn),
            int((~is_own & (named < 0)).any(axis=0).sum()),
            len(key) + int(np.count_nonzero(~is_own) if is_merged else unit.size),
        )

    @property
    def n_unit(self) -> tuple[int, ...]:
        """The number of units of each population that is not of trials."""
        return tuple(map(len, self.sizes[2:]))


def weights(drawn: ndarray, unit: ndarray) -> ndarray:
    """Return how often trials count (draws x trials), given their units and how often these count (draws x U)."""
    counts = drawn.take(unit[0], axis=1)
    for side in unit[1:]:
        more = drawn.take(side, axis=1)
        more[:, side == unit[0]] = 1  # against itself: once
        counts = np.multiply(counts, more, dtype=np.int32)
    return counts


# ---- statistics of a curve


class Curve:
    """Misses and false alarms of D draws at each of G + 1 points between groups of scores, from accept-all to
    reject-all. A list of points has their flat indices, row by row, with the first and the last of each row.

    Its numbers are one of each draw.
    """

    def __init__(self, errors: ndarray) -> None:
        """Take 2 x D x (G + 1) counts."""
        self.errors, self.width = errors, errors.shape[2]
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

    @cached_property
    def occupied(self) -> ndarray:
        """The points above groups that a draw has."""
        is_there = np.ones(self.errors.shape[1:], dtype=bool)
        is_there[:, 1:-1] = np.diff(self.errors[0] - self.errors[1])[:, :-1] > 0
        return np.flatnonzero(is_there)

    @cached_property
    def hull(self) -> ndarray:
        """The vertices of the convex hull; between them are the pools of adjacent violators."""
        at, (miss, fa) = np.arange(self.errors[0].size), self.errors.reshape(2, -1).astype(np.float64)
        is_end = (at % self.width == 0) | (at % self.width == self.width - 1)
        while True:
            t, n, is_vertex = np.diff(miss), -np.diff(fa), is_end.copy()
            is_vertex[1:-1] |= t[:-1] * n[1:] < t[1:] * n[:-1]
            is_empty = t + n == 0  # a group that the draw lacks: its upper point remains
            is_vertex[1:-1] |= is_empty[:-1] & ~is_empty[1:]
            if is_vertex.all():
                return at
            kept = np.flatnonzero(is_vertex)
            at, miss, fa, is_end = (column.take(kept) for column in (at, miss, fa, is_end))

    def equal_error(self, rule: str) -> ndarray:
        """Return the equal error rate, see metric.verification_eer__v1."""
        (n_t, n_n), at = self.n, np.arange(self.errors[0].size)
        if rule == "convex_hull":
            at = self.hull
        elif rule in CORNERS:  # steps to both sides are not equal
            at = self.occupied
            t, n, is_corner = self.steps(at)
            is_corner[1:-1] |= (t[1:] != t[:-1]) | (n[1:] != n[:-1])
            at = at[is_corner]
        # the last point of each row with at most as many misses as false alarms, as rates, and the next one
        first = np.searchsorted(at, np.arange(0, self.errors[0].size, self.width))
        low = first + np.add.reduceat(self.balance[at] <= 0, first, dtype=np.int64) - 1
        near = at[np.stack([low, np.minimum(low + 1, np.append(first[1:], len(at)) - 1)])]
        (miss, miss_up), (fa, fa_up) = self.point(near)
        below, above = self.balance[near]
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
        """Return the minimum cost, for the costs of a miss and of a false alarm."""
        return np.add(*(self.errors * (np.array(prices)[:, None] / self.n)[:, :, None])).min(axis=1)

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


# ---- a metric as a function of counts


def groups_of(score: ndarray, trials: Trials, measure: Measure) -> ndarray:
    """Return the group of scores of each trial; neighbours are joined where no draw has the number of the metric
    between them: those of one class, and of a hull and its tangents targets below non-targets.
    """
    code = np.unique(score, return_inverse=True)[1]
    is_eer = measure.metric == "eer"
    if is_eer and measure.eer in BY_POINT:
        return code
    t, n = trials.tally(code) > 0
    is_apart = t[1:] & n[:-1]
    if is_eer and measure.eer != "convex_hull" or measure.metric == "auc":
        is_apart |= t[:-1] & n[1:]
    return np.cumsum(np.append(0, is_apart))[code]


def near_operating_point(code: ndarray, trials: Trials, measure: Measure) -> ndarray:
    """Return groups of which those beyond the window are merged.

    A threshold is outside if false alarms alone (below) or misses alone (above) cost so much more than the operating
    point that no draw has it there; of equal errors both cost 1.
    """
    tally, price = trials.tally(code), np.array(measure.prices)[:, None]
    size, below = tally.sum(axis=1)[:, None], np.pad(np.cumsum(tally, axis=1), ((0, 0), (1, 0)))
    below[1] = size[1] - below[1]
    costs = price * below / size
    least, unit = (costs.max(axis=0) if measure.metric == "eer" else costs.sum(axis=0)).min(), (price / size).max()
    is_beyond = np.sqrt(costs / unit) >= math.sqrt(least / unit) + REACH
    n_high, n_low = np.maximum(is_beyond.sum(axis=1) - 2, 0).tolist()
    first, last = max(n_low - 1, 0), tally.shape[1] - max(n_high, 1)  # groups that represent those beyond
    return np.clip(code, first, last) - first


#: the numbers (draws x runs; NaN: a class is lacking) as a function of how often units count (draws x U)
Statistic = Callable[[ndarray], ndarray]


def statistic_of(trials: Trials, measure: Measure, plan: Plan) -> Statistic:
    """Return a metric of the runs as a function of how often units count."""
    if measure.is_mean:
        return _means(trials, measure, plan)
    is_near = measure.metric.startswith("min_c_det") or measure.metric == "eer" and measure.eer != "convex_hull"
    is_windowed = is_near and all(plan.by_trial)  # on a hull, slopes near the operating point vary
    units = [plan.unit[:, of] for of in trials.classes]
    # of each run the trials of each class in the groups of its scores, from the end at which errors begin
    runs: list[list[tuple[ndarray, ndarray]]] = []
    for score in trials.scores:
        code = groups_of(score, trials, measure)
        if is_windowed:
            code = near_operating_point(code, trials, measure)
        last = int(code.max(initial=0))
        runs.append(parts := [])
        for of, unit, key in zip(trials.classes, units, (code, last - code), strict=True):
            ends = np.append(0, np.cumsum(np.bincount(key[of], minlength=last + 1)[:last]))
            order = np.argsort(key[of], kind="stable")[: ends[-1]]  # those of the last group are not needed
            parts.append((unit[:, order], ends))

    def errors(drawn: ndarray, unit: ndarray, ends: ndarray, total: ndarray) -> ndarray:
        below = np.zeros((len(drawn), ends[-1] + 1), dtype=np.int32)
        np.cumsum(weights(drawn, unit), axis=1, dtype=np.int32, out=below[:, 1:])
        return np.column_stack([below.take(ends, axis=1), total])

    def numbers(drawn: ndarray) -> ndarray:
        totals, found = [weights(drawn, unit).sum(axis=1, dtype=np.int32) for unit in units], []
        for parts in runs:
            miss, fa = (errors(drawn, *part, total) for part, total in zip(parts, totals, strict=True))
            with np.errstate(all="ignore"):
                found.append(Curve(np.stack([miss, fa[:, ::-1]])).number(measure))
        return np.where(np.minimum(*totals) > 0, found, np.nan).T

    return numbers


def _means(trials: Trials, measure: Measure, plan: Plan) -> Statistic:
    terms, is_by_unit = trials.terms(measure).T, len(plan.unit) == 1
    # of each class: terms of its mean and 1, of trials or, where these suffice, their sums of units
    columns, units = np.zeros((2, terms.shape[1] + 1, len(terms))), np.ones((2, terms.shape[1]))
    for at, of in enumerate(trials.classes):
        own, units[at] = whole(terms[of])
        columns[at, :, of] = np.column_stack([own, np.ones(len(own))])
    columns = columns.reshape(-1, len(terms))
    if is_by_unit:
        size = np.concatenate(plan.sizes)
        columns = np.array([np.bincount(plan.unit[0], column, len(size)) / size for column in columns])
    price = np.array(measure.prices)[:, None]

    def numbers(drawn: ndarray) -> ndarray:
        counts = drawn if is_by_unit else weights(drawn, plan.unit)
        sums = (counts.astype(np.float64) @ columns.T).reshape(len(counts), 2, -1)
        with np.errstate(invalid="ignore"):
            return np.where(price > 0, sums[:, :, :-1] * (price * units) / sums[:, :, -1:], 0.0).sum(axis=1)

    return numbers


def observed(trials: Trials, measure: Measure) -> ndarray:
    """Return the number of each run over the trials themselves; NaN where a class is missing."""
    if measure.is_mean:  # exact, also with terms that are infinite, or far larger than others
        parts, terms = zip(measure.prices, trials.classes, strict=True), trials.terms(measure)
        means = [price * np.array([*map(math.fsum, terms[:, of])]) / of.sum() for price, of in parts if price]
        return np.sum(means, axis=0)
    plan = Plan.of(trials)
    return statistic_of(trials, measure, plan)(np.concatenate(plan.sizes)[None])[0]


def draw_trials(trials: Trials, measure: Measure, *, n_draw: int, seed: int, step: Step | None = None) -> ndarray:
    """Return the numbers of the runs over draws of the trials (draws x runs); NaN where a draw lacks a class."""
    plan = Plan.of(trials, measure)
    statistic, raws = statistic_of(trials, measure, plan), [stream(seed, 3, at) for at in range(len(plan.sizes))]

    def numbers(rows: slice) -> ndarray:
        n = rows.stop - rows.start
        return statistic(np.hstack([draw_units(raw, size, n) for raw, size in zip(raws, plan.sizes, strict=True)]))

    return blockwise(numbers, n_draw, plan.n_held // 32, step)


def _with_difference(values: ndarray) -> ndarray:
    """Return the numbers of one run, or of two with their difference, in columns."""
    return np.column_stack([values, values[:, 0] - values[:, 1]]) if values.shape[1] == 2 else values


def influence(trials: Trials, measure: Measure) -> list[list[float]]:
    """Return the sums of squares and of cubes of the influence of units on the number of each run and on the
    difference, of the numbers without one of the units; NaN where one of these is undefined.

    By trial and by units drawn apart a class is a stratum, of two sides each side is one.
    """
    plan = Plan.of(trials, measure)
    statistic, sizes = statistic_of(trials, measure, plan), np.concatenate(plan.sizes)

    def without(rows: slice) -> ndarray:
        drawn = np.tile(sizes, (rows.stop - rows.start, 1))
        drawn[:, rows][np.diag_indices(len(drawn))] -= 1
        return statistic(drawn)

    values = _with_difference(blockwise(without, len(sizes), plan.n_held // 32))
    sums = np.zeros((values.shape[1], 2))
    for size, part in zip(plan.sizes, np.split(values, np.cumsum(list(map(len, plan.sizes)))), strict=False):
        if (n := int(size.sum())) > 1:
            own = (n - 1) * (np.array([exact_sum(size * column) for column in part.T]) / n - part)
            own[np.abs(own) < TIE * n] = 0.0
            sums += np.array([[exact_sum(size * column**k) / n**k for k in (2, 3)] for column in own.T])
    return sums.tolist()


# ---- results


def compare_trials(
    trials: Trials,
    measure: Measure,
    values: Sequence[float | None],
    pairs: Sequence[tuple[int, ...]],
    method: Method,
    step: Step | None = None,
) -> list[Row]:
    """Return the results of pairs of runs, the first against the second, or of single runs: the interval of a number.
    None and NaN where undefined.

    Args:
        values: the numbers of the runs over all trials.

    Raises:
        InvalidSetting: there are too many units for a BCa interval.
    """
    plan, draws = Plan.of(trials), dict[tuple[int, ...], ndarray]()
    rows = [_facts(trials, measure, plan, [values[at] for at in pair], method) for pair in pairs]
    shared = tuple(sorted({at for pair, row in zip(pairs, rows, strict=True) if not row["reason"] for at in pair}))
    for pair, row in zip(pairs, rows, strict=True):
        row |= dict(zip(("value", "baseline_value"), [values[at] for at in pair], strict=False))
        known = np.array([values[at] for at in pair], dtype=float)
        if len(pair) == 2 and np.isfinite(known).all():
            known = _with_difference(known[None])[0]
            row["difference"] = known[2]
        if row["reason"]:
            continue
        some = trials.of(list(pair))
        if method.test == "mcnemar":
            row |= mcnemar(some, measure)
        if method.interval == "normal":
            row |= closed_form(some, measure, known, method.level)
            continue
        runs = pair if measure.is_of_errors else shared  # draws of counts depend on the runs
        if runs not in draws:
            draws[runs] = draw_trials(trials.of(list(runs)), measure, n_draw=method.n_draw, seed=method.seed, step=step)
        drawn = draws[runs][:, [runs.index(at) for at in pair]]
        drawn = _with_difference(drawn[~np.isnan(drawn).any(axis=1)])
        n_undefined = row["n_undefined_draw"] = method.n_draw - len(drawn)
        if n_undefined > MOST_UNDEFINED * method.n_draw:
            row["reason"] = f"{n_undefined:,} of {method.n_draw:,} draws lack a class: more than {MOST_UNDEFINED:.0%}"
            continue
        sums = influence(some, measure) if method.interval == "bca" else [None] * len(known)
        for name, of, number, own in zip(NAMES[-len(known) :], drawn.T, known.tolist(), sums, strict=True):
            row[f"{name}low"], row[f"{name}high"], p = interval(of, number, method.level, own)
        row["deviation"] = math.sqrt(exact_sum((of - of.mean()) ** 2) / len(of))  # of the difference, the last one
        if math.isnan(row["low"]):
            row["reason"] = "a jackknife value is undefined: no BCa interval"
        if len(pair) == 2 and abs(known[2]) > TIE and np.ptp(of) < TIE:
            row |= {"low": None, "high": None, "reason": "the difference does not vary: no test"}
        elif method.test == "bootstrap":
            row["p"] = p
    return rows


def _facts(trials: Trials, measure: Measure, plan: Plan, values: Sequence[float | None], method: Method) -> Row:
    """Return what is drawn, notes on it, and why intervals are missing."""
    n, is_drawn = [int(of.sum()) for of in trials.classes], method.interval != "normal"
    notes: list[str] = []
    if plan.n_lone:
        notes.append(f"{plan.n_lone:,} trials without a value of the unit: each is a cluster")
    for what, size, by_trial in zip(CLASSES, n, plan.by_trial, strict=True):
        if by_trial and plan.n_unit:
            notes.append(f"{what}s have one value of the unit or none: drawn by trial")
        if size == 1 and is_drawn:
            notes.append(f"1 {what}: its variation is not in the interval")
    if (FEWEST_UNITS if is_drawn else 1) <= min(plan.n_unit, default=10) < 10:
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
    elif is_drawn and (measure.is_of_errors or measure.metric.startswith(("eer", "min"))):
        most = min(value for value in values if value is not None)  # of the errors of a class at one price
        fewest, coverage = next(few for start, few in FEW_ERRORS.items() if measure.metric.startswith(start))
        errors = [most * size / price if price else math.inf for size, price in zip(n, measure.prices, strict=True)]
        few = [what for what, some in zip(ERRORS, errors, strict=True) if some < fewest - TIE]
        if few:
            notes.append(f"fewer than {fewest} {' and '.join(few)}: {COVERAGE} in {coverage} %")
    if reason is None:
        check_bca(method.interval, n_unit)
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
