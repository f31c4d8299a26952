"""Views written for another engine: the closure of a metric in build order, or a refusal.

A view is parsed, lowered (``lower.py``), checked against the portable subset, changed where the engine
differs (``dialect.py``), and written with sqlglot, which raises where it would drop
something. It is written from the tree without types: sqlglot 30 loses a cast in
nested divisions once types are on it.
"""

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError

from tdtsql.errors import NotPortable
from tdtsql.definitions.catalogue import Relation, catalog, closure, views_named
from tdtsql.definitions.table import Table, tables
from tdtsql.build.dialect import Dialect, dialect

from tdtsql.build.lint import PORTABLE, add_types, lint_relation, table_types
from tdtsql.build.lower import columns_of, lowered_tree

#: versions of sqlglot whose output was compared between engines; older ones write other text
TESTED = ((30, 20), (31, 0))


def render(name: str, engine: str, *, with_tables: bool = False) -> str:
    """Return the statements that create a metric's views and all they read on ``engine``.

    Args:
        name: a metric, or a view with or without version.
        engine: a name of ``dialect.DIALECTS``.
        with_tables: begin with the tables that the views read.

    Raises:
        UnknownName: no such relation or engine.
        NotPortable: a view uses what cannot be carried over; all findings are named.
    """
    relations, target = catalog(), dialect(engine)
    asked, left_out = _without_external(relations, views_named(name), name)
    names = closure(relations, asked)
    _check_version(target)
    trees = portable_trees(relations, names, tables(), only_duckdb=target.name == "duckdb")
    read = sorted({read for view in names for read in relations[view].header.inputs if read not in relations})
    schemas = sorted({view.split(".")[0] for view in [*names, *(read if with_tables else [])]})
    statements = [f"create schema if not exists {schema};" for schema in schemas]
    if with_tables:
        statements += [render_table(tables()[table], target) for table in read]
    statements += [
        f"create or replace view {view} as\n{render_tree(relations[view], trees[view], target)};" for view in names
    ]
    head = f"-- {', '.join(asked)} and what it reads, for {target.title}\n"
    if left_out:
        head += f"-- not in SQL, so not here: {', '.join(left_out)}\n"
    return head + "\n\n".join(statements) + "\n"


def _without_external(relations: dict[str, Relation], views: list[str], name: str) -> tuple[list[str], list[str]]:
    """Return the views that SQL defines from the tables up, and the others.

    Raises:
        NotPortable: there are only others.
    """
    below = {view: [relations[read] for read in closure(relations, [view])] for view in views}
    external = {view: [one for one in read if one.header.is_external] for view, read in below.items()}
    asked = [view for view in views if not external[view]]
    if not asked:
        first = external[views[0]][0]
        raise NotPortable(
            f"{name} cannot be rendered: {first.name} is computed by {first.header.fields['module']}, not by SQL "
            f"({first.header.reason})."
        )
    return asked, [view for view in views if external[view]]


def portable_trees(
    relations: dict[str, Relation], names: list[str], known: dict[str, Table], *, only_duckdb: bool = False
) -> dict[str, exp.Query]:
    """Return the trees of the named views, which must be portable; with ``only_duckdb`` also those that only DuckDB
    reads.

    Raises:
        NotPortable: names every file and construct that is not.
    """
    types, columns, trees, refused = table_types(known), columns_of(relations, known), {}, []
    for name in names:
        relation = relations[name]
        if relation.schema not in PORTABLE:
            refused.append(
                f"{relation.place}: the layer {relation.schema} is for DuckDB only. Render views of "
                f"{', '.join(sorted(PORTABLE))}."
            )
            continue
        tree = lowered_tree(relation, columns)
        with_types = add_types(relation, tree, types)
        if not relation.header.only_duckdb:
            refused += [str(finding) for finding in lint_relation(relation, tree, with_types)]
        elif not only_duckdb:
            refused.append(f"{relation.place}: runs on DuckDB only ({relation.header.only_duckdb}). Render for duckdb.")
        trees[name] = tree
    if refused:
        raise NotPortable("\n".join(refused))
    return trees


def render_tree(relation: Relation, tree: exp.Expr, target: Dialect) -> str:
    """Return one view's SELECT as ``target`` reads it.

    Raises:
        NotPortable: sqlglot cannot write it, or what it wrote does not parse.
    """
    if target.name == "duckdb":
        return relation.body
    tree = _rewritten(tree.copy(), target)
    try:
        text = tree.sql(target.name, unsupported_level=ErrorLevel.RAISE, pretty=True, comments=False)
        sqlglot.parse_one(text, read=target.name)
    except SqlglotError as error:
        message = " ".join(str(error).split())[:200]
        raise NotPortable(f"{relation.place}: {target.title} cannot take it: {message}.") from None
    return text


def _rewritten(tree: exp.Expr, target: Dialect) -> exp.Expr:
    for rewrite in target.rewrites:
        rewrite(tree)
    for step in tree.find_all(exp.CTE):
        step.set("materialized", None)  # a hint to DuckDB's planner
    return tree


def render_table(table: Table, target: Dialect, name: str = "") -> str:
    """Return the statement that creates a table, under another name if one is given, without keys and constraints."""
    columns = ",\n".join(f'    "{column}" {table.type_of(column)}' for column in table.columns)
    statement = f"create table if not exists {name or table.name} (\n{columns}\n)"
    if target.name == "duckdb":
        return f"{statement};"
    tree = _rewritten(sqlglot.parse_one(statement, read="duckdb"), target)
    return tree.sql(target.name, pretty=True, unsupported_level=ErrorLevel.RAISE) + ";"


def _check_version(target: Dialect) -> None:
    installed: str = sqlglot.__version__
    version = tuple(int(part) for part in installed.split(".")[:2] if part.isdigit())
    if target.name != "duckdb" and not TESTED[0] <= version < TESTED[1]:
        low, high = (".".join(map(str, bound)) for bound in TESTED)
        raise NotPortable(
            f"sqlglot {installed} writes other text than was tested. Install sqlglot>={low},<{high} to "
            f"render for {target.title}."
        )
