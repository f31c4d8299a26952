"""What another engine must be able to do, to hold the decisions and compute the views in DuckDB's place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Engine


class Remote(Protocol):
    """A connection to another engine.

    Its tables have the names they have in a store: ``base.decision``, ``registry.run``.
    """

    title: str  #: as the engine is called in messages
    dialect: str  #: of metric.dialect
    version: str  #: as the engine tells it
    plans_by_statistics: bool  #: True: it knows how many rows a table has, but not a view

    def make(self, kind: str, name: str, select: str) -> None:
        """Make a temporary ``view`` or ``table`` of this session; a table's rows are computed once."""

    def drop(self, kind: str, name: str) -> None:
        """Drop what ``make`` made."""

    def fetch(self, engine: Engine, table: str, select: str, types: Mapping[str, str] | None = None) -> None:
        """Run a query there and keep its rows in a temporary table of ``engine``.

        Args:
            engine: the embedded engine that gets the rows.
            table: name of the temporary table; one of the same name is replaced.
            select: in the other engine's SQL.
            types: column -> DuckDB's type, in the order of the query's columns; None: what the engine says of them.

        Raises:
            InvalidQuery: the engine does not take the query.
        """

    def close(self) -> None:
        """End the session."""
