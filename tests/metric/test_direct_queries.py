"""Every view can be queried directly, with the rows that the scorer computes and the stored numbers."""

import lanes
import pytest

import tdtsql
from tdtsql.scoring.scope import Scope
from tdtsql.definitions.catalogue import catalog
from places import EXAMPLE


@pytest.fixture(scope="module", params=[pytest.param("", marks=pytest.mark.full), "clusters"])
def engine(request, copy_of):
    with tdtsql.connect(copy_of(EXAMPLE / request.param / "bundle.toml")) as store:
        yield store.engine


def computed(engine) -> dict[str, list[tuple]]:
    """Return the rows of the views of metric and base, each computed once for all runs of a store, as by the scorer."""
    owners = ("registry.condition", "registry.run", "registry.profile")
    scope = Scope(engine, *(engine.column(f"select {name[9:]}_no from {name}") for name in owners))
    try:
        names = [name for name in catalog() if name.split(".")[0] in ("base", "metric")]
        scope.build(names)
        columns = {name: ", ".join(column.name for column in catalog()[name].header.columns) for name in names}
        return {name: engine.rows(f"select {columns[name]} from {scope.relation(name)} as r") for name in names}
    finally:
        scope.close()


@lanes.both
def test_every_view_gives_the_rows_that_the_scorer_computes(engine):
    expected = computed(engine)
    differ = []
    for name in list(catalog())[:: lanes.number(default=9, full=1)]:
        columns = ", ".join(column.name for column in catalog()[name].header.columns)
        rows = engine.rows(f"select {columns} from {name}")
        if name in expected:
            differ += [name] if sorted(map(repr, rows)) != sorted(map(repr, expected[name])) else []

    assert not differ


CROSSED = {
    "gold.csv": "item_id,cluster_id\na,1\nb,1\nc,2\nd,2\n",
    "run.csv": "item_id,cluster_id\na,x\nc,x\nb,y\nd,y\n",
    "bundle.toml": 'name = "p"\n[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "partition"\ngold = "gold.csv"\n'
    '[[run]]\nid = "r"\ncondition = "c"\nfiles = ["run.csv"]\n',
}


def test_an_external_view_returns_the_stored_result_or_says_so(tmp_path):
    for name, text in CROSSED.items():
        (tmp_path / name).write_text(text)
    with tdtsql.evaluate(tmp_path / "bundle.toml", ":memory:") as store:
        query = (
            "select ceaf_m_f1, conll_f1, null_reason from metric.partition_assignment_score where weighting = 'story'"
        )
        stored = dict(
            store.engine.rows("select metric, value from report.score where weighting = 'story' and subset = 'all'")
        )

        assert store.engine.rows(query) == [(0.5, stored["conll_f1"], None)]
        store.engine.execute("delete from ledger.result_pairing")
        assert store.engine.rows(query) == [(None, None, "external")]
        assert store.engine.rows("select null_reason from metric.partition_search") == [("external",)]


def test_a_walk_that_is_not_stored_is_null_with_the_reason(engine):
    [[n_walk]] = engine.rows("select count(*) from base.hierarchy_walk__v1")
    if not n_walk:
        pytest.skip("no hierarchies in this example")
    assert engine.rows("select count(*) from base.hierarchy_walk__v1 where null_reason is not null") == [(0,)]
    engine.execute("begin")
    engine.execute("delete from base.vertex_travel")
    try:
        assert engine.rows("select distinct travel, null_reason from base.hierarchy_walk__v1") == [(None, "external")]
        assert engine.rows("select distinct min_cost from metric.hierarchy_topic_mean__v1") == [(None,)]
    finally:
        engine.execute("rollback")
