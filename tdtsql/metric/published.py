"""Which views publish numbers, and for which task."""

from functools import cache

from tdtsql.metric.catalog import Relation, catalog, closure, newest
from tdtsql.task import TASKS

#: views of curve points and of names, kept beside the numbers
CURVES = ("metric.detection_det_curve__v1", "metric.detection_det_block_curve__v1")


def tasks_of(relation: Relation) -> list[str]:
    """Return the tasks whose numbers a relation publishes."""
    return [task.name for task in TASKS.values() if relation.schema == "metric" and relation.family in task.families]


@cache
def published(task: str) -> tuple[Relation, ...]:
    """Return the views whose numbers are kept for a task, in build order.

    Of several versions of a view the newest publishes. An older one stays a view like any other,
    computed when it is asked for: its numbers are not kept beside those that replaced them.
    """
    return tuple(relation for relation in catalog().values()
                 if relation.header.metrics and task in tasks_of(relation) and relation is newest()[relation.alias])


@cache
def computed(task: str) -> tuple[str, ...]:
    """Return every view that is computed for a task, in build order."""
    names = [relation.name for relation in published(task)]
    if TASKS[task].is_detection:
        names += CURVES
    return tuple(closure(catalog(), names))
