"""A PostgreSQL server, and the golden store in it."""

import shutil
from pathlib import Path

import pytest

import postgres_server


@pytest.fixture
def golden_copy(golden_file, tmp_path) -> Path:
    """Return a copy of that store, to be changed."""
    copy = tmp_path / "golden.duckdb"
    copy.write_bytes(golden_file.read_bytes())
    return copy


@pytest.fixture(scope="session")
def server():
    """Return a PostgreSQL server of our own; skip, saying so, where it or psycopg is not installed."""
    if postgres_server.PROGRAMS is None or shutil.which("psql") is None:
        pytest.skip(postgres_server.MISSING)
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'tdtsql[postgres]')")
    with pytest.MonkeyPatch.context() as patch, postgres_server.running() as started:
        patch.setenv("PGUSER", postgres_server.ADMIN)
        yield started


@pytest.fixture(scope="session")
def golden_database(golden_file, server) -> str:
    """Return a database with the golden store, its numbers included, which orders text as a language does, not by bytes."""
    import tdtsql
    from inside import copy_store

    server.psql("create database golden template template0 locale_provider icu icu_locale 'en-US' encoding 'UTF8'")
    with tdtsql.connect(golden_file, read_only=True) as ours, tdtsql.connect(server.address("golden")) as theirs:
        copy_store(ours.engine, theirs.engine)
    return "golden"


@pytest.fixture(scope="session")
def example(server, tmp_path_factory):
    """Return the bundled example as a file and as a database, both evaluated by the command."""
    from click.testing import CliRunner

    from tdtsql.cli.main import cli

    bundle = Path(__file__).resolve().parents[2] / "fixtures" / "example" / "bundle.toml"
    path, database = tmp_path_factory.mktemp("example") / "example.duckdb", server.database()
    said = [CliRunner().invoke(cli, ["evaluate", str(bundle), "--db", str(db)]) for db in (path, server.address(database))]
    assert [result.exit_code for result in said] == [0, 0], said[1].output
    return path, database
