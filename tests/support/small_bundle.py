"""A tracking evaluation of a few made-up runs, in the tidy forms."""

from pathlib import Path

import numpy as np


def write_small_bundle(
    folder: Path, *, n_run: int = 3, n_topic: int = 8, n_story: int = 120, gap: bool = False
) -> Path:
    """Write a bundle with ``n_run`` runs, each worse than the one before, and return its path.

    The last topic has no target: its miss rate is undefined. With ``gap`` there is
    a second profile and a story that the corpus does not have (a warning).
    """
    folder.mkdir(parents=True, exist_ok=True)
    generator = np.random.default_rng(11)
    stories = [f"S{index:03}" for index in range(n_story)]
    topics = [str(55001 + index) for index in range(n_topic)]
    (folder / "stories.csv").write_text(
        "story_id,position,source,language\n"
        + "".join(
            f"{story},{index + 1},{('NYT', 'VOA')[index % 2]},{('ENGLISH', 'MANDARIN')[index % 3 == 0]}\n"
            for index, story in enumerate(stories)
        )
    )
    (folder / "topics.csv").write_text("topic_id\n" + "".join(f"{topic}\n" for topic in topics))
    targets = {topic: set(generator.choice(stories, 6, replace=False)) for topic in topics[:-1]} | {topics[-1]: set()}
    (folder / "judgments.csv").write_text(
        "topic_id,story_id,label\n"
        + "".join(f"{topic},{story},yes\n" for topic in topics for story in sorted(targets[topic]))
    )
    bundle = (
        'name = "small"\n[corpus]\nid = "small"\nstories = "stories.csv"\ntopics = "topics.csv"\njudgments = '
        '"judgments.csv"\n'
        '[[condition]]\nid = "c1"\ntask = "tracking"\nprofile = '
        + ('["tdt2004", "tdt3eval"]' if gap else '["tdt2004"]')
        + "\n"
    )
    for run in range(n_run):
        lines = ["topic_id,story_id,decision,score"]
        for topic in topics:
            for story in stories:
                score = generator.normal(2.5 - run if story in targets[topic] else 0.0, 1.0)
                if score > -0.5:
                    lines.append(f"{topic},{story},{'yes' if score > 1.5 else 'no'},{score:.4f}")
        if gap and run == 0:
            lines.append(f"{topics[0]},NOWHERE,no,0.1")
        (folder / f"run{run}.csv").write_text("\n".join(lines) + "\n")
        bundle += f'[[run]]\nid = "R{run}"\ncondition = "c1"\nfiles = ["run{run}.csv"]\nformat = "tidy"\n'
    path = folder / "bundle.toml"
    path.write_text(bundle)
    return path
