"""Runs of scored trials compared in a store: Python, command line, gate, leaderboard and signature give one answer."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from loads import unscored_loads

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.errors import InvalidComparison, InvalidInput, InvalidSetting, UnknownName
from tdtsql.show.leaderboard import leaderboards

N_SPEAKER, EACH = 12, 30
PROFILES = ["asvspoof5", "voxsrc", "bosaris", "kaldi", "medifor"]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A store with three systems on the same trials, as likelihood ratios (la) and as plain scores (lb)."""
    random = np.random.default_rng(11)
    n = N_SPEAKER * EACH
    is_target = np.arange(n) % 3 == 0
    voice = random.normal(0, 1, N_SPEAKER)[np.repeat(np.arange(N_SPEAKER), EACH)]
    key = {
        "trial_id": [f"t{number:03}" for number in range(n)],
        "label": ["target" if one else "nontarget" for one in is_target],
        "speaker": [f"s{number // EACH:02}" for number in range(n)],
        "codec": [f"C{number % 2}" for number in range(n)],
    }
    path = tmp_path_factory.mktemp("trials") / "store.duckdb"
    with unscored_loads(), tdtsql.connect(path) as store:
        store.add_corpus("k")
        for condition, kind in (("la", "llr"), ("lb", "score")):
            store.add_condition(condition, corpus="k", task="verification", key=key, profile=PROFILES, scores=kind)
        for name, gain in (("poor", 1.0), ("fair", 1.5), ("good", 4.0)):
            score = (voice + random.normal(0, 1, n) + gain * is_target - gain / 2).round(3).tolist()
            decision = ["yes" if one > 0 else "no" for one in score]
            for condition in ("la", "lb"):
                scores = {"trial_id": key["trial_id"], "score": score, "decision": decision}
                store.add_run(name, condition=condition, scores=scores)
        store.refresh()
    return path


@pytest.fixture(scope="module")
def store(path):
    with tdtsql.connect(path, read_only=True) as opened:
        yield opened


def one(table):
    [row] = table.df().to_dict("records")
    return row


def command(path, *words):
    return CliRunner().invoke(cli, [*words, "--db", str(path)])


def test_defaults_come_from_the_condition(store):
    row = one(store.compare("poor", "good", condition="la", profile="voxsrc"))
    assert (row["metric"], row["test"], row["interval"], row["n_resample"], row["unit"], row["level"]) == (
        "min_c_det_norm",
        "bootstrap",
        "percentile",
        10_000,
        "trial",
        0.95,
    )
    assert row["difference"] == row["value"] - row["baseline_value"] < 0
    assert row["low"] <= row["high"] < 0 and row["p"] < 0.001
    kept = store.score("good", condition="la", profile="voxsrc", metric="min_c_det_norm", weighting="story")
    assert row["value"] == kept.filter("subset = 'all'").project("value").fetchall()[0][0]
    tests = {
        metric: one(store.compare("poor", "good", condition="la", profile="voxsrc", metric=metric))["test"]
        for metric in ("auc", "act_p_miss", "p_fa")
    }
    assert tests == {"auc": "delong", "act_p_miss": "mcnemar", "p_fa": "mcnemar"}


def test_whole_speakers_give_wider_intervals(store):
    width = {}
    for unit in ("trial", "speaker"):
        row = one(
            store.compare(
                "poor", "fair", condition="la", profile="bosaris", metric="act_p_fa", unit=unit, test="bootstrap"
            )
        )
        width[unit] = row["value_high"] - row["value_low"]
        assert row["n_cluster"] == (None if unit == "trial" else "12")
    assert width["speaker"] > 1.5 * width["trial"]


def test_the_command_prints_what_python_returns(path, store):
    words = ("compare", "poor", "good", "fair", "--condition", "la", "--profile", "voxsrc", "--metric", "EER")
    done = command(path, *words, "--all-pairs", "--format", "json")
    assert done.exit_code == 0, done.output
    rows = {(row["run_id"], row["baseline_id"]): row for row in json.loads(done.stdout)}
    expected = store.compare("poor", "good", "fair", condition="la", profile="voxsrc", metric="eer", all_pairs=True)
    for row in expected.df().to_dict("records"):
        shown = rows[row["run_id"], row["baseline_id"]]
        assert (shown["p_adjusted"], shown["low"], shown["signature"]) == (
            row["p_adjusted"],
            row["low"],
            row["signature"],
        )
    text = command(path, *words).stdout
    assert "difference of EER (interpolated), 95 % percentile interval, 10,000 draws by trial, seed 20040" in text
    assert "topic" not in text
    assert "< 0.0002" in text  # never 0


def test_leaderboards_are_ranked_by_the_metric_of_the_profile(store):
    rows = store.sql(
        "select distinct condition_id, profile_id, metric, weighting, n from report.leaderboard"
    ).fetchall()
    ranked = {row[:2]: row[2] for row in rows}
    assert {row[3:] for row in rows} == {("story", N_SPEAKER * EACH)}
    assert ranked == {
        ("la", "asvspoof5"): "min_c_det_norm",
        ("la", "voxsrc"): "min_c_det_norm",
        ("la", "bosaris"): "act_c_det_norm",
        ("la", "kaldi"): "eer",
        ("la", "medifor"): "auc",
        ("lb", "asvspoof5"): "min_c_det_norm",
        ("lb", "voxsrc"): "min_c_det_norm",
        ("lb", "bosaris"): "min_c_det_norm",  # undefined for plain scores: the whole board
        ("lb", "kaldi"): "eer",
        ("lb", "medifor"): "auc",
    }
    first = store.sql("select run_id, value from report.leaderboard where profile_id = 'medifor' and position = 1")
    assert {run for run, _ in first.fetchall()} == {"good"}


@pytest.mark.parametrize(
    ("word", "metric"),
    [("EER", "eer"), ("minDCF", "min_c_det_norm"), ("min DCF", "min_c_det_norm"), ("ACTDCF", "act_c_det_norm")],
)
def test_the_field_s_words_are_names_of_metrics(path, store, word, metric):
    assert {row[0] for row in store.score("good", metric=word).project("metric").fetchall()} == {metric}
    assert CliRunner().invoke(cli, ["metric", "show", word]).exit_code == 0
    done = command(path, "score", "good", "--metric", word, "--condition", "la", "--format", "json")
    assert {row["metric"] for row in json.loads(done.stdout)} == {metric}


def test_groups_share_a_letter_where_systems_are_not_told_apart(store):
    [board] = leaderboards(store.engine, condition="la", profile="kaldi")
    letters = {run["run_id"]: run["group"] for run in board.runs}
    assert letters["good"] == "a" and not set(letters["good"]) & set(letters["poor"] + letters["fair"])
    assert all(run["low"] <= run["value"] <= run["high"] for run in board.runs)
    assert "difference of EER (target_step)" in board.note and "topic" not in board.note


@pytest.mark.parametrize(
    ("error", "said", "given"),
    [
        (InvalidSetting, "not valid for clusters", {"metric": "auc", "test": "delong", "unit": "speaker"}),
        (UnknownName, "unit of resampling 'spaeker' is unknown. Did you mean speaker", {"unit": "spaeker"}),
        (UnknownName, "subset of condition la 'codec=C9' is unknown", {"subset": "codec=C9"}),
        (InvalidComparison, "metric 'recall' cannot be compared on scored trials", {"metric": "recall"}),
        (InvalidComparison, "the trials of this key have one id, and test_id is of two", {"unit": "test_id"}),
    ],
)
def test_what_cannot_be_compared_is_refused(store, error, said, given):
    with pytest.raises(error, match=said):
        store.compare("poor", "good", condition="la", profile="voxsrc", **given)


def test_runs_of_two_conditions_are_not_on_the_same_trials(store):
    with pytest.raises(InvalidComparison, match="the runs are of 2 conditions .*not on the same trials"):
        store.compare("la/poor", "lb/good", profile="voxsrc")


def test_a_condition_without_a_profile_is_refused_with_the_profiles():
    with tdtsql.connect(":memory:") as memory:
        memory.add_corpus("k")
        key = {"trial_id": ["a", "b"], "label": ["target", "nontarget"]}
        with pytest.raises(InvalidInput, match="condition 'c' names no profile.*Profiles: asvspoof5, bosaris, kaldi"):
            memory.add_condition("c", corpus="k", task="verification", key=key)
