"""Plain SQL made strict: every column with its table, every table and every output with a name.

An author writes a view as a person would for DuckDB: bare columns, ``using (...)``,
``from cte``. Other engines read that otherwise (PostgreSQL and Spark refuse a name that two
sources have, sqlglot's rewrites use the alias of a table). Therefore they
receive the strict form of the same tree, and the rules of the portable subset apply
to it. DuckDB itself runs the original text; a test checks that both are equal.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.catalogue import Relation, catalog
from tdtsql.definitions.table import Table, tables
from tdtsql.build.lowered import (
    distinct_as_qualify,
    filters_as_case,
    inline_windows,
    is_stored,
    qualify_as_subquery,
    spell_out_groups,
    star_columns,
)
from tdtsql.build.parsing import parse, place

#: relation -> its columns; None for an unknown relation
Columns = Callable[[str], Iterable[str] | None]
#: key of a SELECT's ``meta``: every column that it could read
READABLE = "readable"


@dataclass(slots=True)
class SelectScope:
    """What one SELECT reads: alias -> columns, in the order of FROM and JOIN."""

    relations: Columns
    ctes: Mapping[str, tuple[str, ...]]  #: name -> columns of those that it may read
    outer: "SelectScope | None" = None
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    merged: set[str] = field(default_factory=set)  #: columns of USING: the first source that has them represents all
    stored: set[str] = field(default_factory=set)  #: aliases of tables

    def has(self, column: str) -> bool:
        """Return whether a source of this SELECT has the column."""
        return any(column in columns for columns in self.columns.values())

    def alias_of(self, column: str) -> str | None:
        """Return the source of a bare column, or None if no source has it.

        Raises:
            BrokenDefinition: several have it.
        """
        having = [alias for alias, columns in self.columns.items() if column in columns]
        if len(having) > 1 and column not in self.merged:
            raise BrokenDefinition(
                f"column '{column}' may be that of {' or '.join(having)}. Write {having[0]}.{column}, or join with "
                f"using ({column})."
            )
        if having:
            return having[0]
        return self.outer.alias_of(column) if self.outer is not None else None


def columns_of(relations: Mapping[str, Relation], tables: Mapping[str, Table]) -> Columns:
    """Return a function from a relation's name to its columns: from the headers of views or the DDL of tables."""

    def columns(name: str) -> Iterable[str] | None:
        if name in relations:
            return [column.name for column in relations[name].header.columns]
        return tables[name].columns if name in tables else None

    return columns


def strict_tree(relation: Relation, columns: Columns | None = None) -> exp.Query:
    """Return the syntax tree of a view in strict form.

    Args:
        relation: the view.
        columns: of what it reads; without it the views and tables of this installation are known.

    Raises:
        BrokenDefinition: as `strict`, with the file.
    """
    try:
        return strict(parse(relation), columns or columns_of(catalog(), tables()))
    except BrokenDefinition as error:
        raise BrokenDefinition(f"{place(relation)}: {str(error).removeprefix(f'{place(relation)}: ')}") from None


def strict(tree: exp.Query, columns: Columns) -> exp.Query:
    """Return a copy of a query in strict form.

    Args:
        tree: one query as DuckDB reads it.
        columns: returns the columns of a relation by its name ``schema.name``.

    Raises:
        BrokenDefinition: a column that no source has, or several have.
    """
    tree = tree.copy()
    _query(tree, columns, {}, None)
    return tree


def _query(
    query: exp.Expr, columns: Columns, ctes: Mapping[str, tuple[str, ...]], outer: SelectScope | None
) -> tuple[str, ...]:
    """Convert a query to its strict form in place; return the names of its outputs."""
    known = dict(ctes)
    if with_ := query.args.get("with_"):
        for cte in with_.expressions:
            if with_.args.get("recursive") and isinstance(cte.this, exp.SetOperation):
                known[cte.alias] = tuple(select.alias_or_name for select in cte.this.selects)  # it may read itself
            known[cte.alias] = _query(cte.this, columns, known, None)
    if isinstance(query, exp.SetOperation):
        names = _query(query.left, columns, known, outer)
        _query(query.right, columns, known, outer)
        return names
    if isinstance(query, exp.Select):
        return _select(query, columns, known, outer)
    return _query(query.this, columns, known, outer)  # in brackets


def _select(
    select: exp.Select, columns: Columns, ctes: Mapping[str, tuple[str, ...]], outer: SelectScope | None
) -> tuple[str, ...]:
    sources = SelectScope(columns, ctes, outer)
    from_ = select.args.get("from_") or select.args.get("from")
    if from_ is not None:
        _add(sources, from_.this)
    for join in select.args.get("joins") or []:
        before = tuple(sources.columns)
        _add(sources, join.this)
        _spell_out(join, sources, before)
    skipped = {id(node.this) for node in [from_, *(select.args.get("joins") or [])] if node is not None}
    distinct_as_qualify(select)
    inline_windows(select)
    outputs: list[exp.Expr] = []
    for output in select.expressions:
        outputs += star_columns(output, sources.columns, sources.merged, sources.stored)
    select.set("expressions", outputs)
    named: dict[str, exp.Expr] = {}
    for at, output in enumerate(outputs):
        _expressions(output, set(), sources, named)
        if isinstance(output, exp.Column) and not isinstance(output.this, exp.Star):
            outputs[at] = exp.alias_(output.copy(), output.name)
        named[output.alias_or_name] = outputs[at].unalias()
    if not isinstance(select.parent, exp.Exists):
        select.set("expressions", outputs)
    for key, values in select.args.items():
        for value in values if isinstance(values, list) else [values]:
            if key not in ("with_", "expressions") and isinstance(value, exp.Expr):
                _expressions(value, skipped, sources, named)
    select.meta[READABLE] = frozenset(name for names in sources.columns.values() for name in names)
    filters_as_case(select)
    spell_out_groups(select)
    inner = qualify_as_subquery(select)
    if inner is not None:
        inner.meta[READABLE], select.meta[READABLE] = select.meta[READABLE], frozenset()
    return tuple(output.alias_or_name for output in select.expressions)


def _expressions(
    root: exp.Expr,
    skipped: set[int],
    sources: SelectScope,
    named: Mapping[str, exp.Expr],
) -> None:
    """Qualify the columns of an expression, or put in what an output is named for; convert its subqueries."""
    for part in _own(root, skipped):
        if isinstance(part, exp.Query):
            _query(part, sources.relations, sources.ctes, sources)
        elif not part.table and part.name in named and not sources.has(part.name):
            value = named[part.name].copy()
            part.replace(value if isinstance(value, exp.Column) or part is root else exp.paren(value, copy=False))
        else:
            _qualify(part, sources)


def _add(sources: SelectScope, table: exp.Expr) -> None:
    """Register a table, CTE or derived table; set its name as alias if it has none."""
    names: tuple[str, ...] = ()  # where the lint says what is wrong with it
    if isinstance(table, exp.Subquery):
        names = _query(table, sources.relations, sources.ctes, None)
    elif isinstance(table, exp.Table) and table.db:
        names = tuple(sources.relations(f"{table.db}.{table.name}") or ())
    elif isinstance(table, exp.Table):
        names = sources.ctes.get(table.name, ())
    if isinstance(table, exp.Table) and not table.alias:
        table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
    if is_stored(table):
        sources.stored.add(table.alias_or_name)
    sources.columns[table.alias_or_name] = tuple(table.alias_column_names) or names


def _spell_out(join: exp.Join, sources: SelectScope, before: tuple[str, ...]) -> None:
    """Write USING as ON, and a bare JOIN as INNER JOIN."""
    using = join.args.get("using")
    if using:
        alias, equal = join.this.alias_or_name, []
        for name in (identifier.name for identifier in using):
            first = next((earlier for earlier in before if name in sources.columns[earlier]), None)
            if first is None or name not in sources.columns[alias]:
                raise BrokenDefinition(
                    f"using ({name}): "
                    f"{'no source before it has such a column' if first is None else f'{alias} has no such column'}."
                )
            equal.append(exp.EQ(this=exp.column(name, alias), expression=exp.column(name, first)))
            having = [earlier for earlier in before if name in sources.columns[earlier]]
            if len(having) > 1 and name not in sources.merged:
                raise BrokenDefinition(f"using ({name}): {' and '.join(having)} have such a column. Write on.")
            sources.merged.add(name)
        join.set("using", None)
        join.set("on", exp.and_(*equal, copy=False))
    if join.args.get("on") is not None and not join.args.get("side") and not join.args.get("kind"):
        join.set("kind", "INNER")


def _own(root: exp.Expr, skipped: set[int]) -> list[exp.Column | exp.Query]:
    """Return the columns and subqueries of an expression, as nodes, without what subqueries contain."""
    found: list[exp.Column | exp.Query] = []
    queue: list[exp.Expr] = [root]
    while queue:
        node = queue.pop()
        if id(node) in skipped:
            continue
        if isinstance(node, exp.Column | exp.Query):
            found.append(node)
        else:
            queue.extend(node.iter_expressions())
    return found


def _qualify(column: exp.Column, sources: SelectScope) -> None:
    if column.table or isinstance(column.this, exp.Star):
        return
    alias = sources.alias_of(column.name)
    if alias is None:
        raise BrokenDefinition(f"column '{column.name}' is in none of {', '.join(sources.columns)}.")
    column.set("table", exp.to_identifier(alias))
