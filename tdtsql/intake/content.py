"""What rows say, as a number: the same for the same rows, whatever order they lie in and whatever engine holds them.

The rows are put in order (by all their columns), and each column goes into a sha256 of its own:
whole numbers, doubles and booleans with all their bits, texts in UTF-8 with their
lengths (in characters) beside them, and the places of NULL. One sha256 over these is the hash. So
it hangs on the rows alone: not on the order of insertion, the number of threads, the
version of DuckDB, or how many rows are read at a time.

Rows are not hashed one by one and added up: sums (or exclusive ors) of hashes are quick to make
in SQL, and whoever may choose some hundred rows can choose them so that the changes
cancel. Nothing cancels in a sha256 over the ordered rows; and one over whole columns takes
a tenth of the time of one for each row.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tdtsql.engine.duckdb import Engine
from tdtsql.metric.ddl import tables
from tdtsql.metric.fingerprint import digest

#: tables that may be too large for memory, stored in the order of their columns: by this one they are read in pieces
LARGE = {"base.decision": "block_no"}

#: rows of a large table that are read at a time, unless a single block has more
_PIECE = 2_000_000


class Content(NamedTuple):
    """What the rows of a table say."""

    n_row: int
    sha256: str


def content(engine: Engine, table: str, owner: Mapping[str, int | str] | None = None, *, leave_out: Collection[str] = (),
            columns: Sequence[str] | None = None) -> Content:
    """Return the content of a table of the store, or of the rows of one owner.

    Args:
        owner: column -> value of the rows that count; None: all rows. Its columns are not hashed, so that the same
            rows under another number have the same hash.
        leave_out: further columns that do not count.
        columns: the table's columns; by default those of this version.
    """
    owner = owner or {}
    names = [column for column in columns or tables()[table].columns if column not in owner and column not in leave_out]
    where = " and ".join(f"{column} = ${column}" for column in owner) or "true"
    hashes = {name: _ColumnHash() for name in names}
    n_row = 0
    for piece in _pieces(engine, table, names, where, dict(owner)):
        for name in names:
            hashes[name].add(piece[name], n_row)
        n_row += len(piece[names[0]])
    return Content(n_row, digest([str(n_row), *(part for name, column in hashes.items() for part in (name, *column.parts()))]))


def _pieces(engine: Engine, table: str, names: list[str], where: str, owner: dict) -> Iterator[dict[str, np.ndarray]]:
    """Yield the rows in the order of all their columns, some at a time."""
    query = f"select {', '.join(names)} from {table} where {where}"
    block = LARGE.get(table)
    if block != names[0]:
        yield _ordered(engine, query, owner)
        return
    for first, last in _spans(engine.rows(f"select {block}, count(*) from {table} where {where} group by {block} order by {block}", owner)):
        yield _ordered(engine, f"{query} and {block} between $first_block and $last_block", {**owner, "first_block": first, "last_block": last})


def _ordered(engine: Engine, query: str, owner: dict) -> dict[str, np.ndarray]:
    """Return rows in order: as they lie where that is one, for they are stored in the order of their key mostly, and sorting takes longer than looking."""
    piece = engine.query(query, owner).fetchnumpy()
    return piece if _is_ordered(*list(piece.values())[:2]) else engine.query(f"{query} order by all", owner).fetchnumpy()


def _spans(sizes: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of neighbouring blocks that have few rows enough together, from (block, rows)."""
    first, total = None, 0
    for place, (block, n_row) in enumerate(sizes):
        first, total = (block, n_row) if first is None else (first, total + n_row)
        if place + 1 == len(sizes) or total + sizes[place + 1][1] > _PIECE:
            yield first, block
            first = None


def _is_ordered(first: np.ndarray, *second: np.ndarray) -> bool:
    """Return True where the first column, or it and the second, without NULL, order the rows as they lie, each behind the one before."""
    if any(isinstance(column, np.ma.MaskedArray) for column in (first, *second)):
        return False
    rises = first[1:] > first[:-1]
    for column in second:
        rises |= (first[1:] == first[:-1]) & (column[1:] > column[:-1])
    return bool(np.all(rises))


class _ColumnHash:
    """The hash of one column, piece by piece."""

    def __init__(self) -> None:
        self.values, self.lengths, self.nulls = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()

    def add(self, values: np.ndarray, n_before: int) -> None:
        """Take in the next rows; ``n_before`` came before."""
        if isinstance(values, np.ma.MaskedArray):
            absent = np.ma.getmaskarray(values)
            self.nulls.update((np.flatnonzero(absent) + n_before).astype("<i8").data)
            values = np.where(absent, "" if values.dtype == object else values.dtype.type(0), values.data)
        if values.dtype == object:
            texts = values.tolist()
            self.lengths.update(np.fromiter(map(len, texts), dtype="<i8", count=len(texts)).data)
            self.values.update("".join(texts).encode())
        else:
            self.values.update(np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).data)

    def parts(self) -> tuple[str, ...]:
        return self.values.hexdigest(), self.lengths.hexdigest(), self.nulls.hexdigest()
