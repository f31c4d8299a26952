"""ClickHouse 26."""

from sqlglot import exp

from tdtsql.build.dialect import Dialect, formula


def widest_decimal(tree: exp.Expr) -> exp.Expr:
    """Make every decimal 38 digits wide: a product has the width of its wider factor here, so squares would
    overflow.
    """
    for kind in tree.find_all(exp.DataType):
        if kind.this == exp.DataType.Type.DECIMAL:
            kind.replace(exp.DataType.build("decimal(38, 0)", dialect="duckdb"))
    return tree


def signed_counts(tree: exp.Expr) -> exp.Expr:
    """Cast counts and row numbers to BIGINT: they are unsigned here, and have no common type with a signed number."""
    for node in list(tree.find_all(exp.Count, exp.RowNumber)):
        window = node.parent if isinstance(node.parent, exp.Window) else node
        if not isinstance(window.parent, exp.Cast):
            window.replace(exp.cast(window.copy(), exp.DataType.Type.BIGINT))
    return tree


def finite_casts(tree: exp.Expr) -> exp.Expr:
    """Cast only numbers that are not NULL: ClickHouse computes the quotient by 0 also where CASE returns NULL, and
    its cast raises.
    """
    for cast in list(tree.find_all(exp.Cast)):
        if cast.to.this in (exp.DataType.Type.DECIMAL, exp.DataType.Type.BIGINT) and isinstance(cast.this, exp.Floor):
            number = cast.this.this
            floor = exp.cast(formula("floor(coalesce(x, 0))", "duckdb", x=number), cast.to.copy())
            text = "(case when (x) is null then null else floor end)"
            cast.replace(formula(text, "duckdb", x=number, floor=floor))
    return tree


def wide_times(tree: exp.Expr) -> exp.Expr:
    """Write timestamps as DateTime64 in UTC: DateTime begins in 1970, and becomes text in the time zone of the
    server.
    """
    for kind in tree.find_all(exp.DataType):
        if kind.this == exp.DataType.Type.TIMESTAMPNTZ or kind.this == exp.DataType.Type.TIMESTAMP:
            kind.replace(exp.DataType.build("Nullable(DateTime64(0, 'UTC'))", dialect="clickhouse"))
    return tree


DIALECT = Dialect(
    "clickhouse",
    "ClickHouse",
    "run",
    (widest_decimal, signed_counts, finite_casts, wide_times),
    schema="create database if not exists {name};",
    preamble=(
        # an outer join leaves 0 and '' instead of NULL otherwise
        "set join_use_nulls = 1;",
        # an output that has the name of a column would be read for the column
        "set prefer_column_name_to_alias = 1;",
        # chains of views are inlined into one plan, past the default limit
        "set query_plan_max_optimizations_to_apply = 1000000;",
    ),
)
