"""A bundle that is evaluated again: what is stored is not stored again, whatever differs is seen."""

import pytest

import tdtsql


BUNDLE = """name = "small"
[corpus]
id = "small"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"
[[condition]]
id = "tracking"
task = "tracking"
[[run]]
condition = "tracking"
files = ["runs/*.csv"]
format = "tidy"
"""
#: one of two targets missed, one of three non-targets accepted: p_miss 1/2, p_fa 1/3
RUN = "run_id,topic_id,story_id,decision,score\n" + "".join(
    f"one,t,{row}\n" for row in ("a,yes,4", "b,no,1", "c,yes,3", "d,no,2", "e,no,1")
)


@pytest.fixture
def folder(tmp_path):
    """A bundle with one run."""
    (tmp_path / "runs").mkdir()
    for name, text in {
        "bundle.toml": BUNDLE,
        "topics.csv": "topic_id\nt\n",
        "runs/one.csv": RUN,
        "stories.csv": "story_id,position\n"
        + "".join(f"{name},{place}\n" for place, name in enumerate("abcde", start=1)),
        "judgments.csv": "topic_id,story_id,label\nt,a,yes\nt,b,yes\nt,x,yes\n",
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def evaluate(folder, **options):
    """Return (report, {(run, metric): value}) of one evaluation in its own connection."""
    with tdtsql.connect(folder / "store.duckdb") as store:
        report = store.evaluate(folder / "bundle.toml", **options)
        rows = store.sql(
            "select run_id, metric, value from report.score where subset = 'all' and weighting = 'story' and metric "
            "in ('p_miss', 'p_fa')"
        ).fetchall()
    return report, {(run, metric): value for run, metric, value in rows}


def test_the_same_is_said_again_and_nothing_is_scored(folder):
    first, numbers = evaluate(folder)
    again, same = evaluate(folder)

    assert numbers == same == {("one", "p_miss"): 0.5, ("one", "p_fa"): 1 / 3}
    assert [str(problem) for problem in first.warnings] == [str(problem) for problem in again.warnings] != []
    assert again.notes == first.notes
    assert (again.loaded, again.kept, again.n_scored) == ([], first.loaded, 0)
