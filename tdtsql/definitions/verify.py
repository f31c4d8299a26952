"""What the catalog of a store has, and where that is not what its definitions say.

DuckDB binds a view at every query, so an altered table or a replaced view or macro would change numbers without
notice: the texts of all objects are compared. Columns and types follow from the texts; that they are those of the
contracts is checked when the empty store is made.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from contextlib import closing
from functools import cache

from tdtsql.definitions.catalogue import read_statement
from tdtsql.definitions.create import SCHEMAS
from tdtsql.definitions.empty import unpacked
from tdtsql.definitions.hashes import digest
from tdtsql.engine.duckdb import Engine

#: what to do about a store that is not what it should be
RESTORE = "Restore the file, or evaluate its bundle into a new store."


def stored_columns(engine: Engine) -> dict[str, dict[str, str]]:
    """Return relation -> column -> type of the tables and views of a store."""
    found: dict[str, dict[str, str]] = {}
    for relation, column, kind in engine.rows(
        "select schema_name || '.' || table_name, column_name, data_type from duckdb_columns() where not internal and "
        "not contains(schema_name, 'main') order by 1, column_index"
    ):
        found.setdefault(relation, {})[column] = kind
    return found


@cache
def shipped_columns() -> dict[str, dict[str, str]]:
    """Return the same of a new store of this installation."""
    with unpacked() as path, closing(Engine(str(path), read_only=True)) as empty:
        return stored_columns(empty)


def objects(engine: Engine) -> dict[str, str]:
    """Return the definition of every table, view and macro of a store, as DuckDB writes it, by kind and name; without
    user-defined metrics.
    """
    return dict(engine.rows(read_statement("verify/object")))


def without(there: Mapping[str, str], names: Collection[str]) -> dict[str, str]:
    """Return ``objects`` without some of them."""
    return {name: sql for name, sql in there.items() if name.split(" ", 1)[1] not in names}


def objects_hash(there: Mapping[str, str]) -> str:
    """Return one hash over ``objects``."""
    return digest(part for item in sorted(there.items()) for part in item)


def comments(engine: Engine) -> dict[str, str]:
    """Return the comments of a store's tables, views and columns, by kind and name."""
    return dict(engine.rows(read_statement("verify/comment")))


def text_hashes(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the hash of each text, by kind and name."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}


def differences(engine: Engine, here: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """Return a message for every object of a store whose hash ``here`` is not the one ``wanted``."""
    if here == wanted:
        return []
    hashes = {"here": json.dumps(here), "wanted": json.dumps(wanted), "schemas": list(SCHEMAS)}
    return engine.column(read_statement("verify/differences"), {"path": engine.path, "restore": RESTORE, **hashes})


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
