"""The rows of ``metric.partition_search__v1``: the best one-to-one pairing of gold clusters and clusters of a run.

CEAF is defined on the pairs, each cluster in one at most, whose overlaps (or similarities) have the largest sum. SQL
cannot search for them. Groups of clusters where one side is a single cluster need no search
(`metric.partition_matching_cell__v1`). The others are searched by shortest augmenting paths: gold clusters are added
one by one, and each time the pairing is improved along the cheapest path, which ends at a free cluster or where one is
better left alone. A path stays among neighbours, so the work is that of the neighbourhoods, never rows times columns.

scipy is not used: its matching of sparse matrices computes in doubles, so that of two nearly equal pairings it may
return either. Weights here are integers, and the sum is exactly the largest.

Source: H. Kuhn, The Hungarian method for the assignment problem (1955); J. Edmonds, R. Karp, Theoretical improvements
    in algorithmic efficiency for network flow problems (1972), section 1.4 (potentials).
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise

import numpy

from tdtsql.progress import Progress, silent
from tdtsql.scoring.relations import Relations

SEARCH, CELL = "metric.partition_search__v1", "metric.partition_matching_cell__v1"
_KEYS = ("run_no", "profile_no", "subset_no", "block_no")
#: edges visited in one block before the search is given up, unless it was requested
MOST_EDGES = 20_000_000


def search(scope: Relations, _: str) -> str:
    """Return a SELECT of the rows of the view, as found by the search; blocks of requested runs are never given up."""
    columns = scope.engine.query(scope.statement("pairing_cell")).fetchnumpy()
    cell = {name: numpy.asarray(values, dtype=numpy.int64) for name, values in columns.items()}
    first = numpy.unique(cell["place"], return_index=True)[1]
    blocks = list(zip(*(cell[name][first].tolist() for name in _KEYS), strict=True))
    limits = [None if key[:2] in scope.regardless.get(SEARCH, ()) else MOST_EDGES for key in blocks]
    sums = [
        best_sums(cell["place"], cell["gold"], cell["system"], cell[weight], limits, scope.progress)
        for weight in ("n_overlap", "similarity")
    ]
    found = [
        (*key, *(both if None not in both else (None, None)), int(None not in both))
        for key, *both in zip(blocks, *sums, strict=True)
    ]
    names = (*_KEYS, "n_search_item", "search_similarity", "is_made")
    scope.insert("pairing", {name: [row[place] for row in found] for place, name in enumerate(names)})
    return scope.statement("pairing")


def best_sums(
    block: numpy.ndarray,
    row: numpy.ndarray,
    column: numpy.ndarray,
    weight: numpy.ndarray,
    limits: Sequence[int | None],
    progress: Progress = silent,
) -> list[int | None]:
    """Return the largest sum of each block; None where it was given up.

    Args:
        block: of each of M cells, from 0; they come in order of blocks and rows.
        row, column: numbers of its two clusters, which are of one block.
        weight: whole numbers > 0.
        limits: edges to visit in each block before giving up.
    """
    sums: list[int | None] = []
    starts = numpy.searchsorted(block, numpy.arange(len(limits) + 1)).tolist()
    for number, limit in enumerate(limits):
        cells = slice(starts[number], starts[number + 1])
        sums.append(best_sum(_neighbours(row[cells], column[cells], weight[cells]), limit))
        if len(limits) > 1:
            progress(number + 1, len(limits), "pairing clusters for CEAF")
    return sums


def _neighbours(row: numpy.ndarray, column: numpy.ndarray, weight: numpy.ndarray) -> list[list[tuple[int, int]]]:
    """Return (column, weight) of the neighbours of each row; cells come in order of rows, columns are renumbered."""
    columns = numpy.unique(column, return_inverse=True)[1]
    pairs = list(zip(columns.tolist(), weight.tolist(), strict=True))
    begins = numpy.flatnonzero(numpy.diff(row)) + 1
    return [pairs[begin:end] for begin, end in pairwise([0, *begins.tolist(), len(pairs)])]


def best_sum(neighbours: Sequence[Sequence[tuple[int, int]]], most_edges: int | None = None) -> int | None:
    """Return the largest sum of weights over one-to-one pairs.

    Args:
        neighbours: for each of R rows its (column, weight > 0); columns are 0 to C - 1.
        most_edges: edges to visit before giving up.

    Returns:
        The sum; None where it was given up.
    """
    n_column = 1 + max((column for row in neighbours for column, _ in row), default=-1)
    # a dual value of each row and column, not below 0: row + column >= weight of their edge, with equality where they
    # are paired
    price = [max((weight for _, weight in row), default=0) for row in neighbours]
    column_price = [0] * n_column
    row_of: list[int] = [-1] * n_column
    pair_of: list[int] = [-1] * len(neighbours)
    for row, edges in enumerate(neighbours):
        for column, weight in edges:
            if weight == price[row] and row_of[column] < 0:
                row_of[column], pair_of[row] = row, column
                break
    n_edge = 0
    for start, edges in enumerate(neighbours):
        if pair_of[start] >= 0 or not edges:
            continue
        # cheapest path from ``start`` to a free column, or to a row that is then left alone, which costs its dual value
        distance: dict[int, int] = {}
        before: dict[int, int] = {}
        done: dict[int, int] = {}
        reached = [(start, 0)]
        heap: list[tuple[int, int]] = []
        row, so_far, least, last_row, last_column = start, 0, price[start], start, -1
        while True:
            base = so_far + price[row]
            n_edge += len(neighbours[row])
            for column, weight in neighbours[row]:
                far = base + column_price[column] - weight
                if far < least and column not in done and far < distance.get(column, least):
                    distance[column], before[column] = far, row
                    heappush(heap, (far, column))
            while heap and (heap[0][1] in done or heap[0][0] > distance[heap[0][1]]):
                heappop(heap)
            if not heap or heap[0][0] >= least:
                break
            so_far, column = heappop(heap)
            if row_of[column] < 0:
                least, last_column = so_far, column
                break
            done[column] = so_far
            row = row_of[column]
            reached.append((row, so_far))
            if so_far + price[row] < least:
                least, last_row = so_far + price[row], row
        if most_edges is not None and n_edge > most_edges:
            return None
        for row, far in reached:
            if far < least:
                price[row] -= least - far
        for column, far in done.items():
            if far < least:
                column_price[column] += least - far
        if last_column < 0:  # this row is left alone, and its column is free
            last_column, pair_of[last_row] = pair_of[last_row], -1
        while last_column >= 0:
            row = before[last_column]
            row_of[last_column] = row
            last_column, pair_of[row] = pair_of[row], last_column
    weights = (dict(edges) for edges in neighbours)
    return sum(edges[column] for edges, column in zip(weights, pair_of, strict=True) if column >= 0)
