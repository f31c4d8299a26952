"""Whether stories have one topic each is found when they are loaded, and found again when they change."""

from pathlib import Path

import pytest

import tdtsql

STORIES = "story_id,position\n" + "".join(f"S{number},{number}\n" for number in range(1, 5))
ONE_EACH = "topic_id,story_id,label\nt1,S1,yes\nt1,S2,yes\nt2,S3,yes\n"
PARTITION = "topic_id,story_id,decision,score\nt1,S1,yes,1\nt2,S1,no,0\nt2,S2,yes,1\nt2,S3,yes,1\n"
BUNDLE = """
[corpus]
id = "four"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"

[[condition]]
id = "all"
task = "tracking"
profile = ["tdt2004"]

[[run]]
id = "R"
condition = "all"
files = ["run.csv"]
format = "tidy"
"""


@pytest.fixture
def bundle(tmp_path) -> Path:
    for name, text in (
        ("stories", STORIES),
        ("topics", "topic_id\nt1\nt2\n"),
        ("judgments", ONE_EACH),
        ("run", PARTITION),
    ):
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "bundle.toml").write_text(BUNDLE)
    return tmp_path / "bundle.toml"


def found(store):
    """Return what is known of condition and run, and plain and extended precision and recall by story."""
    store.refresh()
    [flags] = store.sql(
        "select condition.is_partition, run.is_partition from registry.run as run join registry.condition as "
        "condition using (condition_no)"
    ).fetchall()
    value = dict(store.sql("select metric, value from report.score where weighting = 'story'").fetchall())
    return flags, *((value[f"{name}_precision"], value[f"{name}_recall"]) for name in ("b3", "b3_ext"))


def test_a_partition(bundle):
    # response t1 = {S1}, t2 = {S2, S3}; reference t1 = {S1, S2}, t2 = {S3}: both are (1 + 1/2 + 1/2) / 3
    with tdtsql.evaluate(bundle, db=":memory:") as store:
        assert found(store) == (
            (1, 1),
            (pytest.approx(2 / 3), pytest.approx(2 / 3)),
            (pytest.approx(2 / 3), pytest.approx(2 / 3)),
        )


def test_a_story_judged_for_two_topics_that_is_a_target_of_one(bundle):
    """A no is a label too: such a condition is not taken for a partition, and has the numbers of the one that it is."""
    (bundle.parent / "judgments.csv").write_text(ONE_EACH + "t1,S3,no\n")
    with tdtsql.evaluate(bundle, db=":memory:") as store:
        assert found(store)[:2] == ((0, 1), (pytest.approx(2 / 3), pytest.approx(2 / 3)))
