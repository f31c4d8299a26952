"""Matches file of TREC Temporal Summarization: which update says which nugget, and where.

    query_id  update_id  nugget_id  match_start  match_end  auto_p

Offsets count from 0 and the end is exclusive. A row whose offsets cannot be
read is accepted without them where the official program counts the nugget as matched.

Codes: those of ``ts_rows``, E508 negative offset, W508 reversed or empty span.
"""

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.ts_rows import Counted, FileRules, Rows, text_of, whole

_WORD = re.compile(r"[^ \t\n\r\v\f]+")


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


def program_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the word positions [from, to) that the track's programs mark for a span.

    The span is widened to blanks, and its first word counted from the blank
    before it: a span at the very beginning counts one word too few, others are
    shifted by one (all three programs, in units of ``text``).
    """
    begin = max(0, text.count(" ", 0, start + 1) - 1)
    return begin, text.count(" ", 0, end)


def word_bounds(text: str) -> tuple[list[int], list[int]]:
    """Return where the words of ``text`` begin, and behind which characters they end."""
    starts, ends = [], []
    for match in _WORD.finditer(text):
        starts.append(match.start())
        ends.append(match.end())
    return starts, ends


def touched_words(bounds: tuple[list[int], list[int]], start: int, end: int) -> tuple[int, int]:
    """Return the word positions [from, to) of the words with a character in [start, end)."""
    starts, ends = bounds
    first = bisect_right(ends, start)
    return first, max(first, bisect_left(starts, end)) if start < end else first


def is_plain(text: str, n_word: int, n_word_blanks: int) -> bool:
    """Return whether the words of ``text`` are set apart by single blanks and by nothing else."""
    return n_word == n_word_blanks and text.isprintable()


def touched_words_of_plain(text: str, start: int, end: int) -> tuple[int, int]:
    """Return what ``touched_words`` returns, by counting the blanks of a plain text."""
    first = text.count(" ", 0, start + 1) + (start >= len(text))
    return first, max(first, text.count(" ", 0, end - 1) + 1) if start < end else first
