"""What is computed beside the definitions has their rows, bit for bit: kernels of items (those of curves, hulls, gains,
expected information and assignment have tests of their own), and all name a view.
"""

import numpy
import pytest
from tdtsql.scoring.kernels import KERNELS
from tdtsql.scoring.scope import Scope
from loads import unscored_loads

import tdtsql
from tdtsql.definitions.catalogue import catalog, computed
from tdtsql.scoring.curve.hull import vertices
from tdtsql.scoring.kernels import ITEM_VALUE
from tdtsql.task import TASKS

#: scores of items a to f: an odd and an even number of items in subsets, none of one item, ties, both signs of zero
SCORES = [0.5, None, -1.0, 2.0, 0.0, -0.0]


def test_every_kernel_is_of_a_view_that_a_task_computes():
    assert set(KERNELS) <= {name for task in TASKS for name in computed(task)}


@pytest.mark.parametrize("epochs", [[1], pytest.param([3], marks=pytest.mark.full), [1, 2]])
def test_kernels_of_items(epochs):
    with unscored_loads(), tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        items = {"item_id": list("abcdef"), "lang": ["x", "x", "y", "y", "y", None]}
        store.add_condition("c", corpus="k", task="items", items=items)
        for run, shift in (("r", 0.0), ("s", 1e-3)):
            rows = [
                (item, epoch, None if score is None else score + shift * epoch)
                for item, score in zip("abcdef", SCORES, strict=True)
                for epoch in epochs[: 1 if item == "c" else None]
            ]
            frame = dict(zip(("item_id", "epoch", "score"), map(list, zip(*rows, strict=True)), strict=True))
            store.add_run(run, condition="c", scores=frame)
        engine = store.engine
        scope = Scope(engine, [1], [1, 2], [row[0] for row in engine.rows("select profile_no from registry.profile")])
        try:
            scope.build(computed("items"))
            engine.execute(f"create or replace temp table defined as {catalog()[ITEM_VALUE].reading(scope.names)}")
            made = scope.relation(ITEM_VALUE)
            types = "select column_name, column_type from (describe {})"
            assert engine.rows(types.format("defined")) == engine.rows(types.format(made))
            assert engine.rows("from defined order by all") == engine.rows(f"from {made} order by all")
            assert engine.value(f"select count(*) from {made}") >= 6
        finally:
            scope.close()


def test_vertices_of_arrays_are_those_of_whole_numbers_one_by_one():
    random = numpy.random.default_rng(1)
    for n_point in [*range(2, 40)] * 10:
        steps = random.integers(0, 3, (2, n_point))
        x, y = numpy.cumsum(steps[:, steps.any(axis=0)], axis=1)
        if not (steps[0].any() and steps[1].any()):
            continue
        x, y = numpy.append(0, x), y[-1] - numpy.append(0, y)
        assert vertices(x, y) == vertices(x.tolist(), y.tolist())
