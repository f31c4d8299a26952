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
merged. Each draw is checked against a bound that holds for all merged thresholds; where one fails, all are drawn again
at the full resolution.

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
from functools import cached_property

import numpy as np
from numpy import ndarray

from tdtsql.compare.resample import (
    FEWEST_UNITS,
    NORMAL,
    ROUNDING,
    TIE,
    Draws,
    Row,
    Step,
    blocks,
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
CLASSES, ERRORS = ("target", "non-target"), ("misses", "false alarms")
#: rules of the equal error rate that depend on groups of scores of one class
BY_POINT = ("nearest_point", "nearest_corner", "nearest_max")


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
    def needs(self) -> tuple[bool, bool]:
        """Whether the number needs targets, and whether it needs non-targets."""
        return not self.metric.endswith("p_fa"), not self.metric.endswith("p_miss")

    @property
    def prices(self) -> tuple[float, float]:
        """The weights of a miss and of a false alarm, of terms for Cllr."""
        if "c_det" not in self.metric:
            return (0.5, 0.5) if self.metric == "cllr" else (float(self.needs[0]), float(self.needs[1]))
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

    def terms(self, measure: Measure, part: int) -> ndarray:
        """Return what a mean is of in a class (R x trials): errors as 0 and 1, or bits of Cllr."""
        scores = self.scores[:, self.classes[part]]
        if measure.metric == "cllr":
            return np.logaddexp(0, scores if part else -scores) / math.log(2)
        if measure.metric.startswith("act") or self.accepts is None:
            accepts = scores >= measure.threshold
        else:
            accepts = self.accepts[:, self.classes[part]]
        return (accepts == bool(part)).astype(np.float64)


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
        codes = [np.where(side < 0, side.max(initial=-1) + np.cumsum(side < 0), side) for side in trials.sides]
        populations, n_unit = [0] * len(codes), [max(int(code.max(initial=-1)) for code in codes) + 1]
        if trials.is_one_population:  # a unit against itself counts once
            codes[1] = np.where(codes[0] == codes[1], n_unit[0], codes[1])
        else:
            codes = [np.unique(code, return_inverse=True)[1] for code in codes]
            populations, n_unit = list(range(len(codes))), [int(code.max(initial=-1)) + 1 for code in codes]
        sides: list[tuple[tuple[int, ndarray], ...] | None]
        sides = [tuple(zip(populations, (code[of] for code in codes), strict=True)) for of in trials.classes]
        values = [np.unique(trials.sides[0][of]) for of in trials.classes]
        is_single, is_apart = (
            [len(some) < 2 for some in values],
            not np.isin(values[0][values[0] >= 0], values[1]).any(),
        )
        is_lone = np.logical_or.reduce([side < 0 for side in trials.sides])
        if len(codes) == 1 and (sum(is_single) == 1 or is_apart):
            n_unit = []
            for part, of in enumerate(trials.classes):
                sides[part] = None
                if not is_single[part] or all(is_single):
                    unit = np.unique(codes[0][of], return_inverse=True)[1]
                    sides[part] = ((len(n_unit), unit),)
                    n_unit.append(int(unit.max(initial=-1)) + 1)
        n_lone = sum(int(is_lone[of].sum()) for of, side in zip(trials.classes, sides, strict=True) if side)
        return cls(tuple(sides), tuple(n_unit), n_lone)


# ---- statistics


@dataclass
class Curve:
    """Misses and false alarms of D draws at each of G + 1 points between groups of scores, from accept-all to
    reject-all. A list of points has their flat places, row by row, with the first and the last of each row.
    """

    miss: ndarray  #: D x (G + 1)
    fa: ndarray
    is_merged: tuple[bool, bool] = (False, False)  #: whether the first and the last group are beyond the window

    def __post_init__(self) -> None:
        self.n, self.width = (self.miss[:, -1].astype(np.int64), self.fa[:, 0].astype(np.int64)), self.miss.shape[1]

    @cached_property
    def balance(self) -> ndarray:
        return (self.miss * self.n[1][:, None] - self.fa * self.n[0][:, None]).ravel()

    def point(self, at: ndarray) -> tuple[ndarray, ndarray]:
        return self.miss.ravel()[at].astype(np.int64), self.fa.ravel()[at].astype(np.int64)

    def steps(self, at: ndarray) -> tuple[ndarray, ndarray, ndarray]:
        """Return targets and non-targets between neighbouring points, and flags of the ends of rows."""
        (miss, fa), place = self.point(at), at % self.width
        return np.diff(miss), -np.diff(fa), (place == 0) | (place == self.width - 1)

    def is_bounded(self, cost: ndarray, price_miss: ndarray | float, price_fa: ndarray | float) -> ndarray:
        """Return whether no point inside a merged group can cost less: rates are monotone."""
        n_t, n_n = self.n
        is_low, is_high = price_fa * self.fa[:, 1] / n_n >= cost, price_miss * self.miss[:, -2] / n_t >= cost
        return (is_low | (not self.is_merged[0])) & (is_high | (not self.is_merged[1]))

    @cached_property
    def occupied(self) -> ndarray:
        """The points above groups that a draw has."""
        is_there = np.ones(self.miss.shape, dtype=bool)
        is_there[:, 1:-1] = (np.diff(self.miss, axis=1) - np.diff(self.fa, axis=1))[:, :-1] > 0
        return np.flatnonzero(is_there)

    @cached_property
    def hull(self) -> ndarray:
        """The vertices of the convex hull; between them are the pools of adjacent violators."""
        at = self.occupied
        while True:
            t, n, is_vertex = self.steps(at)
            is_vertex[1:-1] |= t[:-1] * n[1:] < t[1:] * n[:-1]
            if is_vertex.all():
                return at
            at = at[is_vertex]

    def crossing(self, at: ndarray) -> ndarray:
        """Return the index of the last point of each row with at most as many misses as false alarms, as rates."""
        start = np.flatnonzero(at % self.width == 0)
        return start + np.add.reduceat(self.balance[at] <= 0, start, dtype=np.int64) - 1

    # each returns the number of each draw, and whether it is certain

    def equal_error(self, rule: str) -> tuple[ndarray, ndarray]:
        (n_t, n_n), (is_low, is_high), last = self.n, self.is_merged, self.width - 1
        if rule == "target_step":
            return self._target_step()
        at = np.arange(self.miss.size)
        place = at % self.width
        if rule == "convex_hull":
            at = self.hull
        elif rule in ("nearest_corner", "nearest_max"):  # steps to both sides are not equal
            at = self.occupied
            (t, n, is_corner), place = self.steps(at), at % self.width
            is_corner[1:-1] |= (t[1:] != t[:-1]) | (n[1:] != n[:-1])
            # whether a point is a corner must not depend on a merged group
            is_known = ~(
                is_low & (place <= 1) | is_high & (np.append(place[1:], last) == last) | (place == last) & is_high
            )
            at, is_known = at[is_corner], is_known[is_corner]
        index = self.crossing(at)
        low, high = at[index], at[index + 1]
        (miss, fa), (miss_up, fa_up), below, above = (
            *map(self.point, (low, high)),
            self.balance[low],
            self.balance[high],
        )
        if rule == "convex_hull":
            t, n = miss_up - miss, fa - fa_up
            certain = self.is_bounded(n / n_n * miss / n_t + t / n_t * fa / n_n, n / n_n, t / n_t)
        elif rule in ("nearest_corner", "nearest_max"):
            certain = is_known[index] & is_known[index + 1]
        else:
            certain = ~(is_low & (place[low] == 0) | is_high & (place[high] == last))
        if rule in ("interpolated", "convex_hull"):
            return (miss - below / (above - below) * (miss_up - miss)) / n_t, certain
        if rule == "nearest_trial":  # targets of a tie come first: the last trial of balance <= 0, and the one after
            turn = below + (miss_up - miss) * n_n
            is_target = turn > 0
            step = np.where(is_target, -below // n_n, -turn // n_t)
            miss, fa = np.where(is_target, miss + step, miss_up), np.where(is_target, fa, fa - step)
            below, miss_up, fa_up = miss * n_n - fa * n_t, miss + is_target, fa - ~is_target
            above = miss_up * n_n - fa_up * n_t + 1  # of two as near, the lower one
        is_below = -below < above
        rates = np.where(is_below, miss, miss_up) / n_t, np.where(is_below, fa, fa_up) / n_n
        return np.maximum(*rates) if rule == "nearest_max" else (rates[0] + rates[1]) / 2, certain

    def _target_step(self) -> tuple[ndarray, ndarray]:
        n_t, n_n = self.n
        above = self.miss[:, 1:] - np.int64(1)  # misses at the last target of each group
        at = (self.fa[:, :-1] * n_t[:, None] > n_n[:, None] * above).sum(axis=1)
        miss, fa = self.point(np.arange(0, self.miss.size, self.width) + at)
        found = np.where(at < self.width - 1, np.maximum(miss, -(-fa * n_t // n_n)), n_t)
        # no target of the lowest group qualifies if its last one, with the fewest false alarms, does not
        is_low = self.is_merged[0] & ((at == 0) | (self.fa[:, 1] * n_t <= n_n * above[:, 0]))
        return np.minimum(found, n_t - 1) / n_t, ~(is_low | (at >= self.width - 2) & self.is_merged[1])

    def least_cost(self, price_miss: float, price_fa: float) -> tuple[ndarray, ndarray]:
        cost = self.miss * (price_miss / self.n[0])[:, None]
        cost += self.fa * (price_fa / self.n[1])[:, None]
        least = cost.min(axis=1)
        return least, self.is_bounded(least - TIE, price_miss, price_fa)

    def area(self) -> ndarray:
        t, wrong = np.diff(self.miss, axis=1), self.fa[:, 1:] + self.fa[:, :-1]
        return 1 - np.einsum("ij,ij->i", t, wrong, dtype=float) / (2.0 * self.n[0] * self.n[1])

    def least_cllr(self, is_laplace: bool) -> ndarray:
        curve, (n_t, n_n) = self, self.n
        if is_laplace:  # a target and a non-target are added below all scores, and above
            curve = Curve(np.pad(self.miss + 1, ((0, 0), (1, 1))), np.pad(self.fa + 1, ((0, 0), (1, 1))))
            curve.miss[:, -1], curve.fa[:, 0] = n_t + 2, n_n + 2
        at = curve.hull
        (t, n, is_end), row = curve.steps(at), at // curve.width
        of = np.flatnonzero((row[1:] == row[:-1]) & (t > 0) & (n > 0))
        row, t, n = row[of], t[of].astype(np.float64), n[of].astype(np.float64)
        odds, added = t / n * (n_n / n_t)[row], 1.0 * is_laplace * is_end[of] + 1.0 * is_laplace * is_end[of + 1]
        bits = (t - added) * np.log1p(1 / odds) / n_t[row] + (n - added) * np.log1p(odds) / n_n[row]
        return np.bincount(row, bits, minlength=len(n_t)) / math.log(4)


def _joined(code: ndarray, is_target: ndarray) -> ndarray:
    """Return groups of which neighbours of one and the same class are joined: no draw can part them."""
    t, n = np.bincount(code, is_target), np.bincount(code, ~is_target)
    kind = np.where(n == 0, 1, np.where(t == 0, 2, 3))
    return np.cumsum(np.append(0, (kind[1:] != kind[:-1]) | (kind[1:] == 3)))[code]


def _windowed(code: ndarray, trials: Trials, measure: Measure) -> tuple[ndarray, tuple[bool, bool]]:
    """Return groups of which those beyond the window are merged, and whether there are such at each end.

    A threshold is outside if false alarms alone (below) or misses alone (above) cost more than the operating point by
    REACH standard errors and FEW trials; of equal errors both cost 1.
    """
    n, (miss_price, fa_price) = [int(of.sum()) for of in trials.classes], measure.prices
    below = [np.append(0, np.cumsum(np.bincount(code, of).astype(np.int64))) for of in trials.classes]
    curve = Curve(below[0][None], n[1] - below[1][None])
    miss, fa = curve.miss[0] / n[0], curve.fa[0] / n[1]
    cost = np.maximum(miss, fa)
    if measure.eer == "convex_hull" and measure.metric == "eer":
        segment = curve.hull[curve.crossing(curve.hull)[0] :][:2]
        t, away, _ = curve.steps(segment)
        miss_price, fa_price = max(away[0], 1) / n[1], max(t[0], 1) / n[0]
    if measure.metric != "eer" or measure.eer == "convex_hull":
        cost = miss_price * miss + fa_price * fa
    best = int(np.argmin(cost))
    own = miss_price**2 * miss[best] / n[0] + fa_price**2 * fa[best] / n[1]
    few = cost[best] + FEW * (miss_price / n[0] + fa_price / n[1])
    is_low, is_high = (
        price * rate - few >= REACH * np.sqrt(price**2 * rate / size + own)
        for price, rate, size in ((fa_price, fa, n[1]), (miss_price, miss, n[0]))
    )
    low = max(int(is_low.sum()) - 2, 0)
    high = min(len(miss) - int(is_high.sum()) + 1, len(miss) - 1)
    return np.clip(code - low + 1, 0, high - low + 1) - (low == 0), (low > 0, high < len(miss) - 1)


# ---- draws


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


class Cells:
    """The cells of trials that a metric tells apart in some run."""

    def __init__(self, trials: Trials, measure: Measure, plan: Plan, *, is_windowed: bool = False) -> None:
        self.measure, self.plan, self.n_run = measure, plan, len(trials.scores)
        self.merged = [(False, False)] * self.n_run
        codes = []
        for run, score in enumerate(trials.scores[: 0 if measure.is_mean else None]):
            code = np.unique(score, return_inverse=True)[1]
            if measure.eer not in BY_POINT or measure.metric != "eer":
                code = _joined(code, trials.is_target)
            if is_windowed and measure.metric.startswith(("eer", "min_c_det")):
                code, self.merged[run] = _windowed(code, trials, measure)
            codes.append(code)
        self.cell, self.size, self.sides, self.terms, self.orders = [], [], [], [], []
        for part, (of, sides) in enumerate(zip(trials.classes, plan.sides, strict=True)):
            keys, n = [code[of] for code in codes], int(of.sum())
            if measure.is_mean:
                terms = trials.terms(measure, part)
                keys = [np.unique(term, return_inverse=True)[1] for term in terms if sides is None]
            cell, first, size = cells_of(n, *keys, *(unit for _, unit in sides or ()))
            self.cell.append(cell)
            self.size.append(size)
            self.sides.append(sides and [(population, unit[first]) for population, unit in sides])
            if measure.is_mean:  # of units the sums suffice
                means = np.array([np.bincount(cell, term, len(size)) / size for term in terms]).T
                self.terms.append(whole(means, n) if np.isfinite(means).all() else (means, 1.0))
            orders = [np.argsort(key[first], kind="stable") for key in keys if codes]
            ends = [
                np.append(0, np.cumsum(np.bincount(key[first], minlength=code.max(initial=0) + 1)))
                for key, code in zip(keys, codes, strict=False)
            ]
            self.orders.append(list(zip(orders, ends, strict=True)))

    def sources(self) -> list[ndarray]:
        """Return the cells to draw: of each class that is drawn by trial, then of each population of units."""
        by_trial = [size if sides is None else size[:0] for size, sides in zip(self.size, self.plan.sides, strict=True)]
        return by_trial + [np.ones(n, dtype=np.int64) for n in self.plan.n_unit]

    def counts(self, drawn: Sequence[ndarray]) -> list[ndarray]:
        """Return the counts of the cells of each class, given those of each source."""
        units, found = [np.pad(some, ((0, 0), (0, 1)), constant_values=1) for some in drawn[2:]], []
        for own, size, sides in zip(drawn, self.size, self.sides, strict=False):
            for at, (population, unit) in enumerate(sides or ()):
                own = (own if at else size) * units[population][:, unit]
            found.append(own)
        return found

    def values(self, counts: Sequence[ndarray]) -> tuple[ndarray, ndarray]:
        """Return the numbers (draws x runs; NaN: a class is lacking), and which draws are certain."""
        measure, totals = self.measure, [some.sum(axis=1, dtype=np.int64) for some in counts]
        found, is_certain = np.full((len(totals[0]), self.n_run), np.nan), np.ones(len(totals[0]), dtype=bool)
        has = np.logical_and.reduce([n > 0 for n, is_needed in zip(totals, measure.needs, strict=True) if is_needed])
        if not has.all():
            if has.any():
                found[has], is_certain[has] = self.values([some[has] for some in counts])
            return found, is_certain
        if measure.is_mean:
            parts = [
                (some @ numbers) * (price * grain / np.maximum(n, 1))[:, None]
                for some, (numbers, grain), price, n in zip(counts, self.terms, measure.prices, totals, strict=True)
            ]
            return parts[0] + parts[1], is_certain
        for run, orders in enumerate(zip(*self.orders, strict=True)):
            below = []
            for some, (order, ends) in zip(counts, orders, strict=True):
                running = np.zeros((len(some), some.shape[1] + 1), dtype=some.dtype)
                np.cumsum(np.take(some, order, axis=1), axis=1, dtype=some.dtype, out=running[:, 1:])
                below.append(np.take(running, ends, axis=1))
            n_nontarget = totals[1].astype(below[1].dtype)[:, None]
            curve = Curve(below[0], n_nontarget - below[1], self.merged[run])
            if measure.metric == "eer":
                found[:, run], certain = curve.equal_error(measure.eer)
                is_certain &= certain
            elif measure.metric == "auc":
                found[:, run] = curve.area()
            elif measure.metric == "min_cllr":
                found[:, run] = curve.least_cllr(measure.min_cllr == "laplace")
            else:
                found[:, run], certain = curve.least_cost(*measure.prices)
                is_certain &= certain
        return found, is_certain


def observed(trials: Trials, measure: Measure) -> ndarray:
    """Return the number of each run over the trials themselves; NaN where a class is missing."""
    cells = Cells(trials, measure, Plan())
    return cells.values([size[None] for size in cells.size])[0][0]


def draw_trials(
    trials: Trials, measure: Measure, *, n_draw: int, seed: int, is_windowed: bool = True, step: Step | None = None
) -> ndarray:
    """Return the numbers of the runs over draws of the trials (draws x runs); NaN where a draw lacks a class."""
    cells = Cells(trials, measure, Plan.of(trials), is_windowed=is_windowed)
    sources = [Draws(size, n_draw, stream(seed, 3, at)) for at, size in enumerate(cells.sources())]
    values = np.empty((n_draw, cells.n_run))
    for rows in blocks(n_draw, sum(map(len, cells.size)) + sum(cells.plan.n_unit)):
        values[rows], is_certain = cells.values(cells.counts([source.take(rows) for source in sources]))
        if not is_certain.all():
            return draw_trials(trials, measure, n_draw=n_draw, seed=seed, is_windowed=False, step=step)
        if step is not None:
            step(rows.stop - rows.start)
    return values


def left_out(trials: Trials, measure: Measure) -> list[tuple[ndarray, ndarray]]:
    """Return, of each stratum, how many units have a value (J) and the values without one of them (J x runs).

    By trial and by units drawn apart a class is a stratum, of two sides each side is one.
    """
    cells = Cells(trials, measure, Plan.of(trials))
    base, found = cells.sources(), []
    for at, size in enumerate(base):
        parts = [np.empty((0, cells.n_run))]
        for rows in blocks(len(size), sum(map(len, cells.size))):
            drawn = [np.repeat(some[None], rows.stop - rows.start, axis=0) for some in base]
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
    row = _facts(trials, measure, values, method) | dict(zip(("value", "baseline_value"), values, strict=False))
    known = [value for value in values if value is not None and math.isfinite(value)]
    if len(known) == 2:
        row["difference"] = known[0] - known[1]
    if row["reason"]:
        return row
    if method.test == "mcnemar":
        row |= mcnemar(trials, measure)
    if method.interval == "normal":
        return row | closed_form(trials, measure, method.level)
    drawn = draw_trials(trials, measure, n_draw=method.n_draw, seed=method.seed, step=step)
    is_defined = ~np.isnan(drawn).any(axis=1)
    n_undefined = row["n_undefined_draw"] = int((~is_defined).sum())
    if n_undefined > MOST_UNDEFINED * len(drawn):
        return row | {"reason": f"{n_undefined:,} of {len(drawn):,} draws lack a class: more than {MOST_UNDEFINED:.0%}"}
    strata = left_out(trials, measure) if method.interval == "bca" else None
    names = {"": (1.0,)} if len(values) == 1 else {"value_": (1.0, 0.0), "baseline_": (0.0, 1.0), "": (1.0, -1.0)}
    for name, factors in names.items():  # the difference last
        of, value = drawn[is_defined] @ factors, float(np.dot(known, factors))
        influence = None if strata is None else _influence([(size, without @ factors) for size, without in strata])
        row[f"{name}low"], row[f"{name}high"], p = interval(of, value, method.level, influence)
    row["deviation"] = math.sqrt(exact_sum((of - of.mean()) ** 2) / len(of))
    if math.isnan(row["low"]):
        row["reason"] = "a jackknife value is undefined: no BCa interval"
    if method.test == "bootstrap":
        row |= {"p": p, "mc_error": math.sqrt(max(0.0, p * (1 - p)) / len(of))}
    return row


def _facts(trials: Trials, measure: Measure, values: Sequence[float | None], method: Method) -> Row:
    """Return what is drawn, notes on it, and why intervals are missing."""
    plan, n = Plan.of(trials), [int(of.sum()) for of in trials.classes]
    row: Row = {"n_target": n[0], "n_nontarget": n[1], "reason": None, "n_undefined_draw": None, "note": ""}
    row["n_unit"] = " x ".join(map(str, plan.n_unit)) or str(sum(n))
    lacking = [f"no {what}" for what, size, needs in zip(CLASSES, n, measure.needs, strict=True) if needs and not size]
    notes, is_drawn = [], method.interval != "normal"
    if plan.n_lone:
        notes.append(f"{plan.n_lone:,} trials without a value of the unit: each is a cluster")
    for what, size, side in zip(CLASSES, n, plan.sides, strict=True):
        if side is None and plan.n_unit:
            notes.append(f"{what}s have one value of the unit or none: drawn by trial")
        if size == 1 and is_drawn:
            notes.append(f"1 {what}: its variation is not in the interval")
    if min(plan.n_unit, default=10) < 10:
        notes.append("fewer than 10 units: intervals are approximate")
    n_unit = sum(plan.n_unit) + sum(size for size, side in zip(n, plan.sides, strict=True) if side is None)
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
    return row | {"note": "; ".join(notes)}


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
    for part, of in enumerate(trials.classes):
        n = int(of.sum())
        if n < 2:
            return {"reason": "a class of one trial: no test and no interval"}
        if is_area:  # the share of the other class on the right side, ties half
            scores = trials.scores * (1 - 2 * part)
            others = [np.sort(score[~of]) for score in scores]
            ends = [
                [other.searchsorted(score[of], side) for side in ("left", "right")]
                for other, score in zip(others, scores, strict=True)
            ]
            terms = np.sum(ends, axis=1) / (2 * (len(of) - n))
        else:
            terms = trials.terms(measure, part) / 2
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
    one, other = trials.terms(measure, int(measure.metric.endswith("p_fa"))) > 0
    only = [int((one & ~other).sum()), int((other & ~one).sum())]
    n, first = sum(only), math.lgamma(sum(only) + 1) - sum(only) * math.log(2)
    logs = [first - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(min(only) + 1)]
    p = min(1.0, 2 * math.fsum(map(math.exp, logs))) if only[0] != only[1] else 1.0
    return {"n_only_run": only[0], "n_only_baseline": only[1], "p": p}
