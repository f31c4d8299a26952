"""Views written for another engine: the closure of a metric in build order, or a refusal.

A view is parsed, made strict (``strict.py``), checked against the portable subset, changed where the engine
differs (``dialect/``), and written with sqlglot, which raises where it would drop
something. It is written from the tree without types: sqlglot 30 loses a cast in
nested divisions once types are on it.
"""

from collections.abc import Mapping
import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError

from tdtsql.errors import NotPortable
from tdtsql.definitions.catalogue import Relation, cached_definitions, catalog, closure, views_named
from tdtsql.definitions.table import Table, tables
from tdtsql.build.dialect import Dialect, dialect
from tdtsql.build.parsing import place
from tdtsql.build.lint import PORTABLE, add_types, lint_relation, table_types
from tdtsql.build.strict import columns_of, strict_tree

#: versions of sqlglot whose output was compared between engines; older ones write other text
TESTED = ((30, 20), (31, 0))


def render(name: str, engine: str, *, with_tables: bool = False) -> str:
    """Return the statements that create a metric's views and all they read on ``engine``.

    Args:
        name: a metric, or a view with or without version.
        engine: a name of ``dialect.ENGINES``.
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
    statements = list(target.preamble)
    schemas = sorted({view.split(".")[0] for view in [*names, *(read if with_tables else [])]})
    statements += [target.schema.format(name=schema) for schema in schemas]
    if with_tables:
        statements += [render_table(tables()[table], target) for table in read]
    statements += [
        target.view.format(name=view, body=render_tree(relations[view], trees[view], target)) for view in names
    ]
    standing = "results compared with DuckDB's" if target.standing == "run" else "rendered and parsed, never run"
    head = f"-- {', '.join(asked)} and what it reads, for {target.title} ({standing})\n"
    if left_out:
        head += f"-- not in SQL, so not here: {', '.join(left_out)}\n"
    return head + "\n\n".join(statements) + "\n"


def external_below(relations: dict[str, Relation], name: str) -> list[Relation]:
    """Return the views of class external among a view and all it reads."""
    return [relations[view] for view in closure(relations, [name]) if relations[view].header.is_external]


def _without_external(relations: dict[str, Relation], views: list[str], name: str) -> tuple[list[str], list[str]]:
    """Return the views that SQL defines from the tables up, and the others.

    Raises:
        NotPortable: there are only others.
    """
    external = {view: external_below(relations, view) for view in views}
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
                f"{place(relation)}: the layer {relation.schema} is for DuckDB only. Render views of "
                f"{', '.join(sorted(PORTABLE))}."
            )
            continue
        tree = strict_tree(relation, columns)
        with_types = add_types(relation, tree, types)
        if not relation.header.only_duckdb:
            refused += [str(finding) for finding in lint_relation(relation, tree, with_types)]
        elif not only_duckdb:
            refused.append(
                f"{place(relation)}: runs on DuckDB only ({relation.header.only_duckdb}). Render for duckdb."
            )
        trees[name] = tree
    if refused:
        raise NotPortable("\n".join(refused))
    return trees


def render_tree(relation: Relation, tree: exp.Expr, target: Dialect) -> str:
    """Return one view's SELECT as ``target`` reads it.

    Raises:
        NotPortable: sqlglot cannot write it, or what it wrote does not parse.
    """
    return catalog()[relation.name].body if target.name == "duckdb" else _written(tree.copy(), target, place(relation))


def render_view(
    relation: Relation, target: Dialect, names: Mapping[str, str], own: Mapping[str, Relation] | None = None
) -> str:
    """Return the SELECT of a view of this installation, or of a user-defined metric, as ``target`` reads it, reading
    ``names[x]`` in place of ``x``; ``own`` are the user-defined metrics that it may read.

    Raises:
        NotPortable: as `render_tree`.
    """
    _check_version(target)
    if relation.name in catalog():
        tree = _rewritten_view(relation.name, target).copy()
    else:
        tree = _rewritten(strict_tree(relation, columns_of({**catalog(), **(own or {})}, tables())), target)
    for table in tree.find_all(exp.Table):
        instead = names.get(f"{table.db}.{table.name}") if table.db else None
        if instead is not None:
            table.replace(exp.alias_(exp.to_table(instead, dialect=target.name), table.alias, table=True))
    return _text(tree, target, relation.name)


@cached_definitions
def _rewritten_view(name: str, target: Dialect) -> exp.Expr:
    return _rewritten(strict_tree(catalog()[name]), target)


def transpile(select: str, target: Dialect, what: str) -> str:
    """Return a portable SELECT as ``target`` reads it; ``what`` names it in errors.

    Raises:
        NotPortable: as `render_tree`.
    """
    _check_version(target)
    return _written(sqlglot.parse_one(select, read="duckdb"), target, what)


def _written(tree: exp.Expr, target: Dialect, what: str) -> str:
    return _text(_rewritten(tree, target), target, what)


def _rewritten(tree: exp.Expr, target: Dialect) -> exp.Expr:
    for rewrite in target.rewrites:
        tree = rewrite(tree)
    for step in tree.find_all(exp.CTE):
        step.set("materialized", None)  # a hint to DuckDB's planner
    return tree


def _text(tree: exp.Expr, target: Dialect, what: str) -> str:
    try:
        text = tree.sql(target.name, unsupported_level=ErrorLevel.RAISE, pretty=True, comments=False)
        sqlglot.parse_one(text, read=target.name)
    except SqlglotError as error:
        raise NotPortable(f"{what}: {target.title} cannot take it: {' '.join(str(error).split())[:200]}.") from None
    return text


def render_table(table: Table, target: Dialect) -> str:
    """Return the statement that creates a table, keys and constraints left out."""
    columns = ",\n".join(f"    {column} {table.type_of(column)}" for column in table.columns)
    statement = f"create table {table.name} (\n{columns}\n)"
    if target.name == "duckdb":
        return f"{statement};"
    tree = _rewritten(sqlglot.parse_one(statement, read="duckdb"), target)
    engine = " engine = MergeTree order by tuple()" if target.name == "clickhouse" else ""
    return tree.sql(target.name, pretty=True, unsupported_level=ErrorLevel.RAISE) + f"{engine};"


def _check_version(target: Dialect) -> None:
    installed: str = sqlglot.__version__
    version = tuple(int(part) for part in installed.split(".")[:2] if part.isdigit())
    if target.name != "duckdb" and not TESTED[0] <= version < TESTED[1]:
        low, high = (".".join(map(str, bound)) for bound in TESTED)
        raise NotPortable(
            f"sqlglot {installed} writes other text than was tested. Install sqlglot>={low},<{high} to "
            f"render for {target.title}."
        )
