"""A store copied whole into an empty one: from a file into a team's PostgreSQL, and back.

All rows are copied unchanged, stored results and ledger included: nothing is recomputed,
and `ledger verify` compares the copy with its source.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers, parquet_source, quoted_path
from tdtsql.errors import ExportExists, NotAStore
from tdtsql.installed import IN_USE
from tdtsql.definitions.table import shipped_tables, tables
from tdtsql.own.stored import check_stored_own
from tdtsql.progress import Progress, silent
from tdtsql.store.definitions import is_current
from tdtsql.store.packages import create_package_tables, define_package, recorded


def copy_store(source: Engine, target: Engine, *, progress: Progress = silent) -> dict[str, int]:
    """Copy every table of ``source`` into ``target``, a store that holds nothing yet; returns table -> rows.

    Raises:
        NotAStore: the source was made with other definitions than those installed.
        ExportExists: the target holds something.
        InvalidSetting: the target is another engine, which has no views of task packages.
        InvalidInput: the target is another engine, which cannot compute a user-defined metric.
    """
    if not is_current(source):
        raise NotAStore(
            f"{source.path}: made with other definitions than those installed. `tdtsql score --db {source.path}` "
            f"updates it."
        )
    packages = recorded(source)
    names = [*shipped_tables(), *(table for found in packages for table in found.tables)]
    source.sync(None)
    copied: dict[str, int] = {}
    with TemporaryDirectory(prefix="tdtsql-") as folder, target.change():
        held = target.value(
            """select (select count(*) from registry.corpus) + (select count(*) from registry.condition) + (select
            count(*) from registry.run)"""
        )
        if held:
            raise ExportExists(f"{target.path}: the store is not empty. Name a new one.")
        for found in packages:
            create_package_tables(target, found)
        for place, name in enumerate(names):
            progress(place, len(names), f"copying {name}")
            columns, path = sql_identifiers(tables()[name].columns), Path(folder) / f"{name}.parquet"
            # the hash over the tables of a file is that file's own
            rest = "where item <> 'catalog'" if name == "registry.made_with" else ""
            copied[name] = source.value(
                f"copy (select {columns} from {name} {rest}) to {quoted_path(path)} (format parquet)"
            )
            target.execute(f"delete from {name} {rest}")
            target.execute(f"insert into {name} ({columns}) select {columns} from {parquet_source(path)}")
            path.unlink()
        for found in packages:
            define_package(target, IN_USE[found.task.name])
        check_stored_own(target)
    return copied
