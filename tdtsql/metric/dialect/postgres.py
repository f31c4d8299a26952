"""PostgreSQL 15 and later."""

from sqlglot import exp

from tdtsql.metric.dialect import Dialect


def double_literals(tree: exp.Expression) -> exp.Expression:
    """Cast literals with an exponent: ``1e15`` is NUMERIC here and DOUBLE in DuckDB.

    Beside a double it becomes one, beside an integer it would not.
    """
    for literal in list(tree.find_all(exp.Literal)):
        if not literal.is_string and "e" in literal.this.lower() and not isinstance(literal.parent, exp.Cast):
            literal.replace(exp.cast(literal.copy(), exp.DataType.Type.DOUBLE))
    return tree


def whole_by_bigint(tree: exp.Expression) -> exp.Expression:
    """Go from double to numeric by way of bigint: the direct cast keeps 15 digits here, and a fixed-point number has up to 19."""
    for cast in list(tree.find_all(exp.Cast)):
        if cast.to.this == exp.DataType.Type.DECIMAL and isinstance(cast.this, exp.Floor):
            cast.set("this", exp.cast(cast.this.copy(), exp.DataType.Type.BIGINT))
    return tree


DIALECT = Dialect("postgres", "PostgreSQL", "run", (double_literals, whole_by_bigint))
