"""A hierarchy of `brute_force` as the arrays that the package works on."""

import numpy

from tdtsql.errors import Problems
from tdtsql.hierarchy.dag import build_dag, check_lists


def arrays(h):
    """Return (names, dag, listed vertex, listed story, story names) of a random hierarchy; names sorted."""
    names = sorted(h["names"])
    at = {name: i for i, name in enumerate(names)}
    edges = numpy.array([(at[a], at[b]) for a, b in h["edges"]], dtype=int).reshape(-1, 2)
    problems = Problems("h.xml")
    dag = build_dag(len(names), at[h["root"]], (edges[:, 0], edges[:, 1]), problems=problems, names=names)
    assert not problems.errors
    pairs = numpy.array([(at[v], h["stories"].index(s)) for v in names for s in h["lists"][v]], dtype=int).reshape(
        -1, 2
    )
    check_lists(dag, pairs[:, 0], pairs[:, 1], problems=problems, names=names)
    assert not problems.errors
    return names, dag, pairs[:, 0], pairs[:, 1]
