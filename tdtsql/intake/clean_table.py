"""Tables that the engine may read itself: well-formed text, Parquet, and columns given in Python.

The source is checked here (a header of ASCII, plain bytes, as many delimiters in every line, every byte readable), the
values by SQL: `id_sql`, `word_sql` and `number_sql` are NULL for every value that is not certainly what it should be.
All other tables go to the line reader, which reports defects with their locations.
"""

import zlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import parquet_source, sql_literal, text_source
from tdtsql.files.frame import Frame, read_by_engine
from tdtsql.files.digest import ODD_BYTES
from tdtsql.files.find import Inputs
from tdtsql.intake.file_rows import FileRows
from tdtsql.engine.packed import is_gzip, opened

#: the most bytes of a header
_HEAD = 1 << 16

#: what comes of a file that the engine cannot read
NEEDS_FALLBACK = (duckdb.Error, OSError, EOFError, ValueError, zlib.error)

#: types of whole numbers
WHOLE = frozenset("TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT".split())


@dataclass(frozen=True, slots=True)
class CleanTable:
    """A table that looks clean."""

    types: dict[str, str]  #: column -> type
    n_row: int | None = None  #: number of rows to expect; None: any
    path: Path | None = None  #: None: columns given in Python
    frame: str = ""  #: SQL after ``from``, of these
    delimiter: str = ""  #: of a text; empty: no text
    skip: int = 0  #: lines before the first row

    @property
    def first_line(self) -> int:
        """Line of the first row."""
        return self.skip + 1

    @property
    def sql(self) -> str:
        """SQL after ``from``."""
        return self.sql_of([self.path] if self.path else [])

    @property
    def form(self) -> Hashable:
        """What the tables have in common that one statement reads."""
        is_packed = self.path is not None and is_gzip(self.path)
        return *self.types.items(), self.frame, self.delimiter, self.skip, is_packed

    def parse(
        self, engine: Engine, rows: FileRows, path: str, columns: Iterable[str], odd: Iterable[str], where: str = ""
    ) -> bool:
        """Let a table of rows be those of this one, called ``given``; False, and no table, where the line reader has to
        look: a row is missing, or one of the conditions ``odd`` holds.

        Args:
            path: what the file is called.
            columns: SQL of the columns but ``place``.
            where: SQL after ``from`` that leaves out rows.
        """
        chosen = ", ".join(["row_number() over () - 1 as place", *columns])
        with read_by_engine():  # bytes, or pages of Parquet, were checked
            engine.make_temporary(rows.table, f"select {chosen} from {self.sql} as given {where}")
        [(n_row, n_odd)] = engine.rows(
            f"select count(*), count(*) filter ({' or '.join(odd) or 'false'}) from {rows.table}"
        )
        if n_odd or not n_row or self.n_row not in (None, n_row):
            engine.execute(f"drop table {rows.table}")
            return False
        rows.add(path, range(self.first_line, self.first_line + n_row), n_row)
        return True

    def sql_of(self, paths: Sequence[Path]) -> str:
        """Return SQL after ``from`` of tables of this form; ``file_index`` is the number of a file, from 0."""
        if self.frame:
            return self.frame
        if not self.delimiter:
            return parquet_source(paths)
        return text_source(paths, self.types, self.delimiter, skip=self.skip)


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
        return None if source.sql is None else CleanTable(source.types(), frame=source.sql)
    if not is_parquet(given):
        return clean_text(inputs, given, source, kind, delimiter_of(given))
    try:
        sql = parquet_source(source)
        types = {name: type_ for name, type_, *_ in _probed(engine, f"describe select * from {sql}", source)}
        [[n_row, *_]] = _probed(engine, f"select count(*), count(columns(*)) from {sql}", source)  # every page is read
        return CleanTable(types, n_row, source)
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
    try:
        digest = inputs.digest(given, path, kind)
        with opened(path) as stream:
            head = b"".join(stream.readline(_HEAD) for _ in range(skip or not names))
        if not names:
            names, skip = head.decode("ascii").rstrip("\r\n").split(delimiter), 1
        n_row, n_mark = digest.n_line - skip, digest.n_mark
        n_delimiter = n_mark[ord(delimiter)] - head.count(delimiter.encode())
        n_end = {n_mark[ord("\n")], n_mark[ord("\r")], digest.n_line_end}
        is_clean = (
            digest.is_plain
            and all(n_mark[byte] == head.count(byte) for byte in ODD_BYTES + odd)
            and (len(n_end) == 1 or not n_mark[ord("\r")])  # the engine stops at lines of several kinds
            and len(set(names)) == len(names)
            and n_delimiter == n_row * (len(names) - 1)  # the engine takes an empty field too many
        )
        types = dict.fromkeys(names, "VARCHAR")
        return CleanTable(types, n_row, path, delimiter=delimiter, skip=skip) if is_clean else None
    except NEEDS_FALLBACK:
        return None


def tried(engine: Engine, query: str, source: Path | Frame) -> tuple | None:
    """Return the first row of a query of a table; None where the engine cannot read a file.

    Raises:
        UnreadableColumns: the engine cannot read the columns.
    """
    try:
        return _probed(engine, query, source)[0]
    except NEEDS_FALLBACK:
        return None


def _probed(engine: Engine, query: str, source: Path | Frame) -> list[tuple]:
    """Return the rows of a query; that of a file goes to another cursor: an error on it does not end the store's
    transaction.
    """
    if isinstance(source, Frame):  # whose error does end it
        with read_by_engine():
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
