"""Many large runs in one store: how long reading takes, and what a change makes be computed again.

    python bench/bench_many_runs.py [--runs 20] [--topics 111] [--stories 208000] [--keep FOLDER]

Tidy Parquet files of a decision on every story for every topic. The runs are
evaluated under two profiles; then one run, one value of one profile and one
judgment are changed, one after the other, and the judgment is changed back. Prints seconds and how many (run,
profile) were computed again, asserts nothing. 20 runs of the size of TDT5 need
5 GB of disk and some minutes.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

import duckdb

import tdtsql

READ = ("report.score", "report.leaderboard")
NAMED = {
    "a topic": "block_id = 'T99'",
    "a run": "run_id = 'run01'",
    "a run under one profile": "run_id = 'run01' and profile_id = 'mine'",
    "a topic and a run": "block_id = 'T99' and run_id = 'run01'",
    "a story": "story_id = 'D0005000'",
}

BUNDLE = """name = "many"

[corpus]
id = "many"
stories = "stories.parquet"
topics = "topics.csv"
judgments = "judgments.csv"

[profile.mine]
base = "tdt2004"
c_fa = {c_fa}

[[condition]]
id = "tracking"
task = "tracking"
profile = ["tdt2004", "mine"]
"""

RUN = """
[[run]]
id = "run{number:02}"
condition = "tracking"
files = ["run{number:02}.parquet"]
format = "tidy"
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--topics", type=int, default=111)
    parser.add_argument("--stories", type=int, default=208_000)
    parser.add_argument("--keep", type=Path, help="write the files and the store here and leave them")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        make_corpus(folder, given.topics, given.stories)
        write_bundle(folder, given.runs, c_fa=0.2)
        for number in range(1, given.runs + 1):
            make_run(folder, number, seed=number)
        print(f"{given.runs} runs of {given.topics * given.stories:,} decisions; seconds, (run, profile) computed")
        step(folder, "all of it")
        step(folder, "nothing changed")
        make_run(folder, 1, seed=1998)
        step(folder, "one run changed")
        write_bundle(folder, given.runs, c_fa=0.3)
        step(folder, "one value of one profile changed")
        taken = change_judgment(folder)
        step(folder, "one judgment changed")
        with (folder / "judgments.csv").open("a") as file:
            file.write(f"{taken}\n")
        step(folder, "and changed back")
        read(folder)


def make_corpus(folder: Path, n_topic: int, n_story: int) -> None:
    """Write stories in three languages, topics, and 75 targets for each topic."""
    with duckdb.connect() as connection:
        connection.execute(f"""
            copy (
                select 'D' || lpad(cast(n as varchar), 7, '0') as story_id, n as position, ['ENGLISH', 'MANDARIN',
                    'ARABIC'][n % 3 + 1] as language
                from range(1, {n_story} + 1) as story(n)
            ) to '{folder}/stories.parquet'""")
        connection.execute(
            f"copy (select 'T' || n as topic_id from range(1, {n_topic} + 1) as topic(n)) to '{folder}/topics.csv'"
        )
        connection.execute(f"""
            copy (
                select distinct 'T' || n as topic_id, 'D' || lpad(cast(hash(n, m) % {n_story} + 1 as varchar), 7,
                    '0') as story_id, 'yes' as label
                from range(1, {n_topic} + 1) as topic(n), range(75) as target(m) order by all
            ) to '{folder}/judgments.csv'""")


def make_run(folder: Path, number: int, *, seed: int) -> None:
    """Write a run: a sum of two uniform numbers for each pair, 6 decimals, higher on targets."""
    scale = 2.0**64
    with duckdb.connect() as connection:
        connection.execute(f"""
            copy (
                select topic.topic_id, story.story_id, case when score > 1.9 then 'yes' else 'no' end as decision, score
                from '{folder}/topics.csv' as topic cross join '{folder}/stories.parquet' as story
                left join '{folder}/judgments.csv' as judgment on judgment.topic_id = topic.topic_id
                    and judgment.story_id = story.story_id,
                lateral (
                    select round((hash(story.story_id, topic.topic_id, {seed})::double + hash(topic.topic_id,
                        story.story_id, {seed})) / {scale}
                        + case when judgment.label is null then 0 else 1.2 end, 6) as score)
            ) to '{folder}/run{number:02}.parquet' (compression zstd)""")


def write_bundle(folder: Path, n_run: int, *, c_fa: float) -> None:
    runs = "".join(RUN.format(number=number) for number in range(1, n_run + 1))
    (folder / "bundle.toml").write_text(BUNDLE.format(c_fa=c_fa) + runs)


def change_judgment(folder: Path) -> str:
    """Take back the last judgment and return it."""
    lines = (folder / "judgments.csv").read_text().splitlines()
    (folder / "judgments.csv").write_text("\n".join(lines[:-1]) + "\n")
    return lines[-1]


def step(folder: Path, what: str) -> None:
    """Evaluate the bundle into the store, and tell how long it took and how many computations are new."""
    path = folder / "store.duckdb"
    before = computations(path)
    wall, busy = time.perf_counter(), time.process_time()
    tdtsql.evaluate(folder / "bundle.toml", db=path).close()
    wall, busy = time.perf_counter() - wall, time.process_time() - busy
    made = computations(path) - before
    print(f"  {what:34} {wall:8.1f} (processor {busy:7.1f}) {len(made):4}   load {os.getloadavg()[0]:.1f}", flush=True)


def computations(path: Path) -> set[int]:
    if not path.exists():
        return set()
    with duckdb.connect(str(path), read_only=True) as connection:
        return {row[0] for row in connection.execute("select computation_no from ledger.computation").fetchall()}


def read(folder: Path) -> None:
    with tdtsql.connect(folder / "store.duckdb", read_only=True) as store:
        for relation in READ:
            seconds = []
            for _ in range(3):
                start = time.perf_counter()
                rows = store.sql(f"select * from {relation}").fetchall()
                seconds.append(time.perf_counter() - start)
            print(f"  reading {relation:26} {min(seconds):8.3f} {len(rows):>23,} rows")
        for what, named in NAMED.items():
            start, busy = time.perf_counter(), time.process_time()
            [(n_row, _)] = store.sql(f"select count(*), count(score) from report.trial where {named}").fetchall()
            wall, busy = time.perf_counter() - start, time.process_time() - busy
            print(f"  report.trial of {what:25} {wall:.3f} (processor {busy:.3f}) {n_row:>16,} rows")
    print(f"  store {(folder / 'store.duckdb').stat().st_size / 2**20:,.0f} MiB")


if __name__ == "__main__":
    main()
