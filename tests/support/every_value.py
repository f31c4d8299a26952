"""Write every exact number of a made-up evaluation, bit by bit: what two machines, engines or thread counts compare.

    python every_value.py OUT [--stories N] [--topics N] [--threads N] [--shuffle SEED]

One line a number, sorted: relation, run, profile, subset, ..., value as float.hex.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

import tdtsql
from bundle_file import write_bundle, write_csv

LANGUAGES = {"ENGLISH": ["NYT", "CNN"], "MANDARIN": ["XIN"], "ARABIC": ["ALH", "ANN"]}
PROFILES = ["tdt2004", "tdt3eval", "f4de", "dear"]


def write_evaluation(folder: Path, *, n_story: int, n_topic: int, shuffle: int | None = None) -> Path:
    """Write a tidy bundle of one tracking condition with two runs; ``shuffle`` reorders rows and files, nothing
    else.
    """
    made = random.Random(20041201)
    order = random.Random(shuffle)
    stories, topics, judgments, training = [], [], [], []
    for position in range(1, n_story + 1):
        language = made.choices(list(LANGUAGES), [5, 3, 2])[0]
        kind = "NEWS" if made.random() < 0.95 else "MISCELLANEOUS"
        stories.append((f"d{position:06d}", position, made.choice(LANGUAGES[language]), language, kind))
    said = {"ties": [], "distinct": []}
    for number in range(1, n_topic + 1):
        topic = f"T{number:03d}"
        topics.append((topic,))
        first = made.randrange(n_story // 4)
        training.append((topic, stories[first][0]))
        on_topic = 0.0 if number % 10 == 0 else made.choice([0.005, 0.01, 0.03])
        for story, *_ in stories:
            luck = made.random()
            limits = {"yes": on_topic, "brief": on_topic + 0.003, "no": on_topic + 0.01}
            label = next((name for name, limit in limits.items() if luck < limit), None)
            if label:
                judgments.append((topic, story, label))
            score = made.gauss(2.0 if label == "yes" else 0.0, 1.0)
            if made.random() < 0.9:
                said["ties"].append((topic, story, "yes" if score > 1.5 else "no", round(score, 2)))
            if made.random() < 0.97:
                said["distinct"].append(
                    (topic, story, "yes" if score > 1 else "no", repr(score * 1e-3 + made.random() * 1e-9))
                )

    def write(name, columns, rows):
        rows = list(rows)
        if shuffle is not None:
            order.shuffle(rows)
        write_csv(folder / name, columns, rows)

    write("stories.csv", ["story_id", "position", "source", "language", "kind"], stories)
    write("topics.csv", ["topic_id"], topics)
    write("judgments.csv", ["topic_id", "story_id", "label"], judgments)
    write("training.csv", ["topic_id", "story_id"], training)
    files = {}
    for run, rows in said.items():
        third = len(rows) // 3
        parts = [rows[:third], rows[third:]] if shuffle is None else [rows[part::3] for part in range(3)]
        for part, some in enumerate(parts):
            write(f"{run}.{part}.csv", ["topic_id", "story_id", "decision", "score"], some)
        files[run] = [f"{run}.{part}.csv" for part in range(len(parts))]
        if shuffle is not None:
            order.shuffle(files[run])
    runs = [{"id": run, "condition": "c", "files": names, "format": "tidy"} for run, names in files.items()]
    dear = {"base": "tdt2004", "c_miss": 10.0, "c_fa": 1.0, "p_target": 0.3, "topic_cost_minimum": "mean_of_costs"}
    return write_bundle(
        folder,
        corpus={"id": "made-up", "stories": "stories.csv", "topics": "topics.csv", "judgments": "judgments.csv"},
        profiles={"dear": dear},
        conditions=[{"id": "c", "task": "tracking", "training": "training.csv", "nt": 1, "profile": PROFILES}],
        runs=runs[::-1] if shuffle is not None else runs,
    )


def values(bundle: Path, *, threads: int | None = None) -> list[str]:
    """Evaluate a bundle and return a line for every exact number, sorted; ``threads`` also makes small work
    parallel.
    """
    with tdtsql.connect(":memory:") as store:
        if threads is not None:
            store.engine.execute(f"set threads = {threads}")
            store.engine.execute("pragma verify_parallelism")
        store.evaluate(bundle)
        inexact = [
            row[0]
            for row in store.sql("""
            select metric.metric from registry.metric as metric
            join registry.definition as definition on definition.relation = metric.relation
            where definition.class <> 'exact'""").fetchall()
        ]
        lines = []
        of_point = "threshold", "p_miss", "p_fa", "p_miss_se", "p_fa_se", "c_det_norm"
        for relation, keys, metrics in (
            ("score", "metric, run_id, profile_id, subset, weighting, n", ["value"]),
            ("block_score", "metric, run_id, profile_id, subset, block_id", ["value"]),
            ("det_point", "'', run_id, profile_id, subset, weighting, block_id, point_no, n_block", of_point),
        ):
            rows = store.sql(f"select ({keys}), {', '.join(metrics)} from report.{relation}").fetchall()
            for key, *found in rows:
                for name, value in zip(metrics, found) if key[0] not in inexact else ():
                    lines.append(f"{relation} {' '.join(map(str, key))} {name} {bits(value)}")
    return sorted(lines)


def bits(value: float | None) -> str:
    return "null" if value is None else float(value).hex()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--stories", type=int, default=600)
    parser.add_argument("--topics", type=int, default=30)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--shuffle", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bundle = write_evaluation(Path(folder), n_story=given.stories, n_topic=given.topics, shuffle=given.shuffle)
        found = values(bundle, threads=given.threads)
    given.out.write_text("\n".join(found) + "\n", encoding="utf-8")
    print(f"{len(found)} numbers", file=sys.stderr)


if __name__ == "__main__":
    main()
