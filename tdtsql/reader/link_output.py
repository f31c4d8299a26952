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
from tdtsql.reader.decision import Output, decisions_and_scores, read_header
from tdtsql.reader.new_event_output import check_deferral
from tdtsql.reader.scan import Fields


def read_link_output(data: bytes, problems: Problems) -> Output:
    """Return the decisions of one link output file."""
    line, description, head, lines = read_header(data, problems, "E240", "<system> <deferral>", (1, 2), _fields)
    columns, lines_of, _ = _RECORDS.read(lines, problems)
    first_ids, second_ids, is_yes, scores = columns.values()
    return Output(line, description, lines_of, first_ids, second_ids, is_yes, scores, **head)


_RECORDS = Fields(
    ("first_id", "second_id", "decision", "score"),
    "E243",
    "two story ids, decision and score",
    decisions_and_scores(237),
    ("first_id", "second_id"),
    ("E247", "pair already has a decision on line {earlier}, expected one"),
)


def _fields(line: int, text: str, fields: list[tuple[int, str]], problems: Problems) -> dict[str, object]:
    (column, system), *deferral = fields
    if not deferral:
        problems.add(
            "W241",
            "header has no deferral period, expected 1, 10 or 100",
            "It is left empty.",
            line,
            column,
            text.strip(),
        )
        return {"system": system}
    return {"system": system, "deferral": check_deferral(line, *deferral[0], problems, error="E242", warning="W241")}
