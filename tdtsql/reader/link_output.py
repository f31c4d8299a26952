"""Link detection output: one system's decisions on story pairs.

    # description
    <System> <Nf>
    <story id 1> <story id 2> <decision> <score>

Ids are stored as written, with or without ``FILE:``. Decisions are read in any
case (NIST's program counts lower case nowhere).

Code   Meaning
E240   no header of two fields
W241   a deferral period other than 1, 10 or 100, or none
E242   the deferral period is not a whole number
E243   a record without four fields
E244   a decision other than yes or no
E245   a score that is not a number, NaN included
W246   an infinite score
E247   a pair with two decisions

Source: The 2004 TDT evaluation plan, B.6; TDT3eval v2.6 as read.
"""

from array import array
from typing import NamedTuple

from tdtsql.errors import Problems, counted
from tdtsql.reader.decision import decisions_and_scores, looks_like_record, split_header, without_repeats
from tdtsql.reader.new_event_output import check_deferral
from tdtsql.reader.scan import by_line, check_fields, field_rows
from tdtsql.reader.text import fields_with_columns, is_readable, numbered_lines

_EXPECTED = "expected '<system> <deferral>'"


class LinkOutput(NamedTuple):
    """The header and R records of one output file, in the order of the file."""

    line: int | None  #: of the header
    system: str | None
    deferral: int | None
    description: str
    lines: array  #: R line numbers
    first_ids: list[str]
    second_ids: list[str]
    is_yes: list[bool]
    scores: list[float]  #: finite


def read_link_output(data: bytes, problems: Problems) -> LinkOutput:
    """Return the decisions of one link output file."""
    lines = list(numbered_lines(data, problems))
    description, position, line = split_header(lines)
    system: str | None = None
    deferral: int | None = None
    if line is not None:
        system, deferral, has_header = _header(line, lines[position][1], problems)
        position += has_header
    elif is_readable(problems):
        problems.add("E240", f"no header, {_EXPECTED}", "Begin the file with the header line.", 1, 1)

    found = Problems(problems.path)
    names, expected = ("first_id", "second_id", "decision", "score"), "two story ids, decision and score"
    rows = field_rows(lines[position:], names, found, "E243", expected)
    columns, lines_of = check_fields(rows, decisions_and_scores(237), found)
    by_line(found, problems)
    pairs = list(zip(columns["first_id"], columns["second_id"], strict=True))

    def report(row: int, earlier: int) -> None:
        problems.add(
            "E247",
            f"pair already has a decision on line {earlier}, expected one",
            "Remove one of the lines.",
            lines_of[row],
            1,
            " ".join(pairs[row]),
        )

    columns, lines_of = without_repeats(columns, lines_of, pairs, report)
    return LinkOutput(line, system, deferral, description, lines_of, *columns.values())


def _header(line: int, text: str, problems: Problems) -> tuple[str | None, int | None, bool]:
    fields = fields_with_columns(text.partition("#")[0])
    if len(fields) not in (1, 2):
        is_record = looks_like_record(text)
        what = "no header, the file begins with a record" if is_record else f"header has {counted(len(fields))}"
        problems.add(
            "E240",
            f"{what}, {_EXPECTED}",
            "Begin the file with the header line.",
            line,
            fields[-1][0] if fields else 1,
            text.strip(),
        )
        return None, None, not is_record
    if len(fields) == 1:
        problems.add(
            "W241",
            "header has no deferral period, expected 1, 10 or 100",
            "It is left empty.",
            line,
            fields[0][0],
            text.strip(),
        )
        return fields[0][1], None, True
    return fields[0][1], check_deferral(line, *fields[1], problems, error="E242", warning="W241"), True
