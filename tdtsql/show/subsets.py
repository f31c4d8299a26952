"""Numbers of scored trials in every subset, runs next to each other, with bootstrap intervals where draws are made.

The value is the stored one. Its interval is of the same number over resampled trials (`tdtsql.compare.trials`): of each
subset its own trials are drawn, the same draws for all runs.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tdtsql.compare.settings import METRICS, Method
from tdtsql.compare.trials import compare_trials, observed
from tdtsql.compare.units import check_values, read_trials
from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, check_known, listed
from tdtsql.progress import Progress, counting, shown_progress
from tdtsql.scoring.score import refresh
from tdtsql.show.table import (
    HEADS,
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
from tdtsql.task import metric_id

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
    *runs: str | Sequence[str],
    condition: str | None,
    profile: str | None,
    metric: str,
    by: str | None,
    unit: str,
    level: float,
    resamples: int | None,
    seed: int,
    progress: Progress | None,
) -> RowTable:
    """Return numbers of runs in subsets with their intervals: a relation, which is a table of subsets x runs for a
    paper too; of two attributes a table per run: values of one as rows, of the other as columns, and both margins. See
    `Store.subset_table`.
    """
    metric, named = metric_id(metric or "eer"), listed(*runs)
    if metric not in METRICS:
        raise InvalidSetting(f"metric {metric!r} has no intervals over trials. One of: {', '.join(METRICS)}.")
    attributes = [name.strip() for name in by.split(",")] if by is not None else []
    if len(attributes) > 2 or len(set(attributes)) < len(attributes):
        raise InvalidSetting(f"{','.join(attributes)} are not two attributes. Cross two of them, as attack,codec.")
    fewest = 0 if len(attributes) > 1 else 1
    n_draw = 1000 * fewest if resamples is None else resamples
    if n_draw < fewest:
        raise InvalidSetting(
            "level must be between 0 and 1, resamples at least 1, and the seed an integer of at least 0. Give 0.95, "
            "1000 and 20040, for example."
        )
    refresh(engine)
    keyed = _keyed(engine, condition)
    condition, run_nos = keyed["condition_id"], keyed["runs"] or {}
    check_known(f"profile of condition {condition}", profile, keyed["profiles"])
    for run in named:
        check_known(f"run of condition {condition}", run, run_nos)
    for name in attributes:
        check_known("attribute", name, keyed["attributes"] or ())
    profile, names = profile or keyed["profiles"][0], sorted(named) or list(run_nos)
    trials = read_trials(
        engine, keyed["condition_no"], [run_nos[run] for run in names], profile=profile, metric=metric, unit=unit
    )
    method = Method("bootstrap", interval="percentile", level=level, n_resample=n_draw, seed=seed, unit=unit)
    if n_draw:
        method = method.of_trials(metric, len(trials.segment))
    given = {"condition": keyed["condition_no"], "names": attributes, "profile": profile, "metric": metric}
    subsets = engine.records(read_statement("show/subsets"), given)
    shared = {"condition_id": condition, "profile_id": profile, "metric": metric, "unit": unit}
    shared |= {"level": level, "n_resample": n_draw, "seed": seed, "low": None}
    rows: list[dict[str, Any]] = []
    with shown_progress(progress) as progress:
        step = counting(progress, n_draw * len(subsets), "drawing trials")
        for place in subsets:
            sample, values = trials.of(place["segments"]), list(map(place["numbers"].get, names))
            n_target, n_nontarget = (int(of.sum()) for of in sample.classes)
            if names[0] in place["numbers"]:
                check_values(sample, trials.measure, names, values, place["subset"])
            elif n_target and n_nontarget:  # intersections are not stored
                values = observed(sample, trials.measure).tolist()
            pairs = [(at,) for at in range(len(names))]
            made = compare_trials(sample, trials.measure, values, pairs, method, step) if n_draw else [{}] * len(names)
            for run, value, row in zip(names, values, made, strict=True):
                here = {"run_id": run, "value": value, "n_target": n_target, "n_nontarget": n_nontarget}
                rows.append(shared | row | place | here)
    n_unit = sum(map(int, rows[0].get("n_unit", "0").split(" x ")))  # of all, which are first
    rows = [row | {"n_unit": n_unit} for row in rows]
    return RowTable(
        relation_of(engine, rows, _SUBSETS),
        _tables(rows, attributes),
    )


def _keyed(engine: Engine, condition: str | None) -> dict[str, Any]:
    """Return the condition that is named, or the only one with a key of trials."""
    keyed = {row["condition_id"]: row for row in engine.records(read_statement("show/keyed_conditions"))}
    known = ", ".join(keyed) or "none"
    if condition and condition not in keyed:
        check_name(engine, "condition_id", condition)
        raise InvalidComparison(f"condition '{condition}' has no key of trials. Conditions that have one: {known}.")
    if not condition and len(keyed) != 1:
        raise InvalidComparison(f"{len(keyed)} conditions have a key of trials: {known}. Name one of them.")
    return keyed[condition or next(iter(keyed))]


def _tables(rows: Sequence[dict[str, Any]], attributes: Sequence[str]) -> list[Table]:
    """Return subsets x runs; of two attributes for each run the values of one x those of the other."""
    first, runs = rows[0], list(dict.fromkeys(row["run_id"] for row in rows))
    metric = f"{HEADS.get(first['metric'], first['metric'])} ({better(first['best'])})"
    where = f"on {first['condition_id']} under {first['profile_id']}, pooled over the trials of"
    if len(attributes) > 1:
        columns, corner = list(dict.fromkeys(row["head"] for row in rows)), " \\ ".join(attributes)
        tables = []
        for run in runs:
            cells = [((Cell(row["line"]),), row["head"], field_cell(row)) for row in rows if row["run_id"] == run]
            body = [(*line, *of) for line, of in pivot(cells, columns).items()]
            label = f"tab:{slug('-'.join([run, *attributes]))}"
            tables.append(Table((corner, *columns), body, f"{metric} of {run} {where} both.", label))
        return tables
    values: dict[str, list[float | None]] = {}
    for row in rows:
        values.setdefault(row["subset"], []).append(row["value"])
    tops = {subset: best_value(of, first["best"]) for subset, of in values.items()}
    numbers = [
        (
            (Cell(row["subset"]), row["n_target"], row["n_nontarget"]),
            row["run_id"],
            field_cell(row, bold=row["value"] == tops[row["subset"]] is not None),
        )
        for row in rows
    ]
    body = [(*line, *of) for line, of in pivot(numbers, runs).items()]
    said = f"{metric} {where} a subset.{' Best of a line in bold.' if len(runs) > 1 else ''}"
    heads = ("subset", "targets", "non-targets", *runs)
    return [Table(heads, body, " ".join([said, *_notes(rows)]), f"tab:subsets-{slug(first['metric'])}")]


def _notes(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return sentences on the table: the draws with their seed, what has no interval and why."""
    at, notes = rows[0], []
    if not at["n_resample"]:
        return ["Without intervals: no resamples. `tdtsql stats subsets --resamples 1000` makes them."]
    if any(row["low"] is not None for row in rows):
        drawn = "trials" if at["unit"] == "trial" else f"clusters of trials (by {at['unit']}), each whole"
        notes.append(
            f"{at['level'] * 100:g} % intervals: percentiles of {at['n_resample']:,} resamples of {at['n_unit']:,} "
            f"{drawn}, with replacement, the same resamples for all runs and subsets (seed {at['seed']})."
        )
    reasons = Counter(row["reason"] for row in rows if row["low"] is None and row.get("reason"))
    return notes + [f"{count} without an interval: {reason}." for reason, count in sorted(reasons.items())]
