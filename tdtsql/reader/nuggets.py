"""Nuggets file of TREC Temporal Summarization: what was there to find.

    query_id  nugget_id  timestamp  importance  nugget_len  nugget_text

Other codes are those of ``ts_rows``.

Code   Meaning
E505   an importance outside the scale 0 to 3
W505   an importance outside the scale 0 to 3, which the profile's program accepts
W506   a repeated nugget id: the last row counts
"""

from collections.abc import Iterable
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.ts_rows import Counted, FileRules, Rows, blank_words, text_of, words

#: relevance grows exponentially with importance; beyond this its sums cannot be held
HIGHEST_IMPORTANCE = 40
#: below this a relevance is lost beside others; the programs of 2014 and 2015 drop what is 0 or less
LOWEST_IMPORTANCE = -15


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
    valid = rows.valid((rows.number, 3, "importance"), (rows.whole, 2, "timestamp"), (rows.length, 4, "length"))
    found = (
        (line, *map(text_of, parts[:2]), time, importance, length, rows.text(line, parts, 5))
        for line, parts, importance, time, length in valid
    )
    return nugget_rows(found, problems, rules)


def nugget_rows(read: Iterable[tuple], problems: Problems, rules: FileRules) -> list[NuggetRow]:
    """Return rows of line, event, nugget, time, importance, length (None: that of the text) and text (bytes stored as
    Latin-1), those with an importance.
    """
    found: list[NuggetRow] = []
    counted, seen = Counted(problems), set()
    for line, event, nugget, time, importance, length, text in read:
        if not 0 <= importance <= 3:
            lost = rules.program == "ts2013" and importance < LOWEST_IMPORTANCE
            if lost or not rules.skips_bad_rows or importance > HIGHEST_IMPORTANCE:
                advice = "Grade from 0 (none) to 3 (high), or score with a profile whose program takes it."
                problems.add("E505", "the importance is outside 0 to 3", advice, line, value=importance)
                continue
            said = f"the importance is outside 0 to 3; accepted, as the {rules.program} program does"
            counted.add("W505", said, line=line, value=importance)
        key = rules.judged_event(event), nugget
        if key in seen:
            counted.add("W506", "repeated nugget id; the last row counts", line=line, value=nugget)
        seen.add(key)
        n_word = words(text)
        length = n_word if length is None else length
        row = NuggetRow(line, event, nugget, time, importance, length, blank_words(text), n_word, text_of(text))
        found.append(row)
    counted.report()
    return found
