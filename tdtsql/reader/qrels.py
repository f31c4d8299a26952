"""TREC qrels: which documents are relevant to which topic, with a grade.

A line is ``topic iteration document grade``; the iteration is not used. A
document counts as relevant from a grade on that the corpus names
(``relevant_grade``); grades below it, negative ones too, are judged and not
relevant. Documents that are not listed are not relevant.

Code   Meaning
E401   not four fields
E402   the grade is not a whole number
E403   different grades of one document for one topic
W403   different grades of one document for one topic, where the user chose which counts
W404   a duplicate line
"""

import re
from typing import Literal, NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.scan import Kind
from tdtsql.reader.trec import lines_of, trec_fields

Conflict = Literal["error", "highest", "lowest", "last"]


class Qrel(NamedTuple):
    """One judgment."""

    topic_id: str
    document_id: str
    grade: int
    line: int


def read_qrels(data: bytes, problems: Problems, *, conflict: Conflict = "error") -> list[Qrel]:
    """Return the judgments of a qrels file, one for each topic and document, in file order.

    Args:
        conflict: what different grades of one pair mean: an error, or the
            highest, the lowest or the last of them counts (and it is a warning).
    """
    columns, lines, rows = _JUDGMENTS.read(lines_of(data, problems), problems)
    kept: dict[tuple[str, str], Qrel] = {}
    conflicts = Problems(problems.path)
    code, advice = "W403", f"The {conflict} grade counts."
    if conflict == "error":
        code, advice = "E403", 'Correct the file, or choose with qrels_conflict = "highest", "lowest" or "last".'
    for row in map(Qrel, columns["topic"], columns["document"], columns["grade"], lines):
        first = kept.setdefault(row[:2], row)
        if first is row:
            continue
        value = f"{row.topic_id} {row.document_id} {row.grade}"
        if first.grade == row.grade:
            said = "this judgment was given before, with the same grade"
            problems.add("W404", said, "Drop the line.", row.line, None, value)
            continue
        said = f"the document has another grade for this topic in line {first.line} ({first.grade})"
        conflicts.add(code, said, advice, row.line, rows.column_on(row.line, "grade"), value)
        if conflict == "last" or conflict == ("highest" if row.grade > first.grade else "lowest"):
            kept[row[:2]] = row
    problems.found += conflicts.found
    return list(kept.values())


_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_GRADE = Kind(
    lambda text: int(text) if _WHOLE.fullmatch(text) else None,
    "E402",
    "the grade is not a whole number",
    "a whole number",
    "Give the grade as 0, 1, 2, ...",
)
_JUDGMENTS = trec_fields(
    ("topic", "iteration", "document", "grade"),
    "E401",
    "four: topic, iteration, document, grade",
    {"grade": _GRADE},
)
