"""Columns of Python into a table: what stands in them comes as it is, whatever is None."""

import pytest

from tdtsql.engine.duckdb import Engine


@pytest.fixture
def engine():
    engine = Engine(":memory:")
    engine.execute("create table t (number integer, name varchar, score double, published_at timestamp)")
    yield engine
    engine.close()


def test_none_is_null_in_every_type_and_an_empty_text_is_none(engine):
    engine.insert(
        "t",
        {
            "number": [1, None, 3],
            "name": [None, "", "x"],
            "score": [None, 0.1, 1e300],
            "published_at": ["1998-10-01", None, None],
        },
    )
    rows = engine.rows("select number, name, score, cast(published_at as varchar) from t")
    assert rows == [(1, None, None, "1998-10-01 00:00:00"), (None, "", 0.1, None), (3, "x", 1e300, None)]


def test_a_temporary_table_has_texts_where_nothing_is_known(engine):
    table = engine.insert_temporary("u", {"number": [1, 2], "name": [None, None]})
    assert engine.rows(f"select column_name, column_type from (describe {table})") == [
        ("number", "BIGINT"),
        ("name", "VARCHAR"),
    ]


def test_one_value_is_that_of_every_row(engine):
    assert engine.insert("t", {"number": 7, "name": "it's", "score": [0.5, None]}) == 2
    assert engine.insert("t", {"number": 7, "score": []}) == 0
    assert engine.rows("select number, name, score from t") == [(7, "it's", 0.5), (7, "it's", None)]
