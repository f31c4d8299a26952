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
from tdtsql.reader import field
from tdtsql.reader.decision import looks_like_record, split_header
from tdtsql.reader.new_event_output import check_deferral
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
        problems.add("E240", f"no header, {_EXPECTED}", line=1, column=1, advice="Begin the file with the header line.")

    output = LinkOutput(line, system, deferral, description, array("q"), [], [], [], [])
    largest = field.LARGEST_FINITE
    for number, text in lines[position:]:
        content = text.partition("#")[0] if "#" in text else text
        fields = content.split()
        if not fields:
            continue
        if len(fields) == 4 and (yes := field.YES_NO.get(fields[2])) is not None:
            score = field.real(fields[3])
            if score is not None and -largest < score < largest:
                output.lines.append(number)
                output.first_ids.append(fields[0])
                output.second_ids.append(fields[1])
                output.is_yes.append(yes)
                output.scores.append(score)
                continue
        _unusual(output, number, content, fields, problems)
    return _without_repeats(output, problems)


def _header(line: int, text: str, problems: Problems) -> tuple[str | None, int | None, bool]:
    fields = fields_with_columns(text.partition("#")[0])
    if len(fields) not in (1, 2):
        is_record = looks_like_record(text)
        what = "no header, the file begins with a record" if is_record else f"header has {counted(len(fields))}"
        problems.add(
            "E240",
            f"{what}, {_EXPECTED}",
            line=line,
            column=fields[-1][0] if fields else 1,
            value=text.strip(),
            advice="Begin the file with the header line.",
        )
        return None, None, not is_record
    if len(fields) == 1:
        problems.add(
            "W241",
            "header has no deferral period, expected 1, 10 or 100",
            line=line,
            column=fields[0][0],
            value=text.strip(),
            advice="It is left empty.",
        )
        return fields[0][1], None, True
    return fields[0][1], check_deferral(line, *fields[1], problems, error="E242", warning="W241"), True


def _unusual(output: LinkOutput, line: int, content: str, fields: list[str], problems: Problems) -> None:
    placed = fields_with_columns(content)
    if len(fields) != 4:
        column, value = placed[4] if len(fields) > 4 else placed[-1]
        problems.add(
            "E243",
            f"{counted(len(fields))}, expected two story ids, decision and score",
            line=line,
            column=column,
            value=value,
            advice="Correct the line.",
        )
        return
    yes, score = field.decision(fields[2]), field.real(fields[3])
    if yes is None:
        problems.add(
            "E244",
            "invalid decision, expected yes or no",
            line=line,
            column=placed[2][0],
            value=fields[2],
            advice="Correct the decision.",
        )
    if score is None:
        problems.add(
            "E245",
            "score is not a finite number",
            line=line,
            column=placed[3][0],
            value=fields[3],
            advice="Correct the score.",
        )
        return
    if abs(score) >= field.LARGEST_FINITE:
        problems.add(
            "W246",
            "score is infinite, expected a finite number",
            line=line,
            column=placed[3][0],
            value=fields[3],
            advice="It is stored as 9e99 or -9e99, the ends of the scale.",
        )
    if yes is not None:
        output.lines.append(line)
        output.first_ids.append(fields[0])
        output.second_ids.append(fields[1])
        output.is_yes.append(yes)
        output.scores.append(field.clamped(score))


def _without_repeats(output: LinkOutput, problems: Problems) -> LinkOutput:
    """Report pairs with two decisions, and keep the first of them."""
    if len(set(zip(output.first_ids, output.second_ids, strict=True))) == len(output.lines):
        return output
    first_line: dict[tuple[str, str], int] = {}
    kept = []
    for position, (line, *pair) in enumerate(zip(output.lines, output.first_ids, output.second_ids, strict=True)):
        earlier = first_line.setdefault((pair[0], pair[1]), line)
        if earlier == line:
            kept.append(position)
        else:
            problems.add(
                "E247",
                f"pair already has a decision on line {earlier}, expected one",
                line=line,
                column=1,
                value=" ".join(pair),
                advice="Remove one of the lines.",
            )
    return output._replace(
        lines=array("q", (output.lines[p] for p in kept)),
        first_ids=[output.first_ids[p] for p in kept],
        second_ids=[output.second_ids[p] for p in kept],
        is_yes=[output.is_yes[p] for p in kept],
        scores=[output.scores[p] for p in kept],
    )
