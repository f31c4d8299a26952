"""The graph of a hierarchy: what is below each vertex, and what is refused."""

import networkx
import numpy
from each import of_each
from brute_force import random_hierarchy
from hierarchy_case import arrays

from tdtsql.errors import Problems
from tdtsql.hierarchy.dag import build_dag, count_stories_below, vertices_above


@of_each(range(300))
def test_counts_and_ancestors_agree_with_sets(seed):
    h = random_hierarchy(seed)
    names, dag, vertex, story = arrays(h)
    graph = networkx.DiGraph(h["edges"])
    graph.add_nodes_from(h["names"])
    sets = {v: set(h["lists"][v]).union(*(h["lists"][d] for d in networkx.descendants(graph, v))) for v in h["names"]}
    counts = count_stories_below(dag, vertex, story)
    assert {name: int(counts[i]) for i, name in enumerate(names)} == {name: len(sets[name]) for name in names}
    above = {
        (int(s), int(v)) for stories, vertices in vertices_above(dag, vertex, story) for s, v in zip(stories, vertices)
    }
    assert above == {(h["stories"].index(s), i) for i, name in enumerate(names) for s in sets[name]}
    longest = dict.fromkeys(graph, 0)
    for v in networkx.topological_sort(graph):
        for child in graph.successors(v):
            longest[child] = max(longest[child], longest[v] + 1)
    assert {name: int(dag.depth[i]) for i, name in enumerate(names)} == longest


def found(n_vertex, root, edges):
    """Return the problems of a graph with vertices named a, b, c ... and one line per edge; the others, of files:
    fixtures/malformed/hierarchy.
    """
    names = "abcdefghijklmnopqrstuvwxyz"[:n_vertex]
    problems = Problems("h.xml")
    ends = numpy.array([[names.index(end) for end in edge] for edge in edges])
    build_dag(
        n_vertex,
        names.index(root),
        (ends[:, 0], ends[:, 1]),
        problems=problems,
        names=names,
        vertex_line=numpy.arange(n_vertex) + 1,
        edge_place=numpy.array([numpy.arange(len(ends)) + 101, numpy.full(len(ends), 4)]),
    )
    return [str(problem) for problem in problems.found]


def test_every_separate_cycle_is_printed_once():
    messages = found(6, "a", ["ab", "ac", "ad", "bb", "ce", "ec", "df", "fd"])
    assert [m.split(": ")[2] for m in messages] == [
        "b -> b. Remove one of these edges.",
        "c -> e -> c. Remove one of these edges.",
        "d -> f -> d. Remove one of these edges.",
    ]


def test_a_walk_back_to_the_root_is_a_cycle():
    assert found(2, "a", ["ab", "ba"]) == [
        "h.xml:102:4: E620 the hierarchy has a cycle: a -> b -> a. Remove one of these edges."
    ]


def test_a_long_cycle_is_cut_in_print():
    edges = [chr(97 + i) + chr(98 + i) for i in range(19)] + ["ta"]
    assert (
        "a -> b -> c -> d -> e -> f -> ... 8 more ... -> o -> p -> q -> r -> s -> t -> a." in found(20, "a", edges)[0]
    )
