"""Which views publish numbers, for which task, and the usual names of metrics."""

from tdtsql.definitions.catalogue import Relation, cached_definitions, catalog, closure, newest
from tdtsql.task import TASKS

#: views of curve points and of names, stored in addition to the numbers
CURVES = ("metric.detection_det_curve__v1", "metric.detection_det_block_curve__v1")


def tasks_of(relation: Relation) -> list[str]:
    """Return the tasks whose numbers a relation publishes, by default or on request."""
    if "tasks" in relation.header.fields:  # a user-defined metric
        return relation.header.fields["tasks"].replace(",", " ").split()
    return [
        task.name
        for task in TASKS.values()
        if relation.schema == "metric" and relation.family in task.families + task.on_request
    ]


@cached_definitions
def published(task: str, *, asked: bool = True) -> tuple[Relation, ...]:
    """Return the views whose numbers are stored for a task, in build order; without ``asked`` only those computed by
    default.

    Of several versions of a view the newest publishes. Older ones remain ordinary views,
    computed on demand: their numbers are not stored.
    """
    families = TASKS[task].families + (TASKS[task].on_request if asked else ())
    return tuple(
        relation
        for relation in catalog().values()
        if relation.schema == "metric"
        and relation.family in families
        and relation.header.metrics
        and relation is newest()[relation.alias]
    )


def requested(task: str) -> tuple[Relation, ...]:
    """Return the views whose numbers are stored for a task only on request."""
    return tuple(relation for relation in published(task) if relation.family in TASKS[task].on_request)


@cached_definitions
def computed(task: str, *, asked: bool = False) -> tuple[str, ...]:
    """Return every view that is computed for a task, in build order; with ``asked`` also those computed on request.
    Stored results, which an external view returns, are not read by the scorer: it computes them.
    """
    names = [relation.name for relation in published(task, asked=asked)]
    if TASKS[task].is_detection:
        names += CURVES
    return tuple(name for name in closure(catalog(), names) if not name.startswith("ledger."))
