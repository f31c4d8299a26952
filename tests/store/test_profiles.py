"""Profiles of a store: written where they differ, left alone where they do not."""

import duckdb
import pytest

import tdtsql
from tdtsql.store.profiles import load_profiles, policies, profile_mistakes, shipped_profiles, with_base
from tdtsql.definitions.table import tables


@pytest.fixture(scope="module")
def store():
    with tdtsql.connect(":memory:") as store:
        yield store


def rows(store):
    return store.sql("select * from registry.profile order by profile_no").fetchall()


def test_a_changed_shipped_profile_is_put_right_under_its_number():
    with tdtsql.connect(":memory:") as store:
        shipped = rows(store)
        store.engine.execute("update registry.profile set c_miss = 3 where profile_id = 'tdt2004'")
        store.engine.execute("update registry.profile set b3_unjudged = 'zero' where profile_id = 'tdt3eval'")

        load_profiles(store.engine, {}, "")

        assert sorted(rows(store)) == sorted(shipped)


def test_only_what_differs_is_written(monkeypatch):
    with tdtsql.connect(":memory:") as store:
        load_profiles(store.engine, {"mine": {"base": "f4de", "c_miss": 2.0}}, "test")
        written = []
        monkeypatch.setattr(type(store.engine), "execute", lambda engine, sql, parameters=None: written.append(sql))

        load_profiles(store.engine, {"mine": {"base": "f4de", "c_miss": 2.0}}, "test")
        assert written == []

        load_profiles(store.engine, {"mine": {"base": "f4de", "c_miss": 5.0}}, "test")
        assert [sql.split()[0] for sql in written] == ["delete", "insert"]


def test_every_column_of_words_says_which_it_takes():
    table = tables()["registry.profile"]
    words = [
        column
        for column in table.columns
        if table.type_of(column) == "varchar"
        and column not in ("profile_id", "base_profile", "source", "decide_condition")
    ]

    assert list(policies()) == words
    assert policies()["unpooled"] == ("invisible", "null_update", "ignore", "unknown_length")
    assert policies()["b3_unassigned"] == ("exclude", "drop", "zero", "singleton")


@pytest.mark.parametrize("name", shipped_profiles())
def test_a_shipped_profile_says_only_what_its_columns_take(name):
    columns = with_base(shipped_profiles(), name)

    assert set(columns) <= set(tables()["registry.profile"].columns)
    assert {column: value for column, value in columns.items() if value not in policies().get(column, (value,))} == {}


def test_a_profile_has_its_own_columns_and_those_of_its_bases(store):
    profiles = {
        "a": {"columns": {"c_miss": 1.0, "c_fa": 0.1}},
        "b": {"base": "a", "columns": {"c_fa": 0.2}},
        "c": {"base": "b", "columns": {"c_miss": 3.0}},
    }

    assert with_base(profiles, "c") == {"c_miss": 3.0, "c_fa": 0.2}
    for circle in ({"a": {"base": "b"}, "b": {"base": "a"}}, {"a": {"base": "a"}}, {"a": {"base": "z"}}):
        said = {message for _, message, *_ in profile_mistakes(store.engine, circle, [])}
        assert said == {f"profile '{name}' is based on itself or on an unknown profile" for name in circle}


def test_the_store_refuses_a_policy_that_no_profile_may_have(store):
    with pytest.raises(duckdb.ConstraintException):
        store.engine.execute("update registry.profile set judged_no = 'ignored' where profile_id = 'tdt2004'")


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("c_miss", 0, "from 1e-9 to 1e9"),
        ("c_fa", -0.1, "from 1e-9 to 1e9"),
        ("utility_weight", 1e300, "from 1e-9 to 1e9"),
        ("p_target", 2, "from 0 to 1"),
        ("optbr", 1, "above 1, up to 1e9"),
        ("c_branch", -1, "from 0 to 1e9"),
    ],
)
def test_a_number_that_costs_cannot_be_made_of_is_refused(store, column, value, said):
    """A cost of misses of 0 ended in an error of the engine, a prior of 2 in negative costs."""
    [(_, found, *_)] = profile_mistakes(store.engine, {"mine": {"base": "tdt2004", column: value}}, [])
    assert found == f"profile 'mine': {column} is {value}, expected a number {said}"
