"""Compare the tables and views of a store with their definitions, when the store opens.

The installed definitions must be those of the lock. DuckDB binds a view at every query, so an altered table or a
replaced view or macro would change numbers without notice. Therefore every text is compared with that of the empty
store of this installation, whatever the store declares. A thorough check also binds every view and compares it with
its contract, column by column. A store with other definitions is compared with what it recorded of itself.
"""

import json
import warnings
from functools import cache
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers
from tdtsql.errors import BrokenDefinition, NotAStore, OtherDefinitions
from tdtsql.definitions.sets import IN_USE
from tdtsql.definitions import lock
from tdtsql.definitions.catalogue import compiled
from tdtsql.definitions.table import shipped_tables, tables
from tdtsql.definitions.hashes import digest
from tdtsql.store.recording import append
from tdtsql.store.results import rows_hash
from tdtsql.definitions.verify import (
    TABLE as CONTRACTS,
    broken_bindings,
    broken_columns,
    comments,
    differences,
    edited_comments,
    edited_contracts,
    objects_hash,
    stored_columns,
    text_hashes,
)
from tdtsql.definitions.catalogue import installed_key
from tdtsql.definitions.empty import DESCRIPTION, unpacked
from tdtsql.store.sets import (
    broken_packages,
    define_packages,
    is_installed,
    package_objects,
    recorded,
    use_recorded,
)
from tdtsql.store.profiles import load_profiles, profile_columns, shipped_profiles, stored_profiles, with_base
from tdtsql.definitions.create import create_views
from tdtsql.version import __version__


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
    made = made_with(engine)
    others = []
    if not is_current(engine):
        others.append(("tdtsql", made.get("tdtsql", "?"), made.get("definitions", ""), __version__, installed_key()))
    for found in recorded(engine):
        if is_installed(found) and (here := IN_USE[found.task.name]).sha256 != found.sha256:
            others.append((found.name, found.version, found.sha256, here.version, here.sha256))
    return [
        f"{engine.path}: written with other definitions ({name} {version}, {sha256[:8]}) than those installed ({name} "
        f"{version_here}, {sha256_here[:8]}): its views and numbers are not verified. "
        f"`tdtsql score --db {engine.path}` recomputes them."
        for name, version, sha256, version_here, sha256_here in others
    ]


def edited_profiles(engine: Engine) -> list[str]:
    """Return a message for every shipped profile whose values differ from this installation's."""
    shipped = shipped_profiles()
    wanted = {name: with_base(shipped, name) for name in shipped}
    return [
        f"{engine.path}: profile {name} is not the shipped one ({', '.join(odd)}). Restore the file, or evaluate its "
        "bundle into a new store."
        for name, row in stored_profiles(engine).items()
        if name in wanted
        and (
            odd := sorted(
                c
                for c in row.keys() | wanted[name].keys()
                if c in profile_columns() and row.get(c) != wanted[name].get(c)
            )
        )
    ]


def check_store(engine: Engine, *, thorough: bool = False) -> None:
    """Refuse a store whose tables or views differ from its recorded definitions.

    Args:
        engine: an open store.
        thorough: compare comments, lineage and contracts too, and bind every view.

    Raises:
        BrokenDefinition: names each object with both hashes.
        NotAStore: the store has not the tables of this version, and is to be written to.
    """
    try:
        made = made_with(engine)
    except Exception:  # any exception of the engine means that the table does not exist
        raise NotAStore(
            f"{engine.path}: written by a version of tdtsql before 0.1.0. Evaluate its bundle into a new store."
        ) from None
    if not engine.read_only and made.get("definitions") != installed_key():
        _check_columns(engine)
    use_recorded(engine)
    if not is_current(engine):
        # created by other definitions: views cannot be compared one by one
        now = objects_hash(engine, package_objects(engine))
        agrees = made.get("catalog") == now
        found = [] if agrees and not thorough or CONTRACTS not in stored_columns(engine) else broken_columns(engine)
        if found:
            raise BrokenDefinition("\n".join(found))
        if not agrees and made.get("catalog") and made.get("duckdb") == engine.version:
            raise BrokenDefinition(
                f"{engine.path}: tables or views are not those the store was made with (made {made['catalog'][:8]}, "
                f"now {now[:8]}). "
                "Restore the file, or evaluate its bundle into a new store."
            )
        return
    found = [
        *differences(engine, should()["objects"], package_objects(engine)),
        *broken_packages(engine),
        *edited_lock(engine, made, thorough=thorough),
        *(edited_comments(engine) if thorough else []),
        *(edited_profiles(engine) if thorough else []),
    ]
    if found or thorough:
        found += [*edited_contracts(engine), *broken_columns(engine), *broken_bindings(engine)]
    if found:
        raise BrokenDefinition("\n".join(dict.fromkeys(found)))


#: tables in which a store records its definitions: its lock
LOCKED = ("registry.definition", "registry.published", "registry.task", "registry.task_definition", "registry.contract")
TRACED = ("registry.lineage_step", "registry.lineage_source", "registry.source_kind")


#: rows that are not those of tdtsql, which are no part of the lock
_OTHERS = "relation not in (select relation from registry.definition where owner <> 'tdtsql')"
_OF_LOCK = {
    "registry.definition": "owner = 'tdtsql'",
    "registry.published": _OTHERS,
    "registry.task": "task not in (select task from registry.package)",
    "registry.task_definition": "task not in (select task from registry.package)",
}


def lock_hash(engine: Engine, names: tuple[str, ...]) -> str:
    """Return one hash over all rows of some tables, in a fixed order, but only those of tdtsql."""
    return digest([*names, *(rows_hash(engine, name, _OF_LOCK.get(name, "true"))[1] for name in names)])


def edited_lock(engine: Engine, made: dict[str, str], *, thorough: bool) -> list[str]:
    """Return a message where the store's own lock was edited, or, thoroughly, is not that of this installation."""
    messages = []
    for item, names in (("lock", LOCKED), *((("lineage", TRACED),) if thorough else ())):
        now, wanted = lock_hash(engine, names), should()[item]
        if now != wanted or made.get(item) != wanted:
            messages.append(
                f"{engine.path}: {', '.join(names)}: rows were edited (installed {wanted[:8]}, now {now[:8]}, made "
                f"{made.get(item, 'nothing')[:8]}). "
                "Restore the file, or evaluate its bundle into a new store."
            )
    if thorough:
        own = {name: entry["tokens"] for name, entry in compiled()["relations"].items()}
        closures = {name: entry["closure"] for name, entry in compiled()["relations"].items()}
        kept = {
            row[0]: row[1:]
            for row in engine.rows(
                f"""select relation, token_sha256, closure_sha256 from registry.definition
                where {_OF_LOCK["registry.definition"]}"""
            )
        }
        messages += [
            f"{engine.path}: registry.definition: {name} is not what its file says (file "
            f"{own.get(name, 'nothing')[:8]}, store {kept.get(name, ('nothing',))[0][:8]})."
            for name in sorted(own.keys() | kept.keys())
            if kept.get(name) != (own.get(name), closures.get(name))
        ]
    return messages


def _check_columns(engine: Engine) -> None:
    """Refuse a store of another version whose tables have other columns: views can be recreated, tables cannot."""
    there = stored_columns(engine)
    for name, table in shipped_tables().items():
        if odd := set(there.get(name, ())) ^ set(table.columns):
            raise NotAStore(
                f"{engine.path}: written by another version of tdtsql, with other columns in {name} "
                f"({', '.join(sorted(odd))}). "
                "Evaluate its bundle into a new store."
            )


@cache
def should() -> dict:
    """Return the expected hashes of a store of this installation: of its objects, and of its own records of them.

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
    engine = Engine(str(path), read_only=True)
    try:
        return {
            "lock": lock_hash(engine, LOCKED),
            "lineage": lock_hash(engine, TRACED),
            "comments": digest(part for item in sorted(comments(engine).items()) for part in item),
            "objects": dict(sorted(text_hashes(engine).items())),
        }
    finally:
        engine.close()


def define(engine: Engine) -> None:
    """Create the views of this installation, its profiles, and their records in the registry."""
    create_views(engine)
    load_profiles(engine, {}, "")
    write_definitions(engine)
    define_packages(engine)


def write_definitions(engine: Engine) -> None:
    """Write what this installation defines: views, metrics, tasks, contracts and lineage, as the empty store has it."""
    with unpacked() as path:
        empty = Engine(str(path), read_only=True)
        for name in (*LOCKED, *TRACED, "registry.made_with"):
            columns = list(tables()[name].columns)
            rows = empty.rows(f"select {sql_identifiers(columns)} from {name}")
            engine.execute(f"delete from {name} where {_OF_LOCK.get(name, 'true')}")
            engine.insert_rows(name, columns, rows)
        empty.close()
    # the texts of the views are written by this engine
    engine.execute("delete from registry.made_with where item in ('catalog', 'duckdb')")
    engine.insert("registry.made_with", {"item": ["duckdb"], "value": [engine.version]})
    _append_definitions(engine)


def complete(engine: Engine) -> None:
    """Write the profiles and the first ledger entry of a store whose definitions are those of this installation."""
    load_profiles(engine, {}, "")
    _append_definitions(engine)


def _append_definitions(engine: Engine) -> None:
    made = {item: value for item, value in made_with(engine).items() if item != "catalog"}
    append(engine, ("define", "store", made))


def write_catalog_hash(engine: Engine) -> None:
    """Record the hashes of tables and views, read back after they were stored."""
    engine.execute("delete from registry.made_with where item = 'catalog'")
    now = objects_hash(engine, package_objects(engine))
    engine.execute("insert into registry.made_with values ('catalog', ?)", [now])
