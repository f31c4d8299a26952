"""What the readers of TREC's blank-separated files share; at most 1000 problems of one kind are reported for a file."""

from collections.abc import Iterable, Iterator, Sequence

from tdtsql.errors import Problems
from tdtsql.reader.scan import Rows, field_rows
from tdtsql.reader.text import fields_with_columns, numbered_lines, without_comments

#: places reported one by one for each kind of defect of one file; the rest are counted
MOST_PLACES = 1000


def lines_of(data: bytes, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text) of every line but comments (``#``)."""
    return without_comments(numbered_lines(data, problems), problems)


def trec_rows(
    lines: Iterable[tuple[int, str]], names: Sequence[str], problems: Problems, code: str, expected: str
) -> Rows:
    """Return the fields of lines as columns; ``code`` is that of a line with another number of fields."""
    found = Problems(problems.path)
    rows = field_rows(
        lines, names, found, code, expected, comment="", most=MOST_PLACES, advice="Fix the line.", at=_end
    )
    problems.found += found.found  # after those of the lines as a whole
    return rows


def _end(text: str, width: int) -> tuple[int, str]:
    """Return the column of the first field too many, or of the line's end, and the line."""
    fields = fields_with_columns(text)
    return fields[width][0] if width < len(fields) else len(text.rstrip()) + 1, text.strip()
