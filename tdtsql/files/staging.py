"""Rows of input files, as found, into ``staging``."""

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.definitions.origin import STAGED
from tdtsql.definitions.table import tables
from tdtsql.files.find import Inputs
from tdtsql.files.lines import path_of
from tdtsql.files.rows import Rows


def keep_rows(inputs: Inputs, rows: Rows, kind: str, columns: str) -> str:
    """Keep rows of files under a new name, which is returned, until they are staged, if their kind of file is.

    Args:
        columns: of the staging table of the kind of file, after owner, path and line.
    """
    table, staged = rows.keep(inputs), dict(STAGED).get(kind)
    if staged:
        query = f"select {path_of(rows.paths)}, line, {columns} from {table} order by file, line"
        inputs.staged.append((staged, query))
    return table


def stage(engine: Engine, owner: str, inputs: Inputs) -> None:
    """Store the rows of an owner's files in place of those it had."""
    unstage(engine, owner)
    for table, query in inputs.staged:
        engine.execute(f"insert into {table} select $owner, * from ({query})", {"owner": owner})
    forget(engine, inputs)


def unstage(engine: Engine, owner: str) -> None:
    """Remove the staged rows of an owner."""
    if engine.value("select 1 from registry.input_file where owner = ? limit 1", [owner]) is None:
        return  # it never had files
    staging = (name for name in tables() if name.startswith("staging."))
    engine.execute_all(f"delete from {table} where owner = {sql_literal(owner)}" for table in staging)


def forget(engine: Engine, inputs: Inputs) -> None:
    """Drop the temporary tables of the rows of files."""
    engine.execute_all(f"drop table if exists {table}" for table in inputs.tables)
    inputs.tables.clear()
