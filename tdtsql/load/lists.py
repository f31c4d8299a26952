"""Files of one thing a line: lists of index files, of documents and of topics, and the auxiliary index.

    control file      # <source type> <training language> <test language> <Nt>, then one index file a line
    index list        one index file a line
    document order    one document a line: the order in which a filtering system meets them, and all that it could
                      retrieve
    topic list        a topic, and its title where wanted; a topic that the qrels do not name has no relevant documents
    auxiliary index   <source file> <source> <language> <date stamp>; the stamp may be two fields (19980612 12:30:14,
                      quoted or not) or one (20030401_0000)

Code   Meaning
E120   auxiliary index: a line without four fields (five with the time apart)
E121   a date stamp that is not a valid date
E122   a duplicate source file with different data
W123   a language other than English, Mandarin or Arabic
E140   control file: the first line is not ``#`` and four fields
E141   Nt other than 1, 2, 4, 8, 16 or V
W142   a language other than eng, man, arb, mul
E143   a line with more than one name of an index file
E144   a duplicate index file
E145   no index file at all
E421   document order: more than one field
E422   a duplicate document
E431   topic list: a duplicate topic
E432   a line with a tag: the file has topic descriptions and is not a list

Source: The 2004 TDT evaluation plan, B.3 and table B1; BuildIndex of TDT3eval v2.6 as read.
"""

from collections.abc import Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.files.find import Inputs
from tdtsql.files.kinds import TEXT, Kind
from tdtsql.files.lines import Source, open_texts
from tdtsql.files.rows import Form, Rows, finish, first_wrong, line_end, line_part, read_lines, scan
from tdtsql.files.table import empty_files
from tdtsql.files.text import fields_with_columns
from tdtsql.load.headers import read_headers

AUXILIARY = Form(
    "auxiliary index",
    {
        "path": None,
        "source_file": Kind("as_source", "E120", ""),
        "source": None,
        "written": None,
        "language": Kind("as_capitals", "W123", ""),
        "date": Kind(
            "as_time",
            "E121",
            "not a date stamp, expected YYYYMMDD HH:MM:SS or YYYYMMDD_HHMM",
            advice="Correct the date.",
        ),
    },
    comment="#",
    words="stamped_words",
    width=("E120", "{found}, expected file name, source, language and date stamp", "Complete the line."),
    width_at=lambda text, width: (fields_with_columns(text)[-1][0], text.strip()),
    key=("source_file",),
    repeated=("", "", ""),
    checks=("auxiliary/W123", "auxiliary/E122"),
)
_AUXILIARY_CELLS = {"path": 0, "source_file": 0, "source": 1, "written": 2, "language": 2, "date": 3}

INDEX_LIST = Form(
    "index list",
    {"name": None},
    comment="#",
    width=("E143", "{found}, expected one file name per line", "Give every index file its own line."),
    width_at=first_wrong,
    key=("name",),
    repeated=("E144", "index file is already on {earlier}, expected every file once", "Remove one of the lines."),
    repeated_at="name",
)

DOCUMENT_ORDER = Form(
    "document order",
    {"document": None},
    comment_line="#",
    most=1000,
    width=("E421", "{found}, expected one document id", "Fix the line."),
    width_at=line_end,
    key=("document",),
    repeated=("E422", "the document was listed before, in {earlier}", "Remove one of the lines."),
    repeated_at="document",
)

TOPIC_LIST = Form(
    "topic list",
    {
        "topic_id": Kind(
            "as_no_tag",
            "E432",
            "a tag, expected a topic id: this is not a list of topics",
            advice="Give one topic id a line, its title behind it.",
        ),
        "title": TEXT,
    },
    optional=("title",),
    comment_line="#",
    words="topic_words",
    key=("topic_id",),
    repeated=("E431", "the topic was listed before, in {earlier}", "Drop the line."),
    repeated_at="topic_id",
)


def read_auxiliary(engine: Engine, inputs: Inputs, files: Sequence[Source]) -> Rows:
    """Return the source files of auxiliary indexes, in ``read_auxiliary_index``: file, line, source_file, source,
    language (in capitals) and date (YYYY-MM-DD HH:MM:SS, when collection began).
    """
    return read_lines(engine, inputs, AUXILIARY, files, _AUXILIARY_CELLS, 4)


def read_index_lists(engine: Engine, inputs: Inputs, files: Sequence[Source], kind: str = "index list") -> Rows:
    """Return the index files that index lists or control files name, in ``read_index_list`` (file, line, name); what
    the headers of control files say is in ``header``.
    """
    texts = open_texts(inputs, files, kind)
    if kind == "control file":
        read_headers(engine, texts, "control")
    rows = scan(engine, INDEX_LIST, [line_part(engine, texts, INDEX_LIST)] if texts else [])
    for _, problems, _ in empty_files(rows):
        said = "no index file is named, expected one file name per line"
        problems.add("E145", said, "Add the index files.", 1, 1)
    return finish(inputs, rows, kind)
