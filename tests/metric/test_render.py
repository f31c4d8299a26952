"""Views for other engines: in build order, with each engine's difference, or a refusal that names file and
construct.
"""

from functools import cache
from pathlib import Path

import pytest
import sqlglot

from tdtsql.errors import NotPortable
from tdtsql.build import render as renderer
from tdtsql.definitions.catalogue import Relation, catalog, closure
from tdtsql.definitions.table import tables
from tdtsql.build.dialect import DIALECTS, dialect
from tdtsql.definitions.header import Header
from tdtsql.build.lint import PORTABLE
from tdtsql.build.render import portable_trees, render, render_table, render_tree

RELATIONS = catalog()


@cache
def trees():
    """Return the trees of all portable views, which take twice as long to make as to write for one engine; writing
    leaves them as they are.
    """
    names = [name for name, relation in RELATIONS.items() if relation.schema in PORTABLE - {"report"}]
    found = portable_trees(RELATIONS, names, tables(), only_duckdb=True)
    return {name: tree for name, tree in found.items() if not RELATIONS[name].header.only_duckdb}


@pytest.mark.sample(1)
@pytest.mark.parametrize("engine", DIALECTS)
def test_the_closure_comes_in_build_order_with_its_tables(engine):
    text = render("detection_topic_weighted", engine, with_tables=True)
    statements = [part.split()[4] for part in text.split("\n\n") if part.startswith("create or replace view")]

    assert statements == closure(RELATIONS, ["metric.detection_topic_weighted__v1"])
    assert "create table if not exists base.decision" in text.lower()
    assert len(sqlglot.parse(text, read=dialect(engine).name)) > len(statements)


def _bad(name: str, body: str) -> Relation:
    header = Header("", {"class": "exact"}, ("base.story",), (), (), ())
    return Relation(name, Path(f"sql/{name.replace('.', '/')}.sql"), header, body)


def test_a_refusal_names_every_file_and_construct():
    one = _bad("base.one__v1", "select median(story.story_no) as m from base.story as story")
    two = _bad("staging.two__v1", "select story.story_no as n from base.story as story")

    with pytest.raises(NotPortable) as caught:
        portable_trees({relation.name: relation for relation in (one, two)}, [one.name, two.name], tables())

    assert str(caught.value).splitlines() == [
        "sql/base/one__v1.sql:1: function median ('MEDIAN(story.story_no)') is not portable. Write what every engine "
        "has, or compute it when the store is loaded.",
        "sql/staging/two__v1.sql: the layer staging is for DuckDB only. Render views of base, metric, report.",
    ]


def test_what_sqlglot_would_drop_is_refused():
    view = _bad(
        "base.three__v1",
        "select sum(story.story_no) over (order by story.story_no rows between 1 preceding and current row exclude "
        "ties) as n from base.story as story",
    )
    tree = sqlglot.parse_one(view.body, read="duckdb")

    with pytest.raises(NotPortable, match=r"^sql/base/three__v1\.sql: Spark cannot take it: "):
        render_tree(view, tree, dialect("spark"))


def test_an_untested_sqlglot_is_refused(monkeypatch):
    monkeypatch.setattr(renderer.sqlglot, "__version__", "26.33.0")

    with pytest.raises(
        NotPortable,
        match=r"sqlglot 26\.33\.0 writes other text than was tested\. Install sqlglot>=30\.20,<31\.0 to render for "
        r"Spark\.",
    ):
        render("detection_rate", "spark")


def test_how_a_column_is_packed_is_for_the_embedded_engine_alone():
    table = tables()["base.partition_item"]

    assert "using compression zstd" in table.statement
    assert table.columns["item_id"] == ("varchar", "not", "null")
    assert '"item_id" TEXT,\n' in render_table(table, dialect("postgres"))


def test_hints_to_the_planner_are_for_the_embedded_engine_alone():
    assert "topic as materialized (" in RELATIONS["base.trial__v1"].body
    assert "MATERIALIZED" not in render("base.trial__v1", "postgres").upper()


@pytest.mark.parametrize(
    "name", ["ceaf_m_f1", "conll_f1", "min_cost", "expected_travel_norm", "report.score_histogram"]
)
@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
def test_what_is_computed_outside_sql_is_refused_in_one_sentence(name, engine):
    with pytest.raises(
        NotPortable, match=r"^\S+ cannot be rendered: \S+ is computed by tdtsql\.\S+, not by SQL"
    ) as error:
        render(name, engine)
    assert "\n" not in str(error.value)


def test_views_of_a_metric_that_are_external_are_left_out_and_listed():
    assert "-- not in SQL, so not here: metric.hierarchy_best__v1" in render("c_det_norm", "postgres")
