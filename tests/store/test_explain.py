"""The chain of one number, redone by hand: Bagga's R5, topic u2 (4 targets, all found; 6 non-targets, one false alarm)."""

from pathlib import Path

import pytest

import tdtsql
from tdtsql.errors import UnknownName
from tdtsql.store.explain import explain

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@pytest.fixture(scope="module")
def store():
    with tdtsql.evaluate(FIXTURES / "bagga" / "bundle.toml") as store:
        yield store


def test_a_topic_down_to_its_stories_and_files(store):
    made = explain(store.engine, "R5", "c_det_norm", "u2")

    rate, count = made.steps[0], made.steps[1]
    assert rate.relation.name == "metric.detection_rate__v1" and count.relation.name == "metric.detection_count__v1"
    here = dict(rate.formula())
    assert here["p_fa = n_false_alarm / n_nontarget"] == "p_fa = 1 / 6 = 0.166667"
    assert here["c_det = c_miss * p_miss * p_target + c_fa * p_fa * (1 - p_target)"] == "c_det = 1 * 0 * 0.02 + 0.1 * 0.166667 * (1 - 0.02) = 0.0163333"
    assert made.numbers[0][1] == pytest.approx(0.0163333333333 / 0.02)
    assert [row[4] for row in made.trials].count("false alarm") == 1 and [row[4] for row in made.trials].count("hit") == 4
    assert {"run:small/R5", "condition:small", "corpus:bagga"} == {row[0] for row in made.files}


def test_a_run_shows_the_recipe_of_each_weighting(store):
    made = explain(store.engine, "R5", "c_det_norm")

    assert [row[0] for row in made.numbers] == ["story", "topic"] and all(row[3].startswith("c_det_norm:v1|w:") for row in made.numbers)
    assert {"metric.detection_topic_weighted__v1", "metric.detection_pooled__v1"} <= {step.relation.name for step in made.steps}


def test_unknown_names_are_told(store):
    with pytest.raises(UnknownName, match=r"topic 'u9' is not in condition 'small'\. It has u1, u2, u3, u4"):
        explain(store.engine, "R5", "c_det_norm", "u9")
    with pytest.raises(UnknownName, match="metric 'eg' is no number of a tracking run"):
        explain(store.engine, "R5", "eg")
    with pytest.raises(UnknownName, match="run 'R9' is not in the store"):
        explain(store.engine, "R9", "c_det_norm")
