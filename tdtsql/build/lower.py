"""What an author writes in DuckDB's words, written as every engine reads it.

sqlglot's ``qualify`` gives every column its table, every table and output a name, and writes ``*`` and names of outputs
out. Before and after it, ``filter``, ``qualify``, ``distinct on``, named windows and ``group by all`` become CASE, a
derived table and columns. DuckDB runs the original text, and a test executes both.
"""

from typing import Any
from collections.abc import Callable, Iterable, Mapping

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.catalogue import VERSION, Relation, catalog
from tdtsql.definitions.table import Table, tables

#: relation -> its columns; None for an unknown relation
Columns = Callable[[str], Iterable[str] | None]

#: column of a derived table that keeps the rows of QUALIFY
_KEPT = "is_kept"


def parse(relation: Relation) -> exp.Query:
    """Return the syntax tree of a view.

    Raises:
        BrokenDefinition: it does not parse, or is not one SELECT.
    """
    try:
        statements = sqlglot.parse(relation.body, read="duckdb")
    except SqlglotError as error:
        raise BrokenDefinition(f"{relation.place}: the SELECT does not parse: {str(error).splitlines()[0]}.") from None
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise BrokenDefinition(f"{relation.place}: the body is not one SELECT.")
    return statements[0]


def line_of(relation: Relation, node: exp.Expr | None) -> int:
    """Return the line of the view's file on which a node of its tree begins, or the part of it that the text has."""
    while node is not None:
        lines: list[int] = [part.meta["line"] for part in node.walk() if "line" in part.meta]
        if lines:
            return relation.line - 1 + min(lines)
        node = node.parent
    return relation.line


def columns_of(relations: Mapping[str, Relation], tables: Mapping[str, Table]) -> Columns:
    """Return a function from a relation's name to its columns: from the headers of views or the DDL of tables."""

    def columns(name: str) -> Iterable[str] | None:
        if name in relations:
            return [column.name for column in relations[name].header.columns]
        return tables[name].columns if name in tables else None

    return columns


def lowered_tree(relation: Relation, columns: Columns | None = None) -> exp.Query:
    """Return the syntax tree of a view as every engine reads it.

    Args:
        relation: the view.
        columns: of what it reads; without it the views and tables of this installation are known.

    Raises:
        BrokenDefinition: a column that no source has, or several have.
    """
    try:
        return lowered(parse(relation), columns or columns_of(catalog(), tables()))
    except BrokenDefinition as error:
        raise BrokenDefinition(f"{relation.place}: {str(error).removeprefix(f'{relation.place}: ')}") from None


def lowered(tree: exp.Query, columns: Columns) -> exp.Query:
    """Return a copy of a query as every engine reads it.

    Raises:
        BrokenDefinition: as `lowered_tree`.
    """
    tree = tree.copy()
    for select in list(tree.find_all(exp.Select)):
        distinct_as_qualify(select)
        inline_windows(select)
    known: dict[str, Any] = {}
    for table in tree.find_all(exp.Table):
        if table.db and (names := columns(f"{table.db}.{table.name}")) is not None:
            known.setdefault(table.db, {})[table.name] = dict.fromkeys(names, "unknown")
    written = {id(node) for node in tree.find_all(exp.Coalesce)}
    try:
        tree = qualify(tree, schema=known, dialect="duckdb", quote_identifiers=False, identify=False)
    except SqlglotError as error:
        raise BrokenDefinition(" ".join(str(error).split())) from None
    for merged in list(tree.find_all(exp.Coalesce)):  # a column of USING: the first source represents all
        if id(merged) not in written and all(isinstance(one, exp.Column) for one in [merged.this, *merged.expressions]):
            merged.replace(merged.this)
    for join in tree.find_all(exp.Join):
        if join.args.get("on") is not None and not join.args.get("side") and not join.args.get("kind"):
            join.set("kind", "INNER")
    for select in list(tree.find_all(exp.Select)):
        filters_as_case(select)
        spell_out_groups(select)
        qualify_as_subquery(select)
    return tree


def is_stored(table: exp.Expr) -> bool:
    """Return whether a source is a table of the store, not a view, a CTE or a derived table."""
    return isinstance(table, exp.Table) and bool(table.db) and not VERSION.search(table.name)


def inline_windows(select: exp.Select) -> None:
    """Write each named window where it is used."""
    named = {window.name: window for window in select.args.pop("windows", None) or ()}
    for window in list(select.find_all(exp.Window)) if named else ():
        definition = named.get(window.text("alias"))
        if definition is not None and window.parent_select is select:
            window.set("alias", None)
            for part in ("partition_by", "order", "spec"):
                value = definition.args.get(part)
                if value and not window.args.get(part):
                    window.set(part, [node.copy() for node in value] if isinstance(value, list) else value.copy())


def filters_as_case(select: exp.Select) -> None:
    """Write ``sum(x) filter (where c)`` as ``sum(case when c then x end)``; ``count(*)`` counts 1."""
    for node in list(select.find_all(exp.Filter)):
        function, condition = node.this, node.expression.this
        counted = function.this.expressions[0] if isinstance(function.this, exp.Distinct) else function.this
        value = exp.Literal.number(1) if isinstance(counted, exp.Star) else counted.copy()
        counted.replace(exp.Case(ifs=[exp.If(this=condition.copy(), true=value)]))
        node.replace(function)


def spell_out_groups(select: exp.Select) -> None:
    """Write ``group by all`` as the outputs without an aggregate.

    Raises:
        BrokenDefinition: no output is a key, so that other engines would give one row too many.
    """
    group = select.args.get("group")
    if group is None or not group.args.get("all"):
        return
    outputs = [output.unalias() for output in select.expressions]
    keys = [key for key in outputs if not key.find(exp.AggFunc) and key.find(exp.Column)]
    if not keys:
        raise BrokenDefinition("group by all: no output is a key. Leave it out, or group by a column.")
    select.set("group", exp.Group(expressions=[key.copy() for key in keys]))


def distinct_as_qualify(select: exp.Select) -> None:
    """Write ``distinct on (k) ... order by k, x`` as QUALIFY with the first row of each k."""
    distinct = select.args.get("distinct")
    if distinct is None or distinct.args.get("on") is None:
        return
    keys = [key.copy() for key in distinct.args["on"].expressions]
    first = exp.Window(this=exp.RowNumber(), partition_by=keys, order=select.args.pop("order", None), over="OVER")
    select.set("distinct", None)
    select.set("qualify", exp.Qualify(this=exp.EQ(this=first, expression=exp.Literal.number(1))))


def qualify_as_subquery(select: exp.Select) -> exp.Select | None:
    """Write ``select ... qualify c`` as a SELECT of the rows of a derived table of which c is true, in place; return
    the SELECT in it, or None without QUALIFY.
    """
    qualify = select.args.pop("qualify", None)
    if qualify is None:
        return None
    names = [output.alias_or_name for output in select.expressions]
    inner = exp.Select(**{key: value for key, value in select.args.items() if key != "with_"})
    flag = exp.Case(ifs=[exp.If(this=qualify.this, true=exp.Literal.number(1))], default=exp.Literal.number(0))
    inner.append("expressions", exp.alias_(flag, _KEPT))
    for key in [key for key in select.args if key != "with_"]:
        select.set(key, None)
    select.set("expressions", [exp.alias_(exp.column(name, "kept"), name) for name in names])
    select.set("from_", exp.From(this=inner.subquery("kept", copy=False)))
    select.set("where", exp.Where(this=exp.column(_KEPT, "kept").eq(1)))
    return inner
