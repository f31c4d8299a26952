"""From TREC files to printed numbers: qrels and a run of twelve topics against other programs' numbers.

Each topic of these files has its own thousand documents, so a trials file pairs
them; without it every topic would be tried on all twelve thousand.
"""

import json

import pytest

import tdtsql
from filtering_case import write_case

EXACT = 1e-12
#: their name of a number, our metric
NAMES = {
    "precision": "precision",
    "recall": "recall",
    "F_beta0_5": "f_beta",
    "F1": "f1",
    "T11U": "t11u",
    "T11SU": "t11su",
    "TDT5SU": "tdt5su",
    "Ctrk": "c_trk",
    "Ctrk_trueP": "c_det_prel",
}


@pytest.fixture(scope="module")
def golden(shared):
    return shared / "golden" / "filtering"


@pytest.fixture(scope="module")
def expected(golden):
    return json.loads((golden / "expected.json").read_text())


@pytest.fixture(scope="module")
def store(golden, tmp_path_factory):
    with tdtsql.evaluate(write_case(golden, tmp_path_factory.mktemp("filtering"))) as store:
        yield store


def number(entry):
    return entry["value"] if isinstance(entry, dict) else entry


def test_every_topic(store, expected):
    rows = store.sql(
        "select block_id, metric, value from report.block_score where profile_id = 'trec11' and subset = 'all'"
    ).fetchall()
    got = {(block, metric): value for block, metric, value in rows}
    topics = {block for block, _ in got}
    assert len(topics) == 12
    for topic in topics:
        for theirs, ours in NAMES.items():
            assert got[topic, ours] == pytest.approx(number(expected["contingency"][topic][theirs]), abs=EXACT), (
                topic,
                ours,
            )


def test_macro_means(store, expected):
    """Over the ten topics with relevant documents, from the exact fractions per topic."""
    got = {
        (metric, weighting): (value, n)
        for metric, weighting, value, n in store.sql(
            "select metric, weighting, value, n from report.score where profile_id = 'trec11' and subset = 'all'"
        ).fetchall()
    }
    blocks = {row[0] for row in store.sql("select block_id from report.block_score").fetchall()}
    for theirs in ("T11SU", "TDT5SU", "F_beta0_5", "Ctrk"):
        entries = [
            expected["contingency"][topic] for topic in blocks if expected["contingency"][topic]["T11SU"] is not None
        ]
        value, n = got[NAMES[theirs], "topic"]
        assert n == len(entries) == 10
        assert value == pytest.approx(sum(number(entry[theirs]) for entry in entries) / 10, abs=EXACT)
    assert got["n_empty_topic", "topic"][0] == 2
    assert got["n_empty_retrieved", "topic"][0] == 2
    assert got["n_missing_topic", "topic"][0] == 2
    assert got["n_false_alarm_empty", "topic"][0] == 2


@pytest.mark.parametrize(("profile", "f"), [("zero", "set_F_0.25"), ("trec_eval", "set_F_1")])
def test_trec_eval_averages_where_both_policies_are_zero(store, expected, profile, f):
    theirs = expected["trec_eval_10rc3"]["c"]["all"]
    got = dict(
        store.sql(
            f"select metric, value from report.score where profile_id = '{profile}' and subset = 'all' and "
            "weighting = 'topic'"
        ).fetchall()
    )
    assert got["precision"] == pytest.approx(theirs["set_P"], abs=5e-5)
    assert got["recall"] == pytest.approx(theirs["set_recall"], abs=5e-5)
    assert got["f_beta"] == pytest.approx(theirs[f], abs=5e-5)
