"""Paired randomisation, by hand:

    topic   run  baseline  difference
    T1        5         2           3
    T2        4         2           2
    T3        3         2           1
    T4        1         2          -1
                        sum          5

Of the 16 sign patterns of (3, 2, 1, 1) the sums are 7, 5 (twice), 3 (3 times
... ), and |sum| >= 5 holds for 7, 5, 5 and their mirrors: 6 of 16. Dropping
ties (> instead of >=) would give 2 of 16, counting one side only 3 of 16.
"""

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from lanes import examples
from hypothesis import strategies as st

from tdtsql.compare import resampling
from tdtsql.compare.randomisation import randomisation_test

WORKED = np.array([[3.0], [2.0], [1.0], [-1.0]])


def drawn(seed: int, n_topic: int, n_comparison: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.1, 1.0, (n_topic, n_comparison))


def test_worked_example_is_enumerated_and_counts_ties():
    result = randomisation_test(WORKED, n_permutation=1000, seed=1)

    assert result.p.tolist() == [6 / 16]
    assert result.exact.tolist() == [True]
    assert result.mc_error.tolist() == [0.0]


def test_ties_are_found_where_floating_point_loses_them():
    # 0.1 + 0.2 is not 0.3 in binary: |0.1 + 0.2 - 0.3| = 5.6e-17
    result = randomisation_test(np.array([[0.1], [0.2], [0.3]]) * 0.1, n_permutation=10, seed=1)
    thirds = randomisation_test(np.array([[1 / 3], [1 / 3], [-2 / 3]]), n_permutation=10, seed=1)

    assert result.p.tolist() == [2 / 8]
    assert thirds.p.tolist() == [1.0]  # the observed sum is 0: every pattern is as large


def test_exact_p_values_are_those_of_scipy():
    for seed in range(20):
        column = np.round(drawn(seed, 9, 1), 2)
        oracle = scipy.stats.permutation_test(
            (column[:, 0],),
            lambda x, axis: np.abs(np.sum(x, axis=axis)),
            permutation_type="samples",
            alternative="greater",
            n_resamples=np.inf,
            vectorized=True,
        )
        assert randomisation_test(column, n_permutation=1, seed=1).p[0] == pytest.approx(oracle.pvalue, abs=1e-15)


def test_drawn_p_values_agree_with_the_enumeration_within_their_own_error():
    column = drawn(3, 14, 6)
    exact = randomisation_test(column, n_permutation=1, seed=1)
    simulated = randomisation_test(column, n_permutation=200_000, seed=1, enumerate_up_to=0)

    assert not simulated.exact.any()
    assert (np.abs(simulated.p - exact.p) <= 5 * simulated.mc_error + 1 / 200_000).all()


def test_a_drawn_p_value_is_never_zero():
    result = randomisation_test(np.ones((40, 1)), n_permutation=99, seed=1)

    assert result.p.tolist() == [1 / 100]


def test_equal_runs_have_p_one():
    assert randomisation_test(np.zeros((30, 1)), n_permutation=99, seed=1).p.tolist() == [1.0]


def test_a_column_with_few_differing_topics_is_exact_beside_one_that_is_drawn():
    columns = np.zeros((40, 2))
    columns[:4, 0] = WORKED[:, 0]
    columns[:, 1] = drawn(5, 40, 1)[:, 0]

    result = randomisation_test(columns, n_permutation=1000, seed=1)

    assert result.exact.tolist() == [True, False]
    assert result.p[0] == 6 / 16


def test_missing_topics_are_no_evidence():
    columns = np.concatenate([WORKED, [[np.nan]], [[np.nan]]])

    assert randomisation_test(columns, n_permutation=10, seed=1).p.tolist() == [6 / 16]


@examples(default=10, full=100)
@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=10), st.randoms(use_true_random=False))
def test_order_of_topics_swapping_the_runs_and_the_unit_do_not_matter(values, random):
    shuffled = list(values)
    random.shuffle(shuffled)
    p = [
        randomisation_test(np.array([column], dtype=float).T, n_permutation=1, seed=1).p[0]
        for column in (values, shuffled, [-value for value in values], [value / 1024 for value in values])
    ]
    assert len(set(p)) == 1


def test_the_same_seed_gives_the_same_bits_and_another_seed_others():
    columns = drawn(13, 60, 4)
    first, again, other = (randomisation_test(columns, n_permutation=5000, seed=seed) for seed in (1, 1, 2))

    assert first.p.tobytes() == again.p.tobytes()
    assert first.p.tobytes() != other.p.tobytes()


@pytest.mark.sample(1)
@pytest.mark.parametrize("threads", ["1", "2", "8"])
def test_the_same_bits_at_any_number_of_threads(threads):
    code = (
        "import numpy as np, hashlib\n"
        "from tdtsql.compare.randomisation import randomisation_test\n"
        "from tdtsql.compare.bootstrap import bootstrap_means\n"
        "d = (np.arange(5000).reshape(250, 20) * 7919 % 1000 - 480) / 997.0\n"
        "r = randomisation_test(d, n_permutation=20000, seed=5)\n"
        "b = bootstrap_means(d, n_resample=5000, seed=5)\n"
        "print(hashlib.sha256(r.p.tobytes() + b.means.tobytes() + b.p.tobytes()).hexdigest())\n"
    )
    environment = os.environ | dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)
    printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)

    assert printed.stdout.strip() == PINNED


#: the bits are part of the promise: a change here changes published p values
PINNED = "795d61b0b02f6cceaca71ba1caba6a0be44cae81f9b58df308b47e7705553c99"


@pytest.mark.parametrize("blocks", ["turn_blocks", "resample_blocks"])
def test_the_size_of_blocks_changes_no_draw(monkeypatch, blocks):
    [whole] = getattr(resampling, blocks)(70, 9, 5)

    for name, sizes in (("CACHED", [9]), ("CELLS", [2, 2, 2, 2, 1])):
        monkeypatch.setattr(resampling, name, 150)
        parts = [part.copy() for part in getattr(resampling, blocks)(70, 9, 5)]
        assert [len(part) for part in parts] == sizes
        assert (np.concatenate(parts) == whole).all()


@pytest.mark.parametrize("drawn", ["turn", "resample"])
@pytest.mark.parametrize("n_topic", [1, 7, 8, 63, 64, 65, 300])
@pytest.mark.parametrize("n_column", [1, 2])
def test_sums_of_few_columns_are_those_of_the_blocks(monkeypatch, drawn, n_topic, n_column):
    columns = np.random.default_rng(n_topic).integers(-(2**40), 2**40, size=(n_topic, n_column)).astype(float)
    [weights] = getattr(resampling, f"{drawn}_blocks")(n_topic, 150, 5)
    wanted = [[sum(int(w) * int(x) for w, x in zip(row, column)) for row in weights] for column in columns.T]
    sums = getattr(resampling, f"{drawn}_sums")

    for name, size in (("BLOCK", 4096), ("CACHED", 150), ("SIGN_BYTES", 800), ("BLOCK", 70), ("FEW", 0)):
        monkeypatch.setattr(resampling, name, size)
        parts = [part.copy() for part in sums(columns, 150, 5)]
        assert np.concatenate(parts, axis=1).tolist() == wanted, name
    assert len(parts) == 3
