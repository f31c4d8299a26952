"""Empty stores in the cache folder, and what a start does not wait for."""

import os
import subprocess
import sys
from pathlib import Path

from inside import LIMIT, template


def test_of_too_many_empty_stores_the_newer_half_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "tdtsql"
    folder.mkdir()
    for number in range(LIMIT):
        old = folder / f"empty-{number:016d}.duckdb"
        old.touch()
        os.utime(old, (1000 + number, 1000 + number))

    made = template(lambda path: Path(path).write_bytes(b"empty"))

    newest = [f"empty-{number:016d}.duckdb" for number in range(LIMIT // 2 + 1, LIMIT)]
    assert made.read_bytes() == b"empty"
    assert sorted(path.name for path in folder.glob("empty-*")) == sorted([made.name, *newest])


def test_a_store_opens_without_the_parser_of_sql():
    code = "import sys, tdtsql.api; print('sqlglot' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
