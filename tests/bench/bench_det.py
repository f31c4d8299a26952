"""The topic-weighted DET curve with every score distinct, beside scikit-learn's det_curve with sample weights.

    python tests/bench/bench_det.py [TRIALS] [--memory 6GB] [--no-peer]

TRIALS (10^7) are spread over 100 topics with 70 targets each. Prints seconds
and ratios, asserts nothing. `--memory` bounds the engine, which then spills to
disk: that is how 10^8 trials are measured.
"""

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
from synthetic import COUNTS, empty_store, timed

from tdtsql.store.derived import build_labelled_story

N_TOPIC, N_TARGET = 100, 70
CURVE = ("metric.detection_det_curve__v1",)
MINIMUM = ("metric.detection_det_minimum__v1",)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", type=float, nargs="?", default=1e7)
    parser.add_argument("--memory", help="memory limit of the engine, as 6GB")
    parser.add_argument("--no-peer", action="store_true", help="without scikit-learn (it holds all in memory)")
    given = parser.parse_args()
    n_story = int(given.trials) // N_TOPIC
    with tempfile.TemporaryDirectory() as folder:
        engine = empty_store(Path(folder) / "bench.duckdb", N_TOPIC, n_story, memory_limit=given.memory)
        # every story number is a multiple of the step for its targets, so they lie all over the collection
        step = max(1, n_story // N_TARGET)
        engine.execute(f"""
            insert into base.judgment select 1, 1, topic, 1 + target * {step}, 'yes'
            from range(1, {N_TOPIC + 1}) as t(topic), range({min(N_TARGET, n_story)}) as s(target)""")
        for topic in range(1, N_TOPIC + 1):
            engine.execute(f"""
                insert into base.decision
                select 1, {topic}, story, 1, score > 0.99, score
                from (
                    select story, hash(story, {topic}) / 18446744073709551616.0
                        + case when (story - 1) % {step} = 0 and (story - 1) // {step} < {N_TARGET} then 0.5 else 0
                            end as score
                    from range(1, {n_story + 1}) as t(story)
                )""")
        build_labelled_story(engine, [1])
        engine.execute("checkpoint")
        seconds, busy = {}, {}
        for what, names in (
            ("counts and costs", COUNTS),
            ("topic- and story-weighted curves", CURVE),
            ("minimum-cost points", MINIMUM),
        ):
            start = time.process_time()
            seconds[what] = timed(engine, names)
            busy[what] = time.process_time() - start
        if not given.no_peer:
            seconds["scikit-learn det_curve"] = with_scikit_learn(engine, step)
        engine.close()
    unit = seconds.get("scikit-learn det_curve", seconds["topic- and story-weighted curves"])
    print(
        f"{n_story * N_TOPIC:,} trials, all scores distinct: seconds, and times the "
        f"{'peer' if not given.no_peer else 'curve'}"
    )
    for what, value in seconds.items():
        processor = f"   processor {busy[what]:.1f}" if what in busy else ""
        print(f"  {what:36} {value:8.3f} {value / unit:8.2f}{processor}")
    print(
        f"  load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; peak memory "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB"
    )


def with_scikit_learn(engine, step: int) -> float:
    """Return the seconds of the peer on the same trials, already in arrays, with topic weights."""
    from sklearn.metrics import det_curve

    columns = engine.query(f"""
        select score, (trial_no - 1) % {step} = 0 and (trial_no - 1) // {step} < {N_TARGET} as is_target
        from base.decision""").fetchnumpy()
    is_target = np.asarray(columns["is_target"], dtype=bool)
    # all topics have the same number of targets and of non-targets here
    weights = np.where(is_target, 1 / is_target.sum(), 1 / (~is_target).sum())
    start = time.perf_counter()
    det_curve(is_target, np.asarray(columns["score"]), sample_weight=weights)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
