"""The highest target score below each decision, found by Spark without a sort, beside the rows of the view."""

import shutil
from pathlib import Path

import duckdb
import numpy as np
import pytest

import tdtsql
from tdtsql.engine import spark as spark_module
from tdtsql.metric.catalog import catalog, closure
from tdtsql.remote import levels as levels_module
from tdtsql.remote import spark as spark_store
from inside import Scope, export, open_scope

pytestmark = pytest.mark.engine

pytest.importorskip("pyspark", reason="pyspark is not installed (pip install 'tdtsql[spark]')")
if not shutil.which("java"):
    pytest.skip("Java is not installed (Debian: apt install openjdk-17-jre-headless)", allow_module_level=True)

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example" / "bundle.toml"

#: name of a run -> its scores from ranks and targets, and whether its target scores can be cut into slices
SHAPES = {
    "distinct": (lambda rank, is_target: rank + 0.25, True),
    "ties": (lambda rank, is_target: np.floor(rank / 40.0), True),
    "one value": (lambda rank, is_target: np.zeros(len(rank)), True),
    "wide": (lambda rank, is_target: np.exp(rank / 9.0), False),
    "one far above": (lambda rank, is_target: np.where(rank == rank[is_target].max(), 8e99, rank * 1e-9), False),
    "at the ends": (
        lambda rank, is_target: np.where(
            rank == rank[is_target].min(), -8.99e99, np.where(rank == rank[is_target].max(), 8.99e99, 0.0)
        ),
        True,
    ),
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    """The example in a folder, with a run of each shape for one of its conditions, and its decisions here too."""
    folder = tmp_path_factory.mktemp("levels")
    with tdtsql.evaluate(EXAMPLE, folder / "example.duckdb") as store:
        export(store.engine, folder / "export")
    runs = folder / "export" / "base" / "decision" / "condition=trk-eng-1"
    judged = (
        "select block_no, story_no as trial_no from read_parquet('{0}/base/judgment.parquet') join "
        "read_parquet('{0}/base/block.parquet') using (topic_no) where label = 'yes'"
    )
    rows = duckdb.sql(f"""
        select block_no, trial_no, is_yes, (block_no, trial_no) in (select (block_no, trial_no)
        from ({judged.format(folder / "export")})) as is_target
        from '{runs}/run=osprey/part.parquet' order by hash(trial_no, block_no)""").fetchnumpy()
    is_target = np.asarray(rows.pop("is_target"), dtype=bool)
    for name, (shape, _) in SHAPES.items():
        decision = {**rows, "score": shape(np.arange(len(is_target), dtype=float), is_target)}
        (runs / f"run={name}").mkdir()
        con = duckdb.connect()
        con.register("decision", decision)
        con.sql(
            "select block_no::int as block_no, trial_no::int as trial_no, is_yes, score from decision"
        ).write_parquet(str(runs / f"run={name}" / "a.parquet"))
    with tdtsql.connect("spark-local[2]", data=folder / "export") as store:
        yield store.engine


@pytest.mark.parametrize("shape", [*SHAPES, "osprey"])
@pytest.mark.parametrize("all_points", [0, 1])
def test_the_same_rows(lake, shape, all_points, monkeypatch):
    monkeypatch.setattr(spark_module, "SMALL_PASS", 0)
    made = []
    monkeypatch.setattr(spark_store, "levels", lambda *given: made.append(levels_module.levels(*given)) or made[-1])
    [(condition_no, run_no)] = lake.rows(
        f"select condition_no, run_no from registry.run join registry.condition using (condition_no) "
        f"where condition_id = 'trk-eng-1' and run_id = '{shape}'"
    )
    profiles = [
        row[0]
        for row in lake.rows(
            f"select profile_no from registry.condition_profile where condition_no = {condition_no} order by 1"
        )
    ]
    there = open_scope(lake, [condition_no], [run_no], profiles)
    try:
        lake.bring_decisions([run_no])
        here = Scope(lake, [condition_no], [run_no], profiles)
        try:
            for scope in (here, there):
                scope.replace(
                    "base.curve_request",
                    f"select {condition_no} as condition_no, subset_no, {all_points} as all_points from base.subset "
                    f"where condition_no = {condition_no}",
                )
                scope.build(closure(catalog(), ["metric.detection_det_cell__v1"]))
            n_row = 0
            for name in (levels_module.LEVEL, "metric.detection_det_cell__v1"):
                ours, theirs = (
                    lake.rows(f"select * from {scope.relation(name)} order by all") for scope in (here, there)
                )
                assert theirs == ours
                n_row += len(ours)
            assert n_row > 1000
        finally:
            here.close()
    finally:
        there.close()
    [select] = made
    assert bool(select) == SHAPES.get(shape, (None, True))[1]
