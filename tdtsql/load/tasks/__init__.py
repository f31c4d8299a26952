"""How conditions and runs of built-in tasks are read, a module per task; and of tasks that are forms and SQL files
(`tdtsql.load.packages`). What a task declares says which.
"""

from collections.abc import Sequence
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.load.condition import Condition
from tdtsql.load.corpus import Corpus
from tdtsql.load.plan import ConditionSpec, Source
from tdtsql.load.packages import with_engine
from tdtsql.files.text import first_lines
from tdtsql.store.define import check_not_older
from tdtsql.store.sets import check_computable
from tdtsql.task import PACKAGES, formats_of
from tdtsql.tasks.declaration import RunFormat, TaskPackage


def readers_of(task: str) -> TaskPackage:
    """Return a task with its readers, which have the engine.

    Raises:
        MissingPackage: its package is not installed.
    """
    check_computable(task)
    found = PACKAGES[task].loaded()
    return found if found.readers else with_engine(found)


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read what else the files of a condition say; every problem goes to ``condition.inputs``."""
    check_not_older(engine, condition.task)
    return readers_of(condition.task).read_plan(engine, condition, corpus)


def run_formats(task: str) -> dict[str, RunFormat]:
    """Return the formats of a task's runs by name; ``frame`` is what columns given in Python are read as."""
    found = readers_of(task).formats
    return found | ({"frame": found["tidy"]} if "tidy" in found else {})


def recognised_format(task: str, files: Sequence[Source]) -> str:
    """Return the format of run files: by the first line of the first of them where that shows it, else by its name."""
    found = readers_of(task)
    formats = formats_of(task)
    if found.recognised is not None:
        return found.recognised(files) or formats[0]
    given, path = files[0] if files else ("", None)
    name = given.removesuffix(".gz")
    is_text = isinstance(path, Path) and not name.endswith(".parquet")
    first = next(iter(first_lines(path, 1)), "") if is_text and path else ""
    for known, reads in found.formats.items():
        if reads.recognises is not None and reads.recognises(first):
            return known
    ending = name.rpartition(".")[2]
    is_tidy = ending in ("csv", "parquet", "jsonl", "ndjson") or (ending == "tsv" and not found.task.official_is_tsv)
    return ending if ending in formats else "tidy" if is_tidy else formats[0]
