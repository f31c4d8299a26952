"""The Python interface: a store, its scores as relations, runs from anything that has columns."""

import inspect
import shutil

import duckdb
import pandas
import polars
import pyarrow
import pytest

import tdtsql
from loads import unscored_loads
from tdtsql import api
from tdtsql.cli.main import cli
from places import SMALL


#: two topics, four stories after training each; the system misses one of the two targets
ROWS = {
    "topic_id": ["81001"] * 4 + ["81002"] * 4,
    "story_id": ["B1", "B2", "A3", "A4"] * 2,
    "decision": ["yes", "no", "no", "no", "no", "no", "no", "no"],
    "score": [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
}


@pytest.fixture(scope="module")
def evaluated(evaluated_once):
    return evaluated_once(SMALL)


@pytest.fixture(scope="module")
def shown(evaluated, tmp_path_factory):
    """Return an open store for all tests that change nothing."""
    with tdtsql.connect(shutil.copy(evaluated, tmp_path_factory.mktemp("shown"))) as store:
        yield store


@pytest.fixture
def store(evaluated, tmp_path):
    with tdtsql.connect(shutil.copy(evaluated, tmp_path)) as store:
        yield store


KINDS = ("pandas", "polars", "arrow", "relation", "mapping", "arrays", "path", "text path", "other connection")


@pytest.fixture(scope="module")
def added(evaluated, tmp_path_factory):
    """Return a store with a run of ``ROWS`` given as each kind, scored together, and another added twice (`again`);
    and what `add_run` returned.
    """
    path = tmp_path_factory.mktemp("added") / "mine.csv"
    frame = pandas.DataFrame(ROWS)
    frame.to_csv(path, index=False)
    said = {}
    with tdtsql.connect(shutil.copy(evaluated, path.parent)) as store, duckdb.connect() as other:
        other.register("mine", frame)
        kinds = (
            frame,
            polars.DataFrame(ROWS),
            pyarrow.table(ROWS),
            store.relation(f"from read_csv('{path}', all_varchar = true)"),
            ROWS,
            {name: frame[name].to_numpy() for name in ROWS},
            path,
            str(path),
            other.sql("select * from mine"),
        )
        with unscored_loads():
            for kind, decisions in zip(KINDS, kinds, strict=True):
                said[kind] = store.add_run(kind, condition="c", decisions=decisions)
            for decisions in (frame, pandas.DataFrame({**ROWS, "decision": ["yes"] * 8})):
                said["again"] = store.add_run("again", condition="c", decisions=decisions)
        store.refresh()
        yield store, said


def p_miss(store, run):
    [row] = store.score(run=run, metric="p_miss", subset="all", weighting="topic").fetchall()
    return row[7]


def test_evaluate_returns_a_scored_store_in_memory():
    with tdtsql.evaluate(SMALL) as store:
        assert store.path == ":memory:" and p_miss(store, "s") == 0.0


def test_scores_are_relations(shown):
    relation = shown.score(run="s", metric="c_det_norm", subset="all", weighting="topic")

    assert (
        relation.columns
        == ("run_id task condition_id profile_id subset metric weighting value n version signature null_reason").split()
    )
    [row] = relation.fetchall()
    value = row[7]
    assert relation.df()["value"].tolist() == [value]
    assert relation.pl()["value"].to_list() == [value]
    assert (
        pyarrow.table(relation.arrow())["value"].to_pylist() == [value]
        if not hasattr(relation.arrow(), "read_all")
        else relation.arrow().read_all()["value"].to_pylist() == [value]
    )


def test_a_curve_is_of_one_weighting(shown):
    curves = {weighting: shown.det_curve("s", weighting=weighting).fetchall() for weighting in ("topic", "story", None)}

    assert {row[3] for row in shown.det_curve("s").fetchall()} == {row[3] for row in curves["topic"]} == {"topic"}
    assert {row[3] for row in curves["story"]} == {"story"}
    assert curves[None] == curves["story"] + curves["topic"]


def test_a_relation_stays_what_it_was(added):
    store, _ = added
    curve, lineage = store.det_curve("s"), store.lineage("p_miss")
    store.det_curve("mapping"), store.lineage("p_fa")

    assert {row[0] for row in curve.fetchall()} == {"s"}
    assert "p_miss" in {row[2] for row in lineage.fetchall()}


def test_sql_returns_a_relation(shown):
    assert shown.sql("select count(*) as n from registry.run").fetchall() == [(1,)]


def test_adding_again_replaces(added):
    store, said = added

    assert [problem.code for problem in said["again"]] == ["W714"]
    assert p_miss(store, "again") == 0.0
    assert store.sql("select count(*) from registry.run where run_id = 'again'").fetchall() == [(1,)]


def test_a_list_of_one_name_is_the_name(store):
    condition = store.conditions().fetchall()[0][0]

    assert store.leaderboard([condition], profile=["tdt2004"]).df().shape == store.leaderboard(condition).df().shape
    assert str(store.explain(["s"], ["p_miss"], condition=[condition])) == str(store.explain("s", "p_miss"))
    assert [run.run_id for run in store.withdraw_run(["s"], reason="late")] == ["s"]


#: option of the command line -> what does the same in Python
ELSEWHERE = {
    "score": {
        "wide": "pivot",
        "long": "the relation",
        "percent": "pivot",
        "interval": "pivot",
        "paper": "paper",
        "baseline": "paper",
        "unit": "pivot, paper",
        "curve": "det_curve",
        "all_points": "det_curve",
        "distributions": "score_distributions",
        "blind": "leaderboard, report",
    },
    "leaderboard": {},
    "report make": {"out": "path"},
    "gate": {},
    "compare": {},
    "explain": {},
}
#: of every command: the store, the form of what is printed; and progress of a method
OF_A_COMMAND, OF_A_METHOD = {"db", "trace", "format", "output", "signature", "help"}, {"self", "path", "progress"}


@pytest.mark.parametrize("command", ELSEWHERE)
def test_a_method_takes_what_the_command_takes(command):
    found = cli
    for word in command.split():
        found = found.get_command(None, word)
    options = {
        max((text.lstrip("-") for text in (*one.opts, *one.secondary_opts) if not text.startswith("--no-g")), key=len)
        .replace("-", "_")
        .removeprefix("no_")
        if one.secondary_opts
        else (one.name if one.param_type_name == "argument" else max(one.opts, key=len).lstrip("-").replace("-", "_"))
        for one in found.params
    }
    words = {"runs": "run", "run_id": "run", "block": "topic"}
    taken = {words.get(name, name) for name in inspect.signature(getattr(api.Store, command.split()[0])).parameters}

    options = {words.get(name, name) for name in options - OF_A_COMMAND - set(ELSEWHERE[command])}
    assert options == taken - OF_A_METHOD - {"per_topic"} | options & {"per_topic"}


def test_an_empty_store_has_an_empty_leaderboard():
    with tdtsql.connect(":memory:") as store:
        assert store.leaderboard().fetchall() == []
