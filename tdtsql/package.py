"""Task packages: the public interface for tasks in other distributions.

A package is a distribution with the entry point ``tdtsql.tasks`` (name of the task = "module:PACKAGE"), and next to
that module a folder with its SQL: ``schema`` (its tables, in one separate schema), ``base``, ``metric`` and
``report`` (its views), ``profile``, and the ``versions.lock`` and ``compiled.json`` that `tdtsql task lock` writes. Its
readers receive bytes and return rows and problems, without numbering, hashing or access to a database.

This module changes only with a note in CHANGELOG.md.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tdtsql.errors import Problem, Problems
from tdtsql.reader.scan import (
    KINDS,
    Fields,
    Kind,
    Rows,
    check_column,
    chosen_rows,
    real_number,
    repeats,
    sound_rows,
    text_rows,
    usual_words,
)
from tdtsql.files.text import numbered_lines
from tdtsql.tasks.declaration import RunFormat, Task, TaskPackage

__all__ = [
    "Condition",
    "Inputs",
    "Json",
    "LoadedRun",
    "Plan",
    "Problem",
    "RunFormat",
    "Task",
    "TaskPackage",
    "Value",
    "read_fields",
    "read_json",
    "read_lines",
    "read_table",
]

#: rows of tables: table -> column -> values, all of the same length; None is NULL
TableRows = Mapping[str, Mapping[str, Sequence[Any]]]


@dataclass(slots=True)
class Inputs:
    """The files that a reader is given, and the problems that it finds in them."""

    files: list[tuple[str, bytes]]  #: (path as the user wrote it, content, decompressed)
    found: list[Problem] = field(default_factory=list)
    options: Mapping[str, Any] = field(default_factory=dict)  #: of a run: what ``[[run]]`` says of ``Task.run_keys``

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
    #: keys of ``[[condition]]`` as given; empty for readers of runs, which may come later: keep it in a table
    settings: Mapping[str, Any]
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
    rows: TableRows = field(default_factory=dict)
    #: attribute -> its value for each block (None: it has none): ``NAME=VALUE`` is a subset, see base.block_subset
    attributes: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    notes: Sequence[str] = ()  #: what was recognised without being specified


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """One run of the files."""

    name: str | None  #: as its files name it; None: they do not
    #: rows of tables that have a column run_no, which is added; a column ``block_id`` becomes ``block_no``
    rows: TableRows
    files: Sequence[str] | None = None  #: the files with a row of it, as given; None: all


@dataclass(frozen=True, slots=True)
class Value:
    """A kind of values of a package, for the columns of `read_table` and `read_fields`."""

    read: Callable[[str], Any]  #: text -> value; None: not valid
    expected: str  #: valid values in words, for the message


#: column -> kind of its values: text, number (finite), integer, the values that it may have between ``|``
#: (``a|b|tie``), or a `Value`
Columns = Mapping[str, str | Value]


def read_table(
    inputs: Inputs, path: str, data: bytes, columns: Columns, *, key: Sequence[str] = (), optional: Sequence[str] = ()
) -> dict[str, list[Any]]:
    """Return the columns of a tidy file (CSV with a header, or TSV where the header has tabs), each problem reported.

    Args:
        key: columns that together may occur once.
        optional: columns that the file may lack; they are then not returned.

    Returns:
        column -> values, and ``line`` -> the line of each row. Rows with an error are left out.

    Codes, as of built-in tidy files: E001 empty; E003 not UTF-8; E300 not CSV; E301 a column missing; E304 the number
    of fields; E305 an empty value; E308 not valid; E314 a repeated key; and E321 a value other than those of the
    column.
    """
    problems = Problems(path)
    rows = text_rows(data, problems, "\t" if b"\t" in data.partition(b"\n")[0] else ",")
    missing = [name for name in columns if rows is None or name not in (*rows.header, *optional)]
    if rows is not None and missing:
        message = f"the header lacks {', '.join(missing)}, expected {', '.join(columns)}"
        problems.add("E301", message, "Add the column.", 1)
    return _checked_rows(inputs, problems, None if missing else rows, columns, key)


def read_fields(
    inputs: Inputs, path: str, data: bytes, columns: Columns, *, key: Sequence[str] = ()
) -> dict[str, list[Any]]:
    """Return the columns of a file without a header whose fields are between blanks, in the order of ``columns``.

    Codes and result as of `read_table`.
    """
    problems = Problems(path)
    expected = f"{', '.join(columns)} between blanks"
    rows = Fields(list(columns), "E304", expected, comment="").rows(numbered_lines(data, problems), problems)
    return _checked_rows(inputs, problems, rows, columns, key)


def read_lines(inputs: Inputs, path: str, data: bytes) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, text) of the lines of a file; codes E001 to E007, as of every text file."""
    problems = Problems(path)
    yield from numbered_lines(data, problems)
    inputs.found += problems.found


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON document, and where its parts are."""

    value: Any
    text: str
    line: int = 1  #: of the file, where the text begins

    def place(self, *keys: str | int) -> dict[str, int]:
        """Return ``line`` and ``column`` of a part, for `Inputs.add`; ``keys`` lead to it from the top.

        Of a key that an object has twice, it is the last, whose value counts; for one that it lacks, the object.
        """
        found = 0
        for wanted in keys:
            part = _part(self.text, found, wanted)
            if part is None:
                break
            found = part
        found = _next(self.text, found)
        begin = self.text.rfind("\n", 0, found) + 1
        return {"line": self.line + self.text.count("\n", 0, found), "column": found - begin + 1}


def read_json(inputs: Inputs, path: str, data: bytes | str, *, line: int = 1) -> Json | None:
    """Return a JSON document: a whole file, or a line of `read_lines` with its number; None for an error (E322: not
    JSON, a key twice, a number that is not finite, nested too deeply).
    """
    problems = Problems(path)
    text = data if isinstance(data, str) else "\n".join(text for _, text in numbered_lines(data, problems))
    value, advice = None, "Correct the file; was it cut off?"
    try:
        if not problems.errors:
            value = json.loads(text, object_pairs_hook=_object, parse_constant=_refused)
    except json.JSONDecodeError as error:
        where = line + error.lineno - 1
        near = text[max(0, error.pos - 20) : error.pos + 20]
        problems.add("E322", f"not JSON ({error.msg})", advice, where, error.colno, near)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        problems.add("E322", f"not valid JSON: {said}", "Correct the file.", line, 1)
    inputs.found += problems.found
    return None if problems.errors else Json(value, text, line)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        second, _ = repeats([key for key, _ in pairs])[0]
        raise ValueError(f"an object has the key {pairs[second][0]!r} twice")
    return found


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def _next(text: str, at: int) -> int:
    """Return where the next token of JSON begins that has a value, or ends one."""
    while text[at : at + 1] in tuple(" \t\n\r:,"):
        at += 1
    return at


_DECODER = json.JSONDecoder()


def _part(text: str, at: int, wanted: str | int) -> int | None:
    """Return where a part of the object or array at ``at`` begins; None: it has no such part."""
    at = _next(text, at)
    is_object, at, number = text[at : at + 1] == "{", at + 1, 0
    while text[at := _next(text, at)] not in "}]":
        key: Any = number
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = _next(text, at)
        if key == wanted:
            return at
        _, at = _DECODER.raw_decode(text, at)
        number += 1
    return None


def _checked_rows(
    inputs: Inputs, problems: Problems, rows: Rows | None, columns: Columns, key: Sequence[str]
) -> dict[str, list[Any]]:
    """Return the rows of a file without errors, with their lines."""
    found: dict[str, list[Any]] = {name: [] for name in columns}
    lines: Sequence[int] = ()
    if rows is not None:
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


def _kind(kind: str | Value) -> Kind:
    """Return a kind of values as the scanner has it."""
    if isinstance(kind, Value):
        return Kind(kind.read, "E308", "{name} is not valid, expected {expected}", kind.expected)
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
    if kind not in ("number", "integer"):
        raise ValueError(f"{kind!r} is not text, number, integer, values between |, or a Value")
    return Kind(_whole if kind == "integer" else _finite, "E308", "{name} is not valid, expected {expected}", kind)


def _finite(value: Any) -> float | None:
    number = real_number(value)
    return number if number is not None and math.isfinite(number) else None


def _whole(value: Any) -> int | None:
    text = str(value).strip()
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
