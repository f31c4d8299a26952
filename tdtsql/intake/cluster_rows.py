"""Files of clusters as rows of a temporary table: the engine reads a well-formed tidy file, or frame; its reader reads
any other file and reports malformed values and their lines.

The table has ``item_id`` and ``cluster_id``, and optional columns of the files (``run_id``, ``block_id``), as texts. A
row is identified by its number among the rows of all files (``place``): for millions of items, file and line in each
row would take too much memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier
from tdtsql.intake.clean_table import clean_table, id_sql
from tdtsql.files.frame import Frame, read_by_engine
from tdtsql.files.find import Inputs
from tdtsql.intake.file_rows import FileRows
from tdtsql.intake.tidy_input import read_table
from tdtsql.reader.clusters import (
    JSON_NAMES,
    Clusters,
    Names,
    names_of,
    clusters_of,
    read_json_lines,
)
from tdtsql.reader.conll import read_conll

#: columns of a table of rows, in their order; the first two where a file has them
COLUMNS = ("run_id", "block_id", "item_id", "cluster_id")
#: an id of blanks, as defined by Python; checked for texts that do not begin with a printable letter of ASCII
_BLANK = "regexp_full_match({0}, '[\\t-\\r\\x1c- \\x{{85}}\\pZ]*')"


@dataclass(slots=True)
class Rows(FileRows):
    """M memberships of some files in a temporary table of the engine."""

    has_blocks: bool = False
    has_runs: bool = False
    n_line: dict[str, int] | None = None  #: of documents whose items are spans of lines
    place: str = "rowid"  #: SQL of the number of a row

    @property
    def sql(self) -> str:
        """A relation of place, run_id and block_id (NULL if no file has them), item_id and cluster_id."""
        columns = [
            ("" if has else "cast(null as varchar) as ") + name
            for name, has in zip(COLUMNS[:2], (self.has_runs, self.has_blocks), strict=True)
        ]
        return f"(select {self.place} as place, {', '.join(columns)}, item_id, cluster_id from {self.table})"

    @property
    def columns(self) -> str:
        """The columns of the table without the row number."""
        return ", ".join(
            name for name, has in zip(COLUMNS, (self.has_runs, self.has_blocks, True, True), strict=True) if has
        )

    def replace(self, engine: Engine, query: str) -> None:
        """Let the table be the rows of a query of ``sql`` with their places."""
        engine.execute(f"create or replace temp table {self.table} as {query}")
        self.place = "place"


def read_rows(
    engine: Engine,
    inputs: Inputs,
    files: Sequence[tuple[str, Path | Frame]],
    format_: str,
    kind: str,
    options: Mapping[str, str],
    *,
    may_repeat: bool = False,
    is_gold: bool = False,
) -> Rows:
    """Return the memberships of files (path as given, path on disk), or of columns, in one format; every problem goes
    to ``inputs``.
    """
    rows, paths = Rows(engine.unused_name("partition_row")), [given for given, _ in files]
    parts: list[_Clean | Clusters] = []
    for given, source in files:
        clean = _clean(engine, inputs, given, source, names_of(options), kind) if format_ == "tidy" else None
        if clean is not None and isinstance(source, Path):
            inputs.note(given, source, kind)
        parts.append(clean or _read(inputs, given, source, format_, kind, options, may_repeat, is_gold))
    has_blocks = [part.has_blocks if isinstance(part, _Clean) else part.blocks is not None for part in parts]
    if len(set(has_blocks)) > 1:
        inputs.add(
            "E929",
            paths[has_blocks.index(False)],
            f"the file names no blocks, {paths[has_blocks.index(True)]} does",
            "Give both a column block_id, or none.",
        )
    rows.has_blocks = any(has_blocks)
    rows.has_runs = any(part.has_runs if isinstance(part, _Clean) else part.runs is not None for part in parts)
    engine.execute(f"create or replace temp table {rows.table} ({rows.columns.replace(',', ' varchar,')} varchar)")
    for path, part in zip(paths, parts, strict=True):
        if isinstance(part, _Clean):
            with read_by_engine():  # files were tried before
                n_row = engine.value(f"insert into {rows.table} select {rows.columns} from ({part.select})")
            rows.add(path, range(part.first_line, part.first_line + n_row), n_row)
        else:
            _insert(engine, rows, part)
            rows.add(path, part.lines, len(part.items))
            if part.n_line is not None:
                rows.n_line = {**(rows.n_line or {}), **part.n_line}
    # the engine numbers rows from 0 in the order in which they came, those of a transaction under way from another
    # number
    rows.place = f"rowid - {engine.value(f'select coalesce(min(rowid), 0) from {rows.table}')}"
    return rows


def _insert(engine: Engine, rows: Rows, found: Clusters) -> None:
    absent = [None] * len(found.items)
    values = zip(COLUMNS, (found.runs or absent, found.blocks or absent, found.items, found.clusters), strict=True)
    engine.insert(rows.table, {name: list(column) for name, column in values if name in rows.columns.split(", ")})


def _read(
    inputs: Inputs,
    given: str,
    source: Path | Frame,
    format_: str,
    kind: str,
    options: Mapping[str, str],
    may_repeat: bool,
    is_gold: bool,
) -> Clusters:
    if format_ == "conll" and isinstance(source, Path):
        return inputs.read(
            given,
            source,
            kind,
            lambda data, problems: read_conll(data, problems, may_repeat=may_repeat, is_gold=is_gold),
        )
    if format_ == "jsonl" and isinstance(source, Path):
        return inputs.read(
            given, source, kind, lambda data, problems: read_json_lines(data, problems, names_of(options, JSON_NAMES))
        )
    names = names_of(options)
    return read_table(inputs, given, source, kind, lambda rows, problems: clusters_of(rows, problems, names))


# ---- the engine's way


class _Clean(NamedTuple):
    """A tidy table that the engine reads as the reader would."""

    select: str  #: SQL of COLUMNS
    has_blocks: bool
    has_runs: bool
    first_line: int  #: line of its first row; rows of what has no lines are counted from 1


def _clean(engine: Engine, inputs: Inputs, given: str, source: Path | Frame, names: Names, kind: str) -> _Clean | None:
    """Return a tidy file or frame as the engine reads it; None where the reader has to look: a column is missing or
    unknown, or has a type that only the reader accepts; an id is empty, or a name of a run has blanks around it.
    """
    table = clean_table(engine, inputs, given, source, kind)
    wanted = dict(zip(COLUMNS, (names.run, names.block, names.item, names.cluster), strict=True))
    if table is None or not {names.item, names.cluster} <= table.types.keys():
        return None
    if not names.is_given and table.types.keys() - set(wanted.values()):
        return None
    there = {key: name for key, name in wanted.items() if name in table.types}
    values = {key: id_sql(f"given.{sql_identifier(name)}", table.types[name]) for key, name in there.items()}
    if None in values.values():
        return None
    picked = ", ".join(f"cast({values.get(key, 'null')} as varchar) as {key}" for key in COLUMNS)
    select = f"select {picked} from {table.sql} as given"
    odd = [f"{name} is null" for name in there if name != "cluster_id"] + ["run_id <> trim(run_id)"]
    odd += [
        f"case when {name} >= '!' and {name} < chr(127) then false else {_BLANK.format(name)} end" for name in there
    ]
    with read_by_engine():  # files were read before
        [(n_row, n_odd)] = engine.rows(f"select count(*), count(*) filter (where {' or '.join(odd)}) from ({select})")
    if n_odd or not isinstance(source, Frame) and not 0 < n_row == table.n_row:
        return None
    return _Clean(select, names.block in there.values(), names.run in there.values(), table.first_line)
