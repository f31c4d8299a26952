"""The source files of a corpus are in the order of time: what is new depends on it."""

import shutil


import tdtsql
from tdtsql.load.bundle import evaluate_into
from places import EXAMPLE

BUNDLE = """
[corpus]
id = "example"
root = "corpus"
topic_relevance = ["corpus/topics.rel"]

[[condition]]
id = "c"
task = "new_event"
index = ["eng.ndx"]
"""


def test_two_swapped_source_files_are_a_warning(tmp_path):
    """They changed a cost from .4253 to 2.0538 in silence."""
    shutil.copytree(EXAMPLE / "corpus", tmp_path / "corpus")
    lines = (EXAMPLE / "new_event" / "eng.ndx").read_text().splitlines()
    lines[2], lines[5] = lines[5], lines[2]
    (tmp_path / "eng.ndx").write_text("\n".join(lines) + "\n")
    (tmp_path / "bundle.toml").write_text(BUNDLE)

    with tdtsql.connect(":memory:") as store:
        report = evaluate_into(store.engine, tmp_path / "bundle.toml", score=False)

    found = [problem.message for problem in report.warnings if problem.code == "W807"]
    assert [message.split(":")[0] for message in found] == ["3 source files are not in the order of time"]
