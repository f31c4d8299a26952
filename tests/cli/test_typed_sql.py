"""SQL that people type: it reads the store and nothing else, within limits; what it cannot have is said in a
sentence.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.engine.sandbox import GENEROUS, STRICT, one_question, run_user_query
from tdtsql.engine.spill import SpillFolder
from tdtsql.errors import InvalidQuery
from places import ROOT

SMALL = ROOT / "fixtures" / "malformed" / "bundle" / "base_tdt" / "bundle.toml"


@pytest.fixture(scope="module")
def db(evaluated_once, tmp_path_factory):
    return Path(shutil.copy(evaluated_once(SMALL), tmp_path_factory.mktemp("typed")))


@pytest.fixture
def store(db, tmp_path):
    shutil.copy(db, tmp_path / "mine.duckdb")
    with tdtsql.connect(tmp_path / "mine.duckdb") as store:
        yield store


@pytest.fixture(scope="module")
def shared_store(db, tmp_path_factory):
    """Return an open store for all queries that change nothing."""
    path = shutil.copy(db, tmp_path_factory.mktemp("shared") / "mine.duckdb")
    with tdtsql.connect(path) as store:
        yield store


SUPPORT = ROOT / "tests" / "support"
TAKEN = (SUPPORT / "taken.sql").read_text().splitlines()

REFUSED = [*(SUPPORT / "refused.sql").read_text().splitlines(), "", "  ", "select \ud800"]


@pytest.mark.sample(8)
@pytest.mark.parametrize("query", TAKEN)
def test_one_question_is_taken(shared_store, query):
    run_user_query(shared_store.engine, query)
    assert shared_store.sql(query).fetchall() == run_user_query(shared_store.engine, query)[1]


@pytest.mark.parametrize("query", REFUSED)
def test_anything_else_is_refused_on_a_store_open_for_writing(shared_store, tmp_path, monkeypatch, query):
    monkeypatch.chdir(tmp_path)
    before = shared_store.engine.rows("select * from base.judgment order by all"), sorted(os.listdir())

    with pytest.raises(InvalidQuery) as refused:
        shared_store.sql(query.replace("STORE", str(shared_store.path))).fetchall()

    assert str(refused.value).strip() and "Traceback" not in str(refused.value)
    assert (shared_store.engine.rows("select * from base.judgment order by all"), sorted(os.listdir())) == before


def test_what_is_run_after_explain_is_what_was_looked_at(store):
    assert one_question(store.engine.connection, "explain select 1").split() == ["explain", "select", "1"]


def test_a_variable_of_the_program_is_no_relation(store):
    sql = duckdb.sql("select 1")  # noqa: F841  what a name in a query could mean to the engine

    with pytest.raises(InvalidQuery, match="sql"):
        store.sql("select * from sql")
    with pytest.raises(InvalidQuery, match="question"):  # a variable of the function that runs it
        store.sql("select * from question")


def test_moments_with_a_time_zone_are_printed(db):
    moment = "timestamptz '2026-11-22 10:00:00+00'"
    words = ["sql", "query", f"select {moment} as t, [{moment}] as l, 1 as n -- x", "--db", str(db), "--format", "csv"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0 and result.stdout.splitlines()[0] == "t,l,n" and result.stdout.count("2026-11-22") == 2


# ---- limits


def test_a_query_that_takes_too_long_is_stopped(store):
    begin = time.monotonic()

    with pytest.raises(InvalidQuery, match="took longer than 0.3 s"):
        run_user_query(
            store.engine,
            "select count(*) from range(1000000) a(x), range(1000000) b(y) where sin(x) * y < 0",
            replace(STRICT, seconds=0.3),
        )

    assert time.monotonic() - begin < 60
    assert run_user_query(store.engine, "select 1 as one", STRICT) == (["one"], [(1,)])  # the connection goes on


def test_an_answer_of_too_many_rows_is_refused_whole(store):
    assert len(run_user_query(store.engine, "from range(5)", replace(STRICT, rows=5))[1]) == 5
    with pytest.raises(InvalidQuery, match="more than 5 rows"):
        run_user_query(store.engine, "from range(6)", replace(STRICT, rows=5))


def test_memory_and_spill_are_limited(store):
    limits = replace(GENEROUS, memory="50MB", spill="1MB")

    with pytest.raises(InvalidQuery, match="more memory than it may have"):
        run_user_query(
            store.engine, "select x from range(20000000) a(x) order by sin(x) limit 3 offset 19000000", limits
        )


def test_the_engine_leaves_out_what_takes_longer_than_it_saves(store):
    """One rule of DuckDB 2.0 takes two thirds of the time that a view made of views needs before its first row."""
    rules = {name for [name] in store.engine.rows("select name from duckdb_optimizers()")}

    [[off]] = store.engine.rows("select current_setting('disabled_optimizers')")

    assert off == ("projection_pullup" if "projection_pullup" in rules else "")


# ---- the folder that is spilled to


def test_the_folder_is_private_and_gone_at_the_end(store, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    run_user_query(store.engine, "select 1")
    [[place]] = store.engine.rows("select current_setting('temp_directory')")

    assert Path(place).parent.stat().st_mode & 0o077 == 0 and Path(place).is_relative_to(tmp_path)
    store.close()
    assert not Path(place).parent.exists()


def test_a_store_that_spilled_while_it_was_opened_is_asked_all_the_same(store):
    """The engine does not change a folder that it has written to: with little memory that was refused, as a defect of
    tdtsql.
    """
    store.engine.execute("set memory_limit = '20MB'")
    store.engine.execute(
        "create temp table much as select x, hash(x) as h, 'a text of some length ' || x as said from range(1000000) "
        "a(x)"
    )

    with pytest.raises(InvalidQuery, match="more memory than it may have"):
        run_user_query(
            store.engine,
            "select x from range(20000000) a(x) order by sin(x) limit 3 offset 19000000",
            replace(GENEROUS, spill="60MB"),
        )
    assert run_user_query(store.engine, "select count(*), max(length(said)) from much")[1] == [(1_000_000, 28)]
    with pytest.raises(InvalidQuery, match="not files"):
        run_user_query(store.engine, f"from read_text('{ROOT / 'README.md'}')")


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    code = (
        f"from pathlib import Path\nfrom tdtsql.engine.spill import SpillFolder\nf = "
        f"SpillFolder(Path({str(tmp_path)!r}))\n"
        "(f.path / 'spilled').mkdir(); (f.path / 'spilled' / 'x.tmp').write_bytes(bytes(1000)); print(f.path, "
        "flush=True)\nimport time; time.sleep(100)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    left = Path(holder.stdout.readline().strip())
    held = SpillFolder(tmp_path)
    assert left.exists()  # its process lives

    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    again = SpillFolder(tmp_path)

    assert not left.exists() and held.path.exists() and again.path.exists()
    held.close()
    again.close()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_somebody_else_made_first_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"tdtsql-spill-{os.getuid()}").symlink_to(tmp_path / "elsewhere")

    folder = SpillFolder()

    assert not folder.path.is_relative_to(tmp_path / "elsewhere") and list((tmp_path / "elsewhere").iterdir()) == []
    folder.close()


@pytest.mark.parametrize("name", ["data.csv", "memory.data.CSV", '"{0}/data".csv', '"{0}"."data.csv"'])
def test_a_qualified_name_is_no_file(tmp_path, monkeypatch, name):
    """Where no schema has the relation, the engine takes the parts of its name for those of a file's."""
    (tmp_path / "data.csv").write_text("a\nsecret\n")
    monkeypatch.chdir(tmp_path)
    with tdtsql.connect(":memory:") as store:
        for query in ("select * from {}", "select 1 where exists (select 1 from {})", "describe {}"):
            with pytest.raises(InvalidQuery, match="would be a file"):
                store.sql(query.format(name.format(tmp_path)))
        assert store.sql("select count(*) from memory.report.score").fetchall() == [(0,)]
