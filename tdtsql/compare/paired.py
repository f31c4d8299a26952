"""Several runs against one or several baselines, topics as the unit.

One row per (run, baseline): the difference with its confidence interval,
win/tie/loss, the p value, and the p value corrected for the whole family.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy import ndarray

from tdtsql.compare.bootstrap import (
    UNDEFINED,
    Bootstrap,
    Interval,
    bca_interval,
    bootstrap_means,
    cluster_sums,
    percentile_interval,
)
from tdtsql.compare.classical import mean_and_deviation, student_interval, student_test, wilcoxon_test
from tdtsql.compare.correction import CORRECTIONS, adjust, family_size, smallest_reachable
from tdtsql.compare.fixed import difference, to_fixed
from tdtsql.compare.randomisation import ENUMERATE_UP_TO, Randomisation, randomisation_test
from tdtsql.compare.resampling import Step
from tdtsql.compare.topics import TopicMatrix
from tdtsql.errors import InvalidSetting, WrongCall

TESTS = ("randomisation", "bootstrap", "t", "wilcoxon")
INTERVALS = ("bca", "percentile", "t")

#: reasons for a missing number
ONE_TOPIC = "one topic: no test and no interval"
ONE_CLUSTER = "one cluster: no test and no interval"
NO_VARIANCE = "the differences do not vary: no effect size"
OUTSIDE = "the mean is outside its resamples: no BCa interval"


@dataclass(frozen=True)
class Method:
    """Parameters of a comparison, as requested; None: the default of topics (`of_topics`), or of scored trials
    (`trial_pairs.resolved`). All of them are printed with the numbers.
    """

    test: str | None = None
    correction: str = "holm"
    interval: str | None = None
    level: float = 0.95
    n_permutation: int = 100_000
    n_resample: int | None = None
    seed: int = 20040
    unit: str | None = None  #: what is resampled of scored trials, or of items

    @classmethod
    def of_call(cls, *, no_cluster: bool, unit: str | None, **method: Any) -> "Method":
        """Return what a call requests; ``no_cluster`` is unit ``item``.

        Raises:
            WrongCall: another unit beside it.
        """
        if no_cluster and unit not in (None, "item"):
            raise WrongCall("--no-cluster and --unit exclude each other: name one of them.")
        return cls(unit="item" if no_cluster else unit, **method)

    @property
    def is_by_topic(self) -> bool:
        """A test over topics is requested by name: scored trials are compared over their blocks."""
        return self.test in TESTS and self.test != "bootstrap"

    @property
    def n_draw(self) -> int:
        """The number of resamples."""
        return 10_000 if self.n_resample is None else self.n_resample

    @property
    def is_drawn(self) -> bool:
        """The interval is from resamples."""
        return self.interval != "normal"

    def check(self, said: str, tests: Sequence[str], intervals: Sequence[str], corrections: Sequence[str]) -> None:
        """Raise InvalidSetting for a value that is not one of these, or out of range."""
        for what, value, known in (
            ("test", self.test, tests),
            ("correction", self.correction, corrections),
            ("interval", self.interval, intervals),
        ):
            if value is not None and value not in known:
                raise InvalidSetting(f"{what} {value!r} is {said}. One of: {', '.join(known)}.")
        if not 0.0 < self.level < 1.0:
            raise InvalidSetting(f"level {self.level!r} is not between 0 and 1. Give 0.95, for example.")
        if self.seed < 0:
            raise InvalidSetting(f"seed {self.seed} is negative. Give a whole number from 0.")

    def of_topics(self, *, is_items: bool = False) -> "Method":
        """Return the method of topics, or of items, with everything decided.

        Raises:
            InvalidSetting: a value is not for topics.
        """
        if self.unit is not None and not is_items:
            raise InvalidSetting(f"unit {self.unit!r} is for scored trials; topics are resampled. Leave --unit out.")
        self.check("unknown", TESTS, INTERVALS, CORRECTIONS)
        if self.n_permutation < 1 or self.n_draw < 1:
            raise InvalidSetting("at least one permutation and one resample are needed. Give 100000 and 10000.")
        test, interval = self.test or "randomisation", self.interval or "bca"
        return replace(self, test=test, interval=interval, n_resample=self.n_draw)


@dataclass(frozen=True)
class Comparison:
    """One run against one baseline."""

    run: str
    baseline: str
    n_topic: int
    mean: float  #: of the run over the compared topics
    baseline_mean: float
    difference: float  #: run minus baseline
    se: float  #: standard error of the difference; NaN of one topic or cluster
    n_cluster: int | None  #: clusters of topics, if clusters are drawn
    low: float  #: ends of the confidence interval of the difference
    high: float
    effect_size: float  #: mean difference in standard deviations of the differences; NaN where they do not vary
    win: int  #: topics on which the run is better
    tie: int
    loss: int
    p: float
    p_adjusted: float
    mc_error: float  #: standard error of p by simulation, 0 where p is exact
    exact: bool
    reason: str  #: why p, interval or effect size are NaN; empty where none is


@dataclass(frozen=True)
class Family:
    """All comparisons of one family."""

    rows: tuple[Comparison, ...]
    method: Method
    family_size: int  #: p values that the correction counts
    n_topic: int
    n_undefined: int  #: topics without a number for any run
    n_missing: int
    policy: str  #: for missing topics
    smallest_p: float  #: the smallest corrected p value that any of the tests could have on these topics
    n_differing: int  #: topics on which the pair differs that differs on most


def pairs_against(runs: Sequence[str], baselines: Sequence[str]) -> list[tuple[str, str]]:
    """Return (run, baseline) for every run that is not itself a baseline, then baseline against earlier baseline."""
    pairs = [(run, baseline) for baseline in baselines for run in runs if run not in baselines]
    return pairs + [(run, other) for index, run in enumerate(baselines) for other in baselines[:index]]


def all_pairs(runs: Sequence[str]) -> list[tuple[str, str]]:
    """Return every unordered pair of runs, the earlier one as baseline."""
    return [(run, other) for index, run in enumerate(runs) for other in runs[:index]]


def compare_pairs(
    matrix: TopicMatrix,
    pairs: Sequence[tuple[str, str]],
    *,
    best: str,
    method: Method | None = None,
    clusters: Mapping[str, int] | None = None,
    leader: str | None = None,
    progress: Step | None = None,
) -> Family:
    """Return one Comparison per pair, with the family-wise corrected p values.

    Args:
        matrix: result of `topics.align`.
        pairs: (run, baseline); all of them are the family.
        best: `lowest`, `highest`, or `none` (higher counts as a win then).
        clusters: topic -> cluster, where the topics of a cluster are not independent: clusters are drawn and turned
            whole.
        leader: the run whose pairs alone get an interval; None: every pair gets one.
        progress: called with the number of permutations or resamples just done.

    Raises:
        InvalidComparison: no pair, or a pair with an unknown run.
    """
    method = (method or Method()).of_topics(is_items=True)
    if not pairs:
        raise InvalidSetting("there is nothing to compare with. Name at least two different runs.")
    column = {run: index for index, run in enumerate(matrix.runs)}
    for run, baseline in pairs:
        for name in (run, baseline):
            if name not in column:
                raise InvalidSetting(f"run {name!r} is not among the compared runs. One of: {', '.join(matrix.runs)}.")
        if run == baseline:
            raise InvalidSetting(f"run {run!r} cannot be compared with itself. Name another baseline.")
    unit = to_fixed(matrix.values).unit  # one grid for all that is compared
    # rounding is not evidence, in any test
    of_run = np.ascontiguousarray(matrix.values.T)
    n_topic = len(matrix.topics)
    differences = np.empty((len(pairs), n_topic)).T
    for at, (run, other) in enumerate(pairs):
        differences[:, at] = difference(of_run[column[run]], of_run[column[other]])
    drawn, values, sizes = differences, matrix.values, None  # units that are drawn or flipped together
    if clusters is not None:
        codes = np.array([clusters[topic] for topic in matrix.topics])
        (drawn, sizes), (values, _) = (cluster_sums(some, codes) for some in (differences, matrix.values))
    n_drawn = len(drawn)
    columns = np.array([[column[run], column[other]] for run, other in pairs])

    randomisation = bootstrap = None
    if n_drawn > 1 and method.test == "randomisation":
        randomisation = randomisation_test(
            drawn,
            n_permutation=method.n_permutation,
            seed=method.seed,
            unit=unit,
            values=values,
            pairs=columns,
            progress=progress,
        )
    has_interval = np.array([leader is None or leader in pair for pair in pairs])
    resampled = np.flatnonzero(has_interval | (method.test == "bootstrap"))
    if n_drawn > 1 and (method.test == "bootstrap" or method.interval != "t"):
        bootstrap = bootstrap_means(
            drawn[:, resampled],
            n_resample=method.n_draw,
            seed=method.seed,
            unit=unit,
            sizes=sizes,
            values=values,
            pairs=columns[resampled],
            progress=progress,
        )
    spreads = [_spread(numbers, totals, sizes) for numbers, totals in zip(differences.T, drawn.T, strict=True)]
    p, exact, mc_error = _p_values(
        drawn if sizes is None else drawn / sizes[:, None], spreads, method, randomisation, bootstrap
    )
    adjusted = adjust(p, method=method.correction)
    n_differing = (drawn != 0.0).sum(axis=0)
    smallest = np.where(np.isnan(p), math.nan, [_smallest_p(int(n), method) for n in n_differing])

    rows = []
    means = [math.fsum(numbers) / n_topic for numbers in matrix.values.T.tolist()]
    sign = -1.0 if best == "lowest" else 1.0
    for index, (run, baseline) in enumerate(pairs):
        values = differences[:, index]
        spread = spreads[index]
        place = int(np.searchsorted(resampled, index))
        interval = _interval(values, spread, place, method, bootstrap) if has_interval[index] else UNDEFINED
        gain = sign * values
        if n_drawn == 1:
            reasons = [ONE_TOPIC if n_topic == 1 else ONE_CLUSTER]
        else:
            is_outside = bool(has_interval[index]) and math.isnan(interval.low)
            reasons = [NO_VARIANCE] * (spread.deviation == 0.0) + [OUTSIDE] * is_outside
        rows.append(
            Comparison(
                run=run,
                baseline=baseline,
                n_topic=len(values),
                mean=means[column[run]],
                baseline_mean=means[column[baseline]],
                difference=spread.mean,
                se=spread.se,
                n_cluster=None if sizes is None else n_drawn,
                low=interval.low,
                high=interval.high,
                effect_size=spread.mean / spread.deviation if spread.deviation > 0.0 else math.nan,
                win=int((gain > 0.0).sum()),
                tie=int((gain == 0.0).sum()),
                loss=int((gain < 0.0).sum()),
                p=float(p[index]),
                p_adjusted=float(adjusted[index]),
                mc_error=float(mc_error[index]),
                exact=bool(exact[index]),
                reason="; ".join(reasons),
            )
        )
    return Family(
        tuple(rows),
        method,
        family_size(p),
        n_topic,
        len(matrix.undefined),
        matrix.n_missing,
        matrix.policy,
        smallest_reachable(smallest, method=method.correction),
        int(n_differing.max()),
    )


@dataclass(frozen=True)
class _Spread:
    """A mean difference, its standard error, and the degrees of freedom of this."""

    mean: float
    deviation: float  #: standard deviation of the differences of topics
    se: float
    n_free: int
    influence: ndarray | None  #: of each cluster: the sum of its deviations; None: topics are drawn one by one


def _spread(values: ndarray, totals: ndarray, sizes: ndarray | None) -> _Spread:
    """Return the standard error of a mean: of topics, or, with how many each has, of clusters of them.

    Source: E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), appendix A; G / (G - 1) as in statsmodels.
    """
    n, n_cluster = len(values), len(totals)
    mean, deviation = mean_and_deviation(values) if n > 1 else (float(values[0]), math.nan)
    if sizes is None:
        return _Spread(mean, deviation, deviation / math.sqrt(n), n - 1, None)
    influence = totals - sizes * mean if (values != values[0]).any() else np.zeros(n_cluster)
    if n_cluster < 2:
        return _Spread(mean, deviation, math.nan, 0, influence)
    square = math.fsum(np.square(influence).tolist())
    se = math.sqrt(n_cluster / (n_cluster - 1) * square) / n
    return _Spread(mean, deviation, se, n_cluster - 1, influence)


def _p_values(
    differences: ndarray,
    spreads: Sequence[_Spread],
    method: Method,
    randomisation: Randomisation | None,
    bootstrap: Bootstrap | None,
) -> tuple[ndarray, ndarray, ndarray]:
    """Return p, exact and mc_error of every column; one topic tests nothing.

    Args:
        differences: of topics, or means of clusters of them.
    """
    if len(differences) == 1:
        nothing = np.full(differences.shape[1], math.nan)
        return nothing, np.zeros(len(nothing), dtype=bool), nothing
    if randomisation is not None:
        return randomisation.p, randomisation.exact, randomisation.mc_error
    if method.test == "bootstrap" and bootstrap is not None:
        return bootstrap.p, np.zeros(len(bootstrap.p), dtype=bool), bootstrap.mc_error
    if method.test == "t":
        results = [student_test(spread.mean, spread.se, spread.n_free) for spread in spreads]
    else:
        results = [wilcoxon_test(differences[:, index]) for index in range(differences.shape[1])]
    p = np.array([result.p for result in results])
    return p, np.array([result.exact for result in results]), np.zeros(len(p))


def _smallest_p(n_differing: int, method: Method) -> float:
    """Return the smallest p value that a test can have where so many topics differ."""
    of_signs = min(1.0, 2.0 ** (1 - n_differing))  # all differences on one side
    if method.test == "randomisation":
        return of_signs if n_differing <= ENUMERATE_UP_TO else max(of_signs, 1.0 / (method.n_permutation + 1.0))
    if method.test == "bootstrap":
        return 1.0 / (method.n_draw + 1.0) if n_differing else 1.0
    return of_signs if method.test != "t" or not n_differing else 0.0


def _interval(values: ndarray, spread: _Spread, place: int, method: Method, bootstrap: Bootstrap | None) -> Interval:
    """Return the interval of a mean difference; its resampled means are column ``place``."""
    if spread.n_free < 1:
        return UNDEFINED
    if (values == values[0]).all():
        return Interval(float(values[0]), float(values[0]))
    if method.interval == "t" or bootstrap is None:
        return student_interval(spread.mean, spread.se, spread.n_free, level=method.level)
    if method.interval == "percentile":
        return percentile_interval(bootstrap.means[:, place], level=method.level)
    return bca_interval(
        bootstrap.means[:, place],
        values,
        share_below=float(bootstrap.share_below[place]),
        level=method.level,
        influence=spread.influence,
    )


def topic_differences(matrix: TopicMatrix, run: str, baseline: str) -> list[tuple[str, float, float, float]]:
    """Return the topics of one comparison (topic, value of the run, of the baseline, difference), largest difference
    first, equal ones by topic id.
    """
    values, others = (matrix.values[:, matrix.runs.index(name)] for name in (run, baseline))
    columns = (column.tolist() for column in (values, others, difference(values, others)))
    return sorted(zip(matrix.topics, *columns, strict=True), key=lambda row: (-abs(row[3]), row[0]))
