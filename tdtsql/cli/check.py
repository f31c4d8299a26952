"""Is this store sound: `tdtsql check`, `audit`, `ledger head`, `ledger verify`, `verify`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from tdtsql.cli.options import NEW_FILE
from tdtsql.cli.output import counted, print_rows, say
from tdtsql.errors import BrokenDefinition, format_value
from tdtsql.output_file import write_whole
from tdtsql.progress import Progress

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Engine

#: entries after a head that are listed
LISTED = 20


class Head(click.ParamType):
    """The hash of an entry of the ledger, or its first digits."""

    name = "hash"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if len(value) < 16 or set(value) - set("0123456789abcdef"):
            raise click.UsageError(
                f"--head is {value!r}, expected at least 16 hexadecimal digits: what `tdtsql ledger head` printed."
            )
        return value


def check(
    engine: "Engine",
    format_: str,
    progress: Progress,
    *,
    recompute: bool = False,
    head: Annotated[str | None, Head()] = None,
) -> int:
    """Check whether a store is sound: definitions, ledger, derived rows, invariants; exit 1 on an error.

    `tdtsql audit` and `tdtsql ledger verify` are parts of it.

    Args:
        recompute: Also compute every number again.
        head: What `tdtsql ledger head` printed earlier; at least 16 digits.
    """
    from tdtsql.audit.invariants import audit
    from tdtsql.store.sets import verify_ledger
    from tdtsql.scoring.recompute import derived_again
    from tdtsql.scoring.recompute import recompute as compute_again
    from tdtsql.scoring.score import stale_runs
    from tdtsql.store.opening import check_store, foreign

    definitions = foreign(engine)
    try:
        check_store(engine, thorough=True)
    except BrokenDefinition as error:
        definitions += str(error).splitlines()
    found = [("definitions", "error", 1, message) for message in definitions]
    found += [("ledger", "error", 1, message) for message in verify_ledger(engine, expected=head)]
    found += [("derived rows", "error", 1, message) for message in derived_again(engine)]
    found += [
        (result.invariant.name, result.invariant.severity, result.n_bad, f"{result.invariant.title}: {result.first}")
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
    return int(bool(n_error))


def audit(
    engine: "Engine",
    format_: str,
    progress: Progress,
    *,
    junit: Annotated[Path | None, NEW_FILE] = None,
    verbose: bool = False,
) -> int:
    """Check the invariants of the store and print the rows that violate one; exit 1 on an error.

    Stored scores are not recomputed: use `tdtsql ledger verify`.

    Args:
        junit: Write a JUnit file too.
        verbose: Print what holds, too.
    """
    from tdtsql.audit import invariants
    from tdtsql.store.opening import check_store

    check_store(engine, thorough=True)
    results = invariants.audit(engine, progress=progress)
    rows = [
        (result.invariant.name, result.invariant.severity, result.n_bad, result.invariant.title, result.first)
        for result in results
        if verbose or format_ == "json" or result.n_bad
    ]
    if rows or format_ != "table":
        print_rows(("invariant", "severity", "n_bad", "title", "first"), rows, format_)
    if junit:
        write_whole(junit, invariants.junit(results).encode())
    n_error = sum(result.failed for result in results)
    n_warning = sum(bool(result.n_bad) and not result.failed for result in results)
    say(f"{counted(len(results), 'invariant')}: {n_error} violated, {counted(n_warning, 'warning')}.", err=True)
    say("Not checked: stored scores. `tdtsql ledger verify` computes them again.", err=True)
    return int(bool(n_error))


def ledger_head(engine: "Engine") -> str:
    """Print the hash of the last entry. Save it elsewhere (paper, mail, git note).

    It covers every entry up to now: `tdtsql ledger verify --head HASH` reports later whether they are unchanged.
    """
    from tdtsql.store.recording import head

    number, sha256 = head(engine)
    say(f"entry {number}", err=True)
    return sha256


def verify_ledger(
    engine: "Engine", progress: Progress, *, quick: bool = False, head: Annotated[str | None, Head()] = None
) -> int:
    """Verify the ledger, compare it with the store and recompute every number; report the first divergence.

    Anyone with write access can rebuild the ledger. With --head, a hash that you saved elsewhere, the command lists
    the entries after it, and exits with 1 where anything loaded or defined before it has changed since.

    Args:
        quick: Do not compute the numbers again.
        head: What `tdtsql ledger head` printed earlier; at least 16 digits.
    """
    from tdtsql.store.sets import verify_ledger
    from tdtsql.scoring.recompute import derived_again, recompute
    from tdtsql.scoring.score import stale_runs
    from tdtsql.store.opening import check_store, foreign
    from tdtsql.store.ledger import KEPT_DIFFER, since

    check_store(engine, thorough=True)
    found = foreign(engine) + verify_ledger(engine, expected=head)
    later = since(engine, head).entries if head else []
    said = counted(engine.value("select count(*) from ledger.entry"), "entry")
    n_stale = 0 if quick else len(stale_runs(engine))
    # if only stored results differ from their hash, recompute them to find which
    if not quick and all(KEPT_DIFFER in line for line in found):
        found = derived_again(engine) + found
        outcome = recompute(engine, progress=progress)
        found = [*(str(divergence) for divergence in outcome.divergences), *found]
        said += f", {counted(outcome.n_value, 'number')} of {counted(outcome.n_computation, 'computation')}"
    if head and later:
        say(f"{counted(len(later), 'entry')} after {head[:16]}:", err=True)
        for line in (*later[:LISTED], *([f"and {len(later) - LISTED} more"] if len(later) > LISTED else [])):
            say(f"  {line}", err=True)
    if found:
        say(found[0], err=True)
        if len(found) > 1:
            more = counted(len(found) - 1, "more divergence")
            say(f"{more} or consequences of it; the first is printed in full.", err=True)
        return 1
    say(f"{said}: all as the ledger says.")
    if n_stale:
        say(f"Not recomputed: {counted(n_stale, 'run')} not up to date. `tdtsql score` computes them.", err=True)
    if head is None:
        say(
            "Not checked: whether the ledger was rebuilt. Pass --head with a hash that `tdtsql ledger "
            "head` printed earlier.",
            err=True,
        )
    return 0


def verify(engine: "Engine", format_: str, signature: str) -> int:
    """Recompute the number (or comparison) of SIGNATURE, and report which part differs."""
    from tdtsql.audit import signature as signatures

    found = signatures.verify(signature, engine)
    rows = [(part.name, part.signed, part.now, "yes" if part.agrees else "NO") for part in found.parts]
    print_rows(("part", "signed", "now", "agrees"), rows, format_)
    if not found:
        different = ", ".join(part.name for part in found.parts if not part.agrees)
        say(f"run {found.run} in {found.condition}: {different} differ.", err=True)
        return 1
    is_comparison = signatures.is_comparison(signature)
    what = "compared again" if is_comparison else format_value(found.value)
    say(f"{'runs' if is_comparison else 'run'} {found.run} in {found.condition}: {what}, as signed.", err=True)
    return 0
