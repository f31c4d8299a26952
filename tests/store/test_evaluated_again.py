"""A bundle that is evaluated again: what is stored is not stored again, whatever differs is seen."""

import shutil
from pathlib import Path

import pytest

import tdtsql

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example"

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


#: rows that the engine takes small tables to have, deleted ones among them: it plans by them, and would read all
#: decisions to find those of a topic
SIZES = """
    select table_name, estimated_size from duckdb_tables()
    where schema_name = 'registry' and table_name in ('corpus', 'condition', 'condition_profile', 'run',
        'current_input') order by 1"""


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


@pytest.mark.full
def test_a_boundary_table_in_a_place_that_comes_first_is_read(folder):
    """tables/NAME.bndEXT stands before EXT_bnd/NAME.EXT_bnd."""
    shutil.rmtree(folder)
    shutil.copytree(EXAMPLE, folder)
    (folder / "bundle.toml").write_text(
        (EXAMPLE / "bundle.toml").read_text().split("[[run]]")[0].split('[[condition]]\nid = "trk-eng-4"')[0]
    )
    evaluate(folder)
    found = next((folder / "corpus/tkn_bnd").iterdir())
    (folder / "corpus/tables").mkdir()
    (folder / "corpus/tables" / found.name.replace(".tkn_bnd", ".bndtkn")).write_text(
        found.read_text().replace("NEWS", "MISC")
    )

    report, _ = evaluate(folder)

    assert report.loaded


def comments(store):
    return store.sql(
        "select table_name, column_name, comment from duckdb_columns() where schema_name = 'registry' order by all"
    ).fetchall()


@pytest.mark.full
def test_tables_hold_few_deleted_rows_after_many_evaluations(folder):
    """A corpus, a condition, its profile, a run, what that is made from: one row each, and one that the last evaluation
    deleted.
    """
    with tdtsql.connect(folder / "store.duckdb") as store:
        store.evaluate(folder / "bundle.toml")
        before = comments(store)
    for number in range(6):
        label = "yes" if number % 2 else "brief"
        (folder / "judgments.csv").write_text(f"topic_id,story_id,label\nt,a,yes\nt,b,{label}\n")
        with tdtsql.connect(folder / "store.duckdb") as store:
            store.evaluate(folder / "bundle.toml")
    with tdtsql.connect(folder / "store.duckdb") as store:
        assert [(name, size <= 2) for name, size in store.sql(SIZES).fetchall()] == [
            (name, True) for name in ("condition", "condition_profile", "corpus", "current_input", "run")
        ]
        assert comments(store) == before
        assert store.sql(
            "select value from report.score where subset = 'all' and weighting = 'story' and metric = 'p_miss'"
        ).fetchall() == [(0.5,)]
        store.refresh()
