"""Runs that their files name: by a tag, a column, or the system in the header."""

import shutil
from pathlib import Path

import pandas
import pytest
from click.testing import CliRunner

from tdtsql.cli.main import cli
from tdtsql.errors import InvalidInput
from tdtsql.api import evaluate
from inside import evaluate_into
from tdtsql.api import connect

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
OUTPUT = (FIXTURES / "malformed/bundle/base/new_event.out").read_text()
RUN = '[[run]]\ncondition = "c"\nfiles = ["{}"]\nformat = "tdt"\n'


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(FIXTURES / "malformed/bundle/base", tmp_path / "base")
    (tmp_path / "b.toml").write_text(
        '[corpus]\nid = "k"\nroot = "base/corpus"\ntopic_relevance = ["base/topics.rel"]\n[[condition]]\nid = "c"\n'
        'task = "new_event"\nindex = ["base/new_event.ndx"]\n' + RUN.format("a.out") + RUN.format("b.out")
    )
    (tmp_path / "a.out").write_text(OUTPUT)
    (tmp_path / "b.out").write_text(OUTPUT.replace("sys yes", "other yes"))
    return tmp_path


def runs_of(store):
    return store.sql(
        "select run_id, (select max(score) from base.decision as decision where decision.run_no = run.run_no) from "
        "registry.run as run order by 1"
    ).fetchall()


def test_the_system_of_the_header_names_a_run_and_a_new_output_replaces_it(folder):
    with connect(":memory:") as store:
        evaluate_into(store.engine, folder / "b.toml", score=False)
        assert runs_of(store) == [("other", 1.0), ("sys", 1.0)]
        (folder / "a.out").write_text(OUTPUT.replace("yes 1\n", "yes 7\n"))
        assert evaluate_into(store.engine, folder / "b.toml", score=False).loaded == ["run:c/sys"]
        assert runs_of(store) == [("other", 1.0), ("sys", 7.0)]
        (folder / "b.out").write_text(OUTPUT)
        for changed in (OUTPUT, OUTPUT.replace("yes 1\n", "yes 8\n")):  # the other one is kept, or loaded too
            (folder / "a.out").write_text(changed)
            with pytest.raises(InvalidInput) as caught:
                evaluate_into(store.engine, folder / "b.toml", score=False)
            assert [str(problem) for problem in caught.value.problems] == [
                "b.out: E705 a second run 'sys' of condition 'c', the first is from a.out ('sys'). Give each run its "
                "own name, or the files of one run together, with an id."
            ]
        assert runs_of(store) == [("other", 1.0), ("sys", 7.0)]


def added(db, *arguments):
    return CliRunner().invoke(cli, ["run", "add", *map(str, arguments), "--db", str(db)])


@pytest.mark.full
def test_files_that_name_their_runs_need_no_id(tmp_path):
    shutil.copytree(FIXTURES / "filtering", tmp_path / "filtering")
    db = tmp_path / "x.duckdb"
    evaluate(tmp_path / "filtering/bundle.toml", db).close()
    text = (tmp_path / "filtering/alpha.txt").read_text()
    (tmp_path / "two.txt").write_text(text.replace(" alpha\n", " gamma\n") + text.replace(" alpha\n", " delta\n"))
    (tmp_path / "nameless.csv").write_text("topic_id,story_id,decision\n")
    with connect(db) as store:
        [[condition, topic, story]] = store.sql(
            "select (select min(condition_id) from registry.condition where task = 'filtering'), (select "
            "min(topic_id) from base.topic), "
            "(select min(story_id) from base.story)"
        ).fetchall()
    result = added(db, tmp_path / "two.txt", "--condition", condition, "--input-format", "trec")
    assert result.exit_code == 0 and f"is in {condition}." in result.output and "the runs that" not in result.output
    result = added(db, tmp_path / "nameless.csv", "--condition", condition)
    assert result.exit_code == 1 and "E708 the run has no id: neither the bundle nor the file names it" in str(
        result.exception
    )
    with connect(db) as store:
        assert {"gamma", "delta"} <= {name for name, _ in runs_of(store)}
        frame = pandas.DataFrame(
            {"run_id": ["first", "second"], "topic_id": [topic] * 2, "story_id": [story] * 2, "decision": ["yes"] * 2}
        )
        store.add_run(condition=condition, decisions=frame)
        store.add_run("mine", condition=condition, decisions=frame[:1])
        assert {"first", "second", "mine"} <= {name for name, _ in runs_of(store)}
