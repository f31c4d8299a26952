"""Tables that the engine may read itself: well-formed text, Parquet, and columns given in Python.

The source is checked here (a header of ASCII, plain bytes, as many delimiters in every line, every byte readable), the
values by SQL: `id_sql`, `word_sql` and `number_sql` are NULL for every value that is not certainly what it should be.
All other tables go to the line reader, which reports defects with their locations.
"""

import re
import zlib
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import parquet_source, sql_literal, text_source
from tdtsql.intake.frame import Frame
from tdtsql.intake.inputs import Inputs
from tdtsql.reader.text import opened

#: bytes read at a time, and the most that hold a header
_CHUNK, _HEAD = 1 << 22, 1 << 16
#: what a plain text does not have: quotes, NUL, byte order marks, and what Python takes for a blank and the engine not
_ODD_BYTES = b'"\0\x0b\x0c\x1c\x1d\x1e\x1f'
_ODD_BLANK = re.compile("[^\\S \t\r\n]|\ufeff")

#: what comes of a file that the engine cannot read
NEEDS_FALLBACK = (duckdb.Error, OSError, EOFError, ValueError, zlib.error)

#: types of whole numbers
WHOLE = frozenset("TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT".split())


class CleanTable(NamedTuple):
    """A table that looks clean."""

    types: dict[str, str]  #: column -> type
    sql: str  #: SQL after ``from``
    n_row: int | None  #: number of rows to expect; None: any
    first_line: int  #: of the first row


def is_parquet(given: str) -> bool:
    return given.removesuffix(".gz").endswith(".parquet")


def delimiter_of(given: str) -> str:
    """Return what separates the columns of a tidy text file."""
    return "\t" if given.removesuffix(".gz").endswith((".tsv", ".tab")) else ","


def clean_table(engine: Engine, inputs: Inputs, given: str, source: Path | Frame, kind: str) -> CleanTable | None:
    """Return a table as the engine reads it; its name says what it is (.csv, .tsv, .tab, .parquet; text also with .gz).

    None: the fallback reader must read it.
    """
    if isinstance(source, Frame):
        return None if source.sql is None else CleanTable(source.types(), source.sql, None, 1)
    if not is_parquet(given):
        return clean_text(inputs, given, source, kind, delimiter_of(given))
    try:
        sql = parquet_source(source)
        types = {name: type_ for name, type_, *_ in _probed(engine, f"describe select * from {sql}", source)}
        [[n_row, *_]] = _probed(engine, f"select count(*), count(columns(*)) from {sql}", source)  # every page is read
        return CleanTable(types, sql, n_row, 1)
    except NEEDS_FALLBACK:
        return None


def clean_text(
    inputs: Inputs,
    given: str,
    path: Path,
    kind: str,
    delimiter: str,
    *,
    names: Sequence[str] = (),
    skip: int = 0,
    odd: bytes = b"",
) -> CleanTable | None:
    """Return a text of plain bytes, whose lines have as many fields, as the engine reads it; None: the line reader must
    read it.

    Args:
        names: of the columns; empty: those of the header, which is ASCII.
        skip: lines before the first row, if there is no header.
        odd: bytes that the text must not have behind these lines, in addition to those that no plain text has.
    """
    decoder, n_delimiter, n_end = getincrementaldecoder("utf-8")(), 0, Counter[bytes]()
    separators = b"\r\n" + delimiter.encode()
    usual = bytes(set(range(256)) - set(_ODD_BYTES + odd + separators))
    try:
        with opened(path) as stream:
            head = b"".join(stream.readline(_HEAD) for _ in range(skip or not names))
            if not names:
                names, skip = head.decode("ascii").rstrip("\r\n").split(delimiter), 1
            last = b""
            for chunk in chain((head,), iter(partial(stream.read, _CHUNK), b"")):
                special = chunk.translate(None, usual)  # one pass; the few bytes that are left are counted fast
                n_end.update({b"\n": special.count(b"\n"), b"\r": special.count(b"\r")})
                n_end[b"\r\n"] += (last + chunk).count(b"\r\n") if n_end[b"\r"] else 0
                last = chunk[-1:]
                if chunk is head:
                    continue
                if special.translate(None, separators):
                    return None
                if not chunk.isascii() and _ODD_BLANK.search(decoder.decode(chunk)):
                    return None
                n_delimiter += special.count(delimiter.encode())
        decoder.decode(b"", final=True)
        n_row = inputs.digest(given, path, kind)[1] - skip
        if n_end[b"\r"] and len(set(n_end.values())) > 1:
            return None  # lines of several kinds, at which the engine stops
        # the engine takes an empty field too many
        if len(set(names)) < len(names) or n_delimiter != n_row * (len(names) - 1):
            return None
        types = dict.fromkeys(names, "VARCHAR")
        return CleanTable(types, text_source(path, types, delimiter, skip=skip), n_row, skip + 1)
    except NEEDS_FALLBACK:
        return None


def tried(engine: Engine, query: str, source: Path | Frame) -> tuple | None:
    """Return the first row of a query of a table; None where the engine cannot read it."""
    try:
        return _probed(engine, query, source)[0]
    except NEEDS_FALLBACK:
        return None


def _probed(engine: Engine, query: str, source: Path | Frame) -> list[tuple]:
    """Return the rows of a query; that of a file goes to another cursor: an error on it does not end the store's
    transaction.
    """
    if isinstance(source, Frame):
        return engine.rows(query)
    with closing(engine.connection.cursor()) as probe:
        return probe.execute(query).fetchall()


def id_sql(value: str, type_: str) -> str | None:
    """Return SQL of an id from a column (its name, its type); None where only the line reader can convert it."""
    if type_ == "VARCHAR":
        return value
    return f"cast({value} as varchar)" if type_ in WHOLE or type_.startswith("ENUM") else None


def word_sql(value: str, type_: str, words: Mapping[str, bool]) -> str | None:
    """Return SQL of a flag that is written in words."""
    if type_ == "BOOLEAN":
        return value
    text = id_sql(value, type_)
    if text is None:
        return None
    listed = {said: _listed(word for word, says in words.items() if says is said) for said in (True, False)}
    return (
        f"case when lower({text}) in ({listed[True]}) then true when lower({text}) in ({listed[False]}) then false end"
    )


def _listed(words: Iterable[str]) -> str:
    return ", ".join(map(sql_literal, words))


def number_sql(value: str, type_: str) -> str | None:
    """Return SQL of a number."""
    if type_ in ("DOUBLE", "FLOAT") or type_ in WHOLE:
        return f"cast({value} as double)"
    # the engine would read 1_000 as a number
    return f"case when not contains({value}, '_') then try_cast({value} as double) end" if type_ == "VARCHAR" else None
