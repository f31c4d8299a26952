"""`tdtsql sql`: query the store in SQL."""

import re
from dataclasses import replace

import click

from tdtsql.cli.ask import warn_of_state
from tdtsql.cli.options import StoreOption, format_option, store_options
from tdtsql.cli.output import print_rows


@click.group("sql")
def command() -> None:
    """Query the store in SQL."""


class _Query(click.Command):
    """A command whose argument may begin with a comment of SQL, which must not be read as an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        comments = [text for text in args if text.startswith("--") and re.search(r"\s", text.split("=")[0])]
        rest = [text for text in args if text not in comments]
        return super().parse_args(ctx, [*rest, "--", *comments] if comments else rest)


@command.command("query", cls=_Query)
@click.argument("query")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    default=3600,
    show_default=True,
    metavar="SECONDS",
    help="Time limit of a query; 0: none.",
)
@click.option(
    "--limit",
    "max_rows",
    type=click.IntRange(min=0),
    default=1_000_000,
    show_default=True,
    help="Maximum number of rows; 0: no limit.",
)
@store_options
@format_option
def query_command(query, timeout, max_rows, opened: StoreOption, format_) -> None:
    """Run QUERY, one SELECT, read-only, with no access to files, network or settings.

    It may spill 20 GB to a private temporary folder; TDTSQL_MEMORY_LIMIT sets its memory.
    """
    from tdtsql.engine.user_query import GENEROUS

    with opened.inspect() as store:
        warn_of_state(store)
        columns, rows = store.engine.run_user_query(
            query, replace(GENEROUS, seconds=timeout or None, rows=max_rows or None)
        )
        print_rows(columns, rows, format_)


@command.command("schema")
@click.argument("relation", required=False)
@store_options
@format_option
def schema_command(relation, opened: StoreOption, format_) -> None:
    """List the relations of the store, those of one schema, or the columns of one relation.

    \b
        tdtsql sql schema
        tdtsql sql schema report
        tdtsql sql schema report.score
    """
    from tdtsql.store.registry import schema_rows

    with opened.inspect() as store:
        if opened.path != ":memory:":
            warn_of_state(store)
        print_rows(*schema_rows(store.engine, relation), format_)


@command.command("render")
@click.argument("name")
@click.option(
    "--dialect",
    "engine",
    required=True,
    metavar="NAME",
    help="duckdb, spark or postgres.",
)
@click.option("--with-tables", is_flag=True, help="Begin with the tables that the views read.")
def render_command(name, engine, with_tables) -> None:
    """Write metric or view NAME, with its inputs, as SQL for another engine, or refuse it."""
    from tdtsql.installed import use_all
    from tdtsql.build.render import render

    use_all()
    click.echo(render(name, engine, with_tables=with_tables), nl=False)
