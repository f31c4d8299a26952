"""Inputs that have nothing in common are one error with an id of each side; what is partly missing is counted."""

from pathlib import Path

import pytest

import tdtsql
from tdtsql.api import connect
from tdtsql.errors import InvalidInput

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example"
STORIES = {"story_id": ["s1", "s2", "s3", "s4"], "position": [1, 2, 3, 4], "language": ["ENGLISH", "GERMAN"] * 2}
JUDGMENTS = {"topic_id": ["t1", "t1"], "story_id": ["s1", "s3"], "label": ["yes", "yes"]}


@pytest.fixture(scope="module")
def example(example_copy):
    with connect(example_copy) as store:
        yield store


@pytest.fixture(scope="module")
def small():
    with connect(":memory:") as store:
        store.add_corpus("k", stories=STORIES, topics={"topic_id": ["t1", "t2"]}, judgments=JUDGMENTS)
        store.add_corpus("bare")
        yield store


#: conditions of that store, each added when a test asks for it
CONDITIONS = {
    "track": {"task": "tracking"},
    "one": {"task": "tracking", "topic_pattern": "t1"},
    "german": {"task": "tracking", "languages": ["GERMAN"]},
    "listed": {"task": "tracking", "trials": {"topic_id": ["t1", "t1"], "story_id": ["s1", "s2"]}},
    "first": {"task": "new_event"},
    "filter": {"task": "filtering", "profile": "trec11"},
    "gold": {
        "corpus": "bare",
        "task": "partition",
        "gold": {"item_id": ["a", "b", "c", "d"], "cluster_id": ["g1", "g1", "g2", "g2"]},
    },
    "key": {
        "corpus": "bare",
        "task": "verification",
        "key": {"trial_id": ["u1", "u2"], "label": ["target", "nontarget"]},
        "scores": "score",
        "profile": "voxsrc",
    },
    "items": {"corpus": "bare", "task": "items", "measure": "acc"},
}


def _problems(store, condition, decisions) -> list:
    """Return what a run says, stored or not."""
    if condition in CONDITIONS and not store.engine.rows(
        "select 1 from registry.condition where condition_id = ?", [condition]
    ):
        store.add_condition(condition, **{"corpus": "k", **CONDITIONS[condition]})
    try:
        return store.check_run("r", condition=condition, decisions=decisions)
    except InvalidInput as error:
        return error.problems


def _tracking(topic: str, *stories: str) -> dict:
    return {"topic_id": [topic] * len(stories), "story_id": list(stories), "score": [0.5] * len(stories)}


#: condition, run -> what the error says
DISJOINT = {
    "stories": ("track", _tracking("t1", "S1", "S2"), "none of the 2 rows of the run", "'s1' ('S1')"),
    "topics": ("track", _tracking("T1", "s1", "s2"), "among the condition's topics", "'t1' ('T1')"),
    "topics left out": ("one", _tracking("t2", "s1"), "among the condition's topics", "'t1' ('t2')"),
    "stories left out": ("german", _tracking("t1", "s1", "s3"), "that the condition tests", "'s2' ('s3')"),
    "pairs not listed": ("listed", _tracking("t1", "s3", "s4"), "that the condition tests", "'s1' ('s4')"),
    "stories of new events": ("first", {"story_id": ["S1"], "score": [1.0]}, "condition's stories", "'s1' ('S1')"),
    "documents": (
        "filter",
        {"topic_id": ["t1"], "story_id": ["D1"], "decision": ["yes"]},
        "condition's stories",
        "'s1' ('D1')",
    ),
    "items": (
        "gold",
        {"item_id": ["a.0", "b.0"], "cluster_id": ["x", "x"]},
        "none of the 2 items of the run is among those of the gold",
        "'a' ('a.0')",
    ),
    "measures": (
        "items",
        {"item_id": ["a", "b"], "metric": ["Acc", "f1"], "score": [1, 0]},
        "no row has the measure by which the condition ranks runs, 'acc'; the files have Acc, f1",
        "('Acc')",
    ),
    "trials": (
        "key",
        {"trial_id": ["u1.flac", "u2.flac"], "score": [1.0, 0.0]},
        "none of the 2 trials of the run is among those of the key",
        "'u1' ('u1.flac')",
    ),
}


@pytest.mark.parametrize("name", DISJOINT)
@pytest.mark.sample(2)
def test_a_run_without_anything_in_common_is_one_error(small, name):
    condition, run, *words = DISJOINT[name]

    [problem] = _problems(small, condition, run)

    assert problem.code == "E870" and all(word in str(problem) for word in words), str(problem)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("ids", "code"), [("xy", "W870"), (("A", "y"), "E870"), (("a.0", "y"), "E870")])
def test_a_clustering_without_an_item_of_the_gold_is_scored_under_profiles_of_ones_own(tmp_path, ids, code):
    """Such a profile says what items of one side count as; ids that look alike are a mistake nevertheless."""
    (tmp_path / "gold.csv").write_text("item_id,cluster_id\na,g\nb,g\n")
    (tmp_path / "run.csv").write_text("item_id,cluster_id\n" + "".join(f"{name},c\n" for name in ids))
    (tmp_path / "b.toml").write_text(
        '[corpus]\nid = "k"\n[profile.own]\nbase = "partition"\nmissing_item = "exclude"\n[[condition]]\nid = "c"\n'
        'task = "partition"\ngold = "gold.csv"\nprofile = ["own"]\n'
        '[[run]]\nid = "r"\ncondition = "c"\nfiles = ["run.csv"]\n'
    )
    try:
        with tdtsql.evaluate(tmp_path / "b.toml") as store:
            said = store.sql("select code, message, value from registry.problem").fetchall()
            assert store.sql(
                "select value from report.score where metric = 'b3_f1' and weighting = 'story' and subset = 'all'"
            ).fetchall() == [(0.0,)]
    except InvalidInput as error:
        said = [(problem.code, problem.message, problem.value) for problem in error.problems]
    [[found, message, value]] = [problem for problem in said if "870" in problem[0]]

    assert (found, value) == (code, ids[0]) and "'a'" in message


@pytest.mark.parametrize(
    ("condition", "path", "old", "new"),
    [
        ("trk-any-1", "tracking/tidy/runs.csv", "2004", "1999"),
        ("new-eng-10", None, "docno", "docno"),
        ("link-mul-10", "link/kestrel.out", "2004", "1999"),
        ("htd-mul", "hierarchy/sparrow.xml", 'docID="', 'docID="x'),
        ("ts", "summarization/kestrel.ssv", " north", "9 north"),
        ("ts", "summarization/kestrel.ssv", "0105", "1999"),
        ("values", "value_tracking/osprey.tsv", "\tnorth", "9\tnorth"),
    ],
)
@pytest.mark.sample(1)
def test_so_is_an_official_run_file(example, tmp_path, condition, path, old, new):
    text = (EXAMPLE / path).read_text() if path else "sys yes 10 docno\nF x1 yes 1.0\nF x2 no 0.0\n"
    changed = tmp_path / Path(path or "new.out").name
    changed.write_text(text.replace(old, new).replace("0106", "1999" if old == "0105" else "0106"))

    problems = [problem for problem in _problems(example, condition, str(changed)) if problem.is_error]

    codes = {problem.code for problem in problems} - {"E714"}  # the file of two runs has more than one id
    assert codes == {"E870"}, [str(problem) for problem in problems]


def test_retrieved_documents_that_no_qrels_name_are_not_enough(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    (tmp_path / "run.txt").write_text("q1 Q0 x1 1 2.0 sys\nq1 Q0 x2 2 1.0 sys\n")
    with connect(":memory:") as store:
        store.add_corpus("k", qrels=tmp_path / "qrels.txt")
        store.add_condition("c", corpus="k", task="filtering", profile="trec11")

        [problem] = _problems(store, "c", str(tmp_path / "run.txt"))

    assert problem.code == "E870" and "'d1' ('x" in str(problem)


def test_what_is_partly_missing_is_a_warning_with_counts(small):
    rows = {"item_id": ["a", "a", "b", "x", "y"], "cluster_id": ["1", "2", "1", "1", "2"]}

    found = {problem.code: str(problem) for problem in _problems(small, "gold", rows)}

    assert found.keys() == {"W922", "W923", "W924"}
    assert "1 item is in several clusters ('a')" in found["W922"]
    assert "2 of 4 items of the gold are in no cluster of the run ('c')" in found["W923"]
    assert "2 of 4 items of the run have no gold cluster ('x')" in found["W924"]


def test_a_run_that_says_nothing_is_a_run(small):
    [problem] = _problems(small, "track", {"topic_id": [], "story_id": [], "score": []})[:1]

    assert problem.code == "W836"


# ---- conditions and corpora


@pytest.mark.parametrize(
    ("changes", "settings", "code", "words"),
    [
        ({"kind": ["news"] * 4}, {}, "E871", "4 are of another kind than NEWS (news)"),
        ({}, {"languages": ["de"]}, "E871", "in other languages than de (the stories have ENGLISH, GERMAN)"),
        ({}, {"languages": ["ENGLISH", "de"]}, "W874", "('de')"),
        ({"kind": ["news", "NEWS", "NEWS", "NEWS"]}, {}, "W875", "('news')"),
        ({}, {"on_topic": ["brief"]}, "W872", "none of the 2 judgments"),
    ],
)
@pytest.mark.sample(1)
def test_a_condition_in_which_nothing_counts_is_told(changes, settings, code, words):
    found = []
    with connect(":memory:") as store:
        try:
            found += store.add_corpus("k", stories=STORIES | changes, topics={"topic_id": ["t1"]}, judgments=JUDGMENTS)
            found += store.add_condition("c", corpus="k", task="tracking", **settings)
        except InvalidInput as error:
            found += error.problems

    assert any(problem.code == code and words in str(problem) for problem in found), list(map(str, found))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"story_id": ["S1", "S3"]},
            "none of the 2 judgments is on a story of the corpus, of which one is 's1' ('S1')",
        ),
        (
            {"topic_id": ["T1", "T1"]},
            "the only one of the judged topics is not in the topics file, of which one is 't1' ('T1')",
        ),
    ],
)
@pytest.mark.sample(1)
def test_judgments_of_nothing_in_the_corpus_are_one_error(changes, words):
    with connect(":memory:") as store, pytest.raises(InvalidInput) as caught:
        store.add_corpus("k", stories=STORIES, topics={"topic_id": ["t1"]}, judgments=JUDGMENTS | changes)

    [problem] = caught.value.problems
    assert problem.code == "E872" and words in str(problem) and problem.path == "judgments"


def test_trials_of_no_story_are_one_error(small):
    trials = {"topic_id": ["t1", "t2"], "story_id": ["S1", "S2"]}

    with pytest.raises(InvalidInput) as caught:
        small.add_condition("other", corpus="k", task="tracking", trials=trials)

    assert [problem.code for problem in caught.value.problems] == ["E872"]


def test_a_root_without_an_index_reads_every_table(tmp_path):
    bundle = tmp_path / "b.toml"
    bundle.write_text(f'''
[corpus]
id = "x"
root = "{EXAMPLE / "corpus"}"
topic_relevance = ["{EXAMPLE / "corpus" / "topics.rel"}"]
[[condition]]
id = "c"
task = "tracking"
''')
    with tdtsql.evaluate(bundle, ":memory:") as store:
        [[n_story, n_file]] = store.sql(
            "select (select count(*) from base.story), (select count(*) from base.source_file)"
        ).fetchall()

    assert n_story > 100 and n_file == len(list((EXAMPLE / "corpus" / "tkn_bnd").iterdir()))
