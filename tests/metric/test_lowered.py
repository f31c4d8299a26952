"""What only DuckDB reads is written as every engine reads it: both texts give the same rows, and other engines get
neither word.
"""

import ast
import re
from pathlib import Path

import duckdb
import pytest
import sqlglot

from tdtsql.build.lower import lowered
from tdtsql.errors import BrokenDefinition

TABLES = {"base.a": ("k", "n", "x"), "base.c": ("k", "m")}
WITH = "with w as (select k, n, x from base.a), v as (select k, m from base.c) "

#: text -> rows
LOWERED = {
    text: [ast.literal_eval(f"({row},)") for row in rows]
    for text, *rows in (
        re.split(r"\n--> ", case)
        for case in Path(__file__).with_name("lowered.sql").read_text("utf-8").strip().split("\n\n")[1:]
    )
}


@pytest.fixture(scope="module")
def engine():
    with duckdb.connect(config={"threads": 1}) as engine:
        engine.execute("""
            create schema base;
            create table base.a as
                from (values (1, 10, 0.5), (1, 20, 1.5), (2, 30, null), (null, 40, 2.5)) as t(k, n, x);
            create table base.c as from (values (1, 7), (2, null)) as t(k, m)""")
        yield engine


@pytest.mark.parametrize("text", LOWERED)
def test_both_texts_give_the_rows(engine, text):
    made = lowered(sqlglot.parse_one(WITH + text, read="duckdb"), TABLES.get)

    def rows(sql):
        return sorted(engine.sql(sql).fetchall(), key=repr)

    assert rows(WITH + text) == rows(made.sql("duckdb")) == sorted(LOWERED[text], key=repr)
    for dialect in ("postgres", "spark"):
        written = made.sql(dialect, unsupported_level=sqlglot.ErrorLevel.RAISE)
        parsed = sqlglot.parse_one(written, read=dialect)
        for word in ("FILTER", "QUALIFY", "DISTINCT ON", "WINDOW", "GROUP BY ALL", "*,", "* ", "EXCLUDE", "EXCEPT"):
            assert f"{word}" not in written.replace("COUNT(*)", "").replace(" * 2", ""), written
        assert [output.alias_or_name for output in parsed.selects] == engine.sql(WITH + text).columns


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select z from base.a", "'z'"),
        ("select k from base.a cross join base.c", "'k'"),
        ("select n from base.a join base.c using (m)", "m"),
        ("select count(*) as n_row from base.a group by all", "group by all: no output is a key. Leave it out"),
    ],
)
def test_what_may_mean_two_things_or_nothing_is_refused(text, message):
    with pytest.raises(BrokenDefinition, match=message):
        lowered(sqlglot.parse_one(text, read="duckdb"), TABLES.get)
