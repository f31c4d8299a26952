"""B-CUBED of 10^6 (or any number of) stories in a loaded store, beside numpy and beside the bare SQL.

    python tests/bench/bench_bcubed.py [STORIES]

A partition into about STORIES^0.74 topics of skewed sizes, the largest 5 % of
all; the answer moves one story in five. Prints seconds and ratios, asserts nothing.

The bare SQL joins two tables on a story number, and that is all. What the views
do besides, in the order of what it takes: they join by (run, profile, story), which
takes 0.04 s of 10^6 where an engine joins by one small number in 0.015; they look at
test sets and at the training and brief stories that the profile leaves out; they
count the stories of one side only; and they are fourteen, whose planning alone takes
0.03 s at any size. The join stands for a grouping by story where loading has found that
no story has two topics; "not known to be a partition" is the same without that
knowledge. Tried without gain on that grouping: the memberships as a view, one packed
key, another order of keys, one signed column, two aggregates in place of three,
stories of the same topics counted before they are told apart, perfect hashing, more
threads than cores. It is a quarter faster where both tables lie in the order of the
stories, but decisions are stored by topic, which packs them and serves everything else.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from synthetic import empty_store, timed

from tdtsql.store.derived import build_labelled_story
from tdtsql.store.derived import compute_run_flags

PLAIN = ("metric.bcubed_score__v1", "metric.bcubed_topic__v1")
EXTENDED = ("metric.bcubed_extended_score__v1", "metric.bcubed_extended_topic__v1")
BARE = """
    with cell as (
        select judgment.topic_no as reference_no, decision.block_no as response_no, count(*) as n
        from base.judgment as judgment join base.decision as decision on decision.trial_no = judgment.story_no
        group by all
    ),
    side as (
        select sum(n * n) / sum(n) as total, 0 as is_response from cell group by reference_no
        union all select sum(n * n) / sum(n), 1 from cell group by response_no
    )
    select is_response, sum(total) from side group by is_response"""


def partition(random: np.random.Generator, n_story: int, n_topic: int) -> np.ndarray:
    weights = np.arange(1, n_topic + 1) ** -0.9
    weights = np.minimum(weights / weights.sum(), 0.05)
    return random.choice(n_topic, size=n_story, p=weights / weights.sum()).astype(np.int32) + 1


def with_numpy(reference: np.ndarray, response: np.ndarray) -> tuple[float, float]:
    """Return pooled precision and recall."""
    base = np.int64(reference.max()) + 1
    cells, counts = np.unique(response * base + reference, return_counts=True)
    squares = counts.astype(float) ** 2
    sides = ((cells // base, np.bincount(response)), (cells % base, np.bincount(reference)))
    return tuple(float(np.sum(squares / sizes[topics])) / len(reference) for topics, sizes in sides)


def main(n_story: int) -> None:
    random = np.random.default_rng(1998)
    n_topic = max(10, int(n_story**0.74))
    reference = partition(random, n_story, n_topic)
    response = np.where(random.random(n_story) < 0.2, partition(random, n_story, n_topic), reference)
    with tempfile.TemporaryDirectory() as folder:
        engine = empty_store(Path(folder) / "bench.duckdb", n_topic, n_story)
        stories = np.arange(1, n_story + 1, dtype=np.int32)
        for table, columns, topics in (
            ("base.judgment", "1, 1, topic, story, 'yes'", reference),
            ("base.decision", "1, topic, story, 1, true, 1.0", response),
        ):
            engine.insert_temporary("given", {"topic": topics, "story": stories})
            engine.execute(f"insert into {table} select {columns} from given order by topic, story")
        engine.execute("drop table given")
        build_labelled_story(engine, [1])
        compute_run_flags(engine, [1])
        engine.execute("checkpoint")

        parts: dict[str, float] = {}
        plain = sorted(timed(engine, PLAIN, parts) for _ in range(7))
        both = min(timed(engine, PLAIN + EXTENDED) for _ in range(2))
        engine.execute("update registry.run set is_partition = null")
        grouped = min(timed(engine, PLAIN) for _ in range(3))
        start = time.perf_counter()
        engine.rows(BARE)
        bare = time.perf_counter() - start
        engine.close()
    start = time.perf_counter()
    with_numpy(reference, response)
    peer = time.perf_counter() - start
    print(f"{n_story:,} stories, {n_topic:,} topics: seconds, and times numpy")
    largest = sorted(parts.items(), key=lambda part: part[1], reverse=True)[:4]
    for what, seconds in (
        ("numpy, from arrays", peer),
        ("bare SQL, from two tables", bare),
        ("plain, by story, topic and run", plain[0]),
        ("  the same, median of 7", statistics.median(plain)),
        ("  of it the trial relation (base)", sum(value for name, value in parts.items() if name.startswith("base."))),
        *((f"  of it {name.removesuffix('__v1')}", value) for name, value in largest),
        ("plain and extended", both),
        ("plain, not known to be a partition", grouped),
    ):
        print(f"  {what:36} {seconds:8.3f} {seconds / peer:8.1f}")


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000)
