"""What rows say, as a number: the same for the same rows, whatever order they lie in and whatever engine holds them.

The rows are put in order (by all their columns), and each column has a separate sha256:
whole numbers, doubles, timestamps and booleans with all their bits, texts in UTF-8 with their
lengths (in bytes), and the positions of NULL. One sha256 over these is the hash. So
it depends on the rows only: not on the order of insertion, the number of threads, the
version of DuckDB, or how many rows are read at a time.

Rows are not hashed one by one and added up: sums (or exclusive ors) of hashes are fast
in SQL, but an attacker who chooses some hundred rows can choose them so that the changes
cancel. Nothing cancels in a sha256 over the ordered rows; and one over whole columns takes
a tenth of the time of one for each row.
"""

import hashlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from tdtsql.engine.arrow import Column, columns as read_columns
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers, sql_literal
from tdtsql.definitions.table import tables
from tdtsql.definitions.hashes import digest


#: rows from which on the last column is hashed in parallel with the others
_MANY = 10_000


class Content(NamedTuple):
    """What the rows of a table say."""

    n_row: int
    sha256: str


def content(
    engine: Engine,
    table: str,
    owner: Mapping[str, int | str] | None = None,
    *,
    leave_out: Collection[str] = (),
    where: str = "true",
) -> Content:
    """Return the content of a table of the store, or of the rows of one owner; arguments as of `contents`.

    Args:
        owner: column -> value of the rows that count; None: all rows. The column is not hashed, so that the same rows
            under another number have the same hash.
    """
    [(column, value)] = (owner or {"": 0}).items()
    found = contents(engine, table, column, [value], leave_out=leave_out, where=where)
    return found.get(value) or _content(0, {name: _ColumnHash() for name in _names(table, column, leave_out)})


def contents(
    engine: Engine,
    table: str,
    column: str,
    owners: Collection[int | str],
    *,
    leave_out: Collection[str] = (),
    where: str = "true",
    columns_of: str = "",
    most: int = _MANY,
) -> dict[Any, Content]:
    """Return owner -> content of the rows of each of some owners in one query; without owners that have no row.

    Args:
        column: the column that identifies the owners, by number or by name; empty: one owner has all rows.
        leave_out: further columns that do not count.
        where: which rows count, in SQL.
        columns_of: the table of the store whose columns the table has; by default it is that itself.
        most: rows that there are at most, if the caller knows.
    """
    names, order = _names(columns_of or table, column, leave_out), list(owners)
    listed = ", ".join(sql_literal(owner) if isinstance(owner, str) else str(int(owner)) for owner in order)
    number = f"list_position([{listed}], {column}) - 1" if len(order) > 1 else "0"
    chosen = f"{column} in ({listed}) and {where}" if column else where
    query = f"select {number} as owner_no, {sql_identifiers(names)} from {table} where {chosen}"
    # rows are stored in the order of their key mostly, and seeing that takes a tenth of the time of sorting many
    key = f"({sql_identifiers(['owner_no', *names[:2]])})"
    if most < _MANY or not engine.value(f"""
            select coalesce(bool_and(before < key), true)
            from (select {key} as key, lag({key}) over () as before from ({query}))"""):
        query += " order by all"
    found = _hashed(engine, query, names)
    return {order[number]: found for number, found in found.items()}


def _names(table: str, column: str, leave_out: Collection[str]) -> list[str]:
    """Return the columns that count."""
    return [name for name in tables()[table].columns if name != column and name not in leave_out]


def _hashed(engine: Engine, query: str, names: Sequence[str]) -> dict[int, Content]:
    """Return owner -> content of the sorted rows of a query, whose first column ``owner_no`` numbers the owners."""
    hashes: dict[int, dict[str, _ColumnHash]] = {}
    n_row: Counter[int] = Counter()
    *others, widest = names  # of decisions the score, half of all bytes

    def add(some: Sequence[str]) -> None:
        for number, begin, end in parts:
            for name in some:
                hashes[number][name].add(piece[name].part(begin, end), n_row[number])

    with ThreadPoolExecutor(1) as beside:
        for piece in read_columns(engine, query):
            parts = _parts(piece["owner_no"])
            for number, *_ in parts:
                if number not in hashes:
                    hashes[number] = {name: _ColumnHash() for name in names}
            is_large = len(piece[widest]) > _MANY
            hashing = beside.submit(add, [widest]) if is_large else None
            add(others if is_large else names)
            if hashing is not None:
                hashing.result()
            for number, begin, end in parts:
                n_row[number] += end - begin
    return {number: _content(n_row[number], columns) for number, columns in hashes.items()}


def _parts(owners: Column) -> list[tuple[int, int, int]]:
    """Return (owner, first row, row after the last) of successive rows with one owner."""
    edges = [0, *(np.flatnonzero(np.diff(owners.values)) + 1).tolist(), len(owners)]
    return [(int(owners.values[begin]), begin, end) for begin, end in pairwise(edges)]


def _content(n_row: int, columns: Mapping[str, "_ColumnHash"]) -> Content:
    parts = (part for name, column in columns.items() for part in (name, *column.parts()))
    return Content(n_row, digest([str(n_row), *parts]))


class _ColumnHash:
    """The hash of one column, piece by piece."""

    def __init__(self) -> None:
        self.values, self.lengths, self.nulls = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()

    def add(self, column: Column, n_before: int) -> None:
        """Take in the next rows; ``n_before`` came before."""
        values = column.values
        if column.absent is not None:
            self.nulls.update((np.flatnonzero(column.absent) + n_before).astype("<i8").data)
            if column.ends is None:  # the value of a NULL is undefined
                values = np.where(column.absent, values.dtype.type(0), values)
        if column.ends is not None:
            self.lengths.update(np.diff(column.ends).astype("<i8").data)
        self.values.update(np.ascontiguousarray(values).data)

    def parts(self) -> tuple[str, ...]:
        return self.values.hexdigest(), self.lengths.hexdigest(), self.nulls.hexdigest()
