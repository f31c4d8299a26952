"""Statements over values alone: they run in an empty database in memory, where nothing of a store is in reach, not a
macro either that has the name of a function.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import duckdb


@cache
def _memory() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(":memory:", config={"threads": 1})


def rows_in_memory(sql: str, parameters: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a SELECT of its parameters."""
    return _memory().cursor().execute(sql, parameters).fetchall()
