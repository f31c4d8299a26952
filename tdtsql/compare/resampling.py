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
CELLS = 2**22

#: called with the number of permutations or resamples just done
Step = Callable[[int], None]

#: streams of one seed that must not overlap
SIGNS, TOPICS, TRIALS = 1, 2, 3


def sign_blocks(n_topic: int, n_permutation: int, seed: int) -> Iterator[ndarray]:
    """Yield float64 blocks (at most BLOCK x n_topic) of +1 and -1, ``n_permutation`` rows in all."""
    stream = raw_stream(seed, SIGNS)
    words = -(-n_topic // 64)
    for size in _sizes(n_permutation, n_topic):
        raw = stream.random_raw(size * words).astype("<u8").view(np.uint8).reshape(size, words * 8)
        bits = np.unpackbits(raw, axis=1, count=n_topic)
        yield bits.astype(np.float64) * 2.0 - 1.0


def resample_blocks(n_topic: int, n_resample: int, seed: int) -> Iterator[ndarray]:
    """Yield float64 blocks (at most BLOCK x n_topic): how often each topic was drawn; rows sum to n_topic.

    A topic is drawn as floor(u * n_topic) with u of 32 bits: of 250 topics one
    is favoured by less than 1e-7 of its chance.
    """
    stream = raw_stream(seed, TOPICS)
    for size in _sizes(n_resample, n_topic):
        raw = stream.random_raw(size * n_topic).reshape(size, n_topic)
        drawn = ((raw >> np.uint64(32)) * np.uint64(n_topic)) >> np.uint64(32)
        cell = drawn.astype(np.int64) + np.arange(size, dtype=np.int64)[:, None] * n_topic
        counts = np.bincount(cell.ravel(), minlength=size * n_topic)
        yield counts.reshape(size, n_topic).astype(np.float64)


def raw_stream(seed: int, *purpose: int) -> np.random.PCG64:
    """Return the raw stream of a seed for one purpose: that of others does not overlap."""
    return np.random.PCG64(np.random.SeedSequence([seed, *purpose]))


def _sizes(total: int, width: int) -> Iterator[int]:
    size = max(1, min(BLOCK, CELLS // max(1, width)))
    for start in range(0, total, size):
        yield min(size, total - start)
