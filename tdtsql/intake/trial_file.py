"""Keys and scores of detection trials as temporary tables of the engine.

The engine parses a clean file itself, ten million lines in seconds; anything unusual in it sends the file to
the reader (`tdtsql.reader.trials`), which says what and where. Both ways give the same table.

Code   Meaning
E945   files of one key or run with different columns
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier
from tdtsql.errors import Problems
from tdtsql.intake.clean_table import CleanTable, clean_table, clean_text, id_sql, is_parquet, number_sql, tried
from tdtsql.intake.clean_table import word_sql
from tdtsql.files.frame import Frame
from tdtsql.files.find import Inputs
from tdtsql.intake.file_rows import FileRows
from tdtsql.intake.tidy_input import parquet_columns
from tdtsql.reader.scan import FLAGS
from tdtsql.files.text import first_lines
from tdtsql.reader.trials import (
    DECISION,
    IDS,
    LABEL,
    LABELS,
    RUN,
    SCORE,
    Layout,
    Mistake,
    Options,
    Trials,
    columns_layout,
    find_layout,
    is_attribute_name,
    read_columns,
)

#: column of the table -> its type; attributes are texts
_TYPES = {**dict.fromkeys(IDS, "varchar"), LABEL: "boolean", SCORE: "double", DECISION: "boolean", RUN: "varchar"}


@dataclass(slots=True)
class TrialTable(FileRows):
    """Trials of some files: a temporary table, with ``place`` from 0 in their order."""

    columns: tuple[str, ...] = ()  #: of IDS and label, score, decision, run_id, those that it has
    attributes: dict[str, str] = field(default_factory=dict)  #: name -> column of the table
    noun: ClassVar[str] = "trials"

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(name for name in IDS if name in self.columns)

    def drop(self, engine: Engine) -> None:
        engine.execute(f"drop table if exists {self.table}")


def layout_of(
    files: Sequence[tuple[str, Path | Frame]],
    options: Options,
    format_: str | None,
    *,
    has_pairs: bool | None = None,
) -> Layout | Mistake:
    """Return the layout of files by the first lines of the first of them; (message, advice) where it is ambiguous."""
    given, source = files[0] if files else ("", None)
    lines = first_lines(source, 100) if isinstance(source, Path) and not is_parquet(given) else []
    return find_layout(lines, options, path=given, format_=format_, has_pairs=has_pairs)


def read_trials(
    engine: Engine, inputs: Inputs, files: Sequence[tuple[str, Path | Frame]], layout: Layout | Mistake, kind: str
) -> TrialTable:
    """Return the trials of files, or of columns, of one layout; every problem goes to ``inputs``, a layout that could
    not be determined too (E940).
    """
    whole = TrialTable(engine.unused_name("trial_row"))
    if not isinstance(layout, Layout):
        inputs.add("E940", files[0][0], *layout, 1)
        layout, files = Layout("tidy", "", (), Options()), ()
    for given, source in files:
        part = _clean(engine, inputs, given, source, layout, kind) or _read(engine, inputs, given, source, layout, kind)
        if not whole.paths:
            engine.execute(f"alter table {part.table} rename to {whole.table}")
            whole, part.table = part, whole.table
        elif part.columns != whole.columns or list(part.attributes) != list(whole.attributes):
            if part.columns and whole.columns:
                inputs.add(
                    "E945",
                    given,
                    f"the columns are not those of {whole.paths[0]}, expected "
                    f"{', '.join([*whole.columns, *whole.attributes])}",
                    "Give all files the same columns in the same order.",
                    1,
                    ", ".join([*part.columns, *part.attributes]),
                )
            part.drop(engine)
        else:
            engine.execute(
                f"insert into {whole.table} select * replace (place + {whole.n_row} as place) from {part.table}"
            )
            whole.add(given, part.lines[0], part.n_row)
            part.drop(engine)
    if not whole.paths:
        engine.execute(f"create or replace temp table {whole.table} (place bigint)")
    return whole


def _read(engine: Engine, inputs: Inputs, given: str, source: Path | Frame, layout: Layout, kind: str) -> TrialTable:
    """Return the trials of a file that the line reader reads."""

    def read(data: bytes, problems: Problems) -> Trials:
        if isinstance(source, Path) and not is_parquet(given):
            return layout.read(data, problems)
        columns = parquet_columns(source, problems) if isinstance(source, Path) else source.columns()
        if columns is None:
            return Trials()
        return read_columns(columns, problems, layout.options)

    if isinstance(source, Path):
        found = inputs.read(given, source, kind, read)
    else:
        problems = Problems(given)
        found = read(b"", problems)
        inputs.problems += problems.found
    columns = {name: found.columns[name] for name in _TYPES if name in found.columns}
    attributes = {name: f"a{number}" for number, name in enumerate(found.attributes)}
    part = TrialTable(engine.unused_name("trial_row"), columns=tuple(columns), attributes=attributes)
    said = {attributes[name]: values for name, values in found.attributes.items()}
    types = {"place": "bigint", **{name: _TYPES[name] for name in columns}, **dict.fromkeys(said, "varchar")}
    typed = ", ".join(f"{name} {type_}" for name, type_ in types.items())
    engine.execute(f"create temp table {part.table} ({typed})")
    part.append(engine, given, found.lines, {**columns, **said})
    return part


def _clean(
    engine: Engine, inputs: Inputs, given: str, source: Path | Frame, layout: Layout | Mistake, kind: str
) -> TrialTable | None:
    """Return the trials of a file, or of columns, that the engine reads as the line reader would; None where the line
    reader has to look.
    """
    if not isinstance(layout, Layout) or not layout.is_usual or layout.options != Options():
        return None
    if isinstance(source, Frame) or is_parquet(given):
        table = clean_table(engine, inputs, given, source, kind)
        layout = columns_layout(list(table.types) if table else (), layout.options)
    else:
        delimiter, odd = layout.delimiter, b""
        if delimiter is None:
            delimiter, odd = ("\t", b" ") if "\t" in next(iter(first_lines(source, 1)), "") else (" ", b"\t")
        table = clean_text(inputs, given, source, kind, delimiter, names=layout.roles, odd=odd)
    if table is None or table.n_row == 0 or not isinstance(layout, Layout):
        return None
    wanted, attributes = layout.columns(list(table.types)) or ({}, [])
    is_known = layout.options.is_key or layout.roles or wanted.keys() == table.types.keys()
    if not wanted or not is_known or not all(name and name == name.strip() for name in table.types):
        return None
    label = next((column for column, role in wanted.items() if role == LABEL), None)
    words = _words(engine, table, label, layout.format, source) if label is not None else {}
    columns = {role: _value(role, name, table.types[name], words) for name, role in wanted.items()}
    said = {name: _value("trial_id", name, table.types[name], {}) for name in attributes if is_attribute_name(name)}
    if None in (*columns.values(), *said.values()) or len(said) < len(attributes):
        return None
    part = _parsed(engine, given, table, columns, said, is_lines=bool(layout.roles))
    if part is not None and isinstance(source, Path):
        inputs.note(given, source, kind)
    return part


def _words(engine: Engine, table: CleanTable, label: str, format_: str, source: Path | Frame) -> dict[str, bool]:
    """Return the words of labels that go with that of the first row: the others have words of the same pair."""
    [first] = tried(
        engine, f"select lower(cast({sql_identifier(label)} as varchar)) from {table.sql} limit 1", source
    ) or (None,)
    pairs = [pair for pair in LABELS[format_] if first in pair] or LABELS[format_]
    return {word: word == pair[0] for pair in pairs for word in pair}


def _value(role: str, column: str, type_: str, words: Mapping[str, bool]) -> str | None:
    """Return the SQL of a value from a column (its name, its type); None if only the reader can convert it."""
    value = f"given.{sql_identifier(column)}"
    if role in (*IDS, RUN):
        return id_sql(value, type_)
    return number_sql(value, type_) if role == SCORE else word_sql(value, type_, words if role == LABEL else FLAGS)


def _parsed(
    engine: Engine,
    given: str,
    table: CleanTable,
    columns: Mapping[str, str | None],
    said: Mapping[str, str | None],
    *,
    is_lines: bool,
) -> TrialTable | None:
    """Create the table; None, and no table, if a row is missing or malformed.

    Args:
        columns, said: what the columns are, the names of attributes -> SQL.
        is_lines: a line that begins with # is a comment.
    """
    attributes = {name: f"a{number}" for number, name in enumerate(said)}
    part = TrialTable(engine.unused_name("trial_row"), attributes=attributes)
    part.columns = tuple(name for name in _TYPES if name in columns)
    selected = [f"{columns[name]} as {name}" for name in part.columns]
    # one value for all that says nothing
    selected += [
        f"case when trim({value}) not in ('', '-') then trim({value}) end as {attributes[name]}"
        for name, value in said.items()
    ]
    odd = [f"{name} is null" for name in part.columns]
    odd += [f"{name} = '' or trim({name}) <> {name}" for name in (*IDS, RUN) if name in columns]
    odd += [f"isnan({SCORE})"] if SCORE in columns else []
    where = f"where not starts_with(given.{sql_identifier(next(iter(table.types)))}, '#')" if is_lines else ""
    return part if table.parse(engine, part, given, selected, odd, where) else None
