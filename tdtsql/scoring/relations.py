"""What views are computed from in a scope: relations by name, and the temporary tables that are made for it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

from tdtsql.definitions.catalogue import read_statement, reading
from tdtsql.engine.duckdb import Engine
from tdtsql.progress import Progress, silent

if TYPE_CHECKING:
    from tdtsql.engine.incoming import Columns


class Relations:
    """Relations that replace those of a store until they are closed."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self.names: dict[str, str] = {}  #: relation -> what later views read instead
        #: for views that may be too much work (WORKS, SEARCH): the (run, profile) whose numbers are computed regardless
        self.regardless: Mapping[str, Sequence[tuple[int, int]]] = {}
        self.is_sorted: bool | None = None  #: whether scores were sorted for curves; None: not decided
        self.progress: Progress = silent  #: called with (done, total, name) by long computations
        self._made: list[str] = []
        self._name = engine.unused_name("scope")  # several may be open at once

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def replace(self, name: str, sql: str) -> None:
        """Make later views read the rows of ``sql``, of which a table is made, as relation ``name``."""
        # a replaced relation keeps its first form under another name until the end
        scoped = f"{self._name}_{name.replace('.', '__')}_{len(self._made)}"
        self.names[name] = self.engine.make_temporary(scoped, sql)
        self._made.append(self.names[name])

    def insert(self, name: str, columns: "Columns") -> str:
        """Return the name of a new temporary table of columns, which statements read as ``scope.NAME``."""
        self._made.append(self.engine.insert_temporary(f"{self._name}_{name}_{len(self._made)}", columns))
        self.names[f"scope.{name}"] = self._made[-1]
        return self._made[-1]

    def statement(self, name: str) -> str:
        """Return a statement of ``sql/scoring``, which reads the relations of the scope."""
        return reading(read_statement(f"scoring/{name}"), self.names)

    def relation(self, name: str) -> str:
        """Return the name of a relation, or a SELECT in parentheses."""
        return self.names.get(name, name)

    def close(self) -> None:
        """Drop all created tables, in reverse order."""
        self.engine.execute_all(f"drop table if exists {made}" for made in reversed(self._made))
        self._made.clear()
