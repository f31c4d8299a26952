"""A store as Parquet files: every row is there, run by run, and twice the same bytes."""

import hashlib

import duckdb
import pytest

from tdtsql.errors import ExportExists
from tdtsql.store.copy import export


@pytest.fixture(scope="module")
def exported(own_example, tmp_path_factory):
    """Return the folder of an export, and how many rows of each table were written."""
    folder = tmp_path_factory.mktemp("export") / "out"
    return folder, export(own_example.engine, folder)


def test_every_row_is_there(own_example, exported):
    folder, written = exported
    for name in ("base.story", "base.judgment", "registry.profile"):
        path = folder / (name.replace(".", "/") + ".parquet")
        rows = duckdb.sql(f"select * from read_parquet('{path}') order by all").fetchall()
        assert rows == own_example.engine.rows(f"select * from {name} order by all") and len(rows) == written[name]


def test_decisions_lie_by_condition_and_run(own_example, exported):
    path = exported[0] / "base/decision/condition=trk-eng-1/run=osprey/part.parquet"
    expected = own_example.engine.value("""
        select n_row from registry.run as run
            join registry.condition as condition on condition.condition_no = run.condition_no
        where run.run_id = 'osprey' and condition.condition_id = 'trk-eng-1'""")
    assert duckdb.sql(f"select count(*) from read_parquet('{path}')").fetchall()[0][0] == expected > 0


@pytest.mark.full
def test_two_exports_are_the_same_bytes(own_example, tmp_path):
    digests = []
    for name in ("one", "two"):
        export(own_example.engine, tmp_path / name)
        digests.append(
            {
                path.relative_to(tmp_path / name).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted((tmp_path / name).rglob("*.parquet"))
            }
        )
    assert digests[0] == digests[1]


def test_a_folder_with_something_in_it_is_refused(own_example, tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(ExportExists, match="the folder is not empty. Name a new one."):
        export(own_example.engine, tmp_path)
