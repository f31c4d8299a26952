"""Runs that are replaced, renamed, withdrawn, dropped, or in two files: nothing of that happens without a message.

Filtering with two topics, and two participants in one bundle by a pattern: q1 has relevant d1, q2 has d3.
"""

import shutil
from pathlib import Path

import pytest

import tdtsql
from tdtsql.errors import InvalidInput, UnknownName, WrongCall
from places import EXAMPLE

pytestmark = pytest.mark.usefixtures("unscored")

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 1\nq2 0 d1 0\n"
P01 = "q1 Q0 d1 1 3.0 p01\n"
P02 = "q1 Q0 d2 1 3.0 p02\nq2 Q0 d3 1 3.0 p02\n"
CONDITION = '[[condition]]\nid = "{}"\ntask = "filtering"\nprofile = ["trec11"]\n'
RUNS = '[[run]]\ncondition = "c"\nfiles = ["trec/*.txt"]\nformat = "trec"\n'


def write_files(tmp_path):
    (tmp_path / "trec").mkdir()
    for name, text in {"qrels.txt": QRELS, "trec/p01.txt": P01, "trec/p02.txt": P02}.items():
        (tmp_path / name).write_text(text)
    write_bundle(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("runs"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with tdtsql.evaluate("b.toml", folder / "evaluated.duckdb") as store:
            store.refresh()
    return folder / "evaluated.duckdb"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path)


def write_bundle(folder, conditions=("c",), runs=RUNS, more=""):
    (folder / "b.toml").write_text(
        '[corpus]\nid = "k"\nqrels = "qrels.txt"\n' + "".join(map(CONDITION.format, conditions)) + more + runs
    )
    return folder / "b.toml"


@pytest.fixture
def store(folder, evaluated, tmp_path_factory):
    with tdtsql.connect(shutil.copy(evaluated, tmp_path_factory.mktemp("store"))) as opened:
        yield opened


def entries(store, kind):
    return store.engine.rows("select subject from ledger.entry where kind = ? order by entry_no", [kind])


# ---- provenance


def test_a_run_has_its_own_files_and_warnings(store):
    files = dict(store.engine.rows("select owner, path from registry.input_file where owner like 'run:%'"))
    assert files == {"run:c/p01": "trec/p01.txt", "run:c/p02": "trec/p02.txt"}
    assert store.engine.rows("select owner, code from registry.problem where owner like 'run:%'") == [
        ("run:c/p01", "W862")
    ]


def test_a_warning_of_a_line_belongs_to_the_run_of_the_line(folder):
    """Both runs are in one file; the unknown document is in a line of p02. The same as tidy rows."""
    (folder / "trec" / "p01.txt").write_text(P01 + P02 + "q1 Q0 nowhere 2 1.0 p02\n")
    (folder / "trec" / "p02.txt").unlink()
    (folder / "rows.csv").write_text(
        "run_id,topic_id,story_id,decision,score\nt01,q1,d1,yes,1\nt02,q1,d1,yes,1\nt02,q1,nowhere,yes,1\n"
    )
    order = 'document_order = "order.txt"\n'
    (folder / "order.txt").write_text("d1\nd2\nd3\n")
    bundle = write_bundle(folder)
    bundle.write_text(bundle.read_text().replace('qrels = "qrels.txt"\n', f'qrels = "qrels.txt"\n{order}'))
    with tdtsql.evaluate(bundle) as store:
        store.add_run(condition="c", decisions="rows.csv")
        found = store.engine.rows("select owner, line from registry.problem where code = 'W823' order by all")
        assert found == [("run:c/p02", 4), ("run:c/t02", 4)]
        assert store.engine.rows("select owner, n_problem from registry.input_file where path = 'rows.csv'") == [
            ("run:c/t01", 1),
            ("run:c/t02", 2),
        ]
        # a file of two runs of which one was dropped is read again; the other run keeps its results
        store.drop_run("t02")
        for loaded, kept in (["t02"], ["t01"]), ([], ["t01", "t02"]):
            (folder / "rows.toml").write_text(
                bundle.read_text().split("[[run]]")[0]
                + '[[run]]\ncondition = "c"\nfiles = ["rows.csv"]\nformat = "tidy"\n'
            )
            report = store.evaluate("rows.toml")
            assert report.loaded == [f"run:c/{name}" for name in loaded]
            assert sorted(set(report.kept) - {"corpus:k", "condition:c"}) == [f"run:c/{name}" for name in kept]


def test_adding_one_file_scores_one_run(store, folder):
    (folder / "trec" / "p03.txt").write_text(P01.replace("p01", "p03"))
    computed = store.engine.rows("select computation_no from ledger.computation order by 1")
    loads = entries(store, "load")

    report = store.evaluate("b.toml")

    assert (report.loaded, report.kept[-2:], store.refresh()) == (["run:c/p03"], ["run:c/p01", "run:c/p02"], 1)
    assert entries(store, "load") == [*loads, ("run:c/p03",)]
    assert store.engine.rows("select computation_no from ledger.computation order by 1")[: len(computed)] == computed


def test_a_dropped_run_comes_back_with_its_bundle(store):
    store.drop_run("p02")

    report = store.evaluate("b.toml")

    assert (report.loaded, report.kept[-1]) == (["run:c/p02"], "run:c/p01")


def test_a_tidy_run_that_lacks_a_topic_is_told_as_a_file_of_trec(store):
    rows = {"topic_id": ["q1"], "story_id": ["d1"], "decision": ["yes"]}
    [told] = store.add_run("tidy", condition="c", decisions=rows)
    assert (told.code, told.value) == ("W862", "q2")


# ---- one name, two runs


def test_an_id_is_for_one_run(store, folder):
    (folder / "two.txt").write_text("q1 Q0 d1 1 3.0 sys_q1\nq2 Q0 d3 1 1.0 sys_q2\n")
    (folder / "two.csv").write_text("run_id,topic_id,story_id,decision\na,q1,d1,yes\nb,q2,d3,yes\n")
    for path, names in (("two.txt", "'sys_q1', 'sys_q2'"), ("two.csv", "'a', 'b'")):
        with pytest.raises(
            InvalidInput, match=rf"E714 the files hold 2 runs \({names}\), and one id is given \('mine'\)"
        ):
            store.add_run("mine", condition="c", decisions=path)
    store.add_run("mine", condition="c", decisions="trec/p02.txt")
    assert "mine" in [name for [name] in store.engine.rows("select run_id from registry.run")]


def test_a_replaced_run_is_reported(store, folder):
    (folder / "late.txt").write_text(P02.replace("p02", "p01"))
    [said] = store.add_run(condition="c", decisions="late.txt")
    assert (said.code, said.message) == (
        "W714",
        "run p01 of c is replaced (was trec/p01.txt, 1 row; now late.txt, 2 rows)",
    )
    rows = {"topic_id": ["q1"], "story_id": ["d1"], "decision": ["yes"]}
    [*_, said] = store.add_run("p01", condition="c", decisions=rows)
    assert said.message == "run p01 of c is replaced (was late.txt, 2 rows; now columns, 1 row)"
    assert not [one for one in store.add_run("p01", condition="c", decisions=rows) if one.code == "W714"]
    assert "run p01 of c is replaced (was columns, 1 row; now trec/p01.txt, 1 row)" in store.evaluate("b.toml").notes


def test_a_replaced_corpus_and_condition_and_a_removed_profile_are_reported(store, folder):
    (folder / "qrels.txt").write_text(QRELS.replace("d2 0", "d2 1"))
    was, now = (f"3 stories, 2 topics, {yes} judged yes, {no} judged no" for yes, no in ((2, 2), (3, 1)))
    assert f"corpus k is replaced (was {was}; now {now})" in store.evaluate("b.toml").notes
    [said] = store.add_condition("c", corpus="k", task="filtering", profile="tdt5", on_topic=["yes", "brief"])[-1:]
    assert (said.code, said.message) == (
        "W714",
        "condition c is replaced (its settings, files or corpus changed) and has no numbers under trec11 any more, "
        "with 2 runs: p01, p02",
    )
    assert not [note for note in tdtsql.evaluate("b.toml").evaluate("b.toml").notes if "replaced" in note]


# ---- dropped


def test_a_run_that_is_not_read_again_does_not_count_for_other_topics(store, folder):
    """Without q1, q2 has its number: the decisions of a run that stays would be about another topic."""
    store.add_run("later", condition="c", decisions="trec/p02.txt")
    (folder / "trec" / "p01.txt").write_text(P01 + "q2 Q0 d1 2 1.0 p01\n")  # answers what is left, too
    for more in ('topic_pattern = "q2"\n', 'exclude_topics = { q1 = "too easy" }\n'):
        with pytest.raises(
            InvalidInput, match=r"condition:c: E715 its topics or trials changed, and run later is not read"
        ):
            store.evaluate(write_bundle(folder, more=more))
    (folder / "qrels.txt").write_text(QRELS.replace("q1 0 d2 0", "q1 0 d2 1"))
    store.evaluate(write_bundle(folder))
    assert store.refresh() == 3  # other judgments of the same topics are no hindrance
    store.drop_run("later")
    report = store.evaluate(write_bundle(folder, more='exclude_topics = { q1 = "too easy", q9 = "?" }\n'))
    assert "condition c: left out are the topics q1 (too easy), q9 (?)" in report.notes
    assert [problem.value for problem in report.warnings if problem.code == "W818"] == ["q9"]
    assert store.engine.rows("select block_id from base.block") == [("q2",)]


def test_a_reason_is_needed_for_a_topic_that_is_left_out(folder):
    for more in ('exclude_topics = ["q1"]\n', 'exclude_topics = { q1 = "" }\n'):
        with pytest.raises(InvalidInput, match="E703 condition 'c': exclude_topics is not a table of texts"):
            tdtsql.evaluate(write_bundle(folder, more=more))
    with pytest.raises(InvalidInput, match="E817 exclude_topics excludes every topic"):
        tdtsql.evaluate(write_bundle(folder, more='exclude_topics = { q1 = "x", q2 = "y" }\n'))


# ---- renamed, withdrawn


def test_a_renamed_run_keeps_its_rows_and_its_bundle_keeps_the_name(store):
    before = store.score("p01", metric="recall", subset="all").fetchall()
    [renamed] = store.rename_run("p01", "team-a")
    assert (renamed.condition_id, renamed.run_id, renamed.n_row) == ("c", "team-a", 1)
    assert [row[6] for row in store.score("team-a", metric="recall", subset="all").fetchall()] == [
        row[6] for row in before
    ]
    assert entries(store, "rename") == [("run:c/p01",)]
    assert store.evaluate("b.toml").kept[-2:] == ["run:c/team-a", "run:c/p02"]
    for old, new, error in (("team-a", "p02", WrongCall), ("team-a", " x", WrongCall), ("nobody", "x", UnknownName)):
        with pytest.raises(error):
            store.rename_run(old, new)


# ---- what changes for a run that stays


def test_another_reason_for_a_withdrawal_shows_the_one_before(store):
    [first] = store.withdraw_run("p01", reason="bug in the decoder")
    [again] = store.withdraw_run("p01", reason="entered twice")

    assert (str(first), str(again)) == ("c (1 rows)", "c (1 rows; the reason was 'bug in the decoder')")
    assert str(store.restore_run("p01")[0]) == "c (1 rows; the reason was 'entered twice')"


def test_a_run_of_values_with_nothing_in_common_is_named_by_its_own_file(tmp_path):
    """Two files of one pattern; the error named the first, which is sound."""
    for name in ("summarization/topics.xml", "value_tracking/kestrel.tsv", "value_tracking/osprey.tsv"):
        text = (EXAMPLE / name).read_text()
        (tmp_path / Path(name).name).write_text(text.replace("\tnorth", "9\tnorth") if "osprey" in name else text)
    (tmp_path / "b.toml").write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "value_tracking"\nevents = "topics.xml"\n'
        '[[run]]\ncondition = "c"\nfiles = ["*.tsv"]\nformat = "vt"\n'
    )
    with pytest.raises(InvalidInput) as caught:
        tdtsql.evaluate(tmp_path / "b.toml")

    assert {problem.path for problem in caught.value.problems} == {"osprey.tsv"}
