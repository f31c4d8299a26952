"""Tidy files with many topics or many judgments: `evaluate`, whole process, and until scoring begins; Python's csv
module reads the same files beside it.

    python bench/bench_tidy.py [SHAPE ...] [--turns 3]

Shapes: `events` (5,000 topics, 50,000 stories), `singles` (50,000 topics of one story each),
`judgments` (824,000 judgments of 111 topics and 20,000 stories), `corpus` (the same of 278,000
stories); 10^5 decisions each. Prints medians of seconds and of processor seconds; asserts nothing.
"""

import argparse
import csv
import os
import statistics
import tempfile
import time
from pathlib import Path

import duckdb

import tdtsql
from data import child

#: topics, stories, judgments
SHAPES = {
    "events": (5_000, 50_000, 50_000),
    "singles": (50_000, 50_000, 50_000),
    "judgments": (111, 20_000, 824_000),
    "corpus": (111, 278_000, 824_000),
}
N_DECISION = 100_000

BUNDLE = """name = "bench"

[corpus]
id = "bench"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"

[[condition]]
id = "tracking"
task = "tracking"

[[run]]
id = "bench"
condition = "tracking"
files = ["run.csv"]
format = "tidy"
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", default=list(SHAPES))
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        evaluate(given.one)
        return
    print("shape: evaluate (processor), until scoring begins; Python's csv module on the same files")
    for shape in given.shapes:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            make(folder, *SHAPES[shape])
            turns = [measure(folder) for _ in range(given.turns)]
            whole, busy, loaded, peer = (statistics.median(column) for column in zip(*turns, strict=True))
            print(
                f"  {shape:10} {whole:6.2f} ({busy:6.2f})  {loaded:6.2f}  {peer:6.2f} s   load "
                f"{os.getloadavg()[0]:.1f}",
                flush=True,
            )


def make(folder: Path, n_topic: int, n_story: int, n_judgment: int) -> None:
    """Write a bundle; topics take turns with the stories, and every tenth decision is on a target."""
    (folder / "bundle.toml").write_text(BUNDLE)
    each = n_judgment // n_topic
    with duckdb.connect() as connection:
        connection.execute(f"""
            create table judgment as
            select 'T' || topic as topic_id, 'D' || lpad(cast((topic * {each} + place) % {n_story} as varchar), 7,
                '0') as story_id, 'yes' as label
            from range({n_topic}) as t(topic), range({each}) as j(place);
            create table decision as
            select distinct on (topic_id, story_id) topic_id, story_id, case when score > 0.5 then 'yes' else 'no'
                end as decision, score
            from (
                select 'T' || hash(n) % {n_topic} as topic_id,
                    'D' || lpad(cast(hash(n, 1) % {n_story} as varchar), 7, '0') as story_id,
                    round(hash(n, 2) / 2.0**64, 6) as score
                from range({N_DECISION} - {N_DECISION} // 10) as d(n)
                union all
                (select topic_id, story_id, round(hash(topic_id, story_id) / 2.0**64, 6) as score
                from judgment order by hash(story_id, topic_id) limit {N_DECISION // 10}))
            order by all""")
        for name, query in {
            "stories": f"select 'D' || lpad(cast(n as varchar), 7, '0') as story_id, n + 1 as position from "
            f"range({n_story}) as s(n) order by n",
            "topics": f"select 'T' || n as topic_id from range({n_topic}) as t(n) order by n",
            "judgments": "select * from judgment order by all",
            "run": "select * from decision order by all",
        }.items():
            connection.execute(f"copy ({query}) to '{folder}/{name}.csv'")


def measure(folder: Path) -> tuple[float, float, float, float]:
    """Return the seconds of a process that evaluates, of its processor, until it scores, and of Python's csv module."""
    (folder / "store.duckdb").unlink(missing_ok=True)
    begun = time.time()
    one = child(__file__, "--one", folder)
    start = time.perf_counter()
    for name in ("stories", "topics", "judgments", "run"):
        with (folder / f"{name}.csv").open(newline="") as file:
            sum(len(row) for row in csv.reader(file))
    return one.seconds, one.busy, float(one.printed) - begun, time.perf_counter() - start


def evaluate(folder: Path) -> None:
    """Evaluate the bundle, and print when scoring began."""
    began: list[float] = []

    def progress(_done: int, _total: int, what: str) -> None:
        if what.startswith("scoring") and not began:
            began.append(time.time())

    tdtsql.evaluate(folder / "bundle.toml", folder / "store.duckdb", progress=progress).close()
    print(began[0])


if __name__ == "__main__":
    main()
