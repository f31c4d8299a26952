"""The embedded engine: one DuckDB connection, and errors on opening it."""

import copy
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakSet

import duckdb

from tdtsql.engine.quoting import (
    is_utf8,
    parquet_source,
    quoted_files,
    sql_identifier,
    sql_identifiers,
)
from tdtsql.engine.spill import SpillFolder
from tdtsql.errors import EngineUnavailable, NotAStore, StoreChanged, StoreLocked
from tdtsql.engine.packed import HARMLESS, LARGEST_RATIO

if TYPE_CHECKING:
    from tdtsql.engine.incoming import Columns

#: schemas of a store, whose views are compared with their definitions when it is opened; the engine calls a database by
#: its file's name
SCHEMAS = ("registry", "staging", "base", "metric", "report", "ledger")
#: schema of user-defined metrics, which the definitions of an installation do not have
OWN_SCHEMA = "own"

#: format of a new file: that of 1.5 (older ones do not compress doubles in small blocks), in small blocks, because
#: most tables of a store have a few rows and each begins a block; in still smaller blocks integers are not compressed
_STORAGE = {"storage_compatibility_version": "v1.5.0", "default_block_size": "32768"}

#: the oldest supported version of DuckDB
OLDEST = "2.0.1"

#: extensions are never loaded automatically
_SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",  # the name of a relation never refers to a Python variable
    # takes longer than it saves in plans of thousands of operators, as nested views have
    "disabled_optimizers": "projection_pullup",
}

#: statements that were parsed before, by their text: a load runs the same ones for each file and run, and parsing
#: takes a quarter of the time of a small one
_PARSED: dict[str, Sequence[duckdb.Statement]] = {}
MOST_PARSED = 1000

#: open engines, for `interrupt_all`
_OPEN: WeakSet["Engine"] = WeakSet()


def interrupt_all() -> None:
    """Interrupt the running statements of all open engines of this process; called from another thread."""
    for engine in list(_OPEN):
        with suppress(duckdb.Error):  # the connection is being closed
            engine.connection.interrupt()


#: values of a statement, in order or by name
Parameters = Sequence | Mapping | None

#: result of a query on the embedded engine: .df() .pl() .arrow() .fetchall()
Relation = duckdb.DuckDBPyRelation


class Engine:
    """A connection to one DuckDB database, in memory or in a file."""

    #: maximum decisions of one scoring pass, unless a single run has more
    batch_rows = 3_000_000
    #: tables and columns of this version that a store of another version does not have, for errors
    lacking: Sequence[str] = ()
    #: a transaction is active, whose rows other connections do not see
    in_transaction = False
    #: author of entries in the ledger, if the caller sets one
    by: str | None = None
    #: table of comparisons that are computed and cannot be stored, as the store is only read
    own_results = "temp.result_comparison"
    #: what makes of a statement the one that is run
    rewrite: Callable[[str], str] = str

    def __init__(self, path: str, *, read_only: bool = False, trace: bool = False):
        """Open the database at ``path``; ``:memory:`` is a temporary database.

        Raises:
            StoreLocked: another process has it open.
            NotAStore: the file is not a DuckDB database, or does not exist and
              ``read_only`` requires an existing one.
        """
        if _numbers(duckdb.__version__) < _numbers(OLDEST):
            raise EngineUnavailable(
                f"DuckDB {duckdb.__version__} is installed; tdtsql needs {OLDEST} or later, which rounds exact sums "
                f"once. Run `pip install 'duckdb>={OLDEST},<3'`. Stores can be read by any DuckDB client from 1.5 on."
            )
        check_file_name(path)
        self.path = path
        #: the file of the store; None: it is in memory
        self.file = None if path == ":memory:" else Path(path)
        self.trace = trace
        self.read_only = read_only
        #: owners whose rows this process has verified against the ledger
        self.verified_owners: set[str] = set()
        #: what the current transaction did to owners and has not recorded in the ledger yet (`store.recording`)
        self.noted: dict[str, Any] = {}
        self._numbers = count(1)
        #: a private folder of temporary and downloaded files, if it is confined to one (`engine.sandbox`)
        self.spill: SpillFolder | None = None
        self.downloads: Path | None = None
        if read_only and self.file is not None and not self.file.exists():
            raise no_store(path)
        config: dict[str, Any] = {**_SETTINGS, **({} if read_only else _STORAGE)}
        limits = {"memory_limit": "TDTSQL_MEMORY_LIMIT", "threads": "TDTSQL_THREADS"}
        config |= {name: value for name, variable in limits.items() if (value := os.environ.get(variable))}
        try:
            # absolute: the engine interprets ~, :memory:x and prefixes such as md: and s3:
            self.connection = duckdb.connect(
                path if self.file is None else str(self.file.absolute()),
                read_only=read_only and self.file is not None,
                config=config,
            )
        except duckdb.Error as error:
            raise _cannot_open(path, str(error)) from None
        #: identity of the file, to check that it still exists after writing
        self._file = None if self.file is None else _identity(path)
        _OPEN.add(self)

    @property
    def version(self) -> str:
        return duckdb.__version__

    def query(self, sql: str, parameters: Parameters = None) -> duckdb.DuckDBPyConnection:
        """Run statements, the last with parameters; return the connection, whose result must be fetched completely."""
        sql = self.rewrite(sql)
        self._say(sql)
        try:
            *before, last = self.statements(sql)
            for statement in before:
                self.connection.execute(statement).fetchall()
            return self.connection.execute(last, parameters)
        except duckdb.ConnectionException:
            raise EngineUnavailable(f"{self.path}: the store is closed. Open it again.") from None
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            named = re.findall(r"\w+", str(error))
            if lacks := [name for name in self.lacking if name.rpartition(".")[2] in named]:
                raise NotAStore(
                    f"{self.path}: written by another version of tdtsql, without {', '.join(lacks)}, which this "
                    f"needs. "
                    "Its report.* can be read; for more, evaluate its bundle into a new store."
                ) from None
            raise

    def statements(self, sql: str) -> Sequence[duckdb.Statement]:
        """Return the statements of a text."""
        if sql not in _PARSED:
            if len(_PARSED) == MOST_PARSED:
                _PARSED.clear()
            _PARSED[sql] = self.connection.extract_statements(sql)
        return _PARSED[sql]

    def execute(self, sql: str, parameters: Parameters = None) -> None:
        """Run statements, without results."""
        self.query(sql, parameters).fetchall()

    def execute_all(self, statements: Iterable[str]) -> None:
        """Run statements in one round trip."""
        if script := ";\n".join(statements):
            self.execute(script)

    @contextmanager
    def transaction(self, *, keep: bool = True) -> Iterator[None]:
        """Commit everything done inside, or roll back if it raises (or ``keep`` returns False)."""
        self.execute("begin")
        self.in_transaction = True
        try:
            yield
            if keep and self.noted:
                raise RuntimeError(f"not recorded in the ledger: {', '.join(self.noted)}")
            if keep:
                self.execute("commit")
        except BaseException:
            keep = False
            raise
        finally:
            self.in_transaction = False
            if not keep:
                self.verified_owners.clear()
                self.noted.clear()
                # after a failed write or Ctrl-C the engine may be closed: the cause is raised
                with suppress(duckdb.Error, EngineUnavailable):
                    self.execute("rollback")
        if keep and self._file is not None and self._file != _identity(self.path):
            raise StoreChanged(
                f"{self.path}: another process removed or replaced the store during the write. Repeat the load."
            )

    @contextmanager
    def change(self, *, keep: bool = True) -> Iterator[None]:
        """A transaction that changes what is loaded.

        Raises:
            EngineUnavailable: the store is open to be read only.
        """
        if self.read_only and self.file is not None:
            raise EngineUnavailable(f"{self.path}: the store is open to be read only. Open it without read_only.")
        with self.transaction(keep=keep):
            yield

    def rows(self, sql: str, parameters: Parameters = None) -> list[tuple]:
        """Run one query and return all its rows."""
        return self.query(sql, parameters).fetchall()

    def records(self, sql: str, parameters: Parameters = None) -> list[dict[str, Any]]:
        """Run one query and return each row as column -> value."""
        answer = self.query(sql, parameters)
        names = [name for name, *_ in answer.description or []]
        return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]

    def value(self, sql: str, parameters: Parameters = None):
        """Run one query and return the first value of its first row, or None."""
        rows = self.rows(sql, parameters)
        return rows[0][0] if rows else None

    def column(self, sql: str, parameters: Parameters = None) -> list:
        """Run one query and return the first column of its rows."""
        return [row[0] for row in self.rows(sql, parameters)]

    def relation(self, sql: str, parameters: Mapping | None = None) -> Relation:
        """Return a query as a relation, not yet run."""
        self._say(sql)
        return self.connection.sql(sql, params=parameters or None)

    def interrupt(self) -> None:
        """Interrupt the running statement of this connection; called from another thread."""
        self.connection.interrupt()

    def cursor(self) -> Self:
        """Return another connection to the same open database, for concurrent queries; the caller closes it."""
        other = copy.copy(self)
        other.connection = self.connection.cursor()
        other.verified_owners, other.noted, other.spill = set(), {}, None
        _OPEN.add(other)
        return other

    def _say(self, sql: str) -> None:
        if self.trace:
            print(sql.strip() + ";", file=sys.stderr)

    def insert(self, table: str, columns: "Columns") -> int:
        """Append columns of equal length to a table and return the number of rows.

        Numbers are numpy arrays; a list may contain None; a single number or text is repeated in every row.
        """
        count = next((len(values) for values in columns.values() if not isinstance(values, str | int)), 0)
        if count:
            with self._registered(columns) as selected:
                self.execute(f"insert into {table} ({sql_identifiers(columns)}) select {selected} from incoming")
        return count

    def insert_rows(self, table: str, columns: Iterable[str], rows: Sequence[Sequence]) -> None:
        """Append rows to a table."""
        self.insert(table, {name: [row[place] for row in rows] for place, name in enumerate(columns)})

    def make_rows(self, table: str, columns: Sequence[str], rows: Sequence[Sequence] = ()) -> str:
        """Create or replace a temporary table of rows, whose columns have types because there may be none; return its
        name.
        """
        self.execute(f"create or replace temp table {table} ({', '.join(columns)})")
        self.insert_rows(table, [column.split()[0] for column in columns], rows)
        return table

    def insert_temporary(self, table: str, columns: "Columns") -> str:
        """Create or replace a temporary table of columns; return its qualified name."""
        with self._registered(columns) as selected:
            return self.make_temporary(table, f"select {selected} from incoming")

    def unused_name(self, kind: str) -> str:
        """Return a name for a temporary relation that is unique among the connections of this database."""
        return f"{kind}_{next(self._numbers)}"

    def make_temporary(self, table: str, select: str, parameters: Mapping | None = None) -> str:
        """Create or replace a temporary table of the rows of a SELECT; return its qualified name."""
        self.execute(f"create or replace temp table {table} as\n{select}", parameters)
        return f"temp.main.{table}"

    @contextmanager
    def _registered(self, columns: "Columns") -> Iterator[str]:
        """Make columns readable as table ``incoming``; yields the select list for them."""
        from tdtsql.engine.incoming import incoming  # imported late: reading a store needs no numpy

        arrays, selected = incoming(columns)
        self.connection.register("incoming", arrays)
        try:
            yield selected
        finally:
            self.connection.unregister("incoming")

    def close(self) -> None:
        _OPEN.discard(self)
        for tries_left in range(50, -1, -1):
            try:
                self.connection.close()
                break
            except duckdb.Error as error:  # a statement in another thread is ending; DuckDB refuses to wait for it
                if "busy" not in str(error) or not tries_left:
                    raise
                time.sleep(0.1)
        if self.spill is not None:
            self.spill.close()


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _identity(path: str) -> tuple[int, int] | None:
    """Return what distinguishes one file from another of the same name; None where no file exists."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def first_line(error: object) -> str:
    """Return the first line of an error message, without its full stop; of an error that follows from one before it,
    that one.
    """
    before = re.search('^Original error: "(.+)"$', str(error), re.MULTILINE)
    said = before[1] if before else str(error)
    return said.splitlines()[0].rstrip(".") if said else type(error).__name__


#: class of the engine's error -> meaning and advice; the rest of the message is the engine's
_IN_WORDS = {
    "OutOfMemoryException": "There is not enough memory, or room to spill, for this. Give it more "
    "(TDTSQL_MEMORY_LIMIT, ulimit -v), or ask for less.",
    "IOException": "The store or a file next to it cannot be read or written. Check the disk space; an interrupted "
    "load was rolled back.",
    "InternalException": "The store may be damaged. Run `tdtsql audit` and `tdtsql ledger verify`; restore it from a "
    "copy or an archive.",
    "FatalException": "The store may be damaged. Restore it from a copy or an archive.",
    "SerializationException": "The store is damaged. Restore it from a copy or an archive.",
}


def explain_error(error: Exception) -> str:
    """Return one line that explains an error of the engine to a user."""
    kind = type(error).__name__
    advice = _IN_WORDS.get(kind, "This should not happen; please tell us what you did.")
    if kind == "IOException" and "lock" in str(error).lower():
        advice = "Another process has the store open. Close it there, or wait until it is done."
    # the second where it appears at the end of a transaction, the third where the log is written into the file
    if kind in ("IOException", "TransactionException", "FatalException") and "could not write" in str(error).lower():
        advice = "The store has what was finished before (`tdtsql run list`). Make room, and run the command again."
    # some errors of writing contain another one as JSON
    inner = re.search(r'"exception_message":"((?:[^"\\]|\\.)*)"', str(error))
    said = inner[1].replace('\\"', "'").rstrip(".") if inner else first_line(error)
    return f"{said}. {advice}"


def check_file_name(path: str, schemas: Sequence[str] = (*SCHEMAS, OWN_SCHEMA)) -> None:
    """Raise NotAStore for a file name that cannot be a store: one that the engine could not use as a database name,
    that of a pipe, a device or a folder (the engine would wait for it), or a path with a question mark (before
    which the engine would put the suffix of its log), a backslash (which it reads as a slash) or a name that is not
    UTF-8.
    """
    full, file = os.path.abspath(path), Path(path)
    if not is_utf8(full):
        raise NotAStore(f"{path}: the path of a store must be UTF-8. Rename the file or its folder.")
    if path == ":memory:":
        return
    if letter := re.search(r"[?\\]", full):
        raise NotAStore(
            f"{path}: the path of a store cannot have a {'question mark' if letter[0] == '?' else 'backslash'}: the "
            f"engine would write into another file. Rename the file or its folder."
        )
    if file.exists() and not file.is_file():
        raise NotAStore(f"{path}: not a regular file. Name the store's file with --db.")
    if file.stem.lower() in schemas:
        raise NotAStore(
            f"{path}: a store cannot be called like one of its schemas ({', '.join(schemas)}): {file.stem}.x "
            f"would mean two things. "
            "Name it otherwise, for example results.duckdb."
        )


#: rows that a Parquet file may have in addition to ``ROWS_OF_A_BYTE`` for each byte of it; tables have 0.05 to 20 rows
#: per byte
HARMLESS_ROWS = 1_000_000
ROWS_OF_A_BYTE = 50


def excessive_rows(path: Path, connection: duckdb.DuckDBPyConnection | None = None) -> str | None:
    """Return what is wrong with a Parquet file that declares more rows, or holds more text, than fit its bytes, before
    its rows are stored; None for any other file.

    Args:
        connection: reads the file; by default a new one.
    """
    n_byte = path.stat().st_size
    most_text = max(HARMLESS, LARGEST_RATIO * n_byte)
    with closing(connection.cursor() if connection is not None else duckdb.connect(":memory:")) as connection:
        try:
            [[n_row, n_unpacked]] = connection.execute(
                f"""select sum(row_group_num_rows) filter (column_id = 0), sum(total_uncompressed_size) from
                parquet_metadata({quoted_files([path])})"""
            ).fetchall()
            if (n_row or 0) > HARMLESS_ROWS + ROWS_OF_A_BYTE * n_byte:
                return f"declares {n_row:,} rows in {n_byte:,} bytes, more than {ROWS_OF_A_BYTE} for each byte"
            if (n_row or 0) * (n_unpacked or 0) > HARMLESS:  # a text that is stored once may be that of every row
                described = connection.execute(f"describe select * from {parquet_source(path)}").fetchall()
                texts = [sql_identifier(name) for name, kind, *_ in described if kind == "VARCHAR"]
                total = " + ".join(f"coalesce(sum(strlen({name})), 0)" for name in texts) or "max(0)"
                [[n_unpacked]] = connection.execute(f"select {total} from {parquet_source(path)}").fetchall()
        except (duckdb.Error, OSError):
            return None  # the reader reports it
    if (n_unpacked or 0) <= most_text:
        return None
    return f"holds {n_unpacked:,} bytes of text in {n_byte:,}, more than {LARGEST_RATIO} times its size"


@contextmanager
def undamaged(path: str) -> Iterator[None]:
    """Convert the engine's errors on a damaged file to NotAStore."""
    try:
        yield
    except (duckdb.Error, UnicodeDecodeError, OverflowError) as error:
        if type(error).__name__ in ("InterruptException", "OutOfMemoryException"):
            raise
        raise NotAStore(
            f"{path}: the file is damaged: {first_line(error)}. Restore a copy, or evaluate the bundle into a new "
            f"store."
        ) from None


def neighbours(path: Path) -> list[str]:
    """Return the names of other stores in a file's folder, the most similar ones first."""
    import difflib

    try:
        siblings = sorted(
            file.name
            for file in path.parent.iterdir()
            if file.suffix in {".duckdb", ".db", path.suffix} and file.is_file()
        )
    except OSError:
        return []
    return difflib.get_close_matches(path.name, siblings, 3, 0.5) or siblings[:3]


def no_store(path: str) -> NotAStore:
    """Return the error for a store that does not exist."""
    near = neighbours(Path(path))
    hint = f" Did you mean {' or '.join(str(Path(path).parent / name) for name in near)}?" if near else ""
    return NotAStore(f"{path}: the store does not exist.{hint} `tdtsql evaluate BUNDLE.toml --db {path}` creates one.")


def _cannot_open(path: str, message: str) -> Exception:
    holder = re.search(r"PID (\d+)", message)
    if "different configuration" in message:
        return StoreLocked(
            f"{path}: this process has the store open already, with other settings (read-only, memory limit). Close it "
            "there, or name another store."
        )
    if re.search(r"\block", message, re.IGNORECASE):  # a damaged file may be told by its blocks
        who = f"process {holder[1]}" if holder else "another process"
        return StoreLocked(f"{path}: {who} has the store open. Close it there, or wait until it is done.")
    if "not a valid DuckDB database" in message:
        return NotAStore(f"{path}: not a DuckDB database. Name the store with --db.")
    if "version number" in message:
        return NotAStore(
            f"{path}: written by another version of DuckDB than {duckdb.__version__} reads: {first_line(message)}."
        )
    return NotAStore(f"{path}: cannot be opened: {first_line(message)}.")
