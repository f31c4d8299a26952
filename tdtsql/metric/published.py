"""Which views publish numbers, for which task, and the usual names of metrics."""

from functools import cache

from tdtsql.metric.catalog import Relation, catalog, closure, newest
from tdtsql.task import TASKS

#: views of curve points and of names, kept beside the numbers
CURVES = ("metric.detection_det_curve__v1", "metric.detection_det_block_curve__v1")


def tasks_of(relation: Relation) -> list[str]:
    """Return the tasks whose numbers a relation publishes, for some only when somebody asks."""
    return [
        task.name
        for task in TASKS.values()
        if relation.schema == "metric" and relation.family in task.families + task.on_request
    ]


@cache
def published(task: str, *, asked: bool = True) -> tuple[Relation, ...]:
    """Return the views whose numbers are kept for a task, in build order; without ``asked`` those that are made
    unasked.

    Of several versions of a view the newest publishes. An older one stays a view like any other,
    computed when it is asked for: its numbers are not kept beside those that replaced them.
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
    """Return the views whose numbers are kept for a task when somebody asks for one of them."""
    return tuple(relation for relation in published(task) if relation.family in TASKS[task].on_request)


@cache
def computed(task: str, *, asked: bool = False) -> tuple[str, ...]:
    """Return every view that is computed for a task, in build order; with ``asked`` also what is made when somebody
    asks. Stored results, which an external view returns, are not read by the scorer: it computes them.
    """
    names = [relation.name for relation in published(task, asked=asked)]
    if TASKS[task].is_detection:
        names += CURVES
    return tuple(name for name in closure(catalog(), names) if not name.startswith("ledger."))
