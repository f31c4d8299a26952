"""Matches file of TREC Temporal Summarization: which update says which nugget, and where.

    query_id  update_id  nugget_id  match_start  match_end  auto_p

Offsets count from 0 and the end is exclusive. A row whose offsets cannot be
read is accepted without them where the official program counts the nugget as matched.

Other codes are those of ``ts_rows``.

Code   Meaning
E508   negative offset
W508   a reversed or empty span
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.ts_rows import Counted, FileRules, Rows, text_of


class MatchRow(NamedTuple):
    line: int
    event: str
    update: str
    nugget: str
    start: int | None  #: None: the row counts only for "this nugget is matched"
    end: int | None


def read_matches(data: bytes, problems: Problems, rules: FileRules) -> list[MatchRow]:
    rows = Rows(data, problems, rules, need=5 if rules.program is None else 3, whole_columns=(3, 4))
    return match_rows(_typed(rows), problems)


def _typed(rows: Rows) -> Iterator[tuple]:
    for line, parts in rows:
        start = end = None
        if len(parts) < 5:
            rows.bad(line, "E500", f"{len(parts)} columns, expected at least 5", value="\t".join(parts))
        else:
            start = rows.whole(line, parts, 3, "match start")
            end = rows.whole(line, parts, 4, "match end") if start is not None else None
        yield line, *map(text_of, parts[:3]), start if end is not None else None, end


def match_rows(read: Iterable[tuple], problems: Problems) -> list[MatchRow]:
    """Return rows of line, event, update, nugget, start and end, but those with an impossible span."""
    found: list[MatchRow] = []
    counted = Counted(problems)
    for row in map(MatchRow._make, read):
        if row.start is not None and row.end is not None:
            if row.start < 0 or row.end < 0:
                said, value = "a match offset is negative", min(row.start, row.end)
                problems.add("E508", said, "Count characters from 0.", row.line, value=value)
                continue
            if row.end <= row.start:
                said = "the span is reversed or empty; it may mark no word"
                counted.add("W508", said, line=row.line, value=f"{row.start}-{row.end}")
        found.append(row)
    counted.report()
    return found
