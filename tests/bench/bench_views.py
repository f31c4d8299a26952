"""Large views of a store read by hand: the seconds of each question, of the processor, and peak memory, each in a
process of its own.

    python tests/bench/bench_tracking.py --topics 111 --stories 208000 --keep FOLDER     # a store of the size of TDT5
    python tests/bench/bench_views.py FOLDER/bench.duckdb [--turns 3]

The first row opens the store and asks nothing. Beside the questions, DuckDB's own count and sum over the same
decisions. Asserts nothing.
"""

import argparse
import statistics
import time
from pathlib import Path

import tdtsql
from child import child

QUESTIONS = {
    "nothing": "select 1",
    "DuckDB: count and sum of scores": "select count(*), sum(score) from base.decision",
    "detection_det_curve": "select max(hash(columns(*))) from metric.detection_det_curve",
    "detection_det_curve of a run": "select max(hash(columns(*))) from metric.detection_det_curve where run_no = 1 "
    "and subset_no = 0",
    "detection_trial counted": "select count(*), count(score) from base.detection_trial",
    "detection_trial of a topic": "select count(*), count(score) from base.detection_trial where block_id = '{topic}'",
    "report.trial of a run": "select count(*), count(score) from report.trial where run_id = '{run}'",
    "report.det_point (kept)": "select max(hash(columns(*))) from report.det_point",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        ask(given.store, QUESTIONS[given.one])
        return
    print("question: seconds (processor), GiB at most")
    for name in QUESTIONS:
        turns = [measure(given.store, name) for _ in range(given.turns)]
        seconds, busy, peak = (statistics.median(column) for column in zip(*turns, strict=True))
        print(f"  {name:34} {seconds:7.2f} ({busy:6.2f})  {peak:5.2f}", flush=True)


def measure(store: Path, name: str) -> tuple[float, float, float]:
    """Return the seconds of a question in an open store, those of its process on the processor, and the peak in GiB."""
    one = child(__file__, store, "--one", name)
    return float(one.printed), one.busy, one.peak / 2**30


def ask(store: Path, question: str) -> None:
    with tdtsql.connect(store, read_only=True) as opened:
        [[run, topic]] = opened.sql(
            "select (select min(run_id) from registry.run), (select max(block_id) from base.block)"
        ).fetchall()
        question = question.format(run=run, topic=topic)
        start = time.perf_counter()
        opened.sql(question).fetchall()
        print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
