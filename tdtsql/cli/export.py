"""`tdtsql export`: the store as Parquet files."""

import click

from tdtsql.cli.ask import warn_of_state
from tdtsql.cli.options import NEW_FOLDER, StoreOption, format_option, store_options
from tdtsql.cli.output import print_rows, say_left_out


@click.command("export")
@click.argument("folder", type=NEW_FOLDER)
@store_options
@format_option
def command(folder, opened: StoreOption, format_) -> None:
    """Write every table and all stored scores as Parquet files into the new FOLDER.

    Decisions and other rows of runs become one file a run, below condition=ID/run=ID.
    """
    from tdtsql.store.export import export

    with opened.read() as store:
        print_rows(("relation", "rows"), sorted(export(store.engine, folder).items()), format_)
        say_left_out(store.engine)
        warn_of_state(store)
