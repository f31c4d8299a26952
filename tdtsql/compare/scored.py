"""Numbers of scored trials over bootstrap draws: by trial (each class by itself), by clusters, by two sides of a trial.

One draw serves all runs. Trials that are equivalent for every draw and run (same score group, same clusters) are one
column with a size, so a draw is a row of integers, and each metric is computed from running counts.

Windows. EER and minimum cost depend on the thresholds near one point of the curve. Above DRAWN_SINGLY trials, scores
outside a window of thresholds are merged into one group below and one above; every draw is checked to have its answer
inside. If one does not, the window is doubled and all draws are repeated from the same seed. The window is part of the
definition of the draws: DRAWS_VERSION changes with it.

Streams. Only the raw stream of PCG64 is used (`resampling`). Up to DRAWN_SINGLY trials all are drawn one by one in the
order of the key, so that the draws depend only on the seed and the number of trials. Above, a column of MERGED trials
or more is drawn as a binomial number, the other trials together as Poisson numbers (`_together`), in the order of the
columns. Everything drawn is an integer, so results are bitwise identical for any number of threads and block size.

Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 8 (two samples); A. C. Davison, D. V.
Hinkley, Bootstrap Methods and their Application (1997), section 3.8 (clusters drawn whole); A. Owen, The pigeonhole
bootstrap (2007) (two sides); definitions of the numbers: metric.verification_*.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy import ndarray

from tdtsql.errors import not_none
from tdtsql.compare.resampling import TRIALS, Step, raw_stream

#: rates of decisions: those of the runs, and those at the Bayes threshold (act_)
RATES = ("p_miss", "p_fa", "act_p_miss", "act_p_fa")
COSTS = ("c_det", "c_det_norm", "act_c_det", "act_c_det_norm")
MINIMA = ("min_c_det", "min_c_det_norm")
METRICS = ("eer", "auc", *MINIMA, *COSTS, "cllr", "min_cllr", *RATES)

#: up to this many trials no window is used and every trial is drawn by itself
DRAWN_SINGLY = 5_000
#: above, a column of so many trials is drawn as one binomial number
MERGED = 1_000
#: half width of the window of an EER, in standard errors
WINDOW = 6.0
#: the window of a minimum cost ends where one error alone costs this share more than the minimum
MARGIN = 0.15
#: changes with the constants above and with the order in which random numbers are used
DRAWS_VERSION = 3
#: in a table of counts: not decided by the first bits
_UNDECIDED = 255
#: counts held at a time
_TOGETHER = 4_000_000
#: doublings after which the window covers everything
_NO_WINDOW = 13
#: maximum share of draws without a class for which an interval is returned
MOST_UNDEFINED = 0.01

_T = TypeVar("_T")


@dataclass(frozen=True)
class Measure:
    """A metric, and what of a scoring profile it depends on."""

    metric: str  #: one of METRICS
    eer: str = "interpolated"  #: policy, see metric.verification_eer__v1
    min_cllr: str = "none"  #: policy: none or laplace
    weight_miss: float | None = None  #: c_miss * p_target; None: no costs
    weight_fa: float | None = None  #: c_fa * (1 - p_target)
    act_threshold: float | None = None  #: the Bayes threshold

    @property
    def is_decided(self) -> bool:
        """The metric depends only on a decision for each trial."""
        return self.metric in RATES or self.metric in COSTS

    @property
    def depends_on(self) -> tuple[bool, bool]:
        """Whether the number needs targets, and whether it needs non-targets."""
        return not self.metric.endswith("p_fa"), not self.metric.endswith("p_miss")


@dataclass(frozen=True)
class Sample:
    """The N trials of one subset, scored by R runs."""

    is_target: ndarray  #: N bool
    scores: ndarray  #: R x N
    accepts: ndarray | None = None  #: R x N bool, the runs' decisions
    sides: tuple[ndarray, ...] = ()  #: clusters of each trial: none (by trial), one array, or two; -1: no value
    is_one_population: bool = False  #: both sides name the same units: drawn once


@dataclass(frozen=True)
class Plan:
    """Parameters of the draws, chosen from the data."""

    kind: str  #: trial, apart (each class by itself), together, sides, population
    target: ndarray | None = None  #: apart: clusters of the targets, from 0; None: by trial
    nontarget: ndarray | None = None
    sides: tuple[ndarray, ...] = ()  #: together, sides, population: clusters of all trials
    n_unit: tuple[int, ...] = ()  #: units of each side, or of each class that is drawn by clusters
    n_lone: int = 0  #: trials without a value, each its own cluster


def plan_draws(sample: Sample) -> Plan:
    """Return how the trials are drawn (kind and units).

    One column of clusters: a class whose trials have one value or none is drawn by trial; classes without a value in
    common are drawn apart; otherwise the clusters are drawn together, and a draw may lack a class.
    """
    is_target = sample.is_target
    if not sample.sides:
        return Plan("trial", n_unit=(len(is_target),))
    if len(sample.sides) == 2:
        sides, n_lone = zip(*(_with_lone(side) for side in sample.sides), strict=True)
        if sample.is_one_population:
            n_unit = (int(max(side.max(initial=-1) for side in sides)) + 1,)
            return Plan("population", sides=sides, n_unit=n_unit, n_lone=sum(n_lone))
        return Plan("sides", sides=sides, n_unit=tuple(len(np.unique(side)) for side in sides), n_lone=sum(n_lone))
    [side] = sample.sides
    values = [np.unique(side[of]) for of in (is_target, ~is_target)]
    is_single = [len(some) < 2 for some in values]  # one value for all trials, or none
    known = [some[some >= 0] for some in values]
    if sum(is_single) == 1 or not np.intersect1d(known[0], known[1]).size:
        parts = [
            None if single and not all(is_single) else _with_lone(side[of])
            for single, of in zip(is_single, (is_target, ~is_target), strict=True)
        ]
        numbers = [None if part is None else np.unique(part[0], return_inverse=True)[1] for part in parts]
        return Plan(
            "apart",
            target=numbers[0],
            nontarget=numbers[1],
            n_unit=tuple(int(number.max(initial=-1)) + 1 for number in numbers if number is not None),
            n_lone=sum(part[1] for part in parts if part is not None),
        )
    number, n_lone = _with_lone(side)
    number = np.unique(number, return_inverse=True)[1]
    return Plan("together", sides=(number,), n_unit=(int(number.max(initial=-1)) + 1,), n_lone=n_lone)


def _with_lone(side: ndarray) -> tuple[ndarray, int]:
    """Return clusters in which each trial without a value is its own, and how many these are."""
    lone = np.flatnonzero(side < 0)
    number = side.astype(np.int64)
    number[lone] = int(side.max(initial=-1)) + 1 + np.arange(len(lone))
    return number, len(lone)


@dataclass(frozen=True)
class Draws:
    """Numbers of R runs over B draws."""

    values: ndarray  #: R x B; NaN where a draw lacks a class
    n_undefined: int  #: draws that lack a class


def resample(sample: Sample, measure: Measure, *, n_draw: int, seed: int, progress: Step | None = None) -> Draws:
    """Return a number of every run over ``n_draw`` draws; the module's docstring defines a draw."""

    def compute(problem: "_Problem") -> ndarray | None:
        parts: list[ndarray] = [np.empty((len(sample.scores), 0))]
        draws = problem.draws(n_draw, seed)
        with ThreadPoolExecutor(1) as other:  # draws a block while the numbers of the one before are computed
            ahead = other.submit(next, draws, None)
            while (drawn := ahead.result()) is not None:
                ahead = other.submit(next, draws, None)
                values, is_inside = problem.numbers(drawn)
                if not is_inside:
                    return None
                parts.append(values)
                if progress is not None:
                    progress(values.shape[1])
        return np.concatenate(parts, axis=1)

    values = _widened_until(sample, measure, compute, is_drawn=True)
    return Draws(values, int(np.isnan(values).any(axis=0).sum()))


def _widened_until(
    sample: Sample, measure: Measure, compute: Callable[["_Problem"], _T | None], *, is_drawn: bool = False
) -> _T:
    """Return the result of a problem, with the first window that contains it; the last window covers everything."""
    plan, groups, widened = plan_draws(sample), _groups(sample, measure), 0
    while (found := compute(_Problem.of(sample, measure, plan, groups, widened, is_drawn=is_drawn))) is None:
        widened += 1
    return found


def observed(sample: Sample, measure: Measure) -> ndarray:
    """Return the number of each run over the trials themselves."""
    problem = _Problem.of(sample, measure, Plan("trial"), _groups(sample, measure), _NO_WINDOW)
    values, _ = problem.numbers(_Drawn(problem.target.size[None, :], problem.nontarget.size[None, :]))
    return values[:, 0]


def jackknife(sample: Sample, measure: Measure) -> list[tuple[ndarray, ndarray]]:
    """Return, for each stratum, how many units have a value (J) and the values without one of them (R x J).

    By trial and by clusters drawn apart a class is a stratum, of two sides each side is one.
    """

    def compute(problem: "_Problem") -> list[tuple[ndarray, ndarray]] | None:
        found = []
        for multiplicity, left_out in problem.without_one():
            parts = [problem.numbers(drawn) for drawn in left_out]
            if not all(is_inside for _, is_inside in parts):
                return None
            found.append((multiplicity, np.concatenate([values for values, _ in parts], axis=1)))
        return found

    return _widened_until(sample, measure, compute)


def n_jackknife(sample: Sample, measure: Measure) -> int:
    """Return how many numbers ``jackknife`` computes of each run, times the columns that each is computed from."""
    problem = _Problem.of(sample, measure, plan_draws(sample), _groups(sample, measure), 0)
    width = len(problem.target.size) + len(problem.nontarget.size)
    return width * sum(len(multiplicity) for multiplicity, _ in problem.without_one())


@dataclass(frozen=True)
class _Groups:
    """Trials of one run by score, before anything is merged."""

    score: ndarray  #: G different scores, ascending (decisions: no, yes)
    number: ndarray  #: N, the group of each trial
    miss: ndarray  #: G + 1: targets among the lowest 0..G groups
    rejected: ndarray  #: G + 1: non-targets among them


def _groups(sample: Sample, measure: Measure) -> list[_Groups]:
    found = []
    for run in range(len(sample.scores)):
        if measure.is_decided:
            score = np.array([0.0, 1.0])
            number = _accepts(sample, measure, run).astype(np.int64)
        else:
            score, number = np.unique(sample.scores[run], return_inverse=True)
        below = [
            np.append(0, np.cumsum(np.bincount(number[of], minlength=len(score))))
            for of in (sample.is_target, ~sample.is_target)
        ]
        if measure.metric == "min_cllr":  # the points between two corners are one pool in every draw
            corner = np.flatnonzero(_corners(*below))
            number = np.searchsorted(corner[1:-1], number, side="right")
            score, below = score[corner[:-1]], [some[corner] for some in below]
        found.append(_Groups(score, number, *below))
    return found


def _accepts(sample: Sample, measure: Measure, run: int) -> ndarray:
    if measure.metric.startswith("act"):
        return sample.scores[run] >= measure.act_threshold
    return not_none(sample.accepts)[run]  # read for metrics of decisions


def accepted(sample: Sample, measure: Measure) -> ndarray:
    """Return R x N: the decision that a rate or a cost of decisions is about."""
    return np.array([_accepts(sample, measure, run) for run in range(len(sample.scores))])


def _window(groups: _Groups, measure: Measure, widened: int) -> tuple[int, int]:
    """Return the points (0..G) between which the groups are not merged."""
    last, n_target, n_nontarget = len(groups.score), int(groups.miss[-1]), int(groups.rejected[-1])
    if widened >= _NO_WINDOW or not n_target or not n_nontarget:
        return 0, last
    p_miss, p_fa = groups.miss / n_target, 1.0 - groups.rejected / n_nontarget
    factor = 2.0**widened
    if measure.metric == "eer" and measure.eer != "convex_hull":
        at = int(np.searchsorted(p_miss - p_fa, 0.0, side="right")) - 1
        eer = max(float(p_miss[at]), min(float(p_fa[at]), 0.5))
        error = WINDOW * math.sqrt(eer * (1.0 - eer) * (1.0 / n_target + 1.0 / n_nontarget))
        reach = factor * max(error, 10.0 / min(n_target, n_nontarget))
        low = max(int(np.searchsorted(p_miss, eer - reach)), int(np.searchsorted(-p_fa, -(eer + reach))))
        high = min(
            int(np.searchsorted(p_miss, eer + reach, side="right")),
            int(np.searchsorted(-p_fa, -(eer - reach), side="right")),
        )
        return max(0, min(low, at) - 1), min(last, max(high, at + 1) + 1)
    if measure.metric == "eer":  # the prior at which the hull's least error rate is largest
        corner = np.flatnonzero(_corners(groups.miss, groups.rejected))
        _, left, right = _hull_crossing(p_miss[None, corner], p_fa[None, corner])
        left, right = corner[left[0]], corner[right[0]]
        weight_miss, weight_fa = p_fa[left] - p_fa[right], p_miss[right] - p_miss[left]
    else:
        weight_miss, weight_fa = measure.weight_miss, measure.weight_fa
    cost = weight_miss * p_miss + weight_fa * p_fa
    at, limit = int(cost.argmin()), (1.0 + MARGIN * factor) * float(cost.min())
    low = int(np.searchsorted(-weight_fa * p_fa, -limit, side="right")) - 1
    high = int(np.searchsorted(weight_miss * p_miss, limit))
    return max(0, min(low, at)), min(last, max(high, at))


def _corners(miss: ndarray, rejected: ndarray) -> ndarray:
    """Return which points a least cost can be at, however often each group is drawn; the ends are among them."""
    # rejecting one more group costs no more where it has no target, and no less where it has no non-target
    is_corner = np.append(True, np.diff(rejected) > 0) & np.append(np.diff(miss) > 0, True)
    is_corner[[0, -1]] = True
    return is_corner


@dataclass(frozen=True)
class _Columns:
    """Trials of one class that are alike in every run and cluster: M columns."""

    size: ndarray  #: M trials of each
    code: ndarray  #: R x M group of each in each run
    sides: tuple[ndarray, ...]  #: clusters of each
    of_trial: ndarray  #: the column of each trial of the class, in the order of the key

    @classmethod
    def of(cls, codes: ndarray, sides: Sequence[ndarray], *, is_singly: bool) -> "_Columns":
        """Return the columns of trials; ``is_singly``: one for each trial unless this doubles them or more."""
        key = np.zeros(codes.shape[1], dtype=np.int64)
        n_key = 1
        for part in (*codes, *sides):
            n_part = int(part.max(initial=0)) + 1
            if n_key > 2**62 // n_part:
                key = np.unique(key, return_inverse=True)[1].astype(np.int64)
                n_key = int(key.max(initial=0)) + 1
            key, n_key = key * n_part + part, n_key * n_part
        _, first, of_trial, size = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        if is_singly and 2 * len(size) > len(of_trial) and size.max(initial=0) < MERGED:
            first = np.argsort(of_trial, kind="stable")
            size, of_trial = np.ones_like(of_trial), np.argsort(first)
        return cls(size, codes[:, first], tuple(side[first] for side in sides), of_trial)


@dataclass
class _Drawn:
    """A block of b draws: how often each column counts."""

    target: ndarray  #: b x columns of targets
    nontarget: ndarray


@dataclass
class _Curve:
    """The columns of a run in the order of its groups of scores."""

    score: ndarray  #: G; of a merged group the score of one of its trials
    order: tuple[ndarray | None, ...]  #: columns of targets, of non-targets, by group; None: as they are
    below: tuple[ndarray, ...]  #: G + 1: columns in the lowest 0..G groups
    corner: ndarray  #: points that a least cost can be at
    is_low_merged: bool
    is_high_merged: bool
    running: tuple[ndarray, ...] = ()  #: of the block at hand

    def read(self, drawn: _Drawn) -> None:
        """Compute the running counts of a block of draws."""
        made = []
        for weights, order in zip((drawn.target, drawn.nontarget), self.order, strict=True):
            most = int(weights.max(initial=0)) * weights.shape[1]
            total = np.empty((len(weights), weights.shape[1] + 1), dtype=np.int32 if most < 2**31 else np.int64)
            total[:, 0] = 0
            in_order = weights if order is None else np.take(weights, order, axis=1)
            np.cumsum(in_order, axis=1, dtype=total.dtype, out=total[:, 1:])
            made.append(total)
        self.running = tuple(made)

    def points(self, at: ndarray) -> tuple[ndarray, ndarray]:
        """Return misses and correct rejections (each b x points) where the lowest 0..G groups are rejected."""
        misses, rejections = (
            np.take(running, below[at], axis=1).astype(np.float64)
            for running, below in zip(self.running, self.below, strict=True)
        )
        return misses, rejections

    def point(self, at: ndarray) -> tuple[ndarray, ndarray]:
        """Return misses and correct rejections (each b) at one point for each draw."""
        row = np.arange(len(at))
        misses, rejections = (
            running[row, below[at]].astype(np.float64) for running, below in zip(self.running, self.below, strict=True)
        )
        return misses, rejections


@dataclass(frozen=True)
class _Problem:
    """Columns and curves of all runs, for one metric."""

    measure: Measure
    plan: Plan
    target: _Columns
    nontarget: _Columns
    curves: list[_Curve]
    terms: Sequence[tuple[ndarray, ...]] = ()  #: cllr of each run: the terms of columns of targets, non-targets (nats)

    @classmethod
    def of(
        cls,
        sample: Sample,
        measure: Measure,
        plan: Plan,
        groups: Sequence[_Groups],
        widened: int,
        *,
        is_drawn: bool = False,
    ) -> "_Problem":
        """Return the problem with a window that was doubled so often; ``is_drawn``: to be drawn."""
        has_window = len(sample.is_target) > DRAWN_SINGLY and (measure.metric == "eer" or measure.metric in MINIMA)
        merged, shapes = [], []
        for of_run in groups:
            last = len(of_run.score)
            low, high = _window(of_run, measure, widened) if has_window else (0, last)
            start = int(low > 0)
            merged.append(np.where(of_run.number < low, 0, np.minimum(of_run.number, high) - low + start))
            score = np.concatenate([of_run.score[:low][-1:], of_run.score[low:high], of_run.score[high:][:1]])
            shapes.append((score, low > 0, high < last))
        code = np.array(merged).reshape(len(groups), len(sample.is_target))
        # cllr is a mean: of clusters the sums suffice
        told_apart = code[: 0 if measure.metric == "cllr" and plan.kind != "trial" else None]
        # few merged trials cost more than they save: counts of single trials are bytes
        is_singly = is_drawn and plan.kind == "trial" and len(sample.is_target) > DRAWN_SINGLY
        is_singly &= measure.metric != "cllr"
        classes, columns = (sample.is_target, ~sample.is_target), []
        for of, apart in zip(classes, (plan.target, plan.nontarget), strict=True):
            sides = [side[of] for side in plan.sides] or ([] if apart is None else [apart])
            columns.append(_Columns.of(told_apart[:, of] if sides else code[:, of], sides, is_singly=is_singly))
        target, nontarget = columns
        if measure.metric == "cllr":
            terms = [
                tuple(
                    np.bincount(some.of_trial, weights=np.logaddexp(0, sign * score[of])) / some.size
                    for some, of, sign in zip(columns, classes, (-1, 1), strict=True)
                )
                for score in sample.scores
            ]
            return cls(measure, plan, target, nontarget, [], terms)
        curves = []
        for run, (score, is_low, is_high) in enumerate(shapes):
            at = np.arange(len(score) + 1)
            codes = target.code[run], nontarget.code[run]
            # columns are in the order of the first run
            order = tuple(np.argsort(code, kind="stable") if run else None for code in codes)
            below = tuple(np.searchsorted(np.sort(code), at) for code in codes)
            curves.append(_Curve(score, order, below, np.flatnonzero(_corners(*below)), is_low, is_high))
        return cls(measure, plan, target, nontarget, curves)

    # ---- drawing

    def draws(self, n_draw: int, seed: int) -> Iterator[_Drawn]:
        """Yield blocks of draws, ``n_draw`` rows in all."""
        n_unit = 0 if self.plan.kind == "trial" else sum(self.plan.n_unit)
        most = max(1, _TOGETHER // max(1, len(self.target.size) + len(self.nontarget.size), n_unit))
        sizes = [min(most, n_draw - start) for start in range(0, n_draw, most)]
        if self.plan.sides:
            sources = [_units(n_unit, seed, part) for part, n_unit in enumerate(self.plan.n_unit)]
        else:
            is_single = len(self.target.of_trial) + len(self.nontarget.of_trial) <= DRAWN_SINGLY
            sources = [
                _trials(columns, n_draw, seed, part, is_single=is_single)
                if apart is None
                else _units(int(apart.max(initial=-1)) + 1, seed, part)
                for part, (columns, apart) in enumerate(self._classes)
            ]
        for size in sizes:
            drawn = [source(size) for source in sources]
            yield _Drawn(*(self._weighted(part, drawn) for part in (0, 1)))

    @property
    def _classes(self) -> tuple[tuple[_Columns, ndarray | None], ...]:
        """Targets and non-targets: their columns, and the clusters of each class that is drawn apart by clusters."""
        return (self.target, self.plan.target), (self.nontarget, self.plan.nontarget)

    def _weighted(self, part: int, drawn: Sequence[ndarray]) -> ndarray:
        """Return how often each column of a class counts where its units were drawn so often."""
        columns, apart = self._classes[part]
        if not self.plan.sides:
            if apart is None:  # the units are the trials of its columns
                return drawn[part]
            drawn = [drawn[part]]
        at_most = [int(some.max(initial=0)) for some in drawn] * (2 if self.plan.kind == "population" else 1)
        most = math.prod(at_most) * int(columns.size.max(initial=0))
        counts = [some.astype(np.min_scalar_type(-1 - most)) for some in drawn]
        first = np.take(counts[0], columns.sides[0], axis=1)
        if self.plan.kind == "population":  # a unit against itself counts once for each copy
            other = np.take(counts[0], columns.sides[1], axis=1)
            first = np.where(columns.sides[0] == columns.sides[1], first, first * other)
        elif self.plan.kind == "sides":
            first *= np.take(counts[1], columns.sides[1], axis=1)
        return first * columns.size.astype(first.dtype)

    def without_one(self) -> Iterator[tuple[ndarray, Iterator[_Drawn]]]:
        """Yield, for each stratum, the multiplicity of each unit and blocks of the sample without one of them.

        A stratum is a side of both classes, or a class: its units are clusters (side 0), or trials of its columns.
        """
        strata: list[tuple[Sequence[int], int, ndarray]]
        if self.plan.sides:
            strata = [((0, 1), side, np.ones(n, dtype=np.int64)) for side, n in enumerate(self.plan.n_unit)]
        else:
            strata = [
                ((part,), -1, columns.size)
                if apart is None
                else ((part,), 0, np.ones(int(apart.max(initial=-1)) + 1, dtype=np.int64))
                for part, (columns, apart) in enumerate(self._classes)
            ]
        for parts, side, multiplicity in strata:
            yield multiplicity, self._without(parts, side, len(multiplicity))

    def _without(self, parts: Sequence[int], side: int, n_unit: int) -> Iterator[_Drawn]:
        """Yield blocks of the sample without each unit of a stratum."""
        step = max(1, _TOGETHER // max(1, sum(len(columns.size) for columns, _ in self._classes)))
        for start in range(0, n_unit, step):
            units = np.arange(start, min(start + step, n_unit))[:, None]
            left = []
            for part, (columns, _) in enumerate(self._classes):
                size = columns.size[None, :]
                if part in parts and side < 0:
                    size = size - (np.arange(len(columns.size)) == units)
                elif part in parts:
                    is_kept = columns.sides[side] != units
                    if self.plan.kind == "population":
                        is_kept &= columns.sides[1] != units
                    size = size * is_kept
                left.append(np.broadcast_to(size, (len(units), size.shape[1])))
            yield _Drawn(*left)

    # ---- numbers

    def numbers(self, drawn: _Drawn) -> tuple[ndarray, bool]:
        """Return a number of each run and draw (R x b), NaN if a required class was not drawn; and whether all results
        are inside the windows.
        """
        for curve in self.curves:
            curve.read(drawn)
        if self.curves:
            totals = [running[:, -1] for running in self.curves[0].running]
        else:
            totals = [weights.sum(axis=1, dtype=np.int64) for weights in (drawn.target, drawn.nontarget)]
        n_target, n_nontarget = (total.astype(np.float64) for total in totals)
        needs_target, needs_nontarget = self.measure.depends_on
        is_defined = ((n_target > 0) | (not needs_target)) & ((n_nontarget > 0) | (not needs_nontarget))
        rows, is_inside = [], True
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            for of_target, of_nontarget in self.terms:
                found = np.einsum("bm,m->b", drawn.target, of_target) / n_target
                found += np.einsum("bm,m->b", drawn.nontarget, of_nontarget) / n_nontarget
                rows.append(np.where(is_defined, found / (2 * np.log(2)), np.nan))
            for curve in self.curves:
                inside = np.ones(len(n_target), dtype=bool)
                if self.measure.metric == "eer":
                    found, inside = _equal_error(curve, n_target, n_nontarget, self.measure.eer)
                elif self.measure.metric == "auc":
                    found = _area(curve) / (2 * n_target * n_nontarget)
                elif self.measure.metric == "min_cllr":
                    found = _min_cllr(curve, n_target, n_nontarget, self.measure.min_cllr)
                else:
                    found, inside = self._cost(curve, n_target, n_nontarget)
                rows.append(np.where(is_defined, found, np.nan))
                is_inside &= bool((inside | ~is_defined).all())
        return np.array(rows), is_inside

    def _cost(self, curve: _Curve, n_target: ndarray, n_nontarget: ndarray) -> tuple[ndarray, ndarray]:
        measure = self.measure
        at = np.array([1]) if measure.is_decided else curve.corner
        miss, rejected = curve.points(at)
        p_miss, p_fa = miss / n_target[:, None], 1.0 - rejected / n_nontarget[:, None]
        inside = np.ones(len(miss), dtype=bool)
        if measure.metric in RATES:
            return (p_miss if measure.metric.endswith("p_miss") else p_fa)[:, 0], inside
        weight_miss, weight_fa = not_none(measure.weight_miss), not_none(measure.weight_fa)
        least = (weight_miss * p_miss + weight_fa * p_fa).min(axis=1)
        if not measure.is_decided:  # no threshold outside the window costs less: error rates are monotone
            (miss, rejected) = curve.points(np.array([1, len(curve.score) - 1]))
            if curve.is_low_merged:
                inside &= least <= weight_fa * (1.0 - rejected[:, 0] / n_nontarget)
            if curve.is_high_merged:
                inside &= least <= weight_miss * (miss[:, 1] / n_target)
        return least / min(weight_miss, weight_fa) if measure.metric.endswith("norm") else least, inside


def _units(n_unit: int, seed: int, part: int) -> Callable[[int], ndarray]:
    """Return a function that draws so often: how often each unit was drawn, in as many draws as there are units."""
    stream = raw_stream(seed, TRIALS, part)

    def take(size: int) -> ndarray:
        cell = _places(stream, size * n_unit, n_unit) + np.repeat(np.arange(size) * n_unit, n_unit)
        return np.bincount(cell, minlength=size * n_unit).reshape(size, n_unit)

    return take


def _places(stream: np.random.PCG64, n: int, n_place: int) -> ndarray:
    """Return n whole numbers below ``n_place``, equally probable but for 2^-53 n_place."""
    share = (stream.random_raw(n) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return np.minimum((share * n_place).astype(np.int64), n_place - 1)


def _trials(columns: _Columns, n_draw: int, seed: int, part: int, *, is_single: bool) -> Callable[[int], ndarray]:
    """Return a function that draws so often: how often trials of each column were drawn, in as many as there are."""
    size = columns.size
    n_trial, n_column = int(size.sum()), len(size)
    stream = raw_stream(seed, TRIALS, 4 + part)
    if is_single:

        def one_by_one(n_row: int) -> ndarray:
            place = columns.of_trial[_places(stream, n_row * n_trial, n_trial)]
            cell = place + np.repeat(np.arange(n_row) * n_column, n_trial)
            return np.bincount(cell, minlength=n_row * n_column).reshape(n_row, n_column)

        return one_by_one
    is_large = size >= MERGED
    large, small = np.flatnonzero(is_large), np.flatnonzero(~is_large)
    merged = np.zeros((n_draw, len(large)), dtype=np.int64)
    rest, n_left = np.full(n_draw, n_trial), n_trial
    of_large = raw_stream(seed, TRIALS, 2 + part)
    for index, column in enumerate(large):
        share = (of_large.random_raw(n_draw) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        merged[:, index] = binomial(share, rest, int(size[column]) / n_left)
        rest, n_left = rest - merged[:, index], n_left - int(size[column])
    together, done = _together(stream, n_left, int(rest.min(initial=n_left))), 0
    end = np.append(0, np.cumsum(size[small]))
    is_plain = n_trial == n_column  # each trial a column

    def take(n_row: int) -> ndarray:
        nonlocal done
        found = np.empty((n_row, n_column), dtype=np.uint8 if is_plain else np.int32)
        for row in range(n_row):
            if is_plain:
                found[row] = together(n_trial)
                continue
            found[row, large] = merged[done + row]
            if n_left:
                running = np.append(0, np.cumsum(together(int(rest[done + row])), dtype=np.int32))
                found[row, small] = np.diff(running[end])
        done += n_row
        return found

    return take


def _together(stream: np.random.PCG64, n_trial: int, least: int) -> Callable[[int], ndarray]:
    """Return a function that draws so often, ``least`` times or more: how often each of ``n_trial`` was drawn.

    Independent Poisson numbers are multinomial given their sum. Their mean is low enough that the sum rarely exceeds
    the target (then all are drawn again); the missing ones are drawn one by one.
    """
    mean = max(0.0, least - 5.0 * math.sqrt(least)) / max(1, n_trial)
    terms = [math.exp(-mean)]
    while terms[-1] > 2.0**-60 or len(terms) <= mean:
        terms.append(terms[-1] * mean / len(terms))
    at_most = np.cumsum(terms)
    # 16 bits decide, but where a step is inside their cell: there 53 more do
    edge = np.arange(2**16 + 1) / 2**16
    number, last = np.searchsorted(at_most, edge[:-1], side="right"), np.searchsorted(at_most, edge[1:], side="left")
    table = np.where(number == last, number, _UNDECIDED).astype(np.uint8)

    def take(n_drawn: int) -> ndarray:
        while True:
            cell = stream.random_raw(-(-n_trial // 4)).astype("<u8", copy=False).view("<u2")[:n_trial]
            count = np.take(table, cell)
            open_ = np.flatnonzero(count == _UNDECIDED)
            share = (cell[open_] + (stream.random_raw(len(open_)) >> np.uint64(11)) * 2.0**-53) / 2**16
            count[open_] = np.searchsorted(at_most, share, side="right")
            n_lacking = n_drawn - int(count.sum(dtype=np.int64))
            if n_lacking >= 0:
                np.add.at(count, _places(stream, n_lacking, n_trial), np.uint8(1))
                return count

    return take


def binomial(share: ndarray, n: ndarray, p: float) -> ndarray:
    """Return binomial numbers by inversion of uniform ones, outwards from the mode.

    Args:
        share: B numbers in [0, 1).
        n: B numbers of trials.
        p: of a success.
    """
    if p <= 0.0 or p >= 1.0:
        return np.where(p >= 1.0, n, 0)
    mode = np.minimum(np.floor((n + 1) * p).astype(np.int64), n)
    table = {
        (total, at): math.exp(
            math.lgamma(total + 1)
            - math.lgamma(at + 1)
            - math.lgamma(total - at + 1)
            + at * math.log(p)
            + (total - at) * math.log1p(-p)
        )
        for total, at in set(zip(n.tolist(), mode.tolist(), strict=True))
    }
    up = np.array([table[key] for key in zip(n.tolist(), mode.tolist(), strict=True)])
    found, left = mode.copy(), share - up
    at = np.flatnonzero(left >= 0)  # numbers that are not found yet
    down, above, below, odds = up[at].copy(), mode[at].copy(), mode[at].copy(), p / (1.0 - p)
    up, left, n = up[at], left[at], n[at]
    while len(at):
        up, above = up * ((n - above) / (above + 1) * odds), above + 1
        left = left - up
        is_up = left < 0
        down, below = down * (below / (n - below + 1) / odds), below - 1
        left = left - np.where(is_up, 0.0, down)
        # what rounding leaves over is in a tail of less than 1e-12
        is_found = (left < 0) | ((up <= 0) & (down <= 0))
        found[at[is_found]] = np.clip(np.where(is_up, above, below), 0, n)[is_found]
        keep = ~is_found
        at, up, down, above, below, left, n = (some[keep] for some in (at, up, down, above, below, left, n))
    return found


def _area(curve: _Curve) -> ndarray:
    """Return twice the number of pairs with the higher score for the target; a tie counts one half."""
    has_target = np.flatnonzero(np.diff(curve.below[0]))
    (miss_before, rejected_before), (miss, rejected) = curve.points(has_target), curve.points(has_target + 1)
    return ((miss - miss_before) * (rejected + rejected_before)).sum(axis=1)


def _min_cllr(curve: _Curve, n_target: ndarray, n_nontarget: ndarray, addition: str) -> ndarray:
    """Return the cost after the best calibration: pools of adjacent violators, of all draws at a time."""
    points = np.stack(curve.points(np.arange(len(curve.score) + 1)))
    n_added = float(addition == "laplace")
    if n_added:  # a target and a non-target below all scores, and above, one pool each; they cost nothing themselves
        points = np.concatenate([np.zeros((*points.shape[:2], 1)), points + 1, points[:, :, -1:] + 2], axis=2)
    # the points between pools, of all draws one after another; each begins where nothing is rejected
    n_row, n_point = points.shape[1:]
    points = points.reshape(2, -1)
    begins = np.zeros(points.shape[1], dtype=bool)
    begins[::n_point] = True
    is_kept = begins | np.append(True, np.diff(points.sum(axis=0)) != 0)  # something drawn before the point
    while True:
        points, begins = np.compress(is_kept, points, axis=1), begins[is_kept]
        pools = np.diff(points, axis=1)
        # a pool must have a smaller share of targets than the next: products of whole numbers below 2^53
        is_kept = begins | np.append(begins[1:], True)
        is_kept[1:-1] |= pools[0, :-1] * pools[1, 1:] < pools[0, 1:] * pools[1, :-1]
        if is_kept.all():
            break
    row = (np.cumsum(begins) - 1)[:-1]
    is_pool = ~begins[1:]
    pools, row = pools[:, is_pool], row[is_pool]
    is_other = row[1:] != row[:-1]
    kept = pools - n_added * (np.append(True, is_other) * 1.0 + np.append(is_other, True))
    rate = pools / np.stack([n_target, n_nontarget])[:, row]
    cost = np.where(
        (pools > 0).all(axis=0),
        kept[0] / n_target[row] * np.log1p(rate[1] / rate[0])
        + kept[1] / n_nontarget[row] * np.log1p(rate[0] / rate[1]),
        0.0,
    )
    return np.bincount(row, weights=cost, minlength=n_row) / (2 * np.log(2))


def _equal_error(curve: _Curve, n_target: ndarray, n_nontarget: ndarray, rule: str) -> tuple[ndarray, ndarray]:
    """Return the equal error rate of each draw (metric.verification_eer__v1), and whether it is inside the window."""
    last = len(curve.score)
    if rule == "convex_hull":
        miss, rejected = curve.points(curve.corner)
        p_miss, p_fa = miss / n_target[:, None], 1.0 - rejected / n_nontarget[:, None]
        found, left, right = _hull_crossing(p_miss, p_fa)
        row = np.arange(len(found))
        run, rise = p_fa[row, left] - p_fa[row, right], p_miss[row, right] - p_miss[row, left]
        height = p_miss[row, left] * run + p_fa[row, left] * rise
        miss, rejected = curve.points(np.array([1, last - 1]))
        inside = np.ones(len(found), dtype=bool)
        if curve.is_low_merged:
            inside &= rise * (1.0 - rejected[:, 0] / n_nontarget) >= height
        if curve.is_high_merged:
            inside &= run * (miss[:, 1] / n_target) >= height
        return found, inside

    def away(at: ndarray) -> tuple[ndarray, ndarray, ndarray]:
        miss, rejected = curve.point(at)
        false_alarm = n_nontarget - rejected
        return miss, false_alarm, miss * n_nontarget - false_alarm * n_target  # the last rises from point to point

    # halving finds the first point above; most points of a draw are never computed
    above, below = np.full(len(n_target), last), np.zeros(len(n_target), dtype=np.int64)
    while (below < above).any():
        middle = (below + above) // 2
        is_above = away(middle)[2] > 0
        above, below = np.where(is_above, middle, above), np.where(is_above, below, np.minimum(middle + 1, above))
    before = np.maximum(above - 1, 0)
    inside = np.ones(len(n_target), dtype=bool)
    if curve.is_low_merged:
        inside &= before > 0
    if curve.is_high_merged:
        inside &= above < last
    if rule in ("nearest_corner", "nearest_max"):
        found, is_near = _nearest_corner(curve, above, n_target, n_nontarget, rule)
        return found, inside & is_near
    (miss, false_alarm, low), (next_miss, next_false_alarm, high) = away(before), away(above)
    if rule == "interpolated":
        return (miss + (next_miss - miss) * (-low / (high - low))) / n_target, inside
    if rule == "nearest_point":  # equally near: the higher threshold
        is_before = -low < high
        errors = np.where(is_before, miss, next_miss) / n_target
        return (errors + np.where(is_before, false_alarm, next_false_alarm) / n_nontarget) / 2, inside
    if rule == "target_step":
        n_here, n_below = next_miss - miss, -low
        n_step = np.floor(n_below / n_nontarget)
        found = np.where(
            (n_here > 0) & ((n_here - 1) * n_nontarget >= n_below),
            miss + n_step + (n_step * n_nontarget < n_below),
            np.minimum(next_miss, n_target - 1),
        )
        return found / n_target, inside
    return _nearest_trial(miss, false_alarm, next_miss, next_false_alarm, n_target, n_nontarget), inside


def _nearest_trial(
    miss: ndarray,
    false_alarm: ndarray,
    next_miss: ndarray,
    next_false_alarm: ndarray,
    n_target: ndarray,
    n_nontarget: ndarray,
) -> ndarray:
    """Return the mean rate of the nearest point after a single trial; of tied trials the targets are first."""
    found, nearest = np.full(len(miss), np.nan), np.full(len(miss), np.inf)
    # steps of targets from the lower point, then of non-targets; the best of each are whole numbers at the crossing
    exact_miss = np.clip(false_alarm * n_target / n_nontarget, miss, next_miss)
    exact_false_alarm = np.clip(next_miss * n_nontarget / n_target, next_false_alarm, false_alarm)
    for some_miss, some_false_alarm in (
        (miss, false_alarm),
        (np.floor(exact_miss), false_alarm),
        (np.ceil(exact_miss), false_alarm),
        (next_miss, np.ceil(exact_false_alarm)),
        (next_miss, np.floor(exact_false_alarm)),
        (next_miss, next_false_alarm),
    ):
        distance = np.abs(some_miss * n_nontarget - some_false_alarm * n_target)
        better = distance < nearest  # equally near: the lower threshold, which came first
        nearest = np.where(better, distance, nearest)
        found = np.where(better, (some_miss / n_target + some_false_alarm / n_nontarget) / 2, found)
    return found


def _nearest_corner(
    curve: _Curve, above: ndarray, n_target: ndarray, n_nontarget: ndarray, rule: str
) -> tuple[ndarray, ndarray]:
    """Return the rate at the nearer corner point of each draw, and whether both corners are inside the window.

    A corner is a point where the group above repeats not the step of the group below; groups that were not drawn are
    none, and the ends of the curve are corners.
    """
    miss, rejected = curve.points(np.arange(len(curve.score) + 1))
    found, inside = np.full(len(miss), np.nan), np.ones(len(miss), dtype=bool)
    for row in range(len(miss)):
        if not n_target[row] or not n_nontarget[row]:
            continue
        # points before each drawn group, and after the last
        group = np.flatnonzero(np.diff(miss[row] + rejected[row]))
        at = np.append(group, len(curve.score))
        step = np.stack([miss[row, group + 1] - miss[row, group], rejected[row, group + 1] - rejected[row, group]])
        is_corner = np.append(np.append(True, (np.diff(step, axis=1) != 0).any(axis=0)), True)
        is_corner[len(group) - 1] = True  # the highest score
        corner = at[is_corner]
        place = int(np.searchsorted(corner, above[row]))
        low, high = corner[place - 1], corner[place]
        inside[row] = not (curve.is_low_merged and low < 2) and not (
            curve.is_high_merged and high > len(curve.score) - 2
        )
        rates = [
            (miss[row, point] * n_nontarget[row], (n_nontarget[row] - rejected[row, point]) * n_target[row])
            for point in (low, high)
        ]
        is_high = rates[1][0] - rates[1][1] <= rates[0][1] - rates[0][0]
        chosen = rates[int(is_high)]
        found[row] = sum(chosen) / 2 if rule == "nearest_corner" else chosen[0] if is_high else chosen[1]
    return found / (n_target * n_nontarget), inside


def _hull_crossing(p_miss: ndarray, p_fa: ndarray) -> tuple[ndarray, ndarray, ndarray]:
    """Return where each lower convex hull crosses p_miss = p_fa, and the vertices (points) on both sides of it.

    It is the largest over priors of the least error rate.
    """
    row = np.arange(len(p_miss))
    # two points of the hull on either side, and the point farthest below their line, until no point is below
    left, right = np.zeros(len(p_miss), dtype=np.int64), np.full(len(p_miss), p_miss.shape[1] - 1)
    for _ in range(p_miss.shape[1]):
        left_miss, left_fa = p_miss[row, left], p_fa[row, left]
        right_miss, right_fa = p_miss[row, right], p_fa[row, right]
        run, rise = left_fa - right_fa, right_miss - left_miss
        height = p_miss * run[:, None] + p_fa * rise[:, None]
        lowest = height.argmin(axis=1)
        ends = np.minimum(left_miss * run + left_fa * rise, right_miss * run + right_fa * rise)
        is_below = height[row, lowest] < ends - 1e-15
        if not is_below.any():
            break
        is_left = p_miss[row, lowest] <= p_fa[row, lowest]
        left, right = np.where(is_below & is_left, lowest, left), np.where(is_below & ~is_left, lowest, right)
    left_miss, left_fa = p_miss[row, left], p_fa[row, left]
    right_miss, right_fa = p_miss[row, right], p_fa[row, right]
    slope = (left_fa - left_miss) / ((left_fa - left_miss) + (right_miss - right_fa))
    return left_miss + (right_miss - left_miss) * slope, left, right
