"""The identity of a definition does not hang on the parser: the same under every sqlglot that is allowed."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: prints all locked hashes, and whether sqlglot's tokenizer sees the same words
SCRIPT = """
import sqlglot
from sqlglot.tokens import TokenType
from tdtsql.definitions.catalogue import catalog, sql_root
from tdtsql.definitions.lexer import tokens
from tdtsql.definitions.lock import current, verify

CLASS = {TokenType.STRING: "s", TokenType.IDENTIFIER: "q"}
print(sqlglot.__version__)
for relation in catalog().values():
    theirs = []
    for token in sqlglot.tokenize(relation.body, read="duckdb"):
        kind = CLASS.get(token.token_type, "o")
        # sqlglot joins GROUP BY and its like into one token, and := of named arguments
        words = token.text.lower().replace(":=", ": =").split()
        theirs += [(kind, word) for word in words] if kind == "o" else [(kind, token.text)]
    assert theirs == [(token.kind, token.text) for token in tokens(relation.body)], relation.name
for entry in current(sql_root()).values():
    print(entry)
"""


@cache
def _hashes(folder: str = "") -> str:
    """Return what the script prints, with the packages of ``folder`` before those that are installed."""
    path = os.pathsep.join(filter(None, [folder, str(ROOT)]))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env={"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    version, _, hashes = done.stdout.partition("\n")
    assert not folder or version.split(".")[0] == Path(folder).name
    return hashes


@pytest.mark.full
def test_sqlglot_sees_the_same_words():
    assert _hashes().count("\n") > 20


@pytest.mark.full
@pytest.mark.parametrize("version", ["26", "27", "28", "29", "30"])
def test_hashes_are_the_same_under_every_sqlglot(version, tmp_path):
    """Puts that sqlglot into a folder before the installed one; needs a package index."""
    folder = str(tmp_path / version)
    installed = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--no-compile",
            "--target",
            folder,
            f"sqlglot=={version}.*",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if installed.returncode:
        assert not os.environ.get("CI"), installed.stderr  # there, nothing is skipped unseen
        pytest.skip(f"sqlglot {version} cannot be installed here: {installed.stderr[-200:]}")

    assert _hashes(folder) == _hashes()
