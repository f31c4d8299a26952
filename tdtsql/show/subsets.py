"""Numbers of scored trials in every subset, runs next to each other, with bootstrap intervals where draws are made.

The value is the stored one. Its interval is of the same number over resampled trials (`tdtsql.compare.trials`): of each
subset its own trials are drawn, the same draws for all runs.
"""

from collections.abc import Sequence
from typing import Any

from tdtsql.compare.settings import METRICS, Method
from tdtsql.compare.trials import compare_trials, observed
from tdtsql.compare.units import check_values, read_trials
from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers
from tdtsql.errors import InvalidComparison, InvalidSetting, check_known, listed
from tdtsql.progress import Progress, counting, shown_progress, silent
from tdtsql.scoring.score import refresh
from tdtsql.show.table import HEADS, RowTable, relation_of, tables_of, typed_columns
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
#: what only their tables show; ``corner`` of two attributes
_TABLE = typed_columns("varchar line head best metric_name corner")


def subset_table(
    engine: Engine,
    *runs: str | Sequence[str],
    condition: str | None = None,
    profile: str | None = None,
    metric: str = "eer",
    by: str | None = None,
    unit: str = "trial",
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 20040,
    progress: Progress = silent,
) -> RowTable:
    """Print a metric of scored trials of RUN... (default: all runs) in every subset, with bootstrap intervals.

    Trials, or whole clusters of trials, are resampled with replacement, with the same draws for all runs and
    subsets. The ends are percentiles. In LaTeX and markdown it is a table of subsets x runs.

    Args:
        condition: the condition; optional where only one has a key of trials.
        profile: the scoring profile (default: the condition's first).
        metric: one of eer, auc, cllr, min_cllr, costs (c_det, min_c_det, act_c_det, each also with _norm) and error
            rates (p_miss, p_fa, act_p_miss, act_p_fa).
        by: only the subsets of this attribute of the key, as attack or codec; attack,codec: both, crossed.
        unit: resampling unit: trial, block, enrolled (the first id of trials with two), or an attribute of the key,
            as speaker: its trials together.
        resamples: how many are drawn; 0: no intervals (default: 1,000, of two attributes 0).

    Raises:
        UnknownName: no such run, condition, profile, attribute or unit.
        InvalidComparison: the metric has no resampled interval; several conditions have a key; too many trials.
    """
    metric, named = metric_id(metric), listed(*runs)
    if metric not in METRICS:
        raise InvalidSetting(f"metric {metric!r} has no intervals over trials. One of: {', '.join(METRICS)}.")
    attributes = [name.strip() for name in by.split(",")] if by is not None else []
    if len(attributes) > 2 or len(set(attributes)) < len(attributes):
        raise InvalidSetting(f"{','.join(attributes)} are not two attributes. Cross two of them, as attack,codec.")
    n_draw = (0 if len(attributes) > 1 else 1000) if resamples is None else resamples
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
    shared = {"condition_id": condition, "profile_id": profile, "metric": metric, "unit": unit, "level": level}
    shared |= {"n_resample": n_draw, "seed": seed, "low": None, "metric_name": HEADS.get(metric, metric)}
    shared["corner"] = " \\ ".join(attributes) if len(attributes) > 1 else ""
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
    made_of = relation_of(engine, [row | {"n_unit": n_unit} for row in rows], _SUBSETS | _TABLE)
    return RowTable(made_of.project(sql_identifiers(_SUBSETS)), tables_of(made_of, "subset_table"))


def _keyed(engine: Engine, condition: str | None) -> dict[str, Any]:
    """Return the condition that is named, or the only one with a key of trials."""
    keyed = {row["condition_id"]: row for row in engine.records(read_statement("show/keyed_conditions"))}
    known = ", ".join(keyed) or "none"
    if condition and condition not in keyed:
        check_name(engine, "condition_id", condition)
        raise InvalidComparison(f"condition '{condition}' has no key of trials. Conditions that have one: {known}.")
    if not condition and len(keyed) != 1:
        advice = "Name one of them." if keyed else "`tdtsql ask subset_scores` shows subsets of other tasks."
        raise InvalidComparison(f"{len(keyed)} conditions have a key of trials: {known}. {advice}")
    return keyed[condition or next(iter(keyed))]
