"""Rows as the engine hands them over in bulk: columns as buffers, by Arrow's C interface, without Python objects and
without pyarrow.

Source: "The Arrow C data interface" and "The Arrow C stream interface" (arrow.apache.org/docs/format); DuckDB's
    relations have `__arrow_c_stream__` (PyCapsule protocol).
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidQuery


#: Arrow's formats of numbers, and of timestamps (microseconds since 1970); texts are u (32-bit offsets) and U (64-bit),
#: booleans b
_NUMBERS = {kind: np.dtype(word) for kind, word in (("i", "<i4"), ("l", "<i8"), ("g", "<f8"), ("tsu:", "<i8"))}


@dataclass(slots=True)
class Column:
    """Some rows of one column; its arrays are views that are valid until the next rows are requested."""

    values: np.ndarray  #: numbers, or, of texts, their bytes in UTF-8 one after the other
    ends: np.ndarray | None  #: of texts: where each begins, and where the last ends; None for numbers
    absent: np.ndarray | None  #: True where the value is NULL; None if no value is NULL

    def __len__(self) -> int:
        return len(self.values) if self.ends is None else len(self.ends) - 1

    def part(self, begin: int, end: int) -> "Column":
        """Return the rows from ``begin`` up to ``end``."""
        if end - begin == len(self):
            return self
        absent = None if self.absent is None else self.absent[begin:end]
        if self.ends is None:
            return Column(self.values[begin:end], None, absent)
        ends = self.ends[begin : end + 1]
        return Column(self.values[ends[0] - self.ends[0] : ends[-1] - self.ends[0]], ends, absent)


def columns(engine: Engine, query: str) -> Iterator[dict[str, Column]]:
    """Yield the rows of a query, some at a time, as name -> column: integers, doubles, booleans (as 0 and 1),
    timestamps (as microseconds since 1970) and texts.

    Raises:
        InvalidQuery: it stops with an error, or has columns of another type.
    """
    capsule = engine.relation(query).__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    stream = pointer(capsule, b"arrow_array_stream")
    get_schema, get_next, get_last_error = _words(stream, 3)

    def fetched(function: int, n_word: int) -> ctypes.Array:
        structure = (ctypes.c_int64 * n_word)()
        if _call(function, stream, ctypes.addressof(structure)) & 0xFFFFFFFF:
            said = _call(get_last_error, stream)
            raise InvalidQuery(f"the query stopped: {_text(said) if said else 'without a message'}")
        return structure

    # words of a schema: format, name, metadata, flags, number of children, children, dictionary, release
    schema = fetched(get_schema, 9)
    fields = [(_text(name), _text(kind)) for kind, name in (_words(at, 2) for at in _words(schema[5], schema[4]))]
    _call(schema[7], ctypes.addressof(schema))
    # of rows: length, number of NULL, offset, numbers of buffers and children, buffers, children, dictionary, release
    while (rows := fetched(get_next, 10))[8]:
        try:
            if rows[0]:
                children = _words(rows[6], rows[4])
                yield {name: _column(at, kind) for at, (name, kind) in zip(children, fields, strict=True)}
        finally:
            _call(rows[8], ctypes.addressof(rows))


def _words(address: int, n: int) -> list[int]:
    """Return the first words of a structure: of 64 bits each, numbers and addresses."""
    return list((ctypes.c_int64 * n).from_address(address)) if n else []


def _text(address: int) -> str:
    return ctypes.string_at(address).decode(errors="replace")


def _call(function: int, *addresses: int) -> int:
    """Call the C function at an address."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * len(addresses))(function)(*addresses)


def _column(address: int, kind: str) -> Column:
    length, n_null, offset, n_buffer, _, at = _words(address, 6)
    buffers = _words(at, n_buffer)
    absent = ~_bits(buffers[0], offset, length) if n_null else None
    if kind == "b":
        return Column(_bits(buffers[1], offset, length), None, absent)
    if kind in _NUMBERS:
        return Column(_view(buffers[1], _NUMBERS[kind], offset, length), None, absent)
    if kind in ("u", "U"):
        ends = _view(buffers[1], np.dtype("<i4" if kind == "u" else "<i8"), offset, length + 1)
        return Column(_view(buffers[2], np.dtype("u1"), int(ends[0]), int(ends[-1] - ends[0])), ends, absent)
    raise InvalidQuery(f"a column has a type that is not read in bulk (Arrow format {kind!r}).")


def _view(address: int, kind: np.dtype, offset: int, length: int) -> np.ndarray:
    if not length or not address:
        return np.empty(0, kind)
    data = (ctypes.c_char * (length * kind.itemsize)).from_address(address + offset * kind.itemsize)
    return np.frombuffer(memoryview(data), kind)


def _bits(address: int, offset: int, length: int) -> np.ndarray:
    data = _view(address, np.dtype("u1"), 0, (offset + length + 7) // 8)
    return np.unpackbits(data, bitorder="little")[offset : offset + length].astype(bool)
