"""What goes on at the same time: views that do not need each other, files that are parsed ahead, the file that is
written out.
"""

import shutil
from contextlib import nullcontext
from pathlib import Path

import duckdb
import pytest
from tdtsql.scoring.scope import Scope, sql_list
from bundle_file import write_part

import tdtsql
from tdtsql.definitions.catalogue import catalog, computed

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("unscored")]

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example"


# ---- views


def _rows(engine, in_transaction):
    """Return the rows of all views of a tracking run, and the databases and temporary tables that were there
    meanwhile.
    """
    [[condition_no, run_no]] = engine.rows(
        "select condition_no, run_no from registry.run where run_id = 'osprey' order by 2 limit 1"
    )
    profile_nos = [
        row[0]
        for row in engine.rows(f"select profile_no from registry.condition_profile where condition_no = {condition_no}")
    ]
    with engine.transaction() if in_transaction else nullcontext():
        scope = Scope(engine, [condition_no], [run_no], profile_nos)
        try:
            names = computed("tracking")
            scope.build(names)
            here = [
                row[0]
                for row in engine.rows("select database_name from duckdb_databases() where not internal order by 1")
            ]
            temporary = engine.value("select count(*) from duckdb_tables() where temporary")
            assert sql_list([run_no]) in scope.names["base.decision"]
            return (
                {
                    name: sorted(engine.rows(f"select * from {scope.relation(name)}"), key=str)
                    for name in names
                    if not catalog()[name].header.is_large
                },
                here,
                temporary,
            )
        finally:
            scope.close()


def test_the_same_rows_by_one_connection_and_by_several(example_store, tmp_path):
    copy = tmp_path / "copy.duckdb"
    shutil.copyfile(example_store, copy)
    with tdtsql.connect(copy) as store:
        engine = store.engine
        engine.execute("set threads = 2")
        apart, attached, no_table = _rows(engine, in_transaction=False)
        alone, none, n_table = _rows(engine, in_transaction=True)
        assert apart == alone and any(apart.values())
        assert (len(attached), no_table) == (2, 0), "a database for them, and nothing in the store's own"
        assert (len(none), n_table > 30) == (1, True), "rows of a transaction are seen by its connection alone"
        assert engine.rows("select database_name from duckdb_databases() where not internal") == [("copy",)]
        assert engine.value("select count(*) from duckdb_tables() where temporary") == 0


def test_a_view_that_fails_leaves_nothing_behind(example_store, tmp_path, monkeypatch):
    copy = tmp_path / "copy.duckdb"
    shutil.copyfile(example_store, copy)
    with tdtsql.connect(copy) as store:
        engine = store.engine
        engine.execute("set threads = 2")
        scope = Scope(engine, [1], [1], [1])
        monkeypatch.setattr(scope, "_body", lambda name, engine: "select no_such_column from registry.run")
        with pytest.raises(duckdb.BinderException, match="no_such_column"):
            scope.build(["base.detection_price__v1"])
        scope.close()
        assert engine.rows("select database_name from duckdb_databases() where not internal") == [("copy",)]


# ---- files that the engine parses


@pytest.fixture
def tracking(tmp_path):
    return write_part(EXAMPLE / "bundle.toml", tmp_path / "example", {"trk-eng-1"})


# ---- the file written out
