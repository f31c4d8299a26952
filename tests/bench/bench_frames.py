"""Adding a run from columns of Python, beside the same rows as Parquet: seconds of the whole, of the processor, and as
a multiple.

    python tests/bench/bench_frames.py [ROWS] [ROUNDS]

The forms take turns, so that what else the machine does meets all of them; of ROUNDS the least counts.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas
import polars
import pyarrow

import tdtsql

N_TOPIC = 50


def corpus(folder: Path, n_story: int) -> Path:
    """Write a corpus of so many stories and 50 topics, each with one judged story; returns the bundle."""
    (folder / "stories.csv").write_text(
        "story_id,position\n" + "".join(f"APW19981001.{at:07d},{at}\n" for at in range(1, n_story + 1))
    )
    (folder / "judgments.csv").write_text(
        "topic_id,story_id,label\n"
        + "".join(f"T{topic:02d},APW19981001.{topic + 1:07d},yes\n" for topic in range(N_TOPIC))
    )
    (folder / "bundle.toml").write_text(
        '[corpus]\nid = "k"\nstories = "stories.csv"\njudgments = "judgments.csv"\n[[condition]]\nid = "c"\ntask = '
        '"tracking"\n'
    )
    return folder / "bundle.toml"


def decisions(n_row: int) -> pandas.DataFrame:
    """Return decisions of every topic on every story."""
    at = np.arange(n_row)
    stories = np.array([f"APW19981001.{number:07d}" for number in range(1, n_row // N_TOPIC + 1)], dtype=object)
    topics = np.array([f"T{topic:02d}" for topic in range(N_TOPIC)], dtype=object)
    return pandas.DataFrame(
        {
            "topic_id": topics[at % N_TOPIC],
            "story_id": stories[at // N_TOPIC],
            "decision": np.where(at % 7 == 0, "yes", "no").astype(object),
            "score": np.random.default_rng(20040).standard_normal(n_row),
        }
    )


def main(n_row: int, n_round: int) -> None:
    frame = decisions(n_row)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.parquet"
        frame.to_parquet(path, index=False)
        forms = {
            "parquet": path,
            "pandas": frame,
            "pandas, objects": frame.astype(dict.fromkeys(("topic_id", "story_id", "decision"), object)),
            "polars": polars.read_parquet(path),
            "arrow": pyarrow.Table.from_pandas(frame, preserve_index=False),
        }
        forms["booleans"] = frame.assign(decision=frame["decision"] == "yes")
        least: dict[str, tuple[float, float]] = {}
        with tdtsql.connect(Path(folder) / "store.duckdb") as store:
            store.evaluate(corpus(Path(folder), n_row // N_TOPIC))
            hashes = set()
            for turn in range(n_round + 1):  # the first to warm up
                for name, given in forms.items():
                    began, used = time.perf_counter(), time.process_time()
                    store.add_run("mine", condition="c", decisions=given)
                    took = time.perf_counter() - began, time.process_time() - used
                    least[name] = min(least.get(name, took), took) if turn else took
                    hashes.add(store.engine.value("select content_sha256 from registry.run"))
                    store.drop_run("mine")
    print(
        f"{n_row:,} decisions, least of {n_round}; {len(hashes)} hash of the run; at most "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB"
    )
    for name, (wall, used) in least.items():
        print(f"{name:16} {wall:7.2f} s {used:7.2f} s of processor {wall / least['parquet'][0]:6.2f} times Parquet")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, int(sys.argv[2]) if len(sys.argv) > 2 else 5)
