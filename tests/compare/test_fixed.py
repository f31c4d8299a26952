"""Numbers on a grid, and differences that only rounding tells apart.

a             b      a - b, as computed     made equal
0.1 + 0.2     0.3                5.6e-17    0
2/31          1/31       1/31 + 4e-18       one value,
-1/31 + 5     5         -1/31 - 4e-16       with either sign
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdtsql.compare.fixed import LARGEST_SUM, difference, to_fixed
from tdtsql.errors import InvalidComparison


def test_differences_that_are_equal_but_for_rounding_are_equal_to_the_last_bit():
    made = difference([0.1 + 0.2, 2 / 31, -1 / 31 + 5, 3 / 31], [0.3, 1 / 31, 5.0, 2 / 31])

    assert made[0] == 0.0
    assert made[1] == made[3] == -made[2] == pytest.approx(1 / 31)


def test_what_is_more_than_rounding_stays():
    assert difference([1.0, 1.0 + 5e-12, 0.0], [0.0, 0.0, 3e-12]).tolist() == [1.0, 1.0 + 5e-12, -3e-12]


def test_rounding_of_large_numbers_is_larger():
    # a kilometre figure that was summed in another order
    values = np.array([1234567.1, 1234567.1 + 2.0])

    assert difference(values * (1 + 2e-16), values).tolist() == [0.0, 0.0]
    assert difference(values + 1e-6, values).tolist() == pytest.approx([1e-6, 1e-6], abs=1e-9)


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=20),
    st.integers(1, 5000),
    st.floats(0.0, 100.0),
)
def test_fractions_over_one_size_differ_as_their_counts_do(pairs, size, shift):
    made = difference([one / size + shift for one, _ in pairs], [other / size + shift for _, other in pairs])
    counts = np.array([one - other for one, other in pairs])

    for first in range(len(pairs)):
        for second in range(len(pairs)):
            assert (made[first] == made[second]) == (counts[first] == counts[second])
            assert (made[first] == -made[second]) == (counts[first] == -counts[second])


def test_no_topic_and_one_topic():
    assert difference([], []).tolist() == []
    assert difference([0.3], [0.1]).tolist() == [0.3 - 0.1]


def test_sums_of_any_draw_stay_exact():
    # the largest value may be drawn for every topic
    values = np.append(np.zeros(249), 4000.0)
    fixed = to_fixed(values)

    assert fixed.unit == 1e-9
    assert 250 * fixed.whole.max() < LARGEST_SUM


def test_differences_take_the_unit_of_what_they_are_differences_of():
    values = np.array([[1e6], [2e6]])
    unit = to_fixed(values).unit

    assert unit == 1e-9
    assert to_fixed(np.array([[1e-3], [0.0]]), unit=unit).whole.tolist() == [[1e6], [0.0]]
    assert to_fixed(2 * values, unit=unit).unit == unit


def test_infinity_and_what_no_unit_holds_are_refused():
    with pytest.raises(InvalidComparison, match="infinite"):
        to_fixed(np.array([np.inf]))
    with pytest.raises(InvalidComparison, match="values up to 1e[+]40 are too large to compare"):
        to_fixed(np.array([1e40, 0.0]))
