"""`tdtsql sql`: ask the store in SQL."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tdtsql.cli.options import format_option, new_store_options, store_options

if TYPE_CHECKING:
    from tdtsql.api import Store


@click.group("sql")
def command() -> None:
    """Ask the store in SQL."""


class _Query(click.Command):
    """A command whose argument may begin with a comment of SQL, which is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        comments = [text for text in args if text.startswith("--") and re.search(r"\s", text.split("=")[0])]
        rest = [text for text in args if text not in comments]
        return super().parse_args(ctx, [*rest, "--", *comments] if comments else rest)


def _limits(command: Callable) -> Callable:
    """Add --timeout and --max-rows."""
    command = click.option(
        "--max-rows",
        type=click.IntRange(min=0),
        default=1_000_000,
        show_default=True,
        help="Rows an answer may have; 0 for any number.",
    )(command)
    return click.option(
        "--timeout",
        type=click.FloatRange(min=0),
        default=3600,
        show_default=True,
        metavar="SECONDS",
        help="How long an answer may take; 0 for any time.",
    )(command)


@command.command("query", cls=_Query)
@click.argument("query")
@_limits
@store_options
@format_option
def query_command(query: str, timeout: float, max_rows: int, db: str, trace: bool, format_: str) -> None:
    """Run QUERY, one SELECT, read-only, with no access to files, network or settings.

    It may spill 20 GB to a private temporary folder, and has the memory that TDTSQL_MEMORY_LIMIT gives.
    """
    from tdtsql.engine.typed import GENEROUS
    from tdtsql.cli.output import print_rows
    from tdtsql.api import connect

    with connect(db, read_only=True, trace=trace, inspect=True) as store:
        _tell_state(store)
        columns, rows = store.engine.ask_untrusted(
            query, replace(GENEROUS, seconds=timeout or None, rows=max_rows or None)
        )
        print_rows(columns, rows, format_)


@command.command("schema")
@click.argument("relation", required=False)
@store_options
@format_option
def schema_command(relation: str | None, db: str, trace: bool, format_: str) -> None:
    """List the relations of the store, those of one schema, or the columns of one relation.

    \b
        tdtsql sql schema
        tdtsql sql schema report
        tdtsql sql schema report.score
    """
    from tdtsql.cli.output import print_rows
    from tdtsql.api import connect
    from tdtsql.store.registry import schema_rows

    with connect(db, read_only=db != ":memory:", trace=trace, inspect=True) as store:
        print_rows(*schema_rows(store.engine, relation), format_)


@command.command("cookbook", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("name", required=False)
@click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the question; --NAME VALUE does the same.",
)
@click.option(
    "--sql", "as_sql", is_flag=True, help="Print the question's file instead: what it takes, what comes back, the SQL."
)
@new_store_options
@format_option
@click.pass_context
def cookbook_command(
    context: click.Context,
    name: str | None,
    parameters: tuple[str, ...],
    as_sql: bool,
    db: str,
    trace: bool,
    format_: str,
) -> None:
    """Ask question NAME of the cookbook, or list the questions.

    \b
        tdtsql sql cookbook
        tdtsql sql cookbook worst_topics --run osprey --most 5
        tdtsql sql cookbook worst_topics --sql
    """
    from tdtsql.api import connect
    from tdtsql.cli.output import print_rows
    from tdtsql.cookbook.asking import ask
    from tdtsql.cookbook.question import find, questions

    if name is None or name.startswith("-"):
        if name or context.args:
            raise click.UsageError(f"'{name or context.args[0]}' needs the name of a question before it.")
        columns = ["about", "name", "title", *(["parameters"] if format_ != "table" else [])]
        print_rows(
            columns,
            [(every.about, every.name, every.title, every.usage)[: len(columns)] for every in questions().values()],
            format_,
        )
        click.echo("What a question takes: tdtsql sql cookbook NAME --sql", err=True)
        return
    question = find(name)
    if as_sql:
        click.echo(question.text, nl=False)
        return
    given = _given([*(part for text in parameters for part in ("--param", text)), *context.args])
    question.values(given)  # a wrong call, before the store is opened
    with connect(db, read_only=True, trace=trace, inspect=True) as store:
        _tell_state(store)
        answer = ask(store.engine, question, given)
        print_rows(answer.columns, answer.fetchall(), format_, question.title)


def _given(words: list[str]) -> dict[str, str]:
    """Return parameters by name, from ``--param name=value``, ``--name value`` and ``--name=value``."""
    given: dict[str, str] = {}
    waiting = iter(words)
    for word in waiting:
        text = next(waiting) if word == "--param" else word.removeprefix("--")
        if word == text:
            raise click.UsageError(f"Got unexpected extra argument ({word}).")
        name, is_whole, value = text.partition("=")
        if not is_whole and word == "--param":
            raise click.UsageError(f"--param '{text}' has no value: --param NAME=VALUE.")
        try:
            value = value if is_whole else next(waiting)
        except StopIteration:
            raise click.UsageError(f"Option '--{name}' requires an argument.") from None
        name = name.replace("-", "_")
        if name in given:
            raise click.UsageError(f"--{name} is given twice.")
        given[name] = value
    return given


def _tell_state(store: "Store") -> None:
    """Report on stderr what a reader of the rows must know: runs that are not up to date, and so have no numbers, and
    stored numbers that break their contracts.
    """
    from tdtsql.cli.output import counted
    from tdtsql.store.kept import broken_kept

    for message in broken_kept(store.engine):
        click.echo(message, err=True)
    stale = store.engine.value("select count(*) from report.stale")
    if stale:
        click.echo(
            f"{counted(stale, 'run')} not up to date and so not in report.*: `tdtsql score --db {store.path}` "
            f"computes what is missing.",
            err=True,
        )


@command.command("shell")
@_limits
@store_options
def shell_command(timeout: float, max_rows: int, db: str, trace: bool) -> None:
    """Ask one query after the other, read-only.

    At a terminal a query may have many lines and ends with a semicolon; there are history and completion, and .help
    lists commands.
    Otherwise each line of the input is a query, and an empty line or the end of the input ends.
    """
    from tdtsql.api import connect
    from tdtsql.cli.shell import Shell, at_a_terminal, typed
    from tdtsql.engine.typed import GENEROUS

    with connect(db, read_only=True, trace=trace, inspect=True) as store:
        _tell_state(store)
        shell = Shell(store, replace(GENEROUS, seconds=timeout or None, rows=max_rows or None))
        shell.run(typed(store) if at_a_terminal() else iter(_typed_line, ""))


def _typed_line() -> str:
    """Return the next line of an input that is no terminal, empty where it has ended."""
    try:
        return click.prompt("tdtsql", default="", show_default=False, prompt_suffix="> ")
    except click.Abort as stop:
        if isinstance(stop.__context__, EOFError) or isinstance(stop.__cause__, EOFError):
            click.echo("", err=True)
            return ""
        raise


@command.command("render")
@click.argument("name")
@click.option(
    "--dialect",
    "engine",
    required=True,
    metavar="NAME",
    help="spark, postgres, clickhouse, datafusion, trino, snowflake, bigquery or duckdb.",
)
@click.option("--with-tables", is_flag=True, help="Begin with the tables that the views read.")
def render_command(name: str, engine: str, with_tables: bool) -> None:
    """Write metric or view NAME, and all it reads, as SQL for another engine; refuse what it cannot take."""
    from tdtsql.metric.render import render

    click.echo(render(name, engine, with_tables=with_tables), nl=False)
