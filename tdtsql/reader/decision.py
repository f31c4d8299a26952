"""The records that tracking and new event output files share.

    <source file> <pointer> <decision> <score>

A record of a recid or time file holds from its pointer to the next record of
the same source file, so the pointers of a source file must rise and a source
file must be one block. A docno record is about that story only, in any order;
its source field is a placeholder.

``#`` begins a comment, blank lines and leading blanks are skipped. A score is
any number; an infinite one, or the largest that a double holds (which programs
write for it), comes out as ±1.7976931348623157e308, with a warning, so that it
still outranks all others; the store keeps it as ±9e99, the ends of its scale.

The records follow a header line, which may follow comments that describe
the system:

    <system> <yes|no: were boundaries given> <what the task needs> <recid|time|docno>

Codes are given by the callers, ``first`` being E200 or E220:

first      no header of that many fields
first+1    the boundaries field is neither yes nor no
first+2    a pointer type other than recid, time or docno
first+6    a record without four fields
first+7    a decision other than yes or no
first+8    a score that is not a number, NaN included
first+9    (W) an infinite score
first+10   a story with two decisions
first+11   a pointer that is not a position
first+12   a pointer that is not greater than the one before it
first+13   a source file in two blocks
"""

from array import array
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from tdtsql.errors import Problems, counted
from tdtsql.reader import field
from tdtsql.reader.index import POINTER_TYPES
from tdtsql.reader.text import fields_with_columns, is_readable, numbered_lines


class Records(NamedTuple):
    """R records as columns; a record with an error is left out of all of them."""

    lines: array  #: R line numbers
    sources: list[str]  #: R source file names, without directory and extension
    pointers: list  #: R docnos (text), recids (whole numbers) or seconds
    is_yes: list[bool]
    scores: list[float]  #: finite


class Output(NamedTuple):
    """An output file: its header line, what that says by name, the description before it, and the records."""

    line: int | None
    head: dict[str, Any]
    description: str
    records: Records


#: (line, (column, text) of each field that only this task has, problems) -> what they say, by name
TaskFields = Callable[[int, list[tuple[int, str]], Problems], dict[str, Any]]


def read_output(data: bytes, problems: Problems, *, header: str, first: int, task_fields: TaskFields) -> Output:
    """Return the header and the records of an output file.

    Args:
        data: the file.
        problems: takes what is wrong, see the module.
        header: the header's fields as a user would write them.
        first: the caller's first code number.
        task_fields: reads the fields between boundaries and pointer type.
    """
    lines = list(numbered_lines(data, problems))
    description, position, line = split_header(lines)
    head: dict[str, Any] = {}
    if line is not None:
        head, has_header = _header(line, lines[position][1], problems, header, first, task_fields)
        position += has_header
    elif is_readable(problems):
        problems.add(
            f"E{first}",
            f"no header, expected '{header}'",
            line=1,
            column=1,
            advice="Begin the file with the header line.",
        )
    records = read_records(lines[position:], problems, pointer_type=head.get("pointer_type"), first=first)
    return Output(line, head, description, records)


def _header(
    line: int, text: str, problems: Problems, header: str, first: int, task_fields: TaskFields
) -> tuple[dict[str, Any], bool]:
    """Return what a header line says, and whether it is one (a record is read as a record)."""
    fields = fields_with_columns(text.partition("#")[0])
    is_record = looks_like_record(text)
    if len(fields) != len(header.split()) or is_record:
        what = "no header, the file begins with a record" if is_record else f"header has {counted(len(fields))}"
        problems.add(
            f"E{first}",
            f"{what}, expected '{header}'",
            line=line,
            column=fields[-1][0] if fields else 1,
            value=text.strip(),
            advice="Begin the file with the header line.",
        )
        return {}, not is_record
    (_, system), boundaries, *others, pointer = fields
    pointer_type: str | None = pointer[1].lower()
    has_boundaries = field.decision(boundaries[1])
    if has_boundaries is None:
        problems.add(
            f"E{first + 1}",
            "boundaries field is not known, expected yes or no",
            line=line,
            column=boundaries[0],
            value=boundaries[1],
            advice="Say whether story boundaries were given to the system.",
        )
    if pointer_type not in POINTER_TYPES:
        problems.add(
            f"E{first + 2}",
            "pointer type is not known, expected recid, time or docno",
            line=line,
            column=pointer[0],
            value=pointer[1],
            advice="Correct the header.",
        )
        pointer_type = None
    return {"system": system, "has_boundaries": has_boundaries, "pointer_type": pointer_type} | task_fields(
        line, others, problems
    ), True


def split_header(lines: list[tuple[int, str]]) -> tuple[str, int, int | None]:
    """Return (description, position, line) of the header: the first line that is not a comment.

    The description is the text of the comment lines before it; the line is None
    without a header.
    """
    description: list[str] = []
    for position, (line, text) in enumerate(lines):
        stripped = text.strip()
        if stripped.startswith("#"):
            description.append(stripped[1:].strip())
        elif stripped:
            return "\n".join(description), position, line
    return "\n".join(description), len(lines), None


def looks_like_record(text: str) -> bool:
    """Return whether a line has the shape of a record, so that the header is what is missing."""
    fields = text.split()
    return len(fields) == 4 and field.decision(fields[2]) is not None and field.real(fields[3]) is not None


def read_records(lines: list[tuple[int, str]], problems: Problems, *, pointer_type: str | None, first: int) -> Records:
    """Return the records in ``lines``; pointers are not checked when ``pointer_type`` is None.

    Args:
        lines: (line, text) of the lines after the header.
        problems: takes what is wrong, see the module.
        pointer_type: docno, recid, time, or None when the header did not say.
        first: the caller's first code number.
    """
    numbers = array("q")
    sources: list[str] = []
    pointers: list = []
    is_yes: list[bool] = []
    scores: list[float] = []
    words = dict(field.YES_NO)
    names: dict[str, str] = {}
    largest = field.LARGEST_FINITE

    for line, text in lines:
        fields = text.split()
        if "#" in text:
            fields = text.partition("#")[0].split()
        if len(fields) == 4:
            source, pointer, word, number = fields
            yes = words.get(word)
            if yes is not None and (number.isascii() and "_" not in number):
                try:
                    score = float(number)
                except ValueError:
                    score = math.nan
                # a chained comparison is false for NaN and for infinity
                if -largest < score < largest:
                    position: str | float | None = pointer
                    if pointer_type == "recid" or pointer_type == "time":
                        position = _position(pointer, pointer_type)
                        if position is None:
                            _wrong_pointer(line, text, pointer_type, problems, first)
                            continue
                    name = names.get(source)
                    if name is None:
                        name = names[source] = field.source_name(source)
                    numbers.append(line)
                    sources.append(name)
                    pointers.append(position)
                    is_yes.append(yes)
                    scores.append(score)
                    continue
        elif not fields:
            continue
        # the slow way: something is unusual about this line
        record = _unusual(line, text, fields, pointer_type, problems, first)
        if record is not None:
            numbers.append(line)
            sources.append(record[0])
            pointers.append(record[1])
            is_yes.append(record[2])
            scores.append(record[3])

    records = Records(numbers, sources, pointers, is_yes, scores)
    if pointer_type == "docno":
        return _without_repeats(records, problems, first, lines)
    if pointer_type in ("recid", "time"):
        _check_blocks(records, problems, first, lines)
    return records


def _position(text: str, pointer_type: str) -> float | int | None:
    if pointer_type == "recid":
        recid = field.natural(text)
        return recid if recid is None or recid >= 1 else None
    seconds = field.real(text)
    return seconds if seconds is None or 0 <= seconds <= field.LARGEST_FINITE else None


def _wrong_pointer(line: int, text: str, pointer_type: str, problems: Problems, first: int) -> None:
    column, pointer = fields_with_columns(text)[1]
    expected = "a record number from 1" if pointer_type == "recid" else "seconds of 0 or more"
    problems.add(
        f"E{first + 11}",
        f"pointer is not a valid position, expected {expected} because the header says {pointer_type}",
        line=line,
        column=column,
        value=pointer,
        advice="Correct the pointer, or the pointer type of the header.",
    )


def _unusual(line: int, text: str, fields: list[str], pointer_type: str | None, problems: Problems, first: int):
    content = text.partition("#")[0]
    placed = fields_with_columns(content)
    if len(fields) != 4:
        column, value = placed[4] if len(fields) > 4 else placed[-1]
        problems.add(
            f"E{first + 6}",
            f"{counted(len(fields))}, expected source file, pointer, decision and score",
            line=line,
            column=column,
            value=value,
            advice="Correct the line.",
        )
        return None
    yes, score = field.decision(fields[2]), field.real(fields[3])
    if yes is None:
        problems.add(
            f"E{first + 7}",
            "invalid decision, expected yes or no",
            line=line,
            column=placed[2][0],
            value=fields[2],
            advice="Correct the decision.",
        )
    if score is None:
        problems.add(
            f"E{first + 8}",
            "score is not a finite number",
            line=line,
            column=placed[3][0],
            value=fields[3],
            advice="Correct the score.",
        )
    elif abs(score) >= field.LARGEST_FINITE:
        problems.add(
            f"W{first + 9}",
            "score is infinite, expected a finite number",
            line=line,
            column=placed[3][0],
            value=fields[3],
            advice="It is stored as 9e99 or -9e99, the ends of the scale.",
        )
        score = field.clamped(score)
    pointer: str | float | None = fields[1]
    if pointer_type == "recid" or pointer_type == "time":
        pointer = _position(fields[1], pointer_type)
        if pointer is None:
            _wrong_pointer(line, text, pointer_type, problems, first)
    if yes is None or score is None or pointer is None:
        return None
    return field.source_name(fields[0]), pointer, yes, score


def _without_repeats(records: Records, problems: Problems, first: int, lines: list[tuple[int, str]]) -> Records:
    """Report stories with two decisions, and keep the first of them."""
    if len(set(records.pointers)) == len(records.pointers):
        return records
    text_of = dict(lines)
    first_line: dict[str, int] = {}
    kept = []
    for position, (line, docno) in enumerate(zip(records.lines, records.pointers, strict=True)):
        earlier = first_line.setdefault(docno, line)
        if earlier == line:
            kept.append(position)
            continue
        problems.add(
            f"E{first + 10}",
            f"duplicate decision for the story, first on line {earlier}",
            line=line,
            column=fields_with_columns(text_of[line])[1][0],
            value=docno,
            advice="Remove one of the lines.",
        )
    return Records(
        array("q", (records.lines[place] for place in kept)),
        [records.sources[place] for place in kept],
        [records.pointers[place] for place in kept],
        [records.is_yes[place] for place in kept],
        [records.scores[place] for place in kept],
    )


def _check_blocks(records: Records, problems: Problems, first: int, lines: list[tuple[int, str]]) -> None:
    """Report sources in two blocks and pointers that do not rise."""
    text_of: dict[int, str] | None = None
    block_line: dict[str, int] = {}
    source, highest, highest_line = None, None, None
    for line, name, pointer in zip(records.lines, records.sources, records.pointers, strict=True):
        if name != source:
            source, highest = name, pointer
            highest_line = line
            earlier = block_line.setdefault(name, line)
            if earlier != line:
                problems.add(
                    f"E{first + 13}",
                    f"source file already has a block that begins on line {earlier}, expected its records in one block",
                    line=line,
                    column=1,
                    value=name,
                    advice="Write all records of a source file one after another.",
                )
        elif pointer <= highest:
            text_of = text_of if text_of is not None else dict(lines)
            problems.add(
                f"E{first + 12}",
                f"pointer does not rise, expected more than {highest:.15g} of line {highest_line}",
                line=line,
                column=fields_with_columns(text_of[line])[1][0],
                value=f"{pointer:.15g}",
                advice="Sort the records of the source file by pointer.",
            )
        else:
            highest, highest_line = pointer, line
