"""Engines are found by their entry point, `tdtsql.engines`; no list of engines exists in the code."""

import subprocess
import sys
from textwrap import dedent

from tdtsql.remote.address import is_elsewhere, opener


def test_shipped_engines_and_files():
    assert {address: is_elsewhere(address) for address in (
        "postgresql://u@h/db", "postgres://h/db", "spark://h:7077/x", "spark-local[2]/x", "s3://bucket/x.duckdb",
        "results.duckdb", ":memory:", "spark", "C:/results.duckdb", "a[1].duckdb",
    )} == {
        "postgresql://u@h/db": True, "postgres://h/db": True, "spark://h:7077/x": True, "spark-local[2]/x": True,
        "s3://bucket/x.duckdb": False, "results.duckdb": False, ":memory:": False, "spark": False,
        "C:/results.duckdb": False, "a[1].duckdb": False,
    }  # fmt: skip
    assert opener("results.duckdb") is None
    assert opener("postgresql://u@h/db").__module__ == "tdtsql.remote.postgres"


def test_an_engine_of_another_distribution(tmp_path):
    metadata = tmp_path / "toy_engine-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-engine\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[tdtsql.engines]\ntoy = toy_engine:open\n")
    (tmp_path / "toy_engine.py").write_text(
        dedent("""
            from tdtsql.store.opening import open_file
            def open(address, **settings):
                print(address, settings["read_only"])
                return open_file(":memory:")
        """)
    )
    program = "import tdtsql; store = tdtsql.connect('toy://there/x', create=True); print(len(store.runs().fetchall()))"

    result = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True
    )

    assert (result.stdout, result.returncode) == ("toy://there/x False\n0\n", 0), result.stderr
