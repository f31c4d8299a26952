"""One module per task, of the name of its row in `TASKS`: how its conditions and runs are read."""

from collections.abc import Sequence
from importlib import import_module

from tdtsql.engine.duckdb import Engine
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.plan import ConditionSpec, RunReader, Source
from tdtsql.loading.tasks.packaged import module_of
from tdtsql.reader.recognised import recognised
from tdtsql.task import TASKS


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read what else the files of a condition say; every problem goes to ``condition.inputs``."""
    return _module(condition.task).read_plan(engine, condition, corpus)


def run_formats(task: str) -> dict[str, RunReader]:
    """Return the formats of a task's runs by name; ``frame`` is what columns given in Python are read as."""
    return _module(task).FORMATS


def recognised_format(task: str, files: Sequence[Source]) -> str:
    """Return the format of run files: by the first line of the first of them where that shows it, else by its name."""
    by_line = getattr(_module(task), "recognised", None)
    if by_line is not None:
        return by_line(files) or TASKS[task].official_format
    return recognised(task, *files[0]) if files else TASKS[task].official_format


def _module(task: str):
    return module_of(task) or import_module(f"tdtsql.loading.tasks.{task}")
