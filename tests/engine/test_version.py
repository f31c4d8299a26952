"""Which versions of DuckDB compute, and which read."""

import os
import subprocess
from pathlib import Path

import duckdb
import pytest

import tdtsql
from tdtsql.errors import EngineUnavailable
from places import EXAMPLE

SUPPORT = Path(__file__).parents[1] / "support"


@pytest.mark.parametrize("version", ["1.5.6", "2.0.0", "2.0.0.dev12"])
def test_an_older_engine_is_refused_with_what_to_install(version, monkeypatch, tmp_path):
    monkeypatch.setattr(duckdb, "__version__", version)

    with pytest.raises(EngineUnavailable, match=rf"DuckDB {version} is installed; tdtsql needs 2\.0\.1 or later.*pip"):
        tdtsql.connect(tmp_path / "store.duckdb")


@pytest.mark.parametrize("version", ["2.0.1", "2.1.0", "2.0.2.dev3"])
def test_a_newer_engine_is_not(version, monkeypatch):
    monkeypatch.setattr(duckdb, "__version__", version)

    tdtsql.connect(":memory:").close()


@pytest.mark.full
def test_the_oldest_client_reads_every_view(tmp_path):
    """TDTSQL_OLDEST_CLIENT: an interpreter with DuckDB 1.5."""
    client = os.environ.get("TDTSQL_OLDEST_CLIENT")
    if not client:
        pytest.skip("TDTSQL_OLDEST_CLIENT names no interpreter with DuckDB 1.5")
    bundle = EXAMPLE / "clusters" / "bundle.toml"
    tdtsql.evaluate(bundle, tmp_path / "store.duckdb").close()

    subprocess.run([client, str(SUPPORT / "read_with_client.py"), str(tmp_path / "store.duckdb")], check=True)
