"""One module per task, of the name of its row in `TASKS`: how its conditions and runs are read."""

from importlib import import_module

from tdtsql.engine.duckdb import Engine
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.plan import Plan, RunFormat


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> Plan:
    """Read what else the files of a condition say; every problem goes to ``condition.inputs``."""
    return _module(condition.task).read_plan(engine, condition, corpus)


def run_formats(task: str) -> dict[str, RunFormat]:
    """Return the formats of a task's runs by name; ``frame`` is what columns given in Python are read as."""
    return _module(task).FORMATS


def _module(task: str):
    return import_module(f"tdtsql.loading.tasks.{task}")
