"""Numbers of scored trials in every subset, each run next to the others, with bootstrap intervals.

The value is the stored one. Its interval is of the same number over resampled trials (`tdtsql.compare.trials`): of each
subset its own trials are drawn, the same draws for all runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tdtsql.compare.resample import Row
from tdtsql.compare.settings import METRICS, Method
from tdtsql.compare.trials import compare_trials, observed
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
    engine: Engine, runs: Sequence[str], setting: Setting, *, by: str | None = None, progress: Progress = silent
) -> tuple[Setting, list[Line]]:
    """Return the lines of a table, subset by subset (all first); see Store.subset_table.

    Args:
        runs: names; empty: all of the condition.
        setting: an empty condition or profile means the only one; with n_resample 0 the table has values only.
        by: filter by attributes; ``a,b``: their subsets and the intersections; None: all subsets.
    """
    setting, condition_no = _chosen(engine, setting)
    run_nos = dict(
        engine.rows("select run_id, run_no from registry.run where condition_no = ? order by run_id", [condition_no])
    )
    for run in runs:
        check_known(f"run of condition {setting.condition}", run, run_nos)
    names, subsets = list(dict.fromkeys(runs)) or list(run_nos), _subsets(engine, condition_no, by)
    stored = {
        (subset, run): value
        for subset, run, value in engine.rows(
            "select subset, run_id, value from report.score where condition_id = ? and profile_id = ? and metric = ? "
            "and weighting = 'story'",
            [setting.condition, setting.profile, setting.metric],
        )
    }
    trials = read_trials(
        engine,
        condition_no,
        [run_nos[run] for run in names],
        profile=setting.profile,
        metric=setting.metric,
        unit=setting.unit,
    )
    method = Method(
        "bootstrap", "holm", "percentile", setting.level, 0, setting.n_resample or None, setting.seed, setting.unit
    ).of_trials(setting.metric, len(trials.segment))
    step = counting(progress, setting.n_resample * len(subsets), "drawing trials")
    lines = []
    for subset, segments in subsets.items():
        sample = trials.of(segments)
        n_target, n_nontarget = (int(of.sum()) for of in sample.classes)
        values = [stored.get((subset, run)) for run in names]
        if (subset, names[0]) in stored:
            check_values(sample, trials.measure, names, values, subset)
        elif n_target and n_nontarget:  # intersections are not stored
            values = observed(sample, trials.measure).tolist()
        rows: list[Row] = [{}] * len(names)
        if setting.n_resample:
            rows = compare_trials(sample, trials.measure, values, [(at,) for at in range(len(names))], method, step)
            if subset == "all":
                setting = replace(setting, n_unit=sum(map(int, rows[0]["n_unit"].split(" x "))))
        for run, value, row in zip(names, values, rows, strict=True):
            ends = row.get("low"), row.get("high")
            lines.append(Line(subset, run, value, n_target, n_nontarget, *ends, row.get("reason") or ""))
    return setting, lines


def _chosen(engine: Engine, setting: Setting) -> tuple[Setting, int]:
    """Return the setting with the names that were left out, and the number of the condition."""
    if setting.metric not in METRICS:
        raise InvalidSetting(f"metric {setting.metric!r} has no intervals over trials. One of: {', '.join(METRICS)}.")
    conditions = dict(
        engine.rows(
            f"select condition_id, condition_no from registry.condition where task in "
            f"({task_list_sql(decides_on='trial')}) order by condition_id"
        )
    )
    known = ", ".join(conditions) or "none"
    if setting.condition and setting.condition not in conditions:
        check_name(engine, "condition_id", setting.condition)
        raise InvalidComparison(
            f"condition '{setting.condition}' has no key of trials. Conditions that have one: {known}."
        )
    if not setting.condition and len(conditions) != 1:
        raise InvalidComparison(f"{len(conditions)} conditions have a key of trials: {known}. Name one of them.")
    condition = setting.condition or next(iter(conditions))
    profiles = engine.column(
        "select profile_id from registry.condition_profile join registry.profile using (profile_no) where "
        "condition_no = ? order by profile_no",
        [conditions[condition]],
    )
    check_known(f"profile of condition {condition}", setting.profile or None, profiles)
    return replace(setting, condition=condition, profile=setting.profile or profiles[0]), conditions[condition]


def _subsets(engine: Engine, condition_no: int, by: str | None) -> dict[str, list[int] | None]:
    """Return subset -> its segments (None: all), `all` first; for ``a,b`` also the intersections."""
    names = [name.strip() for name in by.split(",")] if by is not None else []
    if len(names) > 2 or len(set(names)) < len(names):
        raise InvalidSetting(f"{','.join(names)} are not two attributes. Cross two of them, as attack,codec.")
    subsets = read_subsets(engine, condition_no)
    if not names:
        return subsets
    values = [{at: of for at, of in subsets.items() if at.startswith(f"{name}=")} for name in names]
    for name, found in zip(names, values, strict=True):
        if not found:
            attributes = "select distinct attribute from base.verification_attribute where condition_no = ? order by 1"
            raise unknown_name_error("attribute", name, engine.column(attributes, [condition_no]))
    of_names = {at: of for at, of in subsets.items() if of is None or any(at in found for found in values)}
    if len(names) == 2:
        of_names |= {
            f"{row},{column}": sorted({*(one or ())} & {*(other or ())})
            for row, one in values[0].items()
            for column, other in values[1].items()
        }
    return of_names
