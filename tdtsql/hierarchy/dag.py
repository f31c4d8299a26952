"""The graph of a hierarchical detection run: check that it is a DAG; find the stories below each vertex.

Vertices and stories are indexes (0, 1, ...). All data are arrays and no function
recurses, so a chain of 100,000 vertices costs no more than a shallow tree. Sets of
stories are rows of bits, computed from the rows of the children. The
full closure (5 x 10^9 pairs for that chain) is never materialised.

Source: The 2004 TDT evaluation plan, appendix A, sections 9.2 and 9.3.

Code   Meaning
E620   the graph has a cycle
E621   a second root vertex
E622   a vertex that cannot be reached from the root
E623   a story that a vertex lists and a vertex below it lists too
W624   a leaf without stories
W625   a duplicate edge
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy

from tdtsql.errors import Problems

#: bits of a row that are carried through the graph at a time, in words of 64
WORDS = 64
#: most cycles that are printed; each is one edge to remove
MOST_CYCLES = 20
#: vertices of a cycle that are printed
LONGEST_WALK = 12


@dataclass(frozen=True, slots=True)
class Dag:
    """A checked hierarchy: one root, no cycle, every vertex below the root.

    ``order`` lists the vertices with children before parents: by height (0 is a
    leaf), then by number. ``rank`` is its inverse. Children and parents are
    runs of ``child`` and ``parent``: those of vertex v stand at
    ``child[child_begin[v] : child_begin[v + 1]]``.
    """

    root: int
    n_vertex: int
    child: numpy.ndarray  #: (E,)
    child_begin: numpy.ndarray  #: (V + 1,)
    parent: numpy.ndarray  #: (E,)
    parent_begin: numpy.ndarray  #: (V + 1,)
    height: numpy.ndarray  #: (V,) steps of the longest walk down to a leaf
    depth: numpy.ndarray  #: (V,) steps of the longest walk from the root
    order: numpy.ndarray  #: (V,)
    rank: numpy.ndarray  #: (V,)
    level_begin: numpy.ndarray  #: (H + 1,) heights are runs of ``order``

    @property
    def n_child(self) -> numpy.ndarray:
        return numpy.diff(self.child_begin)

    @property
    def n_parent(self) -> numpy.ndarray:
        return numpy.diff(self.parent_begin)


def build_dag(
    n_vertex: int,
    root: int,
    edges: tuple[numpy.ndarray, numpy.ndarray],
    *,
    problems: Problems,
    names: Sequence[str] | None = None,
    vertex_line: numpy.ndarray | None = None,
    edge_place: numpy.ndarray | None = None,
) -> Dag | None:
    """Return the checked graph, or None after reporting what it may not have.

    Args:
        n_vertex: V, the number of vertices.
        root: the vertex above the whole collection.
        edges: two arrays of E parents and E children.
        problems: gets E620, E621, E622 and W625.
        names: V vertex names for the messages; the number where left out.
        vertex_line, edge_place: (V,) lines, and (2, E) lines and columns, for the messages.
    """
    source, target = (numpy.asarray(part, dtype=numpy.int64) for part in edges)
    name = _namer(names)
    key = source * n_vertex + target
    _, first = numpy.unique(key, return_index=True)
    for edge in sorted(set(range(len(key))) - set(first.tolist())) if len(first) < len(key) else ():
        problems.add(
            "W625",
            "this edge was given already, it counts once",
            **_place(edge_place, edge),
            value=f"{name(int(source[edge]))} -> {name(int(target[edge]))}",
            advice="Drop the repeated edge.",
        )
    child, child_begin = _runs(source[first], target[first], n_vertex)
    parent, parent_begin = _runs(target[first], source[first], n_vertex)
    walk = _kahn(child, child_begin, numpy.diff(parent_begin))
    sound = True
    if len(walk) < n_vertex:
        sound = False
        at = {int(key[edge]): int(edge) for edge in first}
        for cycle in _cycles(parent, parent_begin, walk):
            closing = max(
                (at[a * n_vertex + b] for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True)),
                key=lambda edge: (*_place(edge_place, edge).values(), edge),
            )
            problems.add(
                "E620",
                f"the hierarchy has a cycle: {_print_walk([name(v) for v in cycle])}",
                **_place(edge_place, closing),
                advice="Remove one of these edges.",
            )
    children, starts = child.tolist(), child_begin.tolist()
    met = reached([root], lambda vertex: children[starts[vertex] : starts[vertex + 1]])
    n_parent, n_child = numpy.diff(parent_begin), numpy.diff(child_begin)
    for vertex in sorted(set(range(n_vertex)) - set(met)):
        sound = False
        code, what, advice = (
            "E622",
            f"no walk from the root {name(root)!r} reaches this vertex",
            "Add an edge that leads to it, or drop the vertex.",
        )
        if n_parent[vertex] == 0 and n_child[vertex] > 0:
            code, what = "E621", f"a second root: no edge leads to this vertex, and the root is {name(root)!r}"
            advice = "Add an edge to it from the root or from a vertex below the root."
        problems.add(code, what, **_place(vertex_line, vertex), value=name(vertex), advice=advice)
    if not sound:
        return None
    height, depth = _steps(reversed(walk), child, child_begin), _steps(walk, parent, parent_begin)
    order = numpy.argsort(height, kind="stable").astype(numpy.int64)
    rank = numpy.empty(n_vertex, dtype=numpy.int64)
    rank[order] = numpy.arange(n_vertex)
    level_begin = numpy.concatenate([[0], numpy.cumsum(numpy.bincount(height))])
    return Dag(root, n_vertex, child, child_begin, parent, parent_begin, height, depth, order, rank, level_begin)


def _namer(names: Sequence[str] | None) -> Callable[[int], str]:
    return str if names is None else names.__getitem__


def _place(places: numpy.ndarray | None, number: int) -> dict[str, Any]:
    """Return line and column (or the line) of a thing by its number; nothing where no places are known."""
    found = [] if places is None else numpy.atleast_2d(places)[:, number].tolist()
    return dict(zip(("line", "column"), found, strict=False))


def _runs(key: numpy.ndarray, value: numpy.ndarray, n_vertex: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return the values sorted by key, and where each key's run begins."""
    order = numpy.lexsort((value, key))
    begin = numpy.concatenate([[0], numpy.cumsum(numpy.bincount(key, minlength=n_vertex))])
    return value[order].astype(numpy.int64), begin.astype(numpy.int64)


def _kahn(child: numpy.ndarray, begin: numpy.ndarray, n_parent: numpy.ndarray) -> list[int]:
    """Return the vertices parents first; those on or below a cycle are left out."""
    children, starts, open_parents = child.tolist(), begin.tolist(), n_parent.tolist()
    walk = [vertex for vertex, count in enumerate(open_parents) if count == 0]
    for vertex in walk:  # grows while it is read
        for lower in children[starts[vertex] : starts[vertex + 1]]:
            open_parents[lower] -= 1
            if open_parents[lower] == 0:
                walk.append(lower)
    return walk


def _steps(walk: Iterable[int], before: numpy.ndarray, begin: numpy.ndarray) -> numpy.ndarray:
    """Return the steps of the longest way to each vertex from one with none ``before`` it; ``walk``: these first."""
    others, starts = before.tolist(), begin.tolist()
    steps = [0] * (len(starts) - 1)
    for vertex in walk:
        steps[vertex] = max((steps[other] + 1 for other in others[starts[vertex] : starts[vertex + 1]]), default=0)
    return numpy.array(steps, dtype=numpy.int64)


def reached(starts: Iterable[int], neighbours: Callable[[int], Iterable[int]]) -> list[int]:
    """Return the starts and all vertices that a walk from them meets, each once, in the order in which it does."""
    found = dict.fromkeys(starts)
    walk = list(found)
    for vertex in walk:  # grows while it is read
        fresh = dict.fromkeys(near for near in neighbours(vertex) if near not in found)
        found |= fresh
        walk += fresh
    return walk


def _cycles(parent: numpy.ndarray, begin: numpy.ndarray, walk: list[int]) -> Iterator[list[int]]:
    """Yield cycles that share no vertex, up to MOST_CYCLES, each from its smallest vertex on."""
    parents, starts = parent.tolist(), begin.tolist()
    left = set(range(len(starts) - 1)).difference(walk)
    for _ in range(MOST_CYCLES):
        above = {v: [u for u in parents[starts[v] : starts[v + 1]] if u in left] for v in sorted(left)}
        try:
            TopologicalSorter(above).prepare()
            return
        except CycleError as error:
            cycle = error.args[1][:-1]
        smallest = cycle.index(min(cycle))
        yield cycle[smallest:] + cycle[:smallest]
        left.difference_update(cycle)


def _print_walk(names: list[str]) -> str:
    if len(names) > LONGEST_WALK:
        shown = LONGEST_WALK // 2
        names = [*names[:shown], f"... {len(names) - 2 * shown} more ...", *names[-shown:], names[0]]
    else:
        names = [*names, names[0]]
    return " -> ".join(names)


def check_lists(
    dag: Dag,
    listed_vertex: numpy.ndarray,
    listed_story: numpy.ndarray,
    *,
    problems: Problems,
    names: Sequence[str] | None = None,
    story_names: Sequence[str] | None = None,
    vertex_line: numpy.ndarray | None = None,
    listed_place: numpy.ndarray | None = None,
) -> None:
    """Report W624 for leaves without stories and E623 for stories that an ancestor lists again.

    Args:
        listed_vertex, listed_story: L pairs, one per entry of a vertex's list.
        listed_place: (2, L) lines and columns of the entries.
    """
    name = _namer(names)
    n_listed = numpy.bincount(listed_vertex, minlength=dag.n_vertex)
    for vertex in numpy.flatnonzero((dag.n_child == 0) & (n_listed == 0)).tolist():
        problems.add(
            "W624",
            "a leaf without stories",
            **_place(vertex_line, vertex),
            value=name(vertex),
            advice="Give it a story, or drop the vertex.",
        )
    shared, bit = _shared_stories(listed_story)
    entries = numpy.flatnonzero(shared)
    repeats: list[tuple[int, int]] = []
    for first_bit, _, again in _bits_below(
        dag, listed_vertex[entries], bit[listed_story[entries]], report_repeats=True
    ):
        repeats += [(vertex, first_bit + number) for vertex, number in again]
    if not repeats:
        return
    story_of_bit = numpy.empty(len(entries), dtype=numpy.int64)
    story_of_bit[bit[listed_story[entries]]] = listed_story[entries]
    entry_at = {(int(listed_vertex[entry]), int(listed_story[entry])): int(entry) for entry in entries}
    for entry in sorted(entry_at[vertex, int(story_of_bit[number])] for vertex, number in repeats):
        story = int(listed_story[entry])
        problems.add(
            "E623",
            f"vertex {name(int(listed_vertex[entry]))!r} lists a story that a vertex below it lists too",
            **_place(listed_place, entry),
            value=_namer(story_names)(story),
            advice="List the story in the lower vertex only; it counts in every vertex above.",
        )


def _shared_stories(listed_story: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return which entries have a story of several lists, and a bit number per story."""
    count = numpy.bincount(listed_story)
    bit = numpy.cumsum(count > 1) - 1
    return count[listed_story] > 1, bit


def _bits_below(
    dag: Dag, vertex: numpy.ndarray, bit: numpy.ndarray, *, report_repeats: bool = False
) -> Iterator[tuple[int, numpy.ndarray, list[tuple[int, int]]]]:
    """Yield, for intervals of bits, the bits of each vertex and of all vertices below it.

    Args:
        vertex, bit: pairs; the vertex has the bit itself.
        report_repeats: also list the (vertex, bit - first bit) where a vertex
            holds a bit that a vertex below it holds too.

    Yields:
        first bit, a (V, words) array of uint64 in the order of ``dag.order``, repeats.
    """
    if not len(bit):
        return
    n_words = int(bit.max()) // 64 + 1
    by_word = numpy.argsort(bit, kind="stable")
    row, bit = dag.rank[vertex[by_word]], bit[by_word].astype(numpy.int64)
    lower, lower_begin = ranked_runs(dag, dag.child, dag.child_begin)
    levels = dag.level_begin.tolist()
    for begin in range(0, n_words, WORDS):
        words = min(WORDS, n_words - begin)
        low, high = numpy.searchsorted(bit, [begin * 64, (begin + words) * 64])
        own = row[low:high] * words + (bit[low:high] // 64 - begin)
        rows = numpy.zeros((dag.n_vertex, words), dtype=numpy.uint64)
        value = numpy.left_shift(numpy.uint64(1), (bit[low:high] % 64).astype(numpy.uint64))
        numpy.bitwise_or.at(rows.reshape(-1), own, value)
        repeats: list[tuple[int, int]] = []
        for level in range(1, len(levels) - 1):
            first, last = levels[level], levels[level + 1]
            start, stop = lower_begin[first], lower_begin[last]
            below = numpy.bitwise_or.reduceat(rows[lower[start:stop]], lower_begin[first:last] - start)
            if report_repeats:
                both = rows[first:last] & below
                if both.any():
                    at, number = _set_bits(both)
                    repeats += zip(dag.order[first + at].tolist(), number.tolist(), strict=True)
            rows[first:last] |= below
        yield begin * 64, rows, repeats


def ranked_runs(dag: Dag, neighbour: numpy.ndarray, begin: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return the runs of children or parents in the order of ``dag.order``, as ranks."""
    length = numpy.diff(begin)[dag.order]
    new_begin = numpy.concatenate([[0], numpy.cumsum(length)])
    position = numpy.repeat(begin[dag.order] - new_begin[:-1], length) + numpy.arange(new_begin[-1])
    return dag.rank[neighbour[position]], new_begin


def _set_bits(rows: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return (row, bit number) of every bit that is set."""
    row, word = numpy.nonzero(rows)
    bits = numpy.unpackbits(rows[row, word].astype("<u8").view(numpy.uint8).reshape(-1, 8), axis=1, bitorder="little")
    entry, bit = numpy.nonzero(bits)
    return row[entry], word[entry] * 64 + bit


def count_bits(words: numpy.ndarray) -> numpy.ndarray:
    """Return the number of bits set in each word."""
    if hasattr(numpy, "bitwise_count"):
        return numpy.bitwise_count(words).astype(numpy.int64)
    one, two, four = (numpy.uint64(mask) for mask in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F))
    words = words - ((words >> numpy.uint64(1)) & one)
    words = (words & two) + ((words >> numpy.uint64(2)) & two)
    words = (words + (words >> numpy.uint64(4))) & four
    return ((words * numpy.uint64(0x0101010101010101)) >> numpy.uint64(56)).astype(numpy.int64)


def count_stories_below(dag: Dag, listed_vertex: numpy.ndarray, listed_story: numpy.ndarray) -> numpy.ndarray:
    """Return V counts: the distinct stories in each vertex and all below it.

    A story listed once is counted up the tree as a number as long as every
    vertex has one parent. Only vertices that several paths reach need sets: a vertex
    with several parents is one bit with the weight of its subtree, a story in
    several lists is one bit of weight 1.
    """
    shared, bit = _shared_stories(listed_story)
    single = numpy.bincount(listed_vertex[~shared], minlength=dag.n_vertex).astype(numpy.int64)
    tree = _sum_of_tree(dag, single)
    joint = numpy.flatnonzero((dag.n_parent > 1) & (tree > 0))
    count = tree.copy()
    count[joint] = 0  # added again with the vertex's own bit
    vertices = numpy.concatenate([joint, listed_vertex[shared]])
    n_joint = len(joint)
    bits = numpy.concatenate([numpy.arange(n_joint), n_joint + bit[listed_story[shared]]])
    weight = numpy.concatenate(
        [tree[joint], numpy.ones(int(bits.max()) + 1 - n_joint if len(bits) else 0, numpy.int64)]
    )
    for first_bit, rows, _ in _bits_below(dag, vertices, bits):
        count[dag.order] += _weighted_count(rows, weight[first_bit : first_bit + rows.shape[1] * 64])
    return count


def _sum_of_tree(dag: Dag, amount: numpy.ndarray) -> numpy.ndarray:
    """Return, per vertex, the amounts of it and of all below that are reached through single parents only."""
    total = amount.tolist()
    only_parent = numpy.where(
        dag.n_parent == 1,
        dag.parent[numpy.minimum(dag.parent_begin[:-1], max(0, len(dag.parent) - 1))] if len(dag.parent) else -1,
        -1,
    ).tolist()
    for vertex in dag.order.tolist():
        if only_parent[vertex] >= 0:
            total[only_parent[vertex]] += total[vertex]
    return numpy.array(total, dtype=numpy.int64)


def _weighted_count(rows: numpy.ndarray, weight: numpy.ndarray) -> numpy.ndarray:
    """Return, per row, the sum of the weights of its bits."""
    words = rows.shape[1]
    weight = numpy.concatenate([weight, numpy.zeros(words * 64 - len(weight), dtype=numpy.int64)])
    total = numpy.zeros(rows.shape[0], dtype=numpy.int64)
    at = numpy.flatnonzero(rows)
    if not len(at):
        return total
    value, row, word = rows.reshape(-1)[at], at // words, at % words
    for power in range(int(weight.max()).bit_length()):
        plane = (
            numpy.packbits(((weight >> power) & 1).astype(numpy.uint8), bitorder="little")
            .view("<u8")
            .astype(numpy.uint64)
        )
        if plane.any():
            total += (
                numpy.bincount(row, weights=count_bits(value & plane[word]), minlength=len(total)).astype(numpy.int64)
                << power
            )
    return total


def vertices_above(
    dag: Dag, vertex: numpy.ndarray, story: numpy.ndarray
) -> Iterator[tuple[numpy.ndarray, numpy.ndarray]]:
    """Yield intervals of (story, vertex): every vertex with the story, listed itself or below it.

    Args:
        vertex, story: the lists, of the stories that matter only.
    """
    known, number = numpy.unique(story, return_inverse=True)
    for first_bit, rows, _ in _bits_below(dag, vertex, number):
        row, bit = _set_bits(rows)
        yield known[first_bit + bit], dag.order[row]
