"""New stores as the package makes them; for other tests they are made quicker (support/new_stores.py)."""

import new_stores
import tdtsql
from tdtsql.definitions.verify import comments, objects


def test_a_store_in_memory_is_the_empty_store(monkeypatch, tmp_path):
    def found(store):
        rows = (
            store.engine.rows("from ledger.entry order by all"),
            store.engine.rows("from registry.profile order by all"),
        )
        return objects(store.engine), comments(store.engine), [row[2:5] for row in rows[0]], rows[1]

    with tdtsql.connect(":memory:") as store:
        quick = found(store)
    with tdtsql.connect(tmp_path / "quick.duckdb", create=True) as store:
        quick_file = found(store)
    new_stores.as_the_package(monkeypatch)
    with tdtsql.connect(":memory:") as store:
        made = found(store)
        assert store.engine.rows("select path from duckdb_databases() where not internal") == [(None,)]
    with tdtsql.connect(tmp_path / "file.duckdb", create=True) as store:
        in_a_file = found(store)

    assert made == quick == quick_file == in_a_file
    assert len(made[0]) > 300 and len(made[1]) > 1000
