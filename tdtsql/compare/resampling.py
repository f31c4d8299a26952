"""Random signs and topic resamples that are bitwise identical on every machine.

Only the raw 64-bit stream of PCG64 is used: numpy promises that stream for
ever, but not what its distributions make of it. Blocks have a fixed size, so
memory does not grow with the number of permutations. Of many topics fewer are
drawn at a time, which changes no number.

Sums of many columns are a product of matrices. Of few columns, it would take
most of the time to write the matrix: signs look up the sums of eight topics,
and resamples the values of the topics drawn. Both ways give the same numbers,
because sums of whole numbers are exact in any order.
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

#: columns up to which they are summed without a matrix of signs, or of how often each topic was drawn
FEW = 2

#: bytes of signs that are held at a time
SIGN_BYTES = 2**24

#: called with the number of permutations or resamples just done
Step = Callable[[int], None]

#: streams of one seed that must not overlap
SIGNS, TOPICS, TRIALS = 1, 2, 3


def turn_sums(columns: ndarray, n_permutation: int, seed: int) -> Iterator[ndarray]:
    """Yield sums (R x at most BLOCK) of T x R whole numbers over the topics that keep their sign: those of
    ``turn_blocks``.
    """
    if columns.shape[1] > FEW:
        yield from matrix_sums(turn_blocks(len(columns), n_permutation, seed), columns)
        return
    stream, words = raw_stream(seed, SIGNS), -(-len(columns) // 64)
    tables = _sums_of_eight(columns, words * 8)
    width = max(1, min(BLOCK, n_permutation, SIGN_BYTES // max(1, len(tables))))
    # a line of the processor's cache, 64 bytes, is filled at once
    signs, step = np.empty((len(tables), width), dtype=np.uint8), max(64, CACHED // max(1, len(columns)))
    for start in range(0, n_permutation, width):
        done = min(width, n_permutation - start)
        for at in range(0, done, step):
            raw = stream.random_raw((min(step, done - at), words)).astype("<u8", copy=False)
            signs[:, at : at + len(raw)] = raw.view(np.uint8).T
        sums, found = np.zeros((columns.shape[1], done)), np.empty((columns.shape[1], done))
        for table, places in zip(tables, signs[:, :done], strict=True):
            table.take(places, axis=1, out=found, mode="clip")
            sums += found
        yield sums


def resample_sums(columns: ndarray, n_resample: int, seed: int) -> Iterator[ndarray]:
    """Yield sums (R x at most BLOCK) of T x R whole numbers over the topics drawn: those of ``resample_blocks``."""
    if columns.shape[1] > FEW:
        yield from matrix_sums(resample_blocks(len(columns), n_resample, seed), columns)
        return
    draw, step = _draws(len(columns), seed), max(1, CACHED // max(1, len(columns)))
    lines = np.ascontiguousarray(columns.T)
    for start in range(0, n_resample, BLOCK):
        sums = np.empty((columns.shape[1], min(BLOCK, n_resample - start)))
        for at in range(0, sums.shape[1], step):
            drawn = draw(min(step, sums.shape[1] - at))
            for column, found in zip(lines, sums, strict=True):
                column.take(drawn, mode="clip").sum(axis=1, out=found[at : at + len(drawn)])
        yield sums


def matrix_sums(blocks: Iterator[ndarray], columns: ndarray) -> Iterator[ndarray]:
    """Yield the sums (R x B) of T x R whole numbers, weighted by blocks of B x T whole weights."""
    for block in blocks:
        yield np.ascontiguousarray((block @ columns).T)


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
    draw = _draws(n_topic, seed)

    def fill(rows: ndarray) -> None:
        cell = draw(len(rows))
        cell += np.arange(0, rows.size, n_topic)[:, None]
        rows[...] = np.bincount(cell.ravel(), minlength=rows.size).reshape(rows.shape)

    return _blocks(fill, n_resample, n_topic)


def raw_stream(seed: int, *purpose: int) -> np.random.PCG64:
    """Return the raw stream of a seed for one purpose: that of others does not overlap."""
    return np.random.PCG64(np.random.SeedSequence([seed, *purpose]))


def _draws(n_topic: int, seed: int) -> Callable[[int], ndarray]:
    """Return what draws the topics (n x T numbers) of the next n resamples."""
    stream, half = raw_stream(seed, TOPICS), np.uint64(32)

    def draw(n_resample: int) -> ndarray:
        drawn = stream.random_raw((n_resample, n_topic))
        drawn >>= half
        drawn *= np.uint64(n_topic)
        drawn >>= half
        return drawn.view(np.int64)

    return draw


def _sums_of_eight(columns: ndarray, n_byte: int) -> ndarray:
    """Return what T x R numbers add to, of each eight topics and for each byte of signs (n_byte x R x 256)."""
    padded = np.zeros((n_byte * 8, columns.shape[1]))
    padded[: len(columns)] = columns
    # the first topic of a byte has the highest bit
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)
    return np.ascontiguousarray(padded.reshape(n_byte, 8, -1).transpose(0, 2, 1) @ bits.T)


def _blocks(fill: Callable[[ndarray], None], total: int, width: int) -> Iterator[ndarray]:
    """Yield ``total`` rows of ``width`` numbers in blocks of one array, which ``fill`` writes a few rows at a time."""
    size, step = (max(1, min(BLOCK, cells // max(1, width))) for cells in (CELLS, CACHED))
    block = np.empty((min(size, total), width))
    for start in range(0, total, size):
        made = block[: total - start]
        for at in range(0, len(made), step):
            fill(made[at : at + step])
        yield made
