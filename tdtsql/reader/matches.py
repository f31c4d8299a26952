"""Matches file of TREC Temporal Summarization: which update says which nugget, and where.

    query_id  update_id  nugget_id  match_start  match_end  auto_p

Offsets count from 0 and the end is exclusive. A row whose offsets cannot be
read is accepted without them where the official program counts the nugget as matched.

Other codes are those of ``ts_rows``.

Code   Meaning
E508   negative offset
W508   a reversed or empty span
"""

from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.ts_rows import Counted, FileRules, Rows, text_of, whole


class MatchRow(NamedTuple):
    line: int
    event: str
    update: str
    nugget: str
    start: int | None  #: None: the row counts only for "this nugget is matched"
    end: int | None


def read_matches(data: bytes, problems: Problems, rules: FileRules) -> list[MatchRow]:
    rows = Rows(data, problems, rules, need=5 if rules.program is None else 3, whole_columns=(3, 4))
    found: list[MatchRow] = []
    counted = Counted(problems)
    for line, parts in rows:
        event, update, nugget = (text_of(part) for part in parts[:3])
        if len(parts) < 5:
            rows.bad(line, "E500", f"{len(parts)} columns, expected at least 5", value="\t".join(parts))
            found.append(MatchRow(line, event, update, nugget, None, None))
            continue
        start, end = whole(parts[3]), whole(parts[4])
        if start is None or end is None:
            column = 3 if start is None else 4
            rows.whole(line, parts, column, "match start" if column == 3 else "match end")
            found.append(MatchRow(line, event, update, nugget, None, None))
            continue
        if start < 0 or end < 0:
            problems.add("E508", "a match offset is negative", "Count characters from 0.", line, value=min(start, end))
            continue
        if end <= start:
            counted.add("W508", "the span is reversed or empty; it may mark no word", line=line, value=f"{start}-{end}")
        found.append(MatchRow(line, event, update, nugget, start, end))
    counted.report()
    return found
