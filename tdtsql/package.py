"""Task packages: the public interface for tasks in other distributions.

A package is a distribution with the entry point ``tdtsql.tasks`` (name of the task = "module:PACKAGE"), and next to
that module a folder with its SQL: ``schema`` (its tables, in one separate schema), ``base``, ``metric`` and
``report`` (its views), ``profile``, and the ``versions.lock`` and ``compiled.json`` that `tdtsql task lock` writes. Its
readers receive bytes and return rows and problems, without numbering, hashing or access to a database.

This module changes only with a note in CHANGELOG.md.
"""

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tdtsql.errors import Problem, Problems
from tdtsql.reader.scan import (
    KINDS,
    Kind,
    check_column,
    chosen_rows,
    real_number,
    repeats,
    sound_rows,
    text_rows,
    usual_words,
)
from tdtsql.task import Task

__all__ = ["Condition", "Inputs", "LoadedRun", "Plan", "Problem", "RunFormat", "Task", "TaskPackage", "read_table"]

#: rows of tables: table -> column -> values, all of the same length; None is NULL
Rows = Mapping[str, Mapping[str, Sequence[Any]]]


@dataclass(slots=True)
class Inputs:
    """The files that a reader is given, and the problems that it finds in them."""

    files: list[tuple[str, bytes]]  #: (path as the user wrote it, content)
    found: list[Problem] = field(default_factory=list)

    def add(
        self,
        code: str,
        path: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        value: object = None,
        advice: str = "",
    ) -> None:
        """Report a problem.

        Args:
            code: ``E`` (an error: nothing is stored) or ``W`` (a warning) and three digits.
            path: of the file, as in ``files``.
            message: what is wrong and what was expected, without a full stop.
            line, column: from 1.
            value: the offending text.
            advice: what to do, one sentence.
        """
        problems = Problems(path)
        problems.add(code, message, line=line, column=column, value=value, advice=advice)
        self.found += problems.found

    @property
    def has_errors(self) -> bool:
        return any(problem.is_error for problem in self.found)


@dataclass(slots=True)
class Condition:
    """A condition: its settings in the bundle, and its files."""

    id: str
    settings: Mapping[str, Any]  #: keys of ``[[condition]]`` as given
    files: Mapping[str, list[tuple[str, bytes]]]  #: key of kind ``file`` or ``files`` -> (path as given, content)
    blocks: Sequence[str] = ()  #: ids of its blocks, once it is stored
    rows: Callable[[str], list[tuple]] = lambda table: []  #: rows of a table of the package, without condition_no
    has_errors: bool = (
        False  #: its files have errors, so that it has no blocks and rows: those of runs are checked alone
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """A condition as its files say it."""

    blocks: Sequence[
        str
    ]  #: ids of the blocks over which the task's numbers are averaged, in the order of their numbers
    #: rows of tables that have a column condition_no, which is added; a column ``block_id`` becomes ``block_no``
    rows: Rows = field(default_factory=dict)
    notes: Sequence[str] = ()  #: what was recognised without being specified


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """One run of the files."""

    name: str | None  #: as its files name it; None: they do not
    #: rows of tables that have a column run_no, which is added; a column ``block_id`` becomes ``block_no``
    rows: Rows
    files: Sequence[str] | None = None  #: the files with a row of it, as given; None: all


#: reads the runs of files: (condition, inputs) -> runs
ReadRuns = Callable[[Condition, Inputs], Iterator[LoadedRun]]


@dataclass(frozen=True, slots=True)
class RunFormat:
    """One format of the runs of a task."""

    read: ReadRuns
    named_by: str = "id"  #: what gives a run its name, for the advice where two have the same


@dataclass(frozen=True)
class TaskPackage:
    """A task and all that belongs to it.

    Args:
        task: its row; see `tdtsql.task.Task`.
        read_plan: (condition, inputs) -> Plan.
        run_formats: name of each of ``task.formats`` -> how runs in it are read; a function stands for a RunFormat.
        sql: folder of its definitions, relative to the file that creates this.
        keys: what ``[[condition]]`` may say for it in addition: key -> file, files, text, number, flag, list of texts.
    """

    task: Task
    read_plan: Callable[[Condition, Inputs], Plan]
    run_formats: Mapping[str, RunFormat | ReadRuns]
    sql: str = "sql"
    keys: Mapping[str, str] = field(default_factory=dict)
    folder: Path = field(default_factory=lambda: Path(_caller()).parent)

    @property
    def root(self) -> Path:
        """The folder of its definitions."""
        return self.folder / self.sql

    def format(self, name: str) -> RunFormat | None:
        """Return how runs in a format are read; None for an unknown format."""
        found = self.run_formats.get(name)
        return found if found is None or isinstance(found, RunFormat) else RunFormat(found)


def _caller() -> str:
    """Return the file of the module that creates a TaskPackage."""
    frame = inspect.currentframe()
    while frame is not None:
        file = frame.f_code.co_filename
        if file != __file__ and not file.startswith("<"):
            return file
        frame = frame.f_back
    return __file__


def read_table(
    inputs: Inputs,
    path: str,
    data: bytes,
    columns: Mapping[str, str],
    *,
    key: Sequence[str] = (),
    optional: Sequence[str] = (),
) -> dict[str, list[Any]]:
    """Return the columns of a tidy file (CSV with a header, or TSV where the header has tabs), each problem reported.

    Args:
        columns: name -> kind of value: text, number (finite), integer, or the values that it may have between ``|``
          (``a|b|tie``).
        key: columns that together may occur once.
        optional: columns that the file may lack; they are then not returned.

    Returns:
        column -> values, and ``line`` -> the line of each row. Rows with an error are left out.

    Codes, as of built-in tidy files: E001 empty; E003 not UTF-8; E300 not CSV; E301 a column missing; E304 the number
    of fields; E305 an empty value; E308 not a number; E314 a repeated key; and E321 a value other than those of the
    column.
    """
    problems = Problems(path)
    rows = text_rows(data, problems, "\t" if b"\t" in data.partition(b"\n")[0] else ",")
    found: dict[str, list[Any]] = {name: [] for name in columns}
    lines: Sequence[int] = ()
    missing = [name for name in columns if rows is None or name not in (*rows.header, *optional)]
    if rows is not None and missing:
        message = f"the header lacks {', '.join(missing)}, expected {', '.join(columns)}"
        problems.add("E301", message, "Add the column.", 1)
    elif rows is not None:
        kinds = {name: _kind(kind) for name, kind in columns.items() if name in rows.header}
        checked = {name: check_column(rows.named[name], name, kind, problems, rows.at) for name, kind in kinds.items()}
        found, lines = sound_rows(checked, rows.lines, kinds)
        twice = dict(repeats(list(zip(*(found[name] for name in key), strict=True))))
        for row, earlier in twice.items():
            message = f"a second row of {', '.join(key)}, the first is in line {lines[earlier]}"
            value = ", ".join(str(found[name][row]) for name in key)
            problems.add("E314", message, "Leave one out.", lines[row], None, value)
        if twice:
            found, lines = chosen_rows(found, lines, [row for row in range(len(lines)) if row not in twice])
    inputs.found += sorted(problems.found, key=lambda problem: problem.line or 0)
    return {**found, "line": list(lines)}


def _kind(kind: str) -> Kind:
    """Return a kind of values as the scanner has it."""
    if kind == "text":
        return KINDS["text"]
    if "|" in kind:
        words = {word: word for word in kind.split("|")}
        return Kind(
            lambda value: words.get(str(value).strip()),
            "E321",
            "{name} is not valid, expected {expected}",
            ", ".join(words),
            usual=usual_words(words),
        )
    return Kind(_whole if kind == "integer" else _finite, "E308", "{name} is not valid, expected {expected}", kind)


def _finite(value: Any) -> float | None:
    number = real_number(value)
    return number if number is not None and math.isfinite(number) else None


def _whole(value: Any) -> int | None:
    text = str(value).strip()
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
