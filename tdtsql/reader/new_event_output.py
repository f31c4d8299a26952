"""New event (first story) detection output: one system's decisions on the stream.

    # description
    <System> <yes|no> <Nf> <recid|time|docno>
    <source file> <pointer> <decision> <score>

NIST's program refuses docno pointers here; they are accepted.

Code   Meaning
E220   no header of four fields
E221   the boundaries field is neither yes nor no
E222   a pointer type other than recid, time or docno
E223   the deferral period is not a whole number
W224   a deferral period other than 1, 10 or 100
E226   a record without four fields
E227   a decision other than yes or no
E228   a score that is not a number, NaN included
W229   an infinite score
E230   a story with two decisions
E231   a pointer that is not a position
E232   a pointer that is not greater than the one before it
E233   a source file in two blocks

Source: The 2004 TDT evaluation plan, B.5; TDT3eval v2.6 as read.
"""

from array import array
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader import field
from tdtsql.reader.decision import looks_like_record, read_records, split_header
from tdtsql.reader.index import POINTER_TYPES
from tdtsql.reader.text import fields_with_columns, is_readable, numbered_lines

DEFERRALS = (1, 10, 100)

_EXPECTED = "expected '<system> <yes|no> <deferral> <recid|time|docno>'"


class NewEventOutput(NamedTuple):
    """The header and R records of one output file; see ``decision`` for the columns."""

    line: int | None  #: of the header
    system: str | None
    has_boundaries: bool | None
    deferral: int | None  #: source files that may be read before deciding
    pointer_type: str | None
    description: str
    lines: array
    sources: list[str]
    pointers: list
    is_yes: list[bool]
    scores: list[float]


def read_new_event_output(data: bytes, problems: Problems) -> NewEventOutput:
    """Return the decisions of one new event output file."""
    lines = list(numbered_lines(data, problems))
    description, position, line = split_header(lines)
    head: dict[str, object] = {}
    if line is not None:
        head, has_header = _header(line, lines[position][1], problems)
        position += has_header
    elif is_readable(problems):
        problems.add("E220", f"no header, {_EXPECTED}", line=1, column=1, advice="Begin the file with the header line.")
    records = read_records(lines[position:], problems, pointer_type=head.get("pointer_type"), first=220)
    return NewEventOutput(line, head.get("system"), head.get("has_boundaries"), head.get("deferral"),
                          head.get("pointer_type"), description, *records)


def check_deferral(line: int, column: int, text: str, problems: Problems, *, error: str, warning: str) -> int | None:
    """Return the deferral period; report ``error`` for no number and ``warning`` for an unusual one."""
    number = field.natural(text)
    if number is None:
        problems.add(error, "deferral period is not a whole number, expected 1, 10 or 100", line=line, column=column,
                     value=text, advice="Correct the header.")
    elif number not in DEFERRALS:
        problems.add(warning, "deferral period is unusual, expected 1, 10 or 100", line=line, column=column,
                     value=text, advice="It is kept as written.")
    return number


def _header(line: int, text: str, problems: Problems) -> tuple[dict[str, object], bool]:
    fields = fields_with_columns(text.partition("#")[0])
    is_record = looks_like_record(text)
    if len(fields) != 4 or is_record:
        what = "no header, the file begins with a record" if is_record else f"header has {field.counted(len(fields))}"
        problems.add("E220", f"{what}, {_EXPECTED}", line=line, column=fields[-1][0] if fields else 1,
                     value=text.strip(), advice="Begin the file with the header line.")
        return {}, not is_record
    (_, system), boundaries, deferral, pointer = fields
    pointer_type: str | None = pointer[1].lower()
    has_boundaries = field.decision(boundaries[1])
    if has_boundaries is None:
        problems.add("E221", "boundaries field is not known, expected yes or no", line=line, column=boundaries[0],
                     value=boundaries[1], advice="Say whether story boundaries were given to the system.")
    if pointer_type not in POINTER_TYPES:
        problems.add("E222", "pointer type is not known, expected recid, time or docno", line=line,
                     column=pointer[0], value=pointer[1], advice="Correct the header.")
        pointer_type = None
    return {"system": system, "has_boundaries": has_boundaries, "pointer_type": pointer_type,
            "deferral": check_deferral(line, *deferral, problems, error="E223", warning="W224")}, True
