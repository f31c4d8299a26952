"""Rows, problems and sentences on the terminal, or for the next program; the one place that decides what an id may do there.

Ids come from other people's files. What a terminal would obey is written out
(``\\x1b``) in tables, markdown, LaTeX and sentences, in CSV and TSV where a
person looks; LaTeX and markdown get their own special characters escaped; in
JSON the same characters are escapes of JSON, so that another program reads the
id as it is. CSV and TSV for a program hold ids as they are: that a spreadsheet
would take some for formulas is said on stderr.
"""

import json
import math
import sys
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

import click

from tdtsql.errors import Problem, clip, shortened, visible

#: how a cell begins that a spreadsheet calculates
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def print_rows(columns: Sequence[str], rows: Sequence[Sequence], format_: str, title: str = "") -> None:
    """Print rows in one of the formats of ``options.FORMATS``."""
    if rows and format_ in ("csv", "tsv"):
        _tell_formulas(columns, rows)
    {"table": _table, "csv": _csv, "tsv": _tsv, "json": _json, "markdown": _markdown, "latex": _latex}[format_](columns, rows, title)


def say(text: str, *, err: bool = False) -> None:
    """Print a sentence, in which ids may stand; several lines stay several."""
    click.echo(visible(text, keep="\n"), err=err)


def print_relation(relation, format_: str, title: str = "") -> None:
    """Print a relation of the engine."""
    print_rows(relation.columns, relation.fetchall(), format_, title)


def print_problems(problems: Sequence[Problem], *, is_refused: bool = False) -> None:
    """Print problems on stderr, errors first; many of one code are counted.

    ``is_refused``: the input was turned down, also where it has warnings only (strict = true).
    """
    for line in shortened(problems):
        click.echo(line, err=True)
    n_error = sum(problem.is_error for problem in problems)
    if problems:
        click.echo(f"{counted(n_error, 'error')}, {counted(len(problems) - n_error, 'warning')}.{' Nothing was stored.' if n_error or is_refused else ''}", err=True)


def counted(n: int, what: str) -> str:
    """Return a number with its noun: 1 error, 2 errors, 2 entries."""
    plural = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{n} {what if n == 1 else plural}"


def shown(value: object) -> str:
    """Return a value as a person reads it: six significant decimals, nothing for NULL."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}" if value and (abs(value) < 1e-4 or abs(value) >= 1e9) else f"{value:.6f}".rstrip("0").rstrip(".")
    return str(value)


def exact(value: object) -> str:
    """Return a value for another program: 17 significant digits, nothing for NULL."""
    if value is None:
        return ""
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def _table(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    columns = [visible(name) for name in columns]
    texts = [[visible(shown(value)) for value in row] for row in rows]
    numeric = [all(isinstance(row[place], int | float | Decimal | None) for row in rows) for place in range(len(columns))]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(title=title or None, title_justify="left")
        for name, is_number in zip(columns, numeric, strict=True):
            table.add_column(Text(name), justify="right" if is_number else "left", overflow="fold")
        for row in texts:
            table.add_row(*map(Text, row))  # [red] in an id is no colour
        Console().print(table)
        return
    widths = [max([len(name), *(len(row[place]) for row in texts)]) for place, name in enumerate(columns)]
    for row in [list(columns), *texts]:
        cells = [text.rjust(width) if is_number else text.ljust(width) for text, width, is_number in zip(row, widths, numeric, strict=True)]
        click.echo("  ".join(cells).rstrip())


def _csv(columns: Sequence[str], rows: Sequence[Sequence], title: str, delimiter: str = ",") -> None:
    safe = visible if sys.stdout.isatty() else str  # a person looks, or a program reads
    for row in [columns, *([exact(value) for value in row] for row in rows)]:
        cells = [_csv_cell(safe(text), delimiter, is_only=len(row) == 1) for text in row]
        sys.stdout.write(delimiter.join(cells) + "\n")  # not click.echo: that takes escapes out of ids


def _csv_cell(text: str, delimiter: str, is_only: bool) -> str:
    """Return a cell of RFC 4180; the writer of Python's library leaves a carriage return unquoted, which readers take for a line's end."""
    if any(letter in text for letter in (delimiter, '"', "\n", "\r")) or is_only and not text:
        return '"' + text.replace('"', '""') + '"'
    return text


def _tell_formulas(columns: Sequence[str], rows: Sequence[Sequence]) -> None:
    found = [text for row in [columns, *rows] for text in row if isinstance(text, str) and text.startswith(_FORMULA)]
    if found:
        say(f"A spreadsheet takes {len(found)} of these cells for formulas, first {clip(found[0])!r}: they begin with =, +, - or @. Open the file with its columns as text.", err=True)


def _tsv(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    _csv(columns, rows, title, "\t")


def _json(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    objects = [", ".join(f"{_json_value(name)}: {_json_value(value)}" for name, value in zip(columns, row, strict=True)) for row in rows]
    click.echo("[" + ",\n ".join(f"{{{text}}}" for text in objects) + "]")


def _json_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.17g}" if math.isfinite(value) else "null"
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, date | datetime):
        return json.dumps(value.isoformat())
    return _json_text(json.dumps(value, default=str, ensure_ascii=False))


def _json_text(text: str) -> str:
    """Return JSON in which what a terminal would obey is an escape of JSON."""
    return "".join(letter if visible(letter) == letter else f"\\u{ord(letter):04x}" for letter in text) if visible(text) != text else text


def _markdown(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    from tdtsql.report.tables import escape_markdown

    for line in [columns, ["---"] * len(columns), *([shown(value) for value in row] for row in rows)]:
        click.echo("| " + " | ".join(escape_markdown(text) for text in line) + " |")


def _latex(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    from tdtsql.report.tables import escape_latex

    click.echo("\\begin{tabular}{" + "l" * len(columns) + "}\n\\toprule")
    click.echo(" & ".join(escape_latex(name) for name in columns) + " \\\\\n\\midrule")
    for row in rows:
        click.echo(" & ".join(escape_latex(shown(value)) for value in row) + " \\\\")
    click.echo("\\bottomrule\n\\end{tabular}")
