"""A template of a user-defined metric, which passes the check."""

from pathlib import Path

from tdtsql.definitions.table import tables
from tdtsql.task import TASKS

#: the templates: of one measure of several, of other tasks by block or by run (a share of a task's rows)
_FOLDER = Path(__file__).with_name("templates")


def template(name: str, task: str) -> str:
    """Return the file of a metric ``name`` of a task, to be changed: it reads what the runs of the task have."""
    table = TASKS[task].run_table
    kind = "block" if "block_no" in tables()[table].columns else "run"
    if TASKS[task].primary == "{measure}":  # one metric for each measure: the template reads one measure
        kind = "measure"
    text = (_FOLDER / f"{kind}.sql").read_text(encoding="utf-8")
    return text.format(name=name, task=task, table=table)
