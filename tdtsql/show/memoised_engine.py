"""Many small queries on one store: relations that all of them read are read once."""

from collections.abc import Mapping
from typing import Any, cast

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import reading

#: methods that take SQL which reads
_READING = "query rows records value column relation execute make_temporary".split()


class MemoisedEngine:
    """An open store in which some relations are materialised at the first query that reads them.

    Planning a query over views of views takes longer than running it; planning one over a table does not. Valid
    while nobody writes what these relations read. All other attributes are those of the engine.
    """

    def __init__(self, engine: Engine, selects: Mapping[str, str]):
        """Store the engine and, for each relation that is read once, a query for the rows that callers need."""
        self._engine = engine
        self._selects = selects
        self._tables: dict[str, str] = {}

    def _redirected(self, sql: str) -> str:
        for name, select in self._selects.items():
            if name not in self._tables and name in sql:
                table = self._engine.unused_name("memoised")
                self._engine.execute(f"create temp table {table} as {select}")
                self._tables[name] = f"temp.main.{table}"
        return reading(sql, self._tables)

    @property  # type: ignore[misc]
    def __class__(self) -> type[Engine]:  # type: ignore[override]
        return type(self._engine)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._engine, name)
        if name not in _READING:
            return found
        return lambda *texts, **more: found(
            *(self._redirected(text) if isinstance(text, str) else text for text in texts), **more
        )

    def __enter__(self) -> Engine:
        return cast(Engine, self)  # it answers what an engine does

    def __exit__(self, *error: object) -> None:
        for table in self._tables.values():
            self._engine.execute(f"drop table if exists {table}")
        self._tables.clear()
