"""Lineage of a small chain, redone by hand, and of every view there is.

base.story.weight ----+
                      +--> base.count__v1.weight --+--> metric.small_cost__v1.c_det
base.story.language --: (rows)                     |
registry.profile.p_target -------------------------+
"""

from each import of_each

import tdtsql
from tdtsql.definitions.catalogue import catalog, read_catalog
from tdtsql.definitions.table import read_tables, tables
from tdtsql.build.lineage import sources
from tdtsql.build.lower import columns_of
from tdtsql.definitions.lineage import lineage, mermaid, tree_rows


def sources_of(views, root):
    """Return the lineage of each view."""
    return {name: sources(view, columns_of(views, tables() | read_tables(root))) for name, view in views.items()}


def test_values_and_rows_down_to_the_tables(sql):
    views = read_catalog(sql)

    found = [
        (step.depth, step.relation, step.column, step.role, step.from_relation, step.from_column)
        for step in lineage(views["metric.small_cost__v1"], ["c_det"], own=sources_of(views, sql))
    ]

    cost, count = "metric.small_cost__v1", "base.count__v1"
    assert found == [
        (0, cost, "c_det", "value", count, "weight"),
        (0, cost, "c_det", "value", "registry.profile", "p_target"),
        (0, cost, "", "row", count, "story_no"),
        (0, cost, "", "row", "registry.profile", "profile_no"),
        (1, count, "weight", "value", "base.story", "weight"),
        (1, count, "", "row", "base.story", "language"),
        (1, count, "story_no", "value", "base.story", "story_no"),
    ]


@of_each(catalog().values())
def test_every_column_ends_in_columns_of_tables(relation):
    known = tables()
    for step in lineage(relation):
        if step.from_relation in known:
            assert step.from_column in known[step.from_relation].columns
        else:
            assert step.from_column in [column.name for column in catalog()[step.from_relation].header.columns]


def test_the_text_of_a_profile_is_an_end_of_other_columns():
    steps = lineage(catalog()["report.stale"])

    assert {step.from_column for step in steps if step.from_relation == "ledger.profile_text"} == {
        "profile_no",
        "profile_text",
    }
    assert "c_miss" not in {step.from_column for step in steps if step.from_relation == "registry.profile"}
    assert "c_miss" in {step.from_column for step in lineage(catalog()["ledger.profile_text"])}
    with tdtsql.connect(":memory:") as store:
        origins = store.engine.rows(
            """select from_relation, from_column from registry.lineage_source
            where relation = 'report.stale' and column_name = 'run_id'"""
        )
    assert ("ledger.profile_text", "profile_text") in origins and ("registry.profile", "c_miss") not in origins


def test_pictures(sql):
    views = read_catalog(sql)
    steps = lineage(views["metric.small_cost__v1"], own=sources_of(views, sql))

    rows = {row["row"]: row for row in tree_rows(steps)}
    assert {"metric.small_cost__v1", "base.count__v1", "base.story", "registry.profile"} <= rows.keys()
    assert rows["metric.small_cost__v1"]["parent"] == "" and rows["base.story"]["parent"] == "base.count__v1"
    assert "weight" in rows["base.story"]["label"] and "p_target" in rows["registry.profile"]["label"]
    assert "metric.small_cost__v1<br/>c_det" in mermaid(steps)
