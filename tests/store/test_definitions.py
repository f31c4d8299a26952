"""A store whose tables, views or macros were touched is refused, object by object."""

import re
import shutil
from pathlib import Path

import duckdb
import pytest

import tdtsql
from tdtsql.errors import BrokenDefinition, NotAStore
from inside import check_store

HASH = "[0-9a-f]{8}"
TAMPERING = {
    "create or replace view metric.detection_rate__v1 as select * from metric.detection_count__v1": "view metric.detection_rate__v1 is not what its file says",
    "alter table base.decision alter score type float": "table base.decision is not what its file says",
    "alter table base.story add column more integer": "table base.story is not what its file says",
    "drop view report.stale": "view report.stale is gone",
    "create macro floor(x) as x + 1": "macro main.floor was added",
    "create view metric.mine as select 1 as x": "view metric.mine was added",
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
def test_what_was_touched_is_named(path, statement, read_only):
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)

    with pytest.raises(BrokenDefinition) as caught:
        tdtsql.connect(path, read_only=read_only)

    assert re.search(rf"store\.duckdb: {re.escape(TAMPERING[statement])}", str(caught.value))
    assert re.search(rf"\((file {HASH}, )?store {HASH}\)|is gone", str(caught.value))


def test_a_view_of_the_users_own_may_be_there(path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("create view main.mine as select * from report.score")

    tdtsql.connect(path, read_only=True).close()


def test_a_forged_quick_hash_does_not_pass_the_thorough_check(path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("create or replace view metric.detection_rate__v1 as select * from metric.detection_count__v1")
        connection.execute("delete from registry.made_with where item = 'catalog'")

    with pytest.raises(BrokenDefinition):
        tdtsql.connect(path)


def test_the_thorough_check_passes_a_good_store(path):
    with tdtsql.connect(path, read_only=True) as store:
        check_store(store.engine, thorough=True)


def test_a_store_of_another_version_with_other_tables_is_read_and_not_written(path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("alter table registry.condition drop column unknown_topics")
        connection.execute("delete from registry.contract where relation = 'registry.condition' and column_name = 'unknown_topics'")
        connection.execute("update registry.made_with set value = 'another' where item = 'definitions'")
        connection.execute("delete from registry.made_with where item = 'catalog'")

    tdtsql.connect(path, read_only=True).close()
    with pytest.raises(NotAStore, match=r"other columns in registry\.condition \(unknown_topics\)\. Evaluate its bundle into a new store\."):
        tdtsql.connect(path)
