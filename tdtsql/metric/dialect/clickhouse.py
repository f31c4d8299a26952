"""ClickHouse 26."""

from sqlglot import exp

from tdtsql.metric.dialect import Dialect


def widest_decimal(tree: exp.Expression) -> exp.Expression:
    """Make every decimal 38 digits wide: a product has the width of its wider factor here, so squares would overflow."""
    for kind in tree.find_all(exp.DataType):
        if kind.this == exp.DataType.Type.DECIMAL:
            kind.set("expressions", [exp.DataTypeParam(this=exp.Literal.number(38)), exp.DataTypeParam(this=exp.Literal.number(0))])
    return tree


def signed_counts(tree: exp.Expression) -> exp.Expression:
    """Cast counts and row numbers to BIGINT: they are unsigned here, and have no common type with a signed number."""
    for node in list(tree.find_all(exp.Count, exp.RowNumber)):
        window = node.parent if isinstance(node.parent, exp.Window) else node
        if not isinstance(window.parent, exp.Cast):
            window.replace(exp.cast(window.copy(), exp.DataType.Type.BIGINT))
    return tree


DIALECT = Dialect(
    "clickhouse",
    "ClickHouse",
    "run",
    (widest_decimal, signed_counts),
    schema="create database if not exists {name};",
    preamble=(
        # an outer join leaves 0 and '' instead of NULL otherwise
        "set join_use_nulls = 1;",
        # chains of views are inlined into one plan, past the default limit
        "set query_plan_max_optimizations_to_apply = 1000000;",
    ),
)
