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

from tdtsql.errors import Problems
from tdtsql.reader.decision import Output, decisions_and_scores, is_odd_header, split_header
from tdtsql.reader.new_event_output import check_deferral
from tdtsql.reader.scan import Fields
from tdtsql.reader.text import fields_with_columns, is_readable, numbered_lines

_HEADER = "<system> <deferral>"


def read_link_output(data: bytes, problems: Problems) -> Output:
    """Return the decisions of one link output file."""
    lines = list(numbered_lines(data, problems))
    description, position, line = split_header(lines)
    system: str | None = None
    deferral: int | None = None
    if line is not None:
        system, deferral, has_header = _header(line, lines[position][1], problems)
        position += has_header
    elif is_readable(problems):
        problems.add("E240", f"no header, expected '{_HEADER}'", "Begin the file with the header line.", 1, 1)

    columns, lines_of, _ = _RECORDS.read(lines[position:], problems)
    first_ids, second_ids, is_yes, scores = columns.values()
    return Output(line, description, lines_of, first_ids, second_ids, is_yes, scores, system, deferral=deferral)


_RECORDS = Fields(
    ("first_id", "second_id", "decision", "score"),
    "E243",
    "two story ids, decision and score",
    decisions_and_scores(237),
    ("first_id", "second_id"),
    ("E247", "pair already has a decision on line {earlier}, expected one"),
)


def _header(line: int, text: str, problems: Problems) -> tuple[str | None, int | None, bool]:
    fields = fields_with_columns(text.partition("#")[0])
    if len(fields) not in (1, 2):
        return None, None, is_odd_header(line, text, fields, "E240", _HEADER, problems)
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
