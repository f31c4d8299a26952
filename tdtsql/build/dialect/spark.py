"""Spark 4: computed and compared with DuckDB. ANSI mode (the default): 0/0 and overflow raise, which the portable
subset never meets.
"""

from sqlglot import exp

from tdtsql.build.dialect import Dialect, formula


def wide_floors(tree: exp.Expr) -> exp.Expr:
    """Floor in two limbs what may not fit into 64 bits: FLOOR of a double is BIGINT here, and a fixed-point number of
    seconds is larger.

    A double of 9e18 or more is whole, and so are its parts above and below 2^32, exactly.
    """
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
        cast.replace(formula(text, "duckdb", x=number, small=cast))
    return tree


DIALECT = Dialect("spark", "Spark", "run", (wide_floors,))
