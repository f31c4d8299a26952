"""BigQuery: rendered and parsed, not run."""

from sqlglot import exp

from tdtsql.build.dialect import Dialect, formula


def big_numeric(tree: exp.Expr) -> exp.Expr:
    """Write decimals as BIGNUMERIC: NUMERIC has 29 digits before the point, and sums need up to 38."""
    for kind in tree.find_all(exp.DataType):
        if kind.this == exp.DataType.Type.DECIMAL:
            kind.replace(exp.DataType(this=exp.DataType.Type.BIGDECIMAL))
    return tree


def nulls_last(tree: exp.Expr) -> exp.Expr:
    """Order NULL last by an extra key: BigQuery rejects NULLS LAST with ascending keys in a window."""
    for window in tree.find_all(exp.Window):
        order = window.args.get("order")
        if order is None:
            continue
        keys = []
        for key in order.expressions:
            is_null = formula("case when x is null then 1 else 0 end", "bigquery", x=key.this)
            descending = bool(key.args.get("desc"))
            keys.append(exp.Ordered(this=is_null, desc=False, nulls_first=True))
            keys.append(exp.Ordered(this=key.this.copy(), desc=descending, nulls_first=not descending))
        order.set("expressions", keys)
    return tree


DIALECT = Dialect("bigquery", "BigQuery", "parsed", (big_numeric, nulls_last))
