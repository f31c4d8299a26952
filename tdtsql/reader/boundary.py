"""LDC boundary tables: which stories a source file holds, and where each begins and ends.

    <BOUNDSET fileid=F collect_src=S collect_date=D src_lang=L content_lang=C>
    <BOUNDARY docno=N doctype=NEWS Bsec=0.00 Esec=16.31 Brecid=1 Erecid=49>
    </BOUNDSET>

Positions are seconds of the recording and record numbers (words, from 1, both
ends belong to the story). Either pair may be absent.

Code   Meaning
E100   no BOUNDSET element: not a boundary table
E101   a BOUNDARY without docno or doctype
E102   a position that is not a number
E103   a duplicate docno
E104   not a well-formed tag, or an element of another kind of file
E105   a BOUNDSET without fileid, or a second BOUNDSET
E106   one of the two positions of a pair is missing
W107   an empty story, one that ends before it begins, or one that overlaps the next story
W108   an unknown doctype; the story counts as not news
W109   an invalid collection date

Source: LDC TDT corpora, boundary tables; TDT3eval v2.6 as read.
"""

import math
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from tdtsql.errors import Problems
from tdtsql.reader import field
from tdtsql.reader.tag import Tag, tags
from tdtsql.files.text import is_readable

DOCTYPES = frozenset({"NEWS", "MISCELLANEOUS", "UNTRANSCRIBED", "AUTOMATIC"})

_Number = TypeVar("_Number", int, float)
_KNOWN = frozenset({"boundset", "boundary"})

#: a story as the LDC's tables write nearly all of them
_USUAL = re.compile(
    r"<BOUNDARY docno=([^\s\"<>=]+) doctype=([^\s\"<>=]+)"
    r"(?: Bsec=([0-9]+(?:\.[0-9]+)?) Esec=([0-9]+(?:\.[0-9]+)?))?(?: Brecid=([0-9]{1,18}) Erecid=([0-9]{1,18}))?>"
)


class Boundary(NamedTuple):
    """One story of a source file."""

    line: int
    docno: str
    doctype: str  #: as written; exactly NEWS is news
    begin_sec: float | None
    end_sec: float | None
    begin_recid: int | None  #: first record of the story, from 1
    end_recid: int | None  #: last record of the story


class BoundaryTable(NamedTuple):
    """The stories of one source file, in the order of the file."""

    file_id: str | None
    source: str | None
    language: str | None  #: upper case
    collected_at: str | None  #: YYYY-MM-DD HH:MM:SS
    rows: list[Boundary]


def read_boundary_table(data: bytes, problems: Problems) -> BoundaryTable:
    """Return the stories of a boundary table; see the module for the problems."""
    head: Tag | None = None
    rows: list[Boundary] = []
    first_line: dict[str, int] = {}
    row: Boundary | None

    for tag in tags(data, problems, code="E104", known=_KNOWN, usual=_USUAL):
        if isinstance(tag, tuple):
            line, match = tag
            docno, doctype, begin_sec, end_sec, begin_recid, end_recid = match.groups()
            row = Boundary(
                line,
                docno,
                doctype,
                begin_sec and float(begin_sec),
                end_sec and float(end_sec),
                begin_recid and int(begin_recid),
                end_recid and int(end_recid),
            )
            columns = match.start(1) + 1, match.start(2) + 1, 1
            _keep(row, columns, rows, first_line, problems)
            continue
        if tag.is_closing:
            continue
        if tag.name == "boundset":
            if head is None:
                head = tag
                if not tag.attributes.get("fileid"):
                    problems.add(
                        "E105",
                        "BOUNDSET has no fileid, expected fileid=NAME of the source file",
                        "Add the attribute.",
                        *tag.place,
                    )
            else:
                problems.add(
                    "E105",
                    f"a second BOUNDSET, the first is on line {head.line}",
                    "Give every source file its own boundary table.",
                    *tag.place,
                )
            continue
        row = _boundary(tag, problems)
        if row is not None:
            columns = tag.column_of("docno"), tag.column_of("doctype"), tag.column
            _keep(row, columns, rows, first_line, problems)

    _check_order(rows, problems)
    if head is None:
        if is_readable(problems):
            problems.add(
                "E100",
                "no BOUNDSET element, expected a boundary table that begins with <BOUNDSET fileid=...>",
                "Name the boundary table of the source file.",
                1,
                1,
            )
        return BoundaryTable(None, None, None, None, rows)

    attributes = head.attributes
    collected = attributes.get("collect_date") or None
    collected_at = collected and field.timestamp(collected)
    if collected and collected_at is None:
        problems.add(
            "W109",
            "collect_date is not a valid date, expected YYYYMMDD or YYYYMMDD_HHMM",
            "It is left empty.",
            head.line,
            head.column_of("collect_date"),
            collected,
        )
    return BoundaryTable(
        file_id=attributes.get("fileid") or None,
        source=attributes.get("collect_src") or None,
        language=(attributes.get("src_lang") or "").upper() or None,
        collected_at=collected_at,
        rows=rows,
    )


def _keep(
    row: Boundary, columns: tuple[int, int, int], rows: list[Boundary], first_line: dict[str, int], problems: Problems
) -> None:
    """Add a story to ``rows`` unless it is a duplicate; ``columns`` are those of docno, doctype and tag."""
    line, docno, doctype, *_ = row
    earlier = first_line.setdefault(docno, line)
    if earlier != line or (rows and rows[-1][:2] == (line, docno)):
        problems.add(
            "E103",
            f"docno is already on line {earlier}, expected every story once",
            "Remove one of the lines.",
            line,
            columns[0],
            docno,
        )
        return
    if doctype not in DOCTYPES:
        problems.add(
            "W108",
            "doctype is not known, expected NEWS, MISCELLANEOUS or UNTRANSCRIBED",
            "The story counts as not news.",
            line,
            columns[1],
            doctype,
        )
    for unit, begin, end, one in _spans(row):
        if end <= begin - one:
            problems.add(
                "W107",
                f"the story's span of {unit} is {'empty' if end == begin - one else 'reversed'}, "
                f"from {_short(begin)} to {_short(end)}",
                "No pointer can fall into it.",
                line,
                columns[2],
                docno,
            )
    rows.append(row)


def _boundary(tag: Tag, problems: Problems) -> Boundary | None:
    attributes = tag.attributes
    docno, doctype = attributes.get("docno"), attributes.get("doctype")
    for name, value in (("docno", docno), ("doctype", doctype)):
        if not value:
            problems.add("E101", f"BOUNDARY has no {name}, expected {name}=VALUE", "Add the attribute.", *tag.place)
    if not docno or not doctype:
        return None
    seconds = [_checked(tag, name, field.real, "seconds", problems) for name in ("bsec", "esec")]
    recids = [_checked(tag, name, field.recid, "a whole number", problems) for name in ("brecid", "erecid")]
    for begin, end in (("bsec", "esec"), ("brecid", "erecid")):
        if bool(attributes.get(begin)) != bool(attributes.get(end)):
            here, absent = (begin, end) if attributes.get(begin) else (end, begin)
            problems.add(
                "E106",
                f"{here.capitalize()} without {absent.capitalize()}, expected both or neither",
                "Add the other attribute, or remove this one.",
                *tag.place_of(here),
                attributes[here],
            )
    return Boundary(tag.line, docno, doctype, seconds[0], seconds[1], recids[0], recids[1])


def _checked(
    tag: Tag, name: str, read: Callable[[str], _Number | None], kind: str, problems: Problems
) -> _Number | None:
    text = tag.attributes.get(name)
    if not text:
        return None
    number = read(text)
    if number is None or abs(number) > field.LARGEST_FINITE or number < 0:
        problems.add(
            "E102",
            f"{name.capitalize()} is not a valid position, expected {kind} of 0 or more",
            "Correct the number, or remove it and its pair.",
            *tag.place_of(name),
            text,
        )
        return None
    return number


def _check_order(rows: list[Boundary], problems: Problems) -> None:
    last: dict[str, tuple[Boundary, float]] = {}  # unit -> story, and where it ends
    for row in rows:
        for unit, begin, end, one in _spans(row):
            if end <= begin - one:
                continue
            story, end_before = last.get(unit, (row, -math.inf))
            if begin - one < end_before:
                problems.add(
                    "W107",
                    f"the story's span of {unit} is overlong, it ends at {_short(end_before)} and the story on line "
                    f"{row.line} begins at {_short(begin)}",
                    "Text in both belongs to both.",
                    story.line,
                    1,
                    story.docno,
                )
            last[unit] = row, end


def _spans(row: Boundary) -> Iterator[tuple[str, float, float, int]]:
    """Yield unit, begin and end of the spans of a story, and 1 where the unit at the end belongs to it."""
    for unit, begin, end, one in (
        ("seconds", row.begin_sec, row.end_sec, 0),
        ("recids", row.begin_recid, row.end_recid, 1),
    ):
        if begin is not None and end is not None:
            yield unit, begin, end, one


def _short(number: float) -> str:
    return f"{number:.15g}"
