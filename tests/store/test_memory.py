"""New stores in memory as the package makes them; for other tests they are made quicker (support/new_stores.py)."""

import new_stores
import tdtsql
from tdtsql.store import opening
from tdtsql.store.definitions import comments, objects


def test_a_store_in_memory_is_the_empty_store(monkeypatch, tmp_path):
    with tdtsql.connect(":memory:") as store:
        quick = objects(store.engine), comments(store.engine)
    monkeypatch.setattr(opening, "copy_into_memory", new_stores.copy_as_the_package)
    with tdtsql.connect(":memory:") as store:
        made = objects(store.engine), comments(store.engine)
        assert store.engine.rows("select path from duckdb_databases() where not internal") == [(None,)]
    with tdtsql.connect(tmp_path / "file.duckdb", create=True) as store:
        in_a_file = objects(store.engine), comments(store.engine)

    assert made == quick == in_a_file
    assert len(made[0]) > 300 and len(made[1]) > 1000


def test_a_store_in_memory_is_filled_and_scored(monkeypatch):
    monkeypatch.setattr(opening, "copy_into_memory", new_stores.copy_as_the_package)
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition(
            "c", corpus="k", task="partition", gold={"item_id": ["a", "b", "c"], "cluster_id": ["1", "1", "2"]}
        )
        store.add_run("r", condition="c", decisions={"item_id": ["a", "b", "c"], "cluster_id": ["x", "y", "y"]})
        store.refresh()
        found = dict(
            store.sql("select metric, value from report.score where weighting = 'story' and subset = 'all'").fetchall()
        )

    # one gold pair, one pair of the run, none in common; each of the three items shares itself with its cluster alone
    assert found["rand"] == 1 / 3
