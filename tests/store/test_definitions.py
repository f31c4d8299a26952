"""A store whose tables, views or macros were touched is refused, object by object."""

import re
import shutil
from pathlib import Path

import duckdb
import pytest

import tdtsql
from tdtsql.errors import BrokenDefinition, NotAStore
from tdtsql.store.opening import comments, made_with, objects, objects_hash, write_catalog_hash
from tdtsql.engine.duckdb import Engine

HASH = "[0-9a-f]{8}"
TAMPERING = {
    "create or replace view metric.detection_rate__v1 as select * from metric.detection_count__v1": "view "
    "metric.detection_rate__v1 is not what its file says",
    "alter table base.decision alter score type float": "table base.decision is not what its file says",
    "alter table base.story add column more integer": "table base.story is not what its file says",
    "drop view report.stale": "view report.stale is missing",
    "create macro floor(x) as x + 1": "macro main.floor was added",
    "create view metric.mine as select 1 as x": "view metric.mine was added",
    "create table base.mine (x integer)": "table base.mine was added",
    "create type main.whole as integer": "type main.whole was added",
    "create sequence registry.number": "sequence registry.number was added",
    "create index i on base.story (story_id)": "index base.i was added",
}


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    path = tmp_path_factory.mktemp("empty") / "store.duckdb"
    tdtsql.connect(path).close()
    return path


@pytest.fixture
def path(empty, tmp_path):
    """Return the file of an empty store."""
    return Path(shutil.copy(empty, tmp_path / "store.duckdb"))


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("statement", TAMPERING)
@pytest.mark.sample(2)
def test_what_was_touched_is_named(path, statement, read_only):
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)

    with pytest.raises(BrokenDefinition) as caught:
        tdtsql.connect(path, read_only=read_only)

    assert re.search(rf"store\.duckdb: {re.escape(TAMPERING[statement])}", str(caught.value))
    assert re.search(rf"\((file {HASH}, )?store {HASH}\)|is missing", str(caught.value))


def test_a_view_of_the_users_own_may_be_there(path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("create view main.mine as select * from report.score")

    tdtsql.connect(path, read_only=True).close()


@pytest.mark.sample(1)
@pytest.mark.parametrize("read_only", [True, False])
def test_what_a_store_says_of_its_views_is_not_believed(path, read_only):
    """A view replaced, and the hash that the store keeps of its tables and views written anew."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create or replace view metric.detection_rate__v1 as select * from metric.detection_count__v1"
        )
    engine = Engine(str(path))
    try:
        write_catalog_hash(engine)
        assert made_with(engine)["catalog"] == objects_hash(objects(engine))
    finally:
        engine.close()

    with pytest.raises(BrokenDefinition, match=r"view metric\.detection_rate__v1 is not what its file says"):
        tdtsql.connect(path, read_only=read_only)


def test_every_table_view_and_column_has_a_comment(path):
    with tdtsql.connect(path, read_only=True) as store:
        said = comments(store.engine)

    assert [name for name, text in said.items() if not text] == []
    assert {
        "comment on ledger.profile_text",
        "comment on ledger.profile_text.profile_text",
        "comment on report.score.value",
        "comment on base.decision",
    } <= said.keys()


def test_a_store_of_another_version_with_other_tables_is_read_and_not_written(path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("alter table registry.condition drop column unknown_topics")
        connection.execute(
            "delete from registry.contract where relation = 'registry.condition' and column_name = 'unknown_topics'"
        )
        connection.execute("update registry.made_with set value = 'another' where item = 'definitions'")
        connection.execute("delete from registry.made_with where item = 'catalog'")

        connection.execute("drop table base.training_story cascade")
        connection.execute("delete from registry.contract where relation = 'base.training_story'")

    with tdtsql.connect(path, read_only=True) as store:
        assert store.sql("select count(*) from report.leaderboard").fetchall() == [(0,)]
        with pytest.raises(
            NotAStore, match=r"another version of tdtsql, without registry\.condition\.unknown_topics, which this needs"
        ):
            store.engine.rows("select unknown_topics from registry.condition")
        with pytest.raises(
            NotAStore, match=r"another version of tdtsql, without base\.training_story, which this needs.*a new store"
        ):
            store.engine.rows("select * from base.training_story")
        with pytest.raises(duckdb.BinderException):
            store.engine.rows("select nothing_of_ours from registry.condition")
    with pytest.raises(
        NotAStore,
        match=r"other columns in registry\.condition \(unknown_topics\)\. Evaluate its bundle into a new store\.",
    ):
        tdtsql.connect(path)


def test_scores_are_packed_in_the_file(tmp_path):
    """Scores of a few decimals take less than half the room of doubles."""
    with tdtsql.connect(tmp_path / "store.duckdb") as store:
        store.engine.execute(
            "insert into base.decision select 1, 1, i, 1, true, round(sin(i), 4) from range(200_000) as r(i)"
        )
    with tdtsql.connect(tmp_path / "store.duckdb", read_only=True, inspect=True) as store:
        assert store.engine.rows(
            "select distinct compression from pragma_storage_info('base.decision') where column_name = 'score' and "
            "segment_type = 'DOUBLE'"
        ) == [("ALP",)]


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("create table mine (a integer)", "table main.mine"),
        ("create view mine as select 1 as a", "view main.mine"),
        ("create macro mine(x) as x + 1", "macro main.mine"),
        ("create type mine as enum ('a')", "type main.mine"),
        ("create sequence mine", "sequence main.mine"),
    ],
)
def test_a_database_of_something_else_is_left_as_it_is(tmp_path, statement, named):
    path = tmp_path / "mine.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)
    before = path.read_bytes()

    with pytest.raises(NotAStore, match=f"a database with {named} in it, not a store"):
        tdtsql.connect(path)
    assert path.read_bytes() == before
