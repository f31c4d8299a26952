"""Numbers of scored trials in every subset, each run beside the others, with bootstrap intervals
(`tdtsql.compare.scored`).

The value is the kept one. Its interval is of the same number made of drawn trials; on the trials themselves that must
be the kept
value, or nothing is told.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tdtsql.compare.bootstrap import percentile_interval
from tdtsql.compare.scored import EER_RULES, METRICS, Costs, Draws, Ordered, drawn_trials, numbers
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, unknown
from tdtsql.progress import Progress
from tdtsql.store.registry import check_name
from tdtsql.task import listed_tasks

#: what is drawn: a trial by itself; all trials of a block; all trials of what was enrolled; or of a value of an
#: attribute
TRIAL, BLOCK, ENROLLED = "trial", "block", "enrolled"
#: intervals of runs of more trials than this take minutes and gigabytes
MOST_TRIALS = 5_000_000
#: the kept value and the one made here are the same number, summed in another order
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Setting:
    """What a table of subsets is about, and how its intervals are made; all of it is told with the numbers."""

    condition: str
    profile: str
    metric: str
    unit: str
    level: float
    n_resample: int
    seed: int
    n_unit: int = 0  #: units that are drawn


@dataclass(frozen=True, slots=True)
class Line:
    """A number of a run in one subset."""

    subset: str
    run: str
    value: float | None
    n_target: int
    n_nontarget: int
    low: float | None
    high: float | None
    reason: str  #: why there is no interval; empty where there is one


def subset_table(
    engine: Engine,
    runs: Sequence[str],
    setting: Setting,
    *,
    by: Collection[str] | None = None,
    progress: Progress | None = None,
) -> tuple[Setting, list[Line]]:
    """Return the lines of a table, subset by subset (all first); see Store.subset_table.

    Args:
        runs: by name; none: all of the condition.
        setting: an empty condition or profile is the only one there is; with n_resample 0 the table has values alone.
        by: keeps the subsets of some attributes; None: all subsets.
    """
    setting, condition_no = _chosen(engine, setting)
    names = [
        name
        for [name] in engine.rows(
            "select run_id from registry.run where condition_no = ? order by run_id", [condition_no]
        )
    ]
    for run in runs:
        if run not in names:
            raise unknown(f"run of condition {setting.condition}", run, names)
    wanted = list(dict.fromkeys(runs)) or names
    subsets = _subsets(engine, condition_no, by)
    kept = {
        (subset, run): value
        for subset, run, value in engine.rows(
            "select subset, run_id, value from report.score where condition_id = ? and profile_id = ? and metric = ? "
            "and weighting = 'story'",
            [setting.condition, setting.profile, setting.metric],
        )
    }
    if not setting.n_resample:
        return setting, _values(engine, condition_no, wanted, subsets, kept)
    segment, unit = _trials(engine, condition_no, setting.unit)
    if len(segment) > MOST_TRIALS:
        raise InvalidComparison(
            f"condition '{setting.condition}' has {len(segment):,} trials, and intervals are made of {MOST_TRIALS:,} "
            f"at most. `tdtsql sql cookbook runs_by_subset` has the values."
        )
    targets = set(
        _column(
            engine,
            f"select segment_no from base.verification_segment where condition_no = {condition_no} and is_target = 1",
        ).tolist()
    )
    is_target = np.isin(segment, list(targets))
    costs, reason = _costs(engine, setting)
    ordered: dict[tuple[str, str], Ordered] = {}
    engine.bring_decisions(
        [
            row[0]
            for row in engine.rows(
                "select run_no from registry.run where condition_no = ? order by run_no", [condition_no]
            )
        ]
    )
    for run in wanted:
        score = _column(
            engine,
            f"select score from base.decision where run_no = (select run_no from registry.run where run_id = $run and "
            f"condition_no = {condition_no}) order by trial_no",
            {"run": run},
        )
        shared: dict[bytes, np.ndarray] = {}
        for subset, segments in subsets.items():
            place = np.arange(len(segment)) if segments is None else np.flatnonzero(np.isin(segment, segments))
            made = Ordered.of(place, score[place], is_target[place])
            # subsets that restrict the other class alone have the same trials of this one: they are counted once
            target, nontarget = (shared.setdefault(some.tobytes(), some) for some in (made.target, made.nontarget))
            ordered[subset, run] = replace(made, target=target, nontarget=nontarget)
    resampled: dict[tuple[str, str], list[np.ndarray]] = {key: [] for key in ordered}
    if not reason:
        _check(ordered, kept, len(segment), setting, costs)
        done = 0
        for drawn in drawn_trials(len(segment), setting.n_resample, setting.seed, unit):
            for run in wanted:
                draws = Draws(drawn)  # running counts of one run at a time
                for subset in subsets:
                    resampled[subset, run].append(numbers(ordered[subset, run], draws, setting.metric, costs))
                    for some, of_all in (
                        (ordered[subset, run].target, ordered["all", run].target),
                        (ordered[subset, run].nontarget, ordered["all", run].nontarget),
                    ):
                        if some is not of_all:
                            draws.forget(some)
            done += len(drawn)
            if progress is not None:
                progress(done, setting.n_resample, "drawing trials")
    n_unit = len(segment) if unit is None else int(unit.max(initial=-1)) + 1
    setting = Setting(
        setting.condition,
        setting.profile,
        setting.metric,
        setting.unit,
        setting.level,
        setting.n_resample,
        setting.seed,
        n_unit,
    )
    return setting, [
        _line(subset, run, kept.get((subset, run)), ordered[subset, run], resampled[subset, run], setting, reason)
        for subset in subsets
        for run in wanted
    ]


def _line(
    subset: str,
    run: str,
    value: float | None,
    trials: Ordered,
    resampled: list[np.ndarray],
    setting: Setting,
    reason: str,
) -> Line:
    values = np.concatenate(resampled) if resampled else np.empty(0)
    n_undefined = int(np.isnan(values).sum())
    if value is None:
        reason = f"{setting.metric} is not defined here"
    elif not reason and n_undefined:
        reason = f"{n_undefined} of {len(values)} draws have no target or no non-target"
    elif not reason and not np.isfinite(values).all():
        reason = "some draws are infinite"
    interval = None if reason else percentile_interval(values, level=setting.level)
    return Line(
        subset,
        run,
        value,
        len(trials.target),
        len(trials.nontarget),
        interval and interval.low,
        interval and interval.high,
        reason,
    )


def _values(
    engine: Engine,
    condition_no: int,
    runs: Sequence[str],
    subsets: Mapping[str, list[int] | None],
    kept: Mapping[tuple[str, str], float | None],
) -> list[Line]:
    """Return the lines of a table without intervals; no trial is looked at."""
    counts = {
        number: (is_target, n_trial)
        for number, is_target, n_trial in engine.rows(
            "select segment_no, is_target, n_trial from base.verification_segment where condition_no = ? order by "
            "segment_no",
            [condition_no],
        )
    }
    lines = []
    for subset, segments in subsets.items():
        n_target, n_nontarget = (
            sum(
                n_trial
                for one, n_trial in (counts[number] for number in (counts if segments is None else segments))
                if one == is_target
            )
            for is_target in (1, 0)
        )
        lines += [Line(subset, run, kept.get((subset, run)), n_target, n_nontarget, None, None, "") for run in runs]
    return lines


def _chosen(engine: Engine, setting: Setting) -> tuple[Setting, int]:
    """Return the setting with the names that were left out, and the number of the condition."""
    if setting.metric not in METRICS:
        raise InvalidSetting(f"metric {setting.metric!r} has no intervals over trials. One of: {', '.join(METRICS)}.")
    if not 0 < setting.level < 1 or setting.n_resample < 0 or setting.seed < 0:
        raise InvalidSetting(
            "level lies between 0 and 1, resamples are 1 or more, and the seed is a whole number from 0. Give 0.95, "
            "1000 and 20040, for example."
        )
    conditions = dict(
        engine.rows(
            f"select condition_id, condition_no from registry.condition where task in "
            f"({listed_tasks(decides_on='trial')}) order by condition_id"
        )
    )
    if setting.condition and setting.condition not in conditions:
        check_name(engine, "condition_id", setting.condition)
        raise InvalidComparison(
            f"condition '{setting.condition}' has no key of trials. Conditions that have one: "
            f"{', '.join(conditions) or 'none'}."
        )
    if not setting.condition and len(conditions) != 1:
        raise InvalidComparison(
            f"{len(conditions)} conditions have a key of trials: {', '.join(conditions) or 'none'}. Name one of them."
        )
    condition = setting.condition or next(iter(conditions))
    profiles = [
        name
        for [name] in engine.rows(
            "select profile_id from registry.condition_profile join registry.profile using (profile_no) where "
            "condition_no = ? order by profile_no",
            [conditions[condition]],
        )
    ]
    if setting.profile and setting.profile not in profiles:
        raise unknown(f"profile of condition {condition}", setting.profile, profiles)
    return Setting(
        condition,
        setting.profile or profiles[0],
        setting.metric,
        setting.unit,
        setting.level,
        setting.n_resample,
        setting.seed,
    ), conditions[condition]


def _subsets(engine: Engine, condition_no: int, by: Collection[str] | None) -> dict[str, list[int] | None]:
    """Return subset -> its segments (None: all), all first."""
    rows = engine.rows(
        """
        select subset, list(segment_no order by segment_no) from base.subset
            join base.subset_cell using (condition_no, subset_no)
        where condition_no = ? group by subset order by subset""",
        [condition_no],
    )
    found: dict[str, list[int] | None] = {
        "all": None,
        **{
            subset: segments
            for subset, segments in rows
            if by is None or subset.startswith(tuple(f"{name}=" for name in by))
        },
    }
    for name in by or ():
        if not any(subset.startswith(f"{name}=") for subset in found):
            raise unknown(
                "attribute",
                name,
                sorted(
                    {
                        one
                        for [one] in engine.rows(
                            "select distinct attribute from base.verification_attribute where condition_no = ?",
                            [condition_no],
                        )
                    }
                ),
            )
    return found


def _trials(engine: Engine, condition_no: int, unit: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Return of each trial, in the order of the key, its segment, and the number of its cluster (None: it is one by
    itself).
    """
    segment = _column(
        engine, f"select segment_no from base.verification_trial where condition_no = {condition_no} order by trial_no"
    )
    if unit == TRIAL:
        return segment, None
    attributes = [
        name
        for [name] in engine.rows(
            "select distinct attribute from base.verification_attribute where condition_no = ? order by 1",
            [condition_no],
        )
    ]
    of_segment = (
        f"select segment_no, cast(block_no as varchar) as value from base.verification_segment where condition_no = "
        f"{condition_no}"
    )
    if unit == ENROLLED:
        if engine.value(f"select count(test_id) from base.verification_trial where condition_no = {condition_no}") == 0:
            raise InvalidComparison(
                "the trials of this key have one id, and nothing is enrolled. Draw by trial, block, or an attribute."
            )
        source = f"select trial_no, trial_id as value from base.verification_trial where condition_no = {condition_no}"
    elif unit == BLOCK or unit in attributes:
        if unit != BLOCK:
            of_segment = (
                f"select segment_no, value from base.verification_attribute where condition_no = {condition_no} and "
                f"attribute = $unit"
            )
        source = (
            f"select trial_no, value from base.verification_trial left join ({of_segment}) using (segment_no) where "
            f"condition_no = {condition_no}"
        )
    else:
        raise unknown("unit of resampling", unit, [TRIAL, BLOCK, ENROLLED, *attributes])
    # trials without a value are clusters by themselves
    numbered = (
        f"select trial_no, dense_rank() over (order by value nulls last, case when value is null then trial_no end) - "
        f"1 as unit from ({source}) order by trial_no"
    )
    return segment, _column(
        engine, f"select unit from ({numbered}) order by trial_no", {"unit": unit} if "$unit" in numbered else None
    )


def _column(engine: Engine, sql: str, parameters: dict | None = None) -> np.ndarray:
    [column] = engine.query(sql, parameters).fetchnumpy().values()
    return np.asarray(column)


def _costs(engine: Engine, setting: Setting) -> tuple[Costs, str]:
    """Return what of the profile the numbers hang on, and why there are no intervals under it; empty where there
    are.
    """
    eer, price_miss, price_fa, act_threshold = engine.rows(
        """
        select eer, price_miss, price_fa, act_threshold
        from registry.profile join base.detection_price__v1 using (profile_no)
            join registry.condition_profile using (profile_no) join registry.condition using (condition_no)
            left join metric.verification_bayes_threshold__v1 using (condition_no, profile_no)
        where profile_id = ? and condition_id = ?""",
        [setting.profile, setting.condition],
    )[0]
    reason = (
        f"eer = {eer} hangs on the order of single trials: intervals of {', '.join(EER_RULES)}"
        if setting.metric == "eer" and eer not in EER_RULES
        else ""
    )
    return Costs(eer, price_miss, price_fa, act_threshold), reason


def _check(
    ordered: dict[tuple[str, str], Ordered],
    kept: dict[tuple[str, str], float | None],
    n_trial: int,
    setting: Setting,
    costs: Costs,
) -> None:
    """Refuse intervals of another number than the one that is kept."""
    once = Draws(np.ones((1, n_trial), dtype=np.uint8))
    for (subset, run), trials in ordered.items():
        value = kept.get((subset, run))
        if (
            value is not None
            and math.isfinite(value)
            and len(trials.score)
            and not abs(numbers(trials, once, setting.metric, costs)[0] - value) <= _SAME * max(1.0, abs(value))
        ):
            raise InvalidComparison(
                f"{setting.metric} of run '{run}' in subset {subset} is kept as {value!r}, and its trials give "
                f"{numbers(trials, once, setting.metric, costs)[0]!r}. "
                "`tdtsql ledger verify` says whether the store was changed."
            )
