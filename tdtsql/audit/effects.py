"""What a changed definition or profile does to the numbers of a store, before and after."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import UnknownName
from tdtsql.metric.catalog import Relation, catalog, closure, compiled
from tdtsql.metric.published import tasks_of
from tdtsql.own.stored import own_relations
from tdtsql.store.profiles import profile_number
from tdtsql.scoring.score import batches_of, task_scope


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
    own = {name: entry["tokens"] for name, entry in compiled()["relations"].items()}
    closures = {name: entry["closure"] for name, entry in compiled()["relations"].items()}
    kept = {
        row[0]: (row[1], row[2])
        for row in engine.rows("select relation, token_sha256, closure_sha256 from registry.definition")
    }
    runs = dict(
        engine.rows(
            "select condition.task, count(*) from registry.run as run join registry.condition as condition "
            "on condition.condition_no = run.condition_no group by condition.task"
        )
    )
    direct = {name for name in relations if name in kept and kept[name][0] != own[name]}
    effects = []
    for name, relation in relations.items():
        metrics = " ".join(metric.metric for metric in relation.header.metrics)
        n_run = sum(runs.get(task, 0) for task in tasks_of(relation)) if relation.header.metrics else 0
        if name not in kept:
            effects.append(Effect(name, "new", "", metrics, n_run))
        elif name in direct:
            effects.append(Effect(name, "direct", "", metrics, n_run))
        elif kept[name][1] != closures[name]:
            below = [read for read in closure(relations, [name]) if read in direct or read not in kept]
            effects.append(Effect(name, "indirect", " ".join(below) or "columns of tables", metrics, n_run))
    mine = own_relations(engine)
    for name, relation in mine.items():
        below = [read for read in closure({**relations, **mine}, [name]) if read in direct]
        if below:
            metrics = " ".join(metric.metric for metric in relation.header.metrics)
            n_run = sum(runs.get(task, 0) for task in tasks_of(relation))
            effects.append(Effect(name, "indirect", " ".join(below), metrics, n_run))
    effects += [Effect(name, "gone", "", "", 0) for name in sorted(kept.keys() - relations.keys())]
    return effects


def profile_changes(engine: Engine, old: str, new: str) -> list[tuple[str, str]]:
    """Return (column, ``old -> new``) for every value in which two profiles differ."""
    rows = [
        engine.records(f"select * from registry.profile where profile_no = {profile_number(engine, name)}")[0]
        for name in (old, new)
    ]
    return [
        (column, f"{_shown(rows[0][column])} -> {_shown(rows[1][column])}")
        for column in rows[0]
        if column not in ("profile_no", "profile_id", "base_profile", "source") and rows[0][column] != rows[1][column]
    ]


def compare_versions(engine: Engine, old: Relation, new: Relation) -> list[Shift]:
    """Return how the metrics of two versions differ on all stored runs; both are computed here, nothing is kept."""
    values: dict[tuple[str, str], dict[tuple, list[float | None]]] = {}
    wanted = set(tasks_of(new))
    rows = [
        row
        for row in engine.rows("""
        select run.condition_no, run.run_no, chosen.profile_no, condition.task from registry.run as run
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.condition_profile as chosen on chosen.condition_no = run.condition_no order by all""")
        if row[3] in wanted
    ]
    runs = {number: found for number, *found in engine.rows("select run_no, run_id, condition_no from registry.run")}
    for batch in batches_of(engine, rows):
        scope = task_scope(engine, batch.task, sorted(batch.condition_nos), batch.run_nos, batch.profile_nos)
        try:
            scope.build(closure(scope.relations, [old.name, new.name]))
            keys = [key for key in new.header.grain if key in old.header.grain]
            for side, relation in enumerate((old, new)):
                for metric in new.header.metrics:
                    if metric.metric not in [other.metric for other in old.header.metrics]:
                        continue
                    for *key, value in engine.rows(
                        f"select {', '.join(keys)}, {metric.column} from {scope.relation(relation.name)} order by all"
                    ):
                        place = dict(zip(keys, key, strict=True))
                        weighting = str(place.get("weighting", "block"))
                        values.setdefault((metric.metric, weighting), {}).setdefault(
                            (*runs[place["run_no"]], *key), [None, None]
                        )[side] = value
        finally:
            scope.close()
    return [_shift(metric, weighting, pairs) for (metric, weighting), pairs in sorted(values.items())]


def compare_profiles(engine: Engine, metric: str, old: str, new: str) -> list[Shift]:
    """Return how one metric differs between two profiles over the runs that are scored under both.

    Raises:
        UnknownName: no run is scored under both profiles.
    """
    rows = engine.rows(
        """
        select a.weighting, a.run_id, a.condition_id, a.subset, a.value, b.value from report.score as a
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
    pairs: dict[str, dict[tuple, list[float | None]]] = {}
    for weighting, run, condition, subset, left, right in rows:
        pairs.setdefault(weighting, {})[run, condition, subset] = [left, right]
    return [_shift(metric, weighting, found) for weighting, found in sorted(pairs.items())]


def _shift(metric: str, weighting: str, pairs: dict[tuple, list]) -> Shift:
    changed = {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}
    sizes = {
        key: abs(pair[1] - pair[0])
        for key, pair in changed.items()
        if isinstance(pair[0], int | float) and isinstance(pair[1], int | float)
    }
    top = max(sizes, key=lambda key: (sizes[key], str(key)), default=())
    means: dict[str, tuple[list[float], list[float]]] = {}
    for key, (left, right) in pairs.items():
        if isinstance(left, int | float) and isinstance(right, int | float):
            sides = means.setdefault(f"{key[0]} {key[1]}", ([], []))
            sides[0].append(left)
            sides[1].append(right)
    ranked = [(math.fsum(left) / len(left), math.fsum(right) / len(right)) for left, right in means.values()]
    return Shift(
        metric, weighting, len(pairs), len(changed), sizes.get(top), str(top[0]) if top else "", kendall(ranked)
    )


def kendall(pairs: Iterable[tuple[float, float]]) -> float | None:
    """Return Kendall's tau-b of paired values; None below two pairs or where one side is all ties."""
    pairs = list(pairs)
    concordant = discordant = left_ties = right_ties = 0
    for place, (a, b) in enumerate(pairs):
        for c, d in pairs[:place]:
            left, right = (a > c) - (a < c), (b > d) - (b < d)
            concordant += left * right > 0
            discordant += left * right < 0
            left_ties += left == 0
            right_ties += right == 0
    total = len(pairs) * (len(pairs) - 1) // 2
    scale = math.sqrt((total - left_ties) * (total - right_ties))
    return (concordant - discordant) / scale if scale else None


def _shown(value: object) -> str:
    return "NULL" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
