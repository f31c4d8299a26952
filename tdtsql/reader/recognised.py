"""Recognise the format of a run file, unless its task has its own rule: by its first line, then by its name."""

import re
from pathlib import Path
from typing import Any

from tdtsql.reader.text import first_lines
from tdtsql.reader.tidy import FORMS
from tdtsql.task import TASKS


def recognised(task: str, given: str, path: Any) -> str:
    """Return the format of a run file: tidy or TREC where its first line shows it, else what its name says."""
    name = given.removesuffix(".gz")
    is_tidy = name.endswith((".csv", ".parquet")) or (name.endswith(".tsv") and not TASKS[task].official_is_tsv)
    is_text = isinstance(path, Path) and not name.endswith(".parquet")
    first = next(iter(first_lines(path, 1)), "") if is_text else ""
    if task in FORMS and FORMS[task].required.keys() <= {column.strip() for column in re.split("[,;|\t]", first)}:
        return "tidy"
    if "trec" in TASKS[task].formats and len(first.split()) == 6 and "," not in first:
        return "trec"
    ending = name.rpartition(".")[2]
    return "tidy" if is_tidy else ending if ending in TASKS[task].formats else TASKS[task].official_format
