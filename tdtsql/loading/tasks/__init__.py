"""One module per task, of the name of its row in `TASKS`: how its conditions and runs are read."""

import re
from collections.abc import Sequence
from importlib import import_module

from tdtsql.engine.duckdb import Engine
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.plan import Plan, RunFormat, Source
from tdtsql.reader.text import first_lines
from tdtsql.reader.tidy import FORMS
from tdtsql.task import TASKS


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> Plan:
    """Read what else the files of a condition say; every problem goes to ``condition.inputs``."""
    return _module(condition.task).read_plan(engine, condition, corpus)


def run_formats(task: str) -> dict[str, RunFormat]:
    """Return the formats of a task's runs by name; ``frame`` is what columns given in Python are read as."""
    return _module(task).FORMATS


def recognised_format(task: str, files: Sequence[Source]) -> str:
    """Return the format of run files: by the first line of the first of them where that shows it, else by its name."""
    by_line = getattr(_module(task), "recognised", None)
    if by_line is not None:
        return by_line(files) or TASKS[task].official_format
    name = files[0][0].removesuffix(".gz") if files else ""
    is_tidy = name.endswith((".csv", ".parquet")) or (name.endswith(".tsv") and not TASKS[task].official_is_tsv)
    first = next(iter(first_lines(files[0][1], 1)), "") if files and not name.endswith(".parquet") else ""
    if task in FORMS and FORMS[task].required.keys() <= {column.strip() for column in re.split("[,;|\t]", first)}:
        return "tidy"
    if "trec" in TASKS[task].formats and len(first.split()) == 6 and "," not in first:
        return "trec"
    known, ending = TASKS[task].formats, name.rpartition(".")[2]
    return "tidy" if is_tidy else ending if ending in known else TASKS[task].official_format


def _module(task: str):
    return import_module(f"tdtsql.loading.tasks.{task}")
