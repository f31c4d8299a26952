"""One's own corpus in tidy files, with every mistake that people made: each is told with file, line and column, alone, and nothing is stored."""

import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.errors import InvalidInput
from tdtsql.store.evaluate import evaluate_into

FILES = {
    "stories": "story_id,position\ns1,1\ns2,2\ns3,3\n", "topics": "topic_id,title\nt1,one\nt2,two\n", "judgments": "topic_id,story_id,label\nt1,s1,yes\nt2,s2,yes\n",
    "run": "topic_id,story_id,decision,score\nt1,s1,yes,1\nt1,s2,no,0\nt1,s3,no,0\nt2,s1,no,0\nt2,s2,yes,1\nt2,s3,no,0\n",
}
RUNS = {"tracking": FILES["run"], "filtering": FILES["run"], "new_event": "story_id,decision,score\ns1,yes,1\ns2,yes,1\ns3,no,0\n"}

BUNDLE = """
[corpus]
id = "mine"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"
[[condition]]
id = "c"
task = "{task}"
[[run]]
id = "r"
condition = "c"
files = ["run.csv"]
"""

S, T, J, R = (FILES[name] for name in ("stories", "topics", "judgments", "run"))

#: (file, its text, [CODE:line:column])
TRIES = [
    ("stories", "story_id\ns1\ns2\ns3\n", ["E301:1:1"]), ("stories", "position\n1\n2\n", ["E301:1:1"]), ("stories", "id,position\ns1,1\n", ["E302:1:1", "E301:1:1"]),
    *[("stories", S.replace(",2\n", f",{wrong}\n"), ["E307:3:4"]) for wrong in ("x", "-1", "1.5", "+2", "1_0", "1e3", "2²", "9" * 19)],
    ("stories", S.replace(",2\n", ",\n"), ["E305:3:4"]), ("stories", S.replace(",", ";"), ["E319:1:1"]), ("stories", S.replace(",", "\t"), ["E319:1:1"]),
    ("stories", S.replace("s2,", ""), ["E304:3:1"]), ("stories", S.replace("s2,", ","), ["E305:3:1"]), ("stories", "", ["E001"]), ("stories", "story_id,position\n", ["E318:1:1"]),
    ("stories", S.replace("s2,", " s2,"), ["E306:3:1"]), ("stories", S.replace("s2,", "s1,"), ["E314:3:1"]), ("stories", S.replace("\n", "\r"), ["E006:1:18"]),
    ("stories", "story_id,position,begin_recid,end_recid\ns1,1,1,2\ns2,2,2147483648,2147483649\ns3,3,5,6\n", ["E307:3:6", "E307:3:17"]),
    ("topics", "title\none\n", ["E301:1:1"]), ("topics", "id,title\nt1,one\n", ["E302:1:1", "E301:1:1"]), ("topics", T.replace(",", ";"), ["E319:1:1"]),
    ("topics", T.replace("t1,", ","), ["E305:2:1"]), ("topics", T.replace("t1,", " t1,"), ["E306:2:1"]), ("topics", T.replace("t2", "t1"), ["E314:3:1"]),
    ("judgments", J.replace("s1,yes", "s1,1"), ["E311:2:7"]), ("judgments", J.replace("s1,yes", "s1,"), ["E305:2:7"]),
    ("judgments", J.replace("label", "relevance"), ["E302:1:19", "E301:1:1"]), ("judgments", "topic_id,label\nt1,yes\n", ["E301:1:1"]),
    ("judgments", J.replace("t1,s1", "s1"), ["E304:2:1"]), ("judgments", J.replace("t1,s1", ",s1"), ["E305:2:1"]), ("judgments", J.replace("t1,s1", "t1,"), ["E305:2:4"]),
    ("judgments", J.replace("t1,s1", " t1,s1"), ["E306:2:1"]), ("judgments", J.replace("t2,s2,yes", "t1,s1,no"), ["E315:3:7"]), ("judgments", "", ["E001"]),
    ("run", R.replace("t1,s1", ",s1"), ["E305:2:1"]), ("run", R.replace("t1,s1", "t1,"), ["E305:2:4"]), ("run", R.replace("decision", "decided"), ["E302:1:19", "E301:1:1"]),
    ("run", "topic_id,story_id,score\nt1,s1,1\n", ["E301:1:1"]), ("run", R.replace("yes,1", "yes,"), ["E305:2:11", "E305:6:11"]), ("run", R.replace(",", ";"), ["E319:1:1"]),
]


@pytest.fixture(scope="module")
def store():
    with tdtsql.connect(":memory:") as store:
        yield store


def written(folder, task, what, text):
    for name, content in {**FILES, "run": RUNS[task], what: text}.items():
        (folder / f"{name}.csv").write_text(content, newline="")
    (folder / "bundle.toml").write_text(BUNDLE.format(task=task))
    return folder / "bundle.toml"


@pytest.mark.parametrize(("task", "what", "text", "places"),
                         [(task, *entry) for task in RUNS for entry in TRIES if entry[0] != "run" or task in ("tracking", "filtering") and RUNS[task] == R])
def test_a_mistake_is_told_where_it_is_and_alone(store, tmp_path, task, what, text, places):
    if task == "filtering" and what == "run" and text.startswith("topic_id,story_id,decision,score\nt1,s1,yes,\n"):
        pytest.skip("a filtering run needs no scores")
    bundle = written(tmp_path, task, what, text)

    with pytest.raises(InvalidInput) as caught:
        evaluate_into(store, bundle, score=False)

    assert [f"{problem.code}{problem.place.removeprefix(f'{what}.csv')}" for problem in caught.value.problems] == places
    assert store.engine.rows("select count(*) from registry.corpus") == [(0,)]


@pytest.mark.parametrize("what", ["stories", "topics", "judgments", "run"])
def test_check_tells_the_same(tmp_path, what):
    entry = next(entry for entry in TRIES if entry[0] == what)

    result = CliRunner().invoke(cli, ["evaluate", "--check", str(written(tmp_path, "tracking", *entry[:2]))])

    assert isinstance(result.exception, InvalidInput) and [problem.path for problem in result.exception.problems] == [f"{what}.csv"] * len(entry[2])


def test_a_judgment_on_a_topic_that_the_topics_file_lacks_is_a_warning(store, tmp_path):
    with pytest.raises(InvalidInput) as caught:
        evaluate_into(store, written(tmp_path, "tracking", "judgments", J + "t9,s1,yes\nt9,s2,no\nt8,s1,yes,\n"), score=False)
    assert [problem.code for problem in caught.value.problems] == ["E304"]

    with tdtsql.connect(":memory:") as fresh:
        warnings = evaluate_into(fresh, written(tmp_path, "tracking", "judgments", J + "t9,s1,yes\nt9,s2,no\n"), score=False).warnings
    assert ("W805", 4, "t9") in [(problem.code, problem.line, problem.value) for problem in warnings] and sum(problem.code == "W805" for problem in warnings) == 1
