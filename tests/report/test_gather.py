"""A small evaluation, loaded and scored, and what its report says."""

import math

import numpy as np
from types import SimpleNamespace

import duckdb
import pytest
from small_bundle import add_hierarchy, write_small_bundle

import tdtsql
from tdtsql.compare.settings import Method
from tdtsql.errors import InvalidComparison, TdtsqlError, UnknownName
from tdtsql.report.curves import curves_over_time, thin
from tdtsql.report.gather import gather
from tdtsql.report.page import Board
from tdtsql.report.leaderboard import leaderboards, ranked_runs
from tdtsql.report.curves import effective_cost_of
from tdtsql.report.write import write_report
from inside import store_missing_distributions

QUICK = Method(n_permutation=500, n_resample=400)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with tdtsql.evaluate(write_small_bundle(tmp_path_factory.mktemp("small"), gap=True)) as store:
        yield store


@pytest.fixture(scope="module")
def report(store):
    return gather(store.engine, title="small", facts=[], method=QUICK)


def test_a_board_for_each_condition_and_profile(report):
    assert [(board.condition, board.profile, board.metric) for board in report.boards] == [
        ("c1", "tdt2004", "c_det_norm"),
        ("c1", "tdt3eval", "c_det_norm"),
    ]
    assert [run["id"] for run in report.runs] == ["R0", "R1", "R2"]
    assert report.boards[0].cost == {"p_target": 0.02, "c_miss": 1.0, "c_fa": 0.1, "band_z": 1.6448536269514722}


def test_the_leaderboard_is_the_printed_scores_in_order(store, report):
    [(_, table), *_] = report.leaderboards
    printed = dict(store.sql("select run_id, value from report.leaderboard where profile_id = 'tdt2004'").fetchall())

    assert [line.run for line in table.runs] == ["R0", "R1", "R2"]
    assert [line.value for line in table.runs] == [printed[f"R{run}"] for run in range(3)]
    for line in table.runs:
        assert line.signature in report.scores["signature"]
        assert line.signature.startswith("c_det_norm:v1|w:topic|profile:tdt2004|subset:all|")
    assert table.signature.startswith("compare:c_det_norm|condition:c1|profile:tdt2004|")
    assert {row["run"] for row in table.against_best} == {"R1", "R2"}
    assert all(row["baseline"] == "R0" for row in table.against_best)
    assert all(row["low"] <= row["difference"] <= row["high"] for row in table.against_best)


def test_the_interval_belongs_to_the_printed_value(report):
    for line in report.leaderboards[0][1].runs:
        assert line.low < line.value < line.high


def test_every_number_has_its_sql_and_what_that_reads(report):
    for name in set(report.scores["relation"]):
        assert report.relations[name]["sql"].startswith(("with", "select", "--"))
        for below in report.relations[name]["reads"]:
            assert below in report.relations or below.startswith(("registry.", "base.", "ledger."))
    for board in report.blocks:
        assert all(entry["relation"] in report.relations for entry in board["metrics"].values())


def test_topic_and_story_weighting_have_different_homes(report):
    rows = zip(report.scores["metric"], report.scores["weighting"], report.scores["relation"], strict=True)
    homes = {weighting: relation for metric, weighting, relation in rows if metric == "p_miss"}

    assert homes["topic"] != homes["story"]


def test_topics_are_in_order_and_undefined_ones_are_none(report):
    table = report.blocks[0]

    assert table["blocks"] == [str(55001 + index) for index in range(8)]
    assert table["metrics"]["p_miss"]["values"][0][-1] is None
    assert all(value is not None for value in table["metrics"]["p_fa"]["values"][0])
    assert table["metrics"]["p_miss"]["signature"][0].startswith("p_miss:v1|w:block|profile:tdt2004|subset:all|sql:")


def test_curves_come_with_their_points(report):
    curves = [found["curve"] for found in report.det if found["board"] == 0 and found["weighting"] == "topic"]

    assert len(curves) == 3
    for curve in curves:
        assert len({len(getattr(curve, name)) for name in ("threshold", "p_miss", "p_fa", "p_miss_se")}) == 1
        assert curve.p_fa == sorted(curve.p_fa)
        assert None not in curve.minimum and curve.actual is not None


def test_histograms_count_every_scored_decision(store, report):
    for histogram in report.histograms:
        profile = report.boards[histogram["board"]].profile
        [(targets, others)] = store.sql(
            "select sum(is_target), count(*) - sum(is_target) from base.scored_decision__v1 as decision join "
            "registry.run as run on run.run_no = decision.run_no "
            f"join registry.profile as profile on profile.profile_no = decision.profile_no where run_id = "
            f"'R{histogram['run']}' and profile_id = '{profile}'"
        ).fetchall()
        assert (sum(histogram["target"]), sum(histogram["nontarget"])) == (targets, others)


def test_warnings_are_on_the_page(report):
    assert {problem["code"][0] for problem in report.problems} == {"W"}
    [extra] = [problem for problem in report.problems if "NOWHERE" in problem["message"]]
    assert "run0.csv" in extra["place"]


def test_thinning_keeps_ends_and_corners():
    p_fa = np.linspace(0.001, 0.9, 5000)
    p_miss = np.where(p_fa < 0.5, 0.8, 0.1)
    kept = thin(p_fa.tolist(), p_miss.tolist())

    assert (kept[0], kept[-1]) == (0, 4999)
    assert len(kept) < 500
    corner = int(np.argmax(p_fa >= 0.5))
    assert {corner - 1, corner} <= set(kept)


@pytest.mark.full
def test_the_file_is_whole_and_an_empty_store_is_said(store, tmp_path):
    path = tmp_path / "out.html"

    assert write_report(store.engine, path, title="small", method=QUICK) == path.stat().st_size
    assert [file.name for file in tmp_path.iterdir()] == ["out.html"]
    with pytest.raises(InvalidComparison, match="the folder .*gone does not exist"):
        write_report(store.engine, tmp_path / "gone" / "x.html", method=QUICK)
    with pytest.raises(TdtsqlError, match=r"out.pdf: the report is an HTML page. Name a file that ends in .html."):
        write_report(store.engine, tmp_path / "out.pdf", method=QUICK)
    with tdtsql.connect(":memory:") as empty, pytest.raises(InvalidComparison, match="no number that is up to date"):
        write_report(empty.engine, path)


def test_leaderboards_by_name(store):
    [board] = leaderboards(store.engine, profile=["tdt2004"], method=QUICK)

    assert [run.run for run in board.runs] == ["R0", "R1", "R2"]
    assert board.runs[0].group.startswith("a")
    with pytest.raises(UnknownName, match="condition 'c9' is unknown"):
        leaderboards(store.engine, condition=["c9"])


def test_equal_values_share_a_rank_and_undefined_and_withdrawn_ones_have_none():
    runs = [("a", 0.2, None), ("b", None, None), ("c", 0.2, None), ("d", 0.1, None), ("e", 0.0, "late")]
    lines = ranked_runs([(run, value, 1, "", withdrawn) for run, value, withdrawn in runs], "lowest", {}, {}, {})

    assert [(line.rank, line.run) for line in lines] == [(1, "d"), (2, "a"), (2, "c"), (None, "b"), (None, "e")]


def test_store_compare_is_a_relation_with_null_for_undefined(store):
    relation = store.compare("R0", "R1", "R2", profile="tdt2004", permutations=500, resamples=400)
    [first, second] = relation.fetchall()
    row = dict(zip(relation.columns, first, strict=True))

    assert (row["run_id"], row["baseline_id"], row["n_topic"], row["family_size"]) == ("R1", "R0", 7, 2)
    assert second[0] == "R2"
    assert row["p"] <= row["p_adjusted"]
    assert not math.isnan(row["difference"])
    [same] = store.compare("R1", "R2", profile="tdt2004", metric="n_target", test="t", interval="t").fetchall()
    assert dict(zip(relation.columns, same, strict=True))["effect_size"] is None
    assert dict(zip(relation.columns, same, strict=True))["p"] == 1.0


@pytest.fixture(scope="module")
def with_hierarchies(tmp_path_factory):
    bundle = write_small_bundle(tmp_path_factory.mktemp("hierarchy"))
    add_hierarchy(bundle)
    with tdtsql.evaluate(bundle) as store:
        yield gather(store.engine, title="small", facts=[], method=QUICK)


def test_a_hierarchy_is_drawn_from_the_root_with_the_best_vertices_named(with_hierarchies):
    report = with_hierarchies
    [deep, flat] = report.hierarchies

    assert (report.boards[1].condition, report.boards[1].metric) == ("h1", "min_cost")
    assert (deep["n_vertex"], flat["n_vertex"]) == (16, 13)
    assert deep["vertices"][0] == ["root", None, 120, None]
    parents = {name: parent for name, parent, _, _ in deep["vertices"]}
    assert parents["leaf5"] == "g1"
    assert all(parent in parents for parent in parents.values() if parent)
    assert sum(topics.count(",") + 1 for _, _, _, topics in deep["vertices"] if topics) >= 5


def test_a_task_without_curves_has_none(with_hierarchies):
    report = with_hierarchies

    assert {curve["board"] for curve in report.det} == {0}
    assert {histogram["board"] for histogram in report.histograms} == {0}
    assert set(report.blocks[1]["metrics"]) == {"min_cost", "c_det_norm", "c_travel_norm"}


def test_curves_over_time_are_of_one_weighting_and_in_order():
    board = Board("ts", "ts2014", "summarization", "h", "topic", [0], None, {})
    rows = [
        ("ts2014", "eg_tau", "topic", "tau=86400", 0.5),
        ("ts2014", "eg_tau", "topic", "tau=3600", 0.25),
        ("ts2014", "eg_tau", "topic_all", "tau=3600", 0.125),
        ("ts2014", "comprehensiveness_tau", "topic", "tau=3600", 0.75),
        ("ts2014", "eg_tau", "topic", "tau=7200", None),
        ("ts-seed", "eg_tau", "topic", "tau=3600", 0.1),
        ("ts2014", "h", "topic", "all", 0.2),
    ]
    engine = duckdb.connect()
    engine.execute("create schema report")
    engine.execute(
        "create table report.score (run_id varchar default 'R', condition_id varchar default 'ts', profile_id varchar, "
        "metric varchar, weighting varchar, subset varchar, value double)"
    )
    engine.executemany(
        "insert into report.score (profile_id, metric, weighting, subset, value) values (?,?,?,?,?)", rows
    )
    store = SimpleNamespace(rows=lambda sql, values: engine.execute(sql, values).fetchall())
    curves = curves_over_time(store, 0, board, [{"id": "R"}])

    assert [(curve["metric"], curve["tau"], curve["value"]) for curve in curves] == [
        ("comprehensiveness_tau", [3600.0], [0.75]),
        ("eg_tau", [3600.0, 86400.0], [0.25, 0.5]),
    ]


def test_the_views_count_what_compare_counts(store):
    for metric in ("c_det_norm", "p_fa"):
        made = store.compare("R0", "R1", "R2", profile="tdt2004", metric=metric, permutations=100, resamples=100)
        for row in (dict(zip(made.columns, line, strict=True)) for line in made.fetchall()):
            [(n_block, n_win, n_tie, n_loss, mean)] = store.sql(
                "select n_block, n_win, n_tie, n_loss, mean_difference from report.win_tie_loss where profile_id = "
                "'tdt2004' and subset = 'all' "
                f"and metric = '{metric}' and run_id = '{row['run_id']}' and baseline_id = 'R0'"
            ).fetchall()
            assert (n_block, n_win, n_tie, n_loss) == (row["n_topic"], row["win"], row["tie"], row["loss"])
            assert mean == pytest.approx(row["difference"], abs=1e-14)


def test_an_undefined_topic_is_a_row_without_an_outcome(store):
    [(difference, outcome)] = store.sql(
        "select difference, outcome from report.topic_difference where profile_id = 'tdt2004' and subset = 'all' and "
        "metric = 'p_miss' "
        "and run_id = 'R1' and baseline_id = 'R0' and block_id = '55008'"
    ).fetchall()

    assert (difference, outcome) == (None, None)


def test_what_a_miss_weighs_is_the_printed_relations(store, report):
    assert [weight["board"] for weight in report.weights] == [0, 1]
    weight = report.weights[0]
    facts = dict(weight["corpus"])
    # 8 topics of 6 targets among 120 stories, the last without any
    assert (facts["topics"], facts["of these, without targets"], facts["targets, most"], facts["P(rel)"]) == (
        8,
        1,
        6,
        0.05,
    )
    assert facts["false alarms per miss (effective cost ratio)"] == pytest.approx(
        (0.02 / 0.98) / 0.1 * (0.95 / 0.05), rel=1e-12
    )
    assert sum(n for *_, n in weight["bins"]) == 8 and weight["bins"][0][2] == 1  # the empty topic: P(rel) = 0
    store_missing_distributions(store.engine)
    weight = effective_cost_of(store.engine, 0, report.boards[0])
    printed = store.sql(
        "select run_id, prior, price from report.common_threshold where profile_id = 'tdt2004' order by run_id, prior"
    ).fetchall()
    assert [(run, prior, price) for run, prior, *_, price, _ in weight["prices"]] == printed
    assert [row[:2] for row in printed[:2]] == [("R0", "fixed"), ("R0", "own")]
