"""`tdtsql check`: is this store sound."""

import click

from tdtsql.cli.ledger import head_option
from tdtsql.cli.options import StoreOption, format_option, store_options
from tdtsql.cli.output import counted, print_rows, say
from tdtsql.cli.progress import progress_bar
from tdtsql.errors import BrokenDefinition


@click.command("check")
@click.option("--recompute", is_flag=True, help="Also compute every number again.")
@head_option
@store_options
@format_option
def command(recompute, head, opened: StoreOption, format_) -> None:
    """Check whether a store is sound: definitions, ledger, derived rows, invariants; exit 1 on an error.

    `tdtsql audit` and `tdtsql ledger verify` are parts of it.
    """
    from tdtsql.audit.invariants import audit
    from tdtsql.own.stored import verify_ledger
    from tdtsql.scoring.recompute import derived_again
    from tdtsql.scoring.recompute import recompute as compute_again
    from tdtsql.scoring.score import stale_runs
    from tdtsql.store.definitions import check_store, foreign

    with opened.inspect() as store, progress_bar() as progress:
        engine = store.engine
        definitions = foreign(engine)
        try:
            check_store(engine, thorough=True)
        except BrokenDefinition as error:
            definitions += str(error).splitlines()
        found = [("definitions", "error", 1, message) for message in definitions]
        found += [("ledger", "error", 1, message) for message in verify_ledger(engine, expected=head)]
        found += [("derived rows", "error", 1, message) for message in derived_again(engine)]
        found += [
            (
                result.invariant.name,
                result.invariant.severity,
                result.n_bad,
                f"{result.invariant.title}: {result.first}",
            )
            for result in audit(engine, has_ledger=False, progress=progress)
            if result.n_bad
        ]
        n_stale = len(stale_runs(engine)) if recompute else 0
        if recompute:
            outcome = compute_again(engine, progress=progress)
            found += [("numbers", "error", 1, str(divergence)) for divergence in outcome.divergences]
    if found or format_ != "table":
        print_rows(("check", "severity", "n", "finding"), found, format_)
    n_error = sum(row[1] == "error" for row in found)
    say(f"{counted(n_error, 'error')}, {counted(len(found) - n_error, 'warning')}.", err=True)
    unchecked = ["whether all entries of the ledger were rebuilt (--head HASH)"] if head is None else []
    unchecked += [] if recompute else ["whether the numbers come out again (--recompute)"]
    unchecked += [f"{counted(n_stale, 'run')} not up to date (`tdtsql score` computes them)"] if n_stale else []
    if unchecked:
        say(f"Not checked: {', '.join(unchecked)}.", err=True)
    if n_error:
        raise click.exceptions.Exit(1)
