"""What it costs a reader to walk through a hierarchy.

A reader starts at the root and walks down. At each vertex they look over all
children, then open one. A step down from parent p therefore costs

    branch * number_of_children(p) + title

and the travel cost of a vertex is the cost of the cheapest path from the root to it. The
expected travel cost differs: it is the cost from one story of a topic to another,
where a step up costs a title.

Source: The 2004 TDT evaluation plan, appendix A, section 10.1 (Ctravel). For the
expected travel cost the plan names the idea and gives no formula; this one is ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy

from tdtsql.hierarchy.dag import Dag, reached

#: starting points whose walks are computed at a time
COLUMNS = 256
#: places of a group above which its distances are summed in strips, never held at once
LARGEST_TABLE = 2000


@dataclass(frozen=True, slots=True)
class StepCost:
    """Costs of one step, in cost units (no physical dimension)."""

    branch: float  #: per child the reader looks over
    title: float  #: per title the reader opens


def step_down(dag: Dag, step: StepCost) -> numpy.ndarray:
    """Return the V costs of a step down from each vertex."""
    return step.branch * dag.n_child + step.title


@dataclass(frozen=True, slots=True)
class Paths:
    """The cheapest walk from the root to each of V vertices."""

    cost: numpy.ndarray  #: (V,) cost units >= 0; the root has 0
    parent: numpy.ndarray  #: (V,) the vertex before it on the walk, of several the first by number; the root has -1
    n_step: numpy.ndarray  #: (V,) steps of the walk; the root has 0


def cheapest_paths(dag: Dag, *, step: StepCost) -> Paths:
    """Return the cheapest walk from the root to each vertex.

    Args:
        step: costs from the run's profile; required.
    """
    price = step_down(dag, step).tolist()
    children, begin = dag.child.tolist(), dag.child_begin.tolist()
    cost = [float("inf")] * dag.n_vertex
    parent = [-1] * dag.n_vertex
    n_step = [0] * dag.n_vertex
    cost[dag.root] = 0.0
    for vertex in reversed(dag.order.tolist()):
        below = cost[vertex] + price[vertex]
        for lower in children[begin[vertex] : begin[vertex + 1]]:
            if below < cost[lower] or (below == cost[lower] and vertex < parent[lower]):
                cost[lower] = below
                parent[lower] = vertex
                n_step[lower] = n_step[vertex] + 1
    return Paths(
        numpy.array(cost, dtype=numpy.float64),
        numpy.array(parent, dtype=numpy.int64),
        numpy.array(n_step, dtype=numpy.int64),
    )


def expected_travel(
    dag: Dag, groups: Sequence[tuple[numpy.ndarray, numpy.ndarray]], *, step: StepCost
) -> list[float | None]:
    """Return, per group of stories, the mean cost of the cheapest walk between two of them.

    The mean is over ordered pairs of different stories; a walk goes from a
    vertex that lists the one to a vertex that lists the other, the cheapest of
    all such walks, up (a title per step) and down (``step_down``) as often as
    it pays.

    Args:
        groups: per group two arrays (story, vertex), one entry per list that
            has the story. A story in no list is to be given at the root.

    Returns:
        One cost per group, None for a group of fewer than two stories.
    """
    places = [_places(story, vertex) for story, vertex in groups]
    costs: list[float | None] = []
    for begin in range(0, len(places), COLUMNS):
        costs += _mean_walks(dag, places[begin : begin + COLUMNS], step)
    return costs


def _mean_walks(
    dag: Dag, places: list[tuple[list[numpy.ndarray], numpy.ndarray]], step: StepCost
) -> list[float | None]:
    """Return the mean walk of each group.

    Straight walks (up, then down) need the vertices above the group only. Their
    dearest is a bound: a walk that turns upward again can only be cheaper
    through vertices that lie, to and fro, nearer than that.
    """
    ends = [numpy.unique(numpy.concatenate(spots)) if spots else numpy.zeros(0, numpy.int64) for spots, _ in places]
    used = numpy.zeros(dag.n_vertex, dtype=bool)
    used[numpy.concatenate(ends)] = True
    joints = numpy.flatnonzero(used | (dag.n_parent > 1))
    whole = _Paths(dag, _above(dag, joints), step)
    there, back = whole.costs(ends), whole.costs(ends, backwards=True)
    costs: list[float | None] = []
    for column, (spots, stories) in enumerate(places):
        n_story = int(stories.sum())
        if n_story < 2:
            costs.append(None)
            continue
        if len(spots) > LARGEST_TABLE:
            total = sum(
                float(
                    stories
                    @ (
                        whole.between(spots[first : first + COLUMNS // 4], spots)
                        @ stories[first : first + COLUMNS // 4]
                    )
                )
                for first in range(0, len(spots), COLUMNS // 4)
            )
            costs.append(total / (n_story * (n_story - 1)))
            continue
        above = _above(dag, ends[column])
        distance = _Paths(dag, above, step).between(spots, spots)
        if distance.any():
            near = whole.vertices[there[:, column] + back[:, column] < distance.max()]
            kept = numpy.unique(numpy.concatenate([above, near]))
            distance = numpy.minimum(distance, _Paths(dag, kept, step).between(spots, spots))
        costs.append(float(stories @ (distance @ stories)) / (n_story * (n_story - 1)))
    return costs


def _above(dag: Dag, vertices: numpy.ndarray) -> numpy.ndarray:
    """Return the vertices and all above them."""
    parents, begin = dag.parent, dag.parent_begin
    found = reached(vertices.tolist(), lambda vertex: parents[begin[vertex] : begin[vertex + 1]].tolist())
    return numpy.array(found, dtype=numpy.int64)


def _places(story: numpy.ndarray, vertex: numpy.ndarray) -> tuple[list[numpy.ndarray], numpy.ndarray]:
    """Return the distinct sets of vertices that list a story, and how many stories each set lists."""
    order = numpy.lexsort((vertex, story))
    story, vertex = numpy.asarray(story)[order], numpy.asarray(vertex, dtype=numpy.int64)[order]
    count: dict[tuple[int, ...], int] = {}
    if len(story):
        for run in numpy.split(vertex, numpy.flatnonzero(story[1:] != story[:-1]) + 1):
            spot = tuple(run.tolist())
            count[spot] = count.get(spot, 0) + 1
    return [numpy.array(spot, dtype=numpy.int64) for spot in count], numpy.array(
        list(count.values()), dtype=numpy.float64
    )


class _Paths:
    """Cheapest paths up and down between a subset of the vertices, with the costs of the whole graph."""

    def __init__(self, dag: Dag, vertices: numpy.ndarray, step: StepCost):
        ranks = numpy.sort(dag.rank[vertices])
        self.vertices = dag.order[ranks]  #: row -> vertex, children before parents
        self.row = numpy.full(dag.n_vertex, -1, dtype=numpy.int64)  #: vertex -> row
        self.row[self.vertices] = numpy.arange(len(ranks))
        self.title = step.title
        self.price = step_down(dag, step)[self.vertices]
        self.lower, self.lower_begin = self._neighbours(dag.child, dag.child_begin)
        self.upper, self.upper_begin = self._neighbours(dag.parent, dag.parent_begin)
        height = dag.height[self.vertices]
        cuts = numpy.flatnonzero(numpy.diff(height)) + 1
        levels = [0, *cuts.tolist(), len(ranks)]
        self.up = list(pairwise(levels[1:]))
        self.down = list(pairwise(levels[:-1]))[::-1]
        whole = float(step.branch).is_integer() and float(step.title).is_integer()
        # down from the root and up to it again: no distance is larger
        dearest = float(self.price.max(initial=0.0)) * len(levels) + step.title * 2 * len(levels)
        self.kind: type[numpy.number]  #: of a distance
        self.far: float  #: above every distance
        if whole and dearest < 15000:
            self.kind, self.far = numpy.int16, 16000
        else:
            self.kind, self.far = numpy.float64, 1e300

    def _neighbours(self, neighbour: numpy.ndarray, begin: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Return the rows next to each row, and where each row's run begins."""
        length = begin[self.vertices + 1] - begin[self.vertices]
        ends = numpy.cumsum(length)
        position = numpy.repeat(begin[self.vertices] - (ends - length), length) + numpy.arange(
            ends[-1] if len(ends) else 0
        )
        rows = self.row[neighbour[position]]
        owner = numpy.repeat(numpy.arange(len(self.vertices)), length)[rows >= 0]
        count = numpy.bincount(owner, minlength=len(self.vertices))
        return rows[rows >= 0], numpy.concatenate([[0], numpy.cumsum(count)])

    def costs(self, starts: list[numpy.ndarray], *, backwards: bool = False) -> numpy.ndarray:
        """Return (rows, starts) costs of the cheapest walk from any vertex of each start to each row.

        Args:
            backwards: walk from the row to the start instead.
        """
        cost = numpy.full((len(self.vertices), len(starts)), self.far, dtype=self.kind)
        for column, vertices in enumerate(starts):
            cost[self.row[vertices], column] = 0
        price, title = (
            self.price.astype(self.kind)[:, None],
            numpy.full((len(self.vertices), 1), self.title, dtype=self.kind),
        )
        from_below = (self.lower, self.lower_begin, self.up, price if backwards else title, backwards)
        from_above = (self.upper, self.upper_begin, self.down, title if backwards else price, backwards)
        self._sweep(cost, *from_below)
        while self._sweep(cost, *from_above) and self._sweep(cost, *from_below):
            pass
        return cost

    def between(self, sources: list[numpy.ndarray], targets: list[numpy.ndarray]) -> numpy.ndarray:
        """Return (T, S) costs of the cheapest walks from each source set to each target set."""
        rows = numpy.concatenate([self.row[vertices] for vertices in targets])
        begin = numpy.concatenate([[0], numpy.cumsum([len(vertices) for vertices in targets])[:-1]])
        parts = [
            numpy.minimum.reduceat(self.costs(sources[first : first + COLUMNS])[rows], begin, axis=0).astype(
                numpy.float64
            )
            for first in range(0, len(sources), COLUMNS)
        ]
        return numpy.concatenate(parts, axis=1)

    def _sweep(self, cost, neighbour, begin, levels: list[tuple[int, int]], price, own_price: bool) -> bool:
        """Walk once through all levels in one direction, and lower the costs of each by a step from its neighbours; say
        whether any cost fell.

        Args:
            own_price: the step is paid at the row that is lowered, not at its neighbour.
        """
        changed = False
        for first, last in levels:
            start, stop = begin[first], begin[last]
            if start == stop:
                continue
            near = neighbour[start:stop]
            rows = first + numpy.flatnonzero(numpy.diff(begin[first : last + 1]))
            walk = cost[near] if own_price else cost[near] + price[near]
            best = numpy.minimum.reduceat(walk, begin[rows] - start, axis=0)
            if own_price:
                best += price[rows]
            old = cost[rows]
            if (best < old).any():
                cost[rows] = numpy.minimum(best, old)
                changed = True
        return changed
