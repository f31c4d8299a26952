"""The style check of the SQL files (.ci/sql_style.py) finds what it should; the files themselves are checked by it."""

import importlib.util

import pytest
from places import ROOT

SCRIPT = ROOT / ".ci" / "sql_style.py"
_spec = importlib.util.spec_from_file_location("sql_style", SCRIPT)
sql_style = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(sql_style)


@pytest.mark.parametrize(
    ("sql", "line", "what"),
    [
        ("select run_no\nfrom rate\n", None, None),
        ("/*\ntitle:    x\n*/\nselect run_no\nFROM rate\n", 5, "FROM in small letters"),
        ("select 'FROM' as word -- FROM\n", None, None),
        ("select\n  run_no\nfrom rate\n", 2, "an indent of 2, expected a multiple of 4"),
        ("select rate.run_no as run_no\nfrom rate\n", 1, "an alias that says nothing: rate.run_no as run_no"),
        ("select rate.run_no as number\nfrom rate\n", None, None),
        ("select run_no\nfrom rate as rate\n", 2, "an alias that says nothing: from rate as rate"),
        ("select run_no\nfrom metric.rate__v1 as rate\n", None, None),
        ("select\n    run_no\n    , block_no\nfrom rate\n", 3, "a comma ends the line before"),
        ("with rate as (\n\n    select 1 as one\n)\n", 2, "a blank line after ("),
        ("with rate as (\n    select 1 as one\n\n)\n", 3, "a blank line before )"),
        (f"select {'1' * 120}\n", 1, "127 characters, at most 120"),
        (f"/*\nedges:    {'x ' * 60}x\n*/\nselect 1\n", 2, "131 characters, at most 120"),
        (f"/*\nmetrics:\n    {'x ' * 60}x\n*/\nselect 1\n", None, None),
        ("select 1 \n", 1, "no tabs, no blanks at the end of a line"),
        ("select 1", 1, "end the file with a line feed"),
    ],
)
def test_what_is_found(sql, line, what):
    assert sql_style.findings(sql) == ([(line, what)] if what else [])
