"""Records of CSV and TSV files that have quotes; all other lines are split by the engine.

CSV follows RFC 4180, broken quotes are errors (E300). TSV is the same with tabs, except that a quote inside a field
that does not begin with one is a character like any other.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tdtsql.errors import Problems

_CLOSING = re.compile(r'[^"]*+(?:""[^"]*+)*"(?!")')


class Record(NamedTuple):
    """One row that has a quote."""

    line: int  #: where it begins
    last: int  #: where it ends
    fields: list[str]
    starts: list[tuple[int, int]]  #: (lines after the first, column from 1) of each field


class Broken(NamedTuple):
    """A quote that cannot be read."""

    what: str
    line: int
    column: int
    value: str


def records(
    quoted: Iterable[tuple[int, str]], last: int, between: Callable[[int], str], delimiter: str, problems: Problems
) -> Iterator[Record]:
    """Yield the records that have quotes; a row with a broken one is left out.

    Args:
        quoted: (line, text) of the lines with a quote, in order.
        last: the last of these lines.
        between: the text of any line up to ``last``.
    """
    done = 0
    for line, text in quoted:
        if line <= done:
            continue
        found = read_record(line, text, last, between, delimiter)
        if isinstance(found, Broken):
            advice = "Quote the whole field and double the quotes inside it."
            problems.add("E300", found.what, advice, found.line, found.column, found.value)
            done = found.line
        else:
            done = found.last
            yield found


def read_record(first: int, text: str, last: int, text_of: Callable[[int], str], delimiter: str) -> Record | Broken:
    """Return the record that begins with a line, or what is wrong with it.

    Args:
        last: the last line with a quote.
        text_of: the text of a line after the first.
    """
    line, column = first, 0
    fields: list[str] = []
    starts: list[tuple[int, int]] = []
    while True:
        starts.append((line - first, column + 1))
        if text.startswith('"', column):
            opening = line, column, text
            parts: list[str] = []
            column += 1
            while (match := _CLOSING.match(text, column)) is None:
                parts.append(text[column:])
                if line >= last:
                    line, column, text = opening
                    what = "the quote is not closed before the end of the file"
                    return Broken(what, line, column + 1, text[column:])
                line, column = line + 1, 0
                text = text_of(line)
            parts.append(text[column : match.end() - 1])
            fields.append("\n".join(parts).replace('""', '"'))
            column = match.end()
            if column < len(text) and not text.startswith(delimiter, column):
                what = "text after a closing quote, expected a delimiter or the end of the line"
                return Broken(what, line, column + 1, text[column:])
        else:
            end = text.find(delimiter, column)
            value = text[column:] if end < 0 else text[column:end]
            if '"' in value and delimiter == ",":
                what = "a quote inside a field that does not begin with one"
                return Broken(what, line, column + value.index('"') + 1, value)
            fields.append(value)
            column = len(text) if end < 0 else end
        if column >= len(text):
            return Record(first, line, fields, starts)
        column += len(delimiter)
