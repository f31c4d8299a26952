"""What the readers of TREC's blank-separated files share.

The files are long (two million lines), so they are read whole, split once and
stored as columns. Defects are collected per kind and reported with every location,
up to a limit that keeps a wholly wrong file from filling the memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tdtsql.errors import Problems
from tdtsql.reader.text import fields_with_columns, numbered_lines, without_comments

#: places reported one by one for each kind of defect of one file; the rest are counted
MOST_PLACES = 1000


@dataclass(slots=True)
class Defect:
    """One kind of defect, with all its places in a file."""

    code: str
    message: str
    advice: str
    places: list[tuple[int, int | None, str | None]] = field(default_factory=list)  #: line, column, value
    n_more: int = 0

    def at(self, line: int, column: int | None = None, value: object = None) -> None:
        if len(self.places) < MOST_PLACES:
            self.places.append((line, column, None if value is None else str(value)))
        else:
            self.n_more += 1

    def report(self, problems: Problems) -> None:
        for line, column, value in self.places:
            problems.add(self.code, self.message, self.advice, line, column, value)
        if self.n_more:
            problems.add(self.code, f"{self.message}: {self.n_more} more such lines", self.advice)


def lines_of(data: bytes, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text) of every line but comments (``#``)."""
    return without_comments(numbered_lines(data, problems), problems)


def column_of(text: str, index: int) -> int:
    """Return the column (from 1) where field ``index`` of a line starts, or the line's end if it has fewer."""
    fields = fields_with_columns(text)
    return fields[index][0] if index < len(fields) else len(text.rstrip()) + 1
