"""PostgreSQL 15 and later."""

from sqlglot import exp

from tdtsql.build.dialect import Dialect, formula


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
            small = _WHOLE.format(number="small", kind=cast.to.sql("postgres"))
            high, low = (_WHOLE.format(number=part, kind=cast.to.sql("postgres")) for part in (_HIGH, _LOW))
            parts = f"{high} * cast({_PART} as {cast.to.sql('postgres')}) + {low}"
            text = f"(case when abs(x) < cast(9e18 as double precision) then {small} else {parts} end)"
            cast.set("this", formula(text, "postgres", x=exp.paren(cast.this.this), small=cast.this))
    return tree


def hashed_bytes(tree: exp.Expr) -> exp.Expr:
    """Hash the bytes of a text: PostgreSQL's ``sha256`` accepts only bytes."""
    for node in list(tree.find_all(exp.SHA2)):
        node.set("this", exp.Anonymous(this="convert_to", expressions=[node.this.copy(), exp.Literal.string("UTF8")]))
    return tree


#: 2^63, the first number past bigint; the parts of a number above and below, and a whole number of a type
_PART = "9223372036854775808"
_HIGH = f"floor(x / cast({_PART} as double precision))"
_LOW = f"floor(x) - {_HIGH} * cast({_PART} as double precision)"
_WHOLE = "cast(cast({number} as bigint) as {kind})"


DIALECT = Dialect("postgres", "PostgreSQL", "run", (double_literals, whole_by_bigint, hashed_bytes))
