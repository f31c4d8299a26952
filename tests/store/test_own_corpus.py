"""One's own corpus in tidy files: how much is said of many mistakes (each: fixtures/malformed)."""

import pandas
import pytest

import tdtsql
from bundle_file import write_bundle
from tdtsql.cli.output import print_problems
from tdtsql.errors import InvalidInput
from tdtsql.load.bundle import evaluate_into

pytestmark = pytest.mark.usefixtures("unscored")

FILES = {
    "stories": "story_id,position\ns1,1\ns2,2\ns3,3\n",
    "topics": "topic_id,title\nt1,one\nt2,two\n",
    "judgments": "topic_id,story_id,label\nt1,s1,yes\nt2,s2,yes\n",
    "run": "topic_id,story_id,decision,score\nt1,s1,yes,1\nt1,s2,no,0\nt1,s3,no,0\nt2,s1,no,0\nt2,s2,yes,1\nt2,s3,no,"
    "0\n",
}


@pytest.fixture(scope="module")
def store():
    with tdtsql.connect(":memory:") as store:
        yield store


def written(folder, what, text):
    for name, content in {**FILES, what: text}.items():
        (folder / f"{name}.csv").write_text(content, newline="")
    return write_bundle(
        folder,
        corpus={"id": "mine"} | {table: f"{table}.csv" for table in ("stories", "topics", "judgments")},
        conditions=[{"id": "c", "task": "tracking"}],
        runs=[{"id": "r", "condition": "c", "files": ["run.csv"]}],
    )


def test_a_judgment_on_a_topic_that_the_topics_file_lacks_is_a_warning(store, tmp_path):
    with pytest.raises(InvalidInput) as caught:
        evaluate_into(
            store.engine,
            written(tmp_path, "judgments", FILES["judgments"] + "t9,s1,yes\nt9,s2,no\nt8,s1,yes,\n"),
            score=False,
        )
    assert [problem.code for problem in caught.value.problems] == ["E304"]

    with tdtsql.connect(":memory:") as fresh:
        warnings = evaluate_into(
            fresh.engine, written(tmp_path, "judgments", FILES["judgments"] + "t9,s1,yes\nt9,s2,no\n"), score=False
        ).warnings
    assert ("W805", 4, "t9") in [(problem.code, problem.line, problem.value) for problem in warnings] and sum(
        problem.code == "W805" for problem in warnings
    ) == 1


# ---- one defect is said once


def test_at_most_20_of_a_code_are_told_with_the_count(store, tmp_path, capsys):
    bundle = written(
        tmp_path, "run", "topic_id,story_id,decision,score\n" + "".join(f"t1,s{i},2,x\n" for i in range(1000))
    )

    with pytest.raises(InvalidInput) as caught:
        evaluate_into(store.engine, bundle, score=False)

    lines = str(caught.value).splitlines()
    assert len(caught.value.problems) == 2000 and len(lines) == 42
    assert [line.split(" ")[1] for line in lines[:4]] == ["E310", "E308", "E310", "E308"]  # line by line
    assert [line.partition(" is ")[2] for line in lines[-2:]] == ["the last of 980 more such lines."] * 2
    print_problems(caught.value.problems, is_refused=True)
    assert capsys.readouterr().err.splitlines() == [*lines, "2,000 errors, 0 warnings. Nothing was stored."]


def test_a_frame_of_many_rows_with_one_mistake_is_told_in_little(tmp_path):
    with tdtsql.evaluate(written(tmp_path, "run", FILES["run"])) as good, pytest.raises(InvalidInput) as caught:
        good.add_run(
            "mine",
            condition="c",
            decisions=pandas.DataFrame(
                {"topic_id": ["t1"] * 20000, "story_id": [f"s{i}" for i in range(20000)], "decision": 7, "score": 1.0}
            ),
        )

    assert len(str(caught.value)) < 10_000 and "E310" in str(caught.value)
