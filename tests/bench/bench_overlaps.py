"""Extended B-CUBED of stories on several topics, in a loaded store: the worst shapes, and what each view takes of the
time.

    python tests/bench/bench_overlaps.py [--asked]

Prints seconds of all views of B-CUBED and the largest of them, the pairs that the
numbers take and whether they are made unasked; ``--asked`` makes those too, with the
time for a million pairs. Asserts nothing.
"""

import argparse
import time

import numpy as np
from synthetic import empty_store

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import catalog, closure
from tdtsql.store.derived import build_labelled_story
from tdtsql.scoring.overlap_gain import WORK
from tdtsql.store.derived import mark_conditions, compute_run_flags
from tdtsql.scoring.scope import Scope

VIEWS = (
    "metric.bcubed_score__v1",
    "metric.bcubed_topic__v1",
    "metric.bcubed_extended_score__v1",
    "metric.bcubed_extended_topic__v1",
)


def by_chance(random: np.random.Generator, n_story: int, n_topic: int, rate: float) -> np.ndarray:
    """Return (stories, topics) of bool, true at a rate."""
    return random.random((n_story, n_topic)) < rate


def between(random: np.random.Generator, n_story: int, n_topic: int, least: int, most: int) -> np.ndarray:
    """Return (stories, topics) of bool: every story in ``least`` to ``most`` topics."""
    rank = random.random((n_story, n_topic)).argsort(axis=1).argsort(axis=1)
    return rank < random.integers(least, most + 1, size=n_story)[:, None]


def shapes(random: np.random.Generator):
    """Yield (name, reference, response)."""
    n = 20_000
    yield "50 topics, 75 targets each, 7 topics a story", by_chance(random, n, 50, 75 / n), between(random, n, 50, 6, 8)
    for n_topic in (50, 250):
        for rate in (0.01, 0.16, 0.6):
            yield (
                f"{n_topic} topics, 1 % on topic, {rate:.0%} yes",
                by_chance(random, n, n_topic, 0.01),
                by_chance(random, n, n_topic, rate),
            )
    yield "5,000 stories, 200 topics, 16 % yes", by_chance(random, 5000, 200, 0.01), by_chance(random, 5000, 200, 0.16)
    everything = np.ones((n, 50), dtype=bool)
    yield "every story in every topic", everything, everything
    yield "all yes", by_chance(random, n, 50, 0.01), everything
    yield "no yes at all", by_chance(random, n, 50, 0.1), ~everything
    yield "one giant cluster", np.ones((n, 1), dtype=bool), between(random, n, 50, 6, 8)
    yield (
        "10^5 stories in 3 to 20 of 200 topics",
        between(random, 100_000, 200, 3, 20),
        between(random, 100_000, 200, 3, 20),
    )
    yield (
        "10^5 stories in 2 of 1,000 topics",
        between(random, 100_000, 1000, 2, 2),
        between(random, 100_000, 1000, 2, 2),
    )


def store_of(reference: np.ndarray, response: np.ndarray) -> Engine:
    n_story = len(reference)
    engine = empty_store(":memory:", max(reference.shape[1], response.shape[1]), n_story)
    for table, columns, cells in (
        ("base.judgment", "1, 1, topic, story, 'yes'", reference),
        ("base.decision", "1, topic, story, 1, true, 1.0", response),
    ):
        story, topic = np.nonzero(cells)
        engine.insert_temporary("given", {"topic": (topic + 1).astype(np.int32), "story": (story + 1).astype(np.int32)})
        engine.execute(f"insert into {table} select {columns} from given order by topic, story")
    engine.execute("drop table given")
    engine.execute(f"update registry.run set n_row = {reference.size}")  # as files have a line for each no
    build_labelled_story(engine, [1])
    mark_conditions(engine, [1])
    compute_run_flags(engine, [1])
    return engine


def measure(engine: Engine, asked: bool) -> tuple[dict[str, float], int, bool]:
    """Return (seconds of each view, pairs, whether they were made)."""
    profiles = [row[0] for row in engine.rows("select profile_no from registry.condition_profile")]
    scope = Scope(engine, [1], [1], profiles)
    scope.asked = [(1, profile_no) for profile_no in profiles] if asked else ()
    parts: dict[str, float] = {}
    try:
        for name in closure(catalog(), VIEWS):
            start = time.perf_counter()
            scope.build([name])
            parts[name.split(".")[1].removeprefix("bcubed_").removesuffix("__v1")] = time.perf_counter() - start
        n_pair, is_made = (engine.rows(f"select n_pair, is_made from {scope.relation(WORK)}") or [(0, 1)])[0]
    finally:
        scope.close()
    return parts, n_pair, bool(is_made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asked", action="store_true", help="also make what is not made unasked")
    given = parser.parse_args()
    for name, reference, response in shapes(np.random.default_rng(2009)):
        engine = store_of(reference, response)
        parts, n_pair, is_made = measure(engine, False)
        total = sum(parts.values())
        largest = ", ".join(
            f"{view} {seconds:.3f} s ({seconds / total:.0%})"
            for view, seconds in sorted(parts.items(), key=lambda part: -part[1])[:4]
        )
        print(
            f"{name} ({response.sum():,} yes): {total:.3f} s, {n_pair:,} "
            f"pairs{'' if is_made else ', not made unasked'}\n    {largest}",
            flush=True,
        )
        if given.asked and not is_made:
            seconds = sum(measure(engine, True)[0].values())
            print(f"    asked: {seconds:.1f} s, {seconds / n_pair * 1e6:.3f} s for a million pairs", flush=True)
        engine.close()


if __name__ == "__main__":
    main()
