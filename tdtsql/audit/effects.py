"""What a changed definition or profile does to the numbers of a store, before and after."""

import math
from dataclasses import dataclass

import numpy as np

from tdtsql.compare.ranking import kendall_tau
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import UnknownName, short_value
from tdtsql.definitions.catalogue import catalog, closure, compiled_entry, Relation, tasks_of
from tdtsql.store.sets import own_relations
from tdtsql.store.profiles import profile_number
from tdtsql.scoring.score import batches_of


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of one view."""

    relation: str
    change: str  #: direct, indirect, new or gone
    because: str  #: for indirect: the views that changed
    metrics: str  #: what it publishes
    n_run: int  #: runs whose numbers are recomputed


@dataclass(frozen=True, slots=True)
class Shift:
    """How one metric moved over the stored runs."""

    metric: str
    weighting: str
    n_value: int
    n_changed: int
    largest: float | None
    where: str  #: run of the largest change
    tau: float | None  #: Kendall's tau-b between the two rankings of the runs; None below two runs


def plan(engine: Engine) -> list[Effect]:
    """Return every view that differs from the store's definitions, and the views that depend on it; applies nothing."""
    relations = catalog()
    kept = {
        row[0]: (row[1], row[2])
        for row in engine.rows("select relation, token_sha256, closure_sha256 from registry.definition")
    }
    runs = dict(
        engine.rows(
            """select condition.task, count(*) from registry.run as run join registry.condition as condition
            on condition.condition_no = run.condition_no group by condition.task"""
        )
    )
    direct = {name for name in relations if name in kept and kept[name][0] != compiled_entry(name)["tokens"]}
    effects = []

    def add(relation: Relation, change: str, because: str = "") -> None:
        metrics = " ".join(metric.metric for metric in relation.header.metrics)
        n_run = sum(runs.get(task, 0) for task in tasks_of(relation)) if metrics else 0
        effects.append(Effect(relation.name, change, because, metrics, n_run))

    for name, relation in relations.items():
        if name not in kept or name in direct:
            add(relation, "direct" if name in direct else "new")
        elif kept[name][1] != compiled_entry(name)["closure"]:
            below = [read for read in closure(relations, [name]) if read in direct or read not in kept]
            add(relation, "indirect", " ".join(below) or "columns of tables")
    mine = own_relations(engine)
    for name, relation in mine.items():
        if below := [read for read in closure({**relations, **mine}, [name]) if read in direct]:
            add(relation, "indirect", " ".join(below))
    effects += [Effect(name, "gone", "", "", 0) for name in sorted(kept.keys() - relations.keys())]
    return effects


def profile_changes(engine: Engine, old: str, new: str) -> list[tuple[str, str]]:
    """Return (column, ``old -> new``) for every value in which two profiles differ."""
    rows = [
        engine.records(f"select * from registry.profile where profile_no = {profile_number(engine, name)}")[0]
        for name in (old, new)
    ]
    return [
        (column, f"{short_value(rows[0][column])} -> {short_value(rows[1][column])}")
        for column in rows[0]
        if column not in ("profile_no", "profile_id", "base_profile", "source") and rows[0][column] != rows[1][column]
    ]


def compare_versions(engine: Engine, old: Relation, new: Relation) -> list[Shift]:
    """Return how the metrics of two versions differ on all stored runs; both are computed here, nothing is kept."""
    values: dict[tuple[str, str], list[tuple]] = {}
    both = [metric for metric in new.header.metrics if metric.metric in {one.metric for one in old.header.metrics}]
    keys = [key for key in new.header.grain if key in old.header.grain]
    weighting = "weighting" if "weighting" in keys else "'block'"
    rows = [
        row
        for row in engine.rows("""
        select run.condition_no, run.run_no, chosen.profile_no, condition.task from registry.run as run
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.condition_profile as chosen on chosen.condition_no = run.condition_no order by all""")
        if row[3] in tasks_of(new)
    ]
    runs = {number: found for number, *found in engine.rows("select run_no, run_id, condition_no from registry.run")}
    for batch in batches_of(engine, rows):
        with batch.scope(engine) as scope:
            scope.build(closure(scope.relations, [old.name, new.name]))
            sides = f"{scope.relation(old.name)} as one full join {scope.relation(new.name)} as other"
            for metric in both:
                for run_no, part, left, right in engine.rows(
                    f"""select run_no, {weighting}, one.{metric.column}, other.{metric.column} from {sides}
                    using ({", ".join(keys)}) order by all"""
                ):
                    values.setdefault((metric.metric, part), []).append((*runs[run_no], left, right))
    return [_shift(metric, weighting, pairs) for (metric, weighting), pairs in sorted(values.items())]


def compare_profiles(engine: Engine, metric: str, old: str, new: str) -> list[Shift]:
    """Return how one metric differs between two profiles over the runs that are scored under both.

    Raises:
        UnknownName: no run is scored under both profiles.
    """
    rows = engine.rows(
        """
        select a.weighting, a.run_id, a.condition_id, a.value, b.value from report.score as a
            join report.score as b
            on b.run_id = a.run_id and b.condition_id = a.condition_id and b.subset = a.subset and b.metric = a.metric
                and b.weighting = a.weighting
        where a.metric = ? and a.profile_id = ? and b.profile_id = ? order by all""",
        [metric, old, new],
    )
    if not rows:
        raise UnknownName(
            f"no run has {metric} under both profiles, {old} and {new}. Name both in the condition of the bundle."
        )
    pairs: dict[str, list[tuple]] = {}
    for weighting, *pair in rows:
        pairs.setdefault(weighting, []).append(tuple(pair))
    return [_shift(metric, weighting, found) for weighting, found in sorted(pairs.items())]


def _shift(metric: str, weighting: str, pairs: list[tuple]) -> Shift:
    """Return how a metric moved from its (run, condition, old value, new value)."""
    changed = [pair for pair in pairs if pair[2] != pair[3]]
    numbers = [pair for pair in pairs if None not in pair[2:]]
    largest, where = max(
        ((abs(right - left), run) for run, _, left, right in numbers if left != right), default=(None, "")
    )
    of_runs: dict[tuple, list[tuple[float, float]]] = {}
    for run, condition, *values in numbers:
        of_runs.setdefault((run, condition), []).append(tuple(values))
    means = [[math.fsum(side) / len(side) for side in zip(*found, strict=True)] for found in of_runs.values()]
    tau = kendall_tau(*np.array(means).T) if means else math.nan
    return Shift(metric, weighting, len(pairs), len(changed), largest, where, None if math.isnan(tau) else tau)
