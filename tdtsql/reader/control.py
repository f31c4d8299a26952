"""NIST experiment control files, and plain lists of index files.

    # <SourceType> <TrainLang> <TestLang> <Nt>
    <topic tracking index file>

Code   Meaning
E140   no header: the first line is not ``#`` and four fields
E141   Nt other than 1, 2, 4, 8, 16 or V
W142   a language other than eng, man, arb, mul
E143   a line with more than one file name
E144   a duplicate index file
E145   no index file at all

Source: The 2004 TDT evaluation plan, B.3; BuildIndex of TDT3eval v2.6 as read.
"""

import re
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.scan import Fields
from tdtsql.files.text import fields_with_columns, numbered_lines

NT_VALUES = ("1", "2", "4", "8", "16", "V")

_LANGUAGES = frozenset({"eng", "man", "arb", "mul", "nat"})


class Control(NamedTuple):
    """The condition of an experiment control file, and its index files."""

    training_language: str | None
    nt: str | None  #: 1, 2, 4, 8, 16 or V (variable)
    index_files: list[tuple[int, str]]  #: (line, name as written)


def read_control(data: bytes, problems: Problems) -> Control:
    """Return the header fields and the index files of a control file."""
    lines = list(numbered_lines(data, problems))
    content = [number for number, (_, text) in enumerate(lines) if text.strip()]
    if not content:
        return Control(None, None, [])
    line, text = lines[content[0]]
    header = fields_with_columns(text.replace("#", " ", 1)) if text.lstrip().startswith("#") else []
    if len(header) != 4:
        problems.add(
            "E140",
            "no header, expected '# <source type> <training language> <test language> <Nt>'",
            "Begin the file with the header line.",
            line,
            1,
            text.strip(),
        )
        rest = lines[content[0] + 1 :] if text.lstrip().startswith("#") else lines
        return Control(None, None, _names(rest, problems))
    _, training, _, nt = (word for _, word in header)
    if nt.upper() not in NT_VALUES:
        problems.add(
            "E141",
            "Nt is not a number of training stories, expected 1, 2, 4, 8, 16 or V",
            "Correct the header.",
            line,
            header[3][0],
            nt,
        )
    for column, word in header[1:3]:
        if not all(part in _LANGUAGES for part in re.split("[,.+]", word.lower())):
            problems.add(
                "W142",
                "language is not known, expected eng, man, arb or mul (with ,nat or ,eng)",
                "It is stored unchanged.",
                line,
                column,
                word,
            )
    nt_value = nt.upper() if nt.upper() in NT_VALUES else None
    return Control(training, nt_value, _names(lines[content[0] + 1 :], problems))


def read_index_list(data: bytes, problems: Problems) -> list[tuple[int, str]]:
    """Return (line, name) of every index file in a list with one name per line."""
    lines = list(numbered_lines(data, problems))
    return _names(lines, problems) if lines else []


_LIST = Fields(
    ("name",),
    "E143",
    "one file name per line",
    key=("name",),
    repeated=("E144", "index file is already on line {earlier}, expected every file once"),
    advice="Give every index file its own line.",
)


def _names(lines: list[tuple[int, str]], problems: Problems) -> list[tuple[int, str]]:
    columns, numbers, _ = _LIST.read(lines, problems)
    if not numbers and not problems.errors:
        problems.add("E145", "no index file is named, expected one file name per line", "Add the index files.", 1, 1)
    return list(zip(numbers, columns["name"], strict=True))
