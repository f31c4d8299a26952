"""How many statements a load of one file with many runs executes."""

from types import SimpleNamespace

import pytest

import tdtsql
from tdtsql.store.ledger import verify_chain
from tdtsql.engine.duckdb import Engine
from tdtsql.scoring.score import batches_of

BUNDLE = """
[corpus]
id = "k"
[[condition]]
id = "c"
task = "items"
cluster = ["passage"]
items = "items.csv"
[[run]]
condition = "c"
files = ["scores.csv"]
"""


def statements(folder, monkeypatch, n_run):
    """Return the number of statements of an evaluation, and (run, code) of the warnings in the store."""
    folder.mkdir()
    (folder / "bundle.toml").write_text(BUNDLE)
    (folder / "items.csv").write_text("item_id,passage\n" + "".join(f"i{item},p{item // 2}\n" for item in range(8)))
    rows = [f"r{run},i{item},{'' if item == 3 else item % (run + 2)}\n" for run in range(n_run) for item in range(7)]
    (folder / "scores.csv").write_text("run_id,item_id,score\n" + "".join(rows))
    said = []
    query = Engine.query
    with tdtsql.connect(":memory:") as store:
        with monkeypatch.context() as patched:
            patched.setattr(Engine, "query", lambda self, sql, *rest: (said.append(sql), query(self, sql, *rest))[1])
            store.evaluate(folder / "bundle.toml")
        warnings = store.engine.rows("select owner, code from registry.problem where owner like 'run:%' order by all")
        assert store.engine.rows("select n_row from registry.run order by run_no") == [(7,)] * n_run
        loads = store.engine.rows("select subject from ledger.entry where kind = 'load' order by entry_no")
        assert [owner for [owner] in loads[-n_run:]] == [f"run:c/r{run}" for run in range(n_run)]
        assert verify_chain(store.engine) == []
    return len(said), warnings


@pytest.mark.full
def test_it_does_not_depend_on_the_number_of_runs(tmp_path, monkeypatch):
    few, warnings = statements(tmp_path / "few", monkeypatch, 2)
    many, _ = statements(tmp_path / "many", monkeypatch, 12)

    assert many == few
    assert warnings == [(f"run:c/r{run}", code) for run in (0, 1) for code in ("W960", "W961")]


def test_small_runs_of_a_task_are_scored_together_up_to_the_rows_of_a_batch():
    engine = SimpleNamespace(rows=lambda _: [(1, 60), (2, 40), (3, 30), (4, 20)], batch_rows=100)
    rows = [
        (1, 1, 5, "tracking"),
        (1, 2, 5, "tracking"),
        (1, 2, 6, "tracking"),
        (2, 3, 5, "tracking"),
        (3, 4, 5, "link"),
    ]

    found = [(batch.task, batch.n_row, batch.pairs) for batch in batches_of(engine, rows)]

    assert found == [
        ("tracking", 100, [(1, 5), (2, 5), (2, 6)]),
        ("tracking", 30, [(3, 5)]),
        ("link", 20, [(4, 5)]),
    ]
