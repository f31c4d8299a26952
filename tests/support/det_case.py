"""Cases of DET curves with exact reference points: as bundles of ours."""

import csv
from pathlib import Path

from bundle_file import write_bundle, write_tables

COSTS = {
    "tdt": {"c_miss": 1.0, "c_fa": 0.1, "p_target": 0.02},
    "equal": {"c_miss": 1.0, "c_fa": 1.0, "p_target": 0.5},
    "sre": {"c_miss": 10.0, "c_fa": 1.0, "p_target": 0.01},
}
CASES = (
    "f4de_blocked f4de_mtest f4de_mtest_omitted sklearn_doc ties_all ties_all_reversed perfect inverted "
    "f4de_mbtrial f4de_targetted_point"
).split()


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write_case(case: Path, folder: Path, name: str = "det") -> Path:
    """Write a case as a bundle; corpus and condition are called ``name``."""
    trials = [(f"s{number:04d}", row) for number, row in enumerate(read(case / "trials.csv"), start=1)]
    files = write_tables(
        folder,
        stories=("story_id position", [(story, number) for number, (story, _) in enumerate(trials, start=1)]),
        topics=("topic_id", [(block,) for block in sorted({row["block"] for _, row in trials})]),
        judgments=(
            "topic_id story_id label",
            [(row["block"], story, "yes" if row["target"] == "1" else "no") for story, row in trials],
        ),
    )
    said = [(story, row) for story, row in trials if row["decision"] != "OMITTED"]
    write_tables(
        folder,
        trials=("topic_id story_id", [(row["block"], story) for story, row in trials]),
        run=(
            "topic_id story_id decision score",
            [(row["block"], story, row["decision"].lower(), row["score"]) for story, row in said],
        ),
    )
    return write_bundle(
        folder,
        corpus={"id": name} | files,
        profiles={name: {"base": "f4de", **costs} for name, costs in COSTS.items()},
        conditions=[{"id": name, "task": "tracking", "trials": "trials.csv", "profile": list(COSTS)}],
        runs=[{"id": "system", "condition": name, "files": ["run.csv"], "format": "tidy"}],
    )
