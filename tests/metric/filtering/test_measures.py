"""Worked example for metric/filtering/*__v1: six topics of 1000 documents.

topic        A    B    C    F.5                     T11U   T11SU   TDT5SU
perfect     10    0    0    1                         20       1        1
nothing      0    0   10    0                          0     1/3      1/3
everything  10  990    0    12.5 / 1002.5           -970       0        0
balance      5   10    5    6.25 / 17.5 = 5/14         0     1/3      3/5
floor        0   10   10    0                        -10       0     4/15
bagga        9   91    1    11.25 / 102.5 = 9/82     -73       0  0.32667

T11SU of balance: (5 - 5)/10 = 0 -> (0 + 0.5)/1.5 = 1/3; doing nothing is as good.
TDT5SU of balance: (5 - 1)/10 = 0.4 -> 0.9/1.5 = 3/5; here it is not.
"""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given
from lanes import examples
from hypothesis import strategies as st

EFFECTIVENESS = "metric.filtering_effectiveness__v1"
UTILITY = "metric.filtering_utility__v1"
COST = "metric.filtering_own_prior_cost__v1"
MEAN = "metric.filtering_mean__v1"
POOLED = "metric.filtering_pooled__v1"

WORKED_EXAMPLE = {
    "perfect": (10, 0, 0, 990),
    "nothing": (0, 0, 10, 990),
    "everything": (10, 990, 0, 0),
    "balance": (5, 10, 5, 980),
    "floor": (0, 10, 10, 980),
    "bagga": (9, 91, 1, 899),
}


def column(rows, name):
    return {topic: row[name] for topic, row in rows.items()}


def test_worked_example_effectiveness(contingencies):
    rows = contingencies(WORKED_EXAMPLE).topic_rows(EFFECTIVENESS)
    assert column(rows, "precision") == pytest.approx(
        {"perfect": 1, "nothing": None, "everything": 0.01, "balance": 1 / 3, "floor": 0, "bagga": 0.09}
    )
    assert column(rows, "recall") == pytest.approx(
        {"perfect": 1, "nothing": 0, "everything": 1, "balance": 0.5, "floor": 0, "bagga": 0.9}
    )
    assert column(rows, "f_beta") == pytest.approx(
        {"perfect": 1, "nothing": 0, "everything": 12.5 / 1002.5, "balance": 5 / 14, "floor": 0, "bagga": 9 / 82}
    )
    assert column(rows, "f1") == pytest.approx(
        {"perfect": 1, "nothing": 0, "everything": 2 / 101, "balance": 0.4, "floor": 0, "bagga": 9 / 55}
    )


def test_worked_example_utility(contingencies):
    rows = contingencies(WORKED_EXAMPLE).topic_rows(UTILITY)
    assert column(rows, "t11u") == {
        "perfect": 20,
        "nothing": 0,
        "everything": -970,
        "balance": 0,
        "floor": -10,
        "bagga": -73,
    }
    assert column(rows, "t11su") == pytest.approx(
        {"perfect": 1, "nothing": 1 / 3, "everything": 0, "balance": 1 / 3, "floor": 0, "bagga": 0}
    )
    assert column(rows, "tdt5su") == pytest.approx(
        {"perfect": 1, "nothing": 1 / 3, "everything": 0, "balance": 0.6, "floor": 4 / 15, "bagga": 49 / 150}
    )


def test_worked_example_cost(contingencies):
    rows = contingencies(WORKED_EXAMPLE).topic_rows(COST)
    assert column(rows, "c_det_prel") == pytest.approx(
        {"perfect": 0, "nothing": 0.01, "everything": 0.099, "balance": 0.006, "floor": 0.011, "bagga": 0.0101}
    )
    assert column(rows, "c_det_prel_norm") == pytest.approx(
        {"perfect": 0, "nothing": 1, "everything": 9.9, "balance": 0.6, "floor": 1.1, "bagga": 1.01}
    )
    assert column(rows, "c_trk") == pytest.approx(
        {
            "perfect": 0,
            "nothing": 0.02,
            "everything": 0.098,
            "balance": 136 / 12375,
            "floor": 1039 / 49500,
            "bagga": 5449 / 495000,
        }
    )


def test_macro_and_pooled_differ(contingencies):
    """Macro recall is the mean (1 + 0 + 1 + 1/2 + 0 + 9/10) / 6; pooled 34 of 60."""
    views = contingencies(WORKED_EXAMPLE)
    [mean], [pooled] = views.rows(MEAN), views.rows(POOLED)
    assert mean["recall"] == pytest.approx(3.4 / 6)
    assert pooled["recall"] == pytest.approx(34 / 60)
    assert mean["precision"] == pytest.approx((1 + 0.01 + 1 / 3 + 0 + 0.09) / 5)
    assert mean["n_block_precision"] == 5
    assert pooled["precision"] == pytest.approx(34 / 1135)
    assert mean["t11u"] == pytest.approx(-1033 / 6)
    assert pooled["t11u"] == pytest.approx(2 * 34 - 1101)
    assert mean["c_det_prel"] == pytest.approx(pooled["c_det_prel"])
    assert mean["c_det_prel_norm"] == pytest.approx((0 + 1 + 9.9 + 0.6 + 1.1 + 1.01) / 6)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("policy", "precision", "recall", "t11su", "n_precision"),
    [
        # the empty topic is left out; the precision of `nothing` is undefined
        ({}, 1 / 1, 1 / 2, (1 + 1 / 3) / 2, 1),
        ({"empty_retrieved": "zero"}, 1 / 2, 1 / 2, (1 + 1 / 3) / 2, 2),
        ({"empty_topic": "zero"}, (1 + 0) / 2, 1 / 3, (1 + 1 / 3 + 0) / 3, 2),
        ({"empty_topic": "zero", "empty_retrieved": "zero"}, 1 / 3, 1 / 3, (1 + 1 / 3) / 3, 3),
        ({"missing_topic": "undefined"}, 1, 1, 1, 1),
    ],
)
def test_policies(contingencies, policy, precision, recall, t11su, n_precision):
    topics = {"perfect": (10, 0, 0, 90), "nothing": (0, 0, 10, 90), "empty": (0, 2, 0, 98)}
    views = contingencies(topics, answered={"perfect", "empty"}, **policy)
    [mean] = views.rows(MEAN)
    assert mean["precision"] == pytest.approx(precision)
    assert mean["recall"] == pytest.approx(recall)
    assert mean["t11su"] == pytest.approx(t11su)
    assert mean["n_block_precision"] == n_precision
    assert (mean["n_empty_topic"], mean["n_empty_retrieved"], mean["n_missing_topic"]) == (1, 1, 1)
    assert (mean["n_false_alarm_empty"], mean["n_block"]) == (2, 3)
    assert views.topic_rows(EFFECTIVENESS)["empty"]["recall"] is None
    assert views.topic_rows(UTILITY)["empty"]["t11su"] is None


def test_nothing_but_empty_topics_gives_null_and_zero_counts(contingencies):
    [mean] = contingencies({"empty": (0, 0, 0, 5)}).rows(MEAN)
    assert [mean[name] for name in ("precision", "recall", "f1", "f_beta", "t11su", "tdt5su", "c_trk")] == [None] * 7
    assert (mean["n_block_utility"], mean["n_block_cost"], mean["c_det_prel"]) == (0, 0, 0)
    [pooled] = contingencies({"none": (0, 0, 0, 0)}).rows(POOLED)
    assert [pooled[name] for name in ("precision", "recall", "f1", "t11u", "t11su", "c_det_prel")] == [None] * 6


count = st.integers(0, 400)
contingency = st.tuples(count, count, count, count)
slow = examples(default=5, full=50, suppress_health_check=[HealthCheck.function_scoped_fixture])


@slow
@given(topics=st.lists(contingency, min_size=1, max_size=40), beta=st.floats(0.01, 4), floor=st.floats(-2, -0.1))
def test_identities_over_random_contingencies(contingencies, topics, beta, floor):
    """What must hold for any counts, beta and floor:

    doing nothing scores -floor / (1 - floor) for every beta (1/3 at -0.5);
    T11SU and TDT5SU lie in [0, 1];
    (A - b B)/(A + C) = 1 - C_true / (c_miss P), b = c_fa / c_miss;
    all numbers equal exact fractions.
    """
    views = contingencies(
        {f"t{i}": counts for i, counts in enumerate([(0, 0, 7, 9), *topics])}, t11su_beta=beta, t11su_min=floor
    )
    effectiveness, utility, cost = (views.topic_rows(view) for view in (EFFECTIVENESS, UTILITY, COST))
    assert utility["t0"]["t11su"] == pytest.approx(-floor / (1 - floor), abs=1e-12)
    for topic, (a, b, c, d) in views.topics:
        n = a + b + c + d
        if a + c == 0:
            assert utility[topic]["t11su"] is None
            assert cost[topic]["c_det_prel_norm"] is None
            continue
        assert 0 <= utility[topic]["t11su"] <= 1
        assert 0 <= utility[topic]["tdt5su"] <= 1
        ratio = Fraction(1, 10)
        own = (c + ratio * b) / Fraction(n)
        assert cost[topic]["c_det_prel"] == pytest.approx(float(own), abs=1e-12)
        p = Fraction(a + c, n)
        linear = (a - ratio * b) / Fraction(a + c)
        assert linear == 1 - own / p
        assert utility[topic]["tdt5su"] == pytest.approx(
            float((max(linear, Fraction(floor)) - Fraction(floor)) / (1 - Fraction(floor))), abs=1e-12
        )
        if p <= ratio * (1 - p):
            assert 1 - cost[topic]["c_det_prel_norm"] == pytest.approx(float(linear), abs=1e-9)
        f1 = Fraction(2 * a, 2 * a + b + c) if a else Fraction(0)
        assert effectiveness[topic]["f1"] == pytest.approx(float(f1), abs=1e-12)


@slow
@given(
    topics=st.lists(
        st.integers(0, 50).flatmap(lambda a: st.tuples(st.just(a), st.integers(0, 50), st.integers(0, 50))),
        min_size=1,
        max_size=20,
    )
)
def test_with_equal_numbers_of_trials_the_mean_own_prior_cost_is_the_pooled_one(contingencies, topics):
    views = contingencies({f"t{i}": (a, b, c, 200 - a - b - c) for i, (a, b, c) in enumerate(topics)})
    [mean], [pooled] = views.rows(MEAN), views.rows(POOLED)
    assert mean["c_det_prel"] == pytest.approx(pooled["c_det_prel"], abs=1e-12)
