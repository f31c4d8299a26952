"""TREC qrels: which documents are relevant to which topic, with a grade.

A line is ``topic iteration document grade``; the iteration is not used. A
document counts as relevant from a grade on that the corpus names
(``relevant_grade``); grades below it, negative ones too, are judged and not
relevant. Documents that are not listed are not relevant.

    E401  not four fields
    E402  the grade is not a whole number
    E403  different grades of one document for one topic
    W403  the same, if the user chose which grade counts
    W404  a duplicate line
"""

import re
from typing import Literal, NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.trec import Defect, column_of, lines_of

Conflict = Literal["error", "highest", "lowest", "last"]
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


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
    fields = Defect("E401", "expected four fields: topic, iteration, document, grade", "Fix the line.")
    grades = Defect("E402", "the grade is not a whole number", "Give the grade as 0, 1, 2, ...")
    again = Defect("W404", "this judgment was given before, with the same grade", "Drop the line.")
    places: list[tuple[Qrel, Qrel, str]] = []
    kept: dict[tuple[str, str], Qrel] = {}
    for number, text in lines_of(data, problems):
        parts = text.split()
        if len(parts) != 4:
            if parts:
                fields.at(number, column_of(text, 4), text.strip())
            continue
        topic, _, document, grade_text = parts
        if not _WHOLE.fullmatch(grade_text):
            grades.at(number, column_of(text, 3), grade_text)
            continue
        row = Qrel(topic, document, int(grade_text), number)
        first = kept.setdefault((topic, document), row)
        if first is row:
            continue
        if first.grade == row.grade:
            again.at(number, None, f"{topic} {document} {row.grade}")
            continue
        places.append((first, row, text))
        if (
            conflict == "last"
            or (conflict == "highest" and row.grade > first.grade)
            or (conflict == "lowest" and row.grade < first.grade)
        ):
            kept[topic, document] = row
    for defect in (fields, grades, again):
        defect.report(problems)
    _report_conflicts(places, problems, conflict)
    return list(kept.values())


def _report_conflicts(places: list[tuple[Qrel, Qrel, str]], problems: Problems, conflict: Conflict) -> None:
    code = "E403" if conflict == "error" else "W403"
    advice = (
        'Correct the file, or choose with qrels_conflict = "highest", "lowest" or "last".'
        if conflict == "error"
        else f"The {conflict} grade counts."
    )
    for first, row, text in places[:1000]:
        problems.add(
            code,
            f"the document has another grade for this topic in line {first.line} ({first.grade})",
            advice,
            row.line,
            column_of(text, 3),
            f"{row.topic_id} {row.document_id} {row.grade}",
        )
    if len(places) > 1000:
        problems.add(code, f"{len(places) - 1000} more documents with different grades", advice)
