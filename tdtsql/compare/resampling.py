"""Random signs and topic resamples that are bitwise identical on every machine.

Only the raw 64-bit stream of PCG64 is used: numpy promises that stream for
ever, but not what its distributions make of it. Blocks have a fixed size, so
memory does not grow with the number of permutations. Of many topics fewer are
drawn at a time, which changes no number.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy import ndarray

#: permutations or resamples drawn at a time
BLOCK = 4096

#: numbers in a block, unless one permutation or resample has more
CELLS = 2**20

#: numbers that are drawn at a time: they and what becomes of them stay in the processor's cache
CACHED = 2**16

#: called with the number of permutations or resamples just done
Step = Callable[[int], None]

#: streams of one seed that must not overlap
SIGNS, TOPICS, TRIALS = 1, 2, 3


def turn_blocks(n_topic: int, n_permutation: int, seed: int) -> Iterator[ndarray]:
    """Yield float64 blocks (at most BLOCK x n_topic) of 1, where a topic's difference keeps its sign, and 0;
    ``n_permutation`` rows in all. A block is valid until the next one.
    """
    stream, words = raw_stream(seed, SIGNS), -(-n_topic // 64)

    def fill(rows: ndarray) -> None:
        raw = stream.random_raw((len(rows), words)).astype("<u8", copy=False)
        rows[...] = np.unpackbits(raw.view(np.uint8), axis=1, count=n_topic)

    return _blocks(fill, n_permutation, n_topic)


def resample_blocks(n_topic: int, n_resample: int, seed: int) -> Iterator[ndarray]:
    """Yield float64 blocks (at most BLOCK x n_topic): how often each topic was drawn; rows sum to n_topic. A block is
    valid until the next one.

    A topic is drawn as floor(u * n_topic) with u of 32 bits: of 250 topics one
    is favoured by less than 1e-7 of its chance.
    """
    stream, half = raw_stream(seed, TOPICS), np.uint64(32)

    def fill(rows: ndarray) -> None:
        drawn = stream.random_raw(rows.shape)
        drawn >>= half
        drawn *= np.uint64(n_topic)
        drawn >>= half
        cell = drawn.view(np.int64)
        cell += np.arange(0, rows.size, n_topic)[:, None]
        rows[...] = np.bincount(cell.ravel(), minlength=rows.size).reshape(rows.shape)

    return _blocks(fill, n_resample, n_topic)


def raw_stream(seed: int, *purpose: int) -> np.random.PCG64:
    """Return the raw stream of a seed for one purpose: that of others does not overlap."""
    return np.random.PCG64(np.random.SeedSequence([seed, *purpose]))


def _blocks(fill: Callable[[ndarray], None], total: int, width: int) -> Iterator[ndarray]:
    """Yield ``total`` rows of ``width`` numbers in blocks of one array, which ``fill`` writes a few rows at a time."""
    size, step = (max(1, min(BLOCK, cells // max(1, width))) for cells in (CELLS, CACHED))
    block = np.empty((min(size, total), width))
    for start in range(0, total, size):
        made = block[: total - start]
        for at in range(0, len(made), step):
            fill(made[at : at + step])
        yield made
