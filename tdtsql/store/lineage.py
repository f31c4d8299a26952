"""Lineage of a column down to the files of one store."""

from collections.abc import Callable, Mapping

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import UnknownName
from tdtsql.definitions.catalogue import catalog, Relation, tasks_of, views_named
from tdtsql.definitions.table import tables
from tdtsql.definitions.lineage import Sources, Step, compiled_sources, lineage, named_sources, to_sources
from tdtsql.definitions.origin import BOUNDARY_HEAD, DUPLICATES, EVENTS, GOLD, ITEMS, ORDER, RUN, TRIAL_KEY, VALUES
from tdtsql.intake.staging import STAGED, STAGED_BY_SQL
from tdtsql.task import task_list_sql

COLUMNS = "depth relation column role from_relation from_column".split()
FILE = "file"

#: files whose rows are not staged -> their kind in registry.input_file
_UNSTAGED = {
    RUN: "run",
    EVENTS: "events",
    VALUES: "events",
    ORDER: "document order",
    BOUNDARY_HEAD: "boundary table",
    DUPLICATES: "duplicates",
    GOLD: GOLD,
    ITEMS: ITEMS,
    TRIAL_KEY: TRIAL_KEY,
}
#: of some of them, which of registry.input_file they are, where its kind does not say it
_WHICH = {
    RUN: "owner like 'run:%'",
    VALUES: "kind = 'events' and owner in (select 'condition:' || condition_id from registry.condition "
    f"where task in ({task_list_sql(blocks='attribute')}))",
}


def source_kinds() -> list[tuple[str, str]]:
    """Return (table of staging or kind of file, kind of input file) of everything that is loaded."""
    staged = [(table, kind) for kind, parts in STAGED.items() for table, _ in parts]
    by_sql = [(table, kind) for kind, table in STAGED_BY_SQL.items()]
    return sorted({*staged, *by_sql, *_UNSTAGED.items()})


def steps_named(
    name: str, column: str | None, *, task: str | None = None, own: Mapping[str, Relation] | None = None
) -> list[Step]:
    """Return the lineage of a metric, or of a column (all columns) of a view, down to tables.

    Args:
        task: of a metric that several tasks have by different views, the views of this task; None: all.
        own: user-defined metrics of a store, by name.

    Raises:
        UnknownName: no such metric, view or column, or the task has none of the views.
    """
    known = {**catalog(), **(own or {})}
    steps = []
    for view in views_of_task(name, task, own):
        columns = [metric.column for metric in known[view].header.metrics if metric.is_called(name)]
        steps += lineage(known[view], [column] if column else columns or None, relations=known, read=_reader(known))
    return list(dict.fromkeys(steps))


def _reader(known: Mapping[str, Relation]) -> Callable[[str], Sources]:
    """Return a function from a view's name to what it reads: compiled, of a user-defined metric from its SQL."""

    def columns(name: str) -> list[str]:
        return [one.name for one in known[name].header.columns] if name in known else list(tables()[name].columns)

    return lambda name: compiled_sources(name) if name in catalog() else named_sources(known[name], columns)


def views_of_task(name: str, task: str | None, own: Mapping[str, Relation] | None = None) -> list[str]:
    """Return the views that publish metric ``name`` (or the view of that name), of one task where one is given.

    Raises:
        UnknownName: neither a metric nor a view, or none of this task.
    """
    views = {view: tasks_of({**catalog(), **(own or {})}[view]) for view in views_named(name, own)}
    found = [view for view, tasks in views.items() if task is None or task in tasks]
    if not found:
        raise UnknownName(
            f"{name} is not a metric of task '{task}'. It is one of "
            f"{', '.join(dict.fromkeys(known for tasks in views.values() for known in tasks)) or 'none'}."
        )
    return found


def tasks_named(
    name: str, task: str | None = None, own: Mapping[str, Relation] | None = None
) -> dict[tuple[str, ...], list[str]]:
    """Return tasks -> the views by which these tasks compute metric ``name``."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for view in views_of_task(name, task, own):
        kinds.setdefault(tuple(tasks_of({**catalog(), **(own or {})}[view])), []).append(view)
    return kinds


def down_to_files(
    engine: Engine, name: str, column: str | None, *, task: str | None = None, own: Mapping[str, Relation] | None = None
) -> list[Step]:
    """Return the lineage down to the files the store was loaded from; of those, path and owner."""
    steps = to_sources(steps_named(name, column, task=task, own=own))
    reached: dict[str, int] = {}
    for step in steps:
        if step.from_relation.startswith("staging.") or step.from_relation in _UNSTAGED:
            reached[step.from_relation] = max(reached.get(step.from_relation, 0), step.depth + 1)
    for source, depth in sorted(reached.items()):
        files = source
        if source in _UNSTAGED:
            which = _WHICH.get(source, f"kind = {sql_literal(_UNSTAGED[source])}")
            files = f"registry.input_file where {which}"
        rows = engine.rows(f"select distinct path, owner from {files} order by owner, path")
        steps += [Step(depth, source, "", FILE, *row) for row in rows]
    return steps
