"""Results as files: CSV and JSON are streamed, never all rows at once; Parquet is written to a private file, which is
deleted after the transfer.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

from starlette.responses import StreamingResponse

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidQuery
from tdtsql.show.table import csv, json_objects
from tdtsql.serve.query import query_of, sorted_as_asked
from tdtsql.serve.server import DOWNLOAD_LIMITS, PageRequest

#: form -> type of the file
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "parquet": "application/vnd.apache.parquet"}
_PIECE = 1 << 18


def begin(ask: PageRequest, form: str) -> tuple[bytes, Iterator[bytes]]:
    """Run the query of an address for a file of its rows; returns the first piece of the file, and the others.

    The connection of ``ask`` stays in use until the last one was fetched.

    Raises:
        UnknownName: the address has no query, or an unknown name.
        InvalidQuery: it does not run, or the form is unknown.
    """
    if form not in TYPES:
        raise InvalidQuery(f"unknown format {form!r}, expected {', '.join(TYPES)}.")
    sql, _ = sorted_as_asked(ask, query_of(ask))
    pieces = _parquet(ask, sql) if form == "parquet" else _text(ask.engine, sql, form)
    return next(pieces, b""), pieces


def response(
    engine: Engine, form: str, first: bytes, more: Iterator[bytes], workers: Executor, seconds: float
) -> StreamingResponse:
    """Return the file as a stream; the engine may work for ``seconds``, and stops when the client disconnects."""

    async def pieces() -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        left = seconds
        work = None
        try:
            yield first
            while True:
                began = loop.time()
                work = loop.run_in_executor(workers, next, more, None)
                done, _ = await asyncio.wait({work}, timeout=None if left == float("inf") else max(left, 0.0))
                if not done:
                    # the file ends in the middle, and the browser says so
                    raise TimeoutError(f"the answer took longer than {seconds:g} s")
                left -= loop.time() - began
                piece = work.result()
                if piece is None:
                    return
                yield piece
        finally:
            await _end(engine, more, work)

    return StreamingResponse(
        pieces(), media_type=TYPES[form], headers={"content-disposition": f'attachment; filename="answer.{form}"'}
    )


async def _end(engine: Engine, more: Iterator[bytes], work: asyncio.Future | None) -> None:
    """Stop what is under way and close the connection."""

    def close() -> None:
        more.close()  # type: ignore[attr-defined]
        engine.close()

    while work is not None and not work.done():
        engine.interrupt()
        try:
            await asyncio.wait({work}, timeout=0.05)
        except asyncio.CancelledError:
            continue
    if work is not None and not work.cancelled():
        work.exception()
    close()


def _text(engine: Engine, sql: str, form: str) -> Iterator[bytes]:
    """Yield rows as CSV or JSON. In CSV a text that a spreadsheet would calculate gets an apostrophe in front, for a
    downloaded file is opened by one.
    """
    columns, batches = engine.batches(sql, DOWNLOAD_LIMITS)
    yield (csv([columns], quote_formulas=True) if form == "csv" else "[").encode()
    between = ""
    for rows in batches:
        yield (csv(rows, quote_formulas=True) if form == "csv" else between + json_objects(columns, rows)).encode()
        between = ",\n "
    if form == "json":
        yield b"]\n"


def _parquet(ask: PageRequest, sql: str) -> Iterator[bytes]:
    path: Path = ask.engine.write_parquet(sql, replace(DOWNLOAD_LIMITS, seconds=ask.seconds))
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece
    finally:
        path.unlink(missing_ok=True)
