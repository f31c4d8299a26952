"""Open the file of a store, or create it, and compare it with the definitions of this installation; record these in a
new store.

The installed definitions must be those of the lock. Every text of the store's catalog is compared with that of the
empty store of this installation, whatever the store declares, and so are the rows in which it records its definitions;
a thorough check compares comments, lineage and profiles, too. A store with other definitions is compared with what it
recorded of itself.
"""

import json
import os
import shutil
import warnings
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

import duckdb

from tdtsql.definitions import lock
from tdtsql.definitions.catalogue import installed_key, read_statement
from tdtsql.definitions.create import create_views
from tdtsql.definitions.empty import DESCRIPTION, copy_into_file, copy_into_memory, unpacked
from tdtsql.definitions.hashes import digest
from tdtsql.definitions.sets import IN_USE
from tdtsql.definitions.table import shipped_tables, tables
from tdtsql.definitions.verify import (
    RESTORE,
    comments,
    differences,
    objects,
    objects_hash,
    stored_columns,
    text_hashes,
    without,
)
from tdtsql.engine.duckdb import Engine, check_file_name
from tdtsql.engine.sandbox import deny_files
from tdtsql.errors import BrokenDefinition, NotAStore, OtherDefinitions
from tdtsql.store.define import define_set, say_replaced, use_recorded
from tdtsql.store.profiles import load_profiles, profile_columns, shipped_profiles, stored_profiles, with_base
from tdtsql.store.recording import record_profiles, rows_hashes
from tdtsql.store.sets import broken_packages, package_objects, package_set, recorded
from tdtsql.version import __version__

#: tables in which a store records its definitions: its lock, and the lineage of columns
LOCKED = ("registry.definition", "registry.published", "registry.task", "registry.task_definition", "registry.contract")
TRACED = ("registry.lineage_step", "registry.lineage_source", "registry.source_kind")

_OTHERS = "relation not in (select relation from registry.definition where owner <> 'tdtsql')"
_TASKS = "task not in (select task from registry.package)"
#: which of their rows are those of tdtsql
_SHIPPED_ROWS = {
    "registry.definition": "owner = 'tdtsql'",
    "registry.published": _OTHERS,
    "registry.task": _TASKS,
    "registry.task_definition": _TASKS,
}


@cache
def check_installed() -> None:
    """Refuse installed definitions that are not what was published.

    Raises:
        BrokenDefinition: names each object with both hashes.
    """
    lock.check()
    for file in lock.unlisted():
        warnings.warn(f"{file} is in no lock: left out.", OtherDefinitions, stacklevel=2)


def made_with(engine: Engine) -> dict[str, str]:
    """Return the versions and hashes with which a store was created."""
    return dict(engine.rows("select item, value from registry.made_with"))


def is_current(engine: Engine) -> bool:
    """Return True when a store's views are those of this installation."""
    return made_with(engine).get("definitions") == installed_key()


def foreign(engine: Engine) -> list[str]:
    """Return a message if a store, or the part of a package in it, was created by other definitions than those
    installed: its numbers are shown by its own views, which this installation cannot verify.
    """
    here = {"tdtsql": (__version__, installed_key())}
    here |= {one.name: (one.version, one.sha256) for one in IN_USE.values() if one.package}
    return engine.column(read_statement("verify/foreign"), {"path": engine.path, "here": json.dumps(here)})


def check_store(engine: Engine, there: Mapping[str, str] | None = None, *, thorough: bool = False) -> None:
    """Refuse a store whose tables or views differ from its recorded definitions.

    Args:
        engine: an open store.
        there: its definitions (`objects`), where they were just read.
        thorough: compare comments, lineage and profiles too.

    Raises:
        BrokenDefinition: names each object with both hashes.
        NotAStore: the store has not the tables of this version, and is to be written to.
    """
    made = made_with(engine)
    is_of_here = made.get("definitions") == installed_key()
    if not is_of_here:
        _check_columns(engine)
    use_recorded(engine)
    now = without(objects(engine) if there is None else there, package_objects(engine))
    if is_of_here:
        found = [
            *differences(engine, text_hashes(now), should()["objects"]),
            *broken_packages(engine),
            *edited_lock(engine, made, thorough=thorough),
        ]
        if thorough:
            with unpacked() as path, closing(Engine(str(path), read_only=True)) as empty:
                found += differences(engine, text_hashes(comments(engine)), text_hashes(comments(empty)))
            found += _edited_profiles(engine)
        if found:
            raise BrokenDefinition("\n".join(found))
    elif made.get("duckdb") == engine.version and "catalog" in made:  # other versions write the texts otherwise
        sha256 = objects_hash(now)
        if sha256 != made["catalog"]:
            raise BrokenDefinition(
                f"{engine.path}: tables or views are not those the store was made with (made {made['catalog'][:8]}, "
                f"now {sha256[:8]}). {RESTORE}"
            )


def _check_columns(engine: Engine) -> None:
    """Refuse to write to a store of another version whose tables have other columns: views can be recreated, tables
    cannot. Of one that is read, note what it lacks.
    """
    there, lacking = stored_columns(engine), []
    for name, table in shipped_tables().items():
        odd = there.get(name, {}).keys() ^ table.columns.keys()
        lacking += [f"{name}.{column}" for column in sorted(odd & table.columns.keys())] if name in there else [name]
        if odd and not engine.read_only:
            raise NotAStore(
                f"{engine.path}: written by another version of tdtsql, with other columns in {name} "
                f"({', '.join(sorted(odd))}). Evaluate its bundle into a new store."
            )
    engine.lacking = lacking


def _edited_profiles(engine: Engine) -> list[str]:
    """Return a message for every shipped profile whose values differ from this installation's."""
    there, shipped, found = stored_profiles(engine), shipped_profiles(), []
    for name in there.keys() & shipped.keys():
        wanted = with_base(shipped, name)
        if odd := sorted(column for column in profile_columns() if there[name].get(column) != wanted.get(column)):
            found.append(f"{engine.path}: profile {name} is not the shipped one ({', '.join(odd)}). {RESTORE}")
    return sorted(found)


def lock_hash(engine: Engine, names: tuple[str, ...]) -> str:
    """Return one hash over all rows of some tables, in a fixed order, but only those of tdtsql."""
    return digest([*names, *rows_hashes(engine, {name: _SHIPPED_ROWS.get(name, "true") for name in names})])


def edited_lock(engine: Engine, made: Mapping[str, str], *, thorough: bool) -> list[str]:
    """Return a message where the store's own records of its definitions (thoroughly: their lineage too) are not those
    of this installation.
    """
    found = []
    for item, names in (("lock", LOCKED), ("lineage", TRACED))[: 1 + thorough]:
        now, wanted = lock_hash(engine, names), should()[item]
        if now != wanted or made.get(item) != wanted:
            found.append(
                f"{engine.path}: {', '.join(names)}: rows were edited (installed {wanted[:8]}, now {now[:8]}, made "
                f"{made.get(item, 'nothing')[:8]}). {RESTORE}"
            )
    return found


@cache
def should() -> dict:
    """Return the expected hashes of a store of this installation: of its objects, and of its records of them.

    They are compiled; for another version of DuckDB, which formats the texts differently, they are read from the empty
    store.
    """
    found = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    if found["duckdb"] != duckdb.__version__:
        with unpacked() as path:
            found |= describe(path)
    return found


def describe(path: Path) -> dict:
    """Return the definitions of a store, read back from its file: DuckDB formats a view differently before it is
    stored.
    """
    with closing(Engine(str(path), read_only=True)) as engine:
        return {
            "lock": lock_hash(engine, LOCKED),
            "lineage": lock_hash(engine, TRACED),
            "objects": dict(sorted(text_hashes(objects(engine)).items())),
        }


# ---- what a store records of this installation


def define(engine: Engine) -> None:
    """Create the views of this installation, its profiles, and their records in the registry."""
    create_views(engine)
    with unpacked() as path, closing(Engine(str(path), read_only=True)) as empty:
        for name in (*LOCKED, *TRACED, "registry.made_with"):
            engine.execute(f"delete from {name} where {_SHIPPED_ROWS.get(name, 'true')}")
            engine.insert_rows(name, list(tables()[name].columns), empty.rows(f"from {name}"))
    # the texts of the views are written by this engine
    engine.execute("delete from registry.made_with where item in ('catalog', 'duckdb')")
    engine.execute("insert into registry.made_with values ('duckdb', ?)", [engine.version])
    load_profiles(engine, {}, "")
    complete(engine)
    for package in recorded(engine):
        define_set(engine, package_set(package))


def complete(engine: Engine) -> None:
    """Write the first entries of the ledger of a store whose definitions are those of this installation."""
    made = {item: value for item, value in made_with(engine).items() if item != "catalog"}
    record_profiles(engine, shipped_profiles(), ("define", "store", made))


def write_catalog_hash(engine: Engine) -> None:
    """Record the hashes of tables and views, read back after they were stored."""
    engine.execute("delete from registry.made_with where item = 'catalog'")
    now = objects_hash(without(objects(engine), package_objects(engine)))
    engine.execute("insert into registry.made_with values ('catalog', ?)", [now])


# ---- opening


def open_file(path: str, *, read_only: bool = False, trace: bool = False) -> Engine:
    """Open the store of a file; create it if it does not exist. ``:memory:`` is a temporary store.

    Raises:
        StoreLocked: another process has it open.
        NotAStore: the file is not a database, or one that tdtsql did not create.
        BrokenDefinition: tables or views differ from their recorded definitions.
    """
    check_file_name(path)
    check_installed()
    is_new = path != ":memory:" and not read_only and not Path(path).exists()
    if is_new:
        try:
            copy_into_file(path)
        except FileExistsError:
            is_new = False  # another process was faster
        except OSError as error:
            raise NotAStore(f"{path}: cannot be made: {error.strerror}.") from None
    engine = Engine(path, read_only=read_only, trace=trace)
    try:
        if path == ":memory:":
            copy_into_memory(engine)
        elif not is_new and _prepare(engine):
            # DuckDB writes a view otherwise once it was stored: look again
            engine.close()
            return open_file(path, trace=trace)
        if not engine.read_only:
            [(is_begun, has_catalog)] = engine.rows(
                """select exists (from ledger.entry) or exists (from registry.corpus),
                exists (from registry.made_with where item = 'catalog')"""
            )
            if not is_begun:  # a copy of the empty store to which nothing was written yet
                with engine.transaction():
                    complete(engine)
            if not has_catalog:
                write_catalog_hash(engine)
    except BaseException:
        engine.close()
        raise
    return engine


def _prepare(engine: Engine) -> bool:
    """Complete a new store; refuse changed definitions; update those of an older installation.

    Returns True if the file was written and must be opened again.
    """
    there = objects(engine)
    if "table registry.run" not in there:
        if there:
            raise NotAStore(
                f"{engine.path}: a database with {min(there)} in it, not a store. Name another file with --db."
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
    if "table registry.made_with" not in there:
        raise NotAStore(f"{engine.path}: registry.made_with is not a table. tdtsql did not make this store.")
    made = made_with(engine)
    is_old = made.get("definitions") != installed_key()
    if engine.read_only and is_old:
        deny_files(engine)  # views of other definitions are untrusted: they never read files
    check_store(engine, there)
    if engine.read_only or not is_old:
        return False
    with engine.transaction():
        define(engine)
    made_by = made.get("tdtsql", "?"), made.get("definitions", "")
    say_replaced(engine, "tdtsql", *made_by, __version__, installed_key())
    return True
