"""Rows of the official files, as found, into ``staging``.

One entry a file kind: the table, and how the reader's result becomes rows in the
order of the table's columns after owner and path.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.table import tables
from tdtsql.files.find import Inputs
from tdtsql.files.lines import path_of
from tdtsql.files.rows import Rows as FormRows

Rows = Callable[[Any], Iterable[tuple]]  #: of what the reader of the kind returns


STAGED: dict[str, tuple[tuple[str, Rows], ...]] = {
    "index file": (
        ("staging.index_file", lambda index: [(row.line, index.topic_id, row.name, row.begin) for row in index.files]),
        (
            "staging.training_story",
            lambda index: [(row.line, index.topic_id, row.docno, row.source_file) for row in index.training],
        ),
    ),
}


#: kind of file -> the staging table that SQL fills from its rows
STAGED_BY_SQL = {
    "boundary table": "staging.boundary",
    "topic relevance table": "staging.on_topic",
    "subset file": "staging.subset_file",
    "exclude list": "staging.subset_file",
    "auxiliary index": "staging.source_info",
    "control file": "staging.index_name",
    "index list": "staging.index_name",
    "topic list": "staging.tidy_topic",
    "tidy stories": "staging.tidy_story",
    "tidy topics": "staging.tidy_topic",
    "tidy judgments": "staging.tidy_judgment",
    "tidy training": "staging.tidy_pair",
    "tidy trials": "staging.tidy_pair",
    "tidy link_trials": "staging.index_pair",
    "index file": "staging.index_pair",
    "link key": "staging.link_key",
    "qrels": "staging.qrel",
    "nuggets": "staging.nugget",
    "updates": "staging.update",
    "matches": "staging.match",
    "tidy nuggets": "staging.nugget",
    "tidy updates": "staging.update",
    "tidy matches": "staging.match",
}


def keep_rows(inputs: Inputs, rows: FormRows, kind: str, columns: str) -> str:
    """Keep rows of files under a name of their own, which is returned, until they are staged.

    Args:
        columns: of the staging table of the kind of file, after owner, path and line.
    """
    table = rows.keep(inputs)
    query = f"select {path_of(rows.paths)}, line, {columns} from {table} order by file, line"
    inputs.staged.append((STAGED_BY_SQL[kind], query))
    return table


def stage(engine: Engine, owner: str, inputs: Inputs) -> None:
    """Store the rows of an owner's files in place of those it had."""
    unstage(engine, owner)
    found: dict[str, dict[str, list]] = defaultdict(lambda: defaultdict(list))
    for kind, path, result in inputs.results:
        for table, rows_of in STAGED.get(kind, ()):
            if rows := list(rows_of(result)):
                values = ([owner] * len(rows), [path] * len(rows), *zip(*rows, strict=True))
                for column, more in zip(tables()[table].columns, values, strict=True):
                    found[table][column] += more
    for table, query in inputs.staged:
        engine.execute(f"insert into {table} select $owner, * from ({query})", {"owner": owner})
    for table, columns_of in found.items():
        engine.insert(table, columns_of)
    forget(engine, inputs)


def unstage(engine: Engine, owner: str) -> None:
    """Remove the staged rows of an owner."""
    if engine.value("select 1 from registry.input_file where owner = ? limit 1", [owner]) is None:
        return  # it never had files
    for table in (name for name in tables() if name.startswith("staging.")):
        engine.execute(f"delete from {table} where owner = ?", [owner])


def forget(engine: Engine, inputs: Inputs) -> None:
    """Drop the temporary tables of the rows of files."""
    for table in inputs.tables:
        engine.execute(f"drop table if exists {table}")
    inputs.tables.clear()
