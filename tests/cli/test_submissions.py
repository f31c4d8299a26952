"""A shared task: each submission is checked by itself and gets a report, runs have teams and aliases, leaderboards and
reports can be blinded.
"""

import re

import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from places import FIXTURES

FILTERING = FIXTURES / "filtering"


@pytest.fixture(scope="module")
def made(evaluated_once):
    return evaluated_once(FILTERING / "bundle.toml")


@pytest.fixture
def db(made, tmp_path):
    """Return a copy of the store, which a test may change."""
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(made.read_bytes())
    return copy


def call(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_files_that_name_no_run_are_checked_each_by_itself(tmp_path):
    """Two submissions of the same items: as one run every item would be a duplicate."""
    quiz = tmp_path / "quiz.duckdb"
    with tdtsql.connect(quiz, create=True) as store:
        store.add_corpus("k")
        store.add_condition("quiz", corpus="k", task="items")
    files = [tmp_path / name for name in ("a.csv", "b.csv", "bad.csv")]
    for file, score in zip(files, ("1", "0.5", "x"), strict=True):
        file.write_text(f"item_id,score\nq1,1\nq2,{score}\n")
    where = ("--condition", "quiz", "--db", quiz)

    done = call("run", "check", *files[:2], *where)
    assert done.exit_code == 0 and done.stdout == "2 files read, 0 warnings, no errors.\n"
    assert (
        "checked" in done.stderr and "as run a and so on, each file by itself. `run add` needs --id, or" in done.stderr
    )
    refused = call("run", "check", *files, *where)
    assert [problem.code for problem in refused.exception.problems] == ["E960"]
    # one run in several files, as it is named, has duplicates
    assert {problem.code for problem in call("run", "check", *files[:2], "--id", "one", *where).exception.problems} == {
        "E962"
    }
    reports = call("run", "check", *files, "--reports", tmp_path / "out", *where)
    assert re.findall(r"(\w+)\.csv: (\w+),", reports.stderr) == [
        ("a", "accepted"),
        ("b", "accepted"),
        ("bad", "rejected"),
    ]
    assert "Run a: 2 rows.\nThe file names no run; it was checked as run a." in (tmp_path / "out/a.csv.txt").read_text()
    # to add it, a name is needed, or --keep-going, which names it as run check does
    assert call("run", "add", files[0], *where).exception.problems[0].code == "E708"
    added = call("run", "add", "--keep-going", files[0], *where)
    assert added.exit_code == 0 and "as run a." in added.stderr and "run a is in quiz." in added.stderr


def test_two_runs_in_one_file_are_a_warning_or_an_error(tmp_path):
    """A tag with a typing mistake makes a second run."""
    quiz = tmp_path / "quiz.duckdb"
    with tdtsql.connect(quiz, create=True) as store:
        store.add_corpus("k")
        store.add_condition("quiz", corpus="k", task="items")
    file = tmp_path / "two.csv"
    file.write_text("run_id,item_id,score\nfermi,q1,1\nfermi,q2,0\nfemri,q3,1\n")
    where = ("--condition", "quiz", "--db", quiz)

    warned = call("run", "check", file, "--reports", tmp_path, *where)
    report = (tmp_path / "two.csv.txt").read_text()
    assert warned.exit_code == 0 and "W717 2 runs in one file, 'fermi' (2 rows), 'femri' (1 row)." in report
    assert "Run fermi: 2 rows.\nRun femri: 1 row.\n" in report and "Nothing needs to be done" not in report
    refused = call("run", "add", file, "--one-run", *where)
    assert [problem.code for problem in refused.exception.problems] == ["E717"]
    assert "W717" in call("run", "add", file, *where).stderr
    # as many items each, and others; systems with the same items, too
    for rows in ("fermi,q1,1\nfemri,q2,0\n", "fermi,q1,1\nfermi,q2,0\nbohr,q1,1\nbohr,q2,1\n"):
        file.write_text(f"run_id,item_id,score\n{rows}")
        assert "W717" in call("run", "check", file, *where).stderr
