"""A tracking evaluation with a run from before, one that is worse everywhere, and one that is worse by the same mean
here and better there.

Ten topics with four targets each, twenty stories; no run has a false alarm, so the normalised cost of a topic is its
miss rate.

    targets found   T0 T1 T2 T3 T4 T5 T6 T7 T8 T9    mean p_miss
    old              2  2  2  2  2  2  2  2  2  2    0.5
    drop             1  1  1  1  1  1  1  1  1  1    0.75         ten of ten topics: p = 2 / 2^10
    noise            0  0  0  0  0  0  0  4  4  2    0.75         seven of nine: p = 2 (1 + 9 + 36) / 2^9 = 0.18
"""

from pathlib import Path

from bundle_file import write_bundle, write_tables

FOUND = {"old": [2] * 10, "drop": [1] * 10, "noise": [0] * 7 + [4, 4, 2]}


def write_gate_bundle(
    folder: Path, answer: str, *, n_topic: int = 10, silent: tuple[int, ...] = (), condition: str = "c1"
) -> Path:
    """Write a bundle in which run ``system`` answers as ``answer`` says, and return its path.

    Args:
        n_topic: topics of the evaluation; fewer than ten is another evaluation.
        silent: topics of which the run says nothing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    topics = [f"T{number}" for number in range(n_topic)]
    stories = [f"S{number:02}" for number in range(20)]
    targets = {topic: stories[number : number + 4] for number, topic in enumerate(topics)}
    files = write_tables(
        folder,
        stories=(
            "story_id position language",
            [(story, place, ("ENGLISH", "MANDARIN")[place % 2]) for place, story in enumerate(stories, 1)],
        ),
        topics=("topic_id", [(topic,) for topic in topics]),
        judgments=("topic_id story_id label", [(topic, story, "yes") for topic in topics for story in targets[topic]]),
    )
    said = [
        (topic, story, "yes" if place < FOUND[answer][number] else "no", 1 - place / 10)
        for number, topic in enumerate(topics)
        if number not in silent
        for place, story in enumerate(targets[topic])
    ]
    write_tables(folder, system=("topic_id story_id decision score", said))
    return write_bundle(
        folder,
        corpus={"id": "gate"} | files,
        conditions=[{"id": condition, "task": "tracking", "profile": ["tdt2004"]}],
        runs=[{"id": "system", "condition": condition, "files": ["system.csv"], "format": "tidy"}],
    )
