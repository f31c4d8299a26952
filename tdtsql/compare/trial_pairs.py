"""Runs compared on the same scored trials: intervals, p values and tests.

| test        | content                                               | source                                        |
|-------------|-------------------------------------------------------|-----------------------------------------------|
| `bootstrap` | every metric: p inverts the interval of the draws     | Efron, Tibshirani (1993); BCa: Efron (1987)   |
| `delong`    | auc: variance in closed form                          | E. DeLong et al. (1988); X. Sun, W. Xu (2014) |
| `mcnemar`   | rates of decisions: trials that one run gets wrong    | Q. McNemar (1947), exact binomial form        |
| `normal`    | cllr with the normal interval: paired terms per class | mean of independent terms                     |

Exchanging the scores of two systems trial by trial is not offered: they are on two scales, hence not exchangeable
under the hypothesis of equal error rates.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy import ndarray

from tdtsql.compare.bootstrap import UNDEFINED, Interval, corrected_shares, plain
from tdtsql.compare.classical import binomial_two_sided
from tdtsql.compare.correction import CORRECTIONS, adjust, family_size, smallest_reachable
from tdtsql.compare.distribution import normal_cdf, normal_quantile
from tdtsql.compare.fixed import TIE
from tdtsql.compare.paired import Method
from tdtsql.compare.resampling import Step
from tdtsql.compare.scored import (
    METRICS,
    MOST_UNDEFINED,
    RATES,
    Draws,
    Measure,
    Plan,
    Sample,
    accepted,
    jackknife,
    n_jackknife,
    plan_draws,
    resample,
)
from tdtsql.errors import InvalidSetting, not_none

TESTS = ("bootstrap", "delong", "mcnemar")
INTERVALS = ("percentile", "bca", "normal")
#: number of draws without a request: up to and above MANY_TRIALS
FEW_TRIALS_DRAWS, MANY_TRIALS, MANY_TRIALS_DRAWS = 10_000, 100_000, 1_000
#: fewer units of resampling than this on a side are reported
FEW_UNITS = 10
#: numbers times columns that a jackknife may compute
MOST_JACKKNIFE = 2_000_000_000

NO_CLASS = "{metric} is not defined here: {what} in the trials"
INFINITE = "infinite value: differences and intervals are undefined"


def resolved(method: Method, metric: str, n_trial: int) -> Method:
    """Return the method of scored trials with everything decided.

    Raises:
        InvalidSetting: a value is not for scored trials; the metric, the unit and the test do not go together.
    """
    method.check("not for scored trials", TESTS, INTERVALS, CORRECTIONS)
    fewest = math.ceil(2.0 / (1.0 - method.level) - 1e-9)
    if method.n_resample is not None and method.n_resample < fewest:
        raise InvalidSetting(
            f"{method.n_resample} resamples cannot give a limit at level {method.level:g}. Request {fewest} or more."
        )
    unit = method.unit or "trial"
    if metric not in METRICS:
        raise InvalidSetting(f"metric {metric!r} cannot be compared on scored trials. One of: {', '.join(METRICS)}.")
    is_by_trial, test, interval = unit == "trial", method.test, method.interval
    if test is None:
        is_closed = is_by_trial and interval in (None, "normal") and metric == "auc"
        test = "delong" if is_closed else "mcnemar" if is_by_trial and metric in RATES else "bootstrap"
    if test == "delong" and metric != "auc":
        raise InvalidSetting(f"test delong is for auc, not for {metric}. Use --test=bootstrap.")
    if test == "mcnemar" and metric not in RATES:
        raise InvalidSetting(
            f"test mcnemar is for rates of decisions ({', '.join(RATES)}), not for {metric}. Use --test=bootstrap."
        )
    if test != "bootstrap" and not is_by_trial:
        raise InvalidSetting(f"test {test} is by trial and not valid for clusters (unit {unit}). Use --test=bootstrap.")
    if interval is None:
        interval = "normal" if test == "delong" else "percentile"
    elif (interval == "normal") != (test == "delong") and not (
        interval == "normal" and metric == "cllr" and is_by_trial
    ):
        proper = "normal" if test == "delong" else "percentile or bca"
        raise InvalidSetting(f"interval {interval} is not for {metric} with test {test}. Use {proper}.")
    n_resample = method.n_resample or (FEW_TRIALS_DRAWS if n_trial <= MANY_TRIALS else MANY_TRIALS_DRAWS)
    return replace(method, unit=unit, test=test, interval=interval, n_resample=n_resample)


@dataclass(frozen=True)
class TrialComparison:
    """One run compared with one baseline; None where undefined."""

    run: str
    baseline: str
    value: float | None
    baseline_value: float | None
    difference: float | None  #: run minus baseline
    low: float | None = None  #: interval of the difference
    high: float | None = None
    value_low: float | None = None  #: intervals of the values, from the same draws
    value_high: float | None = None
    baseline_low: float | None = None
    baseline_high: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    mc_error: float | None = None  #: standard error of p by simulation; 0 where p is exact
    statistic: float | None = None  #: z
    se: float | None = None  #: standard error of the difference
    n_only_run: int | None = None  #: trials that only the run gets wrong
    n_only_baseline: int | None = None
    reason: str | None = None  #: reason for a missing value


@dataclass(frozen=True)
class TrialFamily:
    """All comparisons of one call."""

    rows: tuple[TrialComparison, ...]
    method: Method  #: resolved
    family_size: int
    n_target: int
    n_nontarget: int
    plan: Plan
    n_undefined_draw: int | None  #: None: nothing was drawn
    smallest_p: float  #: smallest corrected p value that was possible
    notes: tuple[str, ...]
    intervals: tuple[Interval, ...] = ()  #: of the value of each run; NaN: none

    @property
    def n_trial(self) -> int:
        return self.n_target + self.n_nontarget

    @property
    def n_unit(self) -> str | int:
        """How many units were drawn from; of two sides or classes `5 x 6`."""
        return self.plan.n_unit[0] if len(self.plan.n_unit) == 1 else " x ".join(map(str, self.plan.n_unit))


def compare_trials(
    sample: Sample,
    measure: Measure,
    runs: Sequence[str],
    values: Sequence[float | None],
    pairs: Sequence[tuple[str, str]],
    method: Method,
    *,
    progress: Step | None = None,
) -> TrialFamily:
    """Return one comparison per pair (run, baseline), with corrected p values.

    Args:
        sample: the trials, one row of scores per run.
        values: the number of each run over all trials, no resampling; None where undefined.
        method: as requested; unset parameters are chosen here.
    """
    method = resolved(method, measure.metric, len(sample.is_target))
    found = _intervals(sample, measure, values, method, progress)
    intervals = [found.of_value(*each) for each in enumerate(values)]
    place = {run: index for index, run in enumerate(runs)}
    rows = []
    for run, baseline in pairs:
        one, other = place[run], place[baseline]
        row = _row(run, baseline, values[one], values[other], found.undefined)
        if method.test == "mcnemar":
            row = _mcnemar(row, sample, measure, one, other)
        if row.reason is None and found.source is not None:
            (low, high), (baseline_low, baseline_high) = intervals[one].ends, intervals[other].ends
            row = replace(row, value_low=low, value_high=high, baseline_low=baseline_low, baseline_high=baseline_high)
            row = found.source.filled(row, one, other)
        rows.append(row)
    p = np.array([math.nan if row.p is None else row.p for row in rows])
    adjusted = adjust(p, method=method.correction)
    rows = [replace(row, p_adjusted=plain(float(value))) for row, value in zip(rows, adjusted, strict=True)]
    least = np.where(np.isnan(p), math.nan, 2.0 / (method.n_draw + 1.0) if method.test == "bootstrap" else 0.0)
    n_target = int(sample.is_target.sum())
    n_nontarget = len(sample.is_target) - n_target
    return TrialFamily(
        tuple(rows),
        method,
        family_size(p),
        n_target,
        n_nontarget,
        found.plan,
        found.n_undefined,
        smallest_reachable(least, method=method.correction),
        _notes(found, method, n_target, n_nontarget),
        tuple(intervals),
    )


def value_intervals(
    sample: Sample, measure: Measure, values: Sequence[float | None], method: Method, *, progress: Step | None = None
) -> tuple[list[Interval], list[str], Plan]:
    """Return the interval of the value of each run (NaN: none), the reasons (empty: none), and what was drawn.

    The draws are those of ``compare_trials`` for the same runs.
    """
    method = resolved(replace(method, test="bootstrap"), measure.metric, len(sample.is_target))
    found = _intervals(sample, measure, values, method, progress)
    lacks_class = found.source.reason if isinstance(found.source, _Drawn) else None
    reason = found.undefined or lacks_class or _too_few_units(found.plan, method)
    undefined = f"{measure.metric} is not defined here"
    reasons = [reason or (undefined if value is None else "" if math.isfinite(value) else INFINITE) for value in values]
    return [found.of_value(*each) for each in enumerate(values)], reasons, found.plan


@dataclass(frozen=True)
class _Intervals:
    """What intervals of values and differences are made from."""

    plan: Plan
    source: "_Drawn | _Normal | None" = None  #: None: there is no interval
    undefined: str | None = None  #: why
    n_undefined: int | None = None  #: draws that lack a class; None: nothing was drawn

    def of_value(self, index: int, value: float | None) -> Interval:
        if self.source is None or value is None or not math.isfinite(value):
            return UNDEFINED
        return self.source.of_value(index, value)


def _intervals(
    sample: Sample, measure: Measure, values: Sequence[float | None], method: Method, progress: Step | None
) -> _Intervals:
    """Return where the intervals of the runs' values are from, by a resolved method."""
    plan, n_target = plan_draws(sample), int(sample.is_target.sum())
    reason = _undefined(measure, n_target, len(sample.is_target) - n_target)
    if reason is None and not method.is_drawn:
        return _Intervals(plan, _Normal.of(sample, measure, method))
    if reason is None and any(value is not None and math.isfinite(value) for value in values):
        reason = _too_few_units(plan, method)
        if reason is None:
            drawn = resample(sample, measure, n_draw=method.n_draw, seed=method.seed, progress=progress)
            return _Intervals(plan, _Drawn.of(sample, measure, method, drawn), None, drawn.n_undefined)
    return _Intervals(plan, undefined=reason)


def _undefined(measure: Measure, n_target: int, n_nontarget: int) -> str | None:
    needs = zip(measure.depends_on, (n_target, n_nontarget), ("no target", "no non-target"), strict=True)
    lacking = [what for is_needed, n, what in needs if is_needed and not n]
    return NO_CLASS.format(metric=measure.metric, what=" and ".join(lacking)) if lacking else None


def _too_few_units(plan: Plan, method: Method) -> str | None:
    if plan.kind == "trial" or min(plan.n_unit, default=0) > 1:
        return None
    return f"fewer than 2 units of {method.unit}: nothing to resample"


def _row(
    run: str, baseline: str, value: float | None, baseline_value: float | None, reason: str | None
) -> TrialComparison:
    if value is None or baseline_value is None:
        return TrialComparison(run, baseline, value, baseline_value, None, reason=reason or "a value is undefined")
    if not (math.isfinite(value) and math.isfinite(baseline_value)):
        reason = reason or INFINITE
    difference = value - baseline_value
    return TrialComparison(
        run, baseline, value, baseline_value, difference if math.isfinite(difference) else None, reason=reason
    )


def _notes(found: _Intervals, method: Method, n_target: int, n_nontarget: int) -> tuple[str, ...]:
    notes, plan, n_undefined = [], found.plan, found.n_undefined
    if plan.n_lone:
        notes.append(f"{plan.n_lone:,} trials without a value of {method.unit}: each is a cluster")
    for n, what, apart in ((n_target, "target", plan.target), (n_nontarget, "non-target", plan.nontarget)):
        if plan.kind == "apart" and apart is None:
            notes.append(f"{what}s have one value of {method.unit} or none: drawn by trial")
        if n == 1 and n_undefined is not None:
            notes.append(f"1 {what}: its variation is not in the interval")
    if plan.kind != "trial" and 1 < min(plan.n_unit, default=0) < FEW_UNITS:
        notes.append(f"fewer than {FEW_UNITS} units: intervals are approximate")
    if n_undefined:
        notes.append(f"{n_undefined:,} of {method.n_resample:,} draws lack a class")
    return tuple(notes)


# ---- bootstrap

_LeftOut = list[tuple[ndarray, ndarray]]  #: of each stratum the units with a value, and the values without one


@dataclass(frozen=True)
class _Drawn:
    """Intervals and p values from draws."""

    method: Method
    draws: ndarray  #: R x B' of the draws that have both classes
    left_out: _LeftOut | None  #: jackknife of BCa
    reason: str | None

    @classmethod
    def of(cls, sample: Sample, measure: Measure, method: Method, drawn: Draws) -> "_Drawn":
        reason, left_out = None, None
        is_undefined = np.isnan(drawn.values).any(axis=0)
        if drawn.n_undefined > MOST_UNDEFINED * method.n_draw:
            reason = (
                f"{drawn.n_undefined:,} of {method.n_resample:,} draws lack a class: more than {MOST_UNDEFINED:.0%}"
            )
        elif method.interval == "bca":
            if n_jackknife(sample, measure) > MOST_JACKKNIFE:
                raise InvalidSetting(
                    f"interval bca leaves out one trial at a time, too many here ({len(sample.is_target):,} trials). "
                    "Use --interval percentile."
                )
            left_out = jackknife(sample, measure)
        return cls(method, drawn.values[:, ~is_undefined], left_out, reason)

    def filled(self, row: TrialComparison, one: int, other: int) -> TrialComparison:
        if self.reason:
            return replace(row, reason=self.reason)
        whole = not_none(row.difference)  # without one a row has a reason, and is not filled
        difference = _without_rounding(self.draws[one] - self.draws[other])
        left_out = self.left_out and [(n, _without_rounding(v[one] - v[other])) for n, v in self.left_out]
        interval = self._interval(difference, whole, left_out)
        low, high = interval.ends
        filled = replace(row, low=low, high=high)
        if filled.low is None:
            filled = replace(filled, reason="a jackknife value is undefined: no BCa interval")
        if row.p is not None or self.method.test != "bootstrap":
            return filled
        p = plain(_bca_p(difference, whole, left_out) if left_out else bootstrap_p(difference))
        error = None if p is None else math.sqrt(p * (1.0 - min(p, 1.0)) / max(1, len(difference)))
        return replace(filled, p=p, mc_error=error)

    def of_value(self, index: int, value: float) -> Interval:
        if self.reason:
            return UNDEFINED
        left_out = self.left_out and [(n, v[index]) for n, v in self.left_out]
        return self._interval(self.draws[index], value, left_out)

    def _interval(self, draws: ndarray, value: float, left_out: _LeftOut | None) -> Interval:
        tail = (1.0 - self.method.level) / 2.0
        if left_out is None:
            return Interval(*quantiles(draws, tail, 1.0 - tail))
        return _bca(draws, value, left_out, tail)


def _without_rounding(differences: ndarray) -> ndarray:
    return np.where(np.abs(differences) < TIE, 0.0, differences)


def quantiles(draws: ndarray, *shares: float) -> list[float]:
    """Return, for each share, the smallest draw that so many draws are not above."""
    ordered = np.sort(draws)
    return [float(ordered[min(max(math.ceil(len(ordered) * share - 1e-9), 1), len(ordered)) - 1]) for share in shares]


def bootstrap_p(differences: ndarray) -> float:
    """Return the p value that inverts the percentile interval; draws of 0 count on both sides."""
    n_low, n_high = int((differences <= 0).sum()), int((differences >= 0).sum())
    return min(1.0, 2.0 * (1.0 + min(n_low, n_high)) / (len(differences) + 1.0))


def _bias_and_acceleration(draws: ndarray, value: float, left_out: _LeftOut) -> tuple[float, float]:
    """Return z0 and a; NaN where they are undefined, and 0 where nothing varies."""
    away = _without_rounding(draws - value)
    below = (float((away < 0).sum()) + float((away == 0).sum()) / 2.0) / len(draws)
    cube = square = 0.0
    for multiplicity, values in left_out:
        n = int(multiplicity.sum())
        if n < 2:
            continue
        if not np.isfinite(values).all():
            return math.nan, math.nan
        mean = float((multiplicity * values).sum()) / n
        influence = (n - 1) * (mean - values)
        influence = np.where(np.abs(influence) < TIE * n, 0.0, influence)
        cube += float((multiplicity * influence * influence * influence).sum()) / n**3
        square += float((multiplicity * influence * influence).sum()) / n**2
    if not 0.0 < below < 1.0:
        return math.nan, math.nan
    return normal_quantile(below), cube / (6.0 * square**1.5) if square > 0.0 else 0.0


def _bca(draws: ndarray, value: float, left_out: _LeftOut, tail: float) -> Interval:
    if (draws == draws[0]).all() and abs(draws[0] - value) < TIE:
        return Interval(float(draws[0]), float(draws[0]))
    bias, acceleration = _bias_and_acceleration(draws, value, left_out)
    if math.isnan(bias):
        return UNDEFINED

    return Interval(*quantiles(draws, *corrected_shares(bias, acceleration, tail)))


def _bca_p(draws: ndarray, value: float, left_out: _LeftOut) -> float:
    if (draws == 0).all():
        return 1.0
    bias, acceleration = _bias_and_acceleration(draws, value, left_out)
    share = (float((draws < 0).sum()) + float((draws == 0).sum()) / 2.0) / len(draws)
    least = 1.0 / (len(draws) + 1.0)
    if math.isnan(bias):
        return math.nan
    moved = normal_quantile(min(max(share, least), 1.0 - least)) - bias
    at = moved / (1.0 + acceleration * moved) - bias
    return min(1.0, 2.0 * min(normal_cdf(at), 1.0 - normal_cdf(at)))


# ---- closed forms


@dataclass(frozen=True)
class _Normal:
    """Normal intervals and tests from a covariance matrix of the values."""

    level: float
    covariance: ndarray | None  #: R x R; None: a class of fewer than two trials
    is_share: bool  #: intervals of values are clipped to [0, 1]

    @classmethod
    def of(cls, sample: Sample, measure: Measure, method: Method) -> "_Normal":
        is_auc = measure.metric == "auc"
        covariance = (delong_covariance if is_auc else cllr_covariance)(sample.scores, sample.is_target)
        return cls(method.level, covariance, is_auc)

    def of_value(self, index: int, value: float) -> Interval:
        if self.covariance is None:
            return UNDEFINED
        reach = normal_quantile((1.0 + self.level) / 2.0)
        width = reach * math.sqrt(max(0.0, float(self.covariance[index, index])))
        low, high = value - width, value + width
        return Interval(max(0.0, low), min(1.0, high)) if self.is_share else Interval(low, high)

    def filled(self, row: TrialComparison, one: int, other: int) -> TrialComparison:
        if self.covariance is None:
            return replace(row, reason="one target or one non-target: its variance is undefined")
        covariance = self.covariance
        variance = float(covariance[one, one] + covariance[other, other] - 2.0 * covariance[one, other])
        if variance <= 1e-15 * float(max(covariance[one, one], covariance[other, other])):  # rounding of equal runs
            variance = 0.0
        reach, se = normal_quantile((1.0 + self.level) / 2.0), math.sqrt(variance)
        difference = not_none(row.difference)
        row = replace(row, se=se)
        if not se and abs(difference) >= TIE:
            return replace(row, reason="the difference has no variance: no test and no interval")
        if not se:
            return replace(row, low=0.0, high=0.0, p=1.0, mc_error=0.0)
        z = difference / se
        return replace(
            row,
            low=difference - reach * se,
            high=difference + reach * se,
            statistic=z,
            p=2.0 * normal_cdf(-abs(z)),
            mc_error=0.0,
        )


def delong_covariance(scores: ndarray, is_target: ndarray) -> ndarray | None:
    """Return the R x R covariance matrix of the areas; None if a class has fewer than two trials.

    Sums of products are integers, divided once.
    """
    parts = []
    for of, sign in ((is_target, 1), (~is_target, -1)):
        n, n_other = int(of.sum()), int((~of).sum())
        if n < 2:
            return None
        # twice the number of trials of the other class on the correct side, a tie counts 1: integers up to 2 n_other
        placed = []
        for score in scores:
            others = np.sort(sign * score[~of])
            own = sign * score[of]
            placed.append(np.searchsorted(others, own, side="left") + np.searchsorted(others, own, side="right"))
        total = [int(some.sum()) for some in placed]
        step = max(1, 2**62 // (4 * n_other * n_other + 1))
        matrix = np.empty((len(scores), len(scores)))
        for row, first in enumerate(placed):
            for column, second in enumerate(placed[: row + 1]):
                product = sum(int(first[at : at + step] @ second[at : at + step]) for at in range(0, n, step))
                matrix[row, column] = matrix[column, row] = (n * product - total[row] * total[column]) / (
                    4 * n_other * n_other * n * n * (n - 1)
                )
        parts.append(matrix)
    return parts[0] + parts[1]


def cllr_covariance(scores: ndarray, is_target: ndarray) -> ndarray | None:
    """Return the R x R covariance matrix of Cllr, half the sum of two means of paired terms; None if a class has
    fewer than two trials.
    """
    total = np.zeros((len(scores), len(scores)))
    for of, sign in ((is_target, -1.0), (~is_target, 1.0)):
        n = int(of.sum())
        if n < 2:
            return None
        side = sign * scores[:, of]
        with np.errstate(invalid="ignore", over="ignore"):
            term = (np.maximum(side, 0) + np.log1p(np.exp(-np.abs(side)))) / math.log(2.0)
            away = term - term.mean(axis=1, keepdims=True)
            total += np.array([[float((one * other).sum()) for other in away] for one in away]) / ((n - 1) * n * 4.0)
    return total


def _mcnemar(row: TrialComparison, sample: Sample, measure: Measure, one: int, other: int) -> TrialComparison:
    """Return a row with the exact test on the trials that only one of the runs decides wrongly."""
    if row.reason is not None:
        return row
    accepts = accepted(sample, measure)
    of = sample.is_target if measure.metric.endswith("p_miss") else ~sample.is_target
    wrong = [accepts[index, of] != measure.metric.endswith("p_miss") for index in (one, other)]
    n_run, n_baseline = int((wrong[0] & ~wrong[1]).sum()), int((wrong[1] & ~wrong[0]).sum())
    return replace(
        row, n_only_run=n_run, n_only_baseline=n_baseline, p=binomial_two_sided(n_run, n_baseline), mc_error=0.0
    )
