"""The records that tracking and new event output files share.

    <source file> <pointer> <decision> <score>

A record of a recid or time file holds from its pointer to the next record of
the same source file, so the pointers of a source file must rise and a source
file must be one block. A docno record is about that story only, in any order;
its source field is a placeholder.

``#`` begins a comment; blank lines and leading blanks are skipped. A score is
any number. An infinite one, or the largest double (which programs
write for it), becomes ±1.7976931348623157e308, with a warning, so that it
still outranks all others; the store has it as ±9e99, the limits of its scale.

The records follow a header line, which may follow comments that describe
the system:

    <system> <yes|no: were boundaries given> <parameter of the task> <recid|time|docno>

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
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from tdtsql.errors import Problems, counted, not_none
from tdtsql.reader import field
from tdtsql.reader.index import POINTER_TYPES
from tdtsql.reader.scan import KINDS, Fields, Kind, Rows, usual_words
from tdtsql.files.text import fields_with_columns, is_readable, numbered_lines


@dataclass(frozen=True, slots=True)
class Output:
    """Contents of an output file: its header, and R records as columns, without those with an error."""

    line: int | None  #: of the header
    description: str  #: the comments before the header
    lines: array  #: R line numbers
    sources: list[str]  #: R source file names, without directory and extension; of pairs the first ids
    pointers: list  #: R docnos (text), recids (whole numbers) or seconds; of pairs the second ids
    is_yes: list[bool]
    scores: list[float]  #: finite
    system: str | None = None
    has_boundaries: bool | None = None
    pointer_type: str | None = None
    nt: str | None = None  #: as written: 1, 2, 4, 8, 16, V, or the variant's number
    topic_id: str | None = None
    nt_variant: str | None = None  #: last two digits of a seven digit topic (variable Nt)
    deferral: int | None = None  #: source files that may be read before deciding


#: (line, its text, (column, text) of each field, problems) -> what the fields of a header say, by name
HeaderFields = Callable[[int, str, list[tuple[int, str]], Problems], dict[str, Any]]


def read_output(data: bytes, problems: Problems, *, header: str, first: int, task_fields: HeaderFields) -> Output:
    """Return the header and the records of an output file.

    Args:
        data: the file.
        problems: collects the problems of the file, see the module.
        header: the header's fields, for messages.
        first: the caller's first code number.
        task_fields: reads the fields between boundaries and pointer type.
    """
    code, n_field, read = f"E{first}", (len(header.split()),), partial(_fields, first, task_fields)
    line, description, head, lines = read_header(data, problems, code, header, n_field, read)
    records = read_records(lines, problems, pointer_type=head.get("pointer_type"), first=first)
    return Output(line, description, *records, **head)


def read_header(
    data: bytes, problems: Problems, code: str, header: str, n_field: Collection[int], read: HeaderFields
) -> tuple[int | None, str, dict[str, Any], list[tuple[int, str]]]:
    """Return line and description of a header, what it says, and the lines after it.

    Args:
        code: of a missing header.
        header, n_field: its fields, for messages, and how many they may be.
    """
    lines = list(numbered_lines(data, problems))
    description, position, line = split_header(lines)
    if line is None:
        if is_readable(problems):
            problems.add(code, f"no header, expected '{header}'", "Begin the file with the header line.", 1, 1)
        return line, description, {}, []
    text = lines[position][1]
    fields, is_record = fields_with_columns(text.partition("#")[0]), looks_like_record(text)
    if len(fields) in n_field and not is_record:
        return line, description, read(line, text, fields, problems), lines[position + 1 :]
    what = "no header, the file begins with a record" if is_record else f"header has {counted(len(fields))}"
    problems.add(
        code,
        f"{what}, expected '{header}'",
        "Begin the file with the header line.",
        line,
        fields[-1][0] if fields else 1,
        text.strip(),
    )
    return line, description, {}, lines[position + (not is_record) :]


def _fields(
    first: int, task_fields: HeaderFields, line: int, text: str, fields: list[tuple[int, str]], problems: Problems
) -> dict[str, Any]:
    (_, system), boundaries, *others, pointer = fields
    pointer_type: str | None = pointer[1].lower()
    has_boundaries = field.decision(boundaries[1])
    if has_boundaries is None:
        problems.add(
            f"E{first + 1}",
            "boundaries field is not known, expected yes or no",
            "Say whether story boundaries were given to the system.",
            line,
            boundaries[0],
            boundaries[1],
        )
    if pointer_type not in POINTER_TYPES:
        problems.add(
            f"E{first + 2}",
            "pointer type is not known, expected recid, time or docno",
            "Correct the header.",
            line,
            pointer[0],
            pointer[1],
        )
        pointer_type = None
    common = {"system": system, "has_boundaries": has_boundaries, "pointer_type": pointer_type}
    return common | task_fields(line, text, others, problems)


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
    """Return whether a line has the shape of a record, so that the header is missing."""
    fields = text.split()
    return len(fields) == 4 and field.decision(fields[2]) is not None and field.real(fields[3]) is not None


def decisions_and_scores(first: int) -> dict[str, Kind]:
    """Return the kinds of the last two fields of a record; their codes follow ``first``, see the module."""
    return {
        "decision": KINDS["decision"]._replace(
            read=field.decision,
            code=f"E{first + 7}",
            expected="yes or no",
            advice="Correct the decision.",
            usual=usual_words(field.YES_NO),
        ),
        "score": KINDS["score"]._replace(code=f"E{first + 8}", advice="Correct the score.", infinite=f"W{first + 9}"),
    }


def read_records(
    lines: Iterable[tuple[int, str]], problems: Problems, *, pointer_type: str | None, first: int
) -> tuple:
    """Return the columns ``lines`` to ``scores`` of ``Output``; pointers are not checked when ``pointer_type`` is None.

    Args:
        lines: (line, text) of the lines after the header.
        problems: collects the problems of the file, see the module.
        pointer_type: docno, recid, time, or None if the header does not have it.
        first: the caller's first code number.
    """
    kinds = decisions_and_scores(first)
    if pointer_type in ("recid", "time"):
        is_time = pointer_type == "time"
        wanted = "seconds of 0 or more" if is_time else "a record number from 1"
        quick = not_none(KINDS["score" if is_time else "whole"].usual)
        kinds["pointer"] = Kind(
            _seconds if is_time else _recid,
            f"E{first + 11}",
            f"pointer is not a valid position, expected {wanted} because the header says {pointer_type}",
            wanted,
            "Correct the pointer, or the pointer type of the header.",
            usual=lambda values: made if min(made := quick(values) or [-1]) >= (not is_time) else None,
        )
    form = Fields(
        ("source", "pointer", "decision", "score"),
        f"E{first + 6}",
        "source file, pointer, decision and score",
        kinds,
        ("pointer",) if pointer_type == "docno" else (),
        (f"E{first + 10}", "duplicate decision for the story, first on line {earlier}"),
    )
    columns, lines_of, rows = form.read(lines, problems)
    short = {source: field.source_name(source) for source in set(columns["source"])}
    sources = [short[source] for source in columns["source"]]
    pointers = columns["pointer"]
    if pointer_type in ("recid", "time"):
        _check_blocks(sources, pointers, lines_of, rows, problems, first)
    return lines_of, sources, pointers, columns["decision"], columns["score"]


def _recid(text: str) -> int | None:
    return field.natural(text) or None


def _seconds(text: str) -> float | None:
    seconds = field.real(text)
    return seconds if seconds is None or 0 <= seconds <= field.LARGEST_FINITE else None


def _check_blocks(sources: list[str], pointers: list, lines: array, rows: Rows, problems: Problems, first: int) -> None:
    """Report sources in two blocks and pointers that do not rise."""
    block_line: dict[str, int] = {}
    source, highest, highest_line = None, None, None
    for line, name, pointer in zip(lines, sources, pointers, strict=True):
        if name != source:
            source, highest, highest_line = name, pointer, line
            earlier = block_line.setdefault(name, line)
            if earlier != line:
                problems.add(
                    f"E{first + 13}",
                    f"source file already has a block that begins on line {earlier}, expected its records in one block",
                    "Write all records of a source file one after another.",
                    line,
                    1,
                    name,
                )
        elif pointer <= highest:
            problems.add(
                f"E{first + 12}",
                f"pointer does not rise, expected more than {highest:.15g} of line {highest_line}",
                "Sort the records of the source file by pointer.",
                line,
                rows.column_on(line, "pointer"),
                f"{pointer:.15g}",
            )
        else:
            highest, highest_line = pointer, line
