"""`tdtsql evaluate` of a tracking evaluation in the official formats: whole process, from text files to numbers and
curves.

    python bench/bench_tracking.py [--topics 50] [--stories 20000] [--distinct] [--on-topic RATE] [--yes RATE]
    [--keep FOLDER]

Beside it, in the same minute, what Python needs only to split the same lines.
Prints seconds, peak memory and ratios, asserts nothing; the processor's seconds
and the load tell how far others were using the machine meanwhile. Systems that say
yes often put each story in many topics:

    python bench/bench_tracking.py --on-topic 0.01 --yes 0.16
    python bench/bench_tracking.py --topics 250 --on-topic 0.01 --yes 0.6
    python bench/bench_tracking.py --on-topic 1 --yes 1      # every story in every topic, on both sides
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from data import add_rates, child, write_tracking

import tdtsql
from tdtsql.definitions.catalogue import catalog, closure, computed
from tdtsql.engine.duckdb import Engine
from tdtsql.scoring.scope import Scope
from tdtsql.store.registry import result_tables

TRACKING = computed("tracking")
#: counts and costs alone, without curves
COUNTS = ("metric.detection_pooled__v1", "metric.detection_topic_weighted__v1")


def timed(engine: Engine, names: Iterable[str], parts: dict[str, float] | None = None) -> float:
    """Return the seconds that computing views (and all they read) takes; ``parts`` receives those of each."""
    profiles = [row[0] for row in engine.rows("select profile_no from registry.condition_profile")]
    scope = Scope(engine, [1], [1], profiles)
    total = 0.0
    try:
        for name in closure(catalog(), names):
            start = time.perf_counter()
            scope.build([name])
            seconds = time.perf_counter() - start
            total += seconds
            if parts is not None:
                parts[name] = seconds
    finally:
        scope.close()
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--stories", type=int, default=20_000)
    parser.add_argument("--distinct", action="store_true")
    parser.add_argument("--keep", type=Path, help="write the evaluation here and leave it")
    add_rates(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        n_decision = write_tracking(
            folder, given.topics, given.stories, distinct=given.distinct, on_topic=given.on_topic, yes=given.yes
        )
        measure(folder, n_decision)


def measure(folder: Path, n_decision: int) -> None:
    store = folder / "bench.duckdb"
    store.unlink(missing_ok=True)
    start = time.perf_counter()
    split = 0
    for path in sorted((folder / "sys").iterdir()):
        with path.open() as file:
            split += sum(len(line.split()) for line in file)
    unit = time.perf_counter() - start
    whole, busy, peak, _ = child("-m", "tdtsql", "evaluate", folder / "bundle.toml", "--db", store)
    size = store.stat().st_size

    opened = tdtsql.connect(store)
    for table in (*result_tables(), "ledger.computation"):
        opened.engine.execute(f"delete from {table}")
    start = time.perf_counter()
    opened.refresh()
    again = time.perf_counter() - start
    counts = timed(opened.engine, COUNTS)
    parts: dict[str, float] = {}
    timed(opened.engine, TRACKING, parts)
    start = time.perf_counter()
    opened.sql("select * from report.score").fetchall()
    opened.sql("select * from report.leaderboard").fetchall()
    reading = time.perf_counter() - start
    text = sum(path.stat().st_size for path in (folder / "sys").iterdir())
    print(f"{n_decision:,} decisions, {text / 2**20:.0f} MiB of text: seconds, and times splitting the lines in Python")
    for what, seconds in (
        ("splitting the lines in Python", unit),
        ("evaluate, whole process", whole),
        ("scoring again with all curves", again),
        ("only counts and costs", counts),
        ("report.score and leaderboard", reading),
    ):
        print(f"  {what:36} {seconds:8.3f} {seconds / unit:8.2f}")
    whole_pass = sum(parts.values())
    print(
        "  of a pass over all views: "
        + ", ".join(
            f"{name.removesuffix('__v1')} {value:.3f} s ({value / whole_pass:.0%})"
            for name, value in sorted(parts.items(), key=lambda part: -part[1])[:6]
        )
    )
    print(
        f"  evaluate took {busy:.1f} processor seconds, which is {busy / whole:.2f} cores; load "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    print(f"  peak memory {peak / 2**20:.0f} MiB, store {size / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
