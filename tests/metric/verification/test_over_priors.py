"""The convex hull and the error over priors, for those who draw them: held against plain Python."""

import math
from fractions import Fraction

import pytest

import tdtsql
from tdtsql.errors import UnknownName
from trial_oracle import Oracle

#: scores on the thresholds of the grid, beside them, and without end
TRIALS = [
    (True, 2.0),
    (True, 0.25),
    (True, math.nextafter(0.25, 0)),
    (True, -0.5),
    (True, math.inf),
    (True, 12.0),
    (False, -2.0),
    (False, 0.25),
    (False, -0.25),
    (False, math.nextafter(-0.25, -1)),
    (False, -math.inf),
    (False, -10.0),
    (False, 1.1),
]


@pytest.fixture(scope="module")
def store():
    ids = [f"t{number}" for number in range(len(TRIALS))]
    with tdtsql.connect(":memory:") as opened:
        opened.add_corpus("k")
        for name, scores in (("llr", "llr"), ("plain", "score")):
            opened.add_condition(
                name,
                corpus="k",
                task="verification",
                profile=["bosaris"],
                scores=scores,
                key={"trial_id": ids, "label": ["target" if is_target else "nontarget" for is_target, _ in TRIALS]},
            )
            opened.add_run("s", condition=name, decisions={"trial_id": ids, "score": [score for _, score in TRIALS]})
        yield opened


def test_the_hull_is_that_of_the_points(store):
    found = store.hull("s", condition="llr").project("vertex_no, p_miss, p_fa").fetchall()

    expected = Oracle(TRIALS).hull()[::-1]
    assert [row[1:] for row in found] == [(float(miss), float(alarm)) for miss, alarm in expected]
    assert [row[0] for row in found] == list(range(len(expected)))
    assert (
        store.hull("s", condition="llr", weighting="topic").fetchall() == store.hull("s", condition="llr").fetchall()
    )  # one block
    with pytest.raises(UnknownName, match="weighting"):
        store.hull("s", condition="llr", weighting="block")


def test_the_error_over_priors(store):
    rows = (
        store.bayes_error("s", condition="llr")
        .project("log_odds, p_target, act_miss, act_fa, actual, minimum, default_error")
        .fetchall()
    )
    oracle = Oracle(TRIALS)

    assert [row[0] for row in rows] == [number / 4 - 10 for number in range(81)]
    for odds, prior, miss, alarm, actual, least, by_prior in rows:
        expected = oracle.rates(-odds)
        exact = 1 / (1 + math.exp(-odds))
        assert (miss, alarm) == (float(expected[0]), float(expected[1])), odds
        assert prior == pytest.approx(exact, rel=1e-14)
        assert actual == pytest.approx(exact * float(expected[0]) + (1 - exact) * float(expected[1]), abs=1e-14)
        assert (
            least == pytest.approx(float(oracle.min_c_det(Fraction(exact), 1, 1)), abs=1e-14)
            and least <= actual + 1e-14
        )
        assert by_prior == pytest.approx(min(exact, 1 - exact), abs=1e-14) and least <= by_prior + 1e-14


def test_scores_that_are_no_log_likelihood_ratios_have_the_least_error_alone(store):
    rows = store.bayes_error("s", condition="plain").project("actual, minimum, default_error").fetchall()

    assert {row[0] for row in rows} == {None}
    assert [row[1:] for row in rows] == store.bayes_error("s", condition="llr").project(
        "minimum, default_error"
    ).fetchall()
