"""Tidy tables: one row per thing, columns found by their header name, in any order.

CSV follows RFC 4180, broken quotes are errors. TSV is the same with tabs,
except that a quote inside a field that does not begin with one is a character
like any other. Parquet files and data frames pass the same checks by columns
(``check_columns``).

Code   Meaning
E300   a broken quote
E301   a required column is missing
E302   a column that the form does not have
E303   the same column twice
E304   a row with too few or too many fields
E305   an empty value where one is required
E306   an id with blanks around it, or that is not text
E307   not a whole number of 0 or more
E308   not a number, NaN included
W309   an infinite score or position
E310   a decision other than yes or no (true or false, 1 or 0)
E311   a label other than yes, brief or no
E312   not a date and time
E313   not a flag (yes or no)
E314   the same row key twice
E315   a story judged in two ways for one topic
E316   a span with a beginning and no end, or the other way round
W317   a span that is empty or reversed
E318   a table without rows that needs some
E319   columns separated by another character than the file's name says
E320   JSON or markup where a table is expected

Source: the project's interface, section 4; RFC 4180 for CSV.
"""

import math
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any, NamedTuple

from tdtsql.errors import Problems, counted
from tdtsql.reader import field
from tdtsql.reader.header import check_header
from tdtsql.reader.text import LineList, numbered_lines

#: (line, column) of a value, from its row (0 is the first) and its column's name
Place = Callable[[int, str], tuple[int | None, int | None]]


class Form(NamedTuple):
    """What one tidy table holds."""

    required: dict[str, str]  #: column -> kind of value
    optional: dict[str, str]
    key: tuple[str, ...]  #: columns that together occur once
    needs_rows: bool = False


_RUN = {"run_id": "id"}
_SCORE, _DECISION = {"score": "score"}, {"decision": "decision"}
_TOPIC_STORY = {"topic_id": "id", "story_id": "id"}

FORMS: dict[str, Form] = {
    "stories": Form(
        {"story_id": "id", "position": "whole"},
        {
            "source_file": "text",
            "source": "text",
            "language": "text",
            "kind": "text",
            "begin_recid": "recid",
            "end_recid": "recid",
            "begin_sec": "seconds",
            "end_sec": "seconds",
            "published_at": "time",
        },
        ("story_id",),
        needs_rows=True,
    ),
    "topics": Form({"topic_id": "id"}, {"title": "text", "languages": "text", "is_complete": "flag"}, ("topic_id",)),
    "judgments": Form({**_TOPIC_STORY, "label": "label"}, {}, ("topic_id", "story_id")),
    "trials": Form(_TOPIC_STORY, {}, ("topic_id", "story_id")),
    "link_trials": Form({"story_id_1": "id", "story_id_2": "id"}, {}, ("story_id_1", "story_id_2")),
    "training": Form(_TOPIC_STORY, {}, ("topic_id", "story_id")),
    "tracking": Form({**_TOPIC_STORY, **_SCORE}, _DECISION | _RUN, ("run_id", "topic_id", "story_id")),
    "filtering": Form(
        {**_TOPIC_STORY, "decision": "decision"}, {"score": "score", **_RUN}, ("run_id", "topic_id", "story_id")
    ),
    "new_event": Form({"story_id": "id", **_SCORE}, _DECISION | _RUN, ("run_id", "story_id")),
    "link": Form(
        {"story_id_1": "id", "story_id_2": "id", **_SCORE}, _DECISION | _RUN, ("run_id", "story_id_1", "story_id_2")
    ),
    "nuggets": Form(
        {"event_id": "id", "nugget_id": "id", "time": "whole", "importance": "score"},
        {"length": "whole", "text": "text"},
        (),
        True,
    ),
    "updates": Form(
        {"event_id": "id", "update_id": "id"}, {"length": "whole", "duplicate_of": "id", "text": "text"}, ()
    ),
    "matches": Form({"event_id": "id", "update_id": "id", "nugget_id": "id", "start": "whole", "end": "whole"}, {}, ()),
    "events": Form(
        {"event_id": "id", "start": "whole", "end": "whole"}, {"title": "text", "kind": "text"}, ("event_id",), True
    ),
    "summarization": Form({"event_id": "id", "update_id": "id", "time": "whole"}, {**_RUN, "confidence": "score"}, ()),
}

_SPANS = (("begin_recid", "end_recid", "recids"), ("begin_sec", "end_sec", "seconds"))


class TidyTable(NamedTuple):
    """R checked rows as columns; optional columns that the file lacks are absent."""

    form: str
    columns: dict[
        str, list
        #: column -> R values; an optional empty value is None; rows that lack a required one were reported and are
        #: omitted
    ]
    lines: array  #: R line numbers (row numbers where there are no lines)


def read_tidy(data: bytes, problems: Problems, form: str, *, delimiter: str = ",") -> TidyTable:
    """Return the rows of a CSV (``delimiter`` ``,``) or TSV (tab) file of a form of ``FORMS``."""
    table = _rows(LineList(numbered_lines(data, problems)), delimiter, problems)
    if table is None:
        return TidyTable(form, {}, array("q"))
    places = {name: number for number, name in reversed(list(enumerate(table.header)))}

    def place(row: int, name: str) -> tuple[int, int]:
        return table.place(row, places.get(name, 0))

    _check_names(table.header, form, problems, place)
    columns = {name: table.columns[number] for name, number in places.items()}
    checked, kept = _check_values(columns, form, problems, place, len(table.lines))
    if not table.lines and FORMS[form].needs_rows and not problems.errors:
        problems.add(
            "E318",
            f"no rows below the header, expected at least one of {form}",
            line=place(-1, "")[0],
            column=1,
            advice="Complete the table.",
        )
    return TidyTable(form, checked, table.lines if kept is None else array("q", (table.lines[row] for row in kept)))


def text_columns(data: bytes, problems: Problems, delimiter: str) -> "_Rows | None":
    """Return the rows of a CSV or TSV file as columns of texts; only quotes and widths are checked; None for a file
    without lines.
    """
    return _rows(LineList(numbered_lines(data, problems)), delimiter, problems)


def check_columns(form: str, columns: Mapping[str, Sequence], problems: Problems) -> TidyTable:
    """Return the checked rows of a table given as columns (Parquet, data frame).

    Values may already have the right type. Problems name rows, from 1, as lines.
    """

    def place(row: int, name: str) -> tuple[int | None, int | None]:
        return (row + 1 if row >= 0 else None), None

    _check_names(list(columns), form, problems, place)
    number = max((len(values) for values in columns.values()), default=0)
    checked, kept = _check_values(columns, form, problems, place, number)
    if not number and FORMS[form].needs_rows and not problems.errors:
        problems.add("E318", f"no rows, expected at least one of {form}", advice="Complete the table.")
    return TidyTable(form, checked, array("q", (row + 1 for row in (range(number) if kept is None else kept))))


# ---- rows of a text file


class _Rows(NamedTuple):
    """A text file's rows as columns, and the location of every value."""

    header: list[str]
    columns: list[Sequence[str]]
    lines: array  #: of each row
    place: Callable[[int, int], tuple[int, int]]  #: (line, column) of a row (-1: the header) and a column number


class _Record(NamedTuple):
    """One row of a file with quotes."""

    line: int
    fields: list[str]
    text: str
    starts: list[tuple[int, int]] | None  #: (line, column) of each field; None: the row has no quotes


def _rows(lines: Sequence[tuple[int, str]], delimiter: str, problems: Problems) -> _Rows | None:
    first = next(((line, text) for line, text in lines if text and not text.isspace()), None)
    if first is not None and _is_no_table(*first, delimiter, problems):
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

    return _Rows(
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
            line=line,
            column=1,
            value=text,
            advice="Name its format, or convert it to CSV.",
        )
        return True
    other = next((letter for letter in ";\t,|" if letter in header), None) if delimiter not in header else None
    if other is None:
        return False
    problems.add(
        "E319",
        f"the separator is {other!r}, expected {delimiter!r}",
        line=line,
        column=1,
        value=header,
        advice="Separate the columns by commas in a .csv file, by tabs in a .tsv file and in the formats sre and "
        "asvspoof.",
    )
    return True


def _quoted_rows(lines: Sequence[tuple[int, str]], delimiter: str, problems: Problems) -> _Rows | None:
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
    return _Rows(
        [name.strip() for name in records[0].fields],
        list(zip(*(record.fields for record in rows), strict=True)) if rows else [()] * width,
        array("q", (record.line for record in rows)),
        place,
    )


def _wrong_width(line: int, text: str, found: int, width: int, problems: Problems) -> None:
    problems.add(
        "E304",
        f"{counted(found)}, expected {width} as in the header",
        line=line,
        column=1,
        value=text,
        advice="Correct the row.",
    )


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
        problems.add(
            "E300",
            what,
            line=line,
            column=at + 1,
            value=value,
            advice="Quote the whole field and double the quotes inside it.",
        )
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


# ---- names and values, whatever they come from


def _check_names(names: list[str], form: str, problems: Problems, place: Place) -> None:
    wanted = FORMS[form]
    known = [*wanted.required, *wanted.optional]
    check_header(names, known, problems, lambda number: place(-1, names[number]), holder=f"{form} has")
    for name in wanted.required:
        if name not in names:
            line, _ = place(-1, name)
            problems.add(
                "E301",
                f"missing column {name}, expected {', '.join(wanted.required)}",
                line=line,
                column=None if line is None else 1,
                advice="Add the column." if line is None else "Add the column and its name in the header.",
            )


def _check_values(
    columns: Mapping[str, Sequence], form: str, problems: Problems, place: Place, number: int
) -> tuple[dict[str, list], list[int] | None]:
    """Return the columns with checked values, and the accepted rows (None: all)."""
    wanted = FORMS[form]
    checked: dict[str, list] = {}
    for name, kind in (wanted.required | wanted.optional).items():
        if name not in columns:
            continue
        is_required = name in wanted.required or name in _RUN or name in _DECISION
        checked[name] = check_column(columns[name], name, kind, is_required, problems, place)
    for begin, end, unit in _SPANS:
        if begin in checked or end in checked:
            _check_spans(checked, begin, end, unit, number, problems, place)
    kept = _complete(_check_keys(checked, form, problems, place, number), checked, wanted, number)
    if kept is not None:
        checked = {name: [values[row] for row in kept] for name, values in checked.items()}
    return checked, kept


def _complete(kept: list[int] | None, checked: dict[str, list], wanted: Form, number: int) -> list[int] | None:
    """Return the rows of ``kept`` (None: all) in which nothing required is wrong or empty; none where a column is not
    there: it was reported.
    """
    if not wanted.required.keys() <= checked.keys():
        return []
    required = [checked[name] for name in wanted.required]
    required += [checked[name] for name in _DECISION if name in checked]  # all rows have one, or none has
    if not any(None in values for values in required):
        return kept
    return [
        row for row in (range(number) if kept is None else kept) if all(values[row] is not None for values in required)
    ]


def check_column(values: Sequence, name: str, kind: str, is_required: bool, problems: Problems, place: Place) -> list:
    """Return the checked values of a column; None for an invalid or empty one."""
    usual = _usual(values, kind)
    if usual is not None:
        return usual
    convert, code, expected = _KINDS[kind]
    done: list = []
    n_float, first_float = 0, None
    for row, value in enumerate(values):
        if _is_empty(value, is_number=kind == "score"):
            if is_required:
                line, column = place(row, name)
                problems.add(
                    "E305", f"{name} is empty, expected {expected}", line=line, column=column, advice="Fill it in."
                )
            done.append(None)
            continue
        found = convert(value)
        if found is None and kind == "id" and isinstance(value, float):
            n_float += 1
            if n_float == 1:
                first_float = place(row, name), value
        elif found is None:
            line, column = place(row, name)
            problems.add(
                code,
                _WRONG[kind].format(name=name, expected=expected),
                line=line,
                column=column,
                value=value,
                advice="Correct the value.",
            )
        elif kind in ("score", "seconds") and abs(found) >= field.LARGEST_FINITE:
            line, column = place(row, name)
            kept = (
                "9e99 or -9e99, the ends of the scale" if kind == "score" else "the largest finite number of its sign"
            )
            problems.add(
                "W309",
                f"{name} is infinite, expected a finite number",
                line=line,
                column=column,
                value=value,
                advice=f"It is stored as {kept}.",
            )
            found = field.clamped(found)
        done.append(found)
    if first_float is not None:
        (line, column), value = first_float
        problems.add(
            "E306",
            f"{name} is a column of floating-point numbers ({n_float} values), expected text or whole numbers",
            line=line,
            column=column,
            value=value,
            advice="Convert the column; pandas turns whole numbers with gaps into floating-point numbers.",
        )
    return done


def _usual(values: Sequence, kind: str) -> list | None:
    """Return a text column's values when not one is unusual, else None; fast."""
    try:
        joined = "".join(values)
        if not all(values):
            return None
        if kind == "id":
            return list(values) if list(map(str.strip, values)) == list(values) else None
        if kind == "decision":
            words = list(map(_USUAL_DECISIONS.get, values))
            return words if None not in words else None
        if kind == "score" and joined.isascii() and "_" not in joined:
            numbers = list(map(float, values))
            return (
                numbers if all(map(math.isfinite, numbers)) and max(map(abs, numbers)) < field.LARGEST_FINITE else None
            )
        if kind == "whole" and joined.isascii() and joined.isdigit() and max(map(len, values), default=0) <= 18:
            return list(map(int, values))
    except (TypeError, ValueError):
        pass  # not text, or something to report
    return None


def _is_empty(value: object, *, is_number: bool) -> bool:
    """Return whether a cell holds nothing: None, empty text, a data frame's missing value.

    A data frame's NaN is a missing value, except where a number must be (a
    score that is NaN is a wrong score).
    """
    if isinstance(value, str):
        return not value or value.isspace()
    if isinstance(value, float):
        return value != value and not is_number
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _id(value: object) -> str | None:
    if isinstance(value, str):
        return value if value == value.strip() else None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    item = getattr(value, "item", None)  # a numpy scalar
    return _id(item()) if item is not None and isinstance(item(), int | str) else None


def _text(value: object) -> str | None:
    return str(value).strip() or None if not isinstance(value, bytes) else None


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return field.real(value.strip())
    if isinstance(value, bool):
        return None
    try:
        number = float(value)  # numpy and decimal numbers, too
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number == number else None


def _whole(value: object) -> int | None:
    if isinstance(value, str):
        return field.natural(value.strip())
    number = _number(value)
    if number is None or number < 0 or number >= 1e18 or number != int(number):
        return None
    return int(value) if isinstance(value, int) else int(number)


def _recid(value: object) -> int | None:
    number = _whole(value)
    return number if number is not None and number <= field.LARGEST_RECID else None


def _seconds(value: object) -> float | None:
    number = _number(value)
    return number if number is not None and number >= 0 else None


_FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_USUAL_DECISIONS = {**field.YES_NO, **_FLAGS, "True": True, "False": False, "TRUE": True, "FALSE": False}


def _decision(value: object) -> bool | None:
    if isinstance(value, str):
        return _FLAGS.get(value.strip().lower())
    item = getattr(value, "item", None)  # a numpy scalar
    value = item() if item is not None else value
    return bool(value) if isinstance(value, int) and value in (0, 1) else None


def _flag(value: object) -> bool | None:
    return _FLAGS.get(str(value).strip().lower())


def _label(value: object) -> str | None:
    return field.level(value.strip()) if isinstance(value, str) else None


def _time(value: object) -> str | None:
    if isinstance(value, str):
        found = field.timestamp(value)
        if found is not None:
            return found
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime):
        return None
    try:
        if value.tzinfo is not None:
            value = value.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        return None
    return str(value.replace(microsecond=0))


#: kind -> (conversion, code, what is expected)
_KINDS: dict[str, tuple[Callable, str, str]] = {
    "id": (_id, "E306", "an id without surrounding blanks"),
    "text": (_text, "E306", "text"),
    "whole": (_whole, "E307", "a whole number of 0 or more"),
    "recid": (_recid, "E307", f"a record number of 0 to {field.LARGEST_RECID}"),
    "seconds": (_seconds, "E308", "seconds of 0 or more"),
    "score": (_number, "E308", "a real number"),
    "decision": (_decision, "E310", "yes/no, true/false or 1/0"),
    "label": (_label, "E311", "yes, brief or no"),
    "time": (_time, "E312", "YYYY-MM-DD HH:MM:SS"),
    "flag": (_flag, "E313", "yes or no"),
}

_WRONG = {
    "recid": "{name} is not a valid record number, expected {expected}",
    "id": "{name} is not a valid id, expected {expected}",
    "text": "{name} is not text",
    "whole": "{name} is not a valid number, expected {expected}",
    "seconds": "{name} is not a valid position, expected {expected}",
    "score": "{name} is not a finite number",
    "decision": "invalid {name}, expected {expected}",
    "label": "invalid {name}, expected {expected}",
    "time": "{name} is not a valid date and time, expected {expected}",
    "flag": "invalid {name}, expected {expected}",
}


def _check_spans(
    checked: dict[str, list], begin: str, end: str, unit: str, number: int, problems: Problems, place: Place
) -> None:
    nothing = [None] * number
    for row, (first, last) in enumerate(zip(checked.get(begin, nothing), checked.get(end, nothing), strict=True)):
        if (first is None) != (last is None):
            here, absent = (begin, end) if last is None else (end, begin)
            line, column = place(row, here)
            problems.add(
                "E316",
                f"{here} without {absent}, expected both or neither",
                line=line,
                column=column,
                value=first if last is None else last,
                advice="Fill in both, or leave both empty.",
            )
        elif first is not None and (last < first or (unit == "seconds" and last == first)):
            line, column = place(row, end)
            problems.add(
                "W317",
                f"the span of {unit} is {'empty' if last == first else 'reversed'}, from {first} to {last}",
                line=line,
                column=column,
                value=last,
                advice="No pointer can fall into it.",
            )


def _check_keys(checked: dict[str, list], form: str, problems: Problems, place: Place, number: int) -> list[int] | None:
    names = [name for name in FORMS[form].key if name in checked]
    if not names:
        return None
    if len(names) < len([name for name in FORMS[form].key if name not in _RUN]) or not number:
        return None
    keys = checked[names[0]] if len(names) == 1 else list(zip(*(checked[name] for name in names), strict=True))
    if len(set(keys)) == number:
        return None
    labels = checked.get("label") if form == "judgments" else None
    first_row: dict = {}
    kept: list[int] = []
    for row, key in enumerate(keys):
        parts: tuple = (key,) if len(names) == 1 else key
        if None in parts:  # was reported as empty
            kept.append(row)
            continue
        earlier = first_row.setdefault(key, row)
        if earlier == row:
            kept.append(row)
            continue
        line, column = place(row, names[-1] if labels is None else "label")
        where = place(earlier, names[-1])[0]
        unit = "line" if column is not None else "row"
        if labels is None:
            problems.add(
                "E314",
                f"duplicate key ({', '.join(names)}), first on {unit} {where}",
                line=line,
                column=column,
                value=" ".join(parts),
                advice="Remove one of the rows.",
            )
        elif labels[row] != labels[earlier] and labels[row] is not None and labels[earlier] is not None:
            problems.add(
                "E315",
                f"story {parts[1]} is judged {labels[row]} for topic {parts[0]}, and "
                f"{labels[earlier]} on {unit} {where}",
                line=line,
                column=column,
                value=labels[row],
                advice="Keep one of the two judgments.",
            )
    return kept
