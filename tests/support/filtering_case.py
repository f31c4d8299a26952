"""The case of TREC filtering: as a bundle of ours."""

from pathlib import Path

from bundle_file import write_bundle, write_tables


def write_case(golden: Path, folder: Path) -> Path:
    """Write the bundle (corpus ``golden``, condition ``filtering``).

    Each topic of the files has its own thousand documents, so a trials file pairs
    them; without it every topic would be tried on all twelve thousand.
    """
    pairs = [line.split() for line in (golden / "qrels.txt").read_text().splitlines()]
    trials = write_tables(folder, trials=("topic_id story_id", [(row[0], row[2]) for row in pairs]))
    profiles = ["trec11", "tdt5", "zero", "trec_eval"]
    return write_bundle(
        folder,
        corpus={"id": "golden", "qrels": golden / "qrels.txt"},
        profiles={"zero": {"base": "trec11", "empty_topic": "zero", "empty_retrieved": "zero"}},
        conditions=[{"id": "filtering", "task": "filtering", "profile": profiles} | trials],
        runs=[{"condition": "filtering", "files": [golden / "run.txt"], "format": "trec"}],
    )
