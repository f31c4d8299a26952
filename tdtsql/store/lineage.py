"""Lineage of a column down to the files of one store."""

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import UnknownName
from tdtsql.definitions.catalogue import Relation, catalog, tasks_of, views_named
from tdtsql.definitions.lineage import Step, lineage, named_sources
from tdtsql.definitions.origin import READ_AS, STAGED, WHICH
from tdtsql.store.sets import check_intact, own_relations
from tdtsql.task import known_metrics

COLUMNS = "depth relation column role from_relation from_column".split()
FILE = "file"


def source_kinds() -> list[tuple[str, str]]:
    """Return (table of staging or kind of file, kind of input file) of everything that is loaded."""
    return sorted({*((table, kind) for kind, table in STAGED), *READ_AS.items()})


def known_definitions(engine: Engine | None = None) -> dict[str, Relation]:
    """Return every view of this installation, and the user-defined metrics of a store, by name."""
    return {**catalog(), **({} if engine is None else own_relations(engine))}


def definitions_named(
    name: str, task: str | None = None, engine: Engine | None = None
) -> tuple[str, dict[str, Relation]]:
    """Return the id of a metric, called as users call it, and the views that publish it; or a view's name and the view.

    Args:
        task: only views of this task.
        engine: a store, whose user-defined metrics are known too.

    Raises:
        UnknownName: neither a metric nor a view, or none of this task.
        BrokenDefinition: the definition of a user-defined metric is not what was added.
    """
    if engine is not None:
        check_intact(engine, [name])
    known = known_definitions(engine)
    measures = [] if engine is None else engine.column("select distinct metric from registry.metric")
    published = {metric.metric for relation in known.values() for metric in relation.header.metrics}
    [name] = known_metrics([name], {*published, *measures})
    found = {view: known[view] for view in views_named(name, known, measures)}
    tasks = dict.fromkeys(of for relation in found.values() for of in tasks_of(relation))
    found = {view: relation for view, relation in found.items() if task is None or task in tasks_of(relation)}
    if not found:
        raise UnknownName(f"{name} is not a metric of task '{task}'. It is one of {', '.join(tasks) or 'none'}.")
    return name, found


def steps_named(
    name: str,
    column: str | None = None,
    *,
    task: str | None = None,
    engine: Engine | None = None,
    to_files: bool = False,
) -> list[Step]:
    """Return the lineage of a metric, or of a column (all columns) of a view, down to tables.

    Args:
        task, engine: as `definitions_named`.
        to_files: below them too, as `lineage`.

    Raises:
        UnknownName: no such metric, view or column, or the task has none of the views.
    """
    name, found = definitions_named(name, task, engine)
    known, steps = known_definitions(engine), []
    own = {view: named_sources(one, known) for view, one in known.items() if view not in catalog()}
    for relation in found.values():
        columns = [metric.column for metric in relation.header.metrics if metric.is_called(name)]
        wanted = [column] if column else columns or None
        steps += lineage(relation, wanted, own=own, to_files=to_files)
    return list({step[1:]: step for step in reversed(steps)}.values())[::-1]


def down_to_files(engine: Engine, name: str, column: str | None = None, *, task: str | None = None) -> list[Step]:
    """Return the lineage down to the files the store was loaded from; of those, path and owner."""
    steps = steps_named(name, column, task=task, engine=engine, to_files=True)
    reached: dict[str, int] = {}
    for step in steps:
        if step.from_relation.startswith("staging.") or step.from_relation in READ_AS:
            reached[step.from_relation] = max(reached.get(step.from_relation, 0), step.depth + 1)
    for source, depth in sorted(reached.items()):
        files = source
        if source in READ_AS:
            which = WHICH.get(source, f"kind = {sql_literal(READ_AS[source])}")
            files = f"registry.input_file where {which}"
        rows = engine.rows(f"select distinct path, owner from {files} order by owner, path")
        steps += [Step(depth, source, "", FILE, *row) for row in rows]
    return steps
