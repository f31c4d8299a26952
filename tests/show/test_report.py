"""The report: its numbers are those of `report.*`, it asks for nothing from outside, and names are text."""

import html
import re

import pytest
from loads import unscored_loads
from report_page import data_of, part_of, rows_of

import tdtsql
from tdtsql.definitions.table import tables
from tdtsql.compare.settings import Method
from tdtsql.errors import BrokenDefinition, InvalidComparison
from tdtsql.show.report import report
from tdtsql.store.copy import public_columns

HOSTILE = "<b>\"&'x</b>"
TRK = ("trk-eng-1", "tdt2004")


@pytest.fixture(scope="module")
def page(example):
    return report(example.engine)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return a store whose names are markup."""
    path = tmp_path_factory.mktemp("small") / "small.duckdb"
    with unscored_loads(), tdtsql.connect(path, create=True) as made:
        made.add_corpus("k")
        gold = {"item_id": list("abcd"), "cluster_id": [HOSTILE, HOSTILE, "two", "two"]}
        made.add_condition(HOSTILE, corpus="k", task="partition", gold=gold)
        for run, clusters in ((HOSTILE, "xxyy"), ("plain", "xyyy")):
            made.add_run(run, condition=HOSTILE, decisions={"item_id": list("abcd"), "cluster_id": list(clusters)})
        made.refresh()
    return path


def test_curves_end_where_the_store_has_points(example, page):
    n_run = example.engine.value(
        "select count(*) from report.leaderboard where condition_id = ? and profile_id = ?", TRK
    )
    svg = part_of(page, "det_curves", TRK, ("topic", "all"))["svg"]
    # a triangle for each, and that of the legend
    assert svg.count('class="curve"') == svg.count('class="minimum"') - 1 == n_run and "cost 0.1<" in svg
    assert data_of(page)["sections"]["det_curves"]["parts"][0]["choice"][1] == "all"


def test_every_view_of_a_number_is_there_with_all_that_it_reads(page):
    data = data_of(page)
    named = {name for name, one in data["relations"].items() if one["publishes"]}
    assert "metric.detection_topic_weighted__v1" in named <= set(data["relations"])
    reads = {
        name for one in data["relations"].values() for name in one["reads"] if name.startswith(("metric.", "base."))
    }
    assert {name for name in reads if name.endswith("__v1")} <= set(data["relations"])


def test_it_asks_for_nothing_from_outside(page):
    static = re.sub(r'<script id="data".*?</script>', "", page, flags=re.DOTALL)
    assert "default-src 'none'" in static and not re.search(r'(?:src|href|action)="(?!#|data:,)', static)
    assert "http" not in re.sub(
        r"http://www.w3.org/2000/svg", "", static.partition("<main>")[2].partition("</main>")[0]
    )


def test_the_same_store_gives_the_same_small_page(example, page):
    assert report(example.engine) == page and len(page) < 400_000
    assert "seed 20040" in page and "seed 20040" not in report(example.engine, method=Method(seed=7))


def test_names_are_text(small):
    with tdtsql.connect(small, read_only=True) as store:
        page = report(store.engine)
    assert HOSTILE not in page and html.escape(HOSTILE) in page.replace("&#34;", "&quot;").replace("&#39;", "&#x27;")
    svg = part_of(page, "cluster_map", (HOSTILE,), (HOSTILE,))["svg"]
    assert HOSTILE not in svg and "&lt;b&gt;" in svg


def test_a_team_sees_the_others_under_pseudonyms(small, tmp_path):
    with tdtsql.connect(small) as store:
        store.report(tmp_path / "team.html", run="plain")
        store.report(tmp_path / "blind.html", blind=True)
        assert store.report(tmp_path / "each", each=True) == 2
    paths = sorted((tmp_path / "each").iterdir())
    text = (tmp_path / "team.html").read_text()
    where = (HOSTILE, "partition")
    runs = {row["run"] for row in rows_of(text, "all_scores", where)}
    assert "plain" in runs and HOSTILE not in runs and any(run.startswith("run-") for run in runs)
    assert not {"plain", HOSTILE} & {
        row["run"] for row in rows_of((tmp_path / "blind.html").read_text(), "all_scores", where)
    }
    assert [path.name for path in paths] == ["%3Cb%3E%22%26%27x%3C%2Fb%3E.html", "plain.html"]
    assert "plain" not in {row["run"] for row in rows_of(paths[0].read_text(), "all_scores", where)}


SECTION = """/*
title:       Runs of mine
question:    How many numbers has each run?
about:       runs
inputs:      report.score
parameters:
    run  run  none  one run; none: all
grain:       condition_id, run_id
columns:
    condition_id  key    evaluation condition
    run_id        key    run
    n             count  numbers
order:       By name.
{show}pages:       report 7
see also:    all_scores
*/
select condition_id, run_id, count(*) as n
from report.score
where run_id = coalesce($run, run_id)
group by all
order by all
"""


def test_a_section_of_ones_own_is_a_file(small, tmp_path):
    (tmp_path / "mine.sql").write_text(SECTION.format(show=""))
    with tdtsql.connect(small, read_only=True) as store:
        page = report(store.engine, sections=[tmp_path])
        assert {row["run"] for row in rows_of(page, "mine", (HOSTILE,))} == {HOSTILE, "plain"}
        for broken, message in (
            (SECTION.format(show="show:        pie x=n\n"), "pie"),
            (
                SECTION.format(show="show:        xy x=m y=n\n"),
                "mine.sql: show names m, expected columns of its SELECT",
            ),
            (SECTION.format(show="").replace("count(*)", "cuont(*)"), "mine.sql: .*cuont.*Correct its SELECT"),
        ):
            (tmp_path / "mine.sql").write_text(broken)
            with pytest.raises(BrokenDefinition, match=message):
                report(store.engine, sections=[tmp_path])
        (tmp_path / "leaderboard.sql").write_text(SECTION.format(show=""))
        with pytest.raises(BrokenDefinition, match="another saved query of this name"):
            report(store.engine, sections=[tmp_path])
        with pytest.raises(BrokenDefinition, match="no such folder"):
            report(store.engine, sections=[tmp_path / "nowhere"])


def test_a_store_without_numbers_has_no_report(tmp_path):
    with tdtsql.connect(":memory:") as store, pytest.raises(InvalidComparison, match="nothing to report"):
        store.report(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_what_a_copy_without_names_leaves_out():
    """New columns are private until a comment of the schema says otherwise: then decide, and write it here."""
    assert {
        f"{table.name}.{column}"
        for table in tables().values()
        for column in table.columns
        if (table.name, column) not in public_columns()
        and not table.name.startswith(("staging.", "registry.run_fact", "ledger.past_score"))
    } == {
        *(
            "registry.corpus.source_sha256 registry.condition.source_sha256 registry.run.source_sha256 "
            "registry.run.system registry.withdrawal.reason registry.own_metric.path"
        ).split()
    }
