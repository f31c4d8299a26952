"""Tracking system output: the decisions of one system on one topic.

    # description
    <System> <yes|no> <Nt> <Topic> <recid|time|docno>
    <source file> <pointer> <decision> <score>

Code   Meaning
E200   no header of five fields
E201   the boundaries field is neither yes nor no
E202   a pointer type other than recid, time or docno
E203   Nt is not a number, or V
W204   Nt other than 1, 2, 4, 8, 16 or V
E205   the topic is not a number
E206   a record without four fields
E207   a decision other than yes or no
E208   a score that is not a number, NaN included
W209   an infinite score
E210   a story with two decisions
E211   a pointer that is not a position
E212   a pointer that is not greater than the one before it
E213   a source file in two blocks

Source: The 2004 TDT evaluation plan, B.3; TDT3eval v2.6 as read.
"""

from array import array
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader import field
from tdtsql.reader.control import NT_VALUES
from tdtsql.reader.decision import looks_like_record, read_records, split_header
from tdtsql.reader.index import POINTER_TYPES
from tdtsql.reader.text import fields_with_columns, is_readable, numbered_lines

_EXPECTED = "expected '<system> <yes|no> <Nt> <topic> <recid|time|docno>'"


class TrackingOutput(NamedTuple):
    """The header and R records of one output file; see ``decision`` for the columns."""

    line: int | None  #: of the header
    system: str | None
    has_boundaries: bool | None
    nt: str | None  #: as written: 1, 2, 4, 8, 16, V, or the variant's number
    topic_id: str | None
    nt_variant: str | None  #: last two digits of a seven digit topic (variable Nt)
    pointer_type: str | None
    description: str
    lines: array
    sources: list[str]
    pointers: list
    is_yes: list[bool]
    scores: list[float]


def read_tracking_output(data: bytes, problems: Problems) -> TrackingOutput:
    """Return the decisions of one tracking output file."""
    lines = list(numbered_lines(data, problems))
    description, position, line = split_header(lines)
    head: dict[str, object] = {}
    if line is not None:
        head, has_header = _header(line, lines[position][1], problems)
        position += has_header
    elif is_readable(problems):
        problems.add("E200", f"no header, {_EXPECTED}", line=1, column=1, advice="Begin the file with the header line.")
    records = read_records(lines[position:], problems, pointer_type=head.get("pointer_type"), first=200)
    return TrackingOutput(line, head.get("system"), head.get("has_boundaries"), head.get("nt"), head.get("topic_id"),
                          head.get("nt_variant"), head.get("pointer_type"), description, *records)


def _header(line: int, text: str, problems: Problems) -> tuple[dict[str, object], bool]:
    fields = fields_with_columns(text.partition("#")[0])
    if len(fields) != 5:
        is_record = looks_like_record(text)
        what = "no header, the file begins with a record" if is_record else f"header has {field.counted(len(fields))}"
        problems.add("E200", f"{what}, {_EXPECTED}", line=line, column=fields[-1][0] if fields else 1,
                     value=text.strip(), advice="Begin the file with the header line.")
        return {}, not is_record
    (_, system), boundaries, nt, topic, pointer = fields
    pointer_type: str | None = pointer[1].lower()
    has_boundaries = field.decision(boundaries[1])
    if has_boundaries is None:
        problems.add("E201", "boundaries field is not known, expected yes or no", line=line, column=boundaries[0],
                     value=boundaries[1], advice="Say whether story boundaries were given to the system.")
    if pointer_type not in POINTER_TYPES:
        problems.add("E202", "pointer type is not known, expected recid, time or docno", line=line,
                     column=pointer[0], value=pointer[1], advice="Correct the header.")
        pointer_type = None
    number = field.natural(nt[1])
    topic_id = variant = None
    if field.natural(topic[1]) is None:
        problems.add("E205", "topic is not a number, expected a topic id such as 55001", line=line,
                     column=topic[0], value=topic[1], advice="Correct the header.")
    else:
        bits = f"{number:02d}" if number is not None else None
        topic_id, variant = field.split_topic(topic[1], training_bits=bits)
    if number is None and nt[1].upper() != "V":
        problems.add("E203", "Nt is not a number of training stories, expected 1, 2, 4, 8, 16 or V", line=line,
                     column=nt[0], value=nt[1], advice="Correct the header.")
    elif variant is None and nt[1].upper() not in NT_VALUES:
        problems.add("W204", "Nt is unusual, expected 1, 2, 4, 8, 16 or V", line=line, column=nt[0], value=nt[1],
                     advice="It is kept as written.")
    return {"system": system, "has_boundaries": has_boundaries, "nt": nt[1].upper(), "topic_id": topic_id,
            "nt_variant": variant, "pointer_type": pointer_type}, True
