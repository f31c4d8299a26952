"""A directed graph in layers: what is above what, in which order in a row, and where, with few crossings and short
edges.

Of our own, in place of grandalf (GPLv2 or EPLv1, last release 2023): a drawing has some forty boxes, for which
four plain steps are enough, and the same input gives the same drawing.

1. Layer: the longest walk from above. An edge over several layers bends once in each (dummy vertices).
2. Order: each vertex at the mean place of its neighbours in the row above, then below, again and again; the order with
   the fewest crossings is kept.
3. Place: each row as near to its neighbours as boxes and gaps allow, by least squares under an order (isotonic
   regression).

Source: K. Sugiyama, S. Tagawa and M. Toda, Methods for Visual Understanding of Hierarchical System Structures, IEEE
Transactions on Systems, Man, and Cybernetics 11(2), 1981 (layers and barycentres); R. Barlow and H. Brunk, The Isotonic
Regression Problem and Its Dual, 1972 (pool adjacent violators).
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from graphlib import CycleError, TopologicalSorter

from tdtsql.errors import InvalidHierarchy

#: sweeps down and up; orders and places settle long before
SWEEPS = 12

#: a vertex, or the bend of an edge in a layer: (parent, child, layer)
Node = str | tuple[str, str, int]


def layered(vertices: Sequence[str], edges: Iterable[tuple[str, str]], *, step: float) -> dict[str, tuple[float, int]]:
    """Return vertex -> (x of its middle, layer), layers counted from 0 at the top and the leftmost x being 0.

    Args:
        vertices: V ids; equal orders are settled by their place in this list.
        edges: E pairs (parent, child) of vertices; a repeated pair counts once.
        step: distance of neighbours in a row, at least, in the unit of x.

    Raises:
        InvalidHierarchy: the edges contain a cycle.
    """
    pairs = sorted(set(edges), key=lambda pair: (vertices.index(pair[0]), vertices.index(pair[1])))
    layer = _layers(vertices, pairs)
    rows, links = _rows(vertices, pairs, layer)
    above, below = _neighbours(rows, links)
    rows = _ordered(rows, links, above, below)
    x = _placed(rows, above, below, step)
    left = min(x[vertex] for vertex in vertices)
    return {vertex: (x[vertex] - left, layer[vertex]) for vertex in vertices}


def n_crossing(upper: Sequence[Node], lower: Sequence[Node], links: Iterable[tuple[Node, Node]]) -> int:
    """Return how many pairs of links between two rows cross."""
    first, second = ({node: place for place, node in enumerate(row)} for row in (upper, lower))
    ends = sorted((first[one], second[other]) for one, other in links if one in first and other in second)
    return sum(one[1] > other[1] for place, one in enumerate(ends) for other in ends[place + 1 :] if one[0] < other[0])


def _layers(vertices: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    parents: dict[str, list[str]] = {vertex: [] for vertex in vertices}
    for parent, child in pairs:
        parents[child].append(parent)
    try:
        order = list(TopologicalSorter(parents).static_order())
    except CycleError as error:
        raise InvalidHierarchy(
            f"hierarchy has a cycle: {' -> '.join(error.args[1])}. Remove one of these edges."
        ) from error
    layer: dict[str, int] = {}
    for vertex in order:
        layer[vertex] = max((layer[parent] + 1 for parent in parents[vertex]), default=0)
    return layer


def _rows(
    vertices: Sequence[str], pairs: Sequence[tuple[str, str]], layer: dict[str, int]
) -> tuple[list[list[Node]], list[tuple[Node, Node]]]:
    """Return the rows from the top, bends behind vertices, and the links between neighbouring rows."""
    rows: list[list[Node]] = [[] for _ in range(max(layer.values()) + 1)]
    for vertex in vertices:
        rows[layer[vertex]].append(vertex)
    links: list[tuple[Node, Node]] = []
    for parent, child in pairs:
        bends: list[Node] = [(parent, child, number) for number in range(layer[parent] + 1, layer[child])]
        for number, bend in enumerate(bends, layer[parent] + 1):
            rows[number].append(bend)
        links += zip([parent, *bends], [*bends, child], strict=True)
    return rows, links


def _neighbours(
    rows: Sequence[Sequence[Node]], links: Sequence[tuple[Node, Node]]
) -> tuple[dict[Node, list[Node]], dict[Node, list[Node]]]:
    above: dict[Node, list[Node]] = {node: [] for row in rows for node in row}
    below: dict[Node, list[Node]] = {node: [] for row in rows for node in row}
    for one, other in links:
        above[other].append(one)
        below[one].append(other)
    return above, below


def _ordered(
    rows: list[list[Node]],
    links: Sequence[tuple[Node, Node]],
    above: dict[Node, list[Node]],
    below: dict[Node, list[Node]],
) -> list[list[Node]]:
    """Return the rows in the order with the fewest crossings that barycentres find."""

    def crossings(candidate: list[list[Node]]) -> int:
        return sum(n_crossing(upper, lower, links) for upper, lower in pairwise(candidate))

    best, fewest = [list(row) for row in rows], crossings(rows)
    current = [list(row) for row in rows]
    for sweep in range(SWEEPS):
        numbers = range(1, len(current)) if sweep % 2 == 0 else range(len(current) - 2, -1, -1)
        for number in numbers:
            neighbours, other = (above, current[number - 1]) if sweep % 2 == 0 else (below, current[number + 1])
            place = {node: index for index, node in enumerate(other)}
            own = {node: index for index, node in enumerate(current[number])}
            centre = {
                node: _mean([float(place[neighbour]) for neighbour in neighbours[node]], float(own[node]))
                for node in current[number]
            }
            current[number].sort(key=lambda node, centre=centre, own=own: (centre[node], own[node]))
        found = crossings(current)
        if found < fewest:
            best, fewest = [list(row) for row in current], found
    return best


def _placed(
    rows: Sequence[Sequence[Node]], above: dict[Node, list[Node]], below: dict[Node, list[Node]], step: float
) -> dict[Node, float]:
    """Return x of every vertex and bend: rows in their order, at least a step apart, each near its neighbours."""
    x = {node: (index - (len(row) - 1) / 2) * step for row in rows for index, node in enumerate(row)}
    for sweep in range(SWEEPS):
        neighbours, turned = (above, rows) if sweep % 2 == 0 else (below, rows[::-1])
        for row in turned:
            wanted = [_mean([x[neighbour] for neighbour in neighbours[node]], x[node]) for node in row]
            x.update(zip(row, apart(wanted, step), strict=True))
    return x


def apart(wanted: Sequence[float], step: float) -> list[float]:
    """Return the places nearest to those wanted (least squares) that keep the order, and neighbours at least ``step``
    apart.
    """
    blocks: list[
        tuple[float, int]
    ] = []  # (mean, how many): wanted places less their steps, pooled where they would fall
    for index, value in enumerate(wanted):
        mean, size = value - index * step, 1
        while blocks and blocks[-1][0] > mean:
            other, n = blocks.pop()
            mean, size = (other * n + mean * size) / (n + size), n + size
        blocks.append((mean, size))
    levels = [mean for mean, size in blocks for _ in range(size)]
    return [level + index * step for index, level in enumerate(levels)]


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
