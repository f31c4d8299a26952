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
from tdtsql.errors import InvalidInput
from tdtsql.definitions.catalogue import catalog, computed

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("unscored")]

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example"
NUMBERS = "select run_id, profile_id, subset, weighting, metric, value from report.score order by all"


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


def _loaded(bundle, monkeypatch, *, by_engine):
    """Return what a bundle becomes."""
    with monkeypatch.context() as patch, tdtsql.connect(":memory:") as store:
        if not by_engine:
            patch.setattr("tdtsql.loading.tasks.tracking.clean_output", lambda *_, **__: None)
        problems = store.evaluate(bundle).warnings
        store.refresh()
        contents = store.engine.rows(
            "select owner_hash.subject, owner_hash.detail from ledger.entry as owner_hash where kind = 'content' "
            "order by all"
        )
        return (
            sorted(map(str, problems)),
            store.engine.rows("select * from base.decision order by all"),
            contents,
            store.engine.rows(NUMBERS),
        )


@pytest.fixture
def tracking(tmp_path):
    return write_part(EXAMPLE / "bundle.toml", tmp_path / "example", {"trk-eng-1"})


def test_a_file_with_something_odd_goes_to_the_reader_and_the_rest_of_the_run_is_taken(tracking, monkeypatch):
    first, second = sorted((tracking.parent / "tracking" / "osprey" / "nt1").glob("*.out"))[:2]
    lines = first.read_text().splitlines(keepends=True)
    first.write_text("".join([*lines[:3], "# a remark\n", *lines[3:]]))  # the reader takes it
    second.write_text(second.read_text().replace("YES", "Yes", 1))  # so does the engine
    quickly, slowly = (_loaded(tracking, monkeypatch, by_engine=by_engine) for by_engine in (True, False))
    assert quickly == slowly and quickly[1] and quickly[3]


@pytest.mark.parametrize("by_engine", [True, False])
def test_a_file_of_a_topic_that_the_condition_does_not_have_is_told(tracking, monkeypatch, by_engine):
    path = tracking.parent / "tracking" / "osprey" / "nt1" / "trk_70001.out"
    path.write_text(path.read_text().replace("70001", "79999", 1))
    with pytest.raises(InvalidInput) as caught:
        _loaded(tracking, monkeypatch, by_engine=by_engine)
    assert "E820" in str(caught.value.problems[0])


@pytest.mark.parametrize("ending", [b"\r\n", b"\r"])
def test_a_file_that_the_engine_cannot_go_on_with_is_told_by_the_reader(tracking, monkeypatch, ending):
    """A carriage return amid a line, in a file of line feeds: the engine's parser stops, and no transaction must end
    with it.
    """
    path = tracking.parent / "tracking" / "osprey" / "nt1" / "trk_70001.out"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], lines[4][:9] + ending + lines[4][9:], *lines[5:]]))
    with pytest.raises(InvalidInput) as caught:
        _loaded(tracking, monkeypatch, by_engine=True)
    told = [problem for problem in caught.value.problems if problem.is_error]
    assert {problem.line for problem in told} == {5} and all(problem.path.endswith("trk_70001.out") for problem in told)


# ---- the file written out


def test_after_an_evaluation_the_log_is_in_the_file_while_the_store_is_open(tracking, tmp_path):
    path = tmp_path / "store.duckdb"
    with tdtsql.connect(path) as store:
        store.evaluate(tracking)
        store.engine._writing.join(60)
        log = Path(f"{path}.wal")
        assert not log.exists() or log.stat().st_size < 4096
        numbers = store.engine.rows(NUMBERS)
        store.engine.checkpoint()
        store.engine.execute(
            "create table kept_as_well as select 42 as answer"
        )  # a change meanwhile is none that is lost
    with tdtsql.connect(path, read_only=True) as store:
        assert store.engine.rows(NUMBERS) == numbers
        assert store.engine.value("select answer from kept_as_well") == 42
