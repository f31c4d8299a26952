"""`tdtsql profile`: scoring profiles."""

import click

from tdtsql.cli.options import format_option
from tdtsql.cli.output import print_rows
from tdtsql.errors import unknown_name_error


@click.group("profile")
def command() -> None:
    """List the shipped scoring profiles; show the values of one."""
    from tdtsql.installed import use_all

    use_all()


@command.command("list")
@format_option
def list_command(format_: str) -> None:
    """List the shipped scoring profiles with the profile that each is based on and its source."""
    from tdtsql.store.profiles import shipped_profiles

    rows = [(name, profile.base, profile.source) for name, profile in shipped_profiles().items()]
    print_rows(("profile_id", "base", "source"), rows, format_)


@command.command("show")
@click.argument("name")
@format_option
def show_command(name: str, format_: str) -> None:
    """Show the values of profile NAME, those of its base included, with the meaning of each column."""
    from tdtsql.metric.ddl import tables
    from tdtsql.store.profiles import of_packages, shipped_profiles, with_base

    profiles = shipped_profiles()
    if name not in profiles:
        raise unknown_name_error("profile", name, list(profiles))
    meaning = {**of_packages("meaning"), **tables()["registry.profile"].comments}
    rows = [(column, value, meaning.get(column)) for column, value in with_base(profiles, name).items()]
    print_rows(("column", "value", "meaning"), rows, format_, keep=("value",))
