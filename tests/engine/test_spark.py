"""Exports of several stores in one Spark session: every portable published view has the rows of both stores."""

import math

import duckdb
import pytest

import tdtsql
from tdtsql.definitions.catalogue import catalog, published
from tdtsql.engine.quoting import parquet_source
from tdtsql.errors import InvalidSetting, MissingPackage, NotAStore, WrongCall
from tdtsql.spark import SHIFT, register
from tdtsql.store.copy import export
from tdtsql.task import TASKS
from places import FIXTURES

pytestmark = pytest.mark.engine

BUNDLES = (("example",), ("example/clusters", "filtering", "bagga"))  # of each store
PUBLISHED = sorted({relation.name for task in TASKS for relation in published(task)})
KEYS = ("run_no", "profile_no")


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """Return two exported stores of different conditions: store -> folder."""
    folder = tmp_path_factory.mktemp("exports")
    found = {}
    for number, bundles in enumerate(BUNDLES):
        store = tdtsql.connect(folder / f"{number}.duckdb", create=True)
        for bundle in bundles:
            store.evaluate(FIXTURES / bundle / "bundle.toml")
        export(store.engine, folder / f"export {number}")
        found[store] = folder / f"export {number}"
    yield found
    for store in found:
        store.close()


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    pyspark = pytest.importorskip("pyspark.sql", reason="pyspark is not installed (pip install 'tdtsql[spark]')")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "4g",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",  # plans take longer than running them
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    builder = pyspark.SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    started = builder.getOrCreate()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def left_out(session, stores):
    """Register both folders, and return what is left out."""
    return register(session, *stores.values())


def test_tables_have_the_rows_of_both_folders_with_keys_of_their_own(session, stores, left_out):
    expected = {
        (run, run_no + number * SHIFT)
        for number, store in enumerate(stores)
        for run, run_no in store.sql("select run_id, run_no from registry.run").fetchall()
    }
    assert {
        (row.run_id, row.run_no) for row in session.sql("select run_id, run_no from registry.run").collect()
    } == expected
    names = ["registry.task", "base.decision", "base.story", "base.partition_item"]
    for name in names:
        counts = [store.sql(f"select count(*) from {name}").fetchall()[0][0] for store in stores]
        n_row = counts[0] if name == "registry.task" else sum(counts)
        assert session.sql(f"select count(*) from {name}").collect()[0][0] == n_row > 0


def test_what_is_left_out_is_external_or_not_portable_or_reads_it(session, left_out):
    assert left_out["metric.verification_hull__v1"].startswith("not portable: ")
    assert left_out["base.hierarchy_walk__v1"].startswith("computed outside SQL: ")
    assert left_out["metric.hierarchy_best__v1"].startswith("reads ")
    assert len(left_out) < 25
    there = {row.viewName for row in session.sql("show views in metric").collect()}
    assert {name.removeprefix("metric.") for name in PUBLISHED if name not in left_out} <= there


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_portable_published_view_has_the_rows_of_both_stores(session, stores, left_out, name):
    if name in left_out:
        pytest.skip(left_out[name])
    relation = catalog()[name]
    columns = [column.name for column in relation.header.columns]
    expected = sorted(
        (
            tuple(value + number * SHIFT if key in KEYS else value for key, value in zip(columns, row, strict=True))
            for number, store in enumerate(stores)
            for row in store.sql(f"select {', '.join(columns)} from {name}").fetchall()
        ),
        key=repr,
    )
    found = sorted((tuple(row) for row in session.sql(f"select {', '.join(columns)} from {name}").collect()), key=repr)

    keys = [columns.index(key) for key in relation.header.grain]

    def by_key(rows):
        return {tuple(row[at] for at in keys): row for row in rows}

    ours, theirs = by_key(expected), by_key(found)
    assert ours.keys() == theirs.keys() and len(found) == len(theirs)
    for key, row in ours.items():
        for column, value, other in zip(columns, row, theirs[key], strict=True):
            if isinstance(value, float) and not relation.header.is_exact:
                assert other is not None and math.isclose(value, other, rel_tol=1e-12), (key, column, value, other)
            else:
                assert value == other and type(value) is type(other) or value != value != other, (key, column)


@pytest.mark.smoke
def test_folders_that_cannot_be_read_as_one_are_refused(session, stores, tmp_path):
    first, second = stores.values()
    with pytest.raises(InvalidSetting) as caught:
        register(session, first, second, first)
    assert str(caught.value).count(str(first)) == 2 and "condition '" in str(caught.value)
    with pytest.raises(NotAStore, match=f"{tmp_path}/nothing: no export.*tdtsql export"):
        register(session, first, tmp_path / "nothing")
    with pytest.raises(WrongCall, match="SparkSession"):
        register(session)

    other = tmp_path / "other"
    (other / "registry").mkdir(parents=True)
    made = "select * replace (case item when 'definitions' then 'x' when 'tdtsql' then '0.1.9' else value end as value)"
    with duckdb.connect() as engine:
        for table, select in (("made_with", made), ("condition", "select * replace ('c' as condition_id)")):
            source = parquet_source(first / "registry" / f"{table}.parquet")
            engine.execute(f"copy ({select} from {source}) to '{other}/registry/{table}.parquet' (format parquet)")
    with pytest.raises(NotAStore, match=r"exported by tdtsql 0\.1\.9, with other definitions than those of tdtsql"):
        register(session, other)
    with pytest.raises(InvalidSetting, match=f"{first} and {other} were written with different definitions"):
        register(session, first, other)


def test_without_pyspark_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setattr("tdtsql.spark.find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match=r"pip install 'tdtsql\[spark\]'"):
        register(None, "a")
