"""`tdtsql compare` and `tdtsql report` as a user calls them."""

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


def test_json_is_the_same_bytes_for_the_same_seed_and_has_no_nan(tdtsql):
    options = ("compare", "R0", "R1", "R2", "--format", "json", "--correction", "bh", "--resamples", "300")
    one, other = (tdtsql(*options).stdout for _ in range(2))

    assert one == other
    rows = json.loads(one)
    assert [row["family_size"] for row in rows] == [2, 2]
    assert rows[0]["is_exact"] is True
