"""Pooled or sampled updates of TREC Temporal Summarization: the sentences that were judged.

    query_id  update_id  doc_id  sentence_id  update_len  duplicate_id  update_text

Other codes are those of ``ts_rows``.

Code   Meaning
W507   a repeated update id: the last row counts
"""

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
    """Return one row per event and update id; of a repeated id the last row."""
    rows = Rows(data, problems, rules, need=5, whole_columns=(4,))
    found: dict[tuple[str, str], UpdateRow] = {}
    counted = Counted(problems)
    for line, parts in rows:
        length = rows.length(line, parts, 4)
        if length is None:
            continue
        duplicate = parts[5] if len(parts) > 5 and parts[5] != "NULL" else ""
        text = rows.text(line, parts, 6)
        key = (rules.judged_event(parts[0]), parts[1])
        if key in found:
            counted.add("W507", "repeated update id; the last row counts", line=line, value=parts[1])
        found[key] = UpdateRow(
            line, text_of(parts[0]), text_of(parts[1]), length, text_of(duplicate), blank_words(text), words(text), text
        )
    counted.report()
    return list(found.values())
