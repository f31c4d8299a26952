"""`tdtsql ledger`: what was done to the store, and whether that is still true."""

import click

from tdtsql.cli.options import StoreOption, format_option, store_options
from tdtsql.cli.output import counted, print_relation, say
from tdtsql.cli.progress import progress_bar
from tdtsql.report.tables import PEOPLE

#: entries after a head that are listed
LISTED = 20


@click.group("ledger")
def command() -> None:
    """What was done to the store, and whether that is still true."""


@command.command("list")
@store_options
@format_option
def list_command(opened: StoreOption, format_) -> None:
    """List every entry: what was loaded, defined, computed and dropped.

    csv, tsv and json have the detail and the hashes of each entry, too.
    """
    with opened.inspect() as store:
        print_relation(
            store.relation(
                f"select entry_no, made_at, json_extract_string(detail, '$.by') as made_by, kind, subject"
                f"{', detail, previous_sha256, sha256' if format_ not in PEOPLE else ''} "
                "from ledger.entry order by entry_no"
            ),
            format_,
        )


@command.command("head")
@store_options
def head_command(opened: StoreOption) -> None:
    """Print the hash of the last entry. Save it elsewhere (paper, mail, git note).

    It covers every entry up to now: `tdtsql ledger verify --head HASH` reports later whether they are unchanged.
    """
    from tdtsql.store.ledger import head

    with opened.inspect() as store:
        number, sha256 = head(store.engine)
    click.echo(f"entry {number}", err=True)
    click.echo(sha256)


def _checked_head(context: click.Context, option: click.Parameter, head: str | None) -> str | None:
    """Refuse what cannot be the hash of an entry: it has fewer than 16 hexadecimal digits."""
    if head is not None and (len(head) < 16 or set(head) - set("0123456789abcdef")):
        raise click.UsageError(
            f"--head is {head!r}, expected at least 16 hexadecimal digits: what `tdtsql ledger head` printed."
        )
    return head


head_option = click.option(
    "--head",
    metavar="HASH",
    callback=_checked_head,
    help="What `tdtsql ledger head` printed earlier; at least 16 digits.",
)


@command.command("verify")
@click.option("--quick", is_flag=True, help="Do not compute the numbers again.")
@head_option
@store_options
def verify_command(quick, head, opened: StoreOption) -> None:
    """Verify the ledger, compare it with the store and recompute every number; report the first divergence.

    Anyone with write access can rebuild the ledger. With --head, a hash that you saved elsewhere, the command lists
    the entries after it, and exits with 1 where anything loaded or defined before it has changed since.
    """
    from tdtsql.own.stored import verify_ledger
    from tdtsql.scoring.recompute import derived_again, recompute
    from tdtsql.scoring.score import stale_runs
    from tdtsql.store.definitions import check_store, foreign
    from tdtsql.store.ledger import KEPT_DIFFER, since

    with opened.inspect() as store, progress_bar() as progress:
        check_store(store.engine, thorough=True)
        found = foreign(store.engine) + verify_ledger(store.engine, expected=head)
        since_head = head or ""
        later = since(store.engine, since_head).entries if since_head else []
        said = counted(store.engine.value("select count(*) from ledger.entry"), "entry")
        n_stale = 0 if quick else len(stale_runs(store.engine))
        # if only stored results differ from their hash, recompute them to find which
        if not quick and all(KEPT_DIFFER in line for line in found):
            found = derived_again(store.engine) + found
            outcome = recompute(store.engine, progress=progress)
            found = [*(str(divergence) for divergence in outcome.divergences), *found]
            said += f", {counted(outcome.n_value, 'number')} of {counted(outcome.n_computation, 'computation')}"
    if later:
        click.echo(f"{counted(len(later), 'entry')} after {since_head[:16]}:", err=True)
        for line in (*later[:LISTED], *([f"and {len(later) - LISTED} more"] if len(later) > LISTED else [])):
            click.echo(f"  {line}", err=True)
    if found:
        say(found[0], err=True)
        if len(found) > 1:
            say(
                f"{counted(len(found) - 1, 'more divergence')} or consequences of it; the first is printed in full.",
                err=True,
            )
        raise click.exceptions.Exit(1)
    say(f"{said}: all as the ledger says.")
    if n_stale:
        say(f"Not recomputed: {counted(n_stale, 'run')} not up to date. `tdtsql score` computes them.", err=True)
    if head is None:
        say(
            "Not checked: whether the ledger was rebuilt. Pass --head with a hash that `tdtsql ledger "
            "head` printed earlier.",
            err=True,
        )
