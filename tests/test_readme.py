"""What the README prints works as printed, and shows what is there."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tdtsql.store.stored_results import invariants
from tdtsql.cli.commands import NOUNS
from tdtsql.cli.main import cli
from places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "fixtures" / "example" / "bundle.toml"

BLOCKS = re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", README, re.MULTILINE)
COMMAND_LINES = [line.strip() for block in BLOCKS for line in block.splitlines() if line.startswith("    tdtsql ")]
PYTHON = [block for block in BLOCKS if "import pandas, tdtsql" in block]
#: rows that the documents show elsewhere
AUDIT = (ROOT / "docs" / "how-to" / "audit.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(example_copy):
    """Return a folder with the evaluated example, a run in mine.csv, and a malformed one in bad.csv; and what is
    printed when the example is evaluated, here once more.
    """
    folder = example_copy.parent
    result = CliRunner().invoke(cli, ["evaluate", str(EXAMPLE), "--db", str(folder / "example.duckdb")])
    assert result.exit_code == 0, result.output
    (folder / "evaluate.txt").write_text(result.output, encoding="utf-8")
    rows = (ROOT / "fixtures/example/tracking/osprey/nt1/trk_70001.out").read_text().splitlines()[1:]
    fields = [line.split() for line in rows]
    lines = [f"70001,{story},{decision.lower()},{score}" for _, story, decision, score in fields]
    (folder / "bad.csv").write_text("topic_id,story_id,decision,score\n70001,HRB20040105.0008,perhaps,1\n")
    (folder / "mine.csv").write_text("\n".join(["topic_id,story_id,decision,score", *lines]) + "\n")
    return folder


def test_the_two_commands_are_one_line_each():
    first, second = [block.strip() for block in BLOCKS if block.strip().startswith("python3 -m venv")]

    assert "\n" not in first and "evaluate fixtures/example/bundle.toml" in first
    assert "\n" not in second and "pytest" in second
    script = (ROOT / ".ci" / "run").read_text()
    assert all(part in script for part in ("'.[dev,", "-m pytest"))  # dev has test


@pytest.mark.parametrize("line", COMMAND_LINES, ids=lambda line: " ".join(line.split()[:3]))
def test_every_command_works_as_printed(folder, monkeypatch, line):
    monkeypatch.chdir(folder)

    result = CliRunner().invoke(cli, shlex.split(line, comments=True)[1:])

    assert result.exit_code == 0, (result.output, result.exception)
    assert result.output.strip()


QUERIES = [line for line in COMMAND_LINES if line.startswith("tdtsql sql query")]


@pytest.mark.parametrize("line", QUERIES)
def test_a_query_names_what_tells_its_rows_apart(folder, monkeypatch, line):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "300")

    rows = CliRunner().invoke(cli, [*shlex.split(line, comments=True)[1:], "--format", "csv"]).output.splitlines()

    # a number is of a condition, a run, a profile and a topic; the same one may be there for several, the row may not
    keys = [row.rsplit(",", 1)[0] for row in rows]
    assert len(rows) > 1 and len(set(keys)) == len(keys)


def test_there_are_commands_and_python_to_try():
    assert len(COMMAND_LINES) >= 7 and len(PYTHON) == 1


def test_the_python_works_as_printed(folder, monkeypatch):
    monkeypatch.chdir(folder)
    lines = [line for line in PYTHON[0].splitlines(keepends=True) if line.strip()]
    names: dict = {}

    exec("".join(line[4:] for line in lines), names)

    # system accepts both targets and 2 of 6 non-targets of flood, the target and 1 of 7 non-targets of vote
    assert Path("det.svg").exists()
    table = names["store"].score(metric=["p_miss", "p_fa", "c_det_norm"]).pivot()
    rows = {run: values for run, *values in table.project("run_id, p_miss, p_fa, c_det_norm").fetchall()}
    p_fa = (2 / 6 + 1 / 7) / 2
    assert rows["system"] == pytest.approx([0, p_fa, 4.9 * p_fa])
    names["store"].close()


def test_the_printed_table_is_that_of_the_example(folder):
    shown = [line for block in BLOCKS if "c_det_norm  c_det_prel_norm" in block for line in block.splitlines()]
    printed = (folder / "evaluate.txt").read_text().splitlines()

    rows = [line.strip() for line in shown if line.strip() not in ("", "...")]
    assert len(rows) >= 5
    for row in rows:
        assert any(line.strip().startswith(row) for line in printed), row  # signatures are left out


def test_the_printed_comparison_is_that_of_the_example(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "400")
    [line] = [line for line in COMMAND_LINES if line.startswith("tdtsql compare")]
    printed = CliRunner().invoke(cli, shlex.split(line)[1:]).output.splitlines()
    [shown] = [block.partition("\n\n")[2] for block in BLOCKS if "p corr." in block]
    for row in shown.strip().splitlines():
        assert any(one.startswith(row.strip()) for one in printed), row
    assert "nothing can be significant at 5 %" in printed[0]


def test_it_stays_short():
    assert README.count("\n") <= 150


def test_the_sql_is_that_of_the_file_it_names():
    [(name, shown)] = re.findall(r"`(sql/metric/[\w/.]+)`, below a header.*?```sql\n(.*?)```", README, re.DOTALL)

    assert (ROOT / name).read_text(encoding="utf-8").endswith(f"*/\n{shown}")


def test_every_command_of_the_tour_is_on_the_help_page():
    assert {line.split()[1] for line in COMMAND_LINES} <= set(NOUNS)


def test_the_number_of_invariants_is_right():
    [shown] = re.findall(r"(\d+) invariants are checked in every store", AUDIT)

    assert int(shown) == len(invariants()) + 1  # and the ledger
