"""The list of metrics, `tdtsql metric list`, apart from `tdtsql.cli.metric`: it needs no engine."""

from typing import TYPE_CHECKING

from tdtsql.definitions.catalogue import catalog, tasks_of
from tdtsql.errors import check_known
from tdtsql.show.table import Table
from tdtsql.task import TASKS

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Engine


def metrics(engine: "Engine | None" = None, *, task: str | None = None) -> Table:
    """List every metric with the view that computes it; user-defined metrics of a store are called own:NAME.

    Args:
        task: Only metrics of this task.
    """
    check_known("task", task, TASKS)  # a store may have tasks that are not installed
    rows: list[tuple] = []
    for relation in catalog().values():
        grain, tasks = "block" if "block_no" in relation.header.grain else "run", " ".join(tasks_of(relation))
        for one in relation.header.metrics:
            rows.append((one.metric, grain, one.title, one.best, relation.name, tasks))
    if engine is not None:
        rows += engine.rows(
            "select metric, 'own', said.title, best, relation, tasks from registry.published as said join "
            "registry.own_metric as own on relation = 'own.' || own.name || '__v' || own.version where "
            "grain = 'score'"
        )
    rows = [row for row in rows if task is None or task in row[5].split()]
    return Table("metric of title best relation tasks".split(), sorted(rows))
