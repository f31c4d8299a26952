"""A corpus and conditions given in Python, without a bundle: the same numbers and the same contents as from the
bundle's files.
"""

import json
import shutil
from decimal import Decimal

import numpy
import pandas
import polars
import pyarrow
import pytest

import tdtsql
from loads import unscored_loads
from places import FIXTURES
from tdtsql.errors import InvalidInput


BAGGA = FIXTURES / "bagga"
CONDITIONS = {"large": "t[1-4]", "small": "u[1-4]", "single": "v1"}
RUNS = {"R1": "large", "R5": "small", "limitation1": "single"}

HASHES = "select run_id, content_sha256 from registry.run"

FORMS = {
    "pandas": pandas.read_csv,
    "polars": polars.read_csv,
    "arrow": lambda path: pyarrow.table(pandas.read_csv(path)),
    "columns": lambda path: {name: list(values) for name, values in pandas.read_csv(path).items()},
    "path": lambda path: path,
}


def numbers(store):
    named = ", ".join(f"'{run}'" for run in RUNS)
    return store.sql(
        f"select * exclude (signature) from report.score where run_id in ({named}) order by all"
    ).fetchall()


def contents(store):
    """What the ledger says of the tables of each corpus, condition and run, rows as found apart: their files have other
    names.
    """
    rows = store.sql("select subject, detail from ledger.entry where kind = 'load' order by entry_no").fetchall()
    return {
        subject: {
            name: said
            for name, said in json.loads(detail)["tables"].items()
            if not name.startswith(("staging.", "registry.condition", "registry.corpus"))
            and not (subject.startswith("run:") and name.startswith("registry."))
        }
        for subject, detail in rows
        if not subject.startswith("run:") or subject.rpartition("/")[2] in RUNS
    }


@pytest.fixture(scope="module")
def from_bundle(bagga):
    with tdtsql.connect(bagga, read_only=True) as store:
        yield (
            numbers(store),
            contents(store),
            {run: sha256 for run, sha256 in store.sql(HASHES).fetchall() if run in RUNS},
        )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.sample(1)
def test_tables_in_python_say_what_the_files_say(from_bundle, form):
    given = FORMS[form]
    with tdtsql.connect(":memory:") as store:
        assert (
            store.add_corpus(
                "bagga", **{name: given(BAGGA / f"{name}.csv") for name in ("stories", "topics", "judgments")}
            )
            == []
        )
        for name, pattern in CONDITIONS.items():
            assert (
                store.add_condition(
                    name,
                    corpus="bagga",
                    task="tracking",
                    trials=given(BAGGA / f"trials_{name}.csv"),
                    topic_pattern=pattern,
                    profile="tdt2004",
                )
                == []
            )
        for name, condition in RUNS.items():
            store.add_run(name, condition=condition, decisions=given(BAGGA / f"{name}.csv"))
        store.score()

        assert numbers(store) == from_bundle[0]
        assert contents(store) == from_bundle[1]
        assert dict(store.sql(HASHES).fetchall()) == from_bundle[2]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "store.duckdb"
    with tdtsql.connect(path, create=True) as opened:
        opened.add_corpus(
            "k",
            stories={"story_id": ["a", "b", "c"], "position": [1, 2, 3]},
            topics={"topic_id": ["t"]},
            judgments={"topic_id": ["t"], "story_id": ["b"], "label": ["yes"]},
        )
        opened.add_condition("mine", corpus="k", task="tracking")
        opened.add_run(
            "r",
            condition="mine",
            decisions={
                "topic_id": ["t"] * 3,
                "story_id": ["a", "b", "c"],
                "decision": [True, True, False],
                "score": [1.0, 2.0, 0.5],
            },
        )
    return path


@pytest.fixture
def store(small, tmp_path):
    with tdtsql.connect(shutil.copy(small, tmp_path)) as opened:
        yield opened


def test_worked_example(store):
    """Of three stories b is on topic; yes to a and b: no miss, one false alarm of two; c_det_norm = 0 + 4.9 * 1/2."""
    [(value, n)] = (
        store.sql(
            "select value, n from report.score where metric = 'c_det_norm' and weighting = 'topic' and subset = 'all'"
        ).fetchall()
        or store.score(metric="c_det_norm", subset="all", weighting="topic").project("value, n").fetchall()
    )

    assert (value, n) == (2.45, 1)


def test_a_word_is_no_path_where_a_folder_has_its_name(store, tmp_path, monkeypatch):
    (tmp_path / "tracking").mkdir()
    (tmp_path / "tdt2004").write_text("")
    monkeypatch.chdir(tmp_path)

    assert store.add_condition("y", corpus="k", task="tracking", profile="tdt2004", on_topic="yes") == []
    assert store.sql("select task from report.condition where condition_id = 'y'").fetchall() == [("tracking",)]


@pytest.mark.parametrize(("more", "expected"), [({}, "score"), ({"scores": "llr"}, "llr")])
def test_a_condition_says_what_its_scores_are(store, more, expected):
    store.add_condition("other", corpus="k", task="tracking", **more)

    assert store.sql("select score_kind from registry.condition where condition_id = 'other'").fetchall() == [
        (expected,)
    ]


@pytest.mark.parametrize("cluster", [("kind", "site"), numpy.array(["kind", "site"])])
def test_a_list_may_be_a_tuple_or_an_array(cluster):
    with tdtsql.connect(":memory:") as opened:
        opened.add_corpus("k")
        opened.add_condition("c", corpus="k", task="items", cluster=cluster, k=numpy.int64(2))
        assert opened.sql("select cluster_by from registry.condition").fetchall() == [("kind\nsite",)]


def test_a_condition_that_changed_has_its_segments_in_the_decisions_of_its_runs():
    store = tdtsql.connect(":memory:")
    stories = {"story_id": list("abcdef"), "position": [1, 2, 3, 4, 5, 6]}
    store.add_corpus("c", stories=stories, judgments={"topic_id": ["t"], "story_id": ["a"], "label": ["yes"]})
    store.add_condition("f", corpus="c", task="filtering", periods=[2])
    store.add_run(
        "r", condition="f", decisions={"topic_id": ["t"] * 6, "story_id": list("abcdef"), "decision": ["yes"] * 6}
    )
    store.add_condition("f", corpus="c", task="filtering", periods=[4])
    query = "select list(segment_no order by trial_no) from base.decision"
    assert store.sql(query).fetchall() == [([1, 1, 1, 1, 2, 2],)]


def test_items_that_only_a_replaced_run_had_are_not_missing():
    with tdtsql.connect(":memory:") as store, unscored_loads():
        store.add_corpus("k")
        store.add_condition("c", corpus="k", task="items")
        store.add_run("r", condition="c", decisions={"item_id": ["a", "b"], "score": [1, 0]})
        [replaced] = store.add_run("r", condition="c", decisions={"item_id": ["a", "d"], "score": [1, 0]})
        [problem] = store.add_run("s", condition="c", decisions={"item_id": ["d"], "score": [1]})
        assert (replaced.code, problem.code) == ("W714", "W960") and "for 1 item: 'a'" in problem.message
        store.drop_run("s", condition="c")
        [replaced] = store.add_run("r", condition="c", decisions={"item_id": ["e"], "score": [1]})
        assert replaced.code == "W714"


def test_items_outlive_a_change_of_the_corpus_and_bytes_and_patterns_are_refused(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("item_id,score\nq1,1\nq2,0\n")
    monkeypatch.chdir(tmp_path)
    text = '[corpus]\nid = "k"\ntopics = "t.csv"\n[[condition]]\nid = "c"\ntask = "items"\n'
    text += '[[run]]\nid = "a"\ncondition = "c"\nfiles = ["a.csv"]\n'
    (tmp_path / "b.toml").write_text(text)
    with tdtsql.connect(":memory:") as store:
        for topics in ("topic_id\nt1\n", "topic_id\nt1\nt2\n"):
            (tmp_path / "t.csv").write_text(topics)
            store.evaluate("b.toml")
            query = "select value, n from report.score where metric = 'score' and weighting = 'topic'"
            assert store.sql(query).fetchall() == [(0.5, 2)]
        for code, given in (("E306", pandas.DataFrame({"item_id": [b"a"], "score": [1.0]})), ("E710", "?.csv")):
            with pytest.raises(InvalidInput, match=code):
                store.add_run("r", condition="c", decisions=given)
        with pytest.raises(InvalidInput, match="key: E709 .*bytes"):
            key = pandas.DataFrame({"trial_id": [b"a"], "label": ["target"]})
            store.add_condition("v", corpus="k", task="verification", key=key)


#: columns of a run of items -> (codes, mean of the scores, samples in it)
ODD_ITEMS = {
    "a masked value in a list": ({"score": [1.0, numpy.ma.masked, 1.0]}, ["W961"], 1.0, 2),
    "flags in a frame": ({"score": pandas.Series([True, 0.25, None], dtype=object)}, ["W961"], 0.625, 2),
    "decimals in a frame": ({"score": [Decimal(16777217), Decimal("NaN"), Decimal("0.3")]}, ["W961"], 8388608.65, 2),
    "values that look alike": ({"score": [1, 0, 0], "lang": ["caf\u00e9", "cafe\u0301", "en"]}, ["W927"], 1 / 3, 3),
    "a letter that is not seen": ({"score": [1, 0, 0], "lang": ["en", "en\u200b", "en"]}, ["W927"], 1 / 3, 3),
}


def test_rows_of_items_that_are_no_data():
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        said = {}
        with unscored_loads():
            for name, (columns, *_) in ODD_ITEMS.items():
                store.add_condition(name, corpus="k", task="items")
                made = pandas.DataFrame if name.endswith("frame") else dict
                said[name] = store.add_run("r", condition=name, decisions=made({"item_id": ["a", "b", "c"], **columns}))
        store.refresh()
        query = "select condition_id, (value, n) from report.score where metric = 'score' and weighting = 'topic'"
        found = dict(store.engine.rows(f"{query} and subset = 'all'"))
    for name, (_, codes, mean, n) in ODD_ITEMS.items():
        assert [one.code for one in said[name]] == codes and found[name] == (pytest.approx(mean, 1e-12), n), name
