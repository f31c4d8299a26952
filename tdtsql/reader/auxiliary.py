"""The auxiliary information index: source, language and date of every source file.

    <Filename> <Source> <Language> <DateStamp>

The plan writes the date stamp as two fields (``19980612 12:30:14``, quoted or
not); NIST's program writes one (``20030401_0000``). ``#`` begins a comment.

Code   Meaning
E120   a line without four fields (five with the time apart)
E121   a date stamp that is not a valid date
E122   a duplicate source file with different data
W123   a language other than English, Mandarin or Arabic

Source: The 2004 TDT evaluation plan, table B1.
"""

from typing import NamedTuple

from tdtsql.errors import Problems, counted
from tdtsql.reader import field
from tdtsql.files.text import fields_with_columns, numbered_lines

LANGUAGES = ("ENGLISH", "MANDARIN", "ARABIC")


class SourceInfo(NamedTuple):
    """What is known about one source file."""

    line: int
    source_file: str  #: without directory and extension
    source: str
    language: str  #: upper case
    date: str  #: YYYY-MM-DD HH:MM:SS, when collection began


def read_auxiliary(data: bytes, problems: Problems) -> list[SourceInfo]:
    """Return one row per source file, in the order of the file."""
    rows: list[SourceInfo] = []
    known: dict[str, SourceInfo] = {}
    for line, text in numbered_lines(data, problems):
        fields = fields_with_columns(text.partition("#")[0])
        if not fields:
            continue
        if len(fields) not in (4, 5):
            problems.add(
                "E120",
                f"{counted(len(fields))}, expected file name, source, language and date stamp",
                "Complete the line.",
                line,
                fields[-1][0],
                text.strip(),
            )
            continue
        name, source, language = (word for _, word in fields[:3])
        stamp = " ".join(word for _, word in fields[3:]).strip("\"'“”")
        date = field.timestamp(stamp)
        if date is None:
            problems.add(
                "E121",
                "not a date stamp, expected YYYYMMDD HH:MM:SS or YYYYMMDD_HHMM",
                "Correct the date.",
                line,
                fields[3][0],
                stamp,
            )
            continue
        if language.upper() not in LANGUAGES:
            problems.add(
                "W123",
                "language is not one of the TDT corpora, expected ENGLISH, MANDARIN or ARABIC",
                "It is stored unchanged.",
                line,
                fields[2][0],
                language,
            )
        row = SourceInfo(line, field.source_name(name), source, language.upper(), date)
        earlier = known.setdefault(row.source_file, row)
        if earlier is row:
            rows.append(row)
        elif earlier[1:] != row[1:]:
            problems.add(
                "E122",
                f"source file is described otherwise on line {earlier.line}",
                "Keep one of the two lines.",
                line,
                fields[0][0],
                name,
            )
    return rows
