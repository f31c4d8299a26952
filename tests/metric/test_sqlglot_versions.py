"""The identity of a definition does not hang on the parser: the same under every sqlglot that is allowed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: prints all locked hashes, and whether sqlglot's tokenizer sees the same words
SCRIPT = """
import sqlglot
from sqlglot.tokens import TokenType
from tdtsql.metric.catalog import catalog, sql_root
from tdtsql.metric.lexer import tokens
from tdtsql.metric.lock import current, verify

CLASS = {TokenType.STRING: "s", TokenType.IDENTIFIER: "q"}
for relation in catalog().values():
    theirs = []
    for token in sqlglot.tokenize(relation.body, read="duckdb"):
        kind = CLASS.get(token.token_type, "o")
        # sqlglot joins GROUP BY and its like into one token
        theirs += [(kind, word) for word in token.text.lower().split()] if kind == "o" else [(kind, token.text)]
    assert theirs == [(token.kind, token.text) for token in tokens(relation.body)], relation.name
for entry in current(sql_root()).values():
    print(entry)
"""


def _hashes(python: str) -> str:
    done = subprocess.run([python, "-c", SCRIPT], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_sqlglot_sees_the_same_words():
    assert _hashes(sys.executable).count("\n") > 20


@pytest.mark.slow
@pytest.mark.parametrize("version", ["26", "27", "28", "29", "30"])
def test_hashes_are_the_same_under_every_sqlglot(version, tmp_path):
    """Makes a virtual environment with that sqlglot; needs a package index."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path)], check=True)
    python = str(tmp_path / "bin" / "python")
    installed = subprocess.run([python, "-m", "pip", "install", "-q", f"sqlglot=={version}.*"], capture_output=True, text=True, check=False)
    if installed.returncode:
        assert not os.environ.get("CI"), installed.stderr  # there, nothing is skipped unseen
        pytest.skip(f"sqlglot {version} cannot be installed here: {installed.stderr[-200:]}")

    assert _hashes(python) == _hashes(sys.executable)
