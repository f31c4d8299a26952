"""Numbers of scores without decisions: of tracking they are made when somebody asks, and stay with the others."""

import numpy as np
import pytest
from bundle_file import write_bundle, write_tables

import tdtsql
from tdtsql.definitions.catalogue import computed, requested
from tdtsql.scoring.recompute import recompute
from tdtsql.task import TASKS


def write_three_runs(folder):
    """Write a bundle of three runs, each worse than the one before, on 120 stories and 8 topics; the last topic has no
    target.
    """
    generator = np.random.default_rng(11)
    stories = [f"S{index:03}" for index in range(120)]
    targets = {f"T{number}": set(generator.choice(stories, 6, replace=False)) for number in range(7)} | {"T7": set()}
    files = write_tables(
        folder,
        stories=("story_id position", [(story, n) for n, story in enumerate(stories, 1)]),
        topics=("topic_id", [(topic,) for topic in targets]),
        judgments=("topic_id story_id label", [(topic, s, "yes") for topic in targets for s in sorted(targets[topic])]),
    )
    for run in range(3):
        scores = [(topic, story, generator.normal(2.5 - run if story in targets[topic] else 0.0, 1.0))
                  for topic in targets for story in stories]  # fmt: skip
        rows = [(*pair, "yes" if score > 1.5 else "no", f"{score:.4f}") for *pair, score in scores if score > -0.5]
        write_tables(folder, **{f"R{run}": ("topic_id story_id decision score", rows)})
    runs = [{"id": f"R{run}", "condition": "c", "files": [f"R{run}.csv"], "format": "tidy"} for run in range(3)]
    condition = {"id": "c", "task": "tracking", "profile": ["tdt2004"]}
    return write_bundle(folder, corpus={"id": "small"} | files, conditions=[condition], runs=runs)


@pytest.fixture
def store(tmp_path):
    with tdtsql.evaluate(write_three_runs(tmp_path)) as opened:
        yield opened


def runs_with(store, metric):
    return [
        row[0]
        for row in store.sql(
            f"select distinct run_id from report.score where metric = '{metric}' order by 1"
        ).fetchall()
    ]


def test_they_are_made_of_the_runs_that_are_asked_for_and_kept_with_the_others(store):
    before = store.sql("select count(*) from report.score where run_id = 'R0'").fetchall()[0][0]
    assert runs_with(store, "eer") == []

    [(value, n)] = store.score(run="R0", metric="eer", weighting="story").project("value, n").fetchall()

    # 42 targets and 918 non-targets of which most have no score: between the rates of the points beside it
    beside = store.sql(
        "select max(p_miss) filter (p_miss <= p_fa), min(p_miss) filter (p_miss > p_fa) from report.det_point "
        "where run_id = 'R0' and weighting = 'story' and subset = 'all'"
    ).fetchall()[0]
    assert beside[0] <= value <= beside[1] and n == 960
    assert runs_with(store, "eer") == runs_with(store, "cllr") == ["R0"]
    # of all stories, both weightings; latency of the first detection as means over topics, in each subset
    numbers = sum(
        len(relation.header.metrics) for relation in requested("tracking") if relation.family == "verification"
    )
    [(n_subset,)] = store.sql("select count(distinct subset) from report.score where run_id = 'R0'").fetchall()
    assert (
        store.sql("select count(*) from report.score where run_id = 'R0'").fetchall()[0][0]
        == before + 2 * numbers + 3 * n_subset
    )
    assert store.refresh() == 0 and runs_with(store, "auc") == ["R0"]
    assert store.score(metric="auc", weighting="story").aggregate("count(*)").fetchall() == [(3,)]  # asked of all
    assert runs_with(store, "eer") == ["R0", "R1", "R2"]


def test_a_task_that_is_not_asked_computes_none_of_them():
    for task in ("tracking", "new_event", "link", "filtering"):
        assert TASKS[task].on_request == (
            "verification",
            *(["first_detection"] if task == "tracking" else []),
        ) and not any("verification_" in name for name in computed(task))
        assert any("verification_eer" in name for name in computed(task, asked=True))
    assert TASKS["verification"].on_request == () and any(
        "verification_eer" in name for name in computed("verification")
    )


@pytest.mark.full
def test_numbers_that_are_much_work_are_left_out_until_they_are_asked_for(tmp_path):
    """Clusters of 388 sizes: 7 million terms of the expected mutual information, where 5 million are the limit."""
    sizes = [*range(1, 330), *range(3000, 3240, 4)]
    labels = [f"c{size}" for size in sizes for _ in range(size)]
    for file, clusters in (("gold", labels), ("run", labels[7:] + labels[:7])):
        rows = "".join(f"i{number},{cluster}\n" for number, cluster in enumerate(clusters))
        (tmp_path / f"{file}.csv").write_text(f"item_id,cluster_id\n{rows}")
    (tmp_path / "b.toml").write_text(
        'name = "b"\n[corpus]\nid = "b"\n[[condition]]\nid = "c"\ntask = "partition"\ngold = "gold.csv"\n'
        '[[run]]\nid = "r"\ncondition = "c"\nfiles = ["run.csv"]\n'
    )
    kept = "select metric, value is null, null_reason from report.score where metric in ('ami', 'mi') order by all"
    with tdtsql.evaluate(tmp_path / "b.toml") as store:
        assert set(store.sql(kept).fetchall()) == {("ami", True, "too many terms"), ("mi", False, None)}
        assert {row[0] for row in store.score(metric="ami").project("value").fetchall()} != {None}
        assert set(store.sql(kept).fetchall()) == {("ami", False, None), ("mi", False, None)}
        assert recompute(store.engine).divergences == []
