"""A run's hash says what was read of it: not which file it shared, how it came, or what came with it; and no two
numbers share a signature.
"""

import shutil

import pandas
import pytest

import tdtsql

pytestmark = pytest.mark.usefixtures("unscored")


@pytest.fixture
def store(example_store, tmp_path):
    with tdtsql.connect(shutil.copy(example_store, tmp_path)) as opened:
        yield opened


def run_hash(store, run, condition):
    return store.engine.value(
        "select run.content_sha256 from registry.run join registry.condition using (condition_no) where run_id = ? "
        "and condition_id = ?",
        [run, condition],
    )


def decisions(store, run, condition):
    """Return what a tracking run said, with the names that users know."""
    return store.sql(f"""
        select block_id as topic_id, story_id, case when is_yes then 'yes' else 'no' end as decision, score
        from base.decision join registry.run using (run_no) join registry.condition using (condition_no)
        join base.block using (condition_no, block_no)
            join base.story on story.corpus_no = condition.corpus_no and story_no = trial_no
        where run_id = '{run}' and condition_id = '{condition}' order by topic_id, story_id""").df()


def test_no_two_numbers_of_a_store_share_a_signature(store):
    [[n_number, n_signature]] = store.sql("select count(*), count(distinct signature) from report.score").fetchall()

    assert n_number == n_signature > 10_000


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", ["frame", "shuffled frame", "csv", "with others"])
def test_the_same_rows_have_the_same_hash_however_they_come(store, tmp_path, way):
    before = run_hash(store, "osprey", "trk-eng-1")
    rows = decisions(store, "osprey", "trk-eng-1")
    if way == "shuffled frame":
        rows = rows.sample(frac=1, random_state=7)
    if way == "with others":
        other = rows.assign(run_id="another", score=rows["score"] / 2)
        rows = rows.assign(run_id="osprey")
        rows = pandas.concat([other, rows])
    if way == "csv":
        rows.to_csv(tmp_path / "run.csv", index=False)
        rows = tmp_path / "run.csv"

    store.add_run(None if way == "with others" else "osprey", condition="trk-eng-1", decisions=rows)

    assert run_hash(store, "osprey", "trk-eng-1") == before


def test_one_score_that_differs_is_another_hash(store):
    before = run_hash(store, "osprey", "trk-eng-1")
    rows = decisions(store, "osprey", "trk-eng-1")
    rows.loc[5, "score"] += 1e-12

    store.add_run("osprey", condition="trk-eng-1", decisions=rows)

    assert run_hash(store, "osprey", "trk-eng-1") != before


def test_a_run_alone_has_the_hash_that_it_had_with_others(store):
    """sparrow's rows came in a file with osprey's."""
    before = run_hash(store, "sparrow", "trk-any-1")

    store.add_run("sparrow", condition="trk-any-1", decisions=decisions(store, "sparrow", "trk-any-1"))

    assert run_hash(store, "sparrow", "trk-any-1") == before
