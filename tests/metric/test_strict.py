"""The strict form says what the plain one means: each column its table, USING as ON, every table and output a name."""

import pytest
import sqlglot

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.catalogue import catalog
from tdtsql.definitions.table import tables
from tdtsql.build.parsing import parse
from tdtsql.build.strict import columns_of, strict, strict_tree

TABLES = {"base.a": ["k", "n", "x"], "base.c": ["k", "m"], "base.d": ["m", "k", "y"]}


def made(text: str) -> str:
    return strict(sqlglot.parse_one(text, read="duckdb"), TABLES.get).sql("duckdb").lower()


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ("select k, n + 1 as next from base.a", "select a.k as k, a.n + 1 as next from base.a as a"),
        (
            "select k, m from base.a join base.c using (k)",
            "select a.k as k, c.m as m from base.a as a inner join base.c as c on c.k = a.k",
        ),
        (
            "select k, m, y from base.a left join base.c using (k) left join base.d using (k, m)",
            "select a.k as k, c.m as m, d.y as y from base.a as a left join base.c as c on c.k = a.k left join base.d "
            "as d on d.k = a.k and d.m = c.m",
        ),
        (
            "with w as (select k, n from base.a) select k from w",
            "with w as (select a.k as k, a.n as n from base.a as a) select w.k as k from w as w",
        ),
        (
            "select k from base.a union all select m from base.c",
            "select a.k as k from base.a as a union all select c.m as m from base.c as c",
        ),
        (
            "select n from base.a where exists (select 1 from base.c where c.k = a.k and m > x)",
            "select a.n as n from base.a as a where exists(select 1 from base.c as c where c.k = a.k and c.m > a.x)",
        ),
        (
            "select k from (select k, n from base.a) as inner_a",
            "select inner_a.k as k from (select a.k as k, a.n as n from base.a as a) as inner_a",
        ),
        (
            "select sum(n) over (partition by k order by x rows between unbounded preceding and current row) as s "
            "from base.a",
            "select sum(a.n) over (partition by a.k order by a.x rows between unbounded preceding and current row) as "
            "s from base.a as a",
        ),
        (
            "select k, sum(n) as s from base.a group by k having sum(n) > 1",
            "select a.k as k, sum(a.n) as s from base.a as a group by a.k having sum(a.n) > 1",
        ),
    ],
)
def test_plain_becomes_strict(plain, expected):
    assert made(plain) == expected
    assert made(expected) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select z from base.a", "column 'z' is in none of a."),
        (
            "select k from base.a cross join base.c",
            "column 'k' may be that of a or c. Write a.k, or join with using (k).",
        ),
        ("select n from base.a join base.c using (m)", "using (m): no source before it has such a column."),
        ("select n from base.a join base.c using (n)", "using (n): c has no such column."),
        (
            "select x from base.a cross join base.c as v join base.d using (k)",
            "using (k): a and v have such a column. Write on.",
        ),
        ("select more + 1 as half, n as more from base.a", "column 'more' is in none of a."),
        (
            "with w as (select k from base.a) select * from w cross join w as v",
            "* has column 'k' twice. Write * exclude (k).",
        ),
        (
            "select count(*) as n_row from base.a group by all",
            "group by all: no output is a key. Leave it out, or group by a column.",
        ),
    ],
)
def test_what_may_mean_two_things_or_nothing_is_refused(text, message):
    with pytest.raises(BrokenDefinition) as error:
        made(text)

    assert str(error.value) == message


@pytest.mark.sample(40)
@pytest.mark.parametrize("relation", catalog().values(), ids=catalog())
def test_the_strict_form_of_the_strict_form_is_itself(relation):
    tree = strict_tree(relation)

    assert strict(tree, columns_of(catalog(), tables())) == tree
    assert [output.alias_or_name for output in tree.selects] == [
        output.alias_or_name for output in parse(relation).selects
    ]
