"""`tdtsql copy`: a store into another place."""

import click

from tdtsql.cli.options import store_options
from tdtsql.cli.output import say


@click.command("copy")
@click.argument("target", metavar="TO")
@store_options
def command(target: str, db: str, trace: bool) -> None:
    """Copy the store, with its numbers and its ledger, into TO: a new file, or a database of PostgreSQL that has no
    store yet.

    Nothing is computed again; `tdtsql ledger verify --db TO` does that.
    """
    from tdtsql.cli.output import counted
    from tdtsql.cli.progress import progress_bar
    from tdtsql.remote.copying import copy_store
    from tdtsql.api import connect

    with (
        connect(db, read_only=db != ":memory:", trace=trace) as source,
        connect(target, trace=trace) as made,
        progress_bar() as progress,
    ):
        copied = copy_store(source.engine, made.engine, progress=progress)
        say(
            f"{made.path}: {counted(copied['registry.run'], 'run')} with "
            f"{counted(copied['base.decision'], 'decision')}, {counted(copied['ledger.computation'], 'computation')}.",
            err=True,
        )
