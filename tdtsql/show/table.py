"""Tables: rows for the terminal, CSV, TSV, JSON, Markdown, LaTeX, HTML and notebooks, written by one module.

A `Table` contains values. Programs (CSV, TSV, JSON) get every digit; people (text, Markdown, LaTeX, HTML) get fixed
decimals per column, the best value in bold, and a caption. Ids are untrusted: control characters are escaped
(``\\x1b``), and special characters of LaTeX, Markdown and HTML too. A `RowTable` is a relation of the engine that is
such a table, too.
"""

import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from tdtsql.engine.quoting import sql_identifiers, sql_literal
from tdtsql.errors import MissingPackage, escape_control
from tdtsql.show.rendering import render
from tdtsql.show.values import DECIMALS, SIGNS, fixed, in_words

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Engine, Relation

Row = Sequence[object]

#: metrics of scored trials as columns of a leaderboard, in their order
HEADS = {
    "eer": "EER, %",
    "min_c_det_norm": "minDCF",
    "act_c_det_norm": "actDCF",
    "c_det_norm": "DCF",
    "cllr": "Cllr",
    "min_cllr": "min Cllr",
    "auc": "AUC",
}
#: formats that people read; the others, csv, tsv and json, are read by programs
PEOPLE = ("table", "markdown", "latex")
#: how a cell begins that a spreadsheet calculates
FORMULA = ("=", "+", "-", "@", "\t", "\r")
#: columns that identify the metric of a row, and so its decimals
_KINDS = ("metric", "measure")


@dataclass(frozen=True)
class Cell:
    """A value as people read it."""

    text: str
    bold: bool = False
    marks: tuple[str, ...] = ()
    is_number: bool = False  #: right-aligned


@dataclass(frozen=True)
class Table:
    """Rows with caption and notes. A cell is a value, or a `Cell` that is printed unchanged."""

    columns: Sequence[str]
    rows: Sequence[Row]
    caption: str = ""
    label: str = ""
    signature: str = ""  #: of the table as a whole; in captions on request only
    keep: Collection[str] = ()  #: columns that a narrow terminal never omits
    part: str = ""  #: its name, where a program reads several tables as one
    remarks: Sequence[str] = ()  #: other facts for readers, one sentence each

    def without(self, name: str) -> "Table":
        """Return the table without a column, where it has it."""
        kept = [at for at, column in enumerate(self.columns) if column != name]
        rows = [[row[at] for at in kept] for row in self.rows]
        return replace(self, columns=[self.columns[at] for at in kept], rows=rows)


def typed_columns(text: str) -> dict[str, str]:
    """Return column -> type in SQL, from lines of a type and the columns of it that follow each other."""
    return {name: kind for kind, *names in map(str.split, text.strip().splitlines()) for name in names}


# ---- values


def exact(value: object) -> str:
    """Return a value for another program: the shortest decimals that read back as the same double, nothing for
    NULL.
    """
    if value is None:
        return ""
    return repr(value).removesuffix(".0") if isinstance(value, float) else in_words(value)


def cell_of(part: Mapping[str, Any]) -> Cell:
    """Return a cell from its parts in a statement of ``sql/show``: a text, or a number with its interval, where it has
    one; counts are whole.

    Args:
        part: ``text`` and ``is_number``, or ``metric``, ``value``, ``low``, ``high``, ``is_signed`` and ``percent``
            (times 100; None: an EER alone); ``is_best`` and ``marks``; what is False or None may be missing.
    """
    text, metric, value = part.get("text"), part.get("metric") or "", part.get("value")
    if is_number := text is None:
        is_whole = is_count(metric) and (value is None or value.is_integer())
        percent = metric == "eer" if part.get("percent") is None else part["percent"] and not is_count(metric)
        decimals = 0 if is_whole else DECIMALS - 2 if percent else DECIMALS
        numbers = [
            fixed(None if one is None else one * (100 if percent else 1), decimals, signed=bool(part.get("is_signed")))
            for one in (value, part.get("low"), part.get("high"))
        ]
        has_ends = None not in (part.get("low"), part.get("high"))
        text = numbers[0] + (f" [{', '.join(numbers[1:])}]" if has_ends else "")
    return Cell(
        str(text), bool(part.get("is_best")), tuple(part.get("marks") or ()), is_number or bool(part.get("is_number"))
    )


def tables_of(rows: "Relation", statement: str) -> list[Table]:
    """Return the tables that a statement of ``sql/show`` makes of rows, which it reads as ``result``: one per row, its
    columns those of `Table`, the cells as `cell_of` has them.
    """
    from tdtsql.definitions.catalogue import read_statement  # imported late: most tables need none

    found: Any = rows.query("result", read_statement(f"show/{statement}"))
    answer: list[dict[str, Any]] = [dict(zip(found.columns, values, strict=True)) for values in found.fetchall()]
    return [Table(**row | {"rows": [list(map(cell_of, line)) for line in row["rows"]]}) for row in answer]


def is_count(metric: str) -> bool:
    """Return True for metrics whose numbers are counts."""
    return metric.startswith("n_") or ".n_" in metric or metric == "depth"


def alignment(table: Table) -> str:
    """Return l or r per column: numbers to the right."""

    def is_right(value: object) -> bool:
        return value.is_number if isinstance(value, Cell) else isinstance(value, int | float | Decimal | None)

    sides = ["r" if all(map(is_right, column)) else "l" for column in zip(*table.rows, strict=True)]
    return "".join(sides or "l" * len(table.columns))


# ---- for programs


def csv(rows: Iterable[Row], delimiter: str = ",", *, safe: Callable[[str], str] = str) -> str:
    """Return lines of RFC 4180, with line feeds; NULL is an empty cell.

    Python's csv writer does not quote a carriage return, which readers interpret as the end of a line.

    Args:
        safe: applied to each text.
    """
    special = (delimiter, '"', "\n", "\r")

    def cell(value: object, is_only: bool) -> str:
        text = safe(exact(value))
        if any(letter in text for letter in special) or is_only and not text:
            return '"' + text.replace('"', '""') + '"'
        return text

    return "".join(delimiter.join(cell(value, len(row) == 1) for value in row) + "\n" for row in rows)


def json_objects(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Return rows as JSON objects with commas between them, one per line."""
    n_of: Counter = Counter()
    names = []
    for name in columns:  # an object has each name once: a, a_1, a_2, as DuckDB calls them in a subquery
        while (unique := f"{name}_{n_of[name]}" if n_of[name] else name) in names:
            n_of[name] += 1
        names.append(unique)
    names = [json_value(name) for name in names]
    return ",\n ".join(
        "{" + ", ".join(f"{name}: {json_value(value)}" for name, value in zip(names, row, strict=True)) + "}"
        for row in rows
    )


def json_value(value: object) -> str:
    """Return a value as JSON: 17 significant digits, infinity as a text, NaN as null; control characters as JSON
    escapes.
    """
    if isinstance(value, float):
        return f"{value:.17g}" if math.isfinite(value) else "null" if math.isnan(value) else f'"{value:.17g}"'
    if isinstance(value, Decimal):
        return str(value)
    text = json.dumps(
        value.isoformat() if isinstance(value, date | datetime) else value, default=in_words, ensure_ascii=False
    )
    if escape_control(text) == text:
        return text
    return "".join(letter if escape_control(letter) == letter else f"\\u{ord(letter):04x}" for letter in text)


def formulas(columns: Sequence[str], rows: Iterable[Row]) -> list[str]:
    """Return the texts that a spreadsheet would evaluate as formulas."""
    return [text for row in [columns, *rows] for text in row if isinstance(text, str) and text.startswith(FORMULA)]


# ---- for people


def cells(table: Table) -> list[list[Cell]]:
    """Return every entry as people read it: the doubles of a column (and a metric) with the same decimals, as many as
    they need and at most four; nothing for NULL.
    """
    kind = next((at for at, name in enumerate(table.columns) if name in _KINDS), None)
    decimals: dict[tuple[int, object], int] = defaultdict(int)

    def key(row: Row, at: int) -> tuple[int, object]:
        return at, None if kind is None else row[kind]

    def cell(row: Row, at: int) -> Cell:
        value = row[at]
        if isinstance(value, Cell):
            return value
        if isinstance(value, float):
            return Cell(fixed(value, decimals[key(row, at)]))
        return Cell("" if value is None else in_words(value))

    for row in table.rows:
        for at, value in enumerate(row):
            if isinstance(value, float) and math.isfinite(value):
                more = range(decimals[key(row, at)], DECIMALS)
                decimals[key(row, at)] = next((n for n in more if round(value, n) == value), DECIMALS)
    return [[cell(row, at) for at in range(len(row))] for row in table.rows]


def written(table: Table, form: str, *, signature: bool = False) -> str:
    """Return the table as ``latex`` (a float that needs the package booktabs), ``markdown`` (its caption below) or
    ``html`` without a style sheet, for a notebook (a signature is the tooltip of the caption).

    Args:
        signature: put that of the table into the caption.
    """
    sign = table.signature if signature or form == "html" else ""
    return str(render(f"table.{form}", table=table, cells=cells(table), sides=alignment(table), signature=sign))


def text(
    table: Table, width: int | None = None, *, keep: Collection[str] = (), bold: Callable[[str], str] = str
) -> tuple[str, list[str]]:
    """Return the table as text, and notes on what of it is not in there.

    Args:
        width: of the terminal; columns that do not fit are omitted and listed, and no value is broken; None: no limit.
        keep: columns that are never omitted.
        bold: sets a text in bold.
    """
    names = [escape_control(name) for name in table.columns]
    rows = [
        [
            Cell(_whole(escape_control(cell.text)) + "".join(map(SIGNS.__getitem__, cell.marks)), cell.bold)
            for cell in row
        ]
        for row in cells(table)
    ]
    fits = layout(names, [[cell.text for cell in row] for row in rows], width or sys.maxsize, keep)
    right, lines = alignment(table), []
    head = [Cell(name, bold=True) for name in names]
    groups = [(values, [*of]) for values, of in groupby(rows, lambda row: [row[at].text for at in fits.heading])]
    for number, (values, of) in enumerate(groups or [([], [])]):
        if values:
            lines.append(", ".join(f"{names[at]} {value}" for at, value in zip(fits.heading, values, strict=True)))
        for row in of if number else [head, *of]:
            lines += _wrapped(row, fits.widths, right, bold)
    notes = []
    if fits.constant:
        notes.append(f"In every row: {', '.join(f'{names[at]} {rows[0][at].text}' for at in fits.constant)}.")
    if fits.left_out:
        left_out = ", ".join(names[at] for at in fits.left_out)
        notes.append(f"No room in {width} columns for {left_out}: --format csv has all.")
    return "".join(f"{line}\n" for line in lines).replace(_BLANK, " "), [note.replace(_BLANK, " ") for note in notes]


#: a blank at which no line is broken: a character for private use, which no text has
_BLANK = "\ue000"


def _whole(text: str) -> str:
    """Return a text; that of a number and its interval so that it is never broken."""
    return text.replace(" ", _BLANK) if re.fullmatch(r"[+-]?[\d.]*(e[+-]\d+)? ?\[[^\]]*\]", text) else text


def _wrapped(row: Sequence[Cell], widths: Mapping[int, int], right: str, bold: Callable[[str], str]) -> list[str]:
    """Return a row as lines."""
    lines = []
    for parts in zip_longest(*(_broken(row[at].text, width) for at, width in widths.items()), fillvalue=""):
        line = []
        for part, (at, width) in zip(parts, widths.items(), strict=True):
            blank = " " * (width - cell_len(part))
            styled = bold(part) if row[at].bold and part else part
            line.append(blank + styled if right[at] == "r" else styled + blank)
        lines.append((" " * GAP).join(line).rstrip())
    return lines


def _broken(text: str, width: int) -> list[str]:
    """Return a text as lines: a sentence is broken between words."""
    if cell_len(text) <= width:
        return [text]
    parts = [""]
    for word in text.split(" "):
        longer = f"{parts[-1]} {word}" if parts[-1] else word
        if parts[-1] and cell_len(longer) > width:
            parts.append(word)
        else:
            parts[-1] = longer
    return parts


# ---- which columns a terminal has room for, and how wide each is

#: blanks between two columns
GAP = 2
#: how narrow a column of sentences may get
NARROW = 16


@dataclass(frozen=True)
class Layout:
    """The visible part of a table; columns by index."""

    widths: dict[int, int]  #: columns that are shown, each with its width
    constant: list[int]  #: columns with one value for all rows, which is printed once
    left_out: list[int]  #: columns that do not fit
    heading: list[int]  #: columns that become a heading line above the rows that have the value


def layout(columns: Sequence[str], texts: Sequence[Sequence[str]], width: int, keep: Collection[str] = ()) -> Layout:
    """Return what of a table is shown in ``width`` characters.

    Sentences are broken between words. If that is not enough, columns with the same value in every row are
    printed once instead; then columns are left out, the last first; and if the mandatory ones are too wide,
    the first ones become headings.

    Args:
        columns: names.
        texts: the printed cells of each row.
        keep: columns that are never omitted; the first column is one of them.
    """
    whole = [[name, *(row[at] for row in texts)] for at, name in enumerate(columns)]
    natural = [max(map(cell_len, of)) for of in whole]
    # no word is broken; sentences get room for a few words per line
    words = [max(cell_len(word) for text in of for word in text.split(" ")) for of in whole]
    least = [
        min(full, max(word, NARROW * any(" " in text for text in of[1:])))
        for full, word, of in zip(natural, words, whole, strict=True)
    ]
    shown = list(range(len(columns)))
    optional = [at for at in shown[1:] if columns[at] not in keep]
    constant: list[int] = []
    left_out: list[int] = []
    heading: list[int] = []

    def room() -> int:
        return width - sum(least[at] for at in shown) - GAP * max(0, len(shown) - 1)

    if room() < 0 and len(texts) > 1:
        constant = [at for at in optional if texts[0][at] and len(set(whole[at][1:])) == 1]
        shown = [at for at in shown if at not in constant]
    for at in reversed(optional):
        if room() < 0 and at not in constant:
            left_out.insert(0, at)
            shown.remove(at)
    while len(shown) > 2 and room() < 0:
        heading.append(shown.pop(0))
    widths, free = {}, room()
    for at in shown:
        more = max(0, min(free, natural[at] - least[at]))
        widths[at] = least[at] + more
        free -= more
    return Layout(widths, constant, left_out, heading)


# ---- results of Python that are tables too

#: rows of a table that a notebook shows
MOST_SHOWN = 60
#: methods of a relation -> the package that they need
_NEEDS = {"df": "pandas", "to_df": "pandas", "fetchdf": "pandas", "pl": "polars", "arrow": "pyarrow"}


class RowTable:
    """A relation (``.df() .pl() .arrow() .fetchall()``) that iterates over its rows, and is a table for a paper and for
    a notebook too.
    """

    keep: Sequence[str] = ()  #: columns that a narrow terminal never omits
    remarks: Sequence[str] = ()  #: other facts for readers, one sentence each
    exit_code = 0  #: with which the command ends

    def __init__(
        self, relation: "Relation", tables: "Sequence[Table] | None" = None, *, caption: str = "", **shown: Any
    ):
        """``tables``: as a person reads it; None: its rows below the caption. ``shown``: attributes above."""
        self.relation = relation
        self._made, self._caption = tables, caption
        vars(self).update(shown)

    def to_latex(self, *, signature: bool = False) -> str:
        """Return the table as a LaTeX float; needs the package booktabs."""
        return "\n".join(written(table, "latex", signature=signature) for table in self.tables())

    def to_markdown(self, *, signature: bool = False) -> str:
        """Return the table as markdown, the caption below it."""
        return "\n".join(written(table, "markdown", signature=signature) for table in self.tables())

    def tables(self, most: int | None = None) -> list[Table]:
        """Return what `to_latex` writes, as tables, each with at most so many rows."""
        if self._made is not None:
            return [replace(table, rows=table.rows[:most]) for table in self._made]
        relation = self.relation if most is None else self.relation.limit(most)
        return [Table(relation.columns, relation.fetchall(), self._caption)]

    def shown(self, format_: str) -> list[Table]:
        """Return what the command line prints in a format: tables that were made for people, else rows."""
        if format_ in PEOPLE and self._made is not None:
            return [*self._made]
        return [Table(self.relation.columns, self.relation.fetchall(), keep=self.keep)]

    def _repr_html_(self) -> str:
        """Return the table as a notebook shows it."""
        return "\n".join(written(table, "html") for table in self.tables(MOST_SHOWN))

    def __repr__(self) -> str:
        return repr(self.relation)

    def __len__(self) -> int:
        return len(self.relation)

    def __iter__(self) -> Iterator[tuple]:
        return iter(self.relation.fetchall())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.relation.__arrow_c_stream__(requested_schema)

    def __getattr__(self, name: str):
        # .df() .pl() .arrow() .fetchall() .columns, and all else that relations of the engine can do; not how they show
        # themselves
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self.relation, name)
        return needing(found, name, _NEEDS[name]) if name in _NEEDS else found


def relation_of(engine: "Engine", rows: Iterable[Mapping[str, Any]], kinds: Mapping[str, str]) -> "Relation":
    """Return rows as a relation; NaN, which means undefined, is NULL, and so is what a row lacks.

    Args:
        kinds: name -> type in SQL, in the order of the columns.
    """
    selected = ", ".join(
        f'unnest(cast($c{at} as {kind}[])) as "{name}"' for at, (name, kind) in enumerate(kinds.items())
    )
    known = [[row.get(name) for name in kinds] for row in rows]
    values = {f"c{at}": [None if row[at] != row[at] else row[at] for row in known] for at in range(len(kinds))}
    return engine.relation(f"select {selected}", values)


def wide_relation(
    numbers: "Relation",
    keys: Sequence[str],
    across: str,
    heads: Sequence[str],
    ends: Sequence[str] = ("",),
    percent: bool = False,
) -> "Relation":
    """Return a row for each value of the keys, and for each value of column ``across`` a column of its number, and of
    what is at its ``ends``.
    """
    columns = [
        f"any_value({end[1:] or 'value'}) filter ({across} = {sql_literal(name)})"
        f"{' * 100' if percent and not is_count(name) else ''} as {sql_identifiers([name + end])}"
        for name in heads
        for end in ends
    ]
    names = ", ".join(keys)
    found = numbers.project("*, row_number() over () as position").aggregate(
        ", ".join([names, "min(position) as position", *columns]), names
    )
    return found.order("position").project("* exclude (position)")


def needing(function: Callable, name: str, package: str) -> Callable:
    """Return a method that says what to install where its package is missing."""

    def call(*arguments: object, **named: object) -> object:
        try:
            return function(*arguments, **named)
        except Exception as error:  # of Python, or of the engine
            is_missing = isinstance(error, ImportError) or "import" in str(error).lower()
            if package not in str(error) or not is_missing:
                raise
            raise MissingPackage(
                f".{name}() needs {package}. Install it with `pip install {package}`, or use .fetchall()."
            ) from None

    return call
