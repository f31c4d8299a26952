"""Keys and scores of detection trials as temporary tables of the engine.

The engine parses a clean file itself, ten million lines in seconds; anything unusual in it sends the file to
the reader (`tdtsql.reader.scored_trials`), which says what and where. Both ways give the same table.
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier, text_source
from tdtsql.errors import Problems
from tdtsql.intake.clean_table import NEEDS_FALLBACK, clean_table, id_sql, is_parquet, number_sql, tried, word_sql
from tdtsql.intake.frame import Frame, read_by_engine
from tdtsql.intake.inputs import FileRows, Inputs
from tdtsql.intake.tidy_input import parquet_columns
from tdtsql.reader.scan import FLAGS
from tdtsql.reader.text import first_lines, opened
from tdtsql.reader.scored_trials import (
    DECISION,
    IDS,
    LABEL,
    LABELS,
    RUN,
    SCORE,
    TABLES,
    Trials,
    attribute_names,
    chosen_ids,
    delimiter_of,
    format_of_columns,
    is_attribute_name,
    is_table,
    line_form,
    read_key,
    read_scores,
    recognised,
    trials_of_columns,
    words_of_pair,
)
from tdtsql.reader.trial_layout import Layout, Options, columns_layout, find_layout, has_other_words, is_usual

#: bytes read for the first line of a file
_HEAD = 1 << 16
_PIECE = 1 << 22
#: bytes that a clean file does not have: quotes, other line ends, and what Python takes for a blank and the engine does
#: not
_ODD = (b'"', b"\r", b"\0", b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e", b"\x1f")
_ODD_BLANK = re.compile(r"[^\S \t\n]")
#: column of the table -> its type; attributes are texts
_TYPES = {**dict.fromkeys(IDS, "varchar"), LABEL: "boolean", SCORE: "double", DECISION: "boolean", RUN: "varchar"}


@dataclass(slots=True)
class TrialTable(FileRows):
    """Trials of some files: a temporary table, with ``row_no`` from 0 in their order."""

    columns: tuple[str, ...] = ()  #: of IDS and label, score, decision, run_id, those that it has
    attributes: dict[str, str] = field(default_factory=dict)  #: name -> column of the table

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(name for name in IDS if name in self.columns)

    def drop(self, engine: Engine) -> None:
        engine.execute(f"drop table if exists {self.table}")


def layout_of(
    files: Sequence[tuple[str, Path]],
    options: Options,
    format_: str | None,
    *,
    is_key: bool,
    has_pairs: bool | None = None,
) -> str | Layout | tuple[str, str]:
    """Return the format, or the layout, of files by the first lines of the first of them; (message, advice) where it is
    ambiguous.
    """
    if not files:
        return format_ or "tidy"
    if is_parquet(files[0][0]):
        return format_ or "tidy" if options == Options() else columns_layout(options, is_key=is_key)
    lines = first_lines(files[0][1], 100)
    usual = format_ or recognised(lines, is_key=is_key)
    if options == Options() and usual is not None and is_usual(lines, usual, files[0][0], is_key=is_key):
        return usual
    found = find_layout(lines, options, is_key=is_key, format_=format_, has_pairs=has_pairs)
    return usual or "tidy" if found is None else found


def read_trials(
    engine: Engine,
    inputs: Inputs,
    files: Sequence[tuple[str, Path | Frame]],
    format_: str | Layout,
    kind: str,
    *,
    is_key: bool,
    may_lack: bool = False,
) -> TrialTable:
    """Return the trials of files, or of columns, of one format; every problem goes to ``inputs``.

    Args:
        may_lack: rows without a score are left out, no errors.
    """
    whole = TrialTable(engine.unused_name("trial_row"))
    for given, source in files:
        part = None
        if not isinstance(source, Path):
            part = _clean_table(engine, inputs, given, source, kind, is_key=is_key)
        elif isinstance(format_, str):
            part = _clean(engine, inputs, given, source, format_, kind, is_key=is_key)
        if part is None:
            part = _read(engine, inputs, given, source, format_, kind, is_key=is_key, may_lack=may_lack)
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
                f"insert into {whole.table} select * replace (row_no + {whole.n_row} as row_no) from {part.table}"
            )
            whole.add(given, part.lines[0], part.n_row)
            part.drop(engine)
    if not whole.paths:
        engine.execute(f"create or replace temp table {whole.table} (row_no bigint)")
    return whole


# ---- the reader's way


def _read(
    engine: Engine,
    inputs: Inputs,
    given: str,
    source: Path | Frame,
    format_: str | Layout,
    kind: str,
    *,
    is_key: bool,
    may_lack: bool,
) -> TrialTable:
    if isinstance(source, Frame):
        problems = Problems(given)
        found = trials_of_columns(source.columns(), problems, is_key=is_key, may_lack=may_lack)
        inputs.problems += problems.found
    elif is_parquet(given):
        found = inputs.read(
            given, source, kind, lambda data, problems: _parquet(source, problems, is_key, format_, may_lack)
        )
    elif isinstance(format_, Layout):
        found = inputs.read(given, source, kind, format_.read)
    else:
        found = inputs.read(
            given,
            source,
            kind,
            lambda data, problems: (
                read_key(data, problems, format_) if is_key else read_scores(data, problems, format_, may_lack=may_lack)
            ),
        )
    values = {**found.ids, LABEL: found.labels, SCORE: found.scores, DECISION: found.decisions, RUN: found.runs}
    given_values = {name: list(column) for name, column in values.items() if column is not None}
    columns = tuple(name for name in _TYPES if name in given_values)
    attributes = {name: f"a{number}" for number, name in enumerate(found.attributes)}
    part = TrialTable(engine.unused_name("trial_row"), columns=columns, attributes=attributes)
    part.add(given, found.lines, len(found.lines))
    said = {attributes[name]: values for name, values in found.attributes.items()}
    engine.insert_temporary(
        "trial_part", {"row_no": list(range(part.n_row)), **{name: given_values[name] for name in columns}, **said}
    )
    types = {"row_no": "bigint", **{name: _TYPES[name] for name in columns}, **dict.fromkeys(said, "varchar")}
    cast = ", ".join(f"cast({name} as {type_}) as {name}" for name, type_ in types.items())
    engine.execute(f"create or replace temp table {part.table} as select {cast} from trial_part")
    engine.execute("drop table trial_part")
    return part


def _parquet(path: Path, problems: Problems, is_key: bool, format_: str | Layout, may_lack: bool) -> Trials:
    columns = parquet_columns(path, problems)
    if columns is None:
        return Trials()
    if isinstance(format_, str) and is_key and has_other_words(columns.get(LABEL, ())):
        format_ = columns_layout(Options(), is_key=True)
    if isinstance(format_, Layout):
        return format_.of_columns(columns, problems)
    return trials_of_columns(columns, problems, is_key=is_key, may_lack=may_lack)


# ---- the engine's way


def _clean(
    engine: Engine, inputs: Inputs, given: str, path: Path, format_: str, kind: str, *, is_key: bool
) -> TrialTable | None:
    """Return the trials of a file that the engine can parse; None where the reader has to look."""
    if is_parquet(given):
        part = _clean_table(engine, inputs, given, path, kind, is_key=is_key)
    else:
        try:
            made, n_header = _text_source(given, path, format_, is_key) or (None, 0)
            n_row = inputs.digest(given, path, kind)[1] - n_header
        except NEEDS_FALLBACK:
            return None
        part = _parsed(engine, given, made, n_row, n_header + 1) if made is not None and n_row else None
    if part is not None:
        inputs.note(given, path, kind)
    return part


def _clean_table(
    engine: Engine, inputs: Inputs, given: str, source: Path | Frame, kind: str, *, is_key: bool
) -> TrialTable | None:
    """Return the trials of a Parquet file, or of columns."""
    table = clean_table(engine, inputs, given, source, kind)
    if table is None or table.n_row == 0:
        return None
    format_ = format_of_columns(table.types)
    label, first = TABLES[format_].label, None
    if label in table.types:
        value = f"select (select {sql_identifier(label)} from {table.sql} limit 1)"
        [first] = tried(engine, value, source) or (None,)
    made = _table_of(table.types, table.sql, format_, is_key, first)
    if (
        made is None
        or isinstance(source, Path)
        and tried(engine, f"select count(columns(*)) from {table.sql}", source) is None
    ):
        return None  # every page is read
    return _parsed(engine, given, made, table.n_row, 1)


@dataclass(slots=True)
class _Made:
    """How the engine makes the rows of a table."""

    source: str
    values: dict[str, str]  #: column of the table -> SQL
    attributes: dict[str, str]  #: name -> SQL
    has_blanks: bool  #: ids may have blanks around them


def _parsed(engine: Engine, given: str, made: _Made, n_row: int | None, line: int) -> TrialTable | None:
    """Create the table; None, and no table, if a row is missing or malformed."""
    table = engine.unused_name("trial_row")
    columns = tuple(name for name in _TYPES if name in made.values)
    attributes = {name: f"a{number}" for number, name in enumerate(made.attributes)}
    selected = ["row_number() over () - 1 as row_no", *(f"{made.values[name]} as {name}" for name in columns)]
    # one value for all that says nothing
    selected += [
        f"case when trim({value}) not in ('', '-') then trim({value}) end as {attributes[name]}"
        for name, value in made.attributes.items()
    ]
    odd = [f"{name} is null" for name in columns]
    odd += [
        f"{name} = ''" + (f" or trim({name}) <> {name}" if made.has_blanks else "")
        for name in (*IDS, RUN)
        if name in columns
    ]
    odd += [f"isnan({SCORE})"] if SCORE in columns else []
    with read_by_engine():  # bytes, or Parquet pages, were checked
        engine.execute(
            f"create or replace temp table {table} as select {', '.join(selected)} from {made.source} as given"
        )
    [(n_found, n_odd)] = engine.rows(f"select count(*), count(*) filter ({' or '.join(odd)}) from {table}")
    if n_odd or not n_found or n_row not in (None, n_found):
        engine.execute(f"drop table {table}")
        return None
    part = TrialTable(table, columns=columns, attributes=attributes)
    part.add(given, range(line, line + n_found), n_found)
    return part


def _text_source(given: str, path: Path, format_: str, is_key: bool) -> tuple[_Made | None, int] | None:
    """Return how a text file is read, and how many lines its header has; None where a byte of it is not plain."""
    first = next(iter(first_lines(path, 1)), "")
    is_header = is_table(format_, first)
    delimiter = delimiter_of(format_, given) if is_header else "\t" if "\t" in first else " "
    odd = _ODD if is_header else (*_ODD, b" " if delimiter == "\t" else b"\t")
    has_underscore = has_blank = False
    n_delimiter, n_line, last = 0, 0, b""
    decoder = getincrementaldecoder("utf-8")()
    with opened(path) as stream:
        head = stream.read(_HEAD)
        if head.startswith(b"\xef\xbb\xbf") or not head.split(b"\n", 1)[0].strip():
            return None
        while head:
            if any(letter in head for letter in odd):
                return None
            if not is_header and (b"\n#" in head or last in (b"", b"\n") and head.startswith(b"#")):
                return None
            if not head.isascii() and _ODD_BLANK.search(decoder.decode(head)):
                return None
            has_underscore |= b"_" in head
            has_blank |= b" " in head
            n_delimiter += head.count(delimiter.encode())
            n_line += head.count(b"\n")
            last = head[-1:]
            head = stream.read(_PIECE)
        decoder.decode(b"", final=True)
    names = first.split(delimiter)
    if n_delimiter != (n_line + (last != b"\n")) * (len(names) - 1):  # the engine takes an empty field too many
        return None
    # the engine would read 1_000 as a number
    score = "VARCHAR" if has_underscore else "DOUBLE"
    if is_header:
        if len(set(names)) < len(names) or not all(names) or any(name != name.strip() for name in names):
            return None
        kinds = {name: score if name == TABLES[format_].score and not is_key else "VARCHAR" for name in names}
        label = TABLES[format_].label
        row = (first_lines(path, 2)[1:] or [""])[0].split(delimiter)
        word = row[names.index(label)] if label in names and len(row) == len(names) else None
        made = _table_of(kinds, text_source(path, kinds, delimiter, skip=1), format_, is_key, word)
        if made is not None:
            made.has_blanks = has_blank
    else:
        fields = line_form(format_, len(names), is_key=is_key)
        if fields is None or not all(names):
            return None
        kinds = {f"c{number}": score if name == SCORE else "VARCHAR" for number, name in enumerate(fields)}
        made = _Made(text_source(path, kinds, delimiter), {}, {}, has_blanks=False)
        for (column, kind), name in zip(kinds.items(), fields, strict=True):
            if name in _TYPES:
                value = _value(name, f"given.{column}", kind, LABELS[format_])
                if value is None:
                    return None
                made.values[name] = value
            elif name:
                made.attributes[name] = f"given.{column}"
    return made, int(is_header)


def _table_of(types: dict[str, str], source: str, format_: str, is_key: bool, label: object) -> _Made | None:
    """Return how the rows of a table with columns of these types are selected; None if a column is missing or unknown,
    or has a type that only the reader accepts.

    Args:
        label: of the first row: the others have words of the same pair.
    """
    form, ids = TABLES[format_], chosen_ids(list(types), format_)
    if ids is None or (form.label if is_key else form.score) not in types:
        return None
    wanted = {**ids, form.label if is_key else form.score: LABEL if is_key else SCORE}
    attributes = attribute_names(list(types), format_) if is_key else []
    if not is_key:
        wanted |= {name: name for name in form.others if name in types} | (
            {form.label: LABEL} if form.label in types else {}
        )
        if set(types) - wanted.keys():
            return None
    if not all(map(is_attribute_name, attributes)):
        return None
    made = _Made(source, {}, {}, has_blanks=True)
    for name, role in wanted.items():
        value = _value(role, f"given.{sql_identifier(name)}", types[name], words_of_pair(format_, label))
        if value is None:
            return None
        made.values[role] = value
    for name in attributes:
        value = id_sql(f"given.{sql_identifier(name)}", types[name])
        if value is None:
            return None
        made.attributes[name] = value
    return made


def _value(role: str, value: str, type_: str, labels: Mapping[str, bool]) -> str | None:
    """Return the SQL of a value from a column (its name, its type); None if only the reader can convert it."""
    if role in IDS or role == RUN:
        return id_sql(value, type_)
    return number_sql(value, type_) if role == SCORE else word_sql(value, type_, labels if role == LABEL else FLAGS)
