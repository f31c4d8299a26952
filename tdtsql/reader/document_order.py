"""The order in which a filtering system meets the documents: one document id a line.

It is also the list of all documents that a run could have retrieved.

    E421  more than one field
    E422  a duplicate document
"""

from tdtsql.errors import Problems
from tdtsql.reader.trec import Defect, column_of, lines_of


def read_document_order(data: bytes, problems: Problems) -> list[str]:
    """Return the document ids, first one first."""
    fields = Defect("E421", "expected one document id", "Give one document id a line.")
    twice = Defect("E422", "the document was listed before", "Drop the line.")
    seen: dict[str, int] = {}
    for number, text in lines_of(data, problems):
        document = text.strip()
        if not document:
            continue
        if len(document.split()) > 1:
            fields.at(number, column_of(text, 1), document)
        elif seen.setdefault(document, number) != number:
            twice.at(number, column_of(text, 0), f"{document}, first in line {seen[document]}")
    for defect in (fields, twice):
        defect.report(problems)
    return list(seen)
