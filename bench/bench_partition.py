"""Task ``partition`` at 10^5, 10^6 (or any number of) items: file to numbers, and each part of it; other programs
beside it.

    python bench/bench_partition.py [ITEMS] [--peers] [--stories]

Skewed sizes, the largest cluster 5 % of all; the answer moves one item in ten. With --stories the items are stories of
two languages, ten
sources and thirty days, so that every number is there for 43 subsets. Prints seconds of the clock and of the
processors, asserts nothing.
"""

import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import tdtsql
from tdtsql.scoring.score import score_requested


VALUE = "select value from report.score where metric = ? and weighting = 'story' and subset = 'all'"


def clusterings(n_item: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    n_cluster = int(n_item**0.79)
    weights = np.minimum(np.arange(1, n_cluster + 1) ** -0.8, 1e9)
    weights = np.minimum(weights / weights.sum(), 0.05)
    gold = random.choice(n_cluster, size=n_item, p=weights / weights.sum())
    moved = random.random(n_item) < 0.1
    answer = gold.copy()
    answer[moved] = random.permutation(answer[moved])
    return gold, answer


@contextmanager
def timed(what: str):
    clock, processor = time.perf_counter(), time.process_time()
    yield
    print(
        f"{what:45} {time.perf_counter() - clock:8.2f} s {time.process_time() - processor:8.2f} s of processors",
        flush=True,
    )


def make(folder: Path, n_item: int, with_stories: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Write a bundle of one clustering; return the labels of the gold and of the run."""
    gold, answer = clusterings(n_item)
    for file, labels in (("gold.csv", gold), ("run.csv", answer)):
        with (folder / file).open("w") as stream:
            stream.write(
                "item_id,cluster_id\n"
                + "".join(f"i{number},c{label}\n" for number, label in enumerate(labels.tolist()))
            )
    if with_stories:
        (folder / "stories.csv").write_text(
            "story_id,position,source,language,published_at\n"
            + "".join(
                f"i{number},{number},S{number % 10},{'EM'[number % 3 > 0]},2004-01-{1 + number * 30 // n_item:02} "
                f"00:00:00\n"
                for number in range(n_item)
            )
        )
    stories = 'stories = "stories.csv"\n' if with_stories else ""
    (folder / "bundle.toml").write_text(
        f'[corpus]\nid = "k"\n{stories}[[condition]]\nid = "c"\ntask = "partition"\ngold = "gold.csv"\n'
        '[[run]]\nid = "s"\ncondition = "c"\nfiles = ["run.csv"]\n'
    )
    return gold, answer


def main(n_item: int, with_peers: bool, with_stories: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold, answer = make(folder, n_item, with_stories)
        print(
            f"{n_item} items, {len(np.unique(gold))} gold clusters, {len(np.unique(answer))} of the run, "
            f"{len(np.unique(gold * 10**7 + answer))} cells"
        )
        with timed("evaluate: files to all numbers"):
            store = tdtsql.evaluate(folder / "bundle.toml", db=folder / "x.duckdb")
        with timed("scored again"):
            store.engine.execute("delete from ledger.computation")
            store.refresh()
        for metric in ("b3_f1", "ami", "ceaf_e_f1"):
            print(f"    {metric} {store.engine.value(VALUE, [metric])}")
        with timed("what somebody asks for (ami, ceaf)"):
            score_requested(store.engine, ["ami_arithmetic", "ceaf_e_f1"])
        for metric in ("ami", "ceaf_e_f1"):
            print(f"    {metric} {store.engine.value(VALUE, [metric])}")
        with timed("the join and the group by alone"):
            store.engine.rows(
                "select count(*) from (select gold.cluster_no, answer.cluster_no, count(*) from base.partition_gold "
                "as gold "
                "join base.partition_answer as answer using (item_no) group by all)"
            )
        store.close()
    if with_peers:
        from sklearn import metrics

        for peer in (
            "adjusted_rand_score",
            "normalized_mutual_info_score",
            "homogeneity_completeness_v_measure",
            "adjusted_mutual_info_score",
        ):
            if peer != "adjusted_mutual_info_score" or n_item <= 20_000:
                with timed(f"scikit-learn {peer}"):
                    getattr(metrics, peer)(gold, answer)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word.isdigit()]
    main(int(words[0]) if words else 100_000, "--peers" in sys.argv, "--stories" in sys.argv)
