"""Nuggets file of TREC Temporal Summarization: what was there to find.

    query_id  nugget_id  timestamp  importance  nugget_len  nugget_text

Other codes are those of ``ts_rows``.

Code   Meaning
E505   an importance outside the scale 0 to 3
W505   an importance outside the scale 0 to 3, which the profile's program accepts
W506   a repeated nugget id: the last row counts
"""

from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.ts_rows import Counted, FileRules, Rows, blank_words, text_of, words

#: relevance grows exponentially with importance; beyond this its sums cannot be held
HIGHEST_IMPORTANCE = 40


class NuggetRow(NamedTuple):
    """One row of a nuggets file; an id may be repeated, the last row then counts."""

    line: int
    event: str  #: as the file writes it
    nugget: str
    time: int  #: seconds since 1970, of the edit that added it
    importance: float
    length: int  #: as the file says, in the profile's unit
    n_word_blanks: int  #: blanks of the text plus one
    n_word: int  #: words of the text
    text: str


def read_nuggets(data: bytes, problems: Problems, rules: FileRules) -> list[NuggetRow]:
    rows = Rows(data, problems, rules, need=5, whole_columns=(2, 4))
    found: list[NuggetRow] = []
    counted, seen = Counted(problems), set()
    for line, parts in rows:
        importance = rows.number(line, parts, 3, "importance")
        time = rows.whole(line, parts, 2, "timestamp") if importance is not None else None
        length = rows.length(line, parts, 4) if time is not None else None
        if importance is None or time is None or length is None:
            continue
        if not 0 <= importance <= 3:
            if rules.skips_bad_rows and importance <= HIGHEST_IMPORTANCE:
                counted.add(
                    "W505",
                    f"the importance is outside 0 to 3; accepted, as the {rules.program} program does",
                    line=line,
                    column=None,
                    value=parts[3],
                )
            else:
                problems.add(
                    "E505",
                    "the importance (column 4) is outside 0 to 3",
                    "Grade from 0 (none) to 3 (high), or score with a profile whose program takes it.",
                    line,
                    value=parts[3],
                )
                continue
        text = rows.text(line, parts, 5)
        key = (rules.judged_event(parts[0]), parts[1])
        if key in seen:
            counted.add("W506", "repeated nugget id; the last row counts", line=line, value=parts[1])
        seen.add(key)
        found.append(
            NuggetRow(
                line,
                text_of(parts[0]),
                text_of(parts[1]),
                time,
                importance,
                length,
                blank_words(text),
                words(text),
                text_of(text),
            )
        )
    counted.report()
    return found
