"""Subsets of scored trials x runs: a number, and beside it the bootstrap interval where draws were made
(`tdtsql.trials.subsets`).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tdtsql.engine.duckdb import Engine
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
from tdtsql.trials.subsets import Line, Setting

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


def subset_rows(engine: Engine, setting: Setting, lines: Sequence[Line], by: str = "") -> RowTable:
    """Return numbers of runs in subsets with their intervals: a relation, which is a table of subsets x runs for a
    paper too; of two attributes a table per run: values of one as rows, of the other as columns, and both margins.

    Args:
        by: an attribute, or two with a comma between them; empty: all.
    """
    of_all = vars(setting) | {"condition_id": setting.condition, "profile_id": setting.profile}
    rows: list[dict[str, Any]] = [
        of_all | vars(line) | {"run_id": line.run, "reason": line.reason or None}
        for line in sorted(lines, key=lambda line: (line.subset != "all", line.subset, line.run))
    ]
    runs = list(dict.fromkeys(row["run_id"] for row in rows))
    best = engine.value("select min(best) from registry.metric where metric = ?", [setting.metric])
    metric = f"{HEADS.get(setting.metric, setting.metric)} ({better(best)})"
    where = f"on {setting.condition} under {setting.profile}, pooled over the trials of"
    first, is_crossed, second = map(str.strip, by.partition(","))
    tables = []
    for run in runs if is_crossed else ():
        cells = [(*_values(row["subset"], first, second), field_cell(row)) for row in rows if row["run_id"] == run]
        columns = list(dict.fromkeys(column for _, column, _ in cells))
        body = [(Cell(line), *of) for line, of in pivot(cells, columns).items()]
        heads = (f"{first} \\ {second}", *columns)
        tables.append(Table(heads, body, f"{metric} of {run} {where} both.", f"tab:{slug(f'{run}-{first}-{second}')}"))
    if not is_crossed:
        counts = {row["subset"]: (row["n_target"], row["n_nontarget"]) for row in rows}
        numbers: dict[str, list[float | None]] = {subset: [] for subset in counts}
        for row in rows:
            numbers[row["subset"]].append(row["value"])
        tops = {subset: best_value(values, best) for subset, values in numbers.items()}
        cells = [
            (row["subset"], row["run_id"], field_cell(row, bold=row["value"] == tops[row["subset"]] is not None))
            for row in rows
        ]
        body = [(Cell(subset), *counts[subset], *of) for subset, of in pivot(cells, runs).items()]
        said = f"{metric} {where} a subset.{' Best of a line in bold.' if len(runs) > 1 else ''}"
        caption = " ".join([said, *_notes(setting, rows)])
        heads = ("subset", "targets", "non-targets", *runs)
        tables.append(Table(heads, body, caption, f"tab:subsets-{slug(setting.metric)}"))
    made = RowTable(relation_of(engine, rows, _SUBSETS), lambda most: tables)
    made.tabled = PEOPLE if is_crossed else ("markdown", "latex")
    made.keep = ("subset", "run_id", "value", "low", "high")
    return made


def _values(subset: str, first: str, second: str) -> tuple[str, str]:
    """Return the values of two attributes in a subset."""
    line, _, column = subset.partition(f",{second}=")
    if subset.startswith(f"{second}="):
        line, column = "all", subset.removeprefix(f"{second}=")
    return line.removeprefix(f"{first}="), column or "all"


def _notes(setting: Setting, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return sentences on the table: the draws with their seed, what has no interval and why."""
    if not setting.n_resample:
        return ["Without intervals: no resamples. `tdtsql stats subsets --resamples 1000` makes them."]
    notes = []
    if any(row["low"] is not None for row in rows):
        drawn = f"{setting.n_unit:,} clusters of trials (by {setting.unit}), each whole"
        if setting.unit == "trial":
            drawn = f"{setting.n_unit:,} trials"
        notes.append(
            f"{setting.level * 100:g} % intervals: percentiles of {setting.n_resample:,} resamples of {drawn}, "
            f"with replacement, the same resamples for all runs and subsets (seed {setting.seed})."
        )
    reasons = Counter(row["reason"] for row in rows if row["low"] is None and row["reason"])
    return notes + [f"{count} without an interval: {reason}." for reason, count in sorted(reasons.items())]
