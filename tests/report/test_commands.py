"""`tdtsql compare` and `tdtsql report` as a user calls them."""

import csv
import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import pytest
from small_bundle import write_small_bundle

from tdtsql.cli.main import main


class Done(NamedTuple):
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture(scope="module")
def tdtsql(tmp_path_factory):
    """Call the command line in a folder with a bundle, its store and the report that evaluate writes."""
    folder = tmp_path_factory.mktemp("commands")
    write_small_bundle(folder)

    def call(*arguments) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.chdir(folder)
            patch.setenv("TDTSQL_DB", "small.duckdb")
            patch.setattr(sys, "argv", ["tdtsql", *map(str, arguments)])
            code = 0
            try:
                main()
            except SystemExit as stop:
                code = stop.code
        return Done(code, out.getvalue(), err.getvalue())

    call.folder = folder
    done = call("evaluate", "bundle.toml", "--report", "out.html")
    assert done.returncode == 0, done.stderr
    assert "Wrote out.html" in done.stderr
    return call


def test_evaluate_writes_the_report(tdtsql):
    page = (tdtsql.folder / "out.html").read_text(encoding="utf-8")

    assert "<title>Evaluation report: small</title>" in page
    assert ">R0</th>" in page


def test_compare_prints_rows_method_and_signature(tdtsql):
    done = tdtsql("compare", "R0", "R1", "R2", "--permutations", "500", "--resamples", "300", "--signature")

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split() == "run mean against difference 95 % interval w/t/l p p corr.".split()
    assert "paired randomisation test, all sign patterns, Holm correction over 2 tests" in done.stdout
    assert (
        "compare:c_det_norm|condition:c1|profile:tdt2004|subset:all|topics:7|missing:error|test:randomisation"
        in done.stdout
    )
    assert "Traceback" not in done.stderr


def test_json_is_the_same_bytes_for_the_same_seed_and_has_no_nan(tdtsql):
    options = ("compare", "R0", "R1", "R2", "--format", "json", "--correction", "bh", "--resamples", "300")
    one, other = (tdtsql(*options).stdout for _ in range(2))

    assert one == other
    rows = json.loads(one)
    assert [row["family_size"] for row in rows] == [2, 2]
    assert rows[0]["is_exact"] is True


@pytest.mark.parametrize(
    ("options", "first"),
    [
        (("--per-topic",), "block_id"),
        (("--format", "latex", "--resamples", "50"), "% needs"),
        (("--format", "markdown", "--resamples", "50"), "| run"),
        (("--metric", "p_miss", "--test", "wilcoxon", "--interval", "t"), "run"),
    ],
)
def test_every_question_has_an_answer(tdtsql, options, first):
    done = tdtsql("compare", "R0", "R1", *options)

    assert done.returncode == 0, done.stderr
    assert done.stdout.lstrip().startswith(first)


@pytest.mark.full
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("compare", "R0"), 2, "there is nothing to compare with. Name at least two different runs."),
        (("compare", "R0", "R9"), 2, "run 'R9' is unknown. `tdtsql run list` shows all 3."),
        (("compare", "R0", "R1", "--seed", "-1"), 2, "seed -1 is negative"),
        (("compare", "R0", "R1", "--per-topic", "--all-pairs"), 2, "choose one of"),
        (("compare", "R0", "R1", "R2", "--per-topic"), 2, "needs exactly two runs"),
        (("compare", "R0", "R1", "--metric", "b3_f1"), 2, "has no number per topic"),
        (("report", "make", "gone/x.html"), 1, "the folder gone does not exist"),
        (("evaluate", "bundle.toml", "--report", "gone/x.html"), 1, "the folder gone does not exist"),
        (
            ("plot", "det", "-o", "x.png", "--condition", "c1"),
            2,
            "invalid image format 'png', expected one of svg, pdf.",
        ),
        (("plot", "det", "-o", "x.svg", "--condition", "c7"), 2, "condition 'c7' is unknown"),
        (("plot", "det", "-o", "x.svg", "R9", "--condition", "c1"), 2, "run 'R9' is unknown"),
        (("leaderboard", "--condition", "c7"), 2, "condition 'c7' is unknown. There are c1."),
    ],
)
def test_mistakes_are_said_in_words(tdtsql, arguments, code, message):
    done = tdtsql(*arguments)

    assert message in done.stderr
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert not list(tdtsql.folder.glob(".x*"))


def test_the_leaderboard_in_every_form(tdtsql):
    for form, text in (
        ("table", "c_det_norm"),
        ("csv", "c1,tdt2004,1,R0"),
        ("json", '"signature": "c_det_norm:v1|w:topic|profile:tdt2004|'),
        ("latex", r"\begin{table}"),
        ("markdown", "| 1 | R0 | **"),
    ):
        done = tdtsql("leaderboard", "--format", form)
        assert done.returncode == 0, done.stderr
        assert text in done.stdout


@pytest.mark.full
def test_curves_are_drawn_twice_alike(tdtsql):
    pytest.importorskip("matplotlib")
    for name in ("one.svg", "two.svg", "one.pdf", "two.pdf"):
        done = tdtsql("plot", "det", "-o", name, "--condition", "c1")
        assert done.returncode == 0, done.stderr
    assert (tdtsql.folder / "one.svg").read_bytes() == (tdtsql.folder / "two.svg").read_bytes()
    assert (tdtsql.folder / "one.pdf").read_bytes() == (tdtsql.folder / "two.pdf").read_bytes()


def test_the_matrix_of_topics_and_runs(tdtsql):
    """Every cell is the number of that run on that topic, and the runs stand best first."""
    header, *rows = csv.reader(
        tdtsql("leaderboard", "--per-topic", "--condition", "c1", "--format", "csv").stdout.splitlines()
    )
    ranked = [
        row[3]
        for row in list(csv.reader(tdtsql("leaderboard", "--condition", "c1", "--format", "csv").stdout.splitlines()))[
            1:
        ]
    ]
    assert header == ["condition_id", "profile_id", "metric", "block_id", *ranked]
    query = (
        "select block_id, run_id, value from report.block_score where condition_id = 'c1' and metric = 'c_det_norm' "
        "and subset = 'all'"
    )
    kept = {
        (row["block_id"], row["run_id"]): row["value"]
        for row in json.loads(tdtsql("sql", "query", query, "--format", "json").stdout)
    }
    assert len(rows) == len({block for block, _ in kept}) > 1
    for row in rows:
        assert [float(value) if value else None for value in row[4:]] == [kept[row[3], run] for run in ranked]
