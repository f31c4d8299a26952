"""A template of a user-defined metric, which passes the check."""

from tdtsql.definitions.table import tables
from tdtsql.task import TASKS

_FILE = """/*
title:    {name}: say what it is
formula:  say how it is computed
source:   Our own: say why
tasks:    {task}
inputs:   {inputs}
grain:    run_no, {key}
columns:
    run_no     key      run
    {key:<9}  key      {block}
    {name}  number of {unit}  what it is; NULL where it is undefined
    {n:<9}  count    {counted}
metrics:
    {name}  n={n}  best={best}  {name}
edges:    {edges}
class:    exact
*/
{select}
"""
#: of items: the mean score of each item under the measure by which runs are ranked
_ITEMS = """select run_no, block_no, value as {name}, n_sample
from base.item_value__v1
join registry.run using (run_no)
join base.item_measure using (condition_no, measure_no)
where is_primary = 1"""
#: of other tasks: the share of a task's rows of a run
_ROWS = """select {columns}, cast(count(*) as double) as {name}, count(*) as n_row
from {table}
group by {group}"""


def template(name: str, task: str) -> str:
    """Return the file of a metric ``name`` of a task, to be changed: it reads what the runs of the task have."""
    if TASKS[task].primary == "{measure}":  # one metric for each measure: the template reads one measure
        return _FILE.format(
            name=name,
            task=task,
            inputs="base.item_value__v1, base.item_measure, registry.run",
            key="block_no",
            block="item",
            unit="score",
            n="n_sample",
            counted="scored samples",
            best="highest",
            edges="Of one measure, the one that ranks runs. A sample that failed counts as error_item says.",
            select=_ITEMS.format(name=name),
        )
    table = TASKS[task].run_table
    is_by_block = "block_no" in tables()[table].columns
    columns = "run_no, block_no" if is_by_block else "run_no, 'topic' as weighting"
    group = "run_no, block_no" if is_by_block else "run_no"
    return _FILE.format(
        name=name,
        task=task,
        inputs=table,
        key="block_no" if is_by_block else "weighting",
        block="block" if is_by_block else "topic",
        unit="rows",
        n="n_row",
        counted="rows",
        best="none",
        edges="say what happens in the strange cases",
        select=_ROWS.format(columns=columns, name=name, table=table, group=group),
    )
