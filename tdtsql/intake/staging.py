"""Rows of the official files, as found, into ``staging``.

One entry a file kind: the table, and how the reader's result becomes rows in the
order of the table's columns after owner and path.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.metric.ddl import tables
from tdtsql.intake.inputs import Inputs

Rows = Callable[[Any], list]  #: of what the reader of the kind returns


def _tidy(*columns: str) -> Rows:
    def rows(table) -> list[tuple]:
        absent = [None] * len(table.lines)
        return list(zip(table.lines, *(table.columns.get(name, absent) for name in columns), strict=True))

    return rows


STAGED: dict[str, tuple[tuple[str, Rows], ...]] = {
    "boundary table": (
        (
            "staging.boundary",
            lambda table: [
                (
                    row.line,
                    table.file_id,
                    row.docno,
                    row.doctype,
                    row.begin_sec,
                    row.end_sec,
                    row.begin_recid,
                    row.end_recid,
                )
                for row in table.rows
            ],
        ),
    ),
    "topic relevance table": (("staging.on_topic", lambda rows: [tuple(row) for row in rows]),),
    "auxiliary index": (("staging.source_info", lambda rows: [tuple(row) for row in rows]),),
    "subset file": (("staging.subset_file", lambda subsets: [tuple(row) for row in subsets.files]),),
    "exclude list": (("staging.subset_file", lambda subsets: [tuple(row) for row in subsets.files]),),
    "control file": (("staging.index_name", lambda control: list(control.index_files)),),
    "index list": (("staging.index_name", list),),
    "index file": (
        ("staging.index_file", lambda index: [(row.line, index.topic_id, row.name, row.begin) for row in index.files]),
        (
            "staging.training_story",
            lambda index: [(row.line, index.topic_id, row.docno, row.source_file) for row in index.training],
        ),
        ("staging.index_pair", lambda index: [tuple(row) for row in index.pairs]),
    ),
    "link key": (("staging.link_key", lambda key: [tuple(row) for row in key.rows]),),
    "tidy stories": (
        ("staging.tidy_story", _tidy("story_id", "position", "source_file", "source", "language", "kind")),
    ),
    "tidy topics": (("staging.tidy_topic", _tidy("topic_id", "title", "languages")),),
    "topic list": (("staging.tidy_topic", lambda rows: [(row.line, row.topic_id, row.title, None) for row in rows]),),
    "tidy judgments": (("staging.tidy_judgment", _tidy("topic_id", "story_id", "label")),),
    "tidy trials": (("staging.tidy_pair", _tidy("topic_id", "story_id")),),
    "tidy link_trials": (("staging.index_pair", _tidy("story_id_1", "story_id_2")),),
    "tidy training": (("staging.tidy_pair", _tidy("topic_id", "story_id")),),
    "qrels": (("staging.qrel", lambda rows: [(row.line, row.topic_id, row.document_id, row.grade) for row in rows]),),
    "nuggets": (
        (
            "staging.nugget",
            lambda rows: [
                (row.line, row.event, row.nugget, row.time, row.importance, row.length, row.text) for row in rows
            ],
        ),
    ),
    "updates": (
        (
            "staging.update",
            lambda rows: [(row.line, row.event, row.update, row.length, row.duplicate, row.text) for row in rows],
        ),
    ),
    "matches": (("staging.match", lambda rows: [tuple(row) for row in rows]),),
}


def stage(engine: Engine, owner: str, inputs: Inputs) -> None:
    """Store the rows of an owner's files in place of those it had."""
    unstage(engine, owner)
    found: dict[str, dict[str, list]] = defaultdict(lambda: defaultdict(list))
    for kind, path, result in inputs.results:
        for table, rows_of in STAGED.get(kind, ()):
            if rows := rows_of(result):
                values = ([owner] * len(rows), [path] * len(rows), *zip(*rows, strict=True))
                for column, more in zip(tables()[table].columns, values, strict=True):
                    found[table][column] += more
    for table, path, columns, parsed in inputs.bulk:
        engine.execute(
            f"insert into {table} select $owner, $path, {columns} from {parsed}", {"owner": owner, "path": path}
        )
        engine.execute(f"drop table {parsed}")
    for table, columns_of in found.items():
        engine.insert(table, columns_of)


def unstage(engine: Engine, owner: str) -> None:
    """Remove the staged rows of an owner."""
    if engine.value("select 1 from registry.input_file where owner = ? limit 1", [owner]) is None:
        return  # it never had files
    for table in dict.fromkeys(table for entries in STAGED.values() for table, _ in entries):
        engine.execute(f"delete from {table} where owner = ?", [owner])


def forget(engine: Engine, inputs: Inputs) -> None:
    """Drop what the engine parsed of files whose rows are in the store already."""
    for _, _, _, parsed in inputs.bulk:
        engine.execute(f"drop table {parsed}")
