"""The guide on items does what it says: its first ten minutes, from files and from Python."""

import re

from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from places import ROOT

GUIDE = (ROOT / "docs" / "how-to" / "items.md").read_text(encoding="utf-8")


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


def test_a_later_run_is_added_with_the_names_of_its_columns(tmp_path):
    (tmp_path / "next.csv").write_text("question,correct\nq1,true\nq2,false\n")
    path = tmp_path / "quiz.duckdb"
    with tdtsql.connect(path, create=True) as store:
        store.add_corpus("mine")
        store.add_condition("quiz", corpus="mine", task="items")
    words = ["run", "add", str(tmp_path / "next.csv"), "--id", "next", "--condition", "quiz", "--db", str(path)]
    done = CliRunner().invoke(cli, [*words, "--item", "question", "--score", "correct"])
    assert done.exit_code == 0, done.output
    with tdtsql.connect(path) as store:
        assert store.score("next", metric="correct", weighting="topic").project("value, n").fetchall() == [(0.5, 2)]


def test_the_python_of_the_guide_runs(capsys):
    code = re.search(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    exec(compile(code[1], "items.md", "exec"), {})  # the text of the guide

    assert "new" in capsys.readouterr().out


def test_attributes_in_the_files_of_runs_make_subsets_and_change_with_their_run(tmp_path):
    bundle = tmp_path / "bundle.toml"
    bundle.write_text(
        '[corpus]\nid = "k"\n[[condition]]\ntask = "items"\nid = "c"\ngroup = ["kind"]\n'
        '[[run]]\nid = "new"\ncondition = "c"\nfiles = ["new.csv"]\n'
    )

    def scores(second_kind: str) -> list[tuple[str, float, int]]:
        (tmp_path / "new.csv").write_text(f"item_id,score,kind\nq1,1,a\nq2,0,{second_kind}\nq3,1,b\n")
        store.evaluate(bundle)
        means = store.score(run="new", metric="score", weighting="topic").filter("subset like 'kind=%'")
        return means.project("subset, value, n").order("subset").fetchall()

    with tdtsql.connect(":memory:") as store:
        assert scores("a") == [("kind=a", 0.5, 2), ("kind=b", 1, 1)]
        assert scores("b") == [("kind=a", 1, 1), ("kind=b", 0.5, 2)]
