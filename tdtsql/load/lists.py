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
from tdtsql.files.lines import Source, open_texts
from tdtsql.files.rows import Rows, finish, scan_lines
from tdtsql.files.table import empty_files
from tdtsql.load.forms import FORMS
from tdtsql.load.headers import read_headers


def read_index_lists(engine: Engine, inputs: Inputs, files: Sequence[Source], kind: str = "index list") -> Rows:
    """Return the index files that index lists or control files name, in ``read_index_list`` (file, line, name); what
    the headers of control files say is in ``header``.
    """
    texts = open_texts(inputs, files, kind)
    if kind == "control file":
        read_headers(engine, texts, "control")
    rows = scan_lines(engine, texts, FORMS["index list"])
    for _, problems, _ in empty_files(rows):
        said = "no index file is named, expected one file name per line"
        problems.add("E145", said, "Add the index files.", 1, 1)
    return finish(inputs, rows, kind)
