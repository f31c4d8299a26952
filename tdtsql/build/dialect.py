"""The engines that views are rendered for, with what each needs beyond another spelling, and the reasons."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdtsql.errors import UnknownName

if TYPE_CHECKING:  # a quarter of a second to import, and DuckDB's views need none of it
    from sqlglot import exp

Rewrite = Callable[["exp.Expr"], None]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One engine; ``rewrites`` change the tree of a view in place, and the docstring of each gives the reason."""

    name: str  #: as sqlglot calls it
    title: str
    rewrites: tuple[Rewrite, ...] = ()


def dialect(name: str) -> Dialect:
    """Return the dialect called ``name``.

    Raises:
        UnknownName: views are not rendered for such an engine.
    """
    if name not in DIALECTS:
        raise UnknownName(f"dialect '{name}' is unknown. Known are {', '.join(DIALECTS)}.")
    return DIALECTS[name]


def _formula(text: str, name: str, **values: "exp.Expr") -> "exp.Expr":
    """Return the tree of an expression in the words of the dialect ``name``, with copies of ``values`` for the columns
    of these names.
    """
    from sqlglot import exp, parse_one

    tree = parse_one(text, read=name)
    for column in list(tree.find_all(exp.Column)):
        column.replace(values[column.name].copy())
    return tree


def _wide_floors(tree: "exp.Expr") -> None:
    """Floor in two limbs what may not fit into 64 bits: FLOOR of a double is BIGINT in Spark, and a fixed-point number
    of seconds is larger.

    A double of 9e18 or more is whole, and so are its parts above and below 2^32, exactly.
    """
    from sqlglot import exp

    for cast in list(tree.find_all(exp.Cast)):
        if (
            cast.to.this != exp.DataType.Type.DECIMAL
            or not isinstance(cast.this, exp.Floor)
            or cast.this.args.get("decimals")
        ):
            continue
        number = exp.paren(cast.this.this)
        high = "cast(floor(x / 4294967296e0) as decimal(38, 0))"
        low = "cast(floor(x - floor(x / 4294967296e0) * 4294967296e0) as decimal(38, 0))"
        text = f"case when abs(x) >= 9e18 then cast({high} * 4294967296 + {low} as decimal(38, 0)) else small end"
        cast.replace(_formula(text, "duckdb", x=number, small=cast))


def _double_literals(tree: "exp.Expr") -> None:
    """Cast literals with an exponent: ``1e15`` is NUMERIC in PostgreSQL and DOUBLE in DuckDB.

    Compared with a double it becomes one, compared with an integer it does not.
    """
    from sqlglot import exp

    for literal in list(tree.find_all(exp.Literal)):
        if not literal.is_string and "e" in literal.this.lower() and not isinstance(literal.parent, exp.Cast):
            literal.replace(exp.cast(literal.copy(), exp.DataType.Type.DOUBLE))


#: 2^63, the first number past bigint; the parts of a number above and below, and a whole number of a type
_PART = "9223372036854775808"
_HIGH = f"floor(x / cast({_PART} as double precision))"
_LOW = f"floor(x) - {_HIGH} * cast({_PART} as double precision)"
_WHOLE = "cast(cast({number} as bigint) as {kind})"


def _whole_by_bigint(tree: "exp.Expr") -> None:
    """Convert double to numeric via bigint: the direct cast preserves 15 digits in PostgreSQL, and a fixed-point number
    has up to 19.

    A number beyond bigint is converted in two exact parts.
    """
    from sqlglot import exp

    for cast in list(tree.find_all(exp.Cast)):
        if cast.to.this == exp.DataType.Type.DECIMAL and isinstance(cast.this, exp.Floor):
            small = _WHOLE.format(number="small", kind=cast.to.sql("postgres"))
            high, low = (_WHOLE.format(number=part, kind=cast.to.sql("postgres")) for part in (_HIGH, _LOW))
            parts = f"{high} * cast({_PART} as {cast.to.sql('postgres')}) + {low}"
            text = f"(case when abs(x) < cast(9e18 as double precision) then {small} else {parts} end)"
            cast.set("this", _formula(text, "postgres", x=exp.paren(cast.this.this), small=cast.this))


def _hashed_bytes(tree: "exp.Expr") -> None:
    """Hash the bytes of a text: PostgreSQL's ``sha256`` accepts only bytes."""
    from sqlglot import exp

    for node in list(tree.find_all(exp.SHA2)):
        node.set("this", exp.Anonymous(this="convert_to", expressions=[node.this.copy(), exp.Literal.string("UTF8")]))


DIALECTS = {
    "duckdb": Dialect("duckdb", "DuckDB"),
    # Spark 4 in ANSI mode, its default: 0/0 and overflow raise, which the portable subset never meets
    "spark": Dialect("spark", "Spark", (_wide_floors,)),
    "postgres": Dialect("postgres", "PostgreSQL 15 or later", (_double_literals, _whole_by_bigint, _hashed_bytes)),
}
