"""What changed numbers, or did nothing, without a word: each is a warning now, or an error."""

import re

import pandas
import pytest
from click.testing import CliRunner

import tdtsql
from bundle_file import write_part
from tdtsql.cli.main import cli
from tdtsql.errors import InvalidInput
from tdtsql.load.bundle import evaluate_into
from places import EXAMPLE

pytestmark = pytest.mark.usefixtures("unscored")

CONDITIONS = re.findall(r'(?m)^condition = "(.*?)"', (EXAMPLE / "bundle.toml").read_text(encoding="utf-8"))


def warnings(folder, file, change):
    """Return (code, path, line, value) of the warnings of the example after a change of one of its files, with the
    conditions that have this file.
    """
    conditions = {"link": ["link-mul-10", "link-mul-key"], "summarization": ["ts"]}.get(file.split("/")[0], CONDITIONS)
    write_part(EXAMPLE / "bundle.toml", folder / "example", conditions)
    path = folder / "example" / file
    changed = change(path.read_text())
    assert changed != path.read_text()
    path.write_text(changed)
    with tdtsql.connect(":memory:") as store:
        report = evaluate_into(store.engine, folder / "example" / "bundle.toml", score=False)
    return [(problem.code, problem.path, problem.line, problem.value) for problem in report.warnings]


def test_an_event_that_a_run_has_nothing_on(tmp_path):
    found = warnings(
        tmp_path,
        "summarization/osprey.ssv",
        lambda text: "".join(line for line in text.splitlines(keepends=True) if not line.startswith("1 ")),
    )

    assert [entry for entry in found if entry[0] == "W564"] == [("W564", "summarization/osprey.ssv", None, "1")]


@pytest.mark.sample(1)
@pytest.mark.parametrize("end", ["\n", " \n"])
@pytest.mark.parametrize(
    ("written", "told"),
    [("tkn/20040105_0600_0800_HRB_ARB.tkn", True), ("elsewhere/20040105_0600_0800_HRB_ENG.as1", False)],
)
def test_a_decision_behind_the_name_of_another_source_file(tmp_path, end, written, told):
    """Of an output that the engine parses, and of one that goes to the reader; another folder and extension is the same
    source file.
    """

    def another(text):
        return text.replace(
            "HRB20040105.0002 HRB20040105.0006 no 0.238\n", f"HRB20040105.0002 {written}:HRB20040105.0006 no 0.238{end}"
        )

    found = [entry for entry in warnings(tmp_path, "link/osprey.out", another) if entry[0] == "W852"]

    # two conditions have this output
    assert found == [("W852", "link/osprey.out", 3, f"{written}:HRB20040105.0006")] * 2 * told


@pytest.fixture(scope="module")
def db(example_copy):
    return example_copy


def test_a_frame_has_the_warnings_of_a_file(db, tmp_path):
    rows = (
        pandas.read_csv(EXAMPLE / "tracking" / "tidy" / "runs.csv", dtype=str)
        .query("run_id == 'osprey'")
        .head(1)
        .drop(columns="run_id")
        .assign(score=0.5)
    )
    rows.to_csv(tmp_path / "mine.csv", index=False)
    with tdtsql.connect(db) as store:
        by_file = store.check_run("mine", condition="trk-any-1", decisions=tmp_path / "mine.csv")
        by_frame = store.check_run("mine", condition="trk-any-1", decisions=rows)

    assert [problem.code for problem in by_file] == ["W862", "W822"]
    assert [(problem.code, problem.message) for problem in by_frame] == [
        (problem.code, problem.message) for problem in by_file
    ]


def test_a_file_without_a_run_is_no_run(db, tmp_path):
    [condition] = {
        row[0]
        for row in tdtsql.connect(db, read_only=True)
        .sql("select condition_id from registry.condition where task = 'summarization'")
        .fetchall()
    }
    (tmp_path / "none.ssv").write_text("1 team run d 0 120\n" * 12)

    result = CliRunner().invoke(
        cli, ["run", "add", str(tmp_path / "none.ssv"), "--id", "empty", "--condition", condition, "--db", str(db)]
    )

    assert isinstance(result.exception, InvalidInput) and "E837" in [
        problem.code for problem in result.exception.problems
    ]
    assert "is in" not in result.stderr
