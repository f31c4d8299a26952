"""Task packages: the public interface for tasks in other distributions.

A package is a distribution with the entry point ``tdtsql.tasks`` (name of the task = "module:PACKAGE"), and next to
that module a folder with its SQL: ``schema`` (its tables, in one separate schema), ``base``, ``metric`` and
``report`` (its views), ``profile``, and the ``versions.lock`` and ``compiled.json`` that `tdtsql task lock` writes. Its
readers receive bytes and return rows and problems, without numbering, hashing or access to a database.

This module changes only with a note in CHANGELOG.md.
"""

import csv
import inspect
import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tdtsql.errors import Problem, Problems
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

    Codes, as of built-in tidy files: E003 not UTF-8; E300 not CSV; E301 a column missing; E304 the number of fields;
    E305 an empty text; E308 not a number; E314 a repeated key; and E321 a value other than those of the column.
    """
    found: dict[str, list[Any]] = {name: [] for name in (*columns, "line")}
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        inputs.add("E003", path, "not UTF-8 text", line=line, advice="Save the file as UTF-8.")
        return found
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in text.partition("\n")[0] else ",")
    header = [name.strip() for name in next(reader, [])]
    missing = [name for name in columns if name not in header and name not in optional]
    if not header or missing:
        expected = ", ".join(columns)
        inputs.add(
            "E301",
            path,
            f"the header lacks {', '.join(missing)}, expected {expected}",
            line=1,
            advice="Add the column.",
        )
        return found
    place = {name: header.index(name) for name in columns if name in header}
    first: dict[tuple[str, ...], int] = {}
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:  # a field of more than 131,072 characters, as after an open quotation mark
            inputs.add("E300", path, f"not CSV: {error}", line=reader.line_num, advice="Close the quotation mark.")
            break
        if row is None:
            break
        line = reader.line_num
        if not row:
            continue
        if len(row) != len(header):
            message = f"{len(row)} fields, expected {len(header)}"
            inputs.add("E304", path, message, line=line, value=",".join(row), advice="Correct the line.")
            continue
        values = {}
        for name, number in place.items():
            value = _value(row[number].strip(), columns[name])
            if value is None:
                expected = columns[name].replace("|", ", ")
                column = sum(len(cell) + 1 for cell in row[:number]) + 1
                inputs.add(
                    _code(columns[name]), path, f"{name} is not valid, expected {expected}", line=line, column=column,
                    value=row[number], advice="Correct the value.",
                )  # fmt: skip
                break
            values[name] = value
        else:
            id_ = tuple(str(values[name]) for name in key)
            if key and id_ in first:
                message = f"a second row of {', '.join(key)}, the first is in line {first[id_]}"
                inputs.add("E314", path, message, line=line, value=", ".join(id_), advice="Leave one out.")
                continue
            first[id_] = line
            for name, value in values.items():
                found[name].append(value)
            found["line"].append(line)
    for name in set(columns) - set(place):
        del found[name]
    return found


def _code(kind: str) -> str:
    """Return the code of a value that is not of a kind."""
    return "E321" if "|" in kind else "E305" if kind == "text" else "E308"


def _value(text: str, kind: str) -> Any:
    """Return a value of a kind; None where the text is none."""
    if kind == "text":
        return text or None
    if "|" in kind:
        return text if text in kind.split("|") else None
    try:
        return int(text) if kind == "integer" else number if math.isfinite(number := float(text)) else None
    except ValueError:
        return None
