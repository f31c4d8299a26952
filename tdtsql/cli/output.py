"""Rows, problems and sentences on the terminal, or for the next program; the one place that decides what an id may do
there.

Ids come from other people's files. What a terminal would obey is written out
(``\\x1b``) in tables, markdown, LaTeX and sentences, in CSV and TSV where a
person looks; LaTeX and markdown get their own special characters escaped; in
JSON the same characters are escapes of JSON, so that another program reads the
id as it is. CSV and TSV for a program hold ids as they are: that a spreadsheet
would take some for formulas is said on stderr.
"""

import json
import math
import shutil
import sys
import textwrap
from collections.abc import Collection, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby
from typing import TextIO

import click

from tdtsql.cli.options import signatures_are_wanted
from tdtsql.cli.progress import end_progress
from tdtsql.errors import FORMULA, Problem, clip, csv_cell, exact, rejected, shortened, shown, visible


#: options that make a table shorter
_NARROWING = ("--metric", "--subset", "--profile", "--condition", "--weighting", "--task", "--run")
#: rows from which on a table says how many they are
_MANY = 60
#: formats that people read: a long signature is in them where it is asked for
READ_BY_PEOPLE = ("table", "markdown", "latex")


def print_rows(
    columns: Sequence[str], rows: Sequence[Sequence], format_: str, title: str = "", *, keep: Collection[str] = ()
) -> None:
    """Print rows in one of the formats of ``options.FORMATS``.

    Args:
        title: what stands above a table.
        keep: columns that a narrow terminal shows in any case.
    """
    end_progress()
    if format_ in READ_BY_PEOPLE and "signature" in columns and not signatures_are_wanted():
        place = list(columns).index("signature")
        columns, rows = [*columns[:place], *columns[place + 1 :]], [[*row[:place], *row[place + 1 :]] for row in rows]
    if format_ == "table":
        _table(columns, rows, title, keep)
        return
    if rows and format_ in ("csv", "tsv"):
        _tell_formulas(columns, rows)
    {"csv": _csv, "tsv": _tsv, "json": _json, "markdown": _markdown, "latex": _latex}[format_](columns, rows, title)


def say(text: str, *, err: bool = False) -> None:
    """Print a sentence, in which ids may stand; several lines stay several."""
    end_progress()
    for line in visible(text, keep="\n").split("\n"):
        click.echo(_wrapped(line, sys.stderr if err else sys.stdout), err=err)


def say_left_out(engine) -> None:
    """Name the tables and views of a user's own, which archives, copies and exports do not hold."""
    from tdtsql.store.registry import own_relations

    own = own_relations(engine)
    if own:
        say(
            f"Left out: {', '.join(own[:10])}{f' and {len(own) - 10} more' if len(own) > 10 else ''}, "
            "which you added to the store. Keep their SQL elsewhere.",
            err=True,
        )


def print_relation(relation, format_: str, title: str = "", *, keep: Collection[str] = ()) -> None:
    """Print a relation of the engine."""
    print_rows(relation.columns, relation.fetchall(), format_, title, keep=keep)


def print_parts(parts: Sequence[tuple[str, Sequence[str], Sequence[Sequence]]], format_: str) -> None:
    """Print several tables: for people one below the other, for a program as one, which `json.loads` or a reader of CSV
    takes.

    Args:
        parts: (name, columns, rows); those without rows are left out, the first ever excepted. As one table the rows
            have the columns
            of all, NULL where their own part has none of that name, and before these `part`, the name, where parts have
            one.
    """
    shown_parts = [part for place, part in enumerate(parts) if part[2] or not place]
    if format_ in READ_BY_PEOPLE:
        for _, columns, rows in shown_parts:
            print_rows(columns, rows, format_)
        return
    every = list(dict.fromkeys(name for _, columns, _ in shown_parts for name in columns))
    named = any(part for part, _, _ in shown_parts)
    merged = [
        (*[part] * named, *(row[columns.index(name)] if name in columns else None for name in every))
        for part, columns, rows in shown_parts
        for row in rows
    ]
    print_rows((*["part"] * named, *every), merged, format_)


def print_problems(problems: Sequence[Problem], *, is_refused: bool = False, files: Collection[str] = ()) -> None:
    """Print problems on stderr, errors first; many of one code are counted.

    Args:
        is_refused: the input was rejected, also where it has warnings only (strict = true).
        files: names of the files that were read.
    """
    end_progress()
    for line in shortened(problems):
        click.echo(_wrapped(line, sys.stderr), err=True)
    problems = list(dict.fromkeys(problems))
    if summary := rejected(problems, files):
        click.echo(_wrapped(summary, sys.stderr), err=True)
    n_error = sum(problem.n for problem in problems if problem.is_error)
    n_warning = sum(not problem.is_error for problem in problems)
    if problems:
        click.echo(
            f"{counted(n_error, 'error')}, "
            f"{counted(n_warning, 'warning')}.{' Nothing was stored.' if n_error or is_refused else ''}",
            err=True,
        )


def _wrapped(line: str, stream: TextIO) -> str:
    """Return a line broken between words where it goes to a terminal that is narrower."""
    if not stream.isatty():
        return line
    return (
        textwrap.fill(
            line,
            shutil.get_terminal_size().columns,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
        )
        or line
    )


def counted(n: int, what: str) -> str:
    """Return a number with its noun: 1 error, 2 errors, 2 entries."""
    plural = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{n} {what if n == 1 else plural}"


def _table(columns: Sequence[str], rows: Sequence[Sequence], title: str, keep: Collection[str]) -> None:
    columns = [visible(name) for name in columns]
    texts = [[visible(shown(value)) for value in row] for row in rows]
    numeric = [
        all(isinstance(row[place], int | float | Decimal | None) for row in rows) for place in range(len(columns))
    ]
    if sys.stdout.isatty():
        _drawn(columns, texts, numeric, title, keep)
        return
    widths = [max([len(name), *(len(row[place]) for row in texts)]) for place, name in enumerate(columns)]
    for row in [list(columns), *texts]:
        cells = [
            text.rjust(width) if is_number else text.ljust(width)
            for text, width, is_number in zip(row, widths, numeric, strict=True)
        ]
        click.echo("  ".join(cells).rstrip())


def _drawn(
    columns: Sequence[str], texts: Sequence[Sequence[str]], numeric: Sequence[bool], title: str, keep: Collection[str]
) -> None:
    """Draw a table for a person: what fits the terminal, and below it what does not, and how to see it."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tdtsql.cli.layout import GAP, layout

    room = Console().width
    fits = layout(columns, texts, room, keep)
    wraps = {place for place, width in fits.widths.items() if any(cell_len(row[place]) > width for row in texts)}
    is_plain = not wraps and all(cell_len(columns[place]) <= width for place, width in fits.widths.items())
    console = Console(width=max(room, sum(fits.widths.values()) + GAP * len(fits.widths)))

    def line(row: Sequence[str]) -> str:
        cells = (
            (row[place], " " * (width - cell_len(row[place])), numeric[place]) for place, width in fits.widths.items()
        )
        return (
            (" " * GAP)
            .join(room_left + text if is_number else text + room_left for text, room_left, is_number in cells)
            .rstrip()
        )

    if title:
        click.secho(title, italic=True)
    for number, (values, group) in enumerate(
        groupby(texts, key=lambda row: [row[place] for place in fits.heading]) if texts else [([], [])]
    ):
        if values:
            click.secho(
                ", ".join(f"{columns[place]} {value}" for place, value in zip(fits.heading, values, strict=True)),
                italic=True,
            )
        if is_plain:  # a line for each row: a table of many thousand rows is there at once
            if not number:
                click.secho(line(columns), bold=True)
            if group:
                click.echo("\n".join(line(row) for row in group))
            continue
        table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold", show_header=not number)
        for place, width in fits.widths.items():
            table.add_column(
                Text(columns[place]),
                justify="right" if numeric[place] else "left",
                width=width,
                no_wrap=place not in wraps,
            )
        for row in group:
            table.add_row(*(Text(row[place]) for place in fits.widths))  # [red] in an id is no colour
        console.print(table)
    notes = []
    if fits.constant:
        notes.append(f"In every row: {', '.join(f'{columns[place]} {texts[0][place]}' for place in fits.constant)}.")
    if fits.left_out:
        notes.append(
            f"No room in {room} columns for {', '.join(columns[place] for place in fits.left_out)}: --format csv has "
            f"all."
        )
    if len(texts) > _MANY:
        context = click.get_current_context(silent=True)
        options = [
            option
            for option in _NARROWING
            if context and any(option in parameter.opts for parameter in context.command.params)
        ]
        narrow = f"{', '.join(options)} narrow them; " if options else ""
        notes.append(f"{len(texts):,} rows: {narrow}page by page: --format csv | less -S.")
    for note in notes:
        say(note, err=True)


def _csv(columns: Sequence[str], rows: Sequence[Sequence], title: str, delimiter: str = ",") -> None:
    safe = visible if sys.stdout.isatty() else str  # a person looks, or a program reads
    for row in [columns, *([exact(value) for value in row] for row in rows)]:
        cells = [csv_cell(safe(text), delimiter, is_only=len(row) == 1) for text in row]
        sys.stdout.write(delimiter.join(cells) + "\n")  # not click.echo: that takes escapes out of ids


def _tell_formulas(columns: Sequence[str], rows: Sequence[Sequence]) -> None:
    found = [text for row in [columns, *rows] for text in row if isinstance(text, str) and text.startswith(FORMULA)]
    if found:
        say(
            f"A spreadsheet takes {len(found)} of these cells for formulas, first {clip(found[0])!r}: they begin with "
            f"=, +, - or @. Open the file with its columns as text.",
            err=True,
        )


def _tsv(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    _csv(columns, rows, title, "\t")


def _json(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    objects = [
        ", ".join(f"{_json_value(name)}: {_json_value(value)}" for name, value in zip(columns, row, strict=True))
        for row in rows
    ]
    click.echo("[" + ",\n ".join(f"{{{text}}}" for text in objects) + "]")


def _json_value(value: object) -> str:
    if isinstance(value, float):
        # JSON has no infinity, and NULL would be another answer
        return f"{value:.17g}" if math.isfinite(value) else "null" if math.isnan(value) else f'"{value:.17g}"'
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, date | datetime):
        return json.dumps(value.isoformat())
    return _json_text(json.dumps(value, default=str, ensure_ascii=False))


def _json_text(text: str) -> str:
    """Return JSON in which what a terminal would obey is an escape of JSON."""
    return (
        "".join(letter if visible(letter) == letter else f"\\u{ord(letter):04x}" for letter in text)
        if visible(text) != text
        else text
    )


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
