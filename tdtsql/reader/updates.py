"""Pooled or sampled updates of TREC Temporal Summarization: the sentences that were judged.

    query_id  update_id  doc_id  sentence_id  update_len  duplicate_id  update_text

Other codes are those of ``ts_rows``.

Code   Meaning
W507   a repeated update id: the last row counts
"""

from collections.abc import Iterable
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.ts_rows import Counted, FileRules, Rows, blank_words, text_of, words


class UpdateRow(NamedTuple):
    """One pooled update."""

    line: int
    event: str
    update: str
    length: int  #: as the file says, in the profile's unit
    duplicate: str  #: id of the update it repeats; empty for none
    n_word_blanks: int
    n_word: int
    raw: str  #: the text's bytes as Latin-1: match offsets count bytes

    @property
    def text(self) -> str:
        return text_of(self.raw)


def read_updates(data: bytes, problems: Problems, rules: FileRules) -> list[UpdateRow]:
    rows = Rows(data, problems, rules, need=5, whole_columns=(4,))
    found = (
        (line, *map(text_of, parts[:2]), length, _duplicate(parts), rows.text(line, parts, 6))
        for line, parts, length in rows.valid((rows.length, 4, "length"))
    )
    return update_rows(found, problems, rules)


def _duplicate(parts: list[str]) -> str:
    return text_of(parts[5]) if len(parts) > 5 and parts[5] != "NULL" else ""


def update_rows(read: Iterable[tuple], problems: Problems, rules: FileRules) -> list[UpdateRow]:
    """Return rows of line, event, update, length (None: that of the text), duplicate and text (bytes stored as Latin-1)
    with one row per event and update; of a repeated id the last row.
    """
    found: dict[tuple[str, str], UpdateRow] = {}
    counted = Counted(problems)
    for line, event, update, length, duplicate, text in read:
        key = rules.judged_event(event), update
        if key in found:
            counted.add("W507", "repeated update id; the last row counts", line=line, value=update)
        n_word = words(text)
        length = n_word if length is None else length
        found[key] = UpdateRow(line, event, update, length, duplicate or "", blank_words(text), n_word, text)
    counted.report()
    return list(found.values())
