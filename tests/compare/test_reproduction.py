"""How well one run reproduces another, by hand (higher is better):

    topic   original  reproduced  baseline
    T1           0.6         0.6       0.4
    T2           0.8         0.7       0.4
    T3           0.4         0.5       0.1
    mean         0.6         0.6       0.3

RMSE = sqrt((0 + 0.01 + 0.01) / 3); the means agree although two topics do not.
Effect ratio = (0.6 - 0.3) / (0.6 - 0.3) = 1, delta of relative gain 0.
"""

import math

import numpy as np
import pytest
import scipy.stats

from tdtsql.compare.reproduction import reproduction_degree
from tdtsql.errors import InvalidComparison

ORIGINAL, REPRODUCED, BASELINE = (np.array(column) for column in ([0.6, 0.8, 0.4], [0.6, 0.7, 0.5], [0.4, 0.4, 0.1]))


def test_worked_example():
    degree = reproduction_degree(
        ORIGINAL, REPRODUCED, original_baseline=BASELINE, reproduced_baseline=BASELINE, best="highest"
    )

    assert (degree.n_topic, degree.n_same) == (3, 1)
    assert degree.rmse == pytest.approx(math.sqrt(0.02 / 3))
    # numbers run from 0.4 to 0.8; the farthest a reproduction can miss is 0.2, 0.4, 0.4
    assert degree.rmse_relative == pytest.approx(math.sqrt(0.02 / 3) / math.sqrt((0.04 + 0.16 + 0.16) / 3))
    assert degree.tau == 1.0
    assert (degree.mean_original, degree.mean_reproduced) == pytest.approx((0.6, 0.6))
    assert degree.effect_ratio == pytest.approx(1.0)
    assert degree.delta_relative_improvement == pytest.approx(0.0, abs=1e-12)


def test_half_the_gain_is_an_effect_ratio_of_one_half_in_either_direction():
    for sign, best in ((1, "highest"), (-1, "lowest")):
        base = np.array([0.5, 0.5])
        degree = reproduction_degree(
            base + sign * 0.2, base + sign * 0.1, original_baseline=base, reproduced_baseline=base, best=best
        )
        assert degree.effect_ratio == pytest.approx(0.5)
        assert degree.delta_relative_improvement == pytest.approx(0.2)


def test_the_same_run_reproduces_itself():
    degree = reproduction_degree(ORIGINAL, ORIGINAL)

    assert (degree.rmse, degree.n_same, degree.p, degree.tau) == (0.0, 3, 1.0, 1.0)
    assert math.isnan(degree.effect_ratio)


def test_tau_and_p_are_scipys():
    generator = np.random.default_rng(1)
    one, other = generator.random(40), generator.random(40)
    degree = reproduction_degree(one, other)

    assert degree.tau == pytest.approx(scipy.stats.kendalltau(one, other).statistic)
    assert degree.p == pytest.approx(scipy.stats.ttest_rel(other, one).pvalue, rel=1e-10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"reproduced": REPRODUCED[:2]}, "do not have the same topics"),
        ({"reproduced": np.array([0.1, math.nan, 0.2])}, "a topic has no number"),
        ({"reproduced": REPRODUCED, "original_baseline": BASELINE}, "needs the baseline of both runs"),
    ],
)
def test_what_cannot_be_compared_is_refused(arguments, message):
    with pytest.raises(InvalidComparison, match=message):
        reproduction_degree(ORIGINAL, **arguments)


def test_a_gain_of_rounding_alone_is_no_gain():
    # 1/31 + 2/31 and 3/31 + 0, as sums of doubles 1.4e-17 apart: the ratio was 1e15
    original, baseline = np.array([1 / 31, 2 / 31, 0.7]), np.array([3 / 31, 0.0, 0.7])
    degree = reproduction_degree(
        original, original + 0.1, original_baseline=baseline, reproduced_baseline=baseline, best="highest"
    )

    assert math.isnan(degree.effect_ratio)


def test_nearly_constant_differences_are_constant():
    before = np.array([4.9 * k / 55 for k in range(3, 15)])
    degree = reproduction_degree(before, np.array([4.9 * (k + 1) / 55 for k in range(3, 15)]))

    assert (degree.p, degree.n_same, degree.tau) == (0.0, 0, 1.0)
