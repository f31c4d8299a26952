"""Broken inputs of clusterings: what is said, where, and that nothing is stored; and what is read although it is
odd.
"""

import duckdb
import pytest

import tdtsql
from clustering_case import numbers, write_bundle
from tdtsql.loading.bundle import evaluate_into
from tdtsql.scoring.recompute import recompute
from tdtsql.errors import InvalidInput, Problems
from rows_of_files import read_clusters

pytestmark = pytest.mark.usefixtures("unscored")


GOOD = "item_id,cluster_id\na,1\nb,1\n"
DOCUMENT = "#begin document (d); part 000\nd 0 0 w {}\nd 0 1 w {}\n#end document\n"

#: what two files show together: name -> (ending, gold, answer, profile columns, code, line, column, a word of the
#: message or value); broken files are in fixtures/malformed
REFUSED = {
    "blocks in the gold alone": (
        *("csv", "block_id,item_id,cluster_id\nd,a,1\n", GOOD, {}),
        *("E929", None, None, "the gold names blocks"),
    ),
    "blocks in the run alone": (
        *("csv", GOOD, "block_id,item_id,cluster_id\nd,a,1\n", {}),
        *("E929", None, None, "the run names blocks"),
    ),
    "item in two clusters": (
        *("csv", "item_id,cluster_id\na,1\na,2\nb,1\n", GOOD, {"overlap": "error"}),
        *("E922", 3, None, "several clusters"),
    ),
    "answer in two clusters": (
        *("csv", GOOD, "item_id,cluster_id\na,1\nb,1\nb,2\n", {"overlap": "error"}),
        *("E922", 4, None, "several clusters"),
    ),
    "header alone": ("csv", "item_id,cluster_id\n", GOOD, {}, "E318", None, None, "no row"),
    "missing item": ("csv", GOOD, "item_id,cluster_id\na,1\n", {"missing_item": "error"}, "E923", None, None, "b"),
    "spurious item": ("csv", "item_id,cluster_id\na,1\n", GOOD, {"spurious_item": "error"}, "E924", 3, None, "b"),
    "fewer lines": (
        *("conll", DOCUMENT.format("(1)", "(1)"), "#begin document (d); part 000\nd 0 0 w (1)\n#end document\n", {}),
        *("E925", None, None, "1 line, and 2"),
    ),
}

#: name -> (ending, gold, answer, code, line, a word)
ACCEPTED = {
    "the same row twice": ("csv", "item_id,cluster_id\na,1\na,1\nb,1\n", GOOD, "W921", 3, "already in this cluster"),
    "a block on one side": (
        "csv",
        "block_id,item_id,cluster_id\nd,a,1\ne,a,1\n",
        "block_id,item_id,cluster_id\nd,a,1\nf,a,1\n",
        "W926",
        None,
        "1 block of the gold not in the run, first e; 1 block of the run not in",
    ),
    "ids that look alike": ("csv", GOOD, "item_id,cluster_id\nA,1\nb,1\n", "W927", 2, "looks like 'a'"),
    "noise": ("csv", GOOD, "item_id,cluster_id\na,-1\nb,1\n", "W928", None, "noise_label"),
    "nothing said": ("csv", GOOD, "item_id,cluster_id\n", "W930", 1, "no item in a cluster"),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Return a store with a good clustering in it."""
    folder = tmp_path_factory.mktemp("good")
    (folder / "gold.csv").write_text(GOOD)
    with tdtsql.evaluate(write_bundle(folder, {"gold": "gold.csv"}, [{"id": "s", "files": ["gold.csv"]}])) as opened:
        yield opened


def bundle(folder, ending, gold, answer, columns=None):
    for name, text in (("gold", gold), ("system", answer)):
        data = text if isinstance(text, bytes) else text.encode()
        (folder / f"{name}.{ending}").write_bytes(data)
    form = {} if ending.startswith("csv") else {"format": ending}
    return write_bundle(
        folder,
        {"id": "broken", "gold": f"gold.{ending}", "profile": ["mine"]},
        [{"id": "s", "condition": "broken", "files": [f"system.{ending}"], **form}],
        {"mine": columns or {}},
    )


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", REFUSED)
def test_a_broken_input_is_refused_with_its_place(name, store, tmp_path):
    ending, gold, answer, columns, code, line, column, word = REFUSED[name]
    before = (
        store.sql("select count(*) from base.partition_answer").fetchall(),
        store.sql("select condition_id from registry.condition").fetchall(),
    )

    with pytest.raises(InvalidInput) as caught:
        evaluate_into(store.engine, bundle(tmp_path, ending, gold, answer, columns))

    problem = next(problem for problem in caught.value.problems if problem.code == code)
    assert (problem.line, problem.column) == (line, column)
    assert word in str(problem) and problem.advice.endswith((".", "?"))
    assert before == (
        store.sql("select count(*) from base.partition_answer").fetchall(),
        store.sql("select condition_id from registry.condition").fetchall(),
    )


@pytest.mark.parametrize("name", ACCEPTED)
@pytest.mark.sample(1)
def test_an_odd_input_is_read_and_said(name, tmp_path):
    ending, gold, answer, code, line, word = ACCEPTED[name]
    with tdtsql.connect(":memory:") as store:
        report = evaluate_into(store.engine, bundle(tmp_path, ending, gold, answer))

    [problem] = [problem for problem in report.warnings if problem.code == code]
    assert problem.line == line and word in str(problem)


def test_an_item_without_cluster_is_missing_and_numbers_are_made_again_as_they_are_kept(tmp_path):
    with tdtsql.connect(":memory:") as store:
        evaluate_into(
            store.engine,
            bundle(tmp_path, "csv", "item_id,cluster_id\na,1\nb,1\nc,\n", "item_id,cluster_id\na,1\nb,\nc,1\n"),
        )
        store.refresh()
        found = numbers(store)
        outcome = recompute(store.engine)

    assert [found[name] for name in ("n_gold_item", "n_system_item", "n_shared_item")] == [2, 2, 1]
    assert outcome.n_computation == 1 and outcome.divergences == []


def test_the_place_of_an_odd_row_is_that_in_its_own_file(store, tmp_path):
    """The row is the second of the second file: line 3 of a text, row 2 of a Parquet file; of a file with a quote the
    reader counts.
    """
    (tmp_path / "gold.csv").write_text(GOOD)
    (tmp_path / "one.csv").write_text("item_id,cluster_id\na,1\n")
    (tmp_path / "two.csv").write_text("item_id,cluster_id\nb,1\nspurious,1\n")
    (tmp_path / "quoted.csv").write_text('item_id,cluster_id\n"b",1\nspurious,1\n')
    duckdb.connect().execute(
        f"copy (from (values ('b', 1), ('spurious', 1)) as rows (item_id, cluster_id)) to '{tmp_path / 'two.parquet'}'"
    )
    for name, line in (("two.csv", 3), ("quoted.csv", 3), ("two.parquet", 2)):
        bundle = write_bundle(
            tmp_path,
            {"gold": "gold.csv", "profile": ["mine"]},
            [{"id": "s", "files": ["one.csv", name]}],
            {"mine": {"spurious_item": "error"}},
        )
        with pytest.raises(InvalidInput) as caught:
            evaluate_into(store.engine, bundle)
        assert [(problem.code, problem.path, problem.line, problem.value) for problem in caught.value.problems] == [
            ("E924", name, line, "spurious")
        ]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("column", "code", "line", "word"),
    [
        ("cast(7.5 as double)", "E306", 1, "float"),
        ("true", "E306", 1, "true"),
        ("[1, 2]", "E306", 1, "[1, 2]"),
        ("date '2004-01-05'", "E306", 1, "2004-01-05"),
        ("{'a': 1}", "E306", 1, "{'a': 1}"),
        ("cast(null as double)", None, None, None),  # in no cluster, and nothing else
    ],
)
def test_a_parquet_file_of_wrong_types_is_refused_with_its_row(column, code, line, word, tmp_path):
    (tmp_path / "gold.csv").write_text(GOOD)
    duckdb.connect().execute(f"copy (select 'a' as item_id, {column} as cluster_id) to '{tmp_path / 'run.parquet'}'")
    bundle_path = write_bundle(tmp_path, {"gold": "gold.csv"}, [{"id": "s", "files": ["run.parquet"]}])
    with tdtsql.connect(":memory:") as store:
        if code is None:
            assert [problem.code for problem in evaluate_into(store.engine, bundle_path).warnings] == ["W930"]
            return
        with pytest.raises(InvalidInput) as caught:
            evaluate_into(store.engine, bundle_path)
        assert store.sql("select count(*) from registry.run").fetchall() == [(0,)]

    problem = caught.value.problems[0]
    assert (problem.code, problem.line, problem.column) == (code, line, None) and word in str(problem)


def test_languages_of_a_condition_are_refused(store, tmp_path):
    """They would change nothing, for the gold says which items count; each language is a subset."""
    (tmp_path / "gold.csv").write_text(GOOD)
    with pytest.raises(InvalidInput) as caught:
        evaluate_into(
            store.engine,
            write_bundle(
                tmp_path, {"gold": "gold.csv", "languages": ["ENGLISH"]}, [{"id": "s", "files": ["gold.csv"]}]
            ),
        )

    [problem] = caught.value.problems
    assert (problem.code, problem.value) == ("E938", "ENGLISH") and "--subset" in problem.advice


def test_a_file_of_several_runs_makes_one_each(tmp_path):
    (tmp_path / "gold.csv").write_text(GOOD)
    (tmp_path / "runs.csv").write_text("run_id,item_id,cluster_id\nx,a,1\nx,b,1\ny,a,1\ny,b,2\n")
    with tdtsql.evaluate(write_bundle(tmp_path, {"gold": "gold.csv"}, [{"files": ["runs.csv"]}])) as store:
        store.refresh()
        found = dict(
            store.sql(
                "select run_id, value from report.score where metric = 'b3_recall' and weighting = 'story'"
            ).fetchall()
        )

    assert found == {"x": 1, "y": 0.5}


def test_a_column_of_fractions_is_refused(tmp_path, store):
    with pytest.raises(InvalidInput, match="E306 cluster_id is a column of floating-point numbers"):
        store.add_run("t", condition="c", decisions={"item_id": ["a", "b"], "cluster_id": [1.0, 2.5]})


def test_json_lines_may_have_the_names_of_tidy_columns():
    problems = Problems("gold.jsonl")

    found = read_clusters(b'{"item_id": "a", "cluster_id": 1, "block_id": "d"}\n', problems, "jsonl").columns

    assert not problems.found and [found[name] for name in found] == [["a"], ["1"], ["d"], [None]]
