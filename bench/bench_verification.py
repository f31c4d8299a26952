"""Numbers of scored trials from a loaded store: every view of the task, beside other programs on the same trials in
memory.

    python bench/bench_verification.py [TRIALS] [--targets SHARE] [--no-peer]

Beside it, where they are installed: scikit-learn (area, curve, isotonic regression), llreval (equal error rate of the
hull, cllr, min cllr), PyBOSARIS (equal error rate of the hull).
Prints seconds of the views that take longest and of all together, processor seconds and the peak of memory; asserts
nothing.
"""

import argparse
import os
import resource
import time

import numpy as np

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import computed
from tdtsql.scoring.scope import Scope
from tdtsql.store.profiles import load_profiles
from tdtsql.definitions.create import create_tables
from tdtsql.task import task_columns


def loaded(is_target: np.ndarray, score: np.ndarray) -> Engine:
    """Return a store in memory with one condition, and one run of these trials."""
    engine = Engine(":memory:")
    create_tables(engine)
    load_profiles(engine, {}, "shipped")
    columns = task_columns()
    engine.execute(
        f"insert into registry.task ({', '.join(columns)}) select {', '.join('unnest(?)' for _ in columns)}",
        list(columns.values()),
    )
    for statement in (
        "insert into registry.corpus (corpus_no, corpus_id, n_story, content_sha256) values (1, 'k', 0, '')",
        "insert into registry.condition (condition_no, condition_id, corpus_no, task, judgment_set, "
        "base_condition_no, mapping, on_topic, has_key, score_kind, scores,"
        " is_required, content_sha256) values (1, 'c', 1, 'verification', 1, 1, 'majority', 'yes', 1, 'llr', 'llr', "
        "0, '')",
        "insert into registry.condition_profile select 1, profile_no from registry.profile where profile_id = "
        "'asvspoof5'",
        f"insert into registry.run (run_no, run_id, condition_no, format, n_row, content_sha256, has_decision) values "
        f"(1, 's', 1, 'tidy', {len(score)}, '', 0)",
        "insert into base.subset values (1, 0, 'all', 'all')",
        "insert into base.curve_request values (1, 0, 0)",
        "insert into base.block (condition_no, block_no, block_id, is_scored) values (1, 1, 'b', 1)",
        f"insert into base.verification_segment values (1, 1, 1, 1, {is_target.sum()}, null), (1, 2, 1, 0, "
        f"{(~is_target).sum()}, null)",
    ):
        engine.execute(statement)
    engine.connection.register(
        "made", {"trial_no": np.arange(1, len(score) + 1), "segment_no": np.where(is_target, 1, 2), "score": score}
    )
    engine.execute("insert into base.decision select 1, 1, trial_no, segment_no, null, score from made")
    engine.connection.unregister("made")
    return engine


def scikit_learn(is_target: np.ndarray, score: np.ndarray) -> str:
    from sklearn.isotonic import isotonic_regression
    from sklearn.metrics import det_curve, roc_auc_score

    roc_auc_score(is_target, score)
    det_curve(is_target, score)
    isotonic_regression(is_target[np.argsort(score, kind="stable")].astype(float))
    return "roc_auc_score, det_curve, isotonic_regression"


def llreval(is_target: np.ndarray, score: np.ndarray) -> str:
    from llreval.quick_eval import scoreslabels_2_eer_cllr_mincllr

    return "equal error rate, cllr, min cllr " + " ".join(
        f"{value:.6f}" for value in scoreslabels_2_eer_cllr_mincllr(score, is_target.astype(int))
    )


def bosaris(is_target: np.ndarray, score: np.ndarray) -> str:
    from bosaris import roc

    p_miss, p_fa = roc.rocch(score[is_target], score[~is_target])
    return f"equal error rate {roc.rocch2eer(p_miss, p_fa):.6f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", type=float, nargs="?", default=1e7)
    parser.add_argument("--targets", type=float, default=0.1, metavar="SHARE", help="share of targets among the trials")
    parser.add_argument("--no-peer", action="store_true", help="without other programs")
    given = parser.parse_args()
    generator = np.random.default_rng(5)
    is_target = generator.random(int(given.trials)) < given.targets
    score = generator.normal(0, 2, len(is_target)) + np.where(is_target, 2, -2)
    engine = loaded(is_target, score)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    scope = Scope(
        engine, [1], [1], [row[0] for row in engine.rows("select profile_no from registry.condition_profile")]
    )
    seconds, begin, busy = {}, time.perf_counter(), time.process_time()
    for name in computed("verification"):
        start = time.perf_counter()
        scope.build([name])
        seconds[name] = time.perf_counter() - start
    total, busy = time.perf_counter() - begin, time.process_time() - busy
    print(
        f"{len(score):,} trials, all scores distinct, {is_target.sum():,} targets: {total:.2f} s, {busy:.2f} s of "
        f"processor, {len(seconds)} views"
    )
    for name, value in sorted(seconds.items(), key=lambda entry: -entry[1])[:8]:
        print(f"  {name:42} {value:6.2f}")
    print(
        f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB (store and arrays "
        f"before: {before / 2**20:.1f}); "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    if not given.no_peer:
        for peer in (scikit_learn, llreval, bosaris):
            begin, busy = time.perf_counter(), time.process_time()
            try:
                said = peer(is_target, score)
            except ImportError as error:
                print(f"  {peer.__name__}: not installed ({error.name})")
                continue
            print(
                f"  {peer.__name__}: {said}: {time.perf_counter() - begin:.2f} s, {time.process_time() - busy:.2f} s "
                f"of processor"
            )


if __name__ == "__main__":
    main()
