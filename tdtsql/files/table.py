"""Tables with a header: CSV and TSV files, Parquet files, columns given in Python. One row per thing, columns found by
their names, in any order.

Code   Meaning
E300   an unclosed quotation mark
E301   a required column is missing
E302   a column that the form does not have
E303   a duplicate column
E304   a row with too few or too many fields
E305   an empty value where one is required
E306   an id that is not text or a whole number, or that has blanks around it
E318   a table without rows that needs some
E319   columns separated by another character than expected
E320   JSON or markup where a table is expected
"""

import difflib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import duckdb

from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import parquet_source, sql_identifier, sql_literal
from tdtsql.errors import Problems, not_none, truncate
from tdtsql.files.find import Inputs
from tdtsql.files.frame import Frame, read_by_engine
from tdtsql.files.json_lines import (
    Records,
    check_keys,
    flat,
    is_json_lines,
    json_objects,
    record_part,
    value_part,
)
from tdtsql.files.kinds import Kind, value_sql
from tdtsql.files.lines import Source, Text, lines, open_text, report
from tdtsql.files.quotes import Broken, read_record, records
from tdtsql.files.rows import (
    BLANKS,
    Form,
    Part,
    Rows,
    cell_part,
    finish,
    line_part,
    report_floats,
    scan,
    split_part,
)

#: maximum columns that are reported one by one
MOST_COLUMNS = 20

#: (line, column) of each name of the columns; None if the table is not text
Places = Sequence[tuple[int | None, int | None]]


def is_parquet(given: str) -> bool:
    return given.removesuffix(".gz").endswith(".parquet")


def delimiter_of(given: str) -> str:
    """Return what separates the columns of a tidy text file."""
    return "\t" if given.removesuffix(".gz").endswith((".tsv", ".tab")) else ","


@dataclass(slots=True)
class Columns:
    """A file whose columns have names: a table of text, JSON lines, a Parquet file, or columns given in Python."""

    engine: Engine
    file: int  #: its number among the files of a call
    problems: Problems
    frame: Frame | None = None  #: of columns that have types
    names: list[str] = field(default_factory=list)
    places: Places = ()  #: of the names
    line: int | None = None  #: of the names; None where they are in none
    types: Mapping[str, str] = field(default_factory=dict)  #: those of columns that have some
    text: Text | None = None
    delimiter: str = ""
    records: Records = ()  #: of JSON lines

    @property
    def is_delimited(self) -> bool:
        """Whether it is a text with a header."""
        return self.text is not None and not self.records

    def part(
        self,
        kinds: Mapping[str, Kind | None],
        columns: Mapping[str, str] | None = None,
        *,
        has_same_keys: bool = False,
    ) -> Part:
        """Return the rows; the line is the number of the row, from 1, without a text.

        Args:
            kinds: those of fields.
            columns: field -> its column; by default they have the same names.
            has_same_keys: all objects of JSON lines must have the same keys of the form.
        """
        if columns is not None:
            kinds = {column: kinds.get(name) for name, column in columns.items()}
        if self.text is None:
            return _frame_part(self.engine, not_none(self.frame), self.types, self.file, kinds, self.problems)
        if self.is_delimited:
            return text_part(self.engine, [self.text], self.names, self.delimiter)
        records = check_keys(kinds, self.text, self.records) if has_same_keys else self.records
        return record_part(self.engine, self.text, records, kinds)

    def leave(self, inputs: Inputs, kind: str) -> None:
        """Keep what is wrong with a file whose rows are not read."""
        if self.text is None:
            inputs.problems += self.problems.found
        else:
            report(inputs, self.problems, self.text.digest, kind)


def open_columns(
    engine: Engine,
    inputs: Inputs,
    file: int,
    given: str,
    source: Any,
    kind: str,
    *,
    delimiter: str = "",
    is_json: Callable[[str, Any], bool] = is_json_lines,
    code: str = "E901",
) -> Columns | None:
    """Return the columns of a file, which is registered as ``kind``; None after reporting why it has none.

    Args:
        delimiter: of a text; by default as its name says.
        is_json: whether a text (name, path) is JSON lines; by default as its name says.
        code: of a line that is not a JSON object.
    """
    if has_columns(given, source):
        found = Columns(engine, file, Problems(given))
        if isinstance(source, Frame):
            found.frame = source
        else:
            inputs.note_digest(inputs.digest(given, source, kind), given, kind, 0)
            found.frame = _parquet_frame(engine, source, found.problems)
        found.types = found.frame.types() if found.frame else {}
        found.names, found.places = list(found.types), [(None, None)] * len(found.types)
        is_read = found.frame is not None
    elif text := open_text(inputs, file, given, source, kind):
        found = Columns(engine, file, text.problems, text=text, delimiter=delimiter or delimiter_of(given))
        if is_json(given, source):
            found.records = [(line, flat(record)) for line, record in json_objects(text, code)]
            first: dict[str, int] = {}
            for line, record in found.records:
                for name in record:
                    first.setdefault(name, line)
            found.names, found.places = list(first), [(line, None) for line in first.values()]
            found.line = found.records[0][0] if found.records else None
        else:
            found.names = header_of(text, found.delimiter)
            found.places, found.line = text.places, text.header_line
        is_read = bool(found.names)
    else:
        return None
    if not is_read:
        found.leave(inputs, kind)
    return found if is_read else None


def read_parts(
    engine: Engine,
    inputs: Inputs,
    files: Sequence[Source],
    kind: str,
    of_columns: Callable[[Columns], Part | None],
    of_lines: Callable[[Text], Part | None],
    are_lines: Callable[[str], bool],
    **how: Any,
) -> Iterator[Part]:
    """Yield what two functions make of files with columns, and of texts that are lines of fields: a part, or None after
    reporting to the problems of the file why it has no rows.

    Args:
        kind: what the files are registered as.
        are_lines: whether a text of a name is lines of fields.
        how: as `open_columns`.
    """
    for file, (given, source) in enumerate(files):
        part: Part | None
        if not has_columns(given, source) and are_lines(given):
            if text := open_text(inputs, file, given, source, kind):
                if part := of_lines(text):
                    yield part
                else:
                    report(inputs, text.problems, text.digest, kind)
        elif columns := open_columns(engine, inputs, file, given, source, kind, **how):
            if part := of_columns(columns):
                yield part
            else:
                columns.leave(inputs, kind)


def reading(files: Sequence[Source]) -> AbstractContextManager:
    """Return what reads files in a block: UnreadableColumns is raised if the engine cannot read columns of Python."""
    return read_by_engine() if any(isinstance(source, Frame) for _, source in files) else nullcontext()


def read_table(engine: Engine, inputs: Inputs, form: Form, files: Sequence[Source], kind: str = "", **how: Any) -> Rows:
    """Return the sound rows of files in the temporary table of a form, see `tdtsql.files.rows.scan`; every problem
    goes to ``inputs``. What a table is, its name says (.csv, .tsv, .tab, .parquet, .jsonl, .ndjson; text also with
    .gz); forms without a separator are lines of fields between blanks.

    Args:
        kind: what the files are registered as; by default that of the form.
        how: as `open_columns`.
    """
    kind, parts = kind or form.kind, []
    plain: list[Text] = []
    alike: dict[tuple, list[Text]] = {}  #: delimiter, header, and what is mistyped in it -> texts
    for file, (given, source) in enumerate(files):
        is_text = not has_columns(given, source)
        if is_text and form.read is not None:
            parts.append(_made_rows(engine, inputs, form, file, given, source, kind))
        elif is_text and form.separator == BLANKS:
            if text := open_text(inputs, file, given, source, kind):
                plain.append(text)
        elif columns := open_columns(engine, inputs, file, given, source, kind, **how):
            mistyped = _check_columns(form, columns)
            if columns.is_delimited:
                same = columns.delimiter, (*columns.names,), mistyped
                alike.setdefault(same, []).append(not_none(columns.text))
            else:
                parts.append(replace(columns.part(form.fields, has_same_keys=True), mistyped=mistyped))
    for (delimiter, names, mistyped), texts in alike.items():
        parts.append(replace(text_part(engine, texts, names, delimiter), mistyped=mistyped))
    if plain:
        parts.append(line_part(engine, plain, form))
    with reading(files):
        rows = scan(engine, form, parts)
    if form.needs_rows:
        _report_empty(rows)
    return finish(inputs, rows, kind)


def _made_rows(engine: Engine, inputs: Inputs, form: Form, file: int, given: str, source: Any, kind: str) -> Part:
    """Return what the function of a form makes of a file as rows."""
    text = Text(file, given, source, inputs.digest(given, source, kind), Problems(given))
    found = form.read(source, text.problems) if form.read else {}
    columns = found.to_pydict() if hasattr(found, "to_pydict") else dict(found)
    return value_part(engine, file, text.problems, columns.pop("line", []), columns, form.fields, text)


def empty_files(rows: Rows) -> Iterator[tuple[int, Problems, Part]]:
    """Yield the files that have no row, and no error that says why, with their part."""
    filled = set(rows.engine.column(f"select distinct file from {rows.table}"))
    for part in rows.parts:
        for file, problems in part.files.items():
            if file not in filled and not problems.errors:
                yield file, problems, part


def _report_empty(rows: Rows) -> None:
    """Report files without rows (E318)."""
    for file, problems, part in empty_files(rows):
        line = part.texts[file].header_line if file in part.texts else None
        said = f"no rows{'' if line is None else ' below the header'}, expected at least one of {rows.form.name}"
        problems.add("E318", said, "Complete the table.", line, None if line is None else 1)


# ---- headers


def header_of(text: Text, delimiter: str) -> list[str]:
    """Return the names of the columns of a table; none after reporting why it is not a table, also where its first
    line is not UTF-8 (E003).
    """
    if any(problem.code == "E003" and problem.line == 1 for problem in text.problems.found):
        return []
    head = list(islice(((line, said) for line, said in text.head() if said and not said.isspace()), 2))
    if not head:
        return []
    line, first = head[0]
    if _is_no_table(line, first, delimiter, text.problems):
        return []
    if len(head) > 1 and first.startswith("#") and first.count(delimiter) != head[1][1].count(delimiter):
        advice = "Remove the line: tables have no comments."
        text.problems.add("E301", "a comment, expected the header", advice, line, 1, first)
        return []
    below = dict(islice(text.head(), line + 100)) if '"' in first else {line: first}
    record = read_record(line, first, max(below), lambda number: below.get(number, ""), delimiter)
    text.header_line = line
    if isinstance(record, Broken):
        advice = "Quote the whole field and double the quotes inside it."
        text.problems.add("E300", record.what, advice, record.line, record.column, record.value)
        return []
    text.skip = record.last
    text.places = [(line + more, column) for more, column in record.starts]
    return [name.strip() for name in record.fields]


#: how JSON and markup begin
_NO_TABLE = re.compile(r"""[{\[]\s*($|["{\[\]}])|<[a-zA-Z!?]""")


def _is_no_table(line: int, header: str, delimiter: str, problems: Problems) -> bool:
    """Return whether the first line shows that a file is not a table with this delimiter; reports what it is."""
    text = header.strip()
    if _NO_TABLE.match(text):
        kind = "markup (HTML or XML)" if text[0] == "<" else "JSON"
        advice = "Convert it to CSV; a file of one JSON object a line is called .jsonl."
        problems.add("E320", f"the file is {kind}, expected a table with a header", advice, line, 1, text)
        return True
    other = next((letter for letter in ";\t,|" if letter in header), None) if delimiter not in header else None
    if other is None:
        return False
    advice = "Separate the columns by that character, or call the file .csv (commas) or .tsv (tabs)."
    problems.add("E319", f"the separator is {other!r}, expected {delimiter!r}", advice, line, 1, header)
    return True


def _check_columns(form: Form, columns: Columns) -> frozenset[str]:
    """Report columns that the form does not have, twice has, or lacks; return the missing ones that are misspelt."""
    mistyped = check_header(
        columns.names,
        list(form.fields),
        columns.problems,
        columns.places,
        holder=f"{form.name} has",
        advice=form.naming or "Remove it, or rename it.",
        are_others_allowed=form.has_others,
    )
    needed, line = [name for name in form.fields if name not in form.absent], columns.line
    for name in needed:
        if name not in columns.names and name not in mistyped:
            columns.problems.add(
                "E301",
                f"missing column {name}, expected {', '.join(needed)}",
                form.naming or f"Add the column{'' if line is None else ' and its name in the header'}.",
                line,
                None if line is None else 1,
            )
    return frozenset(mistyped)


def check_header(
    names: Sequence[str],
    known: Collection[str],
    problems: Problems,
    places: Places,
    *,
    holder: str,
    advice: str = "Remove it, or rename it.",
    are_others_allowed: bool = False,
    likeness: float = 0.6,
) -> set[str]:
    """Report columns that are not ``known``, unless others are allowed, and duplicate columns; return the missing
    columns that are misspelt.

    ``holder`` is the beginning of a sentence: "a partition has". ``advice`` says what to do with an unknown column,
    unless its name looks like a typing mistake: a likeness (0 to 1, that of difflib) to a known name of at least
    ``likeness``.
    """
    present, allowed = set(names), set(known)
    missing = [name for name in known if name not in present]
    seen: set[str] = set()
    mistyped: set[str] = set()
    n_odd = 0
    for number, name in enumerate(names):
        if name not in allowed and are_others_allowed:
            continue
        is_twice = name in seen
        seen.add(name)
        if name in allowed and not is_twice:
            continue
        n_odd += 1
        if n_odd > MOST_COLUMNS:
            continue
        line, column = places[number]
        if is_twice:
            said, advised = "column occurs twice, expected every name once", "Remove one of the two columns."
            problems.add("E303", said, advised, line, column, name)
            continue
        meant = nearest_name(name, missing, likeness)
        mistyped |= {meant} if meant else set()
        said = f"{holder} no such column, expected {', '.join(known)}"
        problems.add("E302", said, f"Did you mean {meant}?" if meant else advice, line, column, name)
    if n_odd > MOST_COLUMNS:
        said = f"{n_odd - MOST_COLUMNS} more columns that are not known, or occur twice"
        problems.add("E302", said, "Is this the right file?", places[0][0])
    return mistyped


def nearest_name(name: str, known: Collection[str], likeness: float = 0.6) -> str | None:
    """Return the known name that a name may be a typing mistake for."""
    near = difflib.get_close_matches(truncate(name.lower()), {one.lower() for one in known}, 1, likeness)
    return next((one for one in known if near and one.lower() == near[0]), None)


def renaming(lacking: str, names: Collection[str]) -> str:
    """Return advice on a column that a table lacks and may have under a mistyped name; empty without one."""
    near = nearest_name(lacking, names, 0.8)
    return f"Rename {near}, if it is meant." if near else ""


# ---- text


def text_part(engine: Engine, texts: Sequence[Text], names: Sequence[str], delimiter: str) -> Part:
    """Return the rows of texts below their headers."""
    split, all_lines = f"string_split(text, {sql_literal(delimiter)})", lines(engine, texts)
    quoted = [text for text in texts if text.has('"')]
    found = _quoted_rows(engine, quoted, delimiter) if quoted else None
    where, more = f"not {value_sql('is_blank', 'text')}", ""
    if found:
        table, continued = found
        where += " and not contains(text, '\"')"
        more = f" union all select file, line, line_text, string_split(joined, chr(0)) from {table}"
        if continued:
            where += f" and (file, line) not in (select (file, line) from {continued})"
    sql = f"(select file, line, text as line_text, {split} as f from {all_lines} where {where}{more})"
    numbers = {name: number for number, name in reversed([*enumerate(names)])}  # of two columns of a name the first
    return split_part(texts, sql, numbers, len(names), delimiter)


def _quoted_rows(engine: Engine, texts: Sequence[Text], delimiter: str) -> tuple[str, str]:
    """Return a table of the rows with quotes (file, line, line_text, joined: the fields with NUL between), and a table
    of the lines without quotes that are inside such rows (empty: without any).
    """
    rows: list[tuple] = []
    continued: list[tuple[int, int]] = []
    for text in texts:
        own = lines(engine, [text])
        found = engine.rows(f"select line, text from {own} where contains(text, '\"') order by line")
        at = dict(found)

        def text_of(line: int, at: dict = at, own: str = own) -> str:
            if line not in at:  # a line without quotes inside of them: with those after it
                at |= engine.rows(
                    f"select line, coalesce(text, '') from {own} where line between {line} and {line + 5000}"
                )
            return at.get(line) or ""

        last = found[-1][0] if found else 0
        for record in records(found, last, text_of, delimiter, text.problems):
            said = "\n".join(map(text_of, range(record.line, record.last + 1)))
            rows.append((text.file, record.line, said, "\0".join(record.fields)))
            continued += [(text.file, line) for line in range(record.line + 1, record.last + 1)]
    place = "file integer", "line bigint"
    table = engine.make_rows(engine.unused_name("quoted_row"), (*place, "line_text varchar", "joined varchar"), rows)
    return table, engine.make_rows(engine.unused_name("continued_line"), place, continued) if continued else ""


# ---- columns


def has_columns(given: str, source: Any) -> bool:
    """Return whether a source has columns with types: it is given in Python, or a Parquet file."""
    return isinstance(source, Frame) or is_parquet(given)


def parquet_names(path: Any) -> list[str]:
    """Return the names of the columns of a Parquet file; none of a file that is not one."""
    with closing(duckdb.connect(":memory:")) as connection, suppress(duckdb.Error, OSError):
        return [name for name, *_ in connection.execute(f"describe select * from {parquet_source(path)}").fetchall()]
    return []


def _parquet_frame(engine: Engine, path: Any, problems: Problems) -> Frame | None:
    """Return the columns of a Parquet file; None after reporting that it is not one (E005)."""
    try:
        source = parquet_source(path)
        with closing(engine.connection.cursor()) as probe:  # an error on it does not end the store's transaction
            probe.execute(f"select count(*), count(columns(*)) from {source}").fetchall()  # every page is read
    except (duckdb.Error, OSError) as error:
        problems.add("E005", f"not a Parquet file: {first_line(error)}", "Write the file again.")
        return None
    return Frame(engine, source)


_FLOATING = ("DOUBLE", "FLOAT", "DECIMAL")


def _frame_part(
    engine: Engine,
    frame: Frame,
    types: Mapping[str, str],
    file: int,
    kinds: Mapping[str, Kind | None],
    problems: Problems,
) -> Part:
    """Return columns as rows of texts; the line is the number of the row, from 1."""
    source = frame.sql
    if source is None:
        columns = frame.columns()
        n_row = len(next(iter(columns.values()), ()))
        return value_part(engine, file, problems, range(1, n_row + 1), columns, kinds)
    cells = {name: f"cell_{number}" for number, name in enumerate(types)}
    listed = ", ".join(
        f"{_cell(sql_identifier(name), of, kinds.get(name))} as {cells[name]}" for name, of in types.items()
    )
    relation = f"(select row_number() over () as line, {listed} from {source})"
    floats = []
    for name, of in types.items():
        kind = kinds.get(name)
        if kind is not None and kind.is_id and of.startswith(_FLOATING):
            own = sql_identifier(name)
            [(count, row, value)] = engine.rows(
                f"select count(*), min(row), arg_min(value, row) from (select row_number() over () as row, "
                f"cast({own} as double) as value from {source}) where value is not null and not isnan(value)"
            )
            if count:
                report_floats(problems, name, kind, count, row, value)
                floats.append(name)
    return cell_part(file, problems, relation, cells, floats=floats)


def _cell(value: str, of: str, kind: Kind | None) -> str:
    """Return SQL of the text of a value of a column."""
    if of == "VARCHAR":
        return value
    mark = "chr(31) || " if kind and kind.is_id else ""  # other types are not ids
    if of.startswith(_FLOATING):  # NaN is missing but where it is a wrong number
        number, text = f"cast({value} as double)", f"cast(cast({value} as double) as varchar)"
        if kind is not None and kind.type == "bigint":
            is_whole = f"{number} = trunc({number}) and abs({number}) < 1e18"
            text = f"case when {is_whole} then cast(cast({number} as bigint) as varchar) else {text} end"
        nan = "'nan'" if kind is not None and kind.takes_nan else "null"
        return f"case when isnan({number}) then {nan} else {mark}{text} end"
    if of == "TIMESTAMP WITH TIME ZONE":
        return f"cast(make_timestamp(epoch_us({value})) as varchar)"
    is_id = of.endswith(("INT", "INTEGER")) or of.startswith(("ENUM", "UUID"))
    return f"{'' if is_id else mark}cast({value} as varchar)"
