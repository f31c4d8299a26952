"""Rows and problems on the terminal, or for the next program."""

import csv
import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

import click

from tdtsql.errors import Problem

#: problems of one code in one file that are printed in full
SHOWN = 20


def print_rows(columns: Sequence[str], rows: Sequence[Sequence], format_: str, title: str = "") -> None:
    """Print rows in one of the formats of ``options.FORMATS``."""
    {"table": _table, "csv": _csv, "tsv": _tsv, "json": _json, "markdown": _markdown, "latex": _latex}[format_](columns, rows, title)


def print_relation(relation, format_: str, title: str = "") -> None:
    """Print a relation of the engine."""
    print_rows(relation.columns, relation.fetchall(), format_, title)


def print_problems(problems: Sequence[Problem], *, is_refused: bool = False) -> None:
    """Print problems on stderr, errors first; many of one kind in one file are counted.

    ``is_refused``: the input was turned down, also where it has warnings only (strict = true).
    """
    seen: Counter = Counter()
    total = Counter((problem.code, problem.path) for problem in problems)
    for problem in sorted(problems, key=lambda problem: not problem.is_error):
        key = (problem.code, problem.path)
        seen[key] += 1
        if seen[key] <= SHOWN:
            click.echo(str(problem), err=True)
        elif seen[key] == SHOWN + 1:
            click.echo(f"{problem.path}: {problem.code} and {total[key] - SHOWN} more such lines.", err=True)
    n_error = sum(problem.is_error for problem in problems)
    if problems:
        click.echo(f"{counted(n_error, 'error')}, {counted(len(problems) - n_error, 'warning')}.{' Nothing was stored.' if n_error or is_refused else ''}", err=True)


def counted(n: int, what: str) -> str:
    """Return a number with its noun: 1 error, 2 errors."""
    return f"{n} {what if n == 1 else f'{what}s'}"


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
    texts = [[shown(value) for value in row] for row in rows]
    numeric = [all(isinstance(row[place], int | float | Decimal | None) for row in rows) for place in range(len(columns))]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table(title=title or None, title_justify="left")
        for name, is_number in zip(columns, numeric, strict=True):
            table.add_column(name, justify="right" if is_number else "left", overflow="fold")
        for row in texts:
            table.add_row(*row)
        Console().print(table)
        return
    widths = [max([len(name), *(len(row[place]) for row in texts)]) for place, name in enumerate(columns)]
    for row in [list(columns), *texts]:
        cells = [text.rjust(width) if is_number else text.ljust(width) for text, width, is_number in zip(row, widths, numeric, strict=True)]
        click.echo("  ".join(cells).rstrip())


def _csv(columns: Sequence[str], rows: Sequence[Sequence], title: str, delimiter: str = ",") -> None:
    writer = csv.writer(sys.stdout, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([exact(value) for value in row] for row in rows)


def _tsv(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    _csv(columns, rows, title, "\t")


def _json(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    objects = [", ".join(f"{json.dumps(name)}: {_json_value(value)}" for name, value in zip(columns, row, strict=True)) for row in rows]
    click.echo("[" + ",\n ".join(f"{{{text}}}" for text in objects) + "]")


def _json_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.17g}" if math.isfinite(value) else "null"
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, date | datetime):
        return json.dumps(value.isoformat())
    return json.dumps(value, default=str, ensure_ascii=False)


def _markdown(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    for line in [columns, ["---"] * len(columns), *([shown(value) for value in row] for row in rows)]:
        click.echo("| " + " | ".join(text.replace("|", "\\|") for text in line) + " |")


def _latex(columns: Sequence[str], rows: Sequence[Sequence], title: str) -> None:
    click.echo("\\begin{tabular}{" + "l" * len(columns) + "}\n\\toprule")
    click.echo(" & ".join(_tex(name) for name in columns) + " \\\\\n\\midrule")
    for row in rows:
        click.echo(" & ".join(_tex(shown(value)) for value in row) + " \\\\")
    click.echo("\\bottomrule\n\\end{tabular}")


def _tex(text: str) -> str:
    for letter in "&%$#_{}":
        text = text.replace(letter, "\\" + letter)
    return text
