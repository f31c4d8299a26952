"""Open the file of a store, or create it, and compare it with its definitions."""

import os
import shutil
from pathlib import Path

from tdtsql.engine.duckdb import Engine, check_file_name
from tdtsql.engine.sandbox import deny_files
from tdtsql.definitions.catalogue import installed_key
from tdtsql.errors import NotAStore
from tdtsql.definitions.table import tables
from tdtsql.definitions.verify import objects
from tdtsql.store.definitions import (
    check_installed,
    check_store,
    complete,
    define,
    is_current,
    made_with,
    write_catalog_hash,
)
from tdtsql.definitions.empty import copy_into_file, copy_into_memory, unpacked
from tdtsql.store.define import say_replaced
from tdtsql.version import __version__


def open_file(path: str, *, read_only: bool = False, trace: bool = False) -> Engine:
    """Open the store of a file; create it if it does not exist. ``:memory:`` is a temporary store.

    Raises:
        StoreLocked: another process has it open.
        NotAStore: the file is not a database, or one that tdtsql did not create.
        BrokenDefinition: tables or views differ from their recorded definitions.
    """
    check_file_name(path)
    is_new = path != ":memory:" and not read_only and not Path(path).exists()
    if is_new:
        check_installed()
        try:
            copy_into_file(path)
        except FileExistsError:
            is_new = False  # another process was faster
        except OSError as error:
            raise NotAStore(f"{path}: cannot be made: {error.strerror}.") from None
    engine = Engine(path, read_only=read_only, trace=trace)
    engine.expected = {name: tuple(table.columns) for name, table in tables().items()}
    try:
        if path == ":memory:":
            check_installed()
            copy_into_memory(engine)
        elif not is_new and _prepare(engine):
            # DuckDB writes a view otherwise once it was stored: look again
            engine.close()
            return open_file(path, trace=trace)
        if not engine.read_only:
            # a copy of the empty store to which nothing was written yet
            if not engine.rows("select 1 from ledger.entry union all select 1 from registry.corpus limit 1"):
                with engine.transaction():
                    complete(engine)
            if "catalog" not in made_with(engine):
                write_catalog_hash(engine)
    except BaseException:
        engine.close()
        raise
    return engine


def _prepare(engine: Engine) -> bool:
    """Complete a new store; refuse changed definitions; update those of an older installation.

    Returns True if the file was written and must be opened again.
    """
    check_installed()
    kinds = dict(
        engine.rows(
            """select table_name, 'table' from duckdb_tables() where schema_name = 'registry'
            union all select view_name, 'view' from duckdb_views() where schema_name = 'registry'"""
        )
    )
    if "run" not in kinds:
        if there := sorted(objects(engine)):
            raise NotAStore(
                f"{engine.path}: a database with {there[0]} in it, not a store. Name another file with --db."
            )
        if engine.read_only:
            raise NotAStore(
                f"{engine.path}: an empty database. `tdtsql evaluate BUNDLE.toml --db {engine.path}` fills it."
            )
        # not filled with views: a file of another storage version would write them otherwise
        engine.close()
        path = Path(engine.path).resolve()
        with unpacked(path) as empty:
            shutil.copymode(path, empty)
            os.replace(empty, path)
        return True
    if kinds.get("made_with") == "view":
        raise NotAStore(f"{engine.path}: registry.made_with is a view. tdtsql did not make this store.")
    is_old = "made_with" not in kinds or not is_current(engine)
    if engine.read_only and is_old:
        deny_files(engine)  # views of other definitions are untrusted: they never read files
    check_store(engine)
    if engine.read_only or not is_old:
        return False
    made = made_with(engine)
    with engine.transaction():
        define(engine)
    made_by = made.get("tdtsql", "?"), made.get("definitions", "")
    say_replaced(engine, "tdtsql", *made_by, __version__, installed_key())
    return True
