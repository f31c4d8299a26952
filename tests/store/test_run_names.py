"""Runs that their files name: by a tag, a column, or the system in the header."""

import shutil

import pytest

from tdtsql.errors import InvalidInput
from tdtsql.load.bundle import evaluate_into
from tdtsql.api import connect
from places import FIXTURES

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
