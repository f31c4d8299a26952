"""Compare the tables and views of a store with their definitions, and their columns with their contracts.

DuckDB binds a view at every query, so an altered table or a replaced view or macro would change numbers without
notice. The types that the catalog shows for a view are recorded when it was created. So each view is bound again,
against empty tables instead of the views it reads: that takes a third of a second for all of them, and is done once for
each state of a store's definitions and engine.
"""

import hashlib
from collections.abc import Collection, Mapping
from contextlib import closing
from functools import cache

from tdtsql.definitions.catalogue import shipped_catalog
from tdtsql.definitions.contract import promises
from tdtsql.definitions.create import SCHEMAS
from tdtsql.definitions.empty import unpacked
from tdtsql.definitions.hashes import digest
from tdtsql.definitions.table import shipped_tables
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.user_query import OWN_SCHEMA

TABLE = "registry.contract"
_TYPES = f"select relation, column_name, data_type from {TABLE} order by relation, column_no"
CONTRACT_COLUMNS = "relation column_no column_name data_type unit low high is_key".split()


def broken_columns(engine: Engine) -> list[str]:
    """Return where the columns of the store are not those of its contracts, in the catalog's words."""
    return _compare(engine, stored_columns(engine), "is")


@cache
def contract_types() -> dict[str, dict[str, str]]:
    """Return relation -> column -> type of the tables and views of this installation."""
    with unpacked() as path, closing(Engine(str(path), read_only=True)) as empty:
        return column_types(empty, _TYPES)


def edited_contracts(engine: Engine) -> list[str]:
    """Return the differences between the store's contracts and those of this installation."""
    kept = {
        (row[0], row[1]): row[2:]
        for row in engine.rows(f"select relation, column_name, column_no, unit, low, high, is_key from {TABLE}")
    }
    should = {
        (promise.relation, promise.column): (
            promise.column_no,
            promise.unit,
            promise.low,
            promise.high,
            int(promise.is_key),
        )
        for promise in promises(shipped_catalog(), shipped_tables())
    }
    return [
        f"{engine.path}: the contract of {relation}, column {column}, was edited. Restore the file, or evaluate its "
        f"bundle into a new store."
        for relation, column in sorted(kept.keys() | should.keys())
        if kept.get((relation, column)) != should.get((relation, column))
    ]


def broken_bindings(engine: Engine) -> list[str]:
    """Bind every view of this installation over the store's tables, and return where the columns are not those of its
    contracts.
    """
    bound, messages = bind(engine)
    return messages + _compare(engine, bound, "binds as", only=set(bound))


def bind(engine: Engine) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return the columns of every view with types, freshly bound, and a message for each view that does not bind."""
    kept = column_types(engine, _TYPES)
    names: dict[str, str] = {}
    messages = []
    for number, relation in enumerate(shipped_catalog().values()):
        stand_in = f"bound_view_{number}"
        try:
            engine.execute(f"create or replace temp table {stand_in} as\n{relation.reading(names)}\nlimit 0")
        except Exception as error:  # whatever the engine calls it: the view does not bind
            messages.append(
                f"{engine.path}: view {relation.name} cannot be bound any more: "
                f"{str(error).splitlines()[0].rstrip('.')}. "
                "Restore the file, or evaluate its bundle into a new store."
            )
            # makes the views that read it bind too
            columns = [f"{column} {kind}" for column, kind in kept.get(relation.name, {"nothing": "integer"}).items()]
            engine.execute(f"create or replace temp table {stand_in} ({', '.join(columns)})")
        names[relation.name] = f"temp.main.{stand_in}"
    bound = {name: {row[0]: row[1] for row in engine.rows(f"describe {stand_in}")} for name, stand_in in names.items()}
    for stand_in in names.values():
        engine.execute(f"drop table {stand_in}")
    return bound, messages


def _compare(engine: Engine, there: dict[str, dict[str, str]], verb: str, only: set[str] | None = None) -> list[str]:
    kept = column_types(engine, _TYPES)
    messages = []
    for relation in sorted(kept if only is None else kept.keys() & only):
        ours, theirs = kept[relation], there.get(relation, {})
        if ours == theirs or relation == TABLE:
            continue
        for column in [*ours, *(name for name in theirs if name not in ours)]:
            if column not in theirs:
                said = "is missing"
            elif column not in ours:
                said = "was added"
            elif ours[column] != theirs[column]:
                said = f"{verb} {theirs[column]}, and its contract says {ours[column]}"
            else:
                continue
            messages.append(
                f"{engine.path}: {relation}: column {column} {said}. Restore the file, or evaluate its bundle into a "
                f"new store."
            )
    return messages


def stored_columns(engine: Engine) -> dict[str, dict[str, str]]:
    """Return relation -> column -> type of the tables and views of a store."""
    return column_types(
        engine,
        "select schema_name || '.' || table_name, column_name, data_type from duckdb_columns() where not internal and "
        "not contains(schema_name, 'main') order by 1, column_index",
    )


def column_types(engine: Engine, query: str) -> dict[str, dict[str, str]]:
    """Return relation -> column -> type, from a query of the three."""
    found: dict[str, dict[str, str]] = {}
    for relation, column, kind in engine.rows(query):
        found.setdefault(relation, {})[column] = kind
    return found


def objects(engine: Engine, left_out: Collection[str] = ()) -> dict[str, str]:
    """Return the definition of every table, view and macro of a store, as DuckDB writes it, by kind and name; without
    user-defined metrics, and those that are ``left_out``.
    """
    rows = engine.rows(f"""
        select 'table ' || schema_name || '.' || table_name, sql from duckdb_tables()
        where not internal and not temporary
        union all
        select 'view ' || schema_name || '.' || view_name, sql from duckdb_views()
        where not internal and not temporary and schema_name <> '{OWN_SCHEMA}'
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
    return {name: sql for name, sql in rows if name.split(" ", 1)[1] not in left_out}


def text_hashes(engine: Engine, left_out: Collection[str] = ()) -> dict[str, str]:
    """Return the hash of the definition of every object of a store, by kind and name."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in objects(engine, left_out).items()}


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


def objects_hash(engine: Engine, left_out: Collection[str] = ()) -> str:
    """Return one hash over ``objects``."""
    return digest(part for item in sorted(objects(engine, left_out).items()) for part in item)


def differences(engine: Engine, wanted: Mapping[str, str], left_out: Collection[str] = ()) -> list[str]:
    """Return a message for every object whose hash is not ``wanted``, whatever the store declares."""
    here = text_hashes(engine, left_out)
    messages = []
    for name in sorted(here.keys() | wanted.keys()):
        ours, theirs = wanted.get(name), here.get(name)
        kind, short = name.split(" ", 1)
        if ours == theirs:
            continue
        if theirs is None:
            messages.append(
                f"{engine.path}: {kind} {short} is missing. Restore the file, or evaluate its bundle into a new store."
            )
        elif ours is not None:
            messages.append(
                f"{engine.path}: {kind} {short} is not what its file says (file {ours[:8]}, store {theirs[:8]}). "
                "Restore the file, or evaluate its bundle into a new store."
            )
        elif kind in ("macro", "type") or short.split(".")[0] in SCHEMAS:
            messages.append(
                f"{engine.path}: {kind} {short} was added (store {theirs[:8]}). Drop it: the schemas of a store are "
                "its own."
            )
    return messages


def edited_comments(engine: Engine) -> list[str]:
    """Return a message for every comment that differs from this installation's."""
    here = comments(engine)
    with unpacked() as path:
        empty = Engine(str(path), read_only=True)
        wanted = comments(empty)
        empty.close()
    return [
        f"{engine.path}: {name} is not what its file says. Restore the file, or evaluate its bundle into a new store."
        for name in sorted(wanted)
        if here.get(name) != wanted[name]
    ]


def altered_views(engine: Engine, texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (view, what is wrong) of views of a store that are not their SELECT, by name in ``texts``: it is another
    one, or its columns have other names.
    """
    views = dict(engine.rows("select schema_name || '.' || view_name, sql from duckdb_views() where not internal"))
    found = []
    with closing(Engine(":memory:")) as parser:  # how a literal is written depends on how a store was opened
        for name, text in texts.items():
            if name not in views:
                found.append((name, "does not exist"))
                continue
            head, _, select = views[name].partition(" AS ")
            stored = _syntax_tree(parser, select)
            # a list of values in FROM gets one more SELECT around it each time that it is written
            if "(" in head or all(stored != _syntax_tree(parser, text, times) for times in (2, 3)):
                found.append((name, "is not its definition"))
    return found


def _syntax_tree(engine: Engine, select: str, times: int = 2) -> str:
    """Return the syntax tree of a SELECT in the normal form of an engine, which reads and writes it so many times."""
    text = select.rstrip("; \n")
    for _ in range(times):  # as the engine writes it once it was stored
        text = engine.value("select json_deserialize_sql(json_serialize_sql(?))", [text])
    return text.lower()  # types are compared in lower case; numbers depend on the stored text, not on views
