"""A second opinion: every view over every golden case in ClickHouse, against DuckDB's rows.

Needs chdb (ClickHouse inside Python); skipped, saying so, where it is not installed. Views become tables in build
order: a chain of twenty views as one plan takes ClickHouse minutes to optimise.
"""

import pytest

from second_opinion import SMOKE_TASKS, assert_same_views, golden_copy, parquet_tables
from tdtsql.engine.duckdb import Engine
from tdtsql.build.dialect import dialect
from tdtsql.build.render import render_table

pytestmark = pytest.mark.engine
chdb = pytest.importorskip("chdb", reason="ClickHouse is not installed: pip install chdb")

_ATAN = (
    "its atan is a unit off in some places, and 1 - 2/pi * atan(late) magnifies that where an update is many steps late"
)
#: view -> why ClickHouse is more than a few units off
KNOWN = {"metric.summarization_taken_nugget__v1": _ATAN, "metric.summarization_update_gain__v1": _ATAN}


class ClickHouse:
    """ClickHouse inside this process, as the engine behind a local copy."""

    title, dialect, version, plans_by_statistics = "ClickHouse", "clickhouse", chdb.__version__, False
    settings = (
        "settings join_use_nulls = 1, prefer_column_name_to_alias = 1, query_plan_max_optimizations_to_apply = 1000000"
    )

    def __init__(self, folder):
        self.session = chdb.session.Session()
        self.folder = folder

    def load(self, engine: Engine) -> None:
        for schema in ("registry", "staging", "base"):
            self.session.query(f"drop database if exists {schema}")  # sessions of one process share what is there
            self.session.query(f"create database {schema}")
        for name, table, path in parquet_tables(engine, self.folder):
            columns = ", ".join(table.columns)
            self.session.query(render_table(table, dialect("clickhouse")).rstrip(";"))
            self.session.query(f"insert into {name} ({columns}) select {columns} from file('{path}', 'Parquet')")

    def make(self, kind, name, select):
        self.session.query(
            f"create view {name} as {select}"
            if kind == "view"
            else f"create table {name} engine = MergeTree order by tuple() as {select} {self.settings}"
        )

    def drop(self, kind, name):
        self.session.query(f"drop {kind} if exists {name}")

    def fetch(self, engine, table, select, types=None):
        path = self.folder / "fetched.parquet"
        self.session.query(f"{select} into outfile '{path}' truncate format Parquet {self.settings}")
        columns = ", ".join(f"cast({column} as {kind}) as {column}" for column, kind in types.items())
        engine.execute(f"create or replace temp table {table} as select {columns} from '{path}'")

    def close(self):
        self.session.close()


@pytest.fixture(scope="module")
def local(golden_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("clickhouse")
    with golden_copy(golden_file, folder, ClickHouse(folder)) as engine:
        yield engine


@pytest.mark.parametrize("task", SMOKE_TASKS)
def test_every_view_over_every_golden_case(local, task):
    assert_same_views(local, task, known=KNOWN)


def test_every_view_of_clusterings(clusterings_file, tmp_path):
    with golden_copy(clusterings_file, tmp_path, ClickHouse(tmp_path)) as engine:
        assert_same_views(engine, "partition", known=KNOWN)
