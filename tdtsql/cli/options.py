"""Options that many commands share."""

from collections.abc import Callable

import click

FORMATS = ("table", "csv", "tsv", "json", "markdown", "latex")


def store_options(command: Callable) -> Callable:
    """Add --db and --trace."""
    command = click.option("--trace", is_flag=True, help="Print each SQL statement on stderr.")(command)
    return click.option("--db", default="tdtsql.duckdb", envvar="TDTSQL_DB", show_default=True, show_envvar=True, metavar="STORE",
                        help="The store: a file, :memory:, or postgresql://HOST/DATABASE.")(command)


def format_option(command: Callable) -> Callable:
    """Add --format."""
    return click.option("--format", "format_", type=click.Choice(FORMATS), default="table", show_default=True, help="How rows are printed.")(command)
