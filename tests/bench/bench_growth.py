"""How loading, scoring and reading grow with a store: 10^5 to 10^9 decisions.

    python tests/bench/bench_growth.py [--sizes 5 6 7 8 9] [--memory 6GB] [--folder FOLDER]

A store for each size, in a process of its own with a limit of memory. Its runs
are made one after the other as tidy Parquet (see bench_many_runs.py), loaded
and scored, and their files removed, so that 10^9 decisions need some 10 GB of
disk. Then questions of the cookbook are asked, each in a store that is opened
for it. Prints seconds, and what grew faster than the number of decisions; asserts
nothing.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

from bench_many_runs import make_corpus, make_run

import tdtsql

#: exponent -> runs, topics, stories
SHAPES = {5: (1, 10, 10_000), 6: (1, 50, 20_000), 7: (1, 100, 100_000), 8: (5, 100, 200_000), 9: (50, 100, 200_000)}

QUESTIONS = {
    "leaderboard": {},
    "equal_error": {},
    "topic_overview": {"topic": "T7"},
    "story_history": {"story": "D0005000"},
    "top_false_alarms": {"run": "run01", "most": 20},
    "missed_by_all": {},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--memory", default="6GB", help="the engine's limit of memory")
    parser.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is not None:
        print(json.dumps(measured(given.folder, given.one, str(given.folder / "store.duckdb"))))
        return
    table = {}
    for size in given.sizes:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            done = subprocess.run(
                [sys.executable, __file__, "--one", str(size), "--folder", folder],
                stdout=subprocess.PIPE,
                text=True,
                check=True,
                env={**os.environ, "TDTSQL_MEMORY_LIMIT": given.memory},
            )
        table[size] = json.loads(done.stdout)
        show(size, table)


def measured(folder: Path, size: int, address: str) -> dict[str, float]:
    """Make the store of a size at an address; return what was measured, in seconds on the clock unless the name says
    otherwise.
    """
    n_run, n_topic, n_story = SHAPES[size]
    make_corpus(folder, n_topic, n_story)
    load = score = 0.0
    with tdtsql.connect(address) as store:
        began = time.perf_counter()
        store.add_corpus(
            "many", stories=folder / "stories.parquet", topics=folder / "topics.csv", judgments=folder / "judgments.csv"
        )
        store.add_condition("tracking", corpus="many", task="tracking", profile="tdt2004")
        load += time.perf_counter() - began
        for number in range(1, n_run + 1):
            make_run(folder, number, seed=number)
            file = folder / f"run{number:02}.parquet"
            began = time.perf_counter()
            store.add_run(f"run{number:02}", condition="tracking", decisions=file)
            loaded = time.perf_counter()
            store.refresh()
            load, score = load + loaded - began, score + time.perf_counter() - loaded
            file.unlink()
    asked = {}
    for question, values in QUESTIONS.items():
        began = time.perf_counter()
        with tdtsql.connect(address, read_only=True) as store:
            n_row = len(store.ask(question, **values).fetchall())
        asked[question] = time.perf_counter() - began
        print(f"    {question}: {n_row:,} rows", file=sys.stderr)
    store = {"store, MiB": Path(address).stat().st_size / 2**20} if Path(address).is_file() else {}
    return {
        "load": load,
        "score": score,
        **asked,
        **store,
        "peak, GiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }


def show(size: int, table: dict[int, dict[str, float]]) -> None:
    n_run, n_topic, n_story = SHAPES[size]
    print(f"10^{size} decisions: {n_run} x {n_topic} topics x {n_story:,} stories   load {os.getloadavg()[0]:.1f}")
    before = table.get(size - 1, {})
    for what, value in table[size].items():
        times = value / before[what] if before.get(what) else 0
        print(
            f"  {what:24} {value:10.2f}"
            + (f"  {times:6.1f} times" if times else "")
            + ("  more than in proportion" if times > 11 else ""),
            flush=True,
        )


if __name__ == "__main__":
    main()
