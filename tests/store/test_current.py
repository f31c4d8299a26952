"""Kept numbers are those of now: what depends on a change is computed again, nothing else, and nothing stale is
shown.
"""

import shutil

import duckdb
import pytest

import tdtsql
from bundle_file import write_bundle
from places import FIXTURES
from tdtsql.load.bundle import evaluate_into
from tdtsql.audit.invariants import audit
from tdtsql.errors import ChangedContent, InvalidInput, UnknownName


CORPUS = {"id": "small", "stories": "stories.csv", "judgments": "judgments.csv"}


def write_files(tmp_path):
    (tmp_path / "stories.csv").write_text("story_id,position\n" + "".join(f"s{n},{n}\n" for n in range(1, 7)))
    (tmp_path / "judgments.csv").write_text("topic_id,story_id,label\nt1,s1,yes\nt1,s2,yes\nt2,s3,yes\nt2,s9,yes\n")
    (tmp_path / "a.csv").write_text("topic_id,story_id,decision,score\nt1,s1,yes,2\nt1,s4,yes,1\nt2,s3,no,0\n")
    (tmp_path / "b.csv").write_text("topic_id,story_id,decision,score\nt1,s2,yes,1\n")
    runs = [
        {"id": run, "condition": name, "files": [f"{run}.csv"]} for name, run in (("c1", "a"), ("c1", "b"), ("c2", "a"))
    ]
    write_bundle(
        tmp_path,
        corpus=CORPUS,
        profiles={"mine": {"base": "tdt2004", "c_fa": 0.1}},
        conditions=[{"id": "c1", "task": "tracking", "profile": ["tdt2004", "mine"]}, {"id": "c2", "task": "tracking"}],
        runs=runs,
    )
    return tmp_path


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """Return a folder with the files and their store, which knows them by this path."""
    folder = write_files(tmp_path_factory.mktemp("current"))
    tdtsql.evaluate(folder / "bundle.toml", folder / "evaluated.duckdb").close()
    return folder


@pytest.fixture
def folder(evaluated):
    for path in evaluated.iterdir():
        if path.name != "evaluated.duckdb":
            path.unlink()
    return write_files(evaluated)


@pytest.fixture
def store(folder, tmp_path):
    with tdtsql.connect(shutil.copy(folder / "evaluated.duckdb", tmp_path)) as store:
        yield store


def computations(store) -> dict[tuple[str, str, str], int]:
    """Return (condition, run, profile) -> the number of its current computation."""
    return {
        row[:3]: row[3]
        for row in store.engine.rows("""
        select condition.condition_id, run.run_id, profile.profile_id, newest.computation_no
        from ledger.current_computation as newest
        join registry.run as run on run.run_no = newest.run_no
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.profile as profile on profile.profile_no = newest.profile_no""")
    }


def changed(before: dict, after: dict) -> set:
    return {key for key in after if before.get(key) != after[key]}


def value(store, run="a", profile="tdt2004", condition="c1", metric="p_miss", weighting="story"):
    return store.engine.rows(
        "select value from report.score where run_id = ? and profile_id = ? and condition_id = ? and metric = ? and "
        "weighting = ? and subset = 'all'",
        [run, profile, condition, metric, weighting],
    )


def test_the_same_bundle_again_computes_nothing(store, folder):
    before = computations(store)
    assert len(before) == 5 and store.refresh() == 0  # of two conditions, two runs, two profiles
    report = store.evaluate(folder / "bundle.toml")
    assert report.loaded == [] and report.n_scored == 0 and len(report.kept) == 6
    said = store.engine.rows("select code, line from registry.problem where owner = 'corpus:small'")
    assert [(problem.code, problem.line) for problem in report.warnings] == said != []  # what is wrong is said again
    assert computations(store) == before


BEST = "select run_id from report.leaderboard where condition_id = 'c1' and profile_id = 'tdt2004' and position = 1"


def test_one_run_changes_only_its_numbers_and_the_leaderboard_follows(store, folder):
    before = computations(store)
    assert store.engine.value(BEST) == "a" or store.engine.value(BEST) == "b"
    (folder / "b.csv").write_text("topic_id,story_id,decision,score\nt1,s2,yes,1\nt1,s1,yes,1\nt2,s3,yes,1\n")
    store.evaluate(folder / "bundle.toml")
    assert changed(before, computations(store)) == {("c1", "b", "tdt2004"), ("c1", "b", "mine")}
    assert value(store, run="b") == [(0.0,)]
    assert store.engine.value(BEST) == "b"  # a perfect run


def test_other_stories_are_refused_while_another_bundle_counts_on_those_that_are_there(store, folder):
    before = computations(store)
    (folder / "stories.csv").write_text("story_id,position\n" + "".join(f"s{n},{n}\n" for n in range(7)))
    other = write_bundle(folder, corpus=CORPUS, conditions=[{"id": "c2", "task": "tracking"}], runs=[])
    with pytest.raises(tdtsql.errors.InvalidInput) as told:
        store.evaluate(other)

    assert [str(problem) for problem in told.value.problems if problem.is_error] == [
        "corpus 'small': E816 condition c1 was loaded for other stories or topics, and is not in this bundle "
        "('c1'). "
        "Name it in the bundle too, give the corpus another id, or drop it first: tdtsql corpus drop small."
    ]
    assert computations(store) == before


def test_a_profile_changed_by_hand_shows_nothing_stale(store):
    assert value(store, profile="mine", metric="c_det") != []
    store.engine.execute("update registry.profile set c_miss = 2 where profile_id = 'mine'")
    assert value(store, profile="mine", metric="c_det") == []
    assert store.engine.rows("select run_id, condition_id, profile_id from report.stale order by run_id") == [
        ("a", "c1", "mine"),
        ("b", "c1", "mine"),
    ]
    with pytest.raises(
        ChangedContent,
        match=r"registry\.profile: mine has other values than were loaded \(ledger [0-9a-f]{8}, now "
        r"[0-9a-f]{8}\)\.\nNothing was scored\.",
    ):
        store.refresh()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "statement",
    [
        "update base.decision set is_yes = not is_yes where run_no = 1",
        "update base.judgment set label = 'no' where story_no = 1",
        "delete from base.segment_story where story_no = 6",
    ],
)
def test_what_was_changed_behind_its_back_is_not_scored(folder, statement):
    with tdtsql.connect(folder / "store.duckdb") as store:
        evaluate_into(store.engine, folder / "bundle.toml", score=False)
    with duckdb.connect(str(folder / "store.duckdb")) as connection:
        connection.execute(statement)
    table = statement.split()[2 if statement.startswith("delete") else 1]
    with (
        tdtsql.connect(folder / "store.duckdb") as store,
        pytest.raises(ChangedContent, match=rf"{table} does not hold what was loaded"),
    ):
        store.refresh()


def test_only_the_newest_computation_is_current_even_when_its_inputs_are_not_those_of_now(store):
    [(run_no, profile_no, number)] = store.engine.rows(
        "select run_no, profile_no, computation_no from ledger.current_computation order by all limit 1"
    )
    store.engine.execute(f"""
        insert into ledger.computation by name
        select * replace (computation_no + 1000 as computation_no, 'gone' as input_sha256) from ledger.computation
        where computation_no = {number}""")

    current = store.engine.rows("select run_no, profile_no from ledger.current_computation")

    assert (run_no, profile_no) not in current and len(current) == 4
    assert store.engine.value("select count(*) from report.stale") == 1


def test_only_what_is_asked_for_is_computed(folder):
    with tdtsql.connect(":memory:") as store:
        evaluate_into(store.engine, folder / "bundle.toml", score=False)
        assert computations(store) == {}
        assert store.refresh(condition="c2") == 1 and {key[:2] for key in computations(store)} == {("c2", "a")}
        assert store.refresh(runs=["b"]) == 2 and {key[:2] for key in computations(store)} == {("c2", "a"), ("c1", "b")}
        with pytest.raises(UnknownName):
            store.refresh(condition="nowhere")
        with pytest.raises(UnknownName):
            store.refresh(runs=["nobody"])
        assert store.refresh() == 2 and len(computations(store)) == 5


@pytest.mark.parametrize("is_listed", [True, False])
def test_judgments_that_change_move_the_expected_costs_of_a_hierarchy_that_does_not(tmp_path, is_listed):
    bundle = shutil.copytree(FIXTURES / "figure_a1", tmp_path / "a1") / "bundle.toml"
    pairs = "select block_id, n_pair from base.expected_travel join base.block using (block_no) order by 1"
    with tdtsql.connect(":memory:") as store:
        store.evaluate(bundle)
        # n (n - 1) of 3, 4, 6 and 2 stories; t4 has one
        assert store.engine.rows(pairs) == [("t1", 6), ("t2", 12), ("t3", 30), ("t5", 2)]
        judgments = bundle.with_name("judgments.csv")
        judgments.write_text(judgments.read_text().replace("t2,s16,yes", "t2,s16,brief"))

        again = bundle.with_name("again.toml")
        again.write_text(bundle.read_text() if is_listed else bundle.read_text().partition("[[run]]")[0])
        store.evaluate(again)

        with tdtsql.connect(":memory:") as fresh:
            fresh.evaluate(bundle)
            for query in ("from base.expected_travel order by all", "from report.block_score order by all"):
                assert store.engine.rows(query) == fresh.engine.rows(query)
        assert store.engine.rows(pairs)[1] == ("t2", 6)  # of 3
        assert not [one for one in audit(store.engine) if one.failed]


@pytest.mark.parametrize("stories", ["s6 s1 s2 s3 s4 s5", "s1 s2 s3 s4 s5"])
def test_a_run_that_is_not_read_again_does_not_count_for_other_stories(folder, stories):
    with tdtsql.connect(":memory:") as store:
        store.evaluate(folder / "bundle.toml")
        lines = [f"{story},{number}\n" for number, story in enumerate(stories.split(), 1)]
        (folder / "stories.csv").write_text("story_id,position\n" + "".join(lines))
        bundle = (folder / "bundle.toml").read_text()
        (folder / "bundle.toml").write_text(bundle[: bundle.rindex("[[run]]")])
        with pytest.raises(
            InvalidInput, match="condition:c2: E715 its topics or trials changed, and run a is not read"
        ):
            store.evaluate(folder / "bundle.toml")
