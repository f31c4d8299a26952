"""The best one-to-one pairing: against scipy on small matrices of whole numbers, and what it costs."""

import random

import numpy
import pytest
from scipy.optimize import linear_sum_assignment

from tdtsql.scoring.pairing import best_sum


def matrix_of(neighbours):
    weights = numpy.zeros((len(neighbours), 1 + max((column for row in neighbours for column, _ in row), default=0)), dtype=numpy.int64)
    for row, edges in enumerate(neighbours):
        for column, weight in edges:
            weights[row, column] = weight
    return weights


@pytest.mark.parametrize("largest", [1, 2, 5, 10**15])
def test_the_sum_is_that_of_a_dense_search(largest):
    rng = random.Random(largest)
    for _ in range(300):
        n_row, n_column = rng.randint(1, 9), rng.randint(1, 9)
        neighbours = [[(column, rng.randint(1, largest)) for column in range(n_column) if rng.random() < 0.5] for _ in range(n_row)]
        weights = matrix_of(neighbours)
        rows, columns = linear_sum_assignment(weights, maximize=True)
        assert best_sum(neighbours) == weights[rows, columns].sum()


def test_a_row_may_stay_alone():
    """Both rows want column 0; the second has nothing else: 5 + 0 or 4 + 3, not 3 + 4 the other way."""
    assert best_sum([[(0, 5), (1, 3)], [(0, 4)]]) == 7
    assert best_sum([[(0, 5)], [(0, 4)]]) == 5
    assert best_sum([]) == 0


def test_it_is_given_up_after_so_many_edges():
    crowded = [[(column, 1 + (row * column) % 7) for column in range(30)] for row in range(30)]

    assert best_sum(crowded, 100) is None
    assert best_sum(crowded) == best_sum(crowded, 10**6)
