"""Files that may not be read, or cannot be."""

import os
import sys

import pytest

import tdtsql
from tdtsql.cli.main import main
from tdtsql.errors import InvalidInput

from tdtsql.files.find import Inputs
from tdtsql.load import bundle as bundle_loading
from places import SMALL


def test_files_that_may_not_be_read_are_problems_each(tmp_path, monkeypatch):
    for name in ("a.out", "b.out", "c.out"):
        (tmp_path / name).write_text("one\n")
    # whoever runs the tests may read everything
    monkeypatch.setattr(os, "access", lambda path, mode: path.name == "b.out")
    inputs = Inputs(tmp_path)

    assert inputs.resolve("*.out", "run files") == [("b.out", tmp_path / "b.out")]
    assert [str(problem) for problem in inputs.problems] == [
        f"{name}: E710 run files: the file may not be read. Give yourself the right to read it."
        for name in ("a.out", "c.out")
    ]


def test_boundary_tables_judgments_and_runs_that_may_not_be_read_are_said_in_one_pass(monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith(("AAA_ENG.tkn_bnd", ".rel", "1.out")))

    with pytest.raises(InvalidInput) as refused:
        tdtsql.evaluate(SMALL)

    assert [problem.path for problem in refused.value.problems if problem.code == "E710"] == [
        "../base/corpus/tkn_bnd/20040301_0600_0700_AAA_ENG.tkn_bnd",
        "../base/corpus/tkn_bnd/20040302_0600_0700_AAA_ENG.tkn_bnd",
        "../base/topics.rel",
        "../base/sys/trk_81001.out",
    ]


def test_what_the_system_refuses_is_said_in_a_line(tmp_path, monkeypatch, capsys):
    bundle = tmp_path / "bundle.toml"
    bundle.write_text("")

    def refuse(*_):
        raise PermissionError(13, "Permission denied", "tables/a.bnd")

    monkeypatch.setattr(bundle_loading, "_read_bundle", refuse)
    monkeypatch.setattr(sys, "argv", ["tdtsql", "evaluate", str(bundle), "--db", str(tmp_path / "s.duckdb")])

    with pytest.raises(SystemExit) as stopped:
        main()

    assert stopped.value.code == 1
    assert capsys.readouterr().err.strip().endswith("tables/a.bnd: Permission denied.")


@pytest.mark.parametrize("name", ["x" * 300 + ".out", "x" * 300 + "*.out", "a/" * 3000 + "b"])
def test_a_name_that_is_too_long_is_a_problem(tmp_path, name):
    """A control file with such a name ended the load with a traceback."""
    inputs = Inputs(tmp_path)

    assert inputs.resolve([name], "run files") == []
    assert [problem.code for problem in inputs.problems] == ["E710"]
