"""Lineage of a small chain, redone by hand, and of every view there is.

    base.story.weight ----+
                          +--> base.count__v1.weight --+--> metric.small_cost__v1.c_det
    base.story.language --: (rows)                     |
    registry.profile.p_target -------------------------+
"""

import xml.etree.ElementTree as ElementTree

import pytest

from tdtsql.errors import UnknownName
from tdtsql.metric.catalog import catalog, read_catalog
from tdtsql.metric.ddl import tables
from tdtsql.metric.lineage import lineage, mermaid, svg


def test_values_and_rows_down_to_the_tables(sql):
    views = read_catalog(sql)

    found = [(step.depth, step.relation, step.column, step.role, step.from_relation, step.from_column)
             for step in lineage(views["metric.small_cost__v1"], ["c_det"], relations=views)]

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


@pytest.mark.parametrize("relation", catalog().values(), ids=catalog().keys())
def test_every_column_ends_in_columns_of_tables(relation):
    known = tables()
    for step in lineage(relation):
        if step.from_relation in known:
            assert step.from_column in known[step.from_relation].columns
        elif step.from_relation in catalog():
            assert step.from_column in [column.name for column in catalog()[step.from_relation].header.columns]
        else:
            assert step.from_relation == "ledger.profile_text"


def test_pictures(sql):
    views = read_catalog(sql)
    steps = lineage(views["metric.small_cost__v1"], relations=views)

    drawing = ElementTree.fromstring(svg(steps))
    texts = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"metric.small_cost__v1", "base.count__v1", "base.story", "registry.profile", "weight", "p_target"} <= set(texts)
    assert "metric.small_cost__v1<br/>c_det" in mermaid(steps)


def test_an_unknown_column_is_named(sql):
    views = read_catalog(sql)

    with pytest.raises(UnknownName, match=r"metric\.small_cost__v1 has no column 'cost'\. It has profile_no, c_det, n_block\."):
        lineage(views["metric.small_cost__v1"], ["cost"], relations=views)
