"""`tdtsql ledger`: what was done to the store, and whether that is still true."""

import click

from tdtsql.cli.options import format_option, store_options
from tdtsql.cli.output import say


@click.group("ledger")
def command() -> None:
    """What was done to the store, and whether that is still true."""


@command.command("list")
@store_options
@format_option
def list_command(db: str, trace: bool, format_: str) -> None:
    """List every entry: what was loaded, defined, computed and dropped."""
    from tdtsql.cli.output import print_relation
    from tdtsql.store.store import connect

    with connect(db, read_only=db != ":memory:", trace=trace, inspect=True) as store:
        print_relation(store.relation("select entry_no, made_at, kind, subject, detail, previous_sha256, sha256 from ledger.entry order by entry_no"), format_)


@command.command("verify")
@click.option("--quick", is_flag=True, help="Do not compute the numbers again.")
@store_options
def verify_command(quick: bool, db: str, trace: bool) -> None:
    """Check the chain of entries, hold it against the store, compute every number again; name the first divergence."""
    from tdtsql.cli.progress import progress_bar
    from tdtsql.store.chain import verify_chain
    from tdtsql.store.definitions import check_store
    from tdtsql.store.recompute import recompute
    from tdtsql.store.store import connect

    with connect(db, read_only=db != ":memory:", trace=trace, inspect=True) as store, progress_bar() as progress:
        check_store(store.engine, thorough=True)
        found = verify_chain(store.engine)
        said = f"{store.engine.value('select count(*) from ledger.entry')} entries"
        if not found and not quick:
            outcome = recompute(store.engine, progress=progress)
            found += [str(divergence) for divergence in outcome.divergences]
            said += f", {outcome.n_value} numbers of {outcome.n_computation} computations"
    if found:
        say(found[0], err=True)
        if len(found) > 1:
            say(f"{len(found) - 1} more divergences follow from it or beside it; the first is told in full.", err=True)
        raise click.exceptions.Exit(1)
    say(f"{said}: all as the ledger says.")
