"""Intervals of single numbers: over topics, or over clusters of items."""

import numpy
import pytest

import tdtsql
from tdtsql.compare.paired import Method
from tdtsql.report.intervals import score_intervals, topic_intervals


def test_whole_clusters_are_drawn():
    # two clusters of eight items, all right and all wrong: the mean of a draw is 0 (1/4), 1/2 (1/2) or 1 (1/4)
    values = numpy.repeat([1.0, 0.0], 8)[:, None]
    clusters = numpy.repeat([7, 3], 8)

    by_cluster = topic_intervals("acc", {"r": 0.5}, {"acc": values}.get, (None, None, None), Method(), clusters)
    by_item = topic_intervals("acc", {"r": 0.5}, {"acc": values}.get, (None, None, None), Method())

    assert by_cluster == {"r": (0.0, 1.0)}
    # sixteen items: 1/2 plus and minus 1.96 sqrt(1/4 / 16)
    assert by_item["r"] == pytest.approx((0.255, 0.745), abs=0.03)


def test_runs_with_other_items_are_drawn_as_if_alone():
    values = numpy.array([[1.0, 1.0], [0.0, numpy.nan], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, numpy.nan]])
    clusters, printed = numpy.array([0, 0, 1, 1, 2, 3]), {"a": 4 / 6, "b": 0.5}
    here = ~numpy.isnan(values[:, 1])

    together = topic_intervals("acc", printed, {"acc": values}.get, (None, None, None), Method(), clusters)
    alone = topic_intervals(
        "acc", {"b": 0.5}, {"acc": values[here, 1:]}.get, (None, None, None), Method(), clusters[here]
    )

    assert together["b"] == alone["b"]
    assert together.keys() == {"a", "b"}


def test_intervals_of_a_condition_with_clusters(tmp_path):
    (tmp_path / "items.csv").write_text(
        "item_id,passage\n" + "".join(f"q{n:02},p{n // 8}\n" for n in range(16)), encoding="utf-8"
    )
    (tmp_path / "run.csv").write_text(
        "item_id,score\n" + "".join(f"q{n:02},{1 - n // 8}\n" for n in range(16)), encoding="utf-8"
    )
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition(
            "c", corpus="k", task="items", items=tmp_path / "items.csv", cluster=["passage"], profile=["items"]
        )
        store.add_run("r", condition="c", scores=tmp_path / "run.csv")
        found = score_intervals(store.engine, "items", "c", "items", "score", "all", {"r": 0.5}, Method())

    assert found == (
        {"r": (0.0, 1.0)},
        "Intervals: percentile bootstrap over clusters, 10,000 resamples, seed 20040. With 2 clusters they are "
        "unreliable.",
    )
