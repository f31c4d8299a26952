"""What a store's tables and views are, held against what they should be.

Checks when a store opens. The installed definitions must be those of the
lock. The store's tables and views must be those it was made with: DuckDB binds a
view anew at every query, so an altered table or a replaced view or macro would
change numbers without a word. So every text is held against that of a store made afresh (its description lies
in the cache folder), whatever the store says of itself; and every view is bound once and held
against its contract, column by column. A store that was made by other definitions has nothing to be held against but
itself.
"""

import hashlib
import json
import re
import tempfile
from collections import defaultdict
from functools import cache
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import BrokenDefinition, NotAStore
from tdtsql.metric import lock
from tdtsql.metric.catalog import catalog
from tdtsql.metric.ddl import tables
from tdtsql.metric.fingerprint import closure_hashes, digest, token_hash
from tdtsql.metric.published import computed
from tdtsql.store.ledger import append, rows_hash
from tdtsql.store.contract import broken_bindings, broken_columns, contracts_hash, edited_contracts, write_contracts
from tdtsql.cache import installed_key, is_known_good, note_good
from tdtsql.store.empty import copy_compact, description, template
from tdtsql.store.profiles import load_profiles
from tdtsql.store.schema import create_tables, create_views
from tdtsql.version import __version__
from tdtsql.task import TASKS, task_columns

#: DuckDB 1.5 shows a double that 2.0 stored with a cast around it
_CAST_NUMBER = re.compile(r"CAST\((\d[\d.e+-]*) AS DOUBLE\)")


@cache
def check_installed() -> None:
    """Refuse installed definitions that are not what was published.

    Raises:
        BrokenDefinition: names each object with both hashes.
    """
    lock.check(relations=catalog)


def objects(engine: Engine) -> dict[str, str]:
    """Return the definition of every table, view and macro of a store, as DuckDB writes it, by kind and name."""
    rows = engine.rows("""
        select 'table ' || schema_name || '.' || table_name, sql from duckdb_tables()
        where not internal and not temporary
        union all
        select 'view ' || schema_name || '.' || view_name, sql from duckdb_views() where not internal and not temporary
        union all
        select 'macro ' || schema_name || '.' || function_name, coalesce(macro_definition, '') from duckdb_functions()
        where not internal and function_type in ('macro', 'table_macro')
        union all
        select 'type ' || schema_name || '.' || type_name, logical_type from duckdb_types()
        where not internal and database_name = current_database()
        union all
        select 'sequence ' || schema_name || '.' || sequence_name, coalesce(sql, '') from duckdb_sequences()
        where not temporary
        union all
        select 'index ' || schema_name || '.' || index_name, coalesce(sql, '') from duckdb_indexes()""")
    return {name: _CAST_NUMBER.sub(r"\1", text) for name, text in rows}


def comments(engine: Engine) -> dict[str, str]:
    """Return the comments of a store's tables, views and columns, by kind and name."""
    return dict(
        engine.rows("""
        select 'comment on ' || schema_name || '.' || table_name, coalesce(comment, '') from duckdb_tables()
        where not internal and not temporary
        union all
        select 'comment on ' || schema_name || '.' || view_name, coalesce(comment, '') from duckdb_views()
        where not internal and not temporary
        union all
        select 'comment on ' || schema_name || '.' || table_name || '.' || column_name, coalesce(comment, '')
        from duckdb_columns()
        where not internal and schema_name <> 'main'""")
    )


def objects_hash(engine: Engine) -> str:
    """Return one hash over ``objects``."""
    return _hash_of(objects(engine))


def _hash_of(found: dict[str, str]) -> str:
    return digest(part for item in sorted(found.items()) for part in item)


def made_with(engine: Engine) -> dict[str, str]:
    """Return the versions and hashes a store was made with."""
    return dict(engine.rows("select item, value from registry.made_with"))


def is_current(engine: Engine) -> bool:
    """Return True when a store's views are those of this installation."""
    return made_with(engine).get("definitions") == installed_key()


def check_store(engine: Engine, *, thorough: bool = False) -> None:
    """Refuse a store whose tables or views are not what it was made with.

    Args:
        engine: an open store.
        thorough: compare with a store made afresh even where the quick hash agrees.

    Raises:
        BrokenDefinition: names each object with both hashes.
        NotAStore: the store has not the tables of this version, and is to be written to.
    """
    engine.check_elsewhere()
    try:
        made = made_with(engine)
    except Exception:  # the table is not there: whatever the engine calls it
        raise NotAStore(
            f"{engine.path}: made by a version of tdtsql before 0.1.0. Evaluate its bundle into a new store."
        ) from None
    if not engine.read_only and made.get("definitions") != installed_key():
        _check_columns(engine)
    if not is_current(engine):
        # made by other definitions: nothing to compare with view by view
        now = objects_hash(engine)
        agrees = made.get("catalog") == now
        found = [] if agrees and not thorough or not _has_contracts(engine) else broken_columns(engine)
        if found:
            raise BrokenDefinition("\n".join(found))
        if not agrees and made.get("catalog") and made.get("duckdb") == engine.version:
            raise BrokenDefinition(
                f"{engine.path}: tables or views are not those the store was made with (made {made['catalog'][:8]}, "
                f"now {now[:8]}). "
                "Restore the file, or evaluate its bundle into a new store."
            )
        return
    here = objects(engine)
    found = [
        *differences(engine, here),
        *edited_lock(engine, made, thorough=thorough),
        *(edited_comments(engine) if thorough else []),
    ]
    # the state of the definitions, and of the engine that binds them
    state = digest(["definitions", _hash_of(here), contracts_hash(engine), engine.version, installed_key()])
    if not found and not thorough and is_known_good(state):
        return
    found += [*edited_contracts(engine), *broken_columns(engine), *broken_bindings(engine)]
    if found:
        raise BrokenDefinition("\n".join(dict.fromkeys(found)))
    note_good(state)


#: what a store says of its own definitions: its lock
LOCKED = ("registry.definition", "registry.metric", "registry.task", "registry.task_definition", "registry.contract")
TRACED = ("registry.lineage_step", "registry.lineage_source", "registry.source_kind")


def _lock_hash(engine: Engine, names: tuple[str, ...]) -> str:
    """Return one hash over all rows of some tables, in a fixed order."""
    return digest([*names, *(rows_hash(engine, name, tables()[name].columns)[1] for name in names)])


def edited_lock(engine: Engine, made: dict[str, str], *, thorough: bool) -> list[str]:
    """Return a message where the store's own lock was edited, or, thoroughly, is not that of this installation."""
    messages = []
    for item, names in (("lock", LOCKED), *((("lineage", TRACED),) if thorough else ())):
        now, should = _lock_hash(engine, names), _should()[item]
        if now != should or made.get(item) != should:
            messages.append(
                f"{engine.path}: {', '.join(names)}: rows were edited (installed {should[:8]}, now {now[:8]}, made "
                f"{made.get(item, 'nothing')[:8]}). "
                "Restore the file, or evaluate its bundle into a new store."
            )
    if thorough:
        own = {name: token_hash(relation) for name, relation in catalog().items()}
        closures = closure_hashes(catalog(), tables(), own=own)
        kept = {
            row[0]: row[1:]
            for row in engine.rows("select relation, token_sha256, closure_sha256 from registry.definition")
        }
        messages += [
            f"{engine.path}: registry.definition: {name} is not what its file says (file "
            f"{own.get(name, 'nothing')[:8]}, store {kept.get(name, ('nothing',))[0][:8]})."
            for name in sorted(own.keys() | kept.keys())
            if kept.get(name) != (own.get(name), closures.get(name))
        ]
    return messages


def _has_contracts(engine: Engine) -> bool:
    return bool(engine.rows("select 1 from duckdb_tables() where schema_name = 'registry' and table_name = 'contract'"))


def _check_columns(engine: Engine) -> None:
    """Refuse a store of another version whose tables have other columns: views can be made again, tables cannot."""
    there: dict[str, set[str]] = defaultdict(set)
    for table, column in engine.rows(
        "select schema_name || '.' || table_name, column_name from duckdb_columns() where not internal"
    ):
        there[table].add(column)
    for name, table in tables().items():
        if odd := there[name] ^ set(table.columns):
            raise NotAStore(
                f"{engine.path}: made by another version of tdtsql, with other columns in {name} "
                f"({', '.join(sorted(odd))}). "
                "Evaluate its bundle into a new store."
            )


def differences(engine: Engine, here: dict[str, str] | None = None) -> list[str]:
    """Return a message for every object that is not as this installation makes it, whatever the store says of
    itself.
    """
    here, should = here or objects(engine), _should()["objects"]
    messages = []
    for name in sorted(here.keys() | should.keys()):
        ours, theirs = should.get(name), here.get(name)
        kind, short = name.split(" ", 1)
        if ours == theirs or (kind == "view" and ours and theirs and mean_the_same(engine, ours, theirs)):
            continue
        if theirs is None:
            messages.append(
                f"{engine.path}: {kind} {short} is gone. Restore the file, or evaluate its bundle into a new store."
            )
        elif ours is None:
            if kind in ("macro", "type") or short.split(".")[0] in (
                "registry",
                "staging",
                "base",
                "metric",
                "report",
                "ledger",
            ):
                messages.append(
                    f"{engine.path}: {kind} {short} was added (store {_short(theirs)}). Drop it: the schemas of a "
                    f"store are its own."
                )
        else:
            messages.append(
                f"{engine.path}: {kind} {short} is not what its file says (file {_short(ours)}, store "
                f"{_short(theirs)}). "
                "Restore the file, or evaluate its bundle into a new store."
            )
    return messages


#: what stands before the query of a view
_VIEW = re.compile(r"^CREATE VIEW \S+ (?:\([^)]*\) )?AS ")
#: how DuckDB 2.0 writes types that 1.5 writes as they stand in the standard
_TYPES = {"TIMESTAMP_US": "TIMESTAMP", "TIMESTAMP": "TIMESTAMP"}


def mean_the_same(engine: Engine, one: str, other: str) -> bool:
    """Return whether two texts of a view are one query: DuckDB 1.5 and 2.0 set parentheses, blanks and casts of numbers
    otherwise, and name timestamps otherwise.
    """
    return _query_tree(engine, one) == _query_tree(engine, other)


def _query_tree(engine: Engine, view: str) -> object:
    tree = json.loads(
        engine.value("select json_serialize_sql(cast($query as varchar))", {"query": _VIEW.sub("", view).rstrip(";")})
    )
    return view if tree.get("error") else _plain_tree(tree)  # what it cannot write as a tree is equal to itself alone


def _plain_tree(node: object) -> object:
    """Return a parse tree without the places in the text, with numbers in place of numbers cast to double, and one name
    of a type.
    """
    if isinstance(node, list):
        return [_plain_tree(part) for part in node]
    if not isinstance(node, dict):
        return node
    if _is_number_cast_to_double(node):
        return _plain_tree({**node["child"], "alias": node["alias"]})  # the column's name stands on what is outermost
    if node.get("class") == "TYPE" and node["type_name"] in _TYPES and not node.get("schema"):
        path = (node.get("qualified_name") or {}).get("path", [node["type_name"]])
        if path == [node["type_name"]]:  # the engine's own, of no schema
            node = {**node, "type_name": _TYPES[node["type_name"]], "qualified_name": _TYPES[node["type_name"]]}
    return {
        key: _plain_tree(value) for key, value in node.items() if key not in ("query_location", "query_location_length")
    }


def _is_number_cast_to_double(node: dict) -> bool:
    """Return True for such a cast, in the trees of DuckDB 1.5, and of 2.0, which for a file's store are others."""
    if node.get("class") != "CAST" or node["child"].get("class") != "CONSTANT":
        return False
    child, path = node["child"], node.get("type_expr", {}).get("qualified_name", {}).get("path")
    is_number = (
        child["literal"]["kind"] in ("INTEGER", "NUMERIC")
        if "literal" in child
        else child["value"]["type"]["id"] not in ("VARCHAR", "BOOLEAN", "NULL")
    )
    return is_number and (path == ["DOUBLE"] or node.get("cast_type", {}).get("id") == "DOUBLE")


def edited_comments(engine: Engine) -> list[str]:
    """Return a message for every comment that is not as this installation makes it."""
    here, should = comments(engine), _should()["comments"]
    return [
        f"{engine.path}: {name} is not what its file says. Restore the file, or evaluate its bundle into a new store."
        for name in sorted(should)
        if here.get(name) != should[name]
    ]


@cache
def _should() -> dict:
    """Return what a store of this installation is: its objects, and the hashes of what it says of them."""
    return description(make_empty, _describe)


def empty_store() -> Path | None:
    """Return the file of an empty store of this installation, to be copied; None without a cache folder."""
    return template(make_empty, _describe)


def make_empty(path: str) -> None:
    """Make an empty store in a new file."""
    with tempfile.TemporaryDirectory(dir=Path(path).parent) as folder:
        first = str(Path(folder) / "first.duckdb")
        engine = Engine(first)
        try:
            with engine.transaction():
                create_tables(engine)
                define(engine)
        finally:
            engine.close()
        engine = Engine(first)
        try:
            write_catalog_hash(engine)
        finally:
            engine.close()
        copy_compact(first, path)


def _describe(path: str) -> dict:
    """Return what an empty store is, read back from its file: DuckDB writes a view otherwise before it was stored."""
    engine = Engine(path, read_only=True)
    try:
        return {
            "objects": objects(engine),
            "comments": comments(engine),
            "lock": _lock_hash(engine, LOCKED),
            "lineage": _lock_hash(engine, TRACED),
        }
    finally:
        engine.close()


def define(engine: Engine) -> None:
    """Make the views of this installation, its profiles, and what the registry says of them."""
    create_views(engine)
    load_profiles(engine, {}, "")
    write_definitions(engine)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def write_catalog_hash(engine: Engine) -> None:
    """Write down what the tables and views are, read back after they were stored."""
    engine.execute("delete from registry.made_with where item = 'catalog'")
    engine.execute("insert into registry.made_with values ('catalog', ?)", [objects_hash(engine)])


def write_definitions(engine: Engine) -> None:
    """Write what this installation defines: views, metrics, a fingerprint for each task, and what the store is made
    with.
    """
    for table in ("definition", "metric", "task", "task_definition", "made_with"):
        engine.execute(f"delete from registry.{table}")
    relations = catalog()
    own = {name: token_hash(relation) for name, relation in relations.items()}
    closures = closure_hashes(relations, tables(), own=own)
    engine.insert(
        "registry.definition",
        {
            "relation": list(relations),
            "title": [relation.header.title for relation in relations.values()],
            "version": [relation.version for relation in relations.values()],
            "class": ["exact" if relation.header.is_exact else "libm" for relation in relations.values()],
            "token_sha256": list(own.values()),
            "closure_sha256": [closures[name] for name in relations],
        },
    )
    rows = []
    for relation in relations.values():
        units = {column.name: column.unit for column in relation.header.columns}
        grain = "block" if "block_no" in relation.header.grain else "score"
        rows += [
            (
                metric.metric,
                relation.name,
                grain,
                f"v{relation.version}",
                metric.best,
                units[metric.metric],
                metric.title,
            )
            for metric in relation.header.metrics
        ]
    columns = ("metric", "relation", "grain", "version", "best", "unit", "title")
    engine.insert("registry.metric", {name: [row[place] for row in rows] for place, name in enumerate(columns)})
    engine.insert("registry.task", task_columns())
    engine.insert(
        "registry.task_definition",
        {
            "task": list(TASKS),
            "sha256": [
                digest(part for name in computed(task, asked=True) for part in (name, own[name])) for task in TASKS
            ],
        },
    )
    from tdtsql.store.lineage import (
        write_lineage,
    )  # it reads every view's syntax tree; a store that is opened needs none

    write_contracts(engine)
    write_lineage(engine)
    made = {
        "definitions": installed_key(),
        "lock": _lock_hash(engine, LOCKED),
        "lineage": _lock_hash(engine, TRACED),
        "tdtsql": _version(),
        "duckdb": engine.version,
    }
    engine.insert("registry.made_with", {"item": list(made), "value": list(made.values())})
    append(engine, "define", "store", made)


def _version() -> str:
    return __version__
