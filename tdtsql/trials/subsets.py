"""Numbers of scored trials in every subset, each run next to the others, with bootstrap intervals.

The value is the stored one. Its interval is of the same number over resampled trials (`tdtsql.compare.trials`): of each
subset its own trials are drawn, the same draws for all runs.
"""

from typing import Any
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tdtsql.compare.settings import METRICS, Method
from tdtsql.compare.trials import observed, resampled
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, check_known, unknown_name_error
from tdtsql.progress import Progress, counting, silent
from tdtsql.store.registry import check_name
from tdtsql.task import task_list_sql
from tdtsql.compare.units import check_values, read_subsets, read_trials


@dataclass(frozen=True)
class Setting:
    """Parameters of a table of subsets and of its intervals; all of them are printed with the numbers."""

    condition: str
    profile: str
    metric: str
    unit: str
    level: float
    n_resample: int
    seed: int
    n_unit: int = 0  #: units that are drawn


@dataclass(frozen=True)
class Line:
    """A number of a run in one subset."""

    subset: str
    run: str
    value: float | None
    n_target: int
    n_nontarget: int
    low: float | None
    high: float | None
    reason: str  #: reason for the missing interval; empty if there is an interval


def subset_table(
    engine: Engine,
    runs: Sequence[str],
    setting: Setting,
    *,
    by: Collection[str] | None = None,
    progress: Progress = silent,
) -> tuple[Setting, list[Line]]:
    """Return the lines of a table, subset by subset (all first); see Store.subset_table.

    Args:
        runs: names; empty: all of the condition.
        setting: an empty condition or profile means the only one; with n_resample 0 the table has values only.
        by: filter by attributes; ``a,b``: their subsets and the intersections; None: all subsets.
    """
    setting, condition_no = _chosen(engine, setting)
    names = engine.column("select run_id from registry.run where condition_no = ? order by run_id", [condition_no])
    for run in runs:
        check_known(f"run of condition {setting.condition}", run, names)
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
    if not setting.n_resample and not any("," in name for name in by or ()):
        return setting, _values(engine, condition_no, wanted, subsets, kept)
    run_nos = dict(
        engine.rows("select run_id, run_no from registry.run where condition_no = ? order by run_no", [condition_no])
    )
    trials = read_trials(
        engine,
        condition_no,
        [run_nos[run] for run in wanted],
        profile=setting.profile,
        metric=setting.metric,
        unit=setting.unit,
    )
    method = Method(unit=setting.unit, level=setting.level, n_resample=setting.n_resample or None, seed=setting.seed)
    method = replace(method, test="bootstrap", interval="percentile").of_trials(setting.metric, len(trials.segment))
    step = counting(progress, setting.n_resample * len(subsets) * len(wanted), "drawing trials")
    lines = []
    for subset, segments in subsets.items():
        sample = trials.of(segments)
        n_target = int(sample.is_target.sum())
        values = [kept.get((subset, run)) for run in wanted]
        if (subset, wanted[0]) in kept:
            check_values(sample, trials.measure, wanted, values, subset)
        elif 0 < n_target < len(sample.is_target):
            values = [float(value) for value in observed(sample, trials.measure)]
        for at, (run, value) in enumerate(zip(wanted, values, strict=True)):
            row: dict[str, Any] = {"low": None, "high": None, "reason": None}
            if setting.n_resample:
                row = resampled(sample.of([at]), trials.measure, [value], method, step)
                if subset == "all":
                    setting = replace(setting, n_unit=sum(map(int, row["n_unit"].split(" x "))))
            is_there = not row["reason"]
            counts = (n_target, len(sample.is_target) - n_target)
            low, high = (row["low"], row["high"]) if is_there else (None, None)
            lines.append(Line(subset, run, value, *counts, low, high, row["reason"] or ""))
    return setting, lines


def _values(
    engine: Engine,
    condition_no: int,
    runs: Sequence[str],
    subsets: Iterable[str],
    kept: Mapping[tuple[str, str], float | None],
) -> list[Line]:
    """Return the lines of a table without intervals; reads no trials."""
    counts = {
        subset: (n_target, n_nontarget)
        for subset, n_target, n_nontarget in engine.rows(
            """
            select subset, coalesce(sum(n_trial) filter (is_target = 1), 0)::bigint,
                coalesce(sum(n_trial) filter (is_target = 0), 0)::bigint
            from base.verification_segment join (
                select condition_no, segment_no, subset from base.subset_cell
                    join base.subset using (condition_no, subset_no) where subset <> 'all'
                union all select condition_no, segment_no, 'all' from base.verification_segment)
                using (condition_no, segment_no)
            where condition_no = ? group by subset""",
            [condition_no],
        )
    }
    return [Line(name, run, kept.get((name, run)), *counts[name], None, None, "") for name in subsets for run in runs]


def _chosen(engine: Engine, setting: Setting) -> tuple[Setting, int]:
    """Return the setting with the names that were left out, and the number of the condition."""
    if setting.metric not in METRICS:
        raise InvalidSetting(f"metric {setting.metric!r} has no intervals over trials. One of: {', '.join(METRICS)}.")
    if not 0 < setting.level < 1 or setting.n_resample < 0 or setting.seed < 0:
        raise InvalidSetting(
            "level must be between 0 and 1, resamples at least 1, and the seed an integer of at least 0. Give 0.95, "
            "1000 and 20040, for example."
        )
    conditions = dict(
        engine.rows(
            f"select condition_id, condition_no from registry.condition where task in "
            f"({task_list_sql(decides_on='trial')}) order by condition_id"
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
    profiles = engine.column(
        "select profile_id from registry.condition_profile join registry.profile using (profile_no) where "
        "condition_no = ? order by profile_no",
        [conditions[condition]],
    )
    if setting.profile and setting.profile not in profiles:
        raise unknown_name_error(f"profile of condition {condition}", setting.profile, profiles)
    return replace(setting, condition=condition, profile=setting.profile or profiles[0]), conditions[condition]


def _subsets(engine: Engine, condition_no: int, by: Collection[str] | None) -> dict[str, list[int] | None]:
    """Return subset -> its segments (None: all), `all` first; for ``a,b`` also the intersections."""
    pairs = [tuple(name.strip() for name in one.split(",")) for one in by or () if "," in one]
    if odd := next((pair for pair in pairs if len(pair) > 2 or len(set(pair)) < 2), None):
        raise InvalidSetting(f"{','.join(odd)} are not two attributes. Cross two of them, as attack,codec.")
    by = None if by is None else list(dict.fromkeys(name.strip() for one in by for name in one.split(",")))
    starts = None if by is None else tuple(f"{name}=" for name in by)
    found = {
        subset: segments
        for subset, segments in read_subsets(engine, condition_no).items()
        if segments is None or starts is None or subset.startswith(starts)
    }
    for name in by or ():
        if not any(subset.startswith(f"{name}=") for subset in found):
            raise unknown_name_error(
                "attribute",
                name,
                engine.column(
                    "select distinct attribute from base.verification_attribute where condition_no = ? order by 1",
                    [condition_no],
                ),
            )
    for first, second in pairs:
        rows, columns = (
            {subset: set(segments or ()) for subset, segments in found.items() if subset.startswith(f"{name}=")}
            for name in (first, second)
        )
        for row, segments in rows.items():
            found |= {f"{row},{column}": sorted(segments & others) for column, others in columns.items()}
    return found
