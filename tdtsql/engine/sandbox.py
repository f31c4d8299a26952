"""Queries that users type, on a connection that is confined to the store: no files, network or settings, and limits."""

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import duckdb

from tdtsql.engine.duckdb import Engine, Relation
from tdtsql.engine.quoting import quoted_path, sql_identifier, sql_literal
from tdtsql.engine.spill import SpillFolder
from tdtsql.engine.user_query import GENEROUS, LATE, Limits, one_question, within_rows
from tdtsql.errors import InvalidQuery

#: types with short values
_SHORT = re.compile(
    r"BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DATE|TIME|TIMESTAMP(_S|_MS|_NS)?|INTERVAL|UUID"
    r"|DECIMAL\(\d+,\d+\)"
)


def deny_files(engine: Engine) -> None:
    """Deny files and network to all connections of a database, permanently, but for one private folder, into which
    ``write_parquet`` writes.
    """
    if engine.value("select current_setting('enable_external_access')") is False:
        return
    engine.spill = SpillFolder()
    engine.downloads = engine.spill.path / "downloads"
    engine.downloads.mkdir(mode=0o700)
    folders = [engine.downloads]
    try:
        engine.execute(f"set temp_directory = {sql_literal(engine.spill.room)}")
    # with little memory, opening the store has already spilled: allow that folder
    except duckdb.NotImplementedException:
        folders.append(engine.value("select current_setting('temp_directory')"))
    engine.execute(f"set allowed_directories = [{', '.join(sql_literal(f'{folder}/') for folder in folders)}]")
    engine.execute("set enable_external_access = false")


def confine(engine: Engine, limits: Limits) -> None:
    """Deny files, network and settings to all connections of a database, and limit their memory, permanently."""
    if engine.value("select current_setting('lock_configuration')") is True:
        return
    deny_files(engine)
    engine.execute(f"set max_temp_directory_size = {sql_literal(limits.spill)}")
    if limits.memory is not None and not os.environ.get("TDTSQL_MEMORY_LIMIT"):
        engine.execute(f"set memory_limit = {sql_literal(limits.memory)}")
    engine.execute("set lock_configuration = true")


def typed_relation(engine: Engine, sql: str) -> Relation:
    """Return a user's query as a relation.

    Raises:
        InvalidQuery: it is invalid, would write, or accesses files (`engine.user_query`).
    """
    if not isinstance(sql, str):
        raise InvalidQuery(f"{sql!r} is not a query: expected the text of one SELECT.")
    question = one_question(engine.connection, sql)
    try:
        return engine.relation(question)
    except duckdb.Error as error:
        raise InvalidQuery(f"query rejected: {error}") from None


def run_user_query(engine: Engine, sql: str, limits: Limits = GENEROUS) -> tuple[list[str], list[tuple]]:
    """Run a query that a user typed, without files, network or settings; returns columns and rows.

    The limits of memory and spilled data are those of the first such query of a connection.

    Raises:
        InvalidQuery: it is invalid, accesses what it must not, or exceeds ``limits``.
    """
    with limited(engine, limits):
        columns, parts = batches(engine, sql, limits)
        return columns, [row for part in parts for row in part]


def batches(engine: Engine, sql: str, limits: Limits, size: int = 2048) -> tuple[list[str], Iterator[list[tuple]]]:
    """Run a query as ``run_user_query`` does; return its columns and an iterator over batches of at most ``size`` rows,
    never all rows at once.

    Time is not limited here: the caller fetches the rows and stops the query (`Engine.interrupt`).

    Raises:
        InvalidQuery: it is invalid, accesses what it must not, or returns more rows than ``limits.rows`` (raised
          during iteration).
    """
    confine(engine, limits)
    endless = replace(limits, seconds=None)
    with limited(engine, endless):
        question = one_question(engine.connection, sql)
        answer = engine.query(question)
        columns = [(name, str(kind)) for name, kind, *_ in answer.description or []]
        # fetching these needs a package (pytz) that is not a dependency
        if any("WITH TIME ZONE" in kind for _, kind in columns):
            texts = [
                f"cast(#{place} as varchar)" if "WITH TIME ZONE" in kind else f"#{place}"
                for place, (_, kind) in enumerate(columns, start=1)
            ]
            answer = engine.query(f"select {', '.join(texts)} from ({question.rstrip().rstrip(';')}\n)")

    def fetched() -> Iterator[list[tuple]]:
        n_row = 0
        while True:
            with limited(engine, endless):
                rows = answer.fetchmany(size)
            if not rows:
                return
            n_row += len(rows)
            within_rows(range(n_row), limits)
            yield rows

    return [name for name, _ in columns], fetched()


def with_short_cells(engine: Engine, question: str, length: int) -> str:
    """Return a query whose texts, lists and bytes the engine truncates to so many characters, for display."""
    selected = [
        f"#{place} as {sql_identifier(name)}"
        if _SHORT.fullmatch(kind)
        else f"left(cast((#{place}){f'[:{length}]' if kind.endswith('[]') else ''} as varchar), {length}) "
        f"as {sql_identifier(name)}"
        for place, (name, kind, *_) in enumerate(engine.rows(f"describe {question}"), start=1)
    ]
    return f"select {', '.join(selected)} from ({question.rstrip().rstrip(';')}\n)"


def write_parquet(engine: Engine, sql: str, limits: Limits) -> Path:
    """Write the result of a query of an untrusted user into a Parquet file of the private folder (`deny_files`), which
    the caller removes; the connection is confined.

    Raises:
        InvalidQuery: as ``run_user_query``.
    """
    if engine.downloads is None:
        raise InvalidQuery("this connection writes no files.")
    question = one_question(engine.connection, sql).rstrip().rstrip(";")
    if question.startswith("explain "):
        raise InvalidQuery("a query plan is not a table and has no Parquet file.")
    path = engine.downloads / f"{uuid4().hex}.parquet"
    most = 2**62 if limits.rows is None else limits.rows
    with limited(engine, limits):
        n_row = engine.value(
            f"copy (select * from ({question}\n) limit {most + 1}) to {quoted_path(path)} (format parquet)"
        )
    if n_row > most:
        path.unlink()
        within_rows(range(n_row), limits)
    return path


@contextmanager
def limited(engine: Engine, limits: Limits) -> Iterator[None]:
    """Explain errors of a typed query that runs inside, and interrupt it at its time limit."""
    is_late = threading.Event()

    def stop() -> None:
        is_late.set()
        engine.interrupt()

    clock = threading.Timer(limits.seconds, stop) if limits.seconds else None
    try:
        if clock is not None:
            clock.start()
        yield
    except duckdb.OutOfMemoryException:
        raise InvalidQuery(
            f"query rejected: it needs more memory than it may have, or more than {limits.spill} on disk. Ask for less."
        ) from None
    except (duckdb.Error, RuntimeError, InvalidQuery) as error:
        if is_late.is_set():
            raise InvalidQuery(
                f"{LATE} {limits.seconds:g} s and was stopped. Ask for less, or give it longer (--timeout)."
            ) from None
        if not isinstance(error, duckdb.Error):
            raise
        raise InvalidQuery(f"query rejected: {error}") from None
    finally:
        if clock is not None:
            clock.cancel()
            clock.join()  # it may be interrupting: a connection in use cannot be closed
