"""What the questions of the cookbook answer: whole answers on stores small enough to look at, and where numbers can be
had another way, those.
"""

import re
import shutil
from contextlib import ExitStack

import numpy as np
import pytest
from cookbook_stores import EXPECTED, FILTERING, expected, trials, write_stores
from loads import unscored_loads

import tdtsql
from tdtsql.cli.output import print_tables
from tdtsql.show.section import as_query
from tdtsql.show.section import questions
from tdtsql.show.table import Table
from tdtsql.definitions.contract import types_of


@pytest.fixture(scope="module")
def stores(example_store, evaluated_once, made_once):
    return made_once("cookbook", lambda folder: write_stores(folder, example_store, evaluated_once(FILTERING)))


@pytest.fixture(scope="module")
def store(stores):
    with tdtsql.connect(stores / "example.duckdb", read_only=True) as opened:
        yield opened


def versionless(text: str) -> str:
    """Return an answer without the versions that end signatures, which change with every release."""
    return re.sub(r"\|tdtsql:[^|\n]*\|duckdb:[^,\n]*", "", text)


def rows(answer) -> list[dict]:
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]


def test_every_question_has_an_expected_answer():
    assert {path.stem for path in EXPECTED.glob("*.csv")} == set(questions())


@pytest.fixture(scope="module")
def opened(stores):
    """Return store -> the store, open for all questions of this file."""
    with ExitStack() as stack:
        yield {
            path.stem: stack.enter_context(tdtsql.connect(path, read_only=True))
            for path in stores.glob("*.duckdb")
            if path.stem in {expected(name)[0] for name in questions()}
        }


@pytest.mark.parametrize("name", questions())
def test_the_whole_answer(stores, opened, capsys, name):
    """And its columns have the types, and its rows the grain, that the header says."""
    question = questions()[name]
    of, parameters, text = expected(name)
    given = {key.removeprefix("--"): value for key, value in zip(parameters[::2], parameters[1::2], strict=True)}
    if question.reads_another_store and "other" in given:
        given["other"] = stores / given["other"]
    answer = opened[of].ask(name, **given)
    columns, types, found = answer.columns, answer.types, answer.fetchall()
    print_tables([Table(columns, found)], "csv")

    assert versionless(capsys.readouterr().out) == versionless(text)
    assert found or name in ("stale_runs", "ledger_entries", "history")
    for column, kind in zip(question.columns, types, strict=True):
        assert str(kind) in types_of(column.unit), f"{column.name} is {kind}"
    places = [columns.index(key) for key in question.grain]
    assert len({tuple(row[place] for place in places) for row in found}) == len(found)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "name", [name for name, one in questions().items() if not one.reads_another_store and not one.needs]
)
def test_the_query_with_its_values_written_out_answers_the_same(opened, name):
    of, parameters, _ = expected(name)
    given = {key.removeprefix("--"): value for key, value in zip(parameters[::2], parameters[1::2], strict=True)}
    query = as_query(opened[of].engine, questions()[name], given)
    assert "$" not in query and opened[of].sql(query).fetchall() == opened[of].ask(name, **given).fetchall()


#: lists of what the store holds: a withdrawn run is in the store, with its files and warnings
HOLDINGS = {"totals", "condition_list", "conditions", "warnings", "accepted_warnings"}


@pytest.mark.parametrize(("of", "run"), [("example", "osprey"), ("trials", "north"), ("clusters", "torn")])
def test_a_withdrawn_run_counts_no_more_than_a_dropped_one(stores, tmp_path, of, run):
    """In the rows of the other runs, whatever is said of all runs together: best, median, rank, number of runs."""
    with ExitStack() as stack:
        dropped, withdrawn = (
            stack.enter_context(tdtsql.connect(shutil.copy(stores / f"{of}.duckdb", tmp_path / f"{name}.duckdb")))
            for name in ("dropped", "withdrawn")
        )
        dropped.drop_run(run, yes=True)
        withdrawn.withdraw_run(run, reason="a test")
        for name, question in questions().items():
            store, parameters, _ = expected(name)
            if store == of and run not in parameters and name not in HOLDINGS and not question.reads_another_store:
                given = {key.removeprefix("--"): value for key, value in zip(*[iter(parameters)] * 2, strict=True)}
                others = [
                    [row for row in asked.ask(name, **given).fetchall() if run not in row]
                    for asked in (dropped, withdrawn)
                ]
                assert others[0] == others[1], name


# ---- the same numbers, another way


def test_what_hangs_on_one_judgment_is_what_a_corrected_one_changes(stores):
    """The second annotator takes one story off its topic: it is a non-target then, and the misses are those
    without it.
    """
    with tdtsql.connect(stores / "second.duckdb", read_only=True) as second:
        [[story]] = second.sql("""
            select story_id from base.judgment as one join base.judgment as two using (corpus_no, topic_no, story_no)
                join base.story using (corpus_no, story_no)
            where one.judgment_set = 1 and two.judgment_set = 2 and one.label <> two.label""").fetchall()
        changed = {
            row["run_id"]: row
            for row in rows(second.ask("judgment_changes", condition="trk-eng-1", profile="tdt2004", metric="p_miss"))
            if row["weighting"] == "topic"
        }
        foretold = {
            row["run_id"]: row
            for row in rows(
                second.ask("judgment_effect", condition="trk-eng-1", profile="tdt2004", topic="70001", story=story)
            )
        }

    assert set(changed) == set(foretold) == {"osprey", "kestrel", "sparrow"}
    for run, row in changed.items():
        assert foretold[run]["outcome"] == "hit" and row["difference"] == pytest.approx(
            foretold[run]["mean_change"], rel=1e-9
        )


def test_bins_are_those_of_numpy(stores):
    key, runs = trials()
    with tdtsql.connect(stores / "trials.duckdb", read_only=True) as store:
        for run, scored in runs.items():
            for attribute, bins in (("attack", 7), ("codec", 13), (None, 40)):
                found = rows(store.ask("score_histogram", run=run, attribute=attribute, bins=bins))
                values = [None if attribute is None or value == "-" else value for value in key[attribute or "codec"]]
                for label, value in dict.fromkeys(zip(key["label"], values, strict=True)):
                    mine = [
                        score
                        for score, kind, own in zip(scored, key["label"], values, strict=True)
                        if (kind, own) == (label, value)
                    ]
                    count, ends = np.histogram(mine, bins, (min(scored), max(scored)))
                    here = [row for row in found if (row["is_target"], row["value"]) == (int(label == "target"), value)]
                    assert {row["bin_no"]: row["n_trial"] for row in here} == {
                        place: n for place, n in enumerate(count) if n
                    }
                    assert [(row["lower_end"], row["upper_end"], row["share"]) for row in here] == [
                        pytest.approx(
                            (ends[row["bin_no"]], ends[row["bin_no"] + 1], row["n_trial"] / len(mine)), abs=1e-12
                        )
                        for row in here
                    ]


def test_bins_are_drawn(stores):
    with tdtsql.connect(stores / "trials.duckdb", read_only=True) as store:
        figure = store.plot("score_histogram", run="west", attribute="attack", bins=6)
    # a panel a value; what has none, the targets, is in each
    assert [axes.get_title() for axes in figure.axes] == ["A07 (4)", "A08 (4)"]
    for axes in figure.axes:
        assert [patch.get_gid() for patch in axes.patches] == ["area-0", "area-1"]
        outline = [[0, 0], [0, 0.125], [1, 0.125], [1, 0.375], [2, 0.375], [2, 0.5], [3, 0.5], [3, 0], [0, 0]]
        assert axes.patches[0].get_xy().tolist() == outline
    assert figure.axes[0].patches[1].get_xy()[1:7:2, 1].tolist() == [0.5, 0.25, 0.25]
    assert figure.get_suptitle() == "west, attack, spoof"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["target (8)", "non-target (8)"]
    # a bin between others that has no trial, and scores that are infinite
    inf = float("inf")
    with unscored_loads(), tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        key = {"trial_id": list("abcdef"), "label": [0, 0, 0, 0, 0, 1]}
        store.add_condition("c", corpus="k", task="verification", key=key, profile=["voxsrc"])
        store.add_run("a", condition="c", scores={"trial_id": list("abcdef"), "score": [-inf, 0, 0.5, 4, 3.5, inf]})
        patches = store.plot("score_histogram", run="a", bins=4).axes[0].patches
    assert [patch.get_label() for patch in patches] == ["non-target (5, 1 at -infinity)"]
    corners = [[0, 0], [0, 0.4], [1, 0.4], [1, 0], [3, 0], [3, 0.4], [4, 0.4], [4, 0], [0, 0]]
    assert patches[0].get_xy().tolist() == corners


# ---- how it is asked


def test_a_value_is_bound_and_not_pasted(store):
    assert rows(store.ask("cost_by_language", kind="language' or '1' = '1")) == []
    assert (
        rows(store.sql(as_query(store.engine, questions()["cost_by_language"], {"kind": "language' or '1' = '1"})))
        == []
    )
    assert rows(store.ask("accepted_warnings", code="W561' or '1' = '1")) == []


# ---- another store


def test_drift_says_what_is_not_up_to_date_there(stores, tmp_path):
    import shutil

    shutil.copy(stores / "example.duckdb", tmp_path / "old.duckdb")
    with unscored_loads(), tdtsql.connect(tmp_path / "old.duckdb") as old:
        old.add_run(
            "osprey",
            condition="trk-any-1",
            decisions={"topic_id": ["70001"], "story_id": ["HRB20040105.0002"], "decision": ["yes"], "score": [1.0]},
        )
        old.engine.execute(
            "delete from ledger.result_score where computation_no in (select computation_no from ledger.computation "
            "join registry.run using (run_no) where run_id = 'osprey')"
        )
        stale = old.engine.value("select count(*) from report.stale")
    with tdtsql.connect(stores / "example.duckdb", read_only=True) as store:
        found = [
            row for row in rows(store.ask("drift", other=tmp_path / "old.duckdb")) if row["condition_id"] == "trk-any-1"
        ]

    assert {row["reason"] for row in found} == ({"not up to date there"} if stale else {"only here"})


def test_names_of_runs_may_have_a_condition(store):
    """trk-eng-1/osprey is osprey under that condition alone, for the run and for its baseline; order is that given."""
    given = {"rules": ["c_det_norm > +0.02"], "profiles": ["tdt2004"]}
    answer = store.ask("verdicts", runs=["trk-eng-1/kestrel"], baselines=["trk-eng-1/osprey"], **given)
    assert [(row["condition_id"], row["run_id"], row["baseline_condition_id"]) for row in rows(answer)] == [
        ("trk-eng-1", "kestrel", "trk-eng-1")
    ]
    runs = ["trk-eng-1/osprey", "trk-eng-1/kestrel"]
    answer = store.ask("run_numbers", runs=runs, metrics=["p_miss"], profiles=["tdt2004"])
    assert [f"{row['condition_id']}/{row['run_id']}" for row in rows(answer)] == runs
