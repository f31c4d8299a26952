"""A template of a user-defined metric, which passes the check."""

from pathlib import Path

from tdtsql.definitions.table import tables
from tdtsql.task import TASKS

#: the templates: of one measure of several, of other tasks by block or by run (a share of a task's rows)
_FOLDER = Path(__file__).with_name("templates")


def template(name: str, task: str) -> str:
    """Return the file of a metric ``name`` of a task, to be changed: it reads what the runs of the task have."""
    own = TASKS[task]
    # decisions on pairs, stories and trials have no block
    kind = "block" if "block_no" in tables()[own.run_table].columns and own.decides_on in (None, "topic") else "run"
    if own.primary == "{measure}":  # one metric for each measure: the template reads one measure
        kind = "measure"
    return (_FOLDER / f"{kind}.sql").read_text(encoding="utf-8").format(name=name, task=task, table=own.run_table)
