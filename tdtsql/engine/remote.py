"""Interface of another engine that stores the decisions and computes the views instead of DuckDB."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Receiver(Protocol):
    """What gets the rows: the embedded engine."""

    connection: Any  #: its connection, on which columns can be registered

    def execute(self, sql: str, parameters: Sequence | Mapping | None = None) -> None:
        """Run statements for what they do."""

    def value(self, sql: str, parameters: Sequence | Mapping | None = None) -> Any:
        """Run one query and return the first value of its first row, or None."""


class Remote(Protocol):
    """A connection to another engine.

    Its tables have the names they have in a store: ``base.decision``, ``registry.run``.
    """

    title: str  #: as the engine is called in messages
    dialect: str  #: of metric.dialect
    plans_by_statistics: bool  #: True: it knows how many rows a table has, but not a view

    @property
    def version(self) -> str:
        """The version as the engine tells it."""

    def make(self, kind: str, name: str, select: str) -> None:
        """Make a temporary ``view`` or ``table`` of this session; a table's rows are computed once."""

    def drop(self, kind: str, name: str) -> None:
        """Drop what ``make`` made."""

    def fetch(self, engine: Receiver, table: str, select: str, types: Mapping[str, str] | None = None) -> None:
        """Run a query there and keep its rows in a temporary table of ``engine``.

        Args:
            engine: what gets the rows.
            table: name of the temporary table; one of the same name is replaced.
            select: in the other engine's SQL.
            types: column -> DuckDB's type, in the order of the query's columns; None: what the engine says of them.

        Raises:
            InvalidQuery: the engine does not take the query.
        """

    def close(self) -> None:
        """End the session."""
