"""Rows, problems and sentences on the terminal, or for the next program; the formats are those of `show.table`."""

import shutil
import sys
import textwrap
from collections.abc import Collection, Generator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, TextIO

import click

from tdtsql.cli.progress import end_progress
from tdtsql.errors import Problem, counted, escape_control, first_few, rejected, shortened, tally, truncate
from tdtsql.show.table import PEOPLE, Table, csv, formulas, json_objects, text, written

if TYPE_CHECKING:
    from tdtsql.api import Store
    from tdtsql.engine.duckdb import Engine

#: options that make a table shorter
_NARROWING = "--metric --subset --profile --condition --weighting --task --run".split()
#: rows from which on a table states their number
_MANY = 60


class Printed(str):
    """A text on stdout, of a command that yields sentences for stderr."""


def show(result: Any, format_: str) -> int:
    """Print what a function returned or yields, and return the exit code.

    Args:
        result: a number is the exit code, None prints nothing. Rows are printed as ``format_`` says, and sentences
            (``remarks``) on stderr; anything else is printed as text. What a generator yields is printed part by part:
            a text on stderr, a table without rows not for people, all else like a result.
    """
    if isinstance(result, Generator):
        code = 0
        with closing(result):
            for part in result:
                if type(part) is str:
                    say(part, err=True)
                elif format_ != "table" or not isinstance(part, Table) or part.rows:
                    code = max(code, show(part, format_))
        return code
    if result is None or isinstance(result, int):
        return result or 0
    if isinstance(result, Table):
        print_tables([result], format_)
        return 0
    if hasattr(result, "shown"):
        print_tables(result.shown(format_), format_)
    elif hasattr(result, "fetchall"):
        print_tables([Table(result.columns, result.fetchall())], format_)
    elif isinstance(result, list) and all(isinstance(part, Table) for part in result):
        print_tables(result, format_)
    elif not hasattr(result, "remarks"):
        say(str(result))
    for remark in getattr(result, "remarks", ()):
        say(remark, err=True)
    return getattr(result, "exit_code", 0)


def signatures_are_wanted() -> bool:
    """Return True if the current command has --signature."""
    context = click.get_current_context(silent=True)
    return bool(context and context.params.get("has_signature"))


def print_tables(tables: Sequence[Table], format_: str) -> None:
    """Print several tables and their remarks: for people one below the other, for programs as one that `json.loads` or
    a CSV reader accepts, with the columns of all, NULL where a table has no such column, and first a column `part` with
    their names if they have any. Tables without rows are omitted, except the first.
    """
    end_progress()
    shown = [table for at, table in enumerate(tables) if table.rows or not at]
    if format_ not in PEOPLE and len(tables) != 1:
        every = list(dict.fromkeys(name for table in shown for name in table.columns))
        named = ["part"] if any(table.part for table in shown) else []
        merged = [
            [*[table.part for _ in named], *map(dict(zip(table.columns, row, strict=True)).get, every)]
            for table in shown
            for row in table.rows
        ]
        shown = [Table([*named, *every], merged)]
    for number, table in enumerate(shown):
        if number and table.caption:
            click.echo()
        _print(table, format_)
    for table in tables:
        for remark in table.remarks:
            say(remark, err=True)


def _print(table: Table, format_: str) -> None:
    """Print a table, the caption above it."""
    with_signature = signatures_are_wanted()
    if format_ in PEOPLE and not with_signature:
        table = table.without("signature")
    if format_ == "table":
        _print_text(table)
        if with_signature and table.signature:
            say(table.signature.replace("; ", "\n"))
    elif format_ == "json":
        click.echo("[" + json_objects(table.columns, table.rows) + "]")
    elif format_ in ("csv", "tsv"):
        if found := formulas(table.columns, table.rows) if table.rows else []:
            say(
                f"A spreadsheet takes {len(found)} of these cells for formulas, first {truncate(found[0])!r}: they "
                f"begin with =, +, - or @. Open the file with its columns as text.",
                err=True,
            )
        safe = escape_control if sys.stdout.isatty() else str  # a person looks, or a program reads
        # not click.echo: that removes escapes from ids
        sys.stdout.write(csv([table.columns, *table.rows], "," if format_ == "csv" else "\t", safe=safe))
    else:
        click.echo(written(table, format_, signature=with_signature), nl=False)


def say(sentence: str, *, err: bool = False) -> None:
    """Print a sentence, which may contain ids; line breaks are preserved."""
    end_progress()
    for line in escape_control(sentence, keep="\n").split("\n"):
        click.echo(_wrapped(line, sys.stderr if err else sys.stdout), err=err)


def left_out(engine: "Engine") -> list[str]:
    """Return a sentence on the user's own tables and views, if any, which archives, copies and exports omit."""
    from tdtsql.store.registry import users_relations

    own = [f"{kind} {schema}.{name}" for kind, schema, name in sorted(users_relations(engine))]
    return [f"Left out: {first_few(own, 10)}, which you added to the store. Keep their SQL elsewhere."] if own else []


def warn_of_state(store: "Store") -> None:
    """Report on stderr the state of the store: stale runs, which have no numbers, and stored numbers that violate their
    contracts.
    """
    from tdtsql.store.stored_results import broken_stored_results

    for message in broken_stored_results(store.engine):
        click.echo(message, err=True)
    stale = store.engine.value("select count(*) from report.stale")
    if stale:
        click.echo(
            f"{counted(stale, 'run')} not up to date and so not in report.*: `tdtsql score --db {store.path}` "
            f"computes what is missing.",
            err=True,
        )


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
    if problems:
        said = " Nothing was stored." if is_refused or any(problem.is_error for problem in problems) else ""
        click.echo(f"{tally(problems)}.{said}", err=True)


def _wrapped(line: str, stream: TextIO) -> str:
    """Return a line broken between words for a narrower terminal."""
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


def _print_text(table: Table) -> None:
    """Print a table for a person: what fits the terminal, and below it what does not, and how to see it."""
    is_terminal = sys.stdout.isatty()
    if table.caption:
        click.secho(_wrapped(escape_control(table.caption), sys.stdout), italic=True)
    width = shutil.get_terminal_size().columns if is_terminal else None
    lines, notes = text(table, width, keep=table.keep, bold=lambda part: click.style(part, bold=True))
    click.echo(lines, nl=False)
    if len(table.rows) > _MANY and is_terminal:
        context = click.get_current_context(silent=True)
        options = [
            option
            for option in _NARROWING
            if context and any(option in parameter.opts for parameter in context.command.params)
        ]
        narrow = f"{', '.join(options)} narrow them; " if options else ""
        notes.append(f"{len(table.rows):,} rows: {narrow}page by page: --format csv | less -S.")
    for note in notes:
        say(note, err=True)
