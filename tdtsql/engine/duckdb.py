"""The embedded engine: one DuckDB connection, and what can go wrong in opening it."""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np

from tdtsql.engine.remote import Remote
from tdtsql.errors import InvalidQuery, NotAStore, StoreLocked

#: storage version that every supported engine (1.5 and later) opens
STORAGE_VERSION = "v1.0.0"

#: an extension is never loaded behind the user's back
_SETTINGS = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}

#: what a question of the embedded engine is answered with: .df() .pl() .arrow() .fetchall()
Relation = duckdb.DuckDBPyRelation


class Engine:
    """A connection to one DuckDB database, in memory or in a file."""

    name = "duckdb"
    #: the engine that holds the decisions and computes the views; None where this one does
    remote: Remote | None = None
    #: False where decisions lie in files of their own, of which the ledger keeps no hash
    has_decisions = True
    #: decisions that are scored in one pass, unless a run alone has more
    batch_rows = 1_000_000

    def __init__(self, path: str, *, read_only: bool = False, trace: bool = False, memory_limit: str | None = None):
        """Open the database at ``path``; ``:memory:`` makes one that is gone afterwards.

        Raises:
            StoreLocked: another process has it open.
            NotAStore: the file is no DuckDB database, or is not there and
                ``read_only`` asks for an existing one.
        """
        self.path = path
        self.trace = trace
        self.read_only = read_only
        #: owners of whose rows this process knows that they are those of the ledger
        self.vouched: set[str] = set()
        if read_only and path != ":memory:" and not Path(path).exists():
            raise NotAStore(f"{path}: there is no store. `tdtsql evaluate BUNDLE.toml --db {path}` makes one.")
        config = dict(_SETTINGS)
        if memory_limit or os.environ.get("TDTSQL_MEMORY_LIMIT"):
            config["memory_limit"] = memory_limit or os.environ["TDTSQL_MEMORY_LIMIT"]
        if os.environ.get("TDTSQL_THREADS"):
            config["threads"] = os.environ["TDTSQL_THREADS"]
        if not read_only:
            config["storage_compatibility_version"] = STORAGE_VERSION
        try:
            self.connection = duckdb.connect(path, read_only=read_only and path != ":memory:", config=config)
        except duckdb.IOException as error:
            raise _cannot_open(path, str(error)) from None
        except duckdb.Error as error:
            raise NotAStore(f"{path}: cannot be opened: {first_line(error)}.") from None

    @property
    def version(self) -> str:
        return duckdb.__version__

    def query(self, sql: str, parameters: Sequence | Mapping | None = None) -> duckdb.DuckDBPyConnection:
        """Run one statement and return the connection, from which its result must be fetched to the end."""
        self._say(sql)
        return self.connection.execute(sql, parameters) if parameters is not None else self.connection.execute(sql)

    def execute(self, sql: str, parameters: Sequence | Mapping | None = None) -> None:
        """Run statements for what they do."""
        self.query(sql, parameters).fetchall()

    @contextmanager
    def transaction(self, *, keep: bool = True) -> Iterator[None]:
        """Keep all that is done inside, or nothing where it raises (or ``keep`` says so)."""
        self.execute("begin")
        try:
            yield
            if keep:
                self._before_commit()
        except BaseException:
            self.vouched.clear()
            self.execute("rollback")
            raise
        if not keep:
            self.vouched.clear()
        self.execute("commit" if keep else "rollback")

    def _before_commit(self) -> None:
        """Called inside a transaction that is about to be kept."""

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep others from changing the store, from the first look to the last write.

        Nothing to do here: only one process has the file open.
        """
        yield

    def check_elsewhere(self) -> None:
        """Refuse tables and views elsewhere that were altered. There are none."""

    def look_again(self) -> None:
        """Take in what others have changed. Nobody has: only one process has the file open."""

    def check_loads(self) -> None:
        """Raise NotOnEngine where nothing can be loaded or dropped through this engine."""

    def bring_decisions(self, run_nos: Sequence[int] | None = None) -> None:
        """Make sure that ``base.decision`` has the rows of these runs (all runs by default). They are here."""

    def dropped_decisions(self, run_no: int) -> None:
        """Be told that the rows of a run were deleted from ``base.decision``, those that lie elsewhere too."""

    def rows(self, sql: str, parameters: Sequence | Mapping | None = None) -> list[tuple]:
        """Run one query and return all its rows."""
        return self.query(sql, parameters).fetchall()

    def value(self, sql: str, parameters: Sequence | Mapping | None = None):
        """Run one query and return the first value of its first row, or None."""
        rows = self.rows(sql, parameters)
        return rows[0][0] if rows else None

    def relation(self, sql: str) -> duckdb.DuckDBPyRelation:
        """Return a query as a relation, not yet run."""
        self._say(sql)
        return self.connection.sql(sql)

    def ask(self, sql: str) -> duckdb.DuckDBPyRelation:
        """Return a user's query as a relation."""
        return self.relation(sql)

    def ask_untrusted(self, sql: str) -> tuple[list[str], list[tuple]]:
        """Run a query that a user typed, without files, network or settings; returns columns and rows.

        Raises:
            InvalidQuery: it does not run, or wants what it may not have.
        """
        if self.value("select current_setting('lock_configuration')") is not True:
            self.execute("set enable_external_access = false")
            self.execute("set lock_configuration = true")
        try:
            cursor = self.query(sql)
            return [column[0] for column in cursor.description or []], cursor.fetchall()
        except duckdb.Error as error:
            raise InvalidQuery(f"the query does not run: {error}") from None

    def _say(self, sql: str) -> None:
        if self.trace:
            print(sql.strip() + ";", file=sys.stderr)

    def insert(self, table: str, columns: Mapping[str, Sequence]) -> int:
        """Append columns of equal length to a table and return how many rows that is.

        Numbers come as numpy arrays; a list may hold None.
        """
        count = len(next(iter(columns.values()), ()))
        if count:
            arrays, selected = _incoming(columns)
            self.connection.register("incoming", arrays)
            try:
                self.execute(f"insert into {table} ({', '.join(columns)}) select {selected} from incoming")
            finally:
                self.connection.unregister("incoming")
        return count

    def insert_temporary(self, table: str, columns: Mapping[str, Sequence]) -> None:
        """Make a temporary table of columns, in place of one of the same name."""
        arrays, selected = _incoming(columns)
        self.connection.register("incoming", arrays)
        try:
            self.execute(f"create or replace temp table {table} as select {selected} from incoming")
        finally:
            self.connection.unregister("incoming")

    def close(self) -> None:
        self.connection.close()


def _incoming(columns: Mapping[str, Sequence]) -> tuple[dict[str, np.ndarray], str]:
    """Return arrays to register, and the select list that gives the columns from them.

    A column with None travels as text, so that it has one type (the insert casts
    numbers back), and a flag beside it: DuckDB 1.5 does not take an array of
    objects that begins with many None.
    """
    arrays, selected = {}, []
    for name, values in columns.items():
        if isinstance(values, np.ndarray) and values.dtype != object or None not in values:
            arrays[name] = _array(values)
            selected.append(name)
        else:
            arrays[name] = np.array(["" if value is None else str(value) for value in values], dtype=object)
            arrays[f"{name}_is_there"] = np.array([value is not None for value in values])
            selected.append(f"case when {name}_is_there then {name} end as {name}")
    return arrays, ", ".join(selected)


def _array(values: Sequence) -> np.ndarray:
    if isinstance(values, np.ndarray):
        return values
    if values and isinstance(values[0], str):
        # as objects: otherwise every text takes the room of the longest
        return np.array(values, dtype=object)
    array = np.array(values) if values else np.array([], dtype=object)
    return array.astype(object) if array.dtype.kind in "US" else array


def first_line(error: object) -> str:
    """Return the first line of what an error says, without its full stop."""
    return str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__


def _cannot_open(path: str, message: str) -> Exception:
    holder = re.search(r"PID (\d+)", message)
    if "lock" in message.lower():
        who = f"process {holder[1]}" if holder else "another process"
        return StoreLocked(f"{path}: {who} has the store open. Close it there, or wait until it is done.")
    if "not a valid DuckDB database" in message:
        return NotAStore(f"{path}: not a DuckDB database. Name the store with --db.")
    if "version number" in message:
        return NotAStore(f"{path}: written by another version of DuckDB than {duckdb.__version__} reads: {first_line(message)}.")
    return NotAStore(f"{path}: cannot be opened: {first_line(message)}.")
