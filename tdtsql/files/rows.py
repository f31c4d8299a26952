"""Rows of files to a temporary table of checked values: SQL finds, checks and converts every value, of sound and broken
files alike.

A **form** says what the fields of a format are. A **part** is a relation of rows (file, line, line_text, and what the
SQL of its cells reads): lines that SQL splits (`line_part`), tables with a header (`tdtsql.files.table`), columns of
Parquet files and data frames (`cell_part`). `scan` makes one table of the parts of a call, with all columns of the
form (NULL where a file has none), and words what is wrong from the invalid rows. Their location, line and column,
is computed for them alone.

To declare a format, write a `Form`; for what rows of a file contradict each other, a file ``sql/load/FOLDER/E123.sql``
(`tdtsql.files.checks`) which the form names.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier, sql_literal
from tdtsql.errors import KEPT_OF_A_CODE, KEPT_WARNINGS, Problems, counted
from tdtsql.files.checks import Finding, findings, select
from tdtsql.files.find import Inputs
from tdtsql.files.kinds import NO_TEXT, TEXT, Kind, value_sql
from tdtsql.files.lines import Text, lines, report, texts_on
from tdtsql.files.quotes import Broken, read_record
from tdtsql.files.text import fields_with_columns

#: fields are separated by blanks
BLANKS = ""

#: what says that there is none
_NONE = ("-", "nan", "-nan", "na", "n/a", "none", "null")


def first_wrong(text: str, width: int) -> tuple[int, str]:
    """Return column and text of the first field too many, or of the last one."""
    fields = fields_with_columns(text)
    return fields[min(width, len(fields) - 1)]


def line_end(text: str, width: int) -> tuple[int, str]:
    """Return the column of the first field too many, or of the line's end, and the line."""
    fields = fields_with_columns(text)
    return fields[width][0] if width < len(fields) else len(text.rstrip()) + 1, text.strip()


def whole_line(text: str, width: int) -> tuple[int, str]:
    """Return column and text of a line that is reported as a whole."""
    return 1, text


@dataclass(frozen=True, slots=True)
class Form:
    """A format of rows."""

    name: str  #: of what its rows are; in messages, and of the kind of file that is registered
    fields: Mapping[str, Kind | None]  #: field -> its kind; None: any text
    #: fields that may be empty; a table need not have their columns, nor those of `absent`
    optional: Collection[str] = ()
    absent: Collection[str] = ()
    separator: str = BLANKS
    cells: Sequence[int] = ()  #: the cell of each field in a line, from 0; by default each has its own, in this order
    n_cell: int = 0  #: of a line; by default one for each field
    words: str = "words"  #: macro that splits a line between blanks
    comment: str = ""  #: begins what is left out of a line
    #: begins lines that are left out, with a warning where one may hold an id (W008)
    comment_line: str = ""
    #: code, message and advice on a line of another number of fields; names {found} and {width}
    width: tuple[str, str, str] = (
        "E304",
        "{found}, expected {width} as in the header",
        "Correct the row: quote a field that contains the separator, and write decimals with a point.",
    )
    #: column and value of what is wrong with such a line
    width_at: Callable[[str, int], tuple[int, str]] = whole_line
    key: Collection[str] = ()  #: fields that together occur once in a file
    #: code (empty: not reported), message and advice on a row whose key was there before; names {earlier}, {key}
    repeated: tuple[str, str, str] = ("E314", "duplicate key ({key}), first on {earlier}", "Remove one of the rows.")
    repeated_at: str | None = None  #: the field whose column is reported; None: none
    checks: Collection[str] = ()  #: further checks of the table, below ``sql/load``
    most: float = math.inf  #: problems of a field and file that are reported one by one
    needs_rows: bool = False  #: a table without rows is an error (E318)
    is_checked: bool = False  #: its checks say what is wrong with values, too
    has_others: bool = False  #: a table may have other columns, which are not read
    naming: str = ""  #: advice on columns that are not those of the form
    columns: Mapping[str, str] = field(default_factory=dict)  #: field -> its name in messages, where it has another
    #: path, problems -> columns (a mapping or an Arrow table) with ``line``, of files that are not delimited
    read: Callable[[Path, Problems], Any] | None = None

    @property
    def kind(self) -> str:
        """What its files are registered as."""
        return self.name if self.separator == BLANKS else f"tidy {self.name}"

    @property
    def table(self) -> str:
        """The temporary table of its rows."""
        return f"read_{self.name.replace(' ', '_')}"


@dataclass(slots=True)
class Part:
    """Rows of files that have the same fields in the same order."""

    sql: str  #: after FROM: file, line, line_text (NULL: no text), and what the cells read
    cells: Mapping[str, str]  #: field -> SQL of its text
    cell_list: str  #: SQL of all cells, in the order of the file
    numbers: Mapping[str, int]  #: field -> number of its cell in a row, from 0
    n_cell: int
    files: Mapping[int, Problems]  #: its files, and what is wrong with them
    texts: Mapping[int, Text] = field(default_factory=dict)  #: those that are texts
    separator: str | None = BLANKS  #: None: fields have no columns in their line
    mistyped: Collection[str] = ()  #: fields whose column has a misspelt name: nothing follows from their absence
    floats: Collection[str] = ()  #: ids whose column holds floating-point numbers, which is reported once

    @property
    def width(self) -> int | None:
        """The number of fields; None: columns always have as many."""
        return self.n_cell if self.texts and self.separator is not None else None

    def renamed(self, fields: Mapping[str, str]) -> "Part":
        """Return it with some columns under the names of fields: field -> column."""
        self.numbers = {name: self.numbers[column] for name, column in fields.items()}
        self.cells = {name: self.cells[column] for name, column in fields.items()}
        self.floats = {name for name, column in fields.items() if column in self.floats}
        return self

    def column(self, text: str | None, name: str) -> tuple[int, int | None]:
        """Return (lines after the first, column) of a field of a row."""
        if text is None or self.separator is None:
            return 0, None
        return field_at(text, self.separator, self.numbers[name])


def cell_part(
    file: int, problems: Problems, relation: str, cells: Mapping[str, str], text: Text | None = None, **more: Any
) -> Part:
    """Return the rows of a relation (line, and columns of texts) of what has no delimiters: JSON, Parquet, a frame.

    Args:
        cells: name -> column.
        text: that of the file, if it is one.
    """
    return Part(
        f"(select {file} as file, cast(null as varchar) as line_text, * from {relation})",
        cells,
        f"[{', '.join(cells.values())}]",
        {name: number for number, name in enumerate(cells)},
        len(cells),
        {file: problems},
        {file: text} if text else {},
        separator=None,
        **more,
    )


def report_floats(problems: Problems, name: str, kind: Kind, n_float: int, line: int, value: float) -> None:
    """Report a column of ids that holds floating-point numbers, the first of them in a line."""
    said = f"{name} is a column of floating-point numbers ({counted(n_float, 'value')}), expected text or whole numbers"
    advice = "Convert the column; pandas turns whole numbers with gaps into floating-point numbers."
    problems.add(kind.code, said, advice, line, None, value)


def split_part(texts: Sequence[Text], sql: str, numbers: Mapping[str, int], n_cell: int, separator: str) -> Part:
    """Return the rows of a relation (file, line, line_text, f: the fields of the line) of texts.

    Args:
        numbers: field -> its number, from 0.
    """
    return Part(
        sql,
        {name: f"f[{number + 1}]" for name, number in numbers.items()},
        "f",
        numbers,
        n_cell,
        {text.file: text.problems for text in texts},
        {text.file: text for text in texts},
        separator,
    )


def field_at(text: str, separator: str, number: int) -> tuple[int, int]:
    """Return (lines after the first, column from 1) of a field, by its number from 0."""
    if separator == BLANKS:
        return 0, fields_with_columns(text)[number][0]
    if '"' in text:
        rows = text.split("\n")
        record = read_record(1, rows[0], len(rows), lambda line: rows[line - 1], separator)
        if not isinstance(record, Broken):
            return record.starts[number]
    return 0, sum(len(part) + 1 for part in text.split(separator)[:number]) + 1


def line_part(
    engine: Engine, texts: Sequence[Text], form: Form, numbers: Mapping[str, int] | None = None, n_cell: int = 0
) -> Part:
    """Return the lines of texts, behind those that each skips, as rows of the fields of a form.

    Args:
        numbers, n_cell: field -> number of its cell, from 0, and how many cells a line has; by default those of the
            form.
    """
    numbers = numbers or dict(zip(form.fields, form.cells or range(len(form.fields)), strict=True))
    all_lines = lines(engine, texts)
    said, where = "text", f"not {value_sql('is_blank', 'said')}"
    if form.comment and any(text.has(form.comment) for text in texts):
        said = f"split_part(text, {sql_literal(form.comment)}, 1)"
    if form.comment_line and any(text.has(form.comment_line) for text in texts):
        _report_comments(engine, texts, all_lines)
        where += f" and not starts_with({value_sql('stripped', 'said')}, {sql_literal(form.comment_line)})"
    is_quick = form.words == "words" and all(text.lines is None and text.digest.has_blanks_only for text in texts)
    words = value_sql("plain_words" if is_quick else form.words, "said")
    split = f"string_split(said, {sql_literal(form.separator)})"
    sql = f"""(
        select file, line, said as line_text, {words if form.separator == BLANKS else split} as f
        from (select file, line, {said} as said from {all_lines}) where {where})"""
    return split_part(texts, sql, numbers, n_cell or form.n_cell or len(numbers), form.separator)


def _report_comments(engine: Engine, texts: Sequence[Text], all_lines: str) -> None:
    """Warn of lines that begin with ``#`` and a letter or a digit: they may be ids (W008)."""
    said = value_sql("stripped", "text")
    for file, n, line, first in engine.rows(f"""
            select file, count(*), min(line), arg_min({said}, line) from {all_lines}
            where contains(text, '#') and regexp_matches({said}, '^#[\\p{{L}}\\p{{N}}]')
                and not regexp_matches(text, '^#\\s*begin document') group by file"""):
        many = "line begins with # and is" if n == 1 else "lines begin with # and are"
        problems = next(text.problems for text in texts if text.file == file)
        problems.add("W008", f"{n} {many} skipped as comments", "If these are ids, rename them.", line, 1, first)


@dataclass(slots=True)
class Rows:
    """The checked rows of files, in a temporary table: file, line, and the fields of a form."""

    engine: Engine
    form: Form
    parts: Sequence[Part]
    table: str

    def keep(self, inputs: Inputs) -> str:
        """Rename the table, so that other files of the form can be read; return it. It is dropped when
        the rows of the owner are stored.
        """
        self.table = self.engine.unused_name(self.form.table)
        self.engine.execute(f"alter table {self.form.table} rename to {self.table}")
        inputs.tables.append(self.table)
        return self.table

    @property
    def paths(self) -> list[str]:
        """The names of the files, by their numbers; of one that could not be read an empty one."""
        names = {file: problems.path for part in self.parts for file, problems in part.files.items()}
        return [names.get(file, "") for file in range(max(names, default=-1) + 1)]

    def part_of(self, file: int) -> Part:
        """Return the part that a file is in."""
        return next(part for part in self.parts if file in part.files)

    def add(self, some: Collection[Finding]) -> None:
        """Report findings as problems of their files."""
        wanted = {(found.file, found.line) for found in some if found.field and found.line is not None}
        parts = [part for part in self.parts if part.texts and any(file in part.files for file, _ in wanted)]
        relation = " union all ".join(f"select file, line, line_text as text from {part.sql}" for part in parts)
        on = texts_on(self.engine, relation and f"({relation})", wanted)
        for found in some:
            part, line, column = self.part_of(found.file), found.line, found.column
            text = on.get((found.file, found.line or 0))
            if line is not None and text is not None and found.field in part.numbers:
                below, column = part.column(text, found.field)
                line += below
            part.files[found.file].add(found.code, found.message, found.advice, line, column, found.value, n=found.n)

    def check(self, name: str, parameters: dict[str, Any] | None = None) -> None:
        """Report the rows that break a check."""
        bits = {f"bit_{field}": 2 << number for number, field in enumerate(self.form.fields)}
        self.add(findings(self.engine, name, {"form": self.table, **bits, **(parameters or {})}, self.unit))

    def unit(self, file: int) -> str:
        """Return what the rows of a file are counted in."""
        return "line" if self.part_of(file).texts else "row"


def scan(engine: Engine, form: Form, parts: Sequence[Part], parameters: dict[str, Any] | None = None) -> Rows:
    """Make the temporary table of a form (file, line, fields) of the sound rows of parts, of each key the first, and
    report what is wrong to the problems of the files.

    A row is left out if a field that must be there is not valid; its order is that of the files and their lines.

    Args:
        parameters: of the checks of the form.
    """
    rows, table = Rows(engine, form, parts, form.table), form.table
    selects = [_select(form, number, part) for number, part in enumerate(parts)] or [_empty(form)]
    engine.execute(f"create or replace temp table {table} as {' union all by name '.join(selects)}")
    is_reported = "invalid > 0 or infinite > 0" if _has_infinite(form) else "invalid > 0"
    key = _key(rows)
    listed = ", ".join(["file", *map(sql_identifier, key)])
    n_twice = f"count(*) - count(distinct hash({listed}))" if key else "0"
    [[n_reported, n_lost, n_twice]] = engine.rows(
        f"select count(*) filter ({is_reported}), count(*) filter (invalid & {_mask(form)} > 0), {n_twice} from {table}"
    )
    if n_reported and not form.is_checked:
        _report_invalid(rows, is_reported)
    if n_lost and not form.is_checked:
        engine.execute(f"delete from {table} where invalid & 1 > 0")
    for name in form.checks:
        rows.check(name, parameters)
    twice = _report_repeated(rows, key) if n_twice else ""
    needed = {name for name in form.fields if name not in form.absent}
    broken = [number for number, part in enumerate(parts) if not needed <= part.cells.keys()]  # was reported
    lost = [f"invalid & {_mask(form)} > 0"] * bool(n_lost) + [f"part in ({', '.join(map(str, broken))})"] * bool(broken)
    if lost or twice:
        engine.execute(f"delete from {table} where {' or '.join([*lost, twice] if twice else lost)}")
    return rows


def _mask(form: Form) -> int:
    """Return the bits of ``invalid`` of rows that are left out."""
    bits = {name: 2 << number for number, name in enumerate(form.fields)}
    return 1 + sum(bit for name, bit in bits.items() if name not in form.optional)


def _is_never_wrong(form: Form, name: str) -> bool:
    """Return whether a field is a text that may be empty, such as an attribute: it has no bit in ``invalid``."""
    return form.fields[name] is TEXT and name in form.optional


def _select(form: Form, number: int, part: Part) -> str:
    """Return a query of the rows of a part: file, line, the values, and what is wrong (bits of ``invalid``: the width,
    then the fields; of ``infinite``, where it is reported: the fields).
    """
    values, wrong, infinite, names = [], [], [], []
    if part.width is not None:
        wrong.append(f"cast(len({part.cell_list}) <> {part.width} as bigint)")
    for place, (name, kind) in enumerate(form.fields.items()):
        own, cell = sql_identifier(name), part.cells.get(name)
        names.append(own)
        if cell is None:
            values.append(f"cast(null as {kind.type if kind else 'varchar'}) as {own}")
            if name in part.mistyped:
                wrong.append(str(2 << place))
            continue
        values.append(f"{value_sql(kind.macro, cell) if kind else cell} as {own}")
        if kind and not _is_never_wrong(form, name):
            empty = f" and not {value_sql('is_blank', cell)}" if name in form.optional else ""
            wrong.append(f"{2 << place} * cast({own} is null{empty} as bigint)")
            if kind.infinite:
                is_infinite = f"coalesce(abs({own}) >= 1.7976931348623157e308 and not isnan({own}), false)"
                infinite.append(f"{2 << place} * cast({is_infinite} as bigint)")
                most = f"if({own} > 0, cast({kind.most} as double), -cast({kind.most} as double))"
                names[-1] = f"if(infinite & {2 << place} > 0, {most}, {own}) as {own}"
    names += ["invalid", *["infinite"] * _has_infinite(form), f"{number} as part"]
    read = ""
    if form.is_checked:  # its checks show them; else they would take more room than the values
        read = "".join(
            f", case when invalid > 0 or infinite > 0 then {value} end as {name}"
            for name, value in (("line_text", "line_text"), ("cells", part.cell_list))
        )
    return f"""
        select file, line, {", ".join(names)}{read}
        from (
            select *, {" + ".join(wrong) or "0"} as invalid, {" + ".join(infinite) or "0"} as infinite
            from (select *, {", ".join(values)} from {part.sql}))"""


def _has_infinite(form: Form) -> bool:
    """Return whether an infinite number is reported, or may be."""
    return form.is_checked or any(kind and kind.infinite for kind in form.fields.values())


def _empty(form: Form) -> str:
    values = [
        f"cast(null as {kind.type if kind else 'varchar'}) as {sql_identifier(name)}, "
        for name, kind in form.fields.items()
    ]
    return f"""
        select cast(null as integer) as file, cast(null as bigint) as line, {"".join(values)}
            cast(0 as bigint) as invalid, cast(0 as bigint) as infinite, 0 as part, cast(null as varchar) as line_text,
            cast(null as varchar[]) as cells
        limit 0"""


def _first_and_last(rows: str, alike: str, most: str) -> str:
    """Return SQL of the first rows of those alike (SQL of a number), and of the last, which has in ``n`` how many it
    represents.
    """
    return f"""(
        select * exclude (place, n_alike), if(place > {most}, n_alike - {most}, 1) as n
        from (
            select *, row_number() over (partition by {alike} order by line) as place,
                count(*) over (partition by {alike}) as n_alike
            from {rows})
        where place <= {most} or place = n_alike)"""


def _report_invalid(rows: Rows, is_reported: str) -> None:
    """Report invalid rows, in the order of their lines. Of the rows of a file with the same invalid fields the first
    are read again, and the last, which represents the others.
    """
    engine, form = rows.engine, rows.form
    infinite = "infinite" if _has_infinite(form) else "0 as infinite"
    most = f"(if(infinite > 0, {KEPT_WARNINGS}, {int(min(form.most, KEPT_OF_A_CODE))}) + 1)"
    selects, fields = [], []
    of_width = Kind("", *form.width[:2], advice=form.width[2])
    for number in engine.column(f"select distinct part from {rows.table} where {is_reported} order by 1"):
        part = rows.parts[number]
        where = f"part = {number} and ({is_reported})"
        odd = f"(select file, line, invalid, {infinite}, part from {rows.table} where {where})"
        said = f"(select file, line, line_text, {part.cell_list} as cells from {part.sql})"
        selects.append(
            f"select * from {_first_and_last(odd, 'file, invalid, infinite', most)} join {said} using (file, line)"
        )
        for place, (name, kind) in enumerate({"": of_width, **form.fields}.items()):
            if kind is None or name and _is_never_wrong(form, name):
                continue
            if not name or name in part.numbers and not (kind.is_id and name in part.floats):
                own = {"part": number, "bit": 1 << place, "name": name, "shown": form.columns.get(name, name)}
                fields.append({**kind._asdict(), **own, "cell": part.numbers.get(name, -1) + 1})
    engine.execute(f"create or replace temp table invalid_row as {' union all '.join(selects)}")
    for row in select(engine, "rows/invalid", {"fields": fields, "most": form.most, "none": _NONE, "no_text": NO_TEXT}):
        part, text, line, message = rows.parts[row["part"]], row["line_text"], row["line"], row["message"]
        if row["name"]:
            below, column = part.column(text, row["name"])
            at = line + below, column, row["value"]
        elif row["is_more"]:
            at = line, 1, None
        else:
            message = message.format(found=counted(row["n_cell"]), width=part.width)
            at = line, *form.width_at(text.split("\n")[0], part.width or 0)
        part.files[row["file"]].add(row["code"], message, row["advice"], *at, n=row["n"])
    engine.execute("drop table invalid_row")


def _key(rows: Rows) -> list[str]:
    """Return the fields that tell the rows apart; none where they cannot be compared."""
    form, present = rows.form, {name for part in rows.parts for name in part.cells}
    key = [name for name in form.key if name in present]
    mistyped = {name for part in rows.parts for name in part.mistyped}
    if mistyped & set(form.key) or len(key) < len([name for name in form.key if name not in form.absent]):
        return []
    return key


def _report_repeated(rows: Rows, key: Sequence[str]) -> str:
    """Report the rows whose key was there before in their file; return SQL of them."""
    form, table = rows.form, rows.table
    listed = ", ".join(["file", *map(sql_identifier, key)])
    bits = [2 << number for number, name in enumerate(form.fields) if name in key]
    valid = f"invalid & {sum(bits)} = 0 and coalesce({', '.join(map(sql_identifier, key))}) is not null"
    code, message, advice = form.repeated
    most = str((KEPT_WARNINGS if code.startswith("W") else KEPT_OF_A_CODE) + 1)
    said = ", ".join(f"coalesce({sql_identifier(name)}, '')" for name in key)
    twice = f"""(
        select file, line, earlier, concat_ws(' ', {said}) as value
        from (select *, min(line) over (partition by {listed}) as earlier from {table} where {valid})
        where line > earlier)"""
    found = [
        Finding(
            code,
            file,
            line,
            form.repeated_at or "",
            message.format(earlier=f"{rows.unit(file)} {earlier}", key=", ".join(key)),
            advice,
            value,
            n=n,
        )
        for file, line, earlier, value, n in rows.engine.rows(
            f"select * from {_first_and_last(twice, 'file', most)} order by file, line"
        )
    ]
    rows.add(found if code else [])
    first = f"select (file, min(line)) from {table} where {valid} group by {listed}"
    return f"{valid} and (file, line) not in ({first})"


def finish(inputs: Inputs, rows: Rows, kind: str) -> Rows:
    """Keep what was found in the files of rows, and that they were read as a kind of file."""
    for part in rows.parts:
        for file, problems in part.files.items():
            if file in part.texts:
                report(inputs, problems, part.texts[file].digest, kind)
            else:
                inputs.problems += sorted(problems.found, key=lambda problem: problem.line or 0)
    return rows


def scan_lines(engine: Engine, texts: Sequence[Text], form: Form) -> Rows:
    """Return the sound lines of opened texts, in the temporary table of a form."""
    return scan(engine, form, [line_part(engine, texts, form)] if texts else [])
