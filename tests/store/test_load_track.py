"""Summarization and value tracking from a bundle to the store: what does not fit together is said, in full, at once."""

import pytest

import tdtsql
from tdtsql.errors import InvalidInput

pytestmark = pytest.mark.usefixtures("unscored")

CONDITION = """[corpus]
id = "k"
[[condition]]
id = "c"
task = "summarization"
nuggets = "nuggets.tsv"
updates = "updates.tsv"
matches = "matches.tsv"
profile = [{profile}]
{more}
[[run]]
condition = "c"
files = ["run.tsv"]
"""
FILES = {
    "nuggets.tsv": "query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text\n1\tn1\t100\t3\t13\tthe dam "
    "broke\n",
    "updates.tsv": "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
    "1\td-0\td\t0\t13\tNULL\tthe dam broke\n",
    "matches.tsv": "query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p\n1\td-0\tn1\t0\t13\t0\n",
    "run.tsv": "1 t r d 0 200 1\n",
}


@pytest.fixture
def bundle(tmp_path):
    def write(*, profile="ts-seed", more="", **files):
        for name, text in (FILES | {f"{key}.tsv": value for key, value in files.items()}).items():
            (tmp_path / name).write_text(text)
        (tmp_path / "bundle.toml").write_text(CONDITION.format(profile=f'"{profile}"', more=more))
        return tmp_path / "bundle.toml"

    return write


@pytest.fixture(scope="module")
def store():
    with tdtsql.connect(":memory:") as opened:
        yield opened


def refused(store, path):
    with pytest.raises(InvalidInput) as caught:
        store.evaluate(path)
    return [f"{problem.path}:{problem.line or ''}:{problem.code}" for problem in caught.value.problems]


def test_every_file_is_read_before_anything_is_refused(store, bundle):
    path = bundle(
        nuggets=FILES["nuggets.tsv"] + "1\tn2\tnoon\t3\t4\tx\n",
        matches=FILES["matches.tsv"] + "1\td-0\tn1\t-1\t3\t0\n",
        run="1 t r d 0 soon 1\n1 t r d 0 200 nan\n",
    )

    assert refused(store, path) == ["nuggets.tsv:3:E501", "matches.tsv:3:E508", "run.tsv:1:E552", "run.tsv:2:E554"]
    assert store.sql("select count(*) from base.run_update").fetchall() == [(0,)]


def test_an_unknown_event_is_an_error_unless_the_program_passes_over_it(store, bundle):
    run = FILES["run.tsv"] + "7 t r d 0 200 1\n8 t r d 0 200 1\n"

    assert refused(store, bundle(run=run)) == ["run.tsv:2:E560", "run.tsv:3:E560"]
    report = store.evaluate(bundle(run=run, profile="ts2014"))
    assert [problem.code for problem in report.warnings if problem.path == "run.tsv"] == ["W560", "W560"]


def test_what_does_not_fit_together_is_counted(store, bundle):
    report = store.evaluate(
        bundle(
            nuggets=FILES["nuggets.tsv"] * 2,
            updates=FILES["updates.tsv"] + "2\tx-0\tx\t0\t1\tNULL\tx\n",
            matches=FILES["matches.tsv"] + "1\td-0\tghost\t0\t3\t0\n1\td-0\tghost\t0\t99\t0\n1\ty-0\tn1\t0\t3\t0\n",
            profile="ts2014",
        )
    )

    said = {(problem.path, problem.code): problem.message for problem in report.warnings}
    assert set(said) == {
        ("nuggets.tsv", "W500"),
        ("nuggets.tsv", "W506"),
        ("updates.tsv", "W520"),
        ("matches.tsv", "W521"),
        ("matches.tsv", "W522"),
        ("matches.tsv", "W523"),
    }
    assert said["matches.tsv", "W521"].endswith("2 such rows")


@pytest.mark.parametrize(
    ("more", "codes"),
    [
        ("tau = [0.5]", ["condition 'c'::E721"]),
        ("tau = [nan]", ["condition 'c'::E721"]),
        ("tau = [-3600]", ["condition 'c'::E721"]),
        ('events = "none.xml"', ["none.xml::E710"]),
    ],
)
def test_parameters_that_cannot_be(store, bundle, more, codes):
    assert refused(store, bundle(more=more)) == codes


def test_a_condition_names_what_the_task_needs(store, tmp_path):
    path = tmp_path / "bundle.toml"
    path.write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "summarization"\n[[condition]]\nid = "d"\ntask = '
        '"value_tracking"\n'
    )

    assert refused(store, path) == ["condition 'c'::E720"] * 3 + ["condition 'd'::E720"]


def test_tau_without_events_is_said(store, bundle):
    report = store.evaluate(bundle(more="tau = [60]"))

    assert "W527" in [problem.code for problem in report.warnings]


@pytest.mark.sample(1)
@pytest.mark.parametrize("mark", [" ", "\t"])
@pytest.mark.parametrize("line", ["1 t r d 0 200 1 0.5", "1 t r d 0 200 1 13 4"])
def test_a_run_line_with_a_column_too_many_is_told(store, bundle, line, mark):
    """Also where all lines have it, so that the engine could read the file: of a column too many nobody knows which it
    is.
    """
    run = "".join(line.replace("0 200", f"{number} 200").replace(" ", mark) + "\n" for number in range(3))

    assert refused(store, bundle(run=run)) == [f"run.tsv:{number}:E555" for number in (1, 2, 3)]
    assert [
        problem.code for problem in store.evaluate(bundle(run=run, profile="ts2014")).warnings if problem.code == "W555"
    ] == ["W555"]


def test_a_run_of_columns(example_copy):
    pandas = pytest.importorskip("pandas")
    with tdtsql.connect(example_copy) as store:
        frame = pandas.DataFrame(
            {"event_id": ["1", "1"], "update_id": ["hrb-0105-a-0", "unheard-of"], "time": [1073293200, 1073293300]}
        )
        store.add_run("mine", condition="ts", decisions=frame)

        assert store.score("mine", metric="n_match", profile="ts-seed", weighting="topic").fetchall()[0][7] == 1


def test_updates_that_no_pool_knows_are_counted_where_they_stay(store, bundle):
    run = FILES["run.tsv"] + "1 t r other 4 210 1\n1 t z d 0 210 1\n1 t z other 5 210 1\n1 t z other 6 210 1\n"
    strict, program = store.evaluate(bundle(run=run)), store.evaluate(bundle(run=run, profile="ts2014"))

    assert [problem.message.partition(":")[0] for problem in strict.warnings if problem.code == "W561"] == [
        "1 of 2 updates of run t-r are in no pool",
        "2 of 3 updates of run t-z are in no pool",
    ]
    assert "W561" not in [problem.code for problem in program.warnings]


def test_a_run_that_stops_the_program_of_2013_is_scored_and_said(store, bundle):
    report = store.evaluate(bundle(profile="ts2013"))

    assert [problem.message.split(":")[0] for problem in report.warnings if problem.code == "W562"] == [
        "run t-r has 1 events"
    ]
