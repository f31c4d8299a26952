"""Counts, costs and the topic-weighted DET curve by a standalone Spark cluster, beside DuckDB on the same decisions.

    python tests/bench/bench_spark.py [TRIALS ...] [--workers 2] [--memory 3g]

TRIALS (10^6 10^7) are spread over 100 topics with 70 targets each; scores have 4 digits. Starts a master and workers
of one core each on the loopback interface, writes the decisions as Parquet below a temporary folder, and prints
seconds, and
of Spark's also what went through shuffles. Asserts nothing.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

import tdtsql
from spark_cluster import Cluster
from synthetic import COUNTS, timed, write_export
from tdtsql.definitions.catalogue import catalog, closure
from tdtsql.scoring.scope import open_scope

N_TOPIC = 100
STEPS = {
    "counts and costs": COUNTS,
    "topic-weighted DET and its minimum": ("metric.detection_det_curve__v1", "metric.detection_det_minimum__v1"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", type=float, nargs="*", default=[1e6, 1e7])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="3g", help="of each executor")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        cluster = Cluster(Path(place) / "cluster", given.workers, given.memory)
        try:
            for trials in given.trials:
                measure(Path(place) / f"export{trials:.0e}", int(trials) // N_TOPIC, cluster, given.memory)
        finally:
            cluster.close()


def measure(folder: Path, n_story: int, cluster: Cluster, memory: str) -> None:
    """Print what one size takes."""
    write_export(folder, N_TOPIC, n_story, digits=4)
    n_byte = sum(path.stat().st_size for path in (folder / "base" / "decision").rglob("*.parquet"))
    print(f"{N_TOPIC * n_story:,} trials, {n_byte / 1e6:,.0f} MB as Parquet", flush=True)
    numbers = [with_duckdb(folder), with_spark(folder, cluster, memory)]
    print(f"  the same numbers: {'yes' if numbers[0] == numbers[1] else 'NO'}", flush=True)


def with_duckdb(folder: Path) -> list[tuple]:
    with tdtsql.connect(
        "spark-local[2]", data=folder, read_only=True
    ) as store:  # its local copy, with the decisions brought to it
        engine = store.engine
        start = time.perf_counter()
        engine.execute(
            f"insert into base.decision by name select * from read_parquet('{folder}/base/decision/*/*/*.parquet', "
            f"hive_partitioning = false)"
        )
        processor = time.process_time()
        print(f"  DuckDB  {'loading':36} {time.perf_counter() - start:8.1f} s", flush=True)
        for what, names in STEPS.items():
            print(
                f"  DuckDB  {what:36} {timed(engine, names):8.1f} s; processor {time.process_time() - processor:.1f} s",
                flush=True,
            )
            processor = time.process_time()
        return numbers_of(engine, here=True)


def with_spark(folder: Path, cluster: Cluster, memory: str) -> list[tuple]:
    settings = {
        "spark.executor.memory": memory,
        "spark.ui.enabled": "true",
        "spark.ui.port": "0",
        "spark.ui.retainedStages": "100000",
    }
    with tdtsql.connect(cluster.address, data=folder, settings=settings) as store:
        engine = store.engine
        start = time.perf_counter()
        context = engine.remote.session.sparkContext
        print(f"  Spark   {'starting':36} {time.perf_counter() - start:8.1f} s", flush=True)
        before = shuffled(context)
        for what, names in STEPS.items():
            start = time.perf_counter()
            scope = open_scope(
                engine, [1], [1], [row[0] for row in engine.rows("select profile_no from registry.condition_profile")]
            )
            try:
                scope.build(closure(catalog(), names))
            finally:
                scope.close()
            seconds = time.perf_counter() - start
            after = shuffled(context)
            part = {key: after[key] - before[key] for key in after}
            busy = part["executorRunTime"] / 1e3
            share = (part["shuffleWriteTime"] / 1e9 + part["shuffleFetchWaitTime"] / 1e3) / busy if busy else 0
            print(
                f"  Spark   {what:36} {seconds:8.1f} s; executors busy {busy:.1f} s (processor "
                f"{part['executorCpuTime'] / 1e9:.1f} s), shuffled {part['shuffleWriteBytes'] / 1e6:,.1f} MB, "
                f"{share:.1%} of their time writing and waiting for it; spilled {part['diskBytesSpilled'] / 1e6:,.0f} "
                f"MB",
                flush=True,
            )
            before = after
        return numbers_of(engine, here=False)


def numbers_of(engine, *, here: bool) -> list[tuple]:
    from tdtsql.scoring.scope import Scope

    profiles = [row[0] for row in engine.rows("select profile_no from registry.condition_profile")]
    name = "metric.detection_topic_weighted__v1"
    scope = (Scope if here else open_scope)(engine, [1], [1], profiles)
    try:
        scope.build(closure(catalog(), [name]))
        return engine.rows(f"select * from {scope.relation(name)} order by all")
    finally:
        scope.close()


def shuffled(context) -> dict[str, int]:
    """Return the sums over all stages so far."""
    time.sleep(0.5)  # the listener is a little behind
    with urlopen(f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages") as answer:
        stages = json.load(answer)
    return {
        key: sum(stage.get(key, 0) for stage in stages)
        for key in (
            "executorRunTime",
            "executorCpuTime",
            "shuffleWriteBytes",
            "shuffleWriteTime",
            "shuffleFetchWaitTime",
            "diskBytesSpilled",
        )
    }


if __name__ == "__main__":
    main()
