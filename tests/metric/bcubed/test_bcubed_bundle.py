"""Bagga's examples from their bundle to report.score, every number he prints or omits."""

from fractions import Fraction as F
from pathlib import Path

import pytest

import tdtsql

BUNDLE = Path(__file__).parents[3] / "fixtures" / "bagga" / "bundle.toml"

#: run: pooled and topic-weighted b3_precision, b3_recall, p_miss, p_fa
EXPECTED = {
    "R1": ((F(21, 25), F(1), F(1, 10), F(1, 30)), (F(67, 75), F(1), F(1, 4), F(1, 24))),
    "R2": ((F(9, 10), F(1), F(1, 10), F(1, 30)), (F(5, 6), F(1), F(1, 4), F(1, 36))),
    "R3": ((F(3, 5), F(1), F(2, 5), F(2, 15)), (F(5, 6), F(1), F(1, 4), F(1, 6))),
    "R4": ((F(13, 15), F(121, 125), F(2, 25), F(2, 75)), (F(67, 72), F(23, 25), F(1, 5), F(1, 30))),
    "R5": ((F(21, 25), F(1), F(1, 10), F(1, 30)), (F(67, 75), F(1), F(1, 4), F(1, 24))),
    "limitation1": ((F(81, 10000), F(81, 100), F(1, 10), F(91, 990)),) * 2,
}
METRICS = ("b3_precision", "b3_recall", "p_miss", "p_fa")


@pytest.fixture(scope="module")
def store(evaluated_once):
    with tdtsql.connect(evaluated_once(BUNDLE), read_only=True) as store:
        yield store


def test_every_number_of_the_paper(store):
    rows = store.sql("select run_id, weighting, metric, value from report.score where subset = 'all'").fetchall()
    found = {(run, weighting, metric): value for run, weighting, metric, value in rows}

    for run, by_weighting in EXPECTED.items():
        for weighting, values in zip(("story", "topic"), by_weighting):
            for metric, value in zip(METRICS, values):
                assert found[run, weighting, metric] == pytest.approx(float(value), abs=1e-12), (run, weighting, metric)
            assert found[run, weighting, "b3_ext_precision"] == found[run, weighting, "b3_precision"]


def test_topics_of_r4(store):
    rows = store.sql(
        "select block_id, metric, value from report.block_score where run_id = 'R4' and metric in ('b3_precision', "
        "'b3_recall')"
    ).fetchall()

    assert {(block, metric): value for block, metric, value in rows} == {
        ("t1", "b3_precision"): 1.0, ("t1", "b3_recall"): 1.0,
        ("t2", "b3_precision"): pytest.approx((200**2 + 40**2) / 240**2), ("t2", "b3_recall"): 1.0,
        ("t3", "b3_precision"): 1.0, ("t3", "b3_recall"): pytest.approx(34 / 50),
        ("t4", "b3_precision"): 1.0, ("t4", "b3_recall"): 1.0,
    }  # fmt: skip
    sizes = store.sql(
        "select block_id, n_reference, n_response from metric.bcubed_topic__v1 join registry.run using (run_no) "
        "join base.block using (condition_no, block_no) where run_id = 'R4' order by block_id"
    ).fetchall()
    assert sizes == [("t1", 200, 200), ("t2", 200, 240), ("t3", 50, 10), ("t4", 50, 50)]
