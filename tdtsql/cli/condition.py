"""`tdtsql condition`: evaluation conditions."""

import click

from tdtsql.cli.options import StoreOption, format_option, store_options
from tdtsql.cli.output import print_relation


@click.group("condition")
def command() -> None:
    """List evaluation conditions."""


@command.command("list")
@store_options
@format_option
def list_command(opened: StoreOption, format_) -> None:
    """List the conditions with task, corpus, profiles, primary metric and runs."""
    with opened.read() as store:
        print_relation(store.conditions(), format_, keep=("condition_id", "task", "profiles", "n_run"))
