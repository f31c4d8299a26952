"""Layers, orders and places of small graphs, by hand."""

from itertools import pairwise

import pytest

from tdtsql.errors import InvalidHierarchy
from tdtsql.hierarchy.layers import apart, layered, n_crossing


def test_a_vertex_stands_below_all_that_lead_to_it():
    """r -> a -> b and r -> b: b is in layer 2, though an edge leads there straight."""
    place = layered(["r", "a", "b"], [("r", "a"), ("a", "b"), ("r", "b"), ("r", "a")], step=10)

    assert {name: layer for name, (_, layer) in place.items()} == {"r": 0, "a": 1, "b": 2}


def test_a_parent_stands_over_the_middle_of_its_children():
    place = layered(["r", "a", "b", "c"], [("r", "a"), ("r", "b"), ("r", "c")], step=10)

    assert [place[name][0] for name in "abc"] == [0, 10, 20]
    assert place["r"] == (10, 0)


def test_rows_are_ordered_so_that_edges_do_not_cross():
    r"""As given, a-y crosses b-x; with x and y turned nothing does.

        a   b
         \ /
         / \
        x   y
    """
    place = layered(["r", "a", "b", "x", "y"], [("r", "a"), ("r", "b"), ("a", "y"), ("b", "x")], step=10)

    assert (place["a"][0] < place["b"][0]) is (place["y"][0] < place["x"][0])


def test_crossings_are_counted():
    assert n_crossing("ab", "xy", [("a", "y"), ("b", "x")]) == 1
    assert n_crossing("ab", "xy", [("a", "x"), ("b", "y"), ("a", "y")]) == 0
    assert n_crossing("abc", "xyz", [("a", "z"), ("b", "y"), ("c", "x")]) == 3


def test_neighbours_keep_their_distance_and_stay_as_near_as_they_can():
    """1, 2 and 2 want to be where only one fits: least squares about their mean place, 5/3."""
    assert apart([1.0, 2.0, 2.0], 3.0) == pytest.approx([5 / 3 - 3, 5 / 3, 5 / 3 + 3])
    assert apart([0.0, 100.0], 3.0) == [0.0, 100.0]
    assert apart([], 3.0) == []


def test_no_two_boxes_of_a_row_overlap_and_the_drawing_is_the_same_each_time():
    names = [f"v{number}" for number in range(40)]
    edges = [(names[(number * 7) % number], names[number]) for number in range(1, 40)] + [
        (names[0], names[39]),
        (names[1], names[38]),
    ]

    place = layered(names, edges, step=10)

    assert place == layered(names, edges[::-1], step=10)
    for layer in {layer for _, layer in place.values()}:
        row = sorted(x for x, one in place.values() if one == layer)
        assert all(right - left >= 10 - 1e-9 for left, right in pairwise(row))
    assert min(x for x, _ in place.values()) == 0
    assert all(place[child][1] > place[parent][1] for parent, child in edges)


def test_one_vertex_and_several_without_edges():
    assert layered(["a"], [], step=10) == {"a": (0, 0)}
    assert layered(["a", "b"], [], step=10) == {"a": (0, 0), "b": (10, 0)}


def test_a_cycle_is_named():
    with pytest.raises(InvalidHierarchy, match=r"hierarchy has a cycle: .* -> "):
        layered(["a", "b"], [("a", "b"), ("b", "a")], step=10)
