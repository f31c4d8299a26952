"""The order in which a filtering system meets the documents: one document id a line.

It is also the list of all documents that a run could have retrieved.

Code   Meaning
E421   more than one field
E422   a duplicate document
"""

from tdtsql.errors import Problems
from tdtsql.reader.scan import check_fields, without_repeats
from tdtsql.reader.trec import lines_of, trec_rows


def read_document_order(data: bytes, problems: Problems) -> list[str]:
    """Return the document ids, first one first."""
    rows = trec_rows(lines_of(data, problems), ("document",), problems, "E421", "one document id")
    columns, lines = check_fields(rows, {}, problems)
    twice = "the document was listed before, in line {earlier}"
    return without_repeats(columns, lines, ("document",), problems, "E422", twice, rows)[0]["document"]
