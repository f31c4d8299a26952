"""What holds of the measures of filtering for any counts; worked examples are in tests/cases/filtering."""

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
