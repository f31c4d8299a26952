"""What an author writes in DuckDB's words, written as every engine reads it.

``filter``, ``qualify``, ``distinct on``, named windows, ``group by all``, ``*`` and names of outputs read in the same
SELECT become CASE, a derived table and columns. `strict.py` calls each step where it knows what a SELECT reads; DuckDB
runs the original text, and a test executes both.
"""

from collections.abc import Collection, Iterator, Mapping

from sqlglot import exp

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.catalogue import VERSION

#: column of a derived table that keeps the rows of QUALIFY
_KEPT = "is_kept"


def is_stored(table: exp.Expr) -> bool:
    """Return whether a source is a table of the store, not a view, a CTE or a derived table."""
    return isinstance(table, exp.Table) and bool(table.db) and not VERSION.search(table.name)


def star_columns(
    output: exp.Expr, sources: Mapping[str, tuple[str, ...]], merged: Collection[str], stored: Collection[str]
) -> Iterator[exp.Expr]:
    """Return the outputs that ``*`` or ``alias.*`` stands for, in DuckDB's order; any other output as it is.

    Args:
        sources: alias -> columns, in the order of FROM and JOIN.
        merged: columns of USING, which appear once.
        stored: aliases of tables. A ``*`` over them stays, and is refused: a table may get further columns.

    Raises:
        BrokenDefinition: several sources have a column that is not merged.
    """
    star = output.this if isinstance(output, exp.Column) else output
    read = {alias for alias in sources if not isinstance(output, exp.Column) or alias == output.table}
    if not isinstance(star, exp.Star) or not read.isdisjoint(stored):
        yield output
        return
    left_out = {column.name for column in star.args.get("except_") or ()}
    replaced = {replacement.alias: replacement for replacement in star.args.get("replace") or ()}
    seen: set[str] = set()
    for alias, columns in sources.items():
        for name in columns if alias in read else ():
            if name in left_out or (name in seen and name in merged):
                continue
            if name in seen:
                raise BrokenDefinition(f"* has column '{name}' twice. Write * exclude ({name}).")
            seen.add(name)
            yield replaced[name].copy() if name in replaced else exp.alias_(exp.column(name, alias), name)


def inline_windows(select: exp.Select) -> None:
    """Write each named window where it is used."""
    named = {window.name: window for window in select.args.pop("windows", None) or ()}
    for window in list(select.find_all(exp.Window)) if named else ():
        definition = named.get(window.text("alias"))
        if definition is not None and window.parent_select is select:
            window.set("alias", None)
            for part in ("partition_by", "order", "spec"):
                value = definition.args.get(part)
                if value and not window.args.get(part):
                    window.set(part, [node.copy() for node in value] if isinstance(value, list) else value.copy())


def filters_as_case(select: exp.Select) -> None:
    """Write ``sum(x) filter (where c)`` as ``sum(case when c then x end)``; ``count(*)`` counts 1."""
    for node in list(select.find_all(exp.Filter)):
        function, condition = node.this, node.expression.this
        counted = function.this.expressions[0] if isinstance(function.this, exp.Distinct) else function.this
        value = exp.Literal.number(1) if isinstance(counted, exp.Star) else counted.copy()
        counted.replace(exp.Case(ifs=[exp.If(this=condition.copy(), true=value)]))
        node.replace(function)


def spell_out_groups(select: exp.Select) -> None:
    """Write ``group by all`` as the outputs without an aggregate.

    Raises:
        BrokenDefinition: no output is a key, so that other engines would give a row where there is none.
    """
    group = select.args.get("group")
    if group is None or not group.args.get("all"):
        return
    outputs = [output.unalias() for output in select.expressions]
    keys = [key for key in outputs if not key.find(exp.AggFunc) and key.find(exp.Column)]
    if not keys:
        raise BrokenDefinition("group by all: no output is a key. Leave it out, or group by a column.")
    select.set("group", exp.Group(expressions=[key.copy() for key in keys]))


def distinct_as_qualify(select: exp.Select) -> None:
    """Write ``distinct on (k) ... order by k, x`` as QUALIFY with the first row of each k."""
    distinct = select.args.get("distinct")
    if distinct is None or distinct.args.get("on") is None:
        return
    keys = [key.copy() for key in distinct.args["on"].expressions]
    first = exp.Window(this=exp.RowNumber(), partition_by=keys, order=select.args.pop("order", None), over="OVER")
    select.set("distinct", None)
    select.set("qualify", exp.Qualify(this=exp.EQ(this=first, expression=exp.Literal.number(1))))


def qualify_as_subquery(select: exp.Select) -> exp.Select | None:
    """Write ``select ... qualify c`` as a SELECT of the rows of a derived table of which c is true, in place; return
    the SELECT in it, or None without QUALIFY.
    """
    qualify = select.args.pop("qualify", None)
    if qualify is None:
        return None
    names = [output.alias_or_name for output in select.expressions]
    inner = exp.Select(**{key: value for key, value in select.args.items() if key != "with_"})
    flag = exp.Case(ifs=[exp.If(this=qualify.this, true=exp.Literal.number(1))], default=exp.Literal.number(0))
    inner.append("expressions", exp.alias_(flag, _KEPT))
    for key in [key for key in select.args if key != "with_"]:
        select.set(key, None)
    select.set("expressions", [exp.alias_(exp.column(name, "kept"), name) for name in names])
    select.set("from_", exp.From(this=inner.subquery("kept", copy=False)))
    select.set("where", exp.Where(this=exp.column(_KEPT, "kept").eq(1)))
    return inner
