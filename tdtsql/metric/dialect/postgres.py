"""PostgreSQL 15 and later."""

from sqlglot import exp

from tdtsql.metric.dialect import Dialect


def double_literals(tree: exp.Expr) -> exp.Expr:
    """Cast literals with an exponent: ``1e15`` is NUMERIC here and DOUBLE in DuckDB.

    Compared with a double it becomes one, compared with an integer it does not.
    """
    for literal in list(tree.find_all(exp.Literal)):
        if not literal.is_string and "e" in literal.this.lower() and not isinstance(literal.parent, exp.Cast):
            literal.replace(exp.cast(literal.copy(), exp.DataType.Type.DOUBLE))
    return tree


def whole_by_bigint(tree: exp.Expr) -> exp.Expr:
    """Convert double to numeric via bigint: the direct cast preserves 15 digits in PostgreSQL, and a fixed-point number
    has up to 19.

    A number beyond bigint is converted in two exact parts.
    """
    for cast in list(tree.find_all(exp.Cast)):
        if cast.to.this == exp.DataType.Type.DECIMAL and isinstance(cast.this, exp.Floor):
            number, kind = exp.paren(cast.this.this.copy()), cast.to
            high = exp.Floor(this=exp.Div(this=number.copy(), expression=_double(_PART), typed=True))
            low = exp.Sub(
                this=exp.Floor(this=number.copy()), expression=exp.Mul(this=high.copy(), expression=_double(_PART))
            )
            parts = exp.Add(
                this=exp.Mul(this=_whole(high, kind), expression=exp.cast(exp.Literal.number(_PART), kind.copy())),
                expression=_whole(low, kind),
            )
            is_small = exp.LT(this=exp.Abs(this=number.copy()), expression=_double("9e18"))
            case = exp.Case(ifs=[exp.If(this=is_small, true=_whole(cast.this, kind))], default=parts)
            cast.set("this", exp.paren(case))
    return tree


def hashed_bytes(tree: exp.Expr) -> exp.Expr:
    """Hash the bytes of a text: PostgreSQL's ``sha256`` accepts only bytes."""
    for node in list(tree.find_all(exp.SHA2)):
        node.set("this", exp.Anonymous(this="convert_to", expressions=[node.this.copy(), exp.Literal.string("UTF8")]))
    return tree


#: 2^63, the first number past bigint
_PART = "9223372036854775808"


def _double(text: str) -> exp.Expr:
    return exp.cast(exp.Literal.number(text), exp.DataType.Type.DOUBLE)


def _whole(number: exp.Expr, kind: exp.DataType) -> exp.Expr:
    return exp.cast(exp.cast(number.copy(), exp.DataType.Type.BIGINT), kind.copy())


DIALECT = Dialect("postgres", "PostgreSQL", "run", (double_literals, whole_by_bigint, hashed_bytes))
