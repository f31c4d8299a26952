"""`tdtsql copy`: copy a store."""

import click

from tdtsql.cli.ask import warn_of_state
from tdtsql.cli.options import NEW_FILE, StoreOption, store_options
from tdtsql.cli.output import counted, say, say_left_out
from tdtsql.output_file import written_beside


@click.command("copy")
@click.argument("target", metavar="TO", type=NEW_FILE)
@store_options
def command(target, opened: StoreOption) -> None:
    """Copy the store, with its numbers and its ledger, into the new file TO.

    Nothing is computed again; `tdtsql ledger verify --db TO` does that.
    """
    from tdtsql.engine.duckdb import check_file_name
    from tdtsql.errors import ExportExists
    from tdtsql.store.copy import copy_store

    if target.exists():
        raise ExportExists(f"{target}: the file exists. Name a new one.")
    check_file_name(str(target))
    with opened.read() as source, written_beside(target) as unfinished:
        copy = copy_store(source.engine, unfinished)
        try:
            copied = [
                counted(copy.value(f"select count(*) from {table}"), what)
                for table, what in (
                    ("registry.run", "run"),
                    ("base.decision", "decision"),
                    ("ledger.computation", "computation"),
                )
            ]
            copy.execute("checkpoint")  # the log is not moved along
        finally:
            copy.close()
        say_left_out(source.engine)
        warn_of_state(source)
    say(f"{target}: {copied[0]} with {copied[1]}, {copied[2]}.", err=True)
