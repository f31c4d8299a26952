"""Numbers of scored trials in every subset, runs next to each other, with bootstrap intervals where draws are made.

The value is the stored one. Its interval is of the same number over resampled trials (`tdtsql.compare.trials`): of each
subset its own trials are drawn, the same draws for all runs.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tdtsql.compare.settings import METRICS, Method
from tdtsql.compare.trials import compare_trials, observed
from tdtsql.compare.units import check_values, read_subsets, read_trials
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, check_known, unknown_name_error
from tdtsql.progress import Progress, counting, silent
from tdtsql.show.table import (
    HEADS,
    PEOPLE,
    Cell,
    RowTable,
    Table,
    best_value,
    better,
    field_cell,
    pivot,
    relation_of,
    slug,
    typed_columns,
)
from tdtsql.store.registry import check_name
from tdtsql.task import task_list_sql

#: columns of numbers in subsets
_SUBSETS = typed_columns("""
    varchar  subset run_id
    double   value low high
    bigint   n_target n_nontarget
    varchar  reason condition_id profile_id metric
    double   level
    varchar  unit
    bigint   n_unit n_resample seed
""")


def subset_table(
    engine: Engine,
    runs: Sequence[str],
    metric: str,
    method: Method,
    *,
    condition: str | None = None,
    profile: str | None = None,
    by: str | None = None,
    progress: Progress = silent,
) -> RowTable:
    """Return numbers of runs in subsets with their intervals: a relation, which is a table of subsets x runs for a
    paper too; of two attributes a table per run: values of one as rows, of the other as columns, and both margins.

    Args:
        runs: names; empty: all of the condition.
        method: unit, level, seed and resamples, 0: values only.
        condition, profile: None: the only one, the first one.
        by: filter by attributes; ``a,b``: their subsets and the intersections; None: all subsets.
    """
    if metric not in METRICS:
        raise InvalidSetting(f"metric {metric!r} has no intervals over trials. One of: {', '.join(METRICS)}.")
    condition, condition_no = _condition(engine, condition)
    profiles = engine.column(
        "select profile_id from registry.condition_profile join registry.profile using (profile_no) where "
        "condition_no = ? order by profile_no",
        [condition_no],
    )
    check_known(f"profile of condition {condition}", profile, profiles)
    profile = profile or profiles[0]
    run_nos = dict(
        engine.rows("select run_id, run_no from registry.run where condition_no = ? order by run_id", [condition_no])
    )
    for run in runs:
        check_known(f"run of condition {condition}", run, run_nos)
    names, subsets = list(dict.fromkeys(runs)) or list(run_nos), _subsets(engine, condition_no, by)
    stored = dict(
        engine.rows(
            "select (subset, run_id), value from report.score where condition_id = ? and profile_id = ? and metric = ? "
            "and weighting = 'story'",
            [condition, profile, metric],
        )
    )
    unit, n_draw = method.unit or "trial", method.n_draw
    trials = read_trials(
        engine, condition_no, [run_nos[run] for run in names], profile=profile, metric=metric, unit=unit
    )
    if n_draw:
        method = method.of_trials(metric, len(trials.segment))
    step = counting(progress, n_draw * len(subsets), "drawing trials")
    shared = {"condition_id": condition, "profile_id": profile, "metric": metric, "unit": unit}
    shared |= {"level": method.level, "n_resample": n_draw, "seed": method.seed}
    rows: list[dict[str, Any]] = []
    for subset, segments in subsets.items():
        sample = trials.of(segments)
        n_target, n_nontarget = (int(of.sum()) for of in sample.classes)
        values = [stored.get((subset, run)) for run in names]
        if (subset, names[0]) in stored:
            check_values(sample, trials.measure, names, values, subset)
        elif n_target and n_nontarget:  # intersections are not stored
            values = observed(sample, trials.measure).tolist()
        pairs = [(at,) for at in range(len(names))]
        made = compare_trials(sample, trials.measure, values, pairs, method, step) if n_draw else [{}] * len(names)
        for run, value, row in zip(names, values, made, strict=True):
            here = {"subset": subset, "run_id": run, "value": value, "n_target": n_target, "n_nontarget": n_nontarget}
            rows.append(dict.fromkeys(_SUBSETS) | row | shared | here)
    n_unit = sum(map(int, (rows[0]["n_unit"] or "0").split(" x ")))  # of all, which are first
    rows = [row | {"n_unit": n_unit} for row in rows]
    rows.sort(key=lambda row: (row["subset"] != "all", row["subset"], row["run_id"]))
    tables = _tables(rows, engine.value("select min(best) from registry.metric where metric = ?", [metric]), by or "")
    table = RowTable(relation_of(engine, rows, _SUBSETS), tables)
    table.tabled = PEOPLE if "," in (by or "") else ("markdown", "latex")
    table.keep = ("subset", "run_id", "value", "low", "high")
    return table


def _condition(engine: Engine, condition: str | None) -> tuple[str, int]:
    """Return the condition that is named, or the only one with a key of trials, and its number."""
    conditions = dict(
        engine.rows(
            f"select condition_id, condition_no from registry.condition where task in "
            f"({task_list_sql(decides_on='trial')}) order by condition_id"
        )
    )
    known = ", ".join(conditions) or "none"
    if condition and condition not in conditions:
        check_name(engine, "condition_id", condition)
        raise InvalidComparison(f"condition '{condition}' has no key of trials. Conditions that have one: {known}.")
    if not condition and len(conditions) != 1:
        raise InvalidComparison(f"{len(conditions)} conditions have a key of trials: {known}. Name one of them.")
    condition = condition or next(iter(conditions))
    return condition, conditions[condition]


def _subsets(engine: Engine, condition_no: int, by: str | None) -> dict[str, list[int] | None]:
    """Return subset -> its segments (None: all), `all` first; for ``a,b`` also the intersections."""
    names = [name.strip() for name in by.split(",")] if by is not None else []
    if len(names) > 2 or len(set(names)) < len(names):
        raise InvalidSetting(f"{','.join(names)} are not two attributes. Cross two of them, as attack,codec.")
    subsets = read_subsets(engine, condition_no)
    if not names:
        return subsets
    values = [{at: of or [] for at, of in subsets.items() if at.startswith(f"{name}=")} for name in names]
    for name, of_name in zip(names, values, strict=True):
        if not of_name:
            attributes = "select distinct attribute from base.verification_attribute where condition_no = ? order by 1"
            raise unknown_name_error("attribute", name, engine.column(attributes, [condition_no]))
    chosen = {at: of for at, of in subsets.items() if of is None or any(at in of_name for of_name in values)}
    for row, one in values[0].items() if len(names) == 2 else ():
        chosen |= {f"{row},{column}": sorted({*one} & {*other}) for column, other in values[1].items()}
    return chosen


def _tables(rows: Sequence[dict[str, Any]], best: str, by: str) -> list[Table]:
    """Return subsets x runs; of two attributes for each run the values of one x those of the other."""
    at, runs = rows[0], list(dict.fromkeys(row["run_id"] for row in rows))
    metric = f"{HEADS.get(at['metric'], at['metric'])} ({better(best)})"
    where = f"on {at['condition_id']} under {at['profile_id']}, pooled over the trials of"
    first, is_crossed, second = map(str.strip, by.partition(","))
    tables = []
    for run in runs if is_crossed else ():
        cells = [(*_values(row["subset"], first, second), field_cell(row)) for row in rows if row["run_id"] == run]
        columns = list(dict.fromkeys(column for _, column, _ in cells))
        body = [(Cell(line), *of) for line, of in pivot(cells, columns).items()]
        heads = (f"{first} \\ {second}", *columns)
        tables.append(Table(heads, body, f"{metric} of {run} {where} both.", f"tab:{slug(f'{run}-{first}-{second}')}"))
    if is_crossed:
        return tables
    counts = {row["subset"]: (row["n_target"], row["n_nontarget"]) for row in rows}
    tops = {of: best_value([row["value"] for row in rows if row["subset"] == of], best) for of in counts}
    cells = [
        (row["subset"], row["run_id"], field_cell(row, bold=row["value"] == tops[row["subset"]] is not None))
        for row in rows
    ]
    body = [(Cell(subset), *counts[subset], *of) for subset, of in pivot(cells, runs).items()]
    said = f"{metric} {where} a subset.{' Best of a line in bold.' if len(runs) > 1 else ''}"
    heads = ("subset", "targets", "non-targets", *runs)
    return [Table(heads, body, " ".join([said, *_notes(rows)]), f"tab:subsets-{slug(at['metric'])}")]


def _values(subset: str, first: str, second: str) -> tuple[str, str]:
    """Return the values of two attributes in a subset."""
    line, _, column = subset.partition(f",{second}=")
    if subset.startswith(f"{second}="):
        line, column = "all", subset.removeprefix(f"{second}=")
    return line.removeprefix(f"{first}="), column or "all"


def _notes(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return sentences on the table: the draws with their seed, what has no interval and why."""
    at, notes = rows[0], []
    if not at["n_resample"]:
        return ["Without intervals: no resamples. `tdtsql stats subsets --resamples 1000` makes them."]
    if any(row["low"] is not None for row in rows):
        by_trial, whole = at["unit"] == "trial", f"clusters of trials (by {at['unit']}), each whole"
        notes.append(
            f"{at['level'] * 100:g} % intervals: percentiles of {at['n_resample']:,} resamples of {at['n_unit']:,} "
            f"{'trials' if by_trial else whole}, with replacement, the same resamples for all runs and subsets (seed "
            f"{at['seed']})."
        )
    reasons = Counter(row["reason"] for row in rows if row["low"] is None and row["reason"])
    return notes + [f"{count} without an interval: {reason}." for reason, count in sorted(reasons.items())]
