"""Answers as files: CSV and JSON as the rows come, never all of them at once; Parquet from a private file that is gone
afterwards.
"""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from starlette.responses import StreamingResponse

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import FORMULA, InvalidQuery, csv_cell, exact
from tdtsql.serve.desk import DOWNLOAD_LIMITS, Ask
from tdtsql.serve.query import query_of, sorted_as_asked

#: form -> type of the file
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "parquet": "application/vnd.apache.parquet"}
_PIECE = 1 << 18


def begin(ask: Ask, form: str) -> tuple[bytes, Iterator[bytes]]:
    """Run the query of an address for a file of its rows; returns the first piece of the file, and the others.

    The connection of ``ask`` stays in use until the last one is taken.

    Raises:
        UnknownName: the address names no query, or what is not there.
        InvalidQuery: it does not run, or the form is unknown.
    """
    if form not in TYPES:
        raise InvalidQuery(f"an answer is given as {', '.join(TYPES)}, not as {form!r}.")
    sql, _ = sorted_as_asked(ask, query_of(ask))
    pieces = _parquet(ask, sql) if form == "parquet" else _text(ask.engine, sql, form)
    return next(pieces, b""), pieces


def response(
    engine: Engine, form: str, first: bytes, more: Iterator[bytes], workers: Executor, seconds: float
) -> StreamingResponse:
    """Return the file as it is made; the engine's own work may take ``seconds``, and ends when nobody takes the
    file.
    """

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
                    raise TimeoutError(
                        f"the answer took longer than {seconds:g} s"
                    )  # the file ends in the middle, and the browser says so
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
    columns, batches = engine.batches(sql, DOWNLOAD_LIMITS)
    write: Callable[[list[tuple]], str] = _csv if form == "csv" else _json(columns)
    yield (_csv([tuple(columns)]) if form == "csv" else "[").encode()
    for rows in batches:
        yield write(rows).encode()
    if form == "json":
        yield b"]\n"


def _parquet(ask: Ask, sql: str) -> Iterator[bytes]:
    path: Path = ask.engine.write_parquet(sql, replace(DOWNLOAD_LIMITS, seconds=ask.seconds))
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece
    finally:
        path.unlink(missing_ok=True)


def _csv(rows: list[tuple]) -> str:
    """Return rows as CSV: doubles with all their digits, NULL as an empty cell.

    A text that a spreadsheet would run as a formula gets an apostrophe in front: a downloaded file is opened by one.
    """
    return "".join(
        ",".join(
            csv_cell(
                f"'{text}" if isinstance(value, str) and text.startswith(FORMULA) else text,
                delimiter=",",
                is_only=len(row) == 1,
            )
            for value in row
            for text in [exact(value)]
        )
        + "\n"
        for row in rows
    )


def _json(columns: list[str]) -> Callable[[list[tuple]], str]:
    """Return what writes rows as objects, one a line; a comma before all but the first."""
    names = [json.dumps(name, ensure_ascii=False) for name in columns]
    is_first = True

    def write(rows: list[tuple]) -> str:
        nonlocal is_first
        objects = [
            "{" + ", ".join(f"{name}: {_json_value(value)}" for name, value in zip(names, row, strict=True)) + "}"
            for row in rows
        ]
        before = "" if is_first else ",\n "
        is_first = False
        return before + ",\n ".join(objects)

    return write


def _json_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.17g}" if math.isfinite(value) else "null" if math.isnan(value) else json.dumps(str(value))
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, date | datetime):
        return json.dumps(value.isoformat())
    return json.dumps(value, default=str, ensure_ascii=False)
