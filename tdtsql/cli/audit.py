"""`tdtsql audit`: the invariants of a store."""

import click

from tdtsql.cli.options import NEW_FILE, StoreOption, format_option, store_options
from tdtsql.cli.output import counted, print_rows, say
from tdtsql.cli.progress import progress_bar
from tdtsql.output_file import write_whole


@click.command("audit")
@click.option("--junit", "junit_path", type=NEW_FILE, help="Write a JUnit file too.")
@click.option("--verbose", "show_all", is_flag=True, help="Print what holds, too.")
@store_options
@format_option
def command(junit_path, show_all, opened: StoreOption, format_) -> None:
    """Check the invariants of the store and print the rows that violate one; exit 1 on an error.

    Stored scores are not recomputed: use `tdtsql ledger verify`.
    """
    from tdtsql.audit.invariants import audit, junit
    from tdtsql.store.definitions import check_store

    with opened.inspect() as store, progress_bar() as progress:
        check_store(store.engine, thorough=True)
        results = audit(store.engine, progress=progress)
    shown = [result for result in results if show_all or format_ == "json" or result.n_bad]
    rows = [
        (result.invariant.name, result.invariant.severity, result.n_bad, result.invariant.title, result.first)
        for result in shown
    ]
    if rows or format_ != "table":
        print_rows(("invariant", "severity", "n_bad", "title", "first"), rows, format_)
    if junit_path:
        write_whole(junit_path, junit(results).encode())
    n_error, n_warning = (
        sum(result.failed for result in results),
        sum(bool(result.n_bad) and not result.failed for result in results),
    )
    say(f"{counted(len(results), 'invariant')}: {n_error} violated, {counted(n_warning, 'warning')}.", err=True)
    say("Not checked: stored scores. `tdtsql ledger verify` computes them again.", err=True)
    if n_error:
        raise click.exceptions.Exit(1)
