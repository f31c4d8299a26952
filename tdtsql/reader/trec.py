"""What the readers of TREC's blank-separated files share; at most 1000 problems of one kind are reported for a file."""

from collections.abc import Iterator
from functools import partial

from tdtsql.errors import Problems
from tdtsql.reader.scan import Fields
from tdtsql.files.text import fields_with_columns, numbered_lines, without_comments

#: places reported one by one for each kind of defect of one file; the rest are counted
MOST_PLACES = 1000


def lines_of(data: bytes, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text) of every line but comments (``#``)."""
    return without_comments(numbered_lines(data, problems), problems)


def _end(text: str, width: int) -> tuple[int, str]:
    """Return the column of the first field too many, or of the line's end, and the line."""
    fields = fields_with_columns(text)
    return fields[width][0] if width < len(fields) else len(text.rstrip()) + 1, text.strip()


#: a format of TREC
trec_fields = partial(Fields, advice="Fix the line.", comment="", most=MOST_PLACES, at=_end)
