"""`tdtsql copy`: copy a store."""

from contextlib import nullcontext
from pathlib import Path

import click

from tdtsql.cli.ask import warn_of_state
from tdtsql.cli.options import StoreOption, store_options
from tdtsql.cli.output import counted, say, say_left_out
from tdtsql.cli.progress import progress_bar
from tdtsql.output_file import written_beside


@click.command("copy")
@click.argument("target", metavar="TO")
@store_options
def command(target, opened: StoreOption) -> None:
    """Copy the store, with its numbers and its ledger, into TO: a new file, or a database of PostgreSQL that has no
    store yet.

    Nothing is computed again; `tdtsql ledger verify --db TO` does that.
    """
    from tdtsql.api import connect
    from tdtsql.engine.duckdb import check_file_name
    from tdtsql.remote.address import opener
    from tdtsql.remote.copying import copy_store

    # a new file appears when it is complete
    is_new = opener(target) is None and target != ":memory:" and not Path(target).exists()
    if is_new:
        check_file_name(target)
    with (
        written_beside(Path(target)) if is_new else nullcontext(target) as place,
        opened.read() as source,
        connect(str(place), create=True, trace=opened.trace) as made,
        progress_bar() as progress,
    ):
        copied = copy_store(source.engine, made.engine, progress=progress)
        if is_new:  # closing would leave what does not fit on the disk in the log, which is not moved along
            made.engine.execute("checkpoint")
        say_left_out(source.engine)
        warn_of_state(source)
    say(
        f"{target}: {counted(copied['registry.run'], 'run')} with {counted(copied['base.decision'], 'decision')}, "
        f"{counted(copied['ledger.computation'], 'computation')}.",
        err=True,
    )
