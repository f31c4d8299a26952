"""The best one-to-one pairing: against scipy on small matrices of whole numbers, and what it costs."""

import random

import numpy
import pytest
from scipy.optimize import linear_sum_assignment

import tdtsql
from tdtsql.definitions.catalogue import catalog
from tdtsql.scoring.pairing import best_sums, best_sum


def matrix_of(neighbours):
    weights = numpy.zeros(
        (len(neighbours), 1 + max((column for row in neighbours for column, _ in row), default=0)), dtype=numpy.int64
    )
    for row, edges in enumerate(neighbours):
        for column, weight in edges:
            weights[row, column] = weight
    return weights


@pytest.mark.parametrize("largest", [1, 2, 5, 10**15])
def test_the_sum_is_that_of_a_dense_search(largest):
    rng = random.Random(largest)
    for _ in range(300):
        n_row, n_column = rng.randint(1, 9), rng.randint(1, 9)
        neighbours = [
            [(column, rng.randint(1, largest)) for column in range(n_column) if rng.random() < 0.5]
            for _ in range(n_row)
        ]
        weights = matrix_of(neighbours)
        rows, columns = linear_sum_assignment(weights, maximize=True)
        assert best_sum(neighbours) == weights[rows, columns].sum()


def test_a_row_may_stay_alone():
    """Both rows want column 0; the second has nothing else: 5 + 0 or 4 + 3, not 3 + 4 the other way."""
    assert best_sum([[(0, 5), (1, 3)], [(0, 4)]]) == 7
    assert best_sum([[(0, 5)], [(0, 4)]]) == 5
    assert best_sum([]) == 0


def test_it_is_given_up_after_so_many_edges():
    crowded = [[(column, 1 + (row * column) % 7) for column in range(30)] for row in range(30)]

    assert best_sum(crowded, 100) is None
    assert best_sum(crowded) == best_sum(crowded, 10**6)


def cells_of(neighbours):
    """Return rows, columns and weights of cells."""
    return tuple(
        numpy.array(values, dtype=numpy.int64)
        for values in zip(
            *((row, column, weight) for row, edges in enumerate(neighbours) for column, weight in edges), strict=True
        )
    )


@pytest.mark.parametrize("largest", [1, 2, 5, 10**15])
def test_every_block_has_the_sum_of_a_dense_search(largest):
    """200 blocks at once, sparse and crowded; 10^15 is the weight of a similarity of 1."""
    rng = random.Random(largest)
    blocks, rows, columns, weights, expected = [], [], [], [], []
    for block in range(200):
        n_row, n_column, density = rng.randint(1, 9), rng.randint(1, 9), rng.choice((0.2, 0.5, 1))
        neighbours = [
            [(column, rng.randint(1, largest)) for column in range(n_column) if rng.random() < density]
            for _ in range(n_row)
        ]
        for row, edges in enumerate(neighbours):
            for column, weight in edges:
                blocks.append(block)
                rows.append(100 * block + row)
                columns.append(100 * block + column)
                weights.append(weight)
        matrix = matrix_of(neighbours)
        expected.append(int(matrix[linear_sum_assignment(matrix, maximize=True)].sum()))

    assert (
        best_sums(
            *(numpy.array(values, dtype=numpy.int64) for values in (blocks, rows, columns, weights)), [None] * 200
        )
        == expected
    )


def test_sums_may_be_beyond_64_bits():
    number = numpy.arange(20_000)

    assert best_sums(
        numpy.zeros(20_000, dtype=numpy.int64), number, number, numpy.full(20_000, 10**15 - 1), [None]
    ) == [20_000 * (10**15 - 1)]


def test_a_block_that_is_given_up_leaves_the_others():
    crowded = [[(column, 1 + (row * column) % 7) for column in range(30)] for row in range(30)]
    rows, columns, weights = cells_of([*crowded, [(30, 5)]])

    assert best_sums((rows == 30).astype(numpy.int64), rows, columns, weights, [100, 100]) == [None, 5]


def test_the_whole_has_no_number_where_the_search_of_one_block_is_left_out():
    """Block 1: one component searched, 2 of 2 items paired. Block 2: its search is left out. 0 is both together."""
    view = catalog()["metric.partition_assignment_value__v1"]
    inside = "from key where block_no > 0"
    tables = {
        "star": f"select *, 0 as n_star_item, cast(0 as decimal(38, 0)) as similarity, 1 as n_open {inside}",
        "search": "select *, 2 as n_search_item, cast(2e15 as decimal(38, 0)) as search_similarity, "
        f"2 - block_no as is_made, case when block_no = 2 then 'search' end as null_reason {inside}",
        "total": "select *, 2 as n_item, 2 as n_gold_item, 2 as n_system_item, 2 as n_gold_cluster, "
        "2 as n_system_cluster from key",
        "overlap_value": "select *, 1e0 as muc_f1, 1e0 as b3_f1 from key",
    }
    with tdtsql.connect(":memory:") as store:
        store.engine.execute(
            "create temp table key as select 1 as run_no, profile_no, 0 as subset_no, unnest([0, 1, 2]) as block_no "
            "from registry.profile where profile_id = 'partition'"
        )
        for name, select in tables.items():
            store.engine.execute(f"create temp table stub_{name} as {select}")
        body = view.reading({f"metric.partition_{name}__v1": f"stub_{name}" for name in tables})
        rows = store.engine.rows(f"select block_no, ceaf_m_f1, ceaf_e_f1, null_reason from ({body}) order by 1")

    assert rows == [(0, None, None, "search"), (1, 1.0, 1.0, None), (2, None, None, "search")]


def test_a_search_that_is_not_stored_is_external():
    """Block 1 has a stored search, block 2 has none, block 3 needs none."""
    view = catalog()["metric.partition_search__v1"]
    with tdtsql.connect(":memory:") as store:
        store.engine.execute("""
            create temp table stub_cell as
            select 1 as run_no, 1 as profile_no, 0 as subset_no, unnest([1, 2, 3]) as block_no,
                unnest([0, 0, 1]) as centre""")
        store.engine.execute("""
            create temp table stub_pairing as
            select 7 as computation_no, 1 as run_no, 1 as profile_no, 0 as subset_no, 1 as block_no,
                2 as n_search_item, 5 as search_similarity, 1 as is_made""")
        store.engine.execute("create temp table stub_current as select 7 as computation_no")
        body = view.reading(
            {
                "metric.partition_matching_cell__v1": "stub_cell",
                "ledger.result_pairing": "stub_pairing",
                "ledger.current_computation": "stub_current",
            }
        )
        rows = store.engine.rows(
            f"select block_no, n_search_item, search_similarity, is_made, null_reason from ({body}) order by 1"
        )

    assert rows == [(1, 2, 5, 1, None), (2, None, None, 0, "external")]
