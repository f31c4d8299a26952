"""Columns given in Python take the way that the same rows take in a file: the same hash, the same problems, and where
they are clean no row becomes an object of Python.
"""

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest

import tdtsql
from tdtsql.files.frame import Frame
from tdtsql.errors import InvalidInput

pytestmark = pytest.mark.usefixtures("unscored")


#: condition, and what gives the decisions of its run osprey by the names that users know
TOLD = {
    "tracking": (
        "trk-eng-1",
        """select block_id as topic_id, story_id, case when is_yes then 'yes' else 'no' end as decision, score
        from base.decision join registry.run using (run_no) join registry.condition using (condition_no)
        join base.block using (condition_no, block_no)
            join base.story on story.corpus_no = condition.corpus_no and story_no = trial_no
        where run_id = 'osprey' and condition_id = 'trk-eng-1' order by topic_id, story_id""",
    ),
    "new_event": (
        "new-eng-10",
        """select story_id, case when is_yes then 'yes' else 'no' end as decision, score
        from base.decision join registry.run using (run_no) join registry.condition using (condition_no)
        join base.story on story.corpus_no = condition.corpus_no and story_no = trial_no
        where run_id = 'osprey' and condition_id = 'new-eng-10' order by story_id""",
    ),
    "link": (
        "link-mul-10",
        """select id_1 as story_id_1, id_2 as story_id_2, case when is_yes then 'yes' else 'no' end as decision, score
        from base.decision join registry.run using (run_no) join registry.condition using (condition_no)
            join base.link_pair using (condition_no, trial_no)
        where run_id = 'osprey' and condition_id = 'link-mul-10' order by trial_no""",
    ),
}


@pytest.fixture(scope="module")
def store(example_copy):
    with tdtsql.connect(example_copy) as opened:
        yield opened


@pytest.fixture(scope="module")
def told(store):
    return {task: store.sql(sql).df() for task, (_, sql) in TOLD.items()}


@pytest.fixture
def no_rows_of_python(monkeypatch):
    def refuse(self):
        raise AssertionError("rows became objects of Python")

    monkeypatch.setattr(Frame, "columns", refuse)


def run_hash(store, run, condition):
    return store.engine.value(
        "select run.content_sha256 from registry.run join registry.condition using (condition_no) where run_id = ? "
        "and condition_id = ?",
        [run, condition],
    )


def forms(frame, store):
    """Return the same rows in every form that the engine reads where it lies, and in another order."""
    other = duckdb.connect()
    other.register("mine", frame)
    return {
        "pandas": frame,
        "objects": frame.astype({name: object for name in frame.columns if name != "score"}),
        "categories": frame.astype({"decision": "category"}),
        "polars": polars.from_pandas(frame),
        "arrow": pyarrow.Table.from_pandas(frame, preserve_index=False),
        "stream": pyarrow.Table.from_pandas(frame, preserve_index=False).to_reader(),
        "relation": store.engine.connection.from_df(frame),
        "another connection": other.sql("from mine"),
        "arrays": {name: frame[name].to_numpy() for name in frame},
        "lists": {name: frame[name].tolist() for name in frame},
        "booleans": frame.assign(decision=frame["decision"] == "yes"),
        "numbers": frame.assign(decision=(frame["decision"] == "yes").astype("int8")),
        "words": frame.assign(decision=(frame["decision"] == "yes").astype(str)),
        "scores as text": frame.assign(score=frame["score"].map(repr)),
        "shuffled": frame.sample(frac=1, random_state=7),
    }


FORMS = "pandas objects categories polars arrow stream relation arrays lists booleans numbers words".split()


@pytest.mark.parametrize("form", [*FORMS, "another connection", "scores as text", "shuffled"])
@pytest.mark.parametrize("task", TOLD)
@pytest.mark.sample(5)
def test_clean_columns_are_numbered_by_the_engine_and_have_the_hash_of_the_official_file(
    store, told, no_rows_of_python, task, form
):
    condition = TOLD[task][0]
    before = run_hash(store, "osprey", condition)

    store.add_run("osprey", condition=condition, decisions=forms(told[task], store)[form])

    assert run_hash(store, "osprey", condition) == before
    assert store.engine.rows(
        "select format, n_row, system from registry.run join registry.condition using (condition_no) where run_id = "
        "'osprey' and condition_id = ?",
        [condition],
    ) == [("frame", len(told[task]), None)]


def test_a_run_has_the_hash_that_it_has_in_a_file_and_among_others(store, told, tmp_path):
    """And sparrow, whose rows came in a file with osprey's, has it alone."""
    before = run_hash(store, "osprey", "trk-eng-1"), run_hash(store, "sparrow", "trk-any-1")
    rows = told["tracking"]
    rows.to_csv(tmp_path / "run.csv", index=False)
    others = [rows.assign(run_id="another", score=rows["score"] / 2), rows.assign(run_id="osprey")]
    alone = TOLD["tracking"][1].replace("osprey", "sparrow").replace("trk-eng-1", "trk-any-1")
    alone = store.sql(alone).df()
    for name, given in (("osprey", tmp_path / "run.csv"), (None, pandas.concat(others))):
        store.add_run(name, condition="trk-eng-1", decisions=given)
        assert run_hash(store, "osprey", "trk-eng-1") == before[0]
    store.add_run("sparrow", condition="trk-any-1", decisions=alone)
    assert run_hash(store, "sparrow", "trk-any-1") == before[1]
    store.drop_run("another")


def test_no_two_numbers_of_a_store_share_a_signature(example_store):
    with tdtsql.connect(example_store, read_only=True) as opened:
        [[n_number, n_signature]] = opened.engine.rows("select count(*), count(distinct signature) from report.score")
    assert n_number == n_signature > 10_000


@pytest.mark.sample(1)
@pytest.mark.parametrize("task", TOLD)
def test_one_decision_that_differs_is_another_hash(store, told, task):
    condition = TOLD[task][0]
    rows = told[task].copy()
    rows.loc[1, "decision"] = "no" if rows.loc[1, "decision"] == "yes" else "yes"
    store.add_run("osprey", condition=condition, decisions=told[task])
    before = run_hash(store, "osprey", condition)

    store.add_run("osprey", condition=condition, decisions=rows)

    assert run_hash(store, "osprey", condition) != before


@pytest.mark.parametrize("condition", ["trk-eng-4", "new-eng-10"])
def test_decisions_of_official_files_have_the_segments_of_their_stories(store, condition):
    rows = store.engine.rows(
        """
        select decision.segment_no, coalesce(member.segment_no, 0)
        from base.decision join registry.run using (run_no) join registry.condition using (condition_no)
        left join base.segment_story as member on member.condition_no = condition.condition_no
            and member.story_no = decision.trial_no
        where run_id = 'kestrel' and format = 'tdt' and condition_id = ?""",
        [condition],
    )

    assert any(found for found, _ in rows)
    assert [found for found, _ in rows] == [expected for _, expected in rows] and len(rows) > 10


DEFECTS = {
    "clean": lambda rows: rows,
    "few": lambda rows: rows.head(3),
    "none": lambda rows: rows.head(0),
    "in another order": lambda rows: rows[::-1],
    "twice": lambda rows: pandas.concat([rows, rows.head(2)]),
    "infinite": lambda rows: rows.assign(score=[numpy.inf, *rows["score"][1:]]),
    "beyond": lambda rows: rows.assign(score=[1e100, *rows["score"][1:]]),
    "no score": lambda rows: rows.assign(score=[None, *rows["score"][1:]]),
    "maybe": lambda rows: rows.assign(decision=["maybe", *rows["decision"][1:]]),
    "two": lambda rows: rows.assign(decision=["2", *rows["decision"][1:]]),
    "no decisions": lambda rows: rows.drop(columns="decision"),
    "another column": lambda rows: rows.assign(rank=1),
    "misspelt": lambda rows: rows.rename(columns={"score": "scor"}),
    "unknown": lambda rows: rows.assign(**{next(iter(rows)): ["Z9", *rows[next(iter(rows))][1:]]}),
    "unknown story": lambda rows: rows.assign(**{rows.columns[-3]: ["Z9", *rows[rows.columns[-3]][1:]]}),
    "blank": lambda rows: rows.assign(**{rows.columns[-3]: [f" {rows.iloc[0, -3]}", *rows[rows.columns[-3]][1:]]}),
    "names": lambda rows: pandas.concat([rows.assign(run_id="b"), rows.head(4).assign(run_id="a")]),
    "an empty name": lambda rows: rows.assign(run_id=[None, *["b"] * (len(rows) - 1)]),
}


def said_of(store, condition, decisions):
    try:
        return [
            (problem.code, problem.message, problem.value)
            for problem in store.check_run("mine", condition=condition, decisions=decisions)
        ]
    except InvalidInput as refused:
        return [
            (problem.code, problem.message.replace(" on line ", " on row "), problem.value)
            for problem in refused.problems
        ]


@pytest.mark.parametrize("defect", DEFECTS)
@pytest.mark.parametrize("task", TOLD)
@pytest.mark.sample(6)
def test_columns_and_files_are_told_the_same(store, told, tmp_path, task, defect):
    condition = TOLD[task][0]
    rows = DEFECTS[defect](told[task])
    rows.to_parquet(tmp_path / "mine.parquet", index=False)

    by_frame = said_of(store, condition, rows)

    assert by_frame == said_of(store, condition, tmp_path / "mine.parquet")
    assert (by_frame == []) == (
        defect in ("clean", "in another order", "no decisions") and (task, defect) != ("link", "in another order")
    )


@pytest.mark.parametrize("form", ["table", "stream"])
def test_columns_that_nobody_can_read_are_refused(store, told, form):
    bad = pyarrow.StringArray.from_buffers(
        1, pyarrow.py_buffer(b"\0\0\0\0\2\0\0\0"), pyarrow.py_buffer(b"\xff\xfe")
    )  # no UTF-8
    table = pyarrow.table({"topic_id": ["70001"], "story_id": bad, "decision": ["yes"], "score": [1.0]})
    before = store.engine.value("select count(*) from registry.run")

    with pytest.raises(InvalidInput, match="decisions: E709 the columns cannot be read"):
        store.add_run("unreadable", condition="trk-eng-1", decisions=table if form == "table" else table.to_reader())

    assert store.engine.value("select count(*) from registry.run") == before


def test_two_columns_of_one_name_are_refused_as_in_a_file():
    """The first was read, and the second became an attribute that nobody had named, as score_1."""
    rows = {"item_id": ["a"], "score": [1], "column_names": [0]}
    twice = pandas.DataFrame([["a", 1, 0]], columns=["item_id", "score", "score"])
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("c", corpus="k", task="items")
        for given in (
            twice,
            pyarrow.table([["a"], [1], [0]], names=["item_id", "score", "score"]),
            {"item_id": ["a"], "score": [1], "Score": [0]},
        ):
            with pytest.raises(InvalidInput, match=r"decisions: E303 duplicate column \('[sS]core'\)"):
                store.add_run("r", condition="c", scores=given)
        store.add_run("r", condition="c", scores=pandas.DataFrame(rows))
        assert store.sql("select subset from base.subset order by all").fetchall() == [("all",), ("column_names=0",)]


@pytest.mark.parametrize(
    "frame",
    [
        pandas.DataFrame({"item_id": ["a", "b"], "score": [1, 0]}).set_index("item_id"),
        # a name that a column has: it stays an index, also where the capitals differ
        pandas.DataFrame({"item_id": ["a", "b"], "score": [1, 0]}, index=pandas.Index([5, 6], name="Item_ID")),
    ],
)
def test_a_named_index_is_a_column(frame):
    """Item ids in the index of a frame, as after ``set_index``: the mean of 1 and 0."""
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("c", corpus="k", task="items")
        store.add_run("r", condition="c", decisions=frame)
        assert store.score(metric="score", weighting="topic", subset="all").df().value.tolist() == [0.5]


def test_updates_of_summarization_may_be_columns(store):
    frame = {"event_id": ["1", "1"], "update_id": ["hrb-0105-a-0", "unheard-of"], "time": [1073293200, 1073293300]}
    store.add_run("mine", condition="ts", decisions=pandas.DataFrame(frame))

    assert store.score("mine", metric="n_match", profile="ts-seed", weighting="topic").fetchall()[0][7] == 1
