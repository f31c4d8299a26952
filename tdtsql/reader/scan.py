"""The scanner of lists of lines: fields between blanks as columns, kinds of values, checks of columns and keys."""

import math
import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from tdtsql.errors import Problems, counted, verb
from tdtsql.reader import field
from tdtsql.files.text import fields_with_columns

#: (line, column) of a value, from its row (0 is the first) and its column's name
Place = Callable[[int, str], tuple[int | None, int | None]]


# ---- rows of a text file


class Rows(NamedTuple):
    """Rows as columns, and the location of every value."""

    header: Sequence[str]
    columns: Sequence[Sequence]
    lines: array  #: of each row
    #: (line, column) of a row (-1: the header) and a column number
    place: Callable[[int, int], tuple[int | None, int | None]]

    @property
    def named(self) -> dict[str, Sequence]:
        """The columns by name; of a name that occurs twice the first."""
        columns: dict[str, Sequence] = {}
        for name, values in zip(self.header, self.columns, strict=True):
            columns.setdefault(name, values)
        return columns

    def at(self, row: int, name: str) -> tuple[int | None, int | None]:
        """Return (line, column) of a row and the column of a name."""
        return self.place(row, self.header.index(name) if name in self.header else 0)

    def some(self, rows: Sequence[int]) -> "Rows":
        """Return these rows."""
        columns = [[values[row] for row in rows] for values in self.columns]
        lines = array("q", (self.lines[row] for row in rows))
        return Rows(self.header, columns, lines, lambda row, number: self.place(rows[row] if row >= 0 else row, number))

    def column_on(self, line: int, name: str) -> int | None:
        """Return the column where a field of the row on a line begins."""
        return self.at(bisect_left(self.lines, line), name)[1]


def first_wrong(text: str, width: int) -> tuple[int, str]:
    """Return column and text of the first field too many, or of the last one."""
    fields = fields_with_columns(text)
    return fields[min(width, len(fields) - 1)]


# ---- values, whatever they come from


class Kind(NamedTuple):
    """A kind of values: how one is converted, and what is reported of one that is not valid."""

    read: Callable[[Any], Any]  #: None: not valid, or empty
    code: str
    wrong: str  #: message; may name {name}, {expected} and {type}
    expected: str  #: in words
    advice: str = "Correct the value."
    usual: Callable[[Sequence], list | None] | None = None  #: converts texts of which none is unusual; fast
    infinite: str = ""  #: code of an infinite number
    stored_as: str = "the largest finite number of its sign"  #: an infinite number
    may_be_nan: bool = False  #: NaN of a data frame is a wrong value, not a missing one
    float_id: bool = False  #: numbers with fractions are reported once, with their number


def is_missing(value: object) -> bool:
    """Return whether a cell holds nothing: None, blanks, a data frame's missing value."""
    if isinstance(value, str):
        return not value or value.isspace()
    return value is None or type(value).__name__ in ("NAType", "NaTType") or isinstance(value, float) and value != value


#: a number as some programs write it
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+([eE][+-]?[0-9]+)?")


def advice_on(value: object, usual: str) -> str:
    """Return the advice on a value that is no number."""
    has_comma = isinstance(value, str) and DECIMAL_COMMA.fullmatch(value.strip())
    return "Write a decimal point instead of the comma." if has_comma else usual


def check_column(
    values: Sequence,
    name: str,
    kind: Kind,
    problems: Problems,
    place: Place,
    *,
    is_required: bool = True,
    may_lack: Callable[[object], bool] | None = None,
    most: float = math.inf,
) -> list:
    """Return the checked values of a column; None for an invalid or empty one.

    Args:
        is_required: an empty value is an error (E305).
        may_lack: whether a value that is not valid may be left out without a problem.
        most: problems that are reported one by one.
    """
    usual = kind.usual and _quickly(kind.usual, values)
    if usual is not None:
        return usual
    done: list = []
    n_wrong = n_float = 0
    left_out = first_float = None
    for row, value in enumerate(values):
        is_empty = is_missing(value) and not (kind.may_be_nan and isinstance(value, float))
        found = None if is_empty else kind.read(value)
        done.append(found)
        if found is None:
            if is_empty and not is_required or may_lack is not None and may_lack(value):
                continue
            n_wrong += 1
            if kind.float_id and not is_empty and isinstance(value, float):
                n_float += 1
                first_float = first_float or (place(row, name), value)
            elif n_wrong > most:
                left_out = left_out or place(row, name)
            else:
                line, column = place(row, name)
                if is_empty:
                    problems.add("E305", f"{name} is empty, expected {kind.expected}", "Fill it in.", line, column)
                else:
                    message = kind.wrong.format(name=name, expected=kind.expected, type=type(value).__name__)
                    problems.add(kind.code, message, advice_on(value, kind.advice), line, column, value)
        elif kind.infinite and abs(found) >= field.LARGEST_FINITE:
            line, column = place(row, name)
            problems.add(
                kind.infinite,
                f"{name} is infinite, expected a finite number",
                f"It is stored as {kind.stored_as}.",
                line,
                column,
                value,
            )
            done[-1] = field.clamped(found)
    if first_float is not None:
        (line, column), value = first_float
        problems.add(
            kind.code,
            f"{name} is a column of floating-point numbers ({counted(n_float, 'value')}), expected text or whole "
            "numbers",
            "Convert the column; pandas turns whole numbers with gaps into floating-point numbers.",
            line,
            column,
            value,
        )
    if left_out is not None:
        line, column = left_out
        n_more = int(n_wrong - most)
        problems.add(
            kind.code,
            f"{counted(n_more, 'more value')} of {name} from here on {verb(n_more, 'are')} wrong or empty",
            "Is this the right file, and the right format?",
            line,
            column,
        )
    return done


def _quickly(usual: Callable[[Sequence], list | None], values: Sequence) -> list | None:
    try:
        return usual(values) if all(values) else None
    except (TypeError, ValueError):
        return None  # not text, or something to report


class Fields(NamedTuple):
    """A format of lines: fields between blanks, what each is, and what is reported of a line that is not valid."""

    names: Sequence[str]
    code: str  #: of a line with another number of fields
    expected: str  #: the fields in words
    kinds: Mapping[str, Kind] = MappingProxyType({})  #: of the fields that are not any text
    key: tuple[str, ...] = ()  #: fields that together occur once
    repeated: tuple[str, str] = ("", "")  #: code and message of a repeated key, see `without_repeats`
    advice: str = "Correct the line."
    comment: str = "#"  #: the letter that begins a comment; empty: none
    most: float = math.inf  #: problems that are reported one by one
    #: column and value of what is wrong with a line, from its text and the number of fields that it should have
    at: Callable[[str, int], tuple[int, str]] = first_wrong

    def rows(self, lines: Iterable[tuple[int, str]], problems: Problems) -> Rows:
        """Return the fields of lines as columns of texts; lines with another number of fields are reported."""
        numbers, texts, flat, width = array("q"), [], [], len(self.names)
        n_wrong, first_left_out = 0, None
        comment = self.comment
        for line, text in lines:
            said = text.partition(comment)[0] if comment and comment in text else text
            words = said.split()
            if len(words) == width:
                numbers.append(line)
                texts.append(text)
                flat += words
            elif words:
                n_wrong += 1
                if n_wrong > self.most:
                    first_left_out = first_left_out or line
                    continue
                message = f"{counted(len(words))}, expected {self.expected}"
                problems.add(self.code, message, self.advice, line, *self.at(said, width))
        if first_left_out:
            message = f"{n_wrong - self.most} more such lines from here on"
            problems.add(self.code, message, "Is this the right file, and the right format?", first_left_out, 1)

        def place(row: int, number: int) -> tuple[int, int]:
            return numbers[row], fields_with_columns(texts[row])[number][0]

        return Rows(self.names, [flat[number::width] for number in range(width)], numbers, place)

    def read(self, lines: Iterable[tuple[int, str]], problems: Problems) -> tuple[dict[str, list], array, Rows]:
        """Return the valid rows of lines, of each key the first: columns and lines; and all rows, as they were read.

        What is wrong is reported in the order of the lines.
        """
        found = Problems(problems.path)
        rows = self.rows(lines, found)
        columns: dict[str, Any] = dict(zip(rows.header, rows.columns, strict=True))
        for name, kind in self.kinds.items():
            columns[name] = check_column(columns[name], name, kind, found, rows.at, most=self.most)
        columns, numbers = sound_rows(columns, rows.lines, self.kinds)
        if self.key:
            columns, numbers = without_repeats(columns, numbers, self.key, found, *self.repeated, rows)
        by_line(found, problems)
        return columns, numbers, rows


def sound_rows(columns: dict[Any, list], lines: array, needed: Iterable[Hashable]) -> tuple[dict[Any, list], array]:
    """Return the rows that have a value in every column of ``needed``."""
    required = [columns[name] for name in needed]
    if not any(None in values for values in required):
        return columns, lines
    return chosen_rows(
        columns, lines, [row for row, values in enumerate(zip(*required, strict=True)) if None not in values]
    )


def chosen_rows(columns: dict[Any, list], lines: array, rows: Sequence[int]) -> tuple[dict[Any, list], array]:
    """Return some rows of a table."""
    return (
        {name: [values[row] for row in rows] for name, values in columns.items()},
        array("q", (lines[row] for row in rows)),
    )


def repeats(keys: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return (row, the first row with its key) of every row whose key was there before."""
    if len(set(keys)) == len(keys):
        return []
    first: dict[Hashable, int] = {}
    return [(row, earlier) for row, key in enumerate(keys) if (earlier := first.setdefault(key, row)) != row]


def without_repeats(
    columns: dict[str, list],
    lines: array,
    key: Sequence[str],
    problems: Problems,
    code: str,
    message: str,
    rows: Rows | None,
) -> tuple[dict[str, list], array]:
    """Return the first row of every key, and report the others; ``message`` may name {earlier}, the line of the first.

    Args:
        rows: the rows as they were read, with the places of their values; None: only lines are reported.
    """
    keys = list(map("\n".join, zip(*(columns[name] for name in key), strict=True)))  # tuples take three times as long
    twice = dict(repeats(keys))
    if not twice:
        return columns, lines
    for row, first in twice.items():
        line, said = lines[row], message.format(earlier=lines[first])
        column = rows and rows.column_on(line, key[0])
        problems.add(code, said, "Remove one of the lines.", line, column, keys[row].replace("\n", " "))
    return chosen_rows(columns, lines, [row for row in range(len(lines)) if row not in twice])


def by_line(found: Problems, problems: Problems) -> None:
    """Add what was found column by column in the order of the lines."""
    problems.found += sorted(found.found, key=lambda problem: problem.line or 0)


#: kind -> (conversion, code, what is expected)
