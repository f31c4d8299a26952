"""The portable subset of SQL: what a base, metric or report view may use.

The rules apply to the lowered form of a view (``lower.py``), and report the line of the original.

Every construct here gave a different number, or an error, on some other engine (Spark,
PostgreSQL, ClickHouse, DataFusion and SQLite were tried). Each rule states the replacement. Rules
about types (an integer division, a sum of doubles) use the types that follow
from the tables' DDL, view by view in build order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types

from tdtsql.toml_file import toml_beside
from tdtsql.errors import BrokenDefinition, truncate
from tdtsql.definitions.catalogue import Relation
from tdtsql.definitions.table import Table
from tdtsql.definitions.lexer import OTHER, tokens
from tdtsql.build.lower import is_stored, line_of, parse

#: schemas whose views must be portable; the others may use what DuckDB has
PORTABLE = frozenset(("base", "metric", "report"))

Types = dict[str, Any]  #: schema -> table -> column -> type

_FUNCTIONS = frozenset(
    "count sum min max row_number rank dense_rank lead lag coalesce nullif abs floor ceil sign sqrt exp ln atan sin "
    "cos tan asin acos atan2 power "
    "lower upper length substring trim case cast if and or not exists".split()
)
_INSTEAD: dict[str, str] = toml_beside(__file__)
_TYPES = frozenset(("BIGINT", "INT", "DOUBLE", "VARCHAR", "TEXT", "BOOLEAN", "TIMESTAMP"))
_DOUBLE = frozenset(("DOUBLE", "FLOAT"))
_INTEGER = frozenset(("BIGINT", "INT", "SMALLINT", "TINYINT", "INT128"))


@dataclass(frozen=True, slots=True)
class Finding:
    """One construct that does not carry over."""

    place: str  #: file
    line: int  #: of the file
    construct: str
    text: str  #: the SQL that has it, shortened
    instead: str

    def __str__(self) -> str:
        return f"{self.place}:{self.line}: {self.construct} ({self.text!r}) is not portable. Write {self.instead}."


def table_types(tables: Mapping[str, Table]) -> Types:
    """Return schema -> table -> column -> type, of the tables."""
    types: Types = {}
    for name, table in tables.items():
        schema, short = name.split(".")
        types.setdefault(schema, {})[short] = {column: table.type_of(column) for column in table.columns}
    return types


def add_types(relation: Relation, tree: exp.Query, types: Types) -> exp.Query:
    """Return the typed tree of a view and enter its columns in ``types``."""
    inputs: Types = {}  # alone: sqlglot normalises the names of all that it is given for each view
    for read, name in (name.split(".") for name in relation.header.inputs):
        if name in types.get(read, {}):
            inputs.setdefault(read, {})[name] = types[read][name]
    try:
        with_types = annotate_types(tree.copy(), schema=inputs, dialect="duckdb")
    except SqlglotError as error:
        raise BrokenDefinition(
            f"{relation.place}: {str(error).splitlines()[0]}. Check the names of columns and tables."
        ) from None
    schema, short = relation.name.split(".")
    types.setdefault(schema, {})[short] = {
        select.alias_or_name: select.type.sql("duckdb") if select.type else "UNKNOWN" for select in with_types.selects
    }
    return with_types


def lint_relation(relation: Relation, tree: exp.Expr, with_types: exp.Expr) -> list[Finding]:
    """Return the constructs of one view that are not portable; ``tree`` is its lowered form."""
    found = chain(
        _words(relation),
        _outputs(relation),
        _selects(tree),
        _tables(relation, tree),
        _joins(tree),
        _functions(tree),
        _windows(tree),
        _literals(tree),
        _arithmetic(with_types),
    )
    return [
        Finding(relation.place, _line(relation, node), construct, _short(node), instead)
        for node, construct, instead in found
    ]


def _line(relation: Relation, node: exp.Expr | str) -> int:
    if not isinstance(node, str):
        return line_of(relation, node)
    return relation.line + (relation.body[: relation.body.index(node)].count("\n") if node in relation.body else 0)


_Found = Iterator[tuple[exp.Expr | str, str, str]]


def _short(node: exp.Expr | str) -> str:
    text = node if isinstance(node, str) else node.sql("duckdb", comments=False)
    return truncate(" ".join(text.split()), 70)


def _words(relation: Relation) -> _Found:
    for token in tokens(relation.body):
        source = relation.body[token.start : token.start + len(token.text)]
        if token.kind == OTHER and source != token.text:
            yield source, "upper case", "it in lower case"
        elif token.kind == "q":
            yield token.text, "quoted name", "a name that needs no quotes"
        elif token.kind == OTHER and token.text in ("[", "{", "//", "**", "%"):
            instead = {
                "//": "floor(cast(a as double) / b)",
                "%": "a - b * floor(cast(a as double) / b)",
            }
            yield token.text, f"operator {token.text}", instead.get(token.text, "scalar columns")


def _outputs(relation: Relation) -> _Found:
    """Report outputs of the text itself: without a name, of all columns of a table, or with the name of a column that
    GROUP BY or HAVING names too, which engines resolve differently.
    """
    for select in parse(relation).find_all(exp.Select):
        stored = {table.alias_or_name for table in _from(select) if is_stored(table)}
        clauses = [part for key in ("group", "having", "order") if (part := select.args.get(key)) is not None]
        named = {column.name for part in clauses for column in part.find_all(exp.Column) if not column.table}
        for output in select.expressions:
            value = output.unalias()
            star = isinstance(value, exp.Star) or (isinstance(value, exp.Column) and isinstance(value.this, exp.Star))
            if star and stored & ({value.table} if isinstance(value, exp.Column) else stored):
                yield output, "select *", "every column"
            elif not star and not output.alias_or_name and not isinstance(select.parent, exp.Exists):
                yield output, "output without a name", "expression as name"
            is_itself = isinstance(value, exp.Column) and value.name == output.alias
            if isinstance(output, exp.Alias) and output.alias in named and not is_itself:
                inner = {column.name for column in value.find_all(exp.Column)}
                if output.alias in inner or not any(key == value for part in clauses[:1] for key in part.expressions):
                    construct = "output with the name of a column that it is grouped by"
                    yield output, construct, "a new name for the new value"


def _selects(tree: exp.Expr) -> _Found:
    node: exp.Expr
    for node in tree.find_all(exp.Select):
        group = node.args.get("group")
        if group is not None and group.find(exp.Cube, exp.Rollup, exp.GroupingSets):
            yield group, "cube, rollup or grouping sets", "the columns of one grouping"
        if group is not None:
            for key in group.expressions:
                if isinstance(key, exp.Literal):
                    yield key, "group by position", "the column"
        order = node.args.get("order")
        if order is not None:
            yield order, "order by of a view", "nothing: readers of the view order it"
        if node.args.get("limit") or node.args.get("offset"):
            yield node.args.get("limit") or node.args["offset"], "limit", "row_number() over a total order and a where"
    for node in tree.find_all(exp.With):
        if node.args.get("recursive"):
            yield "with recursive", "recursion", "a closure table written when the store is loaded"
    for node in tree.find_all(exp.SetOperation):
        if not isinstance(node, exp.Union) or node.args.get("distinct") is not False or node.args.get("by_name"):
            yield (
                type(node).__name__.lower(),
                "set operation other than union all",
                "union all, then group by where duplicates must go",
            )


def _tables(relation: Relation, tree: exp.Expr) -> _Found:
    table: exp.Expr
    ctes = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        if not table.db and table.name not in ctes:
            yield table, "table without a schema", "schema.name as alias"
        if isinstance(table.this, exp.Func):
            yield table, "table function", "a table"
    words = f" {' '.join(token.text for token in tokens(relation.body))} "
    for table in tree.find_all(exp.Table):
        name = f"{table.db} . {table.name}" if table.db else table.name
        if not any(f" {verb} {name} " in words for verb in ("from", "join")):
            yield table, "table not after from or join", "from schema.name (no comma, no brackets around it)"
    for node in tree.find_all(exp.Subquery):
        if isinstance(node.parent, exp.From | exp.Join) and not node.alias:
            yield node, "subquery without an alias", "(select ...) as name"
    for select in tree.find_all(exp.Select):
        own = [table.alias_or_name for table in _from(select)]
        if len(own) != len(set(own)):
            yield ", ".join(own), "alias used twice", "a different alias for each table"


def _from(select: exp.Select) -> list[exp.Expr]:
    nodes = [select.args.get("from") or select.args.get("from_"), *(select.args.get("joins") or [])]
    return [node.this for node in nodes if node is not None]


def _joins(tree: exp.Expr) -> _Found:
    for select in tree.find_all(exp.Select):
        for join in select.args.get("joins") or []:
            side, kind = join.args.get("side") or "", join.args.get("kind") or ""
            if join.args.get("method"):
                yield join, f"{join.args['method'].lower()} join", "lead() intervals and an ordinary join"
            if side in ("FULL", "RIGHT"):
                yield join, f"{side.lower()} join", "left joins or union all"
            if kind in ("SEMI", "ANTI"):
                yield join, f"{kind.lower()} join", "exists, or not exists"
            if not side and not kind:
                yield join, "comma or bare join", "inner join or cross join"
            if isinstance(join.this, exp.Lateral | exp.Unnest):
                yield join, "lateral join", "an ordinary join"


def _functions(tree: exp.Expr) -> _Found:
    node: exp.Expr
    for node in tree.find_all(exp.Func):
        name = function_name(node)
        if isinstance(node, exp.Connector | exp.Not | exp.Exists | exp.Case | exp.If | exp.Cast):
            continue
        if name not in _FUNCTIONS:
            yield (
                node,
                f"function {name}",
                _INSTEAD.get(name, "what every engine has, or compute it when the store is loaded"),
            )
    for node in tree.find_all(
        exp.Lambda, exp.Struct, exp.Array, exp.Map, exp.Bracket, exp.Pivot, exp.Lateral, exp.TableSample, exp.Interval
    ):
        yield node, type(node).__name__.lower(), "scalar columns"
    for node in tree.find_all(exp.Count):
        if isinstance(node.this, exp.Distinct) and len(node.this.expressions) > 1:
            yield node, "count(distinct a, b)", "a CTE with group by a, b, and count(*)"
    for node in tree.find_all(exp.TryCast):
        yield node, "try_cast", "cast"
    for node in tree.find_all(exp.Cast):
        kind = node.to.sql("duckdb")
        if kind not in _TYPES and not (kind.startswith("DECIMAL(") and kind.endswith(", 0)")):
            yield (
                node,
                f"cast to {kind.lower()}",
                "bigint, integer, double, varchar, boolean, timestamp or decimal(n, 0)",
            )


def function_name(node: exp.Func) -> str:
    """Return the name of a function in lower case, as SQL writes it."""
    if isinstance(node, exp.Anonymous | exp.AnonymousAggFunc):
        return node.name.lower()
    return node.sql_name().lower()


def _windows(tree: exp.Expr) -> _Found:
    for window in tree.find_all(exp.Window):
        function, order, frame = window.this, window.args.get("order"), window.args.get("spec")
        if isinstance(function, exp.IgnoreNulls | exp.RespectNulls):
            yield window, "ignore nulls", "count(x) over (...) as a group, then max(x) in the group"
        ranks = (
            function_name(function) in ("row_number", "rank", "dense_rank", "lead", "lag")
            if isinstance(function, exp.Func)
            else False
        )
        if ranks and order is None:
            yield window, "window without order by", "order by ... that ends in a key"
        if not ranks and order is not None and frame is None:
            yield window, "window with the default frame", "rows between unbounded preceding and current row"
        if frame is not None and (frame.args.get("kind", "").upper() != "ROWS" or frame.args.get("exclude")):
            yield window, "range frame or exclude", "a rows frame over rows grouped to one per value"
        if isinstance(function, exp.Lead | exp.Lag) and function.args.get("default") is not None:
            yield window, "lead or lag with a default", "coalesce, or case, around it"


def _literals(tree: exp.Expr) -> _Found:
    for literal in tree.find_all(exp.Literal):
        if not literal.is_string and "." in literal.this and "e" not in literal.this.lower():
            yield literal, "decimal literal", "a double: 5e-1, or a parameter column"


def _type(node: exp.Expr | None) -> str:
    return node.type.this.value if node is not None and node.type is not None else "UNKNOWN"


def _arithmetic(tree: exp.Expr) -> _Found:
    for division in tree.find_all(exp.Div):
        if _type(division.this) not in _DOUBLE:
            yield division, f"division of {_type(division.this).lower()}", "cast(a as double) / b"
        if not _is_safe(division):
            yield division, "division that may meet 0", "case when b > 0 then cast(a as double) / b end"
    for total in tree.find_all(exp.Sum):
        kind = _type(total.this)
        if kind in _DOUBLE or kind in ("UNKNOWN", "NULL"):
            yield total, f"sum of {kind.lower()}", _INSTEAD["avg"]
        if kind == "BOOLEAN":
            yield total, "sum of booleans", _INSTEAD["count_if"]
    for cast in tree.find_all(exp.Cast):
        target = cast.to.this.value
        if target in _INTEGER | {"DECIMAL"} and _type(cast.this) in _DOUBLE and not _is_whole(cast.this):
            yield cast, f"cast of a double to {target.lower()}", "floor() inside the cast (engines round differently)"
    for order in tree.find_all(exp.Ordered):
        if isinstance(order.find_ancestor(exp.Window, exp.Select), exp.Window) and _type(order.this) in (
            "VARCHAR",
            "TEXT",
        ):
            yield order, "order by text in a window", "an integer key (text order depends on the collation)"


def _is_safe(division: exp.Div) -> bool:
    divisor = division.expression.unnest()
    if isinstance(divisor, exp.Literal):
        return float(divisor.this) != 0
    if isinstance(divisor, exp.Nullif):
        return True
    branch = division.find_ancestor(exp.If, exp.Select)
    return isinstance(branch, exp.If)


def _is_whole(node: exp.Expr) -> bool:
    node = node.unnest()
    if isinstance(node, exp.Floor | exp.Ceil):
        return True
    if isinstance(node, exp.Case):
        branches = [branch.args["true"] for branch in node.args["ifs"]] + [node.args.get("default")]
        return all(
            branch is None or isinstance(branch, exp.Null) or _is_whole(branch) or _type(branch) in _INTEGER
            for branch in branches
        )
    if isinstance(node, exp.Neg):
        return _is_whole(node.this)
    return isinstance(node, exp.Coalesce) and all(
        _is_whole(part) or _type(part) in _INTEGER for part in [node.this, *node.expressions]
    )
