"""Make a filtering collection of the size of RCV1 in TREC-11: 50 topics x 726,419 documents, 2 million retrieved; or
(`many`) one of the size of an ad hoc track: 60 runs of 50 topics x 1,000 documents.

python bench/make_filtering.py FOLDER
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


def many(folder: Path, n_run: int = 60) -> None:
    """Write an ad hoc track: runs of 1,000 of 100,000 documents for each topic, 400 of them judged."""
    random = np.random.default_rng(12)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bundle.toml").write_text(
        '[corpus]\nid = "adhoc"\nqrels = "qrels.txt"\n[[condition]]\nid = "adhoc"\ntask = "filtering"\n'
        + "".join(
            f'[[run]]\nid = "run{run}"\ncondition = "adhoc"\nfiles = ["run{run}.txt"]\nformat = "trec"\n'
            for run in range(n_run)
        )
    )
    judged = {topic: random.choice(100_000, 400, replace=False) for topic in range(1, N_TOPIC + 1)}
    with (folder / "qrels.txt").open("w") as qrels:
        for topic, documents in judged.items():
            qrels.writelines(f"{topic} 0 d{document} {int(place < 100)}\n" for place, document in enumerate(documents))
    for run in range(n_run):
        with (folder / f"run{run}.txt").open("w") as lines:
            for topic, documents in judged.items():
                retrieved = np.unique(np.concatenate([documents[run % 7 : 100 : 2], random.choice(100_000, 990)]))[
                    :1000
                ]
                random.shuffle(retrieved)
                lines.writelines(
                    f"{topic} Q0 d{document} {rank} {1000 - rank} run{run}\n"
                    for rank, document in enumerate(retrieved, start=1)
                )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
