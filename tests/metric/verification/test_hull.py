"""The convex hull of a curve: the view's recursion and the kernel's stack choose the same vertices.

misses
  3 o            o: points of the curve (false alarms, misses)
  2   . o        The line from (0, 3) to (3, 0) has (1, 2) above it and (2, 1) on it: neither is a vertex.
  1       o
  0         o
    0 1 2 3
"""

import random

import duckdb
import numpy
import pytest

import tdtsql
from tdtsql.definitions.catalogue import catalog
from tdtsql.scoring.scope import Scope
from tdtsql.scoring.curve.hull import HULL, POINT, hull, vertices, with_additional


def by_recursion(curves, min_cllr="none"):
    """Return (weighting, addition, vertex_no) -> (false alarms, misses) of curves {weighting: (x, y)}, by the view."""
    connection = duckdb.connect()
    connection.execute(
        "create table point (run_no integer, profile_no integer, subset_no integer, weighting varchar, "
        "point_no bigint, threshold double, miss decimal(38, 0), false_alarm decimal(38, 0), "
        "total_target decimal(38, 0), total_nontarget decimal(38, 0))"
    )
    connection.execute(f"create table profile as select 1 as profile_no, '{min_cllr}' as min_cllr")
    for weighting, (x, y) in curves.items():
        rows = ", ".join(
            f"(1, 1, 0, '{weighting}', {place}, {-place}, {b}, {a}, {y[0]}, {x[-1]})"
            for place, (a, b) in enumerate(zip(x, y, strict=True))
        )
        connection.execute(f"insert into point values {rows}")
    body = catalog()[HULL].reading({POINT: "point", "registry.profile": "profile"})
    rows = connection.execute(
        f"select weighting, addition, vertex_no, cast(false_alarm as varchar), cast(miss as varchar) from ({body})"
    ).fetchall()
    return {row[:3]: (int(row[3]), int(row[4])) for row in rows}


def by_stack(x, y):
    return [(x[place], y[place]) for place in vertices(numpy.array(x, dtype=object), numpy.array(y, dtype=object))]


def test_worked_example():
    assert by_recursion({"story": ([0, 1, 2, 3], [3, 2, 1, 0])}) == {
        ("story", "none", 0): (0, 3),
        ("story", "none", 1): (3, 0),
    }


@pytest.mark.parametrize("largest", [3, 50, 10**15, 10**21])
def test_recursion_and_stack_agree(largest):
    drawn = random.Random(largest)
    for _ in range(5):
        x, y = [0], [0]
        for _ in range(drawn.randint(2, 60)):
            step = (drawn.randint(0, largest), 0) if drawn.random() < 0.5 else (0, drawn.randint(0, largest))
            if sum(step):
                x.append(x[-1] + step[0])
                y.append(y[-1] + step[1])
        if not x[-1] or not y[-1]:
            continue
        y = [y[-1] - value for value in y]
        found = by_recursion({"topic": (x, y)})
        assert [found["topic", "none", number] for number in range(len(found))] == by_stack(x, y)


def test_additional_trials_of_laplace():
    x, y = numpy.array([0, 0, 1, 1, 4]), numpy.array([3, 2, 2, 0, 0])
    found = by_recursion({"story": (x.tolist(), y.tolist())}, "laplace")

    more_x, more_y, _ = with_additional(x, y, numpy.zeros(5))
    expected = by_stack(more_x.tolist(), more_y.tolist())
    assert [found["story", "laplace", number] for number in range(len(expected))] == expected
    assert [key for key in found if key[1] == "none"]


def test_without_curves_the_columns_have_types_that_other_engines_know():
    with tdtsql.connect(":memory:") as store:
        scope = Scope(store.engine, [], [], [])
        scope.names[POINT] = POINT
        types = [row[1] for row in store.engine.rows(f"describe ({hull(scope, '')})")]

    assert types == ["INTEGER"] * 3 + ["VARCHAR"] * 2 + ["BIGINT", "DOUBLE"] + ["DECIMAL(38,0)"] * 4
