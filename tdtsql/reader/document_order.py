"""The order in which a filtering system meets the documents: one document id a line.

It is also the list of all documents that a run could have retrieved.

Code   Meaning
E421   more than one field
E422   a duplicate document
"""

from tdtsql.errors import Problems
from tdtsql.reader.trec import lines_of, trec_fields


def read_document_order(data: bytes, problems: Problems) -> list[str]:
    """Return the document ids, first one first."""
    return _ORDER.read(lines_of(data, problems), problems)[0]["document"]


_ORDER = trec_fields(
    ("document",),
    "E421",
    "one document id",
    key=("document",),
    repeated=("E422", "the document was listed before, in line {earlier}"),
)
