"""TDT index files (which source files, or story pairs, a test is about), control files and other lists.

    # tracking recid Topic=55001                    # first_story recid
    # Topic_training_story DOCNO FILE BEGIN END     tkn/NAME.tkn
    tkn/NAME.tkn 85

    # link_detection                                # hierarchical_detection docno
    # source_file tkn/NAME.tkn                      tkn/NAME.tkn
    tkn/NAME.tkn:DOCNO tkn/NAME.tkn:DOCNO

The header is read in any case, in the plan's spelling and in the program's (``HIEARCHICAL_DETECTION``,
``# SOURCE_FILE n FILE``). Any pointer type is accepted. Other lines that begin with ``#`` are comments. A hierarchy may
also be given as NIST's story list (``# STORY_LIST_INDEX DOCNO``, then a file and its docnos per line). The lines below
the header are rows of ``sql/load/index``, which also checks them.

Lists have one thing per line:

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
E150   no header: the first line is not ``#`` and a task
E151   an unknown task, or a task other than that of the bundle
E152   a pointer type other than recid, time or docno
E153   a tracking header without Topic=NUMBER
E159   a duplicate pair of stories
E160   nothing to process: no source file, or no pair

Source: The 2004 TDT evaluation plan, B.3 to B.6 and table B1; TDT3eval v2.6 as read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import Finding, execute, report_all
from tdtsql.files.find import Inputs
from tdtsql.files.lines import Source, lines, open_texts, path_of, report
from tdtsql.files.rows import Rows, finish, scan_lines
from tdtsql.files.table import empty_files
from tdtsql.files.text import fields_with_columns
from tdtsql.load.forms import FORMS
from tdtsql.load.headers import read_headers
from tdtsql.load.plan import drop_tables, keep_tables


@dataclass(slots=True)
class Indexes:
    """What the index files of a condition say, in temporary tables; nothing without files."""

    #: relation -> its table: ``index_topic`` (file, block_id, topic_id), ``index_file`` (source files in the order of
    #: processing: file, line, path, source_file, extension, which names the folder of its boundary table, and begin),
    #: ``index_training`` (file, line, docno, source_file), ``index_story`` (file, story_id)
    tables: dict[str, str] = field(default_factory=dict)
    paths: Sequence[str] = ()
    pointer_type: str | None = None  #: recid, time or docno, of the first file that says it
    pairs: Rows | None = None  #: of links: file, line, story_id_1, story_id_2

    def __bool__(self) -> bool:
        return bool(self.tables)


#: relation -> its columns, where a condition has no index
RELATIONS = {
    "index_topic": "file integer, block_id varchar, topic_id varchar",
    "index_training": "file integer, line bigint, docno varchar, source_file varchar",
    "index_file": "file integer, line bigint, source_file varchar, extension varchar, begin double",
    "index_story": "story_id varchar",
}


def read_indexes(engine: Engine, inputs: Inputs, task: str, files: Sequence[Source]) -> Indexes:
    """Return what index files say.

    Args:
        task: tracking, new_event, link or hierarchy.
    """
    texts = open_texts(inputs, files, "index file")
    parameters: dict[str, Any] = {"of_pairs": task == "link", "of_topics": task == "tracking", "task": task}
    read_headers(engine, texts, "index", **parameters)
    engine.execute(f"create or replace temp view index_text as from {lines(engine, texts)}")
    execute(engine, "index/rows", parameters)
    engine.execute("drop view index_text")
    n_error = {text.file: len(text.problems.errors) for text in texts}
    report_all(engine, "index", {text.file: text.problems for text in texts}, parameters, texts, _column_of)
    pairs = None
    if task == "link":
        n_error = {text.file: len(text.problems.errors) for text in texts}
        pairs = scan_lines(engine, texts, FORMS["index pair"])
    filled = set(engine.column(f"select distinct file from {pairs.table if pairs else 'index_file'}"))
    what = "pair of stories" if pairs else "source file"
    for text in texts:
        if text.file not in filled and len(text.problems.errors) == n_error[text.file]:
            said = f"the index names no {what}, expected at least one"
            text.problems.add("E160", said, "Complete the index file.", text.header_line or 1, 1)
        if pairs is None:
            report(inputs, text.problems, text.digest, "index file")
    if pairs is not None:
        finish(inputs, pairs, "index file")
    pointer_type = engine.value("select arg_min(pointer_type, file) from header")
    paths = [given for given, _ in files]
    found = Indexes(keep_tables(engine, inputs, *RELATIONS), paths, pointer_type, pairs)
    staged = [
        ("staging.index_file", "topic_id, source_file, begin", found.tables["index_file"]),
        ("staging.training_story", "topic_id, docno, source_file", found.tables["index_training"]),
    ]
    if pairs is not None:
        staged.append(("staging.index_pair", "story_id_1, story_id_2", pairs.keep(inputs)))
    for name, columns, table in staged:
        inputs.staged.append((name, f"select {path_of(paths)}, line, {columns} from {table} order by file, line"))
    drop_tables(engine, "index_line", "index_named", "index_listed")
    return found if texts else Indexes()


def _column_of(found: Finding, line: str) -> int:
    """Return the column of a word of a line."""
    return fields_with_columns(line.replace("#", " ", 1))[int(found.field)][0] if found.field else 1


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
