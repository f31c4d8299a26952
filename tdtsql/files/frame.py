"""Columns given in Python (a data frame, an Arrow table, a relation, a mapping) as a table that the engine reads in
place.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import parquet_source
from tdtsql.errors import InvalidInput, Problem
from tdtsql.files.kinds import NO_TEXT, Kind

#: what messages call rows that are in no file
NAME = "decisions"

#: of columns whose values the engine cannot read: what is wrong, and what to do
UNREADABLE = ("the columns cannot be read", "Give texts as texts and numbers as numbers.")

#: the view by which the engine reads the columns
_VIEW = "incoming_frame"


class UnreadableColumns(Exception):
    """A column holds objects of several types, which the engine found on its way, or bytes."""


class Frame:
    """Columns of R rows, by name."""

    def __init__(self, engine: Engine, sql: str | None, given: Mapping[str, Sequence] | None = None):
        self._engine = engine
        self.sql = (
            sql  #: what a query reads them from; None: they are not of one type each, so only ``columns`` has them
        )
        self._given = given

    def types(self) -> dict[str, str]:
        """Return the engine's type of each column; of columns that only ``columns`` has, nothing."""
        if self.sql is None:
            return dict.fromkeys(self._given or (), "")
        return {name: kind for name, kind, *_ in self._engine.rows(f"describe select * from {self.sql}")}

    def columns(self) -> dict[str, Sequence]:
        """Return the columns as values of Python: for the reader that checks every row to report defects."""
        if self._given is not None:
            return {
                name: values.tolist() if hasattr(values, "tolist") else list(values)
                for name, values in self._given.items()
            }
        with read_by_engine():
            result = self._engine.query(f"select * from {self.sql}")
            names = [name for name, *_ in result.description or []]
            rows = result.fetchall()
        return {name: [row[place] for row in rows] for place, name in enumerate(names)}


@contextmanager
def read_by_engine() -> Iterator[None]:
    """Raise UnreadableColumns if the engine cannot read the columns used inside the block."""
    try:
        yield
    except (duckdb.DataError, duckdb.InvalidInputException, UnicodeError) as error:
        raise UnreadableColumns(str(error)) from None


def has_objects(given: object) -> bool:
    """Return whether columns may hold objects of Python, of any type."""
    return _package(given) == "pandas"


@contextmanager
def opened_frame(engine: Engine, given: Any, *, as_text: bool = False, name: str = NAME) -> Iterator[Frame]:
    """Give columns to the engine for a while; to be called outside a transaction, which a frame that cannot be read
    would end.

    Args:
        as_text: columns of Python's objects are read as text, whatever their first rows hold.
        name: what messages call the columns.

    Raises:
        InvalidInput: they are no columns, not of one length, or two have one name.
        UnreadableColumns: a text is not Unicode; a column holds bytes.
    """
    given = _with_index(given)
    seen = set[str]()  # the engine takes small and capital letters for the same, and renames the second
    for column in map(str, _columns(given)):
        if column.lower() in seen:
            problem = Problem("E303", name, None, None, "duplicate column", column, "Rename one of them.")
            raise InvalidInput([problem])
        seen.add(column.lower())
    with ExitStack() as cleaning:
        cleaning.callback(engine.connection.unregister, _VIEW)
        if as_text:
            for column in _columns(given) if has_objects(given) else ():
                _array(given[column])  # bytes are no texts
            engine.execute("set pandas_analyze_sample = 0")
            cleaning.callback(engine.execute, "reset pandas_analyze_sample")
        if isinstance(given, Mapping):
            yield _mapping(engine, given, name)
            return
        try:
            engine.connection.register(_VIEW, _readable(engine, given))
            frame = Frame(engine, _VIEW)
            frame.types()
        except UnicodeError as error:
            raise UnreadableColumns(str(error)) from None
        except (duckdb.Error, TypeError, RuntimeError):  # by kind of object
            if isinstance(given, duckdb.DuckDBPyRelation):  # of another connection, which alone can read it
                path = Path(cleaning.enter_context(TemporaryDirectory(prefix="tdtsql-frame-"))) / "frame.parquet"
                given.write_parquet(str(path))
                frame = Frame(engine, parquet_source(path))
            elif _package(given) == "pandas" and hasattr(given, "columns"):
                # a view of texts in another order, which the engine does not read
                frame = _mapping(engine, {column: given[column] for column in given.columns}, name)
            else:
                raise refusal(
                    f"a {type(given).__name__} has no columns that can be read",
                    "Give a data frame (pandas, polars), an Arrow table, a relation, a mapping of columns to lists, "
                    "or a path.",
                    name=name,
                ) from None
        if not as_text and has_objects(given) and "FLOAT" in frame.types().values():
            raise UnreadableColumns("numbers of single precision, which the engine makes of decimals and NaN")
        yield frame


def cell_text(value: Any, kind: Kind | None) -> str | None:
    """Return the text of a value of Python for a kind of values; None of one that is missing. What is neither text nor
    a number or a time begins with `NO_TEXT`, so that as an id it is invalid.
    """
    is_id = kind is not None and kind.is_id
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return None  # before .item(), which gives the number below a mask
    value = value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        if value != value:  # missing, unless a number is wanted
            return "nan" if kind is not None and kind.takes_nan else None
        is_whole = kind is not None and kind.type == "bigint" and value.is_integer() and abs(value) < 1e18
        if not is_id:
            return str(int(value)) if is_whole else repr(value)
    if isinstance(value, datetime) and value.tzinfo is not None:
        with suppress(OverflowError):
            value = value.astimezone(UTC).replace(tzinfo=None)
    if isinstance(value, list | dict):
        return NO_TEXT + json.dumps(value, default=str)
    if isinstance(value, int | date) and not isinstance(value, bool):
        return str(value)
    return f"{NO_TEXT if is_id else ''}{value}".lower()


def _with_index(given: Any) -> Any:
    """Return a frame (or series) of pandas with the levels of its index that have a name, and are no columns, as
    columns.
    """
    if _package(given) != "pandas":
        return given
    given = given if hasattr(given, "columns") else given.to_frame()
    columns = {str(name).lower() for name in given.columns}
    named = [name for name in given.index.names if name is not None and str(name).lower() not in columns]
    return given.reset_index(level=named) if named else given


def _columns(given: Any) -> Iterable:
    """Return the names of given columns, of what says them."""
    if isinstance(given, Mapping):
        return given
    names = getattr(given, "column_names" if hasattr(type(given), "column_names") else "columns", ())
    return names if isinstance(names, Iterable) else ()


def _mapping(engine: Engine, given: Mapping, name: str) -> Frame:
    """Return a frame of columns of one length; the engine reads them where each is of one type."""
    columns = {str(column): values for column, values in given.items()}
    is_columns = all(
        isinstance(values, list | tuple) or (hasattr(values, "tolist") and getattr(values, "ndim", 0) > 0)
        for values in columns.values()
    )
    if not is_columns or len({len(values) for values in columns.values()}) > 1:
        raise refusal(
            "the columns of a mapping are not lists of one length",
            "Give every column as a list or an array, all equally long.",
            name=name,
        )
    arrays = {column: _array(values) for column, values in columns.items()}
    if not arrays or any(array is None for array in arrays.values()):
        return Frame(engine, None, columns)
    engine.connection.register(_VIEW, arrays)
    return Frame(engine, _VIEW, columns)


def _readable(engine: Engine, given: object) -> object:
    """Return what the engine can register of an object, and read more than once."""
    if hasattr(given, "read_all"):  # a stream of Arrow batches
        given = given.read_all()
    return engine.connection.from_arrow(given) if _package(given) == "pyarrow" else given


def _package(given: object) -> str:
    return type(given).__module__.split(".")[0]


def _array(values: Sequence) -> np.ndarray | None:
    """Return values of one type as an array that the engine reads; None for others."""
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if np.ma.is_masked(values):
        return None  # masked values are missing
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OS":
        is_read = (
            values.ndim == 1
            and values.dtype.isnative
            and (values.dtype.kind in "Ubiu" or values.dtype in (np.float32, np.float64))
        )
        return np.ascontiguousarray(values, dtype=object if values.dtype.kind == "U" else None) if is_read else None
    kinds = set(map(type, values))
    if kinds & {bytes, np.bytes_}:
        raise UnreadableColumns("a column holds bytes, expected texts")
    try:
        [kind] = kinds
        return np.array(values, dtype={str: object, int: np.int64, float: np.float64, bool: np.bool_}[kind])
    except (KeyError, OverflowError, ValueError):
        return None


def refusal(message: str, advice: str, value: str | None = None, *, name: str = NAME) -> InvalidInput:
    """Return the error (E709) of columns that cannot be read."""
    return InvalidInput([Problem("E709", name, None, None, message, value, advice)])
