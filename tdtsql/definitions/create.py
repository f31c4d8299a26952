"""Tables and views of a store, created from their definitions, each with its comment.

An engine inlines a view wherever another refers to it, so a view that is referenced twice is computed twice, with its
inputs. Such a view is stored in one statement with those views of its closure that several read, one CTE each,
materialised unless its header declares it as large (filters have to reach its rows), and with the views that read one
of these. All others are referred to by name: every connection reads the texts of all views.
"""

from collections import Counter
from collections.abc import Mapping

from tdtsql.engine.duckdb import OWN_SCHEMA, Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.definitions.catalogue import Relation, closure, newest_of, shipped
from tdtsql.definitions.table import Table, shipped_tables

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
    engine.execute_all(statements)


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
    engine.execute_all(f"drop view if exists {name}" for name in there)
    create_views_of(engine, shipped().relations)


def create_views_of(engine: Engine, relations: Mapping[str, Relation]) -> None:
    """Create views in build order, with their aliases and comments; what else they read exists."""
    engine.execute_all([f"create schema if not exists {schema}" for schema in {r.schema for r in relations.values()}])
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
    engine.execute_all(statements)


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


#: table scans of a query with all views inlined, above which the closure is one statement
MOST_SCANS = 600


def stored_texts(relations: Mapping[str, Relation]) -> dict[str, str]:
    """Return the SELECT of every view in a store, in build order."""
    read = {name: Counter(place.relation for place in relation.reads) for name, relation in relations.items()}
    texts: dict[str, str] = {}
    n_scan: dict[str, int] = {}
    for name, relation in relations.items():
        n_scan[name] = sum(times * n_scan.get(other, 1) for other, times in read[name].items())
        texts[name] = relation.body
        if n_scan[name] > MOST_SCANS:
            parts = closure(relations, [name])
            n_scan[name] = sum(sum(read[part].values()) for part in parts)
            texts[name] = _one_statement(relations, parts, read)
    return texts


def _one_statement(relations: Mapping[str, Relation], parts: list[str], read: Mapping[str, Counter[str]]) -> str:
    """Return the SELECT of the last of ``parts``, with those as CTEs that several read, and what reads them."""
    n_read = Counter[str]()
    for part in parts:
        n_read.update(read[part])
    is_shared = {part: n_read[part] > 1 and not relations[part].header.is_large for part in parts}
    local: dict[str, str] = {}
    for part in parts:  # in build order
        if is_shared[part] or part == parts[-1] or read[part].keys() & local.keys():
            local[part] = part.replace(".", "_")
    steps = []
    for part, name in local.items():
        how = "materialized" if is_shared[part] else "not materialized"
        steps.append(f"{name} as {how} (\n{relations[part].reading(local)}\n)")
    columns = ", ".join(column.name for column in relations[parts[-1]].header.columns)
    steps_text = ",\n".join(steps)
    return f"with {steps_text}\nselect {columns}\nfrom {local[parts[-1]]}"
