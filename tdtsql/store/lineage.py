"""Lineage of a column down to the files of one store."""

from tdtsql.engine.duckdb import Engine
from tdtsql.metric.catalog import catalog
from tdtsql.metric.lineage import Step, lineage, to_sources
from tdtsql.metric.origin import BOUNDARY_HEAD, DUPLICATES, EVENTS, ORDER, RUN, VALUES
from tdtsql.metric.render import views_named

COLUMNS = ("depth", "relation", "column", "role", "from_relation", "from_column")
FILE = "file"

#: files whose rows are not staged: which of registry.input_file
_UNSTAGED = {
    RUN: "owner like 'run:%'", EVENTS: "kind = 'events'", VALUES: "kind = 'events' and owner in (select 'condition:' || condition_id from registry.condition "
    "where task = 'value_tracking')", ORDER: "kind = 'document order'", BOUNDARY_HEAD: "kind = 'boundary table'", DUPLICATES: "kind = 'duplicates'",
}


def steps_named(name: str, column: str | None) -> list[Step]:
    """Return the lineage of a metric, or of a column (all columns) of a view, down to tables.

    Raises:
        UnknownName: there is no such metric, view or column.
    """
    steps = []
    for view in views_named(name):
        is_metric = column is None and any(metric.metric == name for metric in catalog()[view].header.metrics)
        steps += lineage(catalog()[view], [name] if is_metric else [column] if column else None)
    return list(dict.fromkeys(steps))


def down_to_files(engine: Engine, name: str, column: str | None) -> list[Step]:
    """Return the lineage down to the files the store was loaded from; of those, path and owner."""
    steps = to_sources(steps_named(name, column))
    reached: dict[str, int] = {}
    for step in steps:
        if step.from_relation.startswith("staging.") or step.from_relation in _UNSTAGED:
            reached[step.from_relation] = max(reached.get(step.from_relation, 0), step.depth + 1)
    for source, depth in sorted(reached.items()):
        query = (f"select distinct path, owner from registry.input_file where {_UNSTAGED[source]} order by owner, path" if source in _UNSTAGED
                 else f"select distinct path, owner from {source} order by owner, path")
        steps += [Step(depth, source, "", FILE, path, owner) for path, owner in engine.rows(query)]
    return steps
