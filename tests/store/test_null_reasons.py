"""A table says once why numbers are NULL, and `explain` says it too; reasons: tests/cases/loaded/null_reasons.case."""

import tdtsql
from tdtsql.audit.explain import explain

GOLD = {"item_id": ["a", "b", "c", "d"], "cluster_id": ["g1", "g1", "g2", "g2"]}
RUNS = {
    "overlapping": {"item_id": ["a", "b", "b", "c", "d"], "cluster_id": ["x", "x", "y", "y", "y"]},
    "short": {"item_id": ["a", "b", "c"], "cluster_id": ["x", "x", "y"]},
}


def test_a_table_says_each_reason_once():
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("items", corpus="k", task="partition", gold=GOLD)
        for run, rows in RUNS.items():
            store.add_run(run, condition="items", decisions=rows)
        notes = store.score(metric=["ari", "rand", "b3_f1"]).pivot().remarks
        explained = explain(store.engine, "short", "ari").text()

    assert notes == [
        "items, partition: no ari, b3_f1, rand of overlapping: several clusters.",
        "items, partition: no ari, rand of short: different items.",
    ]
    assert "    story: undefined: different items (n 0)" in explained
