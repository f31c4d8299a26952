"""The case of TREC filtering: as a bundle of ours."""

import json
from pathlib import Path

BUNDLE = """name = "golden"

[corpus]
id = "golden"
qrels = {qrels}

[[condition]]
id = "filtering"
task = "filtering"
trials = "trials.csv"
profile = ["trec11", "tdt5", "zero", "trec_eval"]

[profile.zero]
base = "trec11"
empty_topic = "zero"
empty_retrieved = "zero"

[[run]]
condition = "filtering"
files = [{run}]
format = "trec"
"""


def write_case(golden: Path, folder: Path) -> Path:
    """Write the bundle (corpus ``golden``, condition ``filtering``).

    Each topic of the files has its own thousand documents, so a trials file pairs
    them; without it every topic would be tried on all twelve thousand.
    """
    pairs = [line.split() for line in (golden / "qrels.txt").read_text().splitlines()]
    (folder / "trials.csv").write_text("topic_id,story_id\n" + "".join(f"{row[0]},{row[2]}\n" for row in pairs))
    path = folder / "bundle.toml"
    path.write_text(BUNDLE.format(qrels=json.dumps(str(golden / "qrels.txt")), run=json.dumps(str(golden / "run.txt"))))
    return path
