"""A store copied whole into an empty one: from a file into a team's PostgreSQL, and back.

All rows are copied unchanged, stored results and ledger included: nothing is recomputed,
and `ledger verify` compares the copy with its source.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers, parquet_source, quoted_path
from tdtsql.errors import ExportExists, NotAStore
from tdtsql.metric.ddl import tables
from tdtsql.progress import Progress
from tdtsql.store.definitions import is_current


def copy_store(source: Engine, target: Engine, *, progress: Progress | None = None) -> dict[str, int]:
    """Copy every table of ``source`` into ``target``, a store that holds nothing yet; returns table -> rows.

    Raises:
        NotAStore: the source was made with other definitions than those installed.
        ExportExists: the target holds something.
    """
    target.check_loads()
    if not is_current(source):
        raise NotAStore(
            f"{source.path}: made with other definitions than those installed. `tdtsql score --db {source.path}` "
            f"updates it."
        )
    source.download_decisions()
    copied: dict[str, int] = {}
    with TemporaryDirectory(prefix="tdtsql-") as folder, target.write_lock(), target.transaction():
        held = target.value(
            "select (select count(*) from registry.corpus) + (select count(*) from registry.condition) + (select "
            "count(*) from registry.run)"
        )
        if held:
            raise ExportExists(f"{target.path}: the store is not empty. Name a new one.")
        for place, (name, table) in enumerate(tables().items()):
            if progress is not None:
                progress(place, len(tables()), f"copying {name}")
            columns, path = sql_identifiers(table.columns), Path(folder) / f"{name}.parquet"
            # the hash over the tables of a file is that file's own
            rest = "where item <> 'catalog'" if name == "registry.made_with" else ""
            copied[name] = source.value(
                f"copy (select {columns} from {name} {rest}) to {quoted_path(path)} (format parquet)"
            )
            target.execute(f"delete from {name} {rest}")
            target.execute(f"insert into {name} ({columns}) select {columns} from {parquet_source(path)}")
            path.unlink()
    return copied
