"""What is computed beside the definitions names a view; kernels have tests of their own."""

import numpy

from tdtsql.definitions.catalogue import computed
from tdtsql.scoring.curve.hull import vertices
from tdtsql.scoring.kernels import KERNELS
from tdtsql.task import TASKS


def test_every_kernel_is_of_a_view_that_a_task_computes():
    assert set(KERNELS) <= {name for task in TASKS for name in computed(task)}


def test_vertices_of_arrays_are_those_of_whole_numbers_one_by_one():
    random = numpy.random.default_rng(1)
    for n_point in [*range(2, 40)] * 10:
        steps = random.integers(0, 3, (2, n_point))
        x, y = numpy.cumsum(steps[:, steps.any(axis=0)], axis=1)
        if not (steps[0].any() and steps[1].any()):
            continue
        x, y = numpy.append(0, x), y[-1] - numpy.append(0, y)
        assert vertices(x, y) == vertices(x.astype(object), y.astype(object))
