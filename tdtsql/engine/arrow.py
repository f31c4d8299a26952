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


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))),
    ("private_data", ctypes.c_void_p),
]

#: Arrow's formats of numbers, and of timestamps (microseconds since 1970); texts are u (32-bit offsets) and U (64-bit),
#: booleans b
_NUMBERS: dict[str, np.dtype] = {
    "i": np.dtype("<i4"),
    "l": np.dtype("<i8"),
    "g": np.dtype("<f8"),
    "tsu:": np.dtype("<i8"),
}


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

    def row(self, place: int) -> int | float | bytes:
        """Return the value of one row, of a text its bytes."""
        if self.ends is None:
            return self.values[place].item()
        begin, end = (self.ends[:-1][place] - self.ends[0], self.ends[1:][place] - self.ends[0])
        return self.values[begin:end].tobytes()


def columns(engine: Engine, query: str) -> Iterator[dict[str, Column]]:
    """Yield the rows of a query, some at a time, as name -> column: integers, doubles, booleans (as 0 and 1),
    timestamps (as microseconds since 1970) and texts.

    Raises:
        InvalidQuery: it stops with an error, or has columns of another type.
    """
    capsule = engine.relation(query).__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    stream = ctypes.cast(pointer(capsule, b"arrow_array_stream"), ctypes.POINTER(_Stream))
    schema = _Schema()
    _check(stream, stream.contents.get_schema(stream, ctypes.byref(schema)))
    fields = [
        (schema.children[place].contents.name.decode(), schema.children[place].contents.format.decode())
        for place in range(schema.n_children)
    ]
    schema.release(ctypes.byref(schema))
    while True:
        rows = _Array()
        _check(stream, stream.contents.get_next(stream, ctypes.byref(rows)))
        if not rows.release:
            return  # the end
        try:
            if rows.length:
                yield {name: _column(rows.children[place].contents, kind) for place, (name, kind) in enumerate(fields)}
        finally:
            rows.release(ctypes.byref(rows))


def _check(stream, code: int) -> None:
    if code:
        said = stream.contents.get_last_error(stream)
        raise InvalidQuery(f"the query stopped: {said.decode(errors='replace') if said else code}")


def _column(array: _Array, kind: str) -> Column:
    absent = None
    if array.null_count:
        absent = ~_bits(array.buffers[0], array.offset, array.length)
    if kind == "b":
        return Column(_bits(array.buffers[1], array.offset, array.length), None, absent)
    if kind in _NUMBERS:
        return Column(_view(array.buffers[1], _NUMBERS[kind], array.offset, array.length), None, absent)
    if kind in ("u", "U"):
        ends = _view(array.buffers[1], np.dtype("<i4" if kind == "u" else "<i8"), array.offset, array.length + 1)
        return Column(_view(array.buffers[2], np.dtype("u1"), int(ends[0]), int(ends[-1] - ends[0])), ends, absent)
    raise InvalidQuery(f"a column has a type that is not read in bulk (Arrow format {kind!r}).")


def _view(address: int | None, kind: np.dtype, offset: int, length: int) -> np.ndarray:
    if not length or not address:
        return np.empty(0, kind)
    data = (ctypes.c_char * (length * kind.itemsize)).from_address(address + offset * kind.itemsize)
    return np.frombuffer(memoryview(data), kind)


def _bits(address: int, offset: int, length: int) -> np.ndarray:
    data = _view(address, np.dtype("u1"), 0, (offset + length + 7) // 8)
    return np.unpackbits(data, bitorder="little")[offset : offset + length].astype(bool)
