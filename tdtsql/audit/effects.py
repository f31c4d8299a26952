"""What a changed definition or profile does to the numbers of a store, before and after."""

import math

import numpy as np

from tdtsql.compare.ranking import kendall_tau
from tdtsql.definitions.catalogue import Relation, catalog, closure, compiled_entry, read_statement, tasks_of
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import UnknownName
from tdtsql.scoring.score import batches_of
from tdtsql.store.profiles import profile_number
from tdtsql.store.sets import own_relations

#: how one metric moved over the stored runs; Kendall's tau-b between the two rankings of the runs, None below two
SHIFT = "metric weighting n_value n_changed largest_change of_run kendall_tau".split()


def impact(engine: Engine) -> list[tuple]:
    """Return (view, change, because, metrics, runs whose numbers are recomputed) of every view that differs from the
    store's definitions, or reads one that does; applies nothing.
    """
    own = own_relations(engine)
    known = {**catalog(), **own}
    now = [
        {
            "position": position,
            "relation": name,
            "is_own": name in own,
            "metrics": " ".join(one.metric for one in relation.header.metrics),
            "tasks": " ".join(tasks_of(relation)),
            "below": " ".join(closure(known, relation.header.inputs)),
            **{key: None if name in own else compiled_entry(name)[key] for key in ("tokens", "closure")},
        }
        for position, (name, relation) in enumerate(known.items())
    ]
    engine.insert_temporary("definition_now", {column: [row[column] for row in now] for column in now[0]})
    return engine.rows(read_statement("explain/impact"))


def profile_changes(engine: Engine, old: str, new: str) -> list[tuple[str, str]]:
    """Return (column, ``old -> new``) for every value in which two profiles differ."""
    numbers = {"old": profile_number(engine, old), "new": profile_number(engine, new)}
    return engine.rows(read_statement("explain/profile_changes"), numbers)


def compare_versions(engine: Engine, old: Relation, new: Relation) -> list[tuple]:
    """Return a row of SHIFT for each metric of two versions on all stored runs; both are computed here, nothing is
    kept.
    """
    keys = [key for key in new.header.grain if key in old.header.grain]
    weighting = "weighting" if "weighting" in keys else "'block'"
    runs = engine.rows(
        """select condition_no, run_no, profile_no, task from registry.run join registry.condition using (condition_no)
        join registry.condition_profile using (condition_no) order by all"""
    )
    engine.make_temporary(
        "moved",
        "select '' as metric, '' as weighting, '' as run_id, '' as condition_id, 0e0 as before, 0e0 as after limit 0",
    )
    for batch in batches_of(engine, [row for row in runs if row[3] in tasks_of(new)]):
        with batch.scope(engine) as scope:
            scope.build(closure(scope.relations, [old.name, new.name]))
            for metric in new.header.metrics:
                if metric.metric in [one.metric for one in old.header.metrics]:
                    engine.execute(
                        f"""insert into temp.moved select ?, {weighting}, run_id, condition_id, one.{metric.column},
                        other.{metric.column} from {scope.relation(old.name)} as one
                        full join {scope.relation(new.name)} as other using ({", ".join(keys)})
                        join registry.run using (run_no) join registry.condition using (condition_no)""",
                        [metric.metric],
                    )
    return _shifts(engine)


def compare_profiles(engine: Engine, metric: str, old: str, new: str) -> list[tuple]:
    """Return a row of SHIFT for each weighting of a metric, over the runs that are scored under both profiles.

    Raises:
        UnknownName: no run is scored under both profiles.
    """
    engine.make_temporary(
        "moved",
        """select metric, weighting, run_id, condition_id, one.value as before, other.value as after
        from report.score as one join report.score as other using (run_id, condition_id, subset, metric, weighting)
        where metric = $metric and one.profile_id = $old and other.profile_id = $new""",
        {"metric": metric, "old": old, "new": new},
    )
    if found := _shifts(engine):
        return found
    raise UnknownName(
        f"no run has {metric} under both profiles, {old} and {new}. Name both in the condition of the bundle."
    )


def _shifts(engine: Engine) -> list[tuple]:
    """Return rows of SHIFT from temp.moved."""
    found = []
    for *shift, before, after in engine.rows(read_statement("explain/shifts")):
        tau = math.nan if before is None else kendall_tau(np.array(before), np.array(after))
        found.append((*shift, None if math.isnan(tau) else tau))
    return found
