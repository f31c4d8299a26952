"""TDT index files: which source files, or story pairs, a test is about.

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

Code   Meaning
E150   no header: the first line is not ``#`` and a task
E151   an unknown task, or a task other than that of the bundle
E152   a pointer type other than recid, time or docno
E153   a tracking header without Topic=NUMBER
E159   a duplicate pair of stories
E160   nothing to process: no source file, or no pair

Source: The 2004 TDT evaluation plan, B.3 to B.6; TDT3eval v2.6 as read.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import Finding, execute, report_all
from tdtsql.files.find import Inputs
from tdtsql.files.lines import Source, lines, open_texts, path_of, report
from tdtsql.files.rows import Form, Rows, finish, first_wrong, line_part, scan
from tdtsql.files.text import fields_with_columns
from tdtsql.load.headers import read_headers
from tdtsql.load.plan import drop_tables, make_table

#: how headers write tasks
TASKS = {
    "tracking": "tracking",
    "first_story": "new_event",
    "link_detection": "link",
    "hierarchical_detection": "hierarchy",
    "hiearchical_detection": "hierarchy",  # NIST's program spells it so
}
_HEADER = {
    "tracking": "# tracking recid Topic=NUMBER",
    "new_event": "# first_story recid",
    "link": "# link_detection",
    "hierarchy": "# hierarchical_detection docno",
}
INDEX_PAIR = Form(
    "index pair",
    {"story_id_1": None, "story_id_2": None},
    comment="#",
    width=("E154", "{found}, expected two story ids", "Give every pair its own line."),
    width_at=lambda text, width: (first_wrong(text, width)[0], text.strip()),
    key=("story_id_1", "story_id_2"),
    repeated=("E159", "pair is already on {earlier}, expected every pair once", "Remove one of the lines."),
    repeated_at="story_id_1",
)


class TrainingStory(NamedTuple):
    """One training story of a tracking topic, in the order of the index."""

    line: int
    docno: str
    source_file: str  #: without directory and extension
    begin: float | None  #: None where the index writes -1
    end: float | None


class IndexFile(NamedTuple):
    """One source file to process."""

    line: int
    path: str  #: as written
    name: str  #: without directory and extension
    extension: str  #: names the folder of its boundary table, e.g. tkn
    begin: float  #: where processing begins; 1 (0 for time) where the index does not say


class Index(NamedTuple):
    """What one index file asks for."""

    pointer_type: str | None = None  #: recid, time or docno
    topic_id: str | None = None
    nt_variant: str | None = None  #: last two digits of a seven digit topic (variable Nt)
    is_story_list: bool = False
    training: Sequence[TrainingStory] = ()
    files: Sequence[IndexFile] = ()
    story_ids: Sequence[str] = ()  #: stories that a story list names, each once


def read_indexes(
    engine: Engine, inputs: Inputs, task: str, files: Sequence[Source]
) -> tuple[list[tuple[str, Index]], Rows | None]:
    """Return name and content of each index file, and the pairs of indexes of links, in ``read_index_pair``: file,
    line, story_id_1, story_id_2.

    Args:
        task: tracking, new_event, link or hierarchy.
    """
    texts = open_texts(inputs, files, "index file")
    parameters = {"of_pairs": task == "link", "of_topics": task == "tracking"}
    words = TASKS | ({"story_list_index": task} if task == "hierarchy" else {})
    own: dict[str, Any] = {**parameters, "task": task, "header": _HEADER[task]}
    own["tasks"] = [{"word": word, "own": of} for word, of in words.items()]
    heads = read_headers(engine, texts, "index", Index, **own)
    make_table(
        engine,
        "index_head",
        ("file integer", "topic_id varchar", "is_time boolean", "is_story_list boolean"),
        [(file, head.topic_id, head.pointer_type == "time", head.is_story_list) for file, head in heads.items()],
    )
    engine.execute(f"create or replace temp view index_text as from {lines(engine, texts)}")
    execute(engine, "index/rows", parameters)
    engine.execute("drop view index_text")
    n_error = {text.file: len(text.problems.errors) for text in texts}
    report_all(engine, "index", {text.file: text.problems for text in texts}, parameters, texts, _column_of)
    pairs = None
    if task == "link":
        n_error = {text.file: len(text.problems.errors) for text in texts}
        pairs = scan(engine, INDEX_PAIR, [line_part(engine, texts, INDEX_PAIR)] if texts else [])
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
    _stage(engine, inputs, [given for given, _ in files], pairs)
    training = _by_file(engine, "index_training", "line, docno, source_file, begin, end_")
    named = _by_file(engine, "index_file", "line, path, name, extension, begin")
    listed = _by_file(engine, "index_story", "docno", "line, number")
    indexes = [
        (
            text.given,
            heads[text.file]._replace(
                training=[TrainingStory(*row) for row in training[text.file]],
                files=[IndexFile(*row) for row in named[text.file]],
                story_ids=[story for [story] in listed[text.file]],
            ),
        )
        for text in texts
    ]
    drop_tables(engine, "index_head", "index_line", "index_training", "index_named", "index_file", "index_listed")
    drop_tables(engine, "index_story")
    return indexes, pairs


def _column_of(found: Finding, line: str) -> int:
    """Return the column of a word of a line."""
    return fields_with_columns(line.replace("#", " ", 1))[int(found.field)][0] if found.field else 1


def _stage(engine: Engine, inputs: Inputs, paths: Sequence[str], pairs: Rows | None) -> None:
    """Keep the rows of indexes until they are staged."""
    path = path_of(paths)
    for table, staged, columns in (
        ("index_file", "staging.index_file", "name, begin"),
        ("index_training", "staging.training_story", "docno, source_file"),
    ):
        kept = engine.unused_name(table)
        engine.execute(
            f"create temp table {kept} as select file, line, topic_id, {columns} from {table} "
            "join index_head using (file) order by file, line"
        )
        inputs.tables.append(kept)
        inputs.staged.append((staged, f"select {path}, * exclude (file) from {kept}"))
    if pairs is not None:
        inputs.staged.append(
            ("staging.index_pair", f"select {path}, line, story_id_1, story_id_2 from {pairs.keep(inputs)}")
        )


def _by_file(engine: Engine, table: str, columns: str, order: str = "line") -> dict[int, list[list]]:
    """Return number of a file -> its rows of a table, in their order."""
    found: dict[int, list[list]] = defaultdict(list)
    for file, *row in engine.rows(f"select file, {columns} from {table} order by file, {order}"):
        found[file].append(row)
    return found
