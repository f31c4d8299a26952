"""Travel costs: the plan's figure A1, random graphs against networkx, the two-way walk.

             a                 Edges a-b a-c b-d b-e b-f c-f c-g f-h f-i g-i g-j.
           /   \\              A step down costs 2 * children + 1: from a 5, b 7, c 5, f 5, g 5.
          b     c              b 5, c 5, d 5+7, e 5+7, f min(5+7 by b, 5+5 by c) = 10,
        / | \\  / \\           g 10, h 15, i 15, j 15.
       d  e   f    g
             / \\ / \\
            h   i    j
"""

import numpy
import pytest
from brute_force import expected_travel as slow_expected_travel
from brute_force import random_hierarchy, travel
from hierarchy_case import arrays

from tdtsql.errors import Problems
from tdtsql.hierarchy.dag import build_dag
from tdtsql.hierarchy.travel import StepCost, cheapest_paths, expected_travel, step_down

PLAN_STEP = StepCost(branch=2, title=1)
FIGURE_A1 = ["ab", "ac", "bd", "be", "bf", "cf", "cg", "fh", "fi", "gi", "gj"]


def figure_a1():
    ends = numpy.array([("abcdefghij".index(e[0]), "abcdefghij".index(e[1])) for e in FIGURE_A1])
    return build_dag(10, 0, (ends[:, 0], ends[:, 1]), problems=Problems("a1"))


def test_worked_example():
    costs = cheapest_paths(figure_a1(), step=PLAN_STEP).cost
    assert costs.tolist() == [0, 5, 5, 12, 12, 10, 10, 15, 15, 15]


def test_a_walk_between_two_stories_goes_up_for_a_title_and_down_at_full_price():
    # h to j: up to f (1), up to c (1), down to g (5), down to j (5) = 12; by i: up 1, down 5, up 1, down 5 = 12 too
    # e to d: up to b (1), down (7) = 8; and back the same
    dag = figure_a1()
    h, j, d, e = (numpy.array(["abcdefghij".index(v)]) for v in "hjde")
    hj = (numpy.array([1, 2]), numpy.concatenate([h, j]))
    de = (numpy.array([1, 2]), numpy.concatenate([d, e]))
    same = (numpy.array([1, 2]), numpy.concatenate([d, d]))
    one = (numpy.array([1]), d)
    # story 1 is in e and in h (as s8): from h to e costs up f, b (2) and down 7 = 9, within e nothing
    both = (numpy.array([1, 1, 2]), numpy.concatenate([e, h, e]))
    assert expected_travel(dag, [hj, de, same, one, both], step=PLAN_STEP) == [12.0, 8.0, 0.0, None, 0.0]


@pytest.mark.sample(60)
@pytest.mark.parametrize("seed", range(300))
def test_random_graphs_agree_with_all_paths(seed):
    h = random_hierarchy(seed)
    names, dag, vertex, _ = arrays(h)
    for profile in ({"c_branch": 2, "c_title": 1}, {"c_branch": 0.25, "c_title": 3.5}):
        step = StepCost(branch=profile["c_branch"], title=profile["c_title"])
        assert dict(zip(names, cheapest_paths(dag, step=step).cost)) == pytest.approx(
            {n: float(c) for n, c in travel(h, profile).items()}
        )
        walks, price = cheapest_paths(dag, step=step), step_down(dag, step)
        for vertex in range(dag.n_vertex):
            parents = dag.parent[dag.parent_begin[vertex] : dag.parent_begin[vertex + 1]].tolist()
            cheapest = min((walks.cost[upper] + price[upper] for upper in parents), default=0.0)
            assert walks.cost[vertex] == cheapest
            assert walks.parent[vertex] == min(
                (upper for upper in parents if walks.cost[upper] + price[upper] == cheapest), default=-1
            )
            assert walks.n_step[vertex] == (walks.n_step[walks.parent[vertex]] + 1 if parents else 0)
        groups = []
        for on_topic in h["topics"].values():
            entries = [
                (h["stories"].index(s), names.index(v))
                for s in on_topic
                for v in [n for n in names if s in h["lists"][n]] or [h["root"]]
            ]
            groups.append(tuple(numpy.array(entries, dtype=int).reshape(-1, 2).T))
        want = [slow_expected_travel(h, on_topic, profile) for on_topic in h["topics"].values()]
        for got, expected in zip(expected_travel(dag, groups, step=step), want):
            assert got == (None if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-12))


def test_a_large_group_is_summed_in_strips():
    # 2,500 leaves below the root: any two are a step up and one down apart, 1 + 2 * 2500 + 1
    n = 2501
    dag = build_dag(n, 0, (numpy.zeros(n - 1, dtype=int), numpy.arange(1, n)), problems=Problems("flat"))
    leaves = (numpy.arange(n - 1), numpy.arange(1, n))
    assert expected_travel(dag, [leaves, (leaves[0][:9], leaves[1][:9])], step=PLAN_STEP) == [5002.0, 5002.0]
