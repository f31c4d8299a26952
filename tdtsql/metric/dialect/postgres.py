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


DIALECT = Dialect("postgres", "PostgreSQL", "run", (double_literals,))
