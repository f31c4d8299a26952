"""A second opinion: every view over every golden case in DataFusion, against DuckDB's rows.

Needs datafusion from PyPI; skipped, saying so, where it is not installed.
"""

import pytest

from second_opinion import SMOKE_TASKS, SCHEMAS, assert_same_views, golden_copy, parquet_tables
from tdtsql.engine.duckdb import Engine

pytestmark = pytest.mark.engine
datafusion = pytest.importorskip("datafusion", reason="DataFusion is not installed: pip install datafusion")

#: view -> why DataFusion is more than a few units off
KNOWN: dict[str, str] = {}


class DataFusion:
    """DataFusion inside this process, as the engine behind a local copy."""

    title, dialect, version, plans_by_statistics = "DataFusion", "datafusion", datafusion.__version__, False

    def __init__(self, folder):
        self.context = datafusion.SessionContext()
        self.folder = folder

    def load(self, engine: Engine) -> None:
        for schema in SCHEMAS:
            self.context.sql(f"create schema {schema}").collect()
        for name, _, path in parquet_tables(engine, self.folder):
            self.context.sql(f"create external table {name} stored as parquet location '{path}'").collect()

    def make(self, kind, name, select):
        self.context.sql(f"create {kind} {name} as {select}").collect()

    def drop(self, kind, name):
        self.context.sql(f"drop {kind} if exists {name}").collect()

    def fetch(self, engine, table, select, types=None):
        incoming = self.context.sql(select).to_arrow_table()
        engine.connection.register("incoming_arrow", incoming)
        columns = ", ".join(f"cast({column} as {kind}) as {column}" for column, kind in types.items())
        engine.execute(f"create or replace temp table {table} as select {columns} from incoming_arrow")
        engine.connection.unregister("incoming_arrow")

    def close(self):
        pass


@pytest.fixture(scope="module")
def local(golden_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("datafusion")
    with golden_copy(golden_file, folder, DataFusion(folder)) as engine:
        yield engine


@pytest.mark.parametrize("task", SMOKE_TASKS)
def test_every_view_over_every_golden_case(local, task):
    assert_same_views(local, task, known=KNOWN)


def test_every_view_of_clusterings(clusterings_file, tmp_path):
    with golden_copy(clusterings_file, tmp_path, DataFusion(tmp_path)) as engine:
        assert_same_views(engine, "partition", known=KNOWN)
