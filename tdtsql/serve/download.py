"""Results as files: CSV and JSON are streamed, never all rows at once; Parquet is written to a private file, which is
deleted after the transfer.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tdtsql.engine.sandbox import STRICT, batches, write_parquet
from tdtsql.errors import InvalidQuery
from tdtsql.show.table import csv, json_objects
from tdtsql.serve.pages import Ask, query_of

#: form -> type of the file
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "parquet": "application/vnd.apache.parquet"}
#: limits of a download
LIMITS = replace(STRICT, rows=5_000_000)
_PIECE = 1 << 18


def pieces_of(ask: Ask, form: str) -> Iterator[bytes]:
    """Yield a file with the rows of the query of an address.

    Raises:
        UnknownName: the address has no query, or an unknown name.
        InvalidQuery: it does not run, or the form is unknown.
    """
    if form not in TYPES:
        raise InvalidQuery(f"unknown format {form!r}, expected {', '.join(TYPES)}.")
    sql, limits = query_of(ask), replace(LIMITS, seconds=ask.seconds)
    if form == "parquet":
        path: Path = write_parquet(ask.engine, sql, limits)
        try:
            with path.open("rb") as file:
                while piece := file.read(_PIECE):
                    yield piece
        finally:
            path.unlink(missing_ok=True)
        return
    columns, parts = batches(ask.engine, sql, limits)
    # a spreadsheet opens a file of CSV: a text that it would calculate gets an apostrophe in front
    yield (csv([columns], quote_formulas=True) if form == "csv" else "[").encode()
    between = ""
    for rows in parts:
        yield (csv(rows, quote_formulas=True) if form == "csv" else between + json_objects(columns, rows)).encode()
        between = ",\n "
    if form == "json":
        yield b"]\n"
