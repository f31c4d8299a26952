"""`tdtsql profile`: scoring profiles."""

import click

from tdtsql.cli.options import StoreOption, format_option, optional_store_options
from tdtsql.cli.output import print_rows
from tdtsql.errors import unknown_name_error


@click.group("profile")
def command() -> None:
    """List scoring profiles; show the values of one."""
    from tdtsql.installed import use_all

    use_all()


def _stored(opened: StoreOption | None) -> dict[str, dict[str, object]]:
    """Return the profiles of a store by id: column -> value."""
    if opened is None:
        return {}
    with opened.inspect() as store:
        rows = store.engine.records("select * from registry.profile order by profile_no")
    return {str(row["profile_id"]): row for row in rows}


@command.command("list")
@optional_store_options
@format_option
def list_command(opened: StoreOption | None, format_) -> None:
    """List the shipped scoring profiles, and those of a store: the profile that each is based on, and its source."""
    from tdtsql.store.profiles import shipped_profiles

    shipped = shipped_profiles()
    rows: list[tuple] = [(name, profile.base, profile.source) for name, profile in shipped.items()]
    rows += [(name, row["base_profile"], row["source"]) for name, row in _stored(opened).items() if name not in shipped]
    print_rows(("profile_id", "base", "source"), rows, format_)


@command.command("show")
@click.argument("name")
@optional_store_options
@format_option
def show_command(name, opened: StoreOption | None, format_) -> None:
    """Show the values of profile NAME, those of its base included, with the meaning of each column."""
    from tdtsql.definitions.table import tables
    from tdtsql.store.profiles import of_packages, shipped_profiles, with_base

    profiles, stored = shipped_profiles(), _stored(opened)
    if name not in {*profiles, *stored}:
        raise unknown_name_error("profile", name, [*profiles, *(one for one in stored if one not in profiles)])
    values = with_base(profiles, name) if name in profiles else stored[name]
    meaning = {**of_packages("meaning"), **tables()["registry.profile"].comments}
    rows = [
        (column, value, meaning.get(column))
        for column, value in values.items()
        if name in profiles or (value is not None and column not in ("profile_no", "profile_id"))
    ]
    print_rows(("column", "value", "meaning"), rows, format_, keep=("value",))
