"""What to write where a number is printed: the metric with its version and definition, the program, and the document
that defines it.
"""

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import unknown_name_error
from tdtsql.definitions.catalogue import compiled_entry, newest, newest_of, Relation, tasks_of
from tdtsql.store.sets import check_intact, own_relations
from tdtsql.version import __version__


def citations(name: str, task: str | None = None, engine: Engine | None = None) -> list[str]:
    """Return a line for each view that publishes a metric: its own numbers first, those of blocks after them.

    Args:
        engine: a store, whose user-defined metrics are known too.

    Raises:
        UnknownName: the metric does not exist, or not in that task.
    """
    known, closures = newest(), {}
    if engine is not None:
        check_intact(engine, [name])
        known = {**known, **newest_of(own_relations(engine))}
        text = "select 'own.' || name || '__v' || version, closure_sha256 from registry.own_metric"
        closures = dict(engine.rows(text))
    current = [relation for relation in known.values() if relation.header.metrics]
    found = [relation for relation in current if name in [metric.metric for metric in relation.header.metrics]]
    if not found:
        raise unknown_name_error(
            "metric", name, sorted({metric.metric for relation in current for metric in relation.header.metrics})
        )
    if task is not None:
        tasks = sorted({one for relation in found for one in tasks_of(relation)})
        found = [relation for relation in found if task in tasks_of(relation)]
        if not found:
            raise unknown_name_error(f"task of {name}", task, tasks)
    return [
        _line(relation, name, closures.get(relation.name) or compiled_entry(relation.name)["closure"])
        for relation in sorted(found, key=lambda relation: ("block_no" in relation.header.grain, relation.name))
    ]


def _line(relation: Relation, name: str, sha256: str) -> str:
    [metric] = [metric for metric in relation.header.metrics if metric.metric == name]
    of = "by topic" if "block_no" in relation.header.grain else "of the run"
    source = " ".join(relation.header.fields["source"].split()).rstrip(".")
    return (
        f"{metric.title} ({name}, {of}; {', '.join(tasks_of(relation))}): tdtsql {__version__}, view {relation.name}, "
        f"definition {sha256[:16]}. "
        f"Defined in: {source}."
    )
