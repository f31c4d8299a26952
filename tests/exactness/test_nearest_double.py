"""A sum in whole units becomes the nearest double, whatever the version of DuckDB, and so does every one in every view.

DuckDB 1.5 and 2.0.0 round twice in a cast of more than 64 bits to a double, and of a negative number past 2^53:

    60005172976730378442 = 3 * 2^64 + 4664940755601723594     (between 2^65 and 2^66 doubles lie 8192 apart)
    4664940755601723594 becomes 4664940755601723392           (between 2^62 and 2^63 they lie 1024 apart)
    3 * 2^64 + 4664940755601723392 = 60005172976730378240     is the middle between two doubles, and goes to the even
    one,
    60005172976730374144, which is 4298 away; the nearest is 60005172976730382336, 3894 away
"""

from dataclasses import replace
from random import Random

import pytest
from sqlglot import exp

import tdtsql
from tdtsql.metric.catalog import catalog
from tdtsql.metric.ddl import tables
from tdtsql.metric.dialect.duckdb import installed, nearest, rounded_once
from tdtsql.metric.portable import add_types, table_types
from tdtsql.metric.strict import columns_of, strict_tree

CAST = "cast(cast({} as varchar) as double)"


def test_sums_past_64_bits_are_the_nearest_doubles():
    random = Random(8)
    numbers = [60005172976730378442, -25000000000000123, -9007199254740993, 2**53 + 1, 0, 10**38 - 1]
    numbers += [
        sign * random.randrange(2**k, 2 ** (k + 1)) for k in range(50, 126) for sign in (1, -1) for _ in range(40)
    ]
    with tdtsql.connect(":memory:") as store:
        store.engine.execute("create temp table term (place integer, x decimal(38, 0))")
        rows = ", ".join(
            f"({place}, {part})" for place, number in enumerate(numbers) for part in (number - number // 3, number // 3)
        )
        store.engine.execute(f"insert into term values {rows}")
        found = store.engine.rows(
            nearest("select place, cast(sum(x) as double) as y from term group by place order by place", ["x"])
        )
    assert [y.hex() for _, y in found] == [float(number).hex() for number in numbers]


def test_which_casts_go_by_way_of_text():
    whole = "cast(floor(x * 1e15 + 5e-1) as decimal(38, 0))"
    for operand in (
        f"sum({whole})",
        f"sum({whole}) over (order by y)",
        f"coalesce(max({whole}), 0)",
        f"case when y > 0 then {whole} else 0 end",
        f"cast(n as decimal(38, 0)) * {whole} - 1",
    ):
        assert (
            nearest(f"select cast({operand} as double) / 1e15 from t") == f"select {CAST.format(operand)} / 1e15 from t"
        ), operand
    for operand in (
        "n",
        "sum(n)",
        "1",
        "null",
        f"cast({whole} as bigint)",
        f"count({whole})",
        f"case when {whole} > 1 then n end",
        f"{whole} / 2",
        f"{whole} * 1e0",
        f"ln({whole})",
        f"row_number() over (order by {whole})",
    ):
        text = f"select cast({operand} as double) as y from t"
        assert nearest(text) == text, operand
    # names: of what is read, of a step and of the step above it; nested
    assert (
        nearest("select cast(a.total as double) as y from a", ["total"])
        == f"select {CAST.format('a.total')} as y from a"
    )
    assert (
        nearest("select cast(total.n as double) as y from total", ["total"])
        == "select cast(total.n as double) as y from total"
    )
    steps = (
        f"with one as (select n, {whole} as w from t), two as (select n, sum(w) as s from one) select cast(s as "
        f"double) as y, cast(n as double) as n from two"
    )
    assert nearest(steps) == steps.replace("cast(s as double)", CAST.format("s"))
    inner = f"select cast(sum(cast(cast({whole} as double) as decimal(38, 0))) as double) as y from t"
    assert nearest(inner) == f"select {CAST.format(f'sum(cast({CAST.format(whole)} as decimal(38, 0)))')} as y from t"


@pytest.mark.full
def test_in_every_view_sums_in_whole_units_and_nothing_else_go_by_way_of_text():
    """The types are sqlglot's, which follow from the tables' DDL, view by view."""
    types, columns = table_types(tables()), columns_of(catalog(), tables())
    found, wrong = 0, []
    for name, relation in catalog().items():
        written = replace(relation, body=installed()[name])
        tree = add_types(written, strict_tree(written, columns), types)
        assert relation.body.count("\n") == written.body.count("\n"), name  # a line keeps its number
        for cast in tree.find_all(exp.Cast):
            if cast.to.this == exp.DataType.Type.DOUBLE:
                by_text = isinstance(cast.this, exp.Cast) and cast.this.to.this == exp.DataType.Type.TEXT
                number = cast.this.this if by_text else cast.this
                kind = number.type.sql("duckdb") if number.type else ""
                found += by_text
                if by_text != kind.startswith(("DECIMAL", "INT128")):
                    wrong.append(f"{name}: {kind} {cast.sql('duckdb')}")
    assert not wrong
    assert found > 200


def test_a_view_asked_for_alone_reads_as_among_all():
    for name in catalog():
        assert rounded_once(catalog())[name] == installed()[name], name
    assert list(installed()) == list(catalog())
    with pytest.raises(KeyError):
        installed()["metric.no_such_view__v1"]
