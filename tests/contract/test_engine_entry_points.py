"""Engines are found by their entry point, `tdtsql.engines`; no list of engines exists in the code, and nothing outside
the plugins asks which one a store is in.
"""

import ast
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

from syntax import nodes

from each import of_each

from tdtsql.engine.duckdb import Engine
from tdtsql.remote.address import is_elsewhere, opener
from tdtsql.remote.local_copy import LocalCopy
from tdtsql.remote.postgres import CopyOfPostgres
from tdtsql.remote.spark import CopyOfSpark

PACKAGE = Path(__file__).resolve().parents[2] / "tdtsql"
PLUGINS = ("remote/", "engine/remote.py", "engine/postgres.py", "engine/spark.py")
COPIES = (LocalCopy, CopyOfPostgres, CopyOfSpark)

#: the protocol of engines: what a store elsewhere answers otherwise than one in a file
METHODS = set("version transaction _before_commit change lock sync rows_of ask run_user_query cursor close".split())
DATA = {"dialect", "elsewhere", "not_hashed", "batch_rows"}


@of_each(path for path in sorted(PACKAGE.rglob("*.py")) if not str(path.relative_to(PACKAGE)).startswith(PLUGINS))
def test_nothing_outside_the_plugins_asks_for_the_engine(path):
    named = {copy.__name__ for copy in COPIES} | {"Remote", "RemoteScope"}
    for node in nodes(path):
        asked = (
            (isinstance(node, ast.Attribute) and node.attr == "remote")
            or (isinstance(node, ast.Constant) and node.value == "remote")
            or (isinstance(node, ast.Name | ast.alias) and getattr(node, "id", getattr(node, "name", "")) in named)
        )
        assert not asked, f"tdtsql/{path.relative_to(PACKAGE)}:{node.lineno}: a method or value of Engine says it"


def test_the_protocol_has_at_most_twelve_methods():
    own = {name for copy in COPIES for name in vars(copy) if name in dir(Engine) and not name.startswith("__")}

    assert own == METHODS | DATA
    assert len(METHODS) <= 12


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
