"""Scores of items: read from the samples where an item has one, stored with epochs, and reported the same."""

import pytest

import tdtsql
from tdtsql.definitions.catalogue import catalog
from tdtsql.scoring.score import insert_statements

ITEM = "metric.items_block__v1"

BUNDLE = """
[corpus]
id = "k"
[[condition]]
id = "once"
task = "items"
error_item = "missing"
[[condition]]
id = "often"
task = "items"
k = [1]
[[run]]
condition = "once"
files = ["once.jsonl"]
id = "r"
[[run]]
condition = "often"
files = ["often.csv"]
"""
ONCE = """
{"id": "a", "epoch": 1, "scores": {"acc": {"value": 1}}, "metadata": {"kind": "x"}}
{"id": "b", "epoch": 1, "scores": {"acc": {"value": 0.5}}, "error": {"message": "timeout"}}
{"id": "c", "epoch": 1, "scores": {"acc": {"value": NaN}}}
""".lstrip()
OFTEN = "run_id,item_id,score,epoch,kind\nr,a,1,1,x\nr,a,0,2,x\nr,b,,1,y\ns,a,1,1,x\ns,b,0.5,1,y\n"


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("items")
    (folder / "bundle.toml").write_text(BUNDLE)
    (folder / "once.jsonl").write_text(ONCE)
    (folder / "often.csv").write_text(OFTEN)
    with tdtsql.evaluate(folder / "bundle.toml") as store:
        yield store.engine


def test_only_scores_of_items_with_epochs_are_stored(engine):
    stored = """
        select run_id, condition_id, count(*) from ledger.result_block join ledger.current_computation
        using (computation_no) where metric not like '%.pass%' group by all"""
    assert engine.rows(stored) == [("r", "often", 2)]


def test_scores_that_are_not_stored_are_those_of_the_metric(engine):
    of_metric = engine.rows(f"""
        select computation_no, 0, block_no, measure, value from {ITEM}
        join ledger.current_computation using (run_no, profile_no) where (run_id, condition_id) <> ('r', 'often')
        order by all""")
    columns = "computation_no, subset_no, block_no, metric, value"
    assert engine.rows(f"select {columns} from ledger.item_number order by all") == of_metric
    assert len(of_metric) == 5
    # as a statement that stores numbers has version and reason
    [statement] = insert_statements(catalog()[ITEM], ITEM)
    [version] = engine.column("select distinct version from ledger.item_number")
    [reason] = engine.column("select distinct null_reason from ledger.item_number where value is null")
    assert f"'{version}'" in statement and f"'{reason}'" in statement


def test_reports_have_the_score_of_an_item_in_each_of_its_subsets(engine):
    found = engine.rows(
        "select condition_id, run_id, subset, block_id, value, null_reason from report.block_score "
        "where metric in ('acc', 'score') order by all"
    )
    unscored = "where no sample is scored"
    assert found == [
        ("often", "r", "all", "a", 0.5, None),
        ("often", "r", "all", "b", None, unscored),
        ("often", "r", "kind=x", "a", 0.5, None),
        ("often", "r", "kind=y", "b", None, unscored),
        ("often", "s", "all", "a", 1.0, None),
        ("often", "s", "all", "b", 0.5, None),
        ("often", "s", "kind=x", "a", 1.0, None),
        ("often", "s", "kind=y", "b", 0.5, None),
        ("once", "r", "all", "a", 1.0, None),
        ("once", "r", "all", "b", None, unscored),
        ("once", "r", "all", "c", None, unscored),
    ]
    assert engine.rows("select run_id, block_id, median from report.median_difference where metric = 'acc'") == [
        ("r", "a", 1.0)
    ]


def test_the_mean_over_samples_of_a_subset_of_small_scores_keeps_its_digits():
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("c", corpus="k", task="items", attributes=["kind"])
        scores = {"item_id": ["a", "b"], "score": [1e6, -3.0], "kind": ["large", "small"]}
        store.add_run("r", condition="c", scores=scores)
        kept = store.score(run="r", metric="score", weighting="story", subset="kind=small").project("value").fetchall()
        assert kept == [(pytest.approx(-3.0, rel=1e-12),)]


def test_more_samples_than_any_item_has_are_undefined(tmp_path):
    rows = [("a", "i1", 1, 1), ("a", "i1", 2, 0), ("a", "i2", 1, 1), ("a", "i2", 2, 1)]
    (tmp_path / "s.csv").write_text("run_id,item_id,epoch,acc\n" + "".join(f"{r},{i},{e},{s}\n" for r, i, e, s in rows))
    (tmp_path / "b.toml").write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "items"\nk = [2, 5]\n[[run]]\ncondition = "c"\n'
        'files = ["s.csv"]\nscore = "acc"\n'
    )
    with tdtsql.evaluate(tmp_path / "b.toml") as store:
        found = store.sql(
            "select metric, value, n, null_reason from report.score where metric like 'acc.pass_%' order by metric"
        ).fetchall()
    assert found == [
        ("acc.pass_at_2", 1.0, 2, None),  # 1 - C(1, 2) / C(2, 2) and 1
        ("acc.pass_at_5", None, 0, "without an item of k samples"),
        ("acc.pass_hat_2", 0.5, 2, None),  # (0 + 1) / 2
        ("acc.pass_hat_5", None, 0, "without an item of k samples"),
    ]


def test_what_a_condition_asks_for_and_has_nothing_of_is_null(tmp_path):
    """The win rate of a run without an item of the baseline, and the mean over groups of items without one."""
    (tmp_path / "s.csv").write_text("run_id,item_id,score,kind\nr,a,1,\ns,b,0,\n")
    (tmp_path / "b.toml").write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "items"\nbaseline = "r"\ngroup = ["kind"]\n'
        '[[run]]\ncondition = "c"\nfiles = ["s.csv"]\n'
    )
    with tdtsql.evaluate(tmp_path / "b.toml") as store:
        found = store.sql(
            "select run_id, metric, value, n from report.score where metric = 'score.win_rate' or weighting = 'group' "
            "order by all"
        ).fetchall()
    assert found == [
        ("r", "score", None, 0),
        ("r", "score.se", None, 0),
        ("r", "score.win_rate", 0.5, 1),
        ("s", "score", None, 0),
        ("s", "score.se", None, 0),
        ("s", "score.win_rate", None, 0),
    ]


@pytest.mark.parametrize(
    ("keys", "subsets"),
    [
        ('attributes = ["metadata.kind", "metadata.part"]\ncluster = ["kind"]', ["all", "part=1", "part=2"]),
        ('attributes = ["metadata.kind"]\ngroup = ["kind"]', ["all", "kind=x", "kind=y"]),
    ],
)
def test_a_path_of_a_log_may_be_the_cluster_or_the_group(tmp_path, keys, subsets):
    line = '{{"id": "{}", "epoch": 1, "scores": {{"acc": {{"value": 1}}}}, "metadata": {{"kind": "{}", "part": {}}}}}\n'
    (tmp_path / "r.jsonl").write_text("".join(line.format(*row) for row in (("a", "x", 1), ("b", "y", 2))))
    (tmp_path / "b.toml").write_text(
        f'[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "items"\n{keys}\n[[run]]\nid = "r"\n'
        'condition = "c"\nfiles = ["r.jsonl"]\n'
    )
    with tdtsql.evaluate(tmp_path / "b.toml") as store:
        assert store.engine.column("select subset from base.subset order by 1") == subsets


def test_an_attribute_of_an_object_in_an_object_is_named_and_an_index_is_none(tmp_path):
    (tmp_path / "r.jsonl").write_text('{"item_id": "a", "score": 1, "doc": {"topic": "x"}, "level_0": 0}\n')
    for keys, subsets in (({"attributes": ["doc.topic"]}, ["all", "doc.topic=x"]), ({}, ["all", "doc.topic=x"])):
        with tdtsql.connect(":memory:") as store:
            store.add_corpus("k")
            store.add_condition("c", corpus="k", task="items", **keys)
            store.add_run("r", condition="c", decisions=tmp_path / "r.jsonl")
            assert store.engine.column("select subset from base.subset order by 1") == subsets


def test_a_log_whose_samples_all_failed_has_no_run(tmp_path):
    (tmp_path / "r.jsonl").write_text('{"id": "a", "epoch": 1, "scores": {}, "error": {"message": "no"}}\n')
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("c", corpus="k", task="items")
        with pytest.raises(tdtsql.InvalidInput, match="E837 no sample of the file has a score"):
            store.add_run("r", condition="c", decisions=tmp_path / "r.jsonl")


def test_a_run_without_a_known_item_is_refused_where_unknown_ones_are_ignored(tmp_path):
    """Of two runs in a file the first has none of the listed items: it is named, and nothing is stored."""
    (tmp_path / "items.csv").write_text("item_id\nq1\nq2\n")
    (tmp_path / "s.csv").write_text("run_id,item_id,score\na,z1,1\na,z2,0\nb,q1,1\nb,z3,0\n")
    (tmp_path / "b.toml").write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "items"\nitems = "items.csv"\nunknown_item = "ignore"\n'
        '[[run]]\ncondition = "c"\nfiles = ["s.csv"]\n'
    )
    with pytest.raises(tdtsql.InvalidInput) as refused:
        tdtsql.evaluate(tmp_path / "b.toml")
    assert [(one.code, one.line, one.value) for one in refused.value.problems] == [("E870", 2, "z1")]
