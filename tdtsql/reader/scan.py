"""The scanner of delimited files: rows of a text file as columns, kinds of values, checks of columns and keys.

Every reader of a delimited format uses it: `text_rows` (CSV and TSV, with a header) or `Fields.rows` (fields between
blanks) gives columns of texts and the location of every value; `check_column` converts a column by the rules of a
``Kind``; `repeats` finds keys that occur twice. A format of lines is declared as `Fields`, whose `read` does all of it.
Columns of Parquet files and data frames pass the same checks.

CSV follows RFC 4180, broken quotes are errors. TSV is the same with tabs, except that a quote inside a field that does
not begin with one is a character like any other.
"""

import math
import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from tdtsql.errors import Problems, counted, verb
from tdtsql.reader import field
from tdtsql.files.text import LineList, fields_with_columns, numbered_lines

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


class _Record(NamedTuple):
    """One row of a file with quotes."""

    line: int
    fields: list[str]
    text: str
    starts: list[tuple[int, int]] | None  #: (line, column) of each field; None: the row has no quotes


def text_rows(data: bytes, problems: Problems, delimiter: str) -> Rows | None:
    """Return the rows of a CSV or TSV file as columns of texts; only quotes and widths are checked; None for a file
    without lines, and one whose first line is not UTF-8.
    """
    lines: Sequence[tuple[int, str]] = LineList(numbered_lines(data, problems))
    first, second = (*islice(((line, text) for line, text in lines if text and not text.isspace()), 2), None, None)[:2]
    if any(problem.code == "E003" and problem.line == 1 for problem in problems.found):
        return None  # the next line is no header
    if first is not None and _is_no_table(*first, delimiter, problems):
        return None
    if first and second and first[1].startswith("#") and first[1].count(delimiter) != second[1].count(delimiter):
        problems.add(
            "E301", "a comment, expected the header", "Remove the line: tables have no comments.", first[0], 1, first[1]
        )
        return None
    if any('"' in text for _, text in lines):
        return _quoted_rows(lines, delimiter, problems)
    if first is None:
        return None
    header = first[1].split(delimiter)
    width = len(header)

    def is_row(line: int, text: str) -> bool:
        if not text or text.isspace():
            return False
        if text.count(delimiter) != width - 1:
            _wrong_width(line, text, text.count(delimiter) + 1, width, problems)
            return False
        return True

    lines = LineList((line, text) for line, text in lines if is_row(line, text))
    # one flat list: a list for each row would cost more than everything else
    flat = delimiter.join([text for _, text in lines]).split(delimiter)

    def place(row: int, number: int) -> tuple[int, int]:
        line, text = lines[row + 1]
        return line, sum(len(part) + 1 for part in text.split(delimiter)[:number]) + 1

    return Rows(
        [name.strip() for name in header],
        [flat[width + number :: width] for number in range(width)],
        array("q", (line for line, _ in islice(lines, 1, None))),
        place,
    )


#: how JSON and markup begin
_NO_TABLE = re.compile(r"""[{\[]\s*($|["{\[\]}])|<[a-zA-Z!?]""")


def _is_no_table(line: int, header: str, delimiter: str, problems: Problems) -> bool:
    """Return whether the first line shows that a file is not a table with this delimiter; reports what it is."""
    text = header.strip()
    if _NO_TABLE.match(text):
        kind = "markup (HTML or XML)" if text[0] == "<" else "JSON"
        problems.add(
            "E320",
            f"the file is {kind}, expected a table with a header",
            "Name its format, or convert it to CSV.",
            line,
            1,
            text,
        )
        return True
    other = next((letter for letter in ";\t,|" if letter in header), None) if delimiter not in header else None
    if other is None:
        return False
    problems.add(
        "E319",
        f"the separator is {other!r}, expected {delimiter!r}",
        "Separate the columns by commas in a .csv file, by tabs in a .tsv file and in the formats sre and asvspoof.",
        line,
        1,
        header,
    )
    return True


def _quoted_rows(lines: Sequence[tuple[int, str]], delimiter: str, problems: Problems) -> Rows | None:
    records: list[_Record] = []
    for record in _records(lines, delimiter, problems):
        if records and len(record.fields) != len(records[0].fields):
            _wrong_width(record.line, record.text, len(record.fields), len(records[0].fields), problems)
        else:
            records.append(record)
    if not records:
        return None
    width = len(records[0].fields)

    def place(row: int, number: int) -> tuple[int, int]:
        record = records[row + 1]
        if record.starts is not None:
            return record.starts[number]
        return record.line, sum(len(part) + 1 for part in record.fields[:number]) + 1

    rows = records[1:]
    return Rows(
        [name.strip() for name in records[0].fields],
        list(zip(*(record.fields for record in rows), strict=True)) if rows else [()] * width,
        array("q", (record.line for record in rows)),
        place,
    )


def _wrong_width(line: int, text: str, found: int, width: int, problems: Problems) -> None:
    problems.add("E304", f"{counted(found)}, expected {width} as in the header", "Correct the row.", line, 1, text)


def _records(lines: Sequence[tuple[int, str]], delimiter: str, problems: Problems) -> Iterator[_Record]:
    """Yield the rows of a file with quotes; a row with a broken quote is left out."""
    position = 0
    last = max((place for place, (_, text) in enumerate(lines) if '"' in text), default=-1)
    while position < len(lines):
        line, text = lines[position]
        if '"' not in text:
            position += 1
            if text and not text.isspace():
                yield _Record(line, text.split(delimiter), text, None)
            continue
        record, position = _quoted(lines, position, last, delimiter, problems)
        if record is not None:
            yield record


_CLOSING = re.compile(r'[^"]*+(?:""[^"]*+)*"(?!")')


def _quoted(
    lines: Sequence[tuple[int, str]], position: int, last: int, delimiter: str, problems: Problems
) -> tuple[_Record | None, int]:
    """Read the record that begins at ``position`` and has a quote; return it and where the next begins; ``last`` is the
    last line with a quote.
    """
    first_line, first_text = lines[position]
    line, text = first_line, first_text
    fields: list[str] = []
    starts: list[tuple[int, int]] = []
    column = 0

    def broken(what: str, at: int, value: str) -> tuple[None, int]:
        problems.add("E300", what, "Quote the whole field and double the quotes inside it.", line, at + 1, value)
        return None, position + 1

    while True:
        starts.append((line, column + 1))
        if text.startswith('"', column):
            opening_line, opening, opening_position = line, column, position
            parts: list[str] = []
            column += 1
            while (match := _CLOSING.match(text, column)) is None:
                parts.append(text[column:])
                if position >= last:
                    line, position = opening_line, opening_position
                    return broken(
                        "the quote is not closed before the end of the file", opening, lines[position][1][opening:]
                    )
                position += 1
                line, text = lines[position]
                column = 0
            parts.append(text[column : match.end() - 1])
            fields.append("\n".join(parts).replace('""', '"'))
            column = match.end()
            if column < len(text) and not text.startswith(delimiter, column):
                return broken(
                    "text after a closing quote, expected a delimiter or the end of the line", column, text[column:]
                )
        else:
            end = text.find(delimiter, column)
            value = text[column:] if end < 0 else text[column:end]
            if '"' in value and delimiter == ",":
                return broken("a quote inside a field that does not begin with one", column + value.index('"'), value)
            fields.append(value)
            column = len(text) if end < 0 else end
        if column >= len(text):
            return _Record(first_line, fields, first_text, starts), position + 1
        column += len(delimiter)


def first_wrong(text: str, width: int) -> tuple[int, str]:
    """Return column and text of the first field too many, or of the last one."""
    fields = fields_with_columns(text)
    return fields[min(width, len(fields) - 1)]


def whole_line(text: str, width: int) -> tuple[int, str]:
    """Return column and text of a line that is reported as a whole."""
    return 1, text.strip()


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


def plain(value: Any) -> Any:
    """Return the value of Python that a numpy scalar has; any other value as it is."""
    item = getattr(value, "item", None)
    return value if item is None else item()


def text_id(value: object) -> str | None:
    """Return an id as text; None where it is neither text nor a whole number."""
    value = plain(value)
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else None


def _id(value: object) -> str | None:
    text = text_id(value)
    return text if text is not None and text == text.strip() else None


def _text(value: object) -> str | None:
    return str(value).strip() or None if not isinstance(value, bytes) else None


def real_number(value: Any) -> float | None:
    if isinstance(value, str):
        return field.real(value.strip())
    if isinstance(value, bool):
        return None
    try:
        found = float(value)  # numpy and decimal numbers, too
    except (TypeError, ValueError, OverflowError):
        return None
    return found if found == found else None


#: words of a decision or a flag
FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_USUAL_DECISIONS = {**field.YES_NO, **FLAGS, "True": True, "False": False, "TRUE": True, "FALSE": False}


def _decision(value: object) -> bool | None:
    if isinstance(value, str):
        return FLAGS.get(value.strip().lower())
    value = plain(value)
    return bool(value) if isinstance(value, int) and value in (0, 1) else None


#: kind -> (conversion, code, what is expected)


def _usual_ids(values: Sequence[str]) -> list | None:
    return list(values) if list(map(str.strip, values)) == list(values) else None


def usual_words(words: Mapping[str, Any]) -> Callable[[Sequence[str]], list | None]:
    """Return the quick conversion of words."""

    def convert(values: Sequence[str]) -> list | None:
        found = list(map(words.get, values))
        return None if None in found else found

    return convert


def usual_numbers(values: Sequence[str]) -> list[float] | None:
    """Return texts as numbers, which may be infinite."""
    joined = "".join(values)
    numbers = list(map(float, values)) if joined.isascii() and "_" not in joined else [math.nan]
    return None if any(map(math.isnan, numbers)) else numbers


def _usual_scores(values: Sequence[str]) -> list[float] | None:
    numbers = usual_numbers(values)
    return numbers if numbers and max(map(abs, numbers)) < field.LARGEST_FINITE else None


SCORE = Kind(
    real_number,
    "E308",
    "{name} is not a finite number",
    "a real number",
    usual=_usual_scores,
    infinite="W309",
    stored_as="9e99 or -9e99, the ends of the scale",
    may_be_nan=True,
)
KINDS: dict[str, Kind] = {
    "id": Kind(
        _id,
        "E306",
        "{name} is not a valid id, expected {expected}",
        "an id without surrounding blanks",
        usual=_usual_ids,
        float_id=True,
    ),
    "text": Kind(_text, "E306", "{name} is not text", "text"),
    "score": SCORE,
    "decision": Kind(
        _decision,
        "E310",
        "invalid {name}, expected {expected}",
        "yes/no, true/false or 1/0",
        usual=usual_words(_USUAL_DECISIONS),
    ),
}
