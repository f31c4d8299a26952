"""Tables and views of a store, created from ``sql/``, each with its comment."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.engine.user_query import OWN_SCHEMA
from tdtsql.definitions.catalogue import Relation, compiled_entry, newest_of, shipped_catalog
from tdtsql.definitions.table import Table, shipped_tables, tables
from tdtsql.definitions.hashes import digest
from tdtsql.definitions.published import computed
from tdtsql.definitions.statement import stored_texts

SCHEMAS = {
    "registry": "What is loaded, and what is defined",
    "staging": "As found in the official files",
    "base": "Typed: one row per judged thing",
    "metric": "Counts, rates, costs: always computed from base",
    "report": "One row per stored, current score",
    "ledger": "What was computed from what",
}


def create_tables(engine: Engine) -> None:
    """Create the schemas and tables of an empty store."""
    statements = []
    # DuckDB has no comments on schemas
    statements += [f"create schema if not exists {schema}" for schema in SCHEMAS]
    for table in shipped_tables().values():
        statements += [table.statement, *table_comments(table)]
    _execute_all(engine, statements)


def drop_deleted_rows(engine: Engine) -> None:
    """Rewrite those tables of the registry that have half as many deleted rows as others, or more.

    The engine plans with the number of rows of a table, including deleted ones, and small tables retain these. Each
    lookup table of trials multiplies the estimate, until decisions of all topics are read to find those of one.
    """
    held = dict(
        engine.rows(
            "select 'registry.' || table_name, estimated_size from duckdb_tables() where schema_name = 'registry' and "
            "database_name = current_database()"
        )
    )
    there = engine.rows(
        " union all ".join(f"select '{name}', count(*) from {name}" for name in tables() if name in held)
    )
    for name, n_row in there:
        if held[name] > 1.5 * n_row:
            table = tables()[name]
            engine.execute(f"create or replace temp table written_anew as select * from {name}")
            _execute_all(engine, [f"drop table {name}", table.statement, *table_comments(table)])
            engine.execute(f"insert into {name} by name select * from written_anew")
            engine.execute("drop table written_anew")


def create_views(engine: Engine) -> None:
    """Recreate every view of this installation, with its alias and comments.

    DuckDB binds a view, and all views that it reads, when it is created: the time would grow with the depth of the
    chain. So each relation is first created as an empty table, and then, from the top down, replaced by its view, which
    binds against tables only.
    """
    # user-defined metrics stay as they are
    there = engine.column(
        f"""select schema_name || '.' || view_name from duckdb_views() where not internal and
        schema_name <> '{OWN_SCHEMA}' order by view_oid desc"""
    )
    _execute_all(engine, [f"drop view if exists {name}" for name in there])
    create_views_of(engine, shipped_catalog())


def create_views_of(engine: Engine, relations: Mapping[str, Relation]) -> None:
    """Create views in build order, with their aliases and comments; what else they read exists."""
    texts, aliases = stored_texts(relations), alias_texts(relations)
    statements = [f"create table {relation.name} as\n{relation.body}\nlimit 0" for relation in relations.values()]
    for alias, relation in newest_of(relations).items():
        if alias in aliases:
            statements += [f"create view {alias} as {aliases[alias]}", *view_comments(alias, relation)]
    for relation in reversed(list(relations.values())):
        statements += [
            f"drop table {relation.name}",
            f"create view {relation.name} as\n{texts[relation.name]}",
            *view_comments(relation.name, relation),
        ]
    _execute_all(engine, statements)


def table_comments(table: Table) -> list[str]:
    """Return the statements for the comments of a table and its columns."""
    return [
        f"comment on table {table.name} is {sql_literal(table.title)}",
        *(f"comment on column {table.name}.{column} is {sql_literal(text)}" for column, text in table.comments.items()),
    ]


def view_comments(name: str, relation: Relation) -> list[str]:
    """Return the statements for the comments of a view, called ``name``, and its columns."""
    header = relation.header
    title = f"{header.title}. Source: {' '.join(header.fields['source'].split())}"
    return [
        f"comment on view {name} is {sql_literal(title)}",
        *(
            f"comment on column {name}.{column.name} is {sql_literal(f'{column.unit}; {column.text}'.rstrip('; '))}"
            for column in header.columns
        ),
    ]


def alias_texts(relations: Mapping[str, Relation]) -> dict[str, str]:
    """Return the SELECT of the view that has the name of each relation without its version: its newest version."""
    newest = newest_of(relations)
    return {alias: f"select * from {relation.name}" for alias, relation in newest.items() if alias != relation.name}


def altered_views(engine: Engine, texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (view, what is wrong) of views of a store that differ from their SELECT, by name in ``texts``."""
    views = dict(engine.rows("select schema_name || '.' || view_name, sql from duckdb_views() where not internal"))
    found = []
    with closing(Engine(":memory:")) as parser:  # how a literal is written depends on how a store was opened
        for name, text in texts.items():
            if name not in views:
                found.append((name, "does not exist"))
                continue
            stored = _syntax_tree(parser, views[name].partition(" AS ")[2])
            # a list of values in FROM gets one more SELECT around it each time that it is written
            if all(stored != _syntax_tree(parser, text, times) for times in (2, 3)):
                found.append((name, "is not its definition"))
    return found


def _syntax_tree(engine: Engine, select: str, times: int = 2) -> str:
    """Return the syntax tree of a SELECT in the normal form of an engine, which reads and writes it so many times."""
    text = select.rstrip("; \n")
    for _ in range(times):  # as the engine writes it once it was stored
        text = engine.value("select json_deserialize_sql(json_serialize_sql(?))", [text])
    return text.lower()  # types are compared in lower case; numbers depend on the stored text, not on views


def definition_rows(
    relations: Mapping[str, Relation], entries: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, list]]:
    """Return what the registry says of views: table -> columns; ``entries`` are the same views as compiled."""
    published = [
        {
            "metric": metric.metric,
            "relation": relation.name,
            "grain": "block" if "block_no" in relation.header.grain else "score",
            "version": f"v{relation.version}",
            "best": metric.best,
            "unit": next(column.unit for column in relation.header.columns if column.name == metric.column),
            "title": metric.title,
            "column_name": metric.column,
        }
        for relation in relations.values()
        for metric in relation.header.metrics
    ]
    return {
        "registry.definition": {
            "relation": list(relations),
            "title": [relation.header.title for relation in relations.values()],
            "version": [relation.version for relation in relations.values()],
            "class": [relation.header.kind for relation in relations.values()],
            "token_sha256": [entries[name]["tokens"] for name in relations],
            "closure_sha256": [entries[name]["closure"] for name in relations],
        },
        "registry.published": {
            name: [row[name] for row in published]
            for name in ("metric", "relation", "grain", "version", "best", "unit", "title", "column_name")
        },
    }


def stored_columns(engine: Engine) -> dict[str, dict[str, str]]:
    """Return relation -> column -> type of the tables and views of a store."""
    return types_of(
        engine,
        "select schema_name || '.' || table_name, column_name, data_type from duckdb_columns() where not internal and "
        "not contains(schema_name, 'main') order by 1, column_index",
    )


def types_of(engine: Engine, query: str) -> dict[str, dict[str, str]]:
    """Return relation -> column -> type, from a query of the three."""
    found: dict[str, dict[str, str]] = {}
    for relation, column, kind in engine.rows(query):
        found.setdefault(relation, {})[column] = kind
    return found


def task_hash(task: str) -> str:
    """Return one hash over all views that are computed for a task, by default or on request."""
    return digest(part for name in computed(task, asked=True) for part in (name, str(compiled_entry(name)["tokens"])))


def profile_columns() -> list[str]:
    """Return the value columns of registry.profile."""
    return [
        name
        for name in tables()["registry.profile"].columns
        if name not in ("profile_no", "profile_id", "base_profile", "source")
    ]


def _execute_all(engine: Engine, statements: list[str]) -> None:
    if statements:  # one round trip: a store has some thousand comments
        engine.execute(";\n".join(statements))
