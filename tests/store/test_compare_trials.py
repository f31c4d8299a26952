"""Runs of scored trials compared in a store: Python, command line, gate, leaderboard and signature give one answer."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from loads import unscored_loads

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.errors import InvalidInput

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


@pytest.mark.parametrize(
    ("word", "metric"),
    [("EER", "eer"), ("minDCF", "min_c_det_norm"), ("min DCF", "min_c_det_norm"), ("ACTDCF", "act_c_det_norm")],
)
def test_the_field_s_words_are_names_of_metrics(path, store, word, metric):
    assert {row[0] for row in store.score("good", metric=word).project("metric").fetchall()} == {metric}
    assert CliRunner().invoke(cli, ["metric", "show", word]).exit_code == 0
    done = command(path, "score", "good", "--metric", word, "--condition", "la", "--format", "json")
    assert {row["metric"] for row in json.loads(done.stdout)} == {metric}


def test_a_condition_without_a_profile_is_refused_with_the_profiles():
    with tdtsql.connect(":memory:") as memory:
        memory.add_corpus("k")
        key = {"trial_id": ["a", "b"], "label": ["target", "nontarget"]}
        with pytest.raises(InvalidInput, match="condition 'c' names no profile.*Profiles: asvspoof5, bosaris, kaldi"):
            memory.add_condition("c", corpus="k", task="verification", key=key)
