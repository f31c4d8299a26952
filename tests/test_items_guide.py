"""The guide on items does what it says: its first ten minutes, from files and from Python."""

import re
from pathlib import Path

import tdtsql

GUIDE = (Path(__file__).resolve().parents[1] / "docs" / "how-to" / "items.md").read_text(encoding="utf-8")


def test_two_files_two_columns_one_command(tmp_path):
    bundle = re.search(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "bundle.toml").write_text(bundle[1])
    (tmp_path / "base.csv").write_text("item_id,score\nq1,1\nq2,0\nq3,1\nq4,0\n")
    (tmp_path / "new.csv").write_text("item_id,score\nq1,1\nq2,1\nq3,1\nq4,0\n")

    with tdtsql.evaluate(tmp_path / "bundle.toml") as store:
        assert store.score(run="new", metric="score", subset="all", weighting="topic").project(
            "value, n"
        ).fetchall() == [(0.75, 4)]
        shown = store.compare("base", "new").to_markdown()

    assert "4 items" in shown and "topic" not in shown and "cluster" not in shown


def test_the_python_of_the_guide_runs(capsys):
    code = re.search(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    exec(compile(code[1], "items.md", "exec"), {})  # the text of the guide

    assert "new" in capsys.readouterr().out
