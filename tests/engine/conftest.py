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
    """Return a database with the golden store, its numbers included, which orders text as a language does, not by
    bytes.
    """
    import tdtsql
    from inside import copy_store

    server.psql("create database golden template template0 locale_provider icu icu_locale 'en-US' encoding 'UTF8'")
    with tdtsql.connect(golden_file, read_only=True) as ours, tdtsql.connect(server.address("golden")) as theirs:
        copy_store(ours.engine, theirs.engine)
    return "golden"


@pytest.fixture(scope="session")
def clusterings_file(shared, tmp_path_factory) -> Path:
    """Return a store of the smaller golden clusterings, of clusters of stories in subsets (some in several clusters)
    and of windows of days; not to be changed.
    """
    import tdtsql
    from clustering_stories import PRODUCT, rows_of, write
    from partition_case import bundle_of

    folder = tmp_path_factory.mktemp("clusterings")
    with tdtsql.evaluate(
        bundle_of(shared / "golden" / "partition", folder, largest=4000)[0], folder / "clusterings.duckdb"
    ) as store:
        for name, n_several in (("stories", 0), ("several", 4)):
            (folder / name).mkdir()
            bundle = write(folder / name, rows_of(1, 0.8, 4, n_several), rows_of(2, 0.7, 3, n_several)) / "bundle.toml"
            bundle.write_text(bundle.read_text().replace('id = "k"', f'id = "{name}"').replace('"whole"', f'"{name}"'))
            store.evaluate(bundle)
        store.add_corpus(
            "days",
            stories={
                "story_id": list("abcdef"),
                "position": [1, 2, 3, 4, 5, 6],
                "published_at": [f"1998-10-0{day} 00:00:00" for day in (1, 1, 2, 3, 3, 4)],
            },
        )
        store.add_condition(
            "days",
            corpus="days",
            task="partition",
            gold={"item_id": list("abcdef"), "cluster_id": list("112233")},
            window="2 days",
            step="1 day",
        )
        store.add_run("s", condition="days", decisions={"item_id": list("abcdef"), "cluster_id": list("122333")})
        store.score(subset=PRODUCT)
    return folder / "clusterings.duckdb"


@pytest.fixture(scope="session")
def example(server, tmp_path_factory):
    """Return the bundled example as a file and as a database, both evaluated by the command."""
    from click.testing import CliRunner

    from tdtsql.cli.main import cli

    bundle = Path(__file__).resolve().parents[2] / "fixtures" / "example" / "bundle.toml"
    path, database = tmp_path_factory.mktemp("example") / "example.duckdb", server.database()
    said = [
        CliRunner().invoke(cli, ["evaluate", str(bundle), "--db", str(db)]) for db in (path, server.address(database))
    ]
    assert [result.exit_code for result in said] == [0, 0], said[1].output
    return path, database
