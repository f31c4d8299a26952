"""The rows of ``metric.partition_search__v1``: the best one-to-one pairing of gold clusters and clusters of a run.

CEAF asks for the pairs, each cluster in one at most, whose overlaps (or similarities) add to the most. SQL has no search.
Groups of clusters where one side is a single cluster need none (`metric.partition_matching_cell__v1`); what is left is
searched here by shortest augmenting paths: gold clusters are taken in one by one, and each time the pairing is mended along
the cheapest path, which ends where a cluster is free or where one is better left alone. A path stays among neighbours, so
the work is that of the neighbourhoods, never rows times columns.

Our own, and not scipy's: its matching of sparse matrices works in doubles, so that of two pairings that are nearly the same
either may be found. Weights here are whole numbers: the sum is the largest there is, to the last bit.

Source: H. Kuhn, The Hungarian method for the assignment problem (1955); J. Edmonds, R. Karp, Theoretical improvements in
algorithmic efficiency for network flow problems (1972), section 1.4 (potentials).
"""

from collections.abc import Collection, Mapping, Sequence
from heapq import heappop, heappush

from tdtsql.engine.duckdb import Engine
from tdtsql.progress import Progress

SEARCH, CELL = "metric.partition_search__v1", "metric.partition_matching_cell__v1"
#: edges that are looked at in one block before it is given up, unless somebody asked for it
MOST_EDGES = 20_000_000


def search(engine: Engine, names: Mapping[str, str], body: str, progress: Progress | None = None, *,
           asked: Collection[tuple[int, int]] = (), most_edges: int = MOST_EDGES) -> str:
    """Return a SELECT of the rows of the view: what is found here.

    Args:
        engine: where the views that it reads have been made.
        names: relation -> what the engine calls it.
        body: the view's own SELECT, which is right where nothing is to be searched.
        progress: called with (blocks done, blocks in all, what).
        asked: (run, profile) whose blocks are never given up.
        most_edges: edges looked at in a block before it is given up.
    """
    rows = engine.rows(f"""
        select run_no, profile_no, subset_no, block_no, gold_no, system_no, n_overlap, cast(similarity as bigint) from {names[CELL]} where centre = 0
        order by run_no, profile_no, subset_no, block_no, gold_no, system_no""")
    if not rows:
        return body
    blocks: dict[tuple[int, int, int, int], list[tuple[int, int, int, int]]] = {}
    for run_no, profile_no, subset_no, block_no, *cell in rows:
        blocks.setdefault((run_no, profile_no, subset_no, block_no), []).append(tuple(cell))
    found = []
    for number, (key, cells) in enumerate(blocks.items()):
        sums = [best_sum(_neighbours(cells, weight), None if key[:2] in asked else most_edges) for weight in (2, 3)]
        found.append((*key, *(value or 0 for value in sums), int(None not in sums)))
        if progress is not None and len(blocks) > 1:
            progress(number + 1, len(blocks), "pairing clusters for CEAF")
    columns = zip(*found, strict=True)
    engine.insert_temporary("partition_pairing", dict(zip(
        ("run_no", "profile_no", "subset_no", "block_no", "n_search_item", "search_similarity", "is_made"), map(list, columns), strict=True)))
    return """
        select cast(run_no as integer) as run_no, cast(profile_no as integer) as profile_no, cast(subset_no as integer) as subset_no, cast(block_no as integer) as block_no,
            cast(n_search_item as bigint) as n_search_item, cast(search_similarity as decimal(38, 0)) as search_similarity, cast(is_made as integer) as is_made
        from partition_pairing"""


def _neighbours(cells: Sequence[tuple[int, int, int, int]], weight: int) -> list[list[tuple[int, int]]]:
    """Return the neighbours of each gold cluster as (cluster of the run, weight); -1 is another cluster in each cell."""
    rows: dict[object, int] = {}
    columns: dict[object, int] = {}
    neighbours: list[list[tuple[int, int]]] = []
    for cell in cells:
        gold_no, system_no = cell[:2]
        row = rows.setdefault(gold_no if gold_no != -1 else (gold_no, system_no), len(rows))
        column = columns.setdefault(system_no if system_no != -1 else (gold_no, system_no), len(columns))
        if row == len(neighbours):
            neighbours.append([])
        neighbours[row].append((column, cell[weight]))
    return neighbours


def best_sum(neighbours: Sequence[Sequence[tuple[int, int]]], most_edges: int | None = None) -> int | None:
    """Return the largest sum of weights over one-to-one pairs.

    Args:
        neighbours: for each of R rows its (column, weight > 0); columns are 0 to C - 1.
        most_edges: edges to look at before giving up.

    Returns:
        The sum; None where it was given up.
    """
    n_column = 1 + max((column for row in neighbours for column, _ in row), default=-1)
    # a price of each row and column: row + column >= weight of their edge, with equality where they are paired; none is below 0
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
        # cheapest path from ``start`` to a free column, or to a row that is then left alone, which costs its price
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
