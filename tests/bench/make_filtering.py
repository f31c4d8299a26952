"""Make a filtering collection of the size of RCV1 in TREC-11: 50 topics x 726,419 documents, 2 million retrieved.

python tests/bench/make_filtering.py FOLDER
time tdtsql evaluate FOLDER/bundle.toml --db FOLDER/bench.duckdb
"""

import sys
from pathlib import Path

import numpy as np

N_TOPIC, N_DOCUMENT, N_RETRIEVED, N_RELEVANT = 50, 726_419, 2_000_000, 378

BUNDLE = """name = "rcv1-size"

[corpus]
id = "rcv1-size"
document_order = "order.txt"
qrels = "qrels.txt"

[[condition]]
id = "adaptive"
task = "filtering"
periods = [226928, 412612, 628902]
profile = ["trec11"]

[[run]]
condition = "adaptive"
files = ["run.txt"]
format = "trec"
"""


def main(folder: Path) -> None:
    random = np.random.default_rng(11)
    folder.mkdir(parents=True, exist_ok=True)
    # ids rise with gaps, as in RCV1: 26151 to 810597
    ids = np.sort(random.choice(np.arange(26151, 810598), N_DOCUMENT, replace=False))
    (folder / "order.txt").write_text("".join(f"{number}\n" for number in ids))
    with (folder / "qrels.txt").open("w") as qrels, (folder / "run.txt").open("w") as run:
        for topic in range(101, 101 + N_TOPIC):
            judged = random.choice(ids, 4 * N_RELEVANT, replace=False)
            for place, document in enumerate(judged):
                qrels.write(f"R{topic} 0 {document} {int(place < N_RELEVANT)}\n")
            retrieved = np.unique(
                np.concatenate(
                    [
                        random.choice(judged[:N_RELEVANT], N_RELEVANT // 2, replace=False),
                        random.choice(ids, N_RETRIEVED // N_TOPIC, replace=False),
                    ]
                )
            )[: N_RETRIEVED // N_TOPIC]
            scores = random.exponential(0.5, len(retrieved)) + np.isin(retrieved, judged[:N_RELEVANT]) * 2
            for rank, (document, score) in enumerate(zip(retrieved, scores, strict=True), start=1):
                run.write(f"R{topic} Q0 {document} {rank} {score:.6f} bench\n")
    (folder / "bundle.toml").write_text(BUNDLE)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
