"""Queries: `tdtsql sql` and the saved queries, `tdtsql ask`."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import click

from tdtsql.cli.options import StoreOption
from tdtsql.show.table import Table

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Engine


def query(
    engine: "Engine",
    query: str,
    *,
    timeout: Annotated[float, click.FloatRange(min=0)] = 3600,
    limit: Annotated[int, 0] = 1_000_000,
) -> Table:
    """Run QUERY, one SELECT, read-only, with no access to files, network or settings.

    It may spill 20 GB to a private temporary folder; TDTSQL_MEMORY_LIMIT sets its memory.

    Args:
        timeout: Time limit of a query in seconds; 0: none.
        limit: Maximum number of rows; 0: no limit.
    """
    from tdtsql.engine.sandbox import GENEROUS, run_user_query

    columns, rows = run_user_query(engine, query, replace(GENEROUS, seconds=timeout or None, rows=limit or None))
    return Table(columns, rows)


def schema(engine: "Engine", relation: str | None = None) -> Table:
    """List the relations of the store, those of one schema, or the columns of one relation.

    \b
        tdtsql sql schema
        tdtsql sql schema report
        tdtsql sql schema report.score
    """
    from tdtsql.store.registry import schema_rows

    return Table(*schema_rows(engine, relation))


def render(name: str, *, dialect: str, with_tables: bool = False) -> None:
    """Write metric or view NAME, with its inputs, as SQL for another engine, or refuse it.

    Args:
        dialect: One of duckdb, spark and postgres.
        with_tables: Begin with the tables that the views read.
    """
    from tdtsql.build.render import render as rendered

    click.echo(rendered(name, dialect, with_tables=with_tables), nl=False)


def ask(
    opened: StoreOption,
    format_: str,
    name: str | None = None,
    *,
    param: Sequence[str] = (),
    sql: bool = False,
    **parameters: Any,
) -> Table | None:
    """Run saved query NAME, or list the saved queries (the cookbook).

    \b
        tdtsql ask
        tdtsql ask worst_topics --run osprey --limit 5
        tdtsql ask worst_topics --sql

    Args:
        param: A parameter of the query, NAME=VALUE; --NAME VALUE does the same.
        sql: Print the query's file instead: parameters, columns, SQL.
    """
    from tdtsql.show.section import find, questions

    words = click.get_current_context().args
    if name is None or name.startswith("-"):
        if name or words:
            raise click.UsageError(f"'{name or words[0]}' needs the name of a saved query before it.")
        columns = ["about", "name", "title", *(["parameters"] if format_ != "table" else [])]
        rows = [(every.about, every.name, every.title, every.usage)[: len(columns)] for every in questions().values()]
        return Table(columns, rows, remarks=["Parameters of a query: tdtsql ask NAME --sql"])
    question = find(name)
    if sql:
        click.echo(question.text, nl=False)
        return None
    given = _given([*(part for text in param for part in ("--param", text)), *words])
    question.values(given)  # a wrong call, before the store is opened
    with opened.open("stated") as store:
        answer = store.ask(name, **given)
        return Table(answer.columns, answer.fetchall(), question.title if sys.stdout.isatty() else "")


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
