"""Tidy files that the engine may read itself: well-formed text, and Parquet.

This module checks only what is known before the rows are parsed. The caller checks the number of rows and their
values. All other files go to the fallback reader, which reports defects with their locations.
"""

import zlib
from pathlib import Path
from typing import NamedTuple

import duckdb

from tdtsql.engine.quoting import parquet_source, text_source
from tdtsql.intake.inputs import Inputs
from tdtsql.reader.text import opened

#: bytes that hold the header of a text file
_HEAD = 1 << 16
_CHUNK = 1 << 22

#: what comes of a file that the engine cannot read
NEEDS_FALLBACK = (duckdb.Error, OSError, EOFError, ValueError, zlib.error)


class CleanTable(NamedTuple):
    """A file that looks clean."""

    types: dict[str, str]  #: column -> type
    sql: str  #: SQL after ``from``
    n_row: int  #: rows that must come out
    n_header: int  #: lines before the first row


def clean_table(probe: duckdb.DuckDBPyConnection, given: str, path: Path, inputs: Inputs, form: str) -> CleanTable:
    """Return a file as the engine reads it; its name says what it is (.csv, .tsv, .tab, .parquet; text also with .gz).

    Args:
        probe: a separate connection: an error on it does not abort the store's transaction.

    Raises:
        duckdb.Error, OSError, EOFError, ValueError, zlib.error: the reader has to look (`NEEDS_FALLBACK`).
    """
    plain = given.removesuffix(".gz")
    if plain.endswith(".parquet"):
        source = parquet_source(path)
        types = {column: kind for column, kind, *_ in probe.execute(f"describe select * from {source}").fetchall()}
        [n_row] = probe.execute(f"select count(*) from {source}").fetchall()[0]
        return CleanTable(types, source, n_row, 0)
    delimiter = "\t" if plain.endswith((".tsv", ".tab")) else ","
    with opened(path) as stream:
        line = stream.readline(_HEAD)
        head = line.decode("ascii").rstrip("\r\n").split(delimiter)
        n_delimiter = (
            len(head) - 1 + sum(chunk.count(delimiter.encode()) for chunk in iter(lambda: stream.read(_CHUNK), b""))
        )
    n_line = inputs.digest(given, path, f"tidy {form}")[1]
    if len(set(head)) < len(head) or n_delimiter != n_line * (
        len(head) - 1
    ):  # the engine takes an empty field too many
        raise ValueError("columns or fields that the reader tells of")
    types = dict.fromkeys(head, "VARCHAR")
    return CleanTable(types, text_source(path, types, delimiter, skip=1), n_line - 1, 1)
