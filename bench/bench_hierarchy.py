"""How long a hierarchy takes from XML to scores, by size: `python bench/bench_hierarchy.py [N_STORY...]`."""

import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from make_hierarchy import make, to_xml

from tdtsql.api import evaluate

BUNDLE = """
[corpus]
id = "k"
stories = "stories.csv"
judgments = "judgments.csv"
[[condition]]
id = "h"
task = "hierarchy"
[[run]]
id = "r"
condition = "h"
files = ["h.xml"]
"""


def write_bundle(folder: Path, n_story: int, n_topic: int = 250) -> None:
    """Topics of some thirty stories, near each other in time more or less."""
    chance = random.Random(3)
    (folder / "h.xml").write_text(to_xml(*make(n_story)))
    (folder / "stories.csv").write_text(
        "story_id,position,language\n"
        + "".join(f"s{i},{i},{('ENGLISH', 'MANDARIN', 'ARABIC')[i % 3]}\n" for i in range(n_story))
    )
    rows = []
    for topic in range(n_topic):
        middle, size = chance.randrange(n_story), int(chance.lognormvariate(3.2, 1)) + 2
        rows += [
            f"{55000 + topic},s{s},yes\n"
            for s in sorted({min(n_story - 1, max(0, int(chance.gauss(middle, n_story / 60)))) for _ in range(size)})
        ]
    (folder / "judgments.csv").write_text("topic_id,story_id,label\n" + "".join(rows))
    (folder / "bundle.toml").write_text(BUNDLE)


if __name__ == "__main__":
    for n_story in map(int, sys.argv[1:] or ["10000", "30000", "100000", "278000"]):
        with tempfile.TemporaryDirectory() as name:
            write_bundle(Path(name), n_story)
            wall, cpu = time.perf_counter(), time.process_time()
            evaluate(Path(name) / "bundle.toml").close()
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(
                f"{n_story} stories: {time.perf_counter() - wall:.1f} s, processor {time.process_time() - cpu:.1f} s, "
                f"peak {peak} MB"
            )
