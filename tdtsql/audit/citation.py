"""What to write where a number is printed: the metric with its version and definition, the program, and the document
that defines it.
"""

from tdtsql.definitions.catalogue import catalog, compiled_entry, newest_of, tasks_of
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import UnknownName
from tdtsql.store.lineage import definitions_named
from tdtsql.version import __version__


def cite(name: str, engine: Engine | None = None, *, task: str | None = None) -> str:
    """Print what to write where a number of metric NAME, or own:NAME of a store, is printed: a line for each view that
    publishes it.

    Args:
        task: Restrict to the view of this task, for metrics with one view per task.

    Raises:
        UnknownName: the metric does not exist, or not in that task.
    """
    name, found = definitions_named(name, task, engine)
    lines = []
    # numbers of runs first, those of blocks after them
    for relation in sorted(newest_of(found).values(), key=lambda one: ("block_no" in one.header.grain, one.name)):
        if engine is not None and relation.name not in catalog():
            query = "select closure_sha256 from registry.definition where relation = ?"
            sha256 = engine.value(query, [relation.name])
        else:
            sha256 = compiled_entry(relation.name)["closure"]
        of = "by topic" if "block_no" in relation.header.grain else "of the run"
        source = " ".join(relation.header.fields["source"].split()).rstrip(".")
        lines += [
            f"{metric.title} ({metric.metric}, {of}; {', '.join(tasks_of(relation))}): tdtsql {__version__}, view "
            f"{relation.name}, definition {sha256[:16]}. Defined in: {source}."
            # of a view by its name, all
            for metric in [one for one in relation.header.metrics if one.is_called(name)] or relation.header.metrics
        ]
    if not lines:
        raise UnknownName(f"{name} publishes no metric. `tdtsql metric list` shows those of every view.")
    return "\n".join(lines)
