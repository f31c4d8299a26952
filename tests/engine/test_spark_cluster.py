"""A standalone cluster on loopback, a master and two workers: the numbers, a worker killed in the middle, all killed,
secrets.

The store is one run of 400,000 decisions on 20 topics, so that steps lie with the executors and not with the driver.
"""

import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

import tdtsql
from tdtsql.engine import spark as spark_module
from tdtsql.errors import EngineUnavailable

pytestmark = pytest.mark.engine

pytest.importorskip("pyspark", reason="pyspark is not installed (pip install 'tdtsql[spark]')")
if not shutil.which("java"):
    pytest.skip("Java is not installed (Debian: apt install openjdk-17-jre-headless)", allow_module_level=True)

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

from spark_cluster import Cluster  # noqa: E402
from synthetic import record_contents, write_export  # noqa: E402

SECRET = "hunter2hunter2"
N_TOPIC, N_STORY = 20, 20_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lake") / "export"
    write_export(folder, N_TOPIC, N_STORY)
    return folder


@pytest.fixture(scope="module")
def numbers(folder):
    """Every number of the run, from DuckDB."""
    with tdtsql.connect(":memory:") as store:
        engine = store.engine
        for table in (
            "registry.corpus",
            "registry.condition",
            "registry.condition_profile",
            "registry.run",
            "base.block",
            "base.segment",
            "base.segment_story",
            "base.test_segment",
            "base.subset",
            "base.curve_request",
            "base.judgment",
            "base.labelled_story",
        ):
            engine.execute(f"insert into {table} by name select * from '{folder}/{table.replace('.', '/')}.parquet'")
        engine.execute(
            f"insert into base.decision by name select * from read_parquet('{folder}/base/decision/*/*/*.parquet', "
            f"hive_partitioning = false)"
        )
        from inside import append, load_entry, refresh_current_inputs

        record_contents(engine, "run_no")
        for owner in ("corpus:bench", "condition:bench", "run:bench/bench"):  # as if it had been loaded
            append(engine, "load", *load_entry(engine, owner))
        refresh_current_inputs(engine)
        return rows(store)


def rows(store) -> list[tuple]:
    assert store.refresh() == 1
    return (
        store.engine.rows("select metric, weighting, subset, value, n from report.score order by all")
        + store.engine.rows("select metric, block_id, subset, value from report.block_score order by all")
        + store.engine.rows(
            "select weighting, block_id, threshold, p_miss, p_fa, c_det_norm from report.det_point order by all"
        )
    )


@pytest.fixture
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.close()


class Killer(threading.Thread):
    """Kills workers as soon as a job runs after so many steps."""

    def __init__(self, store, cluster: Cluster, workers: list[int], after: int = 12):
        super().__init__(daemon=True)
        self.remote, self.cluster, self.workers, self.after = store.engine.remote, cluster, workers, after
        self.steps, self.killed_at = 0, None
        make = self.remote.make

        def counted(*arguments):
            self.steps += 1
            make(*arguments)

        self.remote.make = counted

    def run(self):
        tracker = self.remote.session.sparkContext.statusTracker()
        while self.steps < self.after or not tracker.getActiveJobsIds():
            time.sleep(0.02)
        self.killed_at = self.steps
        for worker in self.workers:
            self.cluster.kill_worker(worker)


def test_two_workers_give_the_same_numbers_and_one_killed_in_the_middle_too(cluster, folder, numbers, tmp_path, capfd):
    settings = {"spark.hadoop.fs.s3a.secret.key": SECRET, "spark.executor.memory": "1g"}
    with tdtsql.connect(
        cluster.address, data=folder, results=tmp_path / "whole.duckdb", settings=settings, trace=True
    ) as store:
        assert rows(store) == numbers
        # secrets: what was printed, what is kept, what is told
        with pytest.raises(tdtsql.errors.InvalidQuery) as told:
            store.sql("select * from nowhere")
        printed = capfd.readouterr()
        kept = str(
            [
                store.engine.rows(f"select * from {table}")
                for [table] in store.engine.rows(
                    "select schema_name || '.' || table_name from duckdb_tables() where schema_name in ('ledger', "
                    "'registry')"
                )
            ]
        )
    assert "select" in printed.err
    assert SECRET not in printed.out + printed.err + str(told.value) + kept
    assert SECRET.encode() not in (tmp_path / "whole.duckdb").read_bytes()
    with tdtsql.connect(cluster.address, data=folder, results=tmp_path / "killed.duckdb", settings=settings) as store:
        killer = Killer(store, cluster, [0])
        killer.start()
        assert rows(store) == numbers
        assert killer.killed_at is not None and cluster.workers[0].poll() is not None
        cluster.add_worker()


def test_all_workers_killed_is_a_clean_end_and_nothing_is_kept(cluster, folder, numbers, tmp_path, monkeypatch):
    monkeypatch.setattr(spark_module, "NO_EXECUTOR", 5.0)
    with tdtsql.connect(cluster.address, data=folder, results=tmp_path / "none.duckdb") as store:
        killer = Killer(store, cluster, [0, 1])
        killer.start()
        start = time.monotonic()
        with pytest.raises(
            EngineUnavailable,
            match=r"(All executors of Spark were lost|Spark did not get through).*Nothing was stored\. (Start "
            r"workers, and ask|Ask) again\.",
        ):
            store.refresh()
        assert time.monotonic() - start < 120
        assert store.engine.rows("select count(*) from ledger.computation") == [(0,)]
        assert store.engine.rows("select count(*) from ledger.result_score") == [(0,)]
    # the same file, with workers again: everything is computed then
    cluster.add_worker()
    with tdtsql.connect(cluster.address, data=folder, results=tmp_path / "none.duckdb") as store:
        assert rows(store) == numbers


def test_a_master_without_workers_is_said_in_bounded_time(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(spark_module, "FIRST_EXECUTOR", 3.0)
    cluster = Cluster(tmp_path / "empty", n_worker=0)
    try:
        with (
            tdtsql.connect(cluster.address, data=folder, results=tmp_path / "r.duckdb") as store,
            pytest.raises(EngineUnavailable, match="gives no executor within 3 seconds"),
        ):
            store.refresh()
        cluster.close()
        with (
            tdtsql.connect(cluster.address, data=folder, results=tmp_path / "r.duckdb") as store,
            pytest.raises(EngineUnavailable, match="cannot be reached"),
        ):
            store.refresh()
    finally:
        cluster.close()
