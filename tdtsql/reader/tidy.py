"""Tidy tables: one row per thing, columns found by their header name, in any order.

CSV follows RFC 4180, broken quotes are errors. TSV is the same with tabs,
except that a quote inside a field that does not begin with one is a character
like any other. Parquet files and data frames pass the same checks by columns.

Code   Meaning
E300   an unclosed quotation mark
E301   a required column is missing
E302   a column that the form does not have
E303   a duplicate column
E304   a row with too few or too many fields
E305   an empty value where one is required
E306   an id that is not text or a whole number, or that has blanks around it
E307   not a whole number of 0 or more
E308   not a number, NaN included
W309   an infinite score or position
E310   a decision other than yes or no (true or false, 1 or 0)
E311   a label other than yes, brief or no
E312   not a date and time
E313   not a flag (yes or no)
E314   a duplicate row key
E315   contradictory judgments of a story for one topic
E316   one of the two ends of a span is missing
W317   a span that is empty or reversed
E318   a table without rows that needs some
E319   columns separated by another character than expected
E320   JSON or markup where a table is expected

Source: the project's interface, section 4; RFC 4180 for CSV.
"""

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.header import check_header
from tdtsql.reader.scan import (
    KINDS,
    Place,
    Rows,
    check_column,
    chosen_rows,
    repeats,
    sound_rows,
)


class Form(NamedTuple):
    """What one tidy table holds."""

    required: dict[str, str]  #: column -> kind of value
    optional: dict[str, str]
    key: tuple[str, ...]  #: columns that together occur once
    needs_rows: bool = False


def _form(required: str, optional: str = "", key: str = "", *, needs_rows: bool = False) -> Form:
    """Return a form of columns (``name:kind``) and a key, separated by blanks."""
    wanted, other = (dict(column.split(":") for column in columns.split()) for columns in (required, optional))
    return Form(wanted, other, tuple(key.split()), needs_rows)


_RUN, _DECISION = ("run_id",), ("decision",)
_DECIDED = "decision:decision run_id:id"

FORMS: dict[str, Form] = {
    "stories": _form(
        "story_id:id position:whole",
        "source_file:text source:text language:text kind:text begin_recid:recid end_recid:recid begin_sec:seconds "
        "end_sec:seconds published_at:time",
        "story_id",
        needs_rows=True,
    ),
    "topics": _form("topic_id:id", "title:text languages:text is_complete:flag", "topic_id"),
    "judgments": _form("topic_id:id story_id:id label:label", "", "topic_id story_id"),
    "trials": _form("topic_id:id story_id:id", "", "topic_id story_id"),
    "link_trials": _form("story_id_1:id story_id_2:id", "", "story_id_1 story_id_2"),
    "training": _form("topic_id:id story_id:id", "", "topic_id story_id"),
    "tracking": _form("topic_id:id story_id:id score:score", _DECIDED, "run_id topic_id story_id"),
    "filtering": _form(
        "topic_id:id story_id:id decision:decision", "score:score run_id:id", "run_id topic_id story_id"
    ),
    "new_event": _form("story_id:id score:score", _DECIDED, "run_id story_id"),
    "link": _form("story_id_1:id story_id_2:id score:score", _DECIDED, "run_id story_id_1 story_id_2"),
    "nuggets": _form("event_id:id nugget_id:id time:whole importance:score", "length:whole text:text", needs_rows=True),
    "updates": _form("event_id:id update_id:id", "length:whole duplicate_of:id text:text"),
    "matches": _form("event_id:id update_id:id nugget_id:id start:whole end:whole"),
    "events": _form("event_id:id start:whole end:whole", "title:text kind:text", "event_id", needs_rows=True),
    "summarization": _form("event_id:id update_id:id time:whole", "run_id:id confidence:score"),
}

_SPANS = (("begin_recid", "end_recid", "recids"), ("begin_sec", "end_sec", "seconds"))


class TidyTable(NamedTuple):
    """R checked rows as columns; optional columns that the file lacks are absent."""

    columns: dict[
        str, list
        #: column -> R values; an optional empty value is None; rows that lack a required one were reported and are
        #: omitted
    ]
    lines: array  #: R line numbers (row numbers where there are no lines)

    def rows(self, *names: str) -> Iterator[tuple]:
        """Yield line and values of each row; None for a column that the file lacks."""
        absent = [None] * len(self.lines)
        return zip(self.lines, *(self.columns.get(name, absent) for name in names), strict=True)


# ---- names and values, whatever they come from


def tidy_table(rows: Rows | None, problems: Problems, form: str) -> TidyTable:
    """Return the checked rows of a table; None: it was reported."""
    if rows is None:
        return TidyTable({}, array("q"))
    header, columns, lines, place = rows.header, rows.named, rows.lines, rows.at
    wanted = FORMS[form]
    kinds = wanted.required | wanted.optional
    mistyped = check_header(
        header, list(kinds), problems, lambda number: place(-1, header[number]), holder=f"{form} has"
    )
    line, _ = place(-1, "")
    for name in wanted.required:
        if name not in header and name not in mistyped:
            problems.add(
                "E301",
                f"missing column {name}, expected {', '.join(wanted.required)}",
                "Add the column." if line is None else "Add the column and its name in the header.",
                line,
                None if line is None else 1,
            )
    is_empty = not len(lines)
    checked = {
        name: check_column(
            columns[name],
            name,
            KINDS[kind],
            problems,
            place,
            is_required=name in wanted.required or name in _RUN + _DECISION or kind == "score",
        )
        for name, kind in kinds.items()
        if name in columns
    }
    for begin, end, unit in _SPANS:
        if begin in checked or end in checked:
            _check_spans(checked, begin, end, unit, len(lines), problems, place)
    twice = _check_keys(checked, form, problems, place, len(lines))
    if twice:
        checked, lines = chosen_rows(checked, lines, [row for row in range(len(lines)) if row not in twice])
    if wanted.required.keys() <= checked.keys():
        # all rows have a decision (score, confidence), or none has
        needed = [*wanted.required, *(name for name in checked if name in _DECISION or kinds[name] == "score")]
        checked, lines = sound_rows(checked, lines, needed)
    else:  # was reported
        checked, lines = chosen_rows(checked, lines, ())
    if is_empty and wanted.needs_rows and not problems.errors:
        problems.add(
            "E318",
            f"no rows{'' if line is None else ' below the header'}, expected at least one of {form}",
            "Complete the table.",
            line,
            None if line is None else 1,
        )
    return TidyTable(checked, lines)


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
                "Fill in both, or leave both empty.",
                line,
                column,
                first if last is None else last,
            )
        elif first is not None and (last < first or (unit == "seconds" and last == first)):
            line, column = place(row, end)
            problems.add(
                "W317",
                f"the span of {unit} is {'empty' if last == first else 'reversed'}, from {first} to {last}",
                "No pointer can fall into it.",
                line,
                column,
                last,
            )


def _check_keys(checked: dict[str, list], form: str, problems: Problems, place: Place, number: int) -> set[int]:
    """Report keys that occur twice; return the rows of all but the first of each."""
    names = [name for name in FORMS[form].key if name in checked]
    if not number or not names or len(names) < len([name for name in FORMS[form].key if name not in _RUN]):
        return set()
    keys = list(zip(*(checked[name] for name in names), strict=True))
    labels = checked.get("label") if form == "judgments" else None
    twice = {row: earlier for row, earlier in repeats(keys) if None not in keys[row]}  # None was reported as empty
    for row, earlier in twice.items():
        line, column = place(row, names[-1] if labels is None else "label")
        where = f"{'row' if column is None else 'line'} {place(earlier, names[-1])[0]}"
        if labels is None:
            problems.add(
                "E314",
                f"duplicate key ({', '.join(names)}), first on {where}",
                "Remove one of the rows.",
                line,
                column,
                " ".join(keys[row]),
            )
        elif labels[row] != labels[earlier] and labels[row] is not None and labels[earlier] is not None:
            problems.add(
                "E315",
                f"story {keys[row][1]} is judged {labels[row]} for topic {keys[row][0]}, and {labels[earlier]} on "
                f"{where}",
                "Keep one of the two judgments.",
                line,
                column,
                labels[row],
            )
    return set(twice)
