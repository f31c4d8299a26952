"""A number that is NULL has its reason beside it: in report.score and report.block_score, in tables, in `explain`."""

import pytest

from loads import unscored_loads

import tdtsql
from tdtsql.audit.explain import explain

GOLD = {"item_id": ["a", "b", "c", "d"], "cluster_id": ["g1", "g1", "g2", "g2"]}
RUNS = {
    "overlapping": ("items", {"item_id": ["a", "b", "b", "c", "d"], "cluster_id": ["x", "x", "y", "y", "y"]}),
    "short": ("items", {"item_id": ["a", "b", "c"], "cluster_id": ["x", "x", "y"]}),
    "scores": ("key", {"trial_id": ["u1", "u2"], "score": [1.0, 0.0]}),
    "alone": ("track", {"topic_id": ["t1", "t1"], "story_id": ["s1", "s2"], "score": [0.5, 0.1]}),
    "decided": ("none", {"topic_id": ["t2"], "story_id": ["s1"], "decision": ["no"], "score": [0.5]}),
}


@pytest.fixture(scope="module")
def store():
    with tdtsql.connect(":memory:") as store, unscored_loads():
        store.add_corpus(
            "k",
            stories={"story_id": ["s1", "s2"], "position": [1, 2]},
            topics={"topic_id": ["t1", "t2"]},
            judgments={"topic_id": ["t1"], "story_id": ["s1"], "label": ["yes"]},
        )
        store.add_condition("items", corpus="k", task="partition", gold=GOLD)
        key = {"trial_id": ["u1", "u2"], "label": ["target", "nontarget"]}
        store.add_condition("key", corpus="k", task="verification", key=key, scores="score", profile="voxsrc")
        store.add_condition("track", corpus="k", task="tracking")
        store.add_condition("none", corpus="k", task="tracking", topic_pattern="t2")
        for run, (condition, rows) in RUNS.items():
            store.add_run(run, condition=condition, decisions=rows)
        store.refresh()
        yield store


@pytest.mark.parametrize(
    ("run", "metric", "weighting", "reason"),
    [
        ("overlapping", "b3_f1", "story", "several clusters"),
        ("overlapping", "ari", "topic", "several clusters"),
        ("short", "ari", "story", "different items"),
        ("scores", "cllr", "story", "scores are not log likelihood ratios"),
        ("alone", "p_miss", "topic", "no decisions"),
        ("alone", "c_det", "story", "no decisions"),
        ("decided", "p_miss", "story", "without targets"),
        ("decided", "c_det", "story", "where p_miss or p_fa is NULL"),
        ("decided", "min_c_det", "story", "without a curve"),
    ],
)
def test_a_null_has_the_reason_of_its_view_or_of_its_header(store, run, metric, weighting, reason):
    assert store.engine.rows(
        "select value, null_reason from report.score where run_id = ? and metric = ? and weighting = ? "
        "and subset = 'all'",
        [run, metric, weighting],
    ) == [(None, reason)]


@pytest.mark.parametrize("relation", ["report.score", "report.block_score"])
def test_null_and_reason_go_together(store, relation):
    assert store.engine.rows(f"select count(*) from {relation} where (value is null) <> (null_reason is not null)") == [
        (0,)
    ]
    assert store.engine.value(f"select count(*) from {relation} where value is null") > 0


def test_a_table_says_each_reason_once(store):
    notes = store.score(run=["overlapping", "short"], metric=["ari", "rand", "b3_f1"]).pivot().remarks

    assert notes == [
        "items, partition: no ari, b3_f1, rand of overlapping: several clusters.",
        "items, partition: no ari, rand of short: different items.",
    ]


def test_explain_says_it(store):
    assert (
        "    story: undefined: scores are not log likelihood ratios (n 0)"
        in explain(store.engine, "scores", "cllr").text()
    )
