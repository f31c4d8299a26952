"""Is this store sound: `tdtsql check`, `audit`, `ledger head`, `ledger verify`, `verify`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import click

from tdtsql.audit import invariants
from tdtsql.cli.options import NEW_FILE
from tdtsql.cli.output import Printed
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import BrokenDefinition, counted, format_value
from tdtsql.output_file import write_whole
from tdtsql.progress import Progress
from tdtsql.show.table import Table
from tdtsql.store import ledger, recording, sets
from tdtsql.store.opening import check_store, foreign
from tdtsql.store.stored_results import ask

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
    engine: Engine,
    progress: Progress,
    *,
    recompute: bool = False,
    head: Annotated[str | None, Head()] = None,
) -> Iterator[Any]:
    """Check whether a store is sound: definitions, ledger, derived rows, invariants; exit 1 on an error.

    `tdtsql audit` and `tdtsql ledger verify` are parts of it.

    Args:
        recompute: Also compute every number again.
        head: What `tdtsql ledger head` printed earlier; at least 16 digits.
    """

    from tdtsql.scoring.recompute import derived_again, recompute as compute_again
    from tdtsql.scoring.score import stale_runs

    definitions = foreign(engine)
    try:
        check_store(engine, thorough=True)
    except BrokenDefinition as error:
        definitions += str(error).splitlines()
    errors = {"definitions": definitions, "ledger": sets.verify_ledger(engine, expected=head)}
    errors["derived rows"] = derived_again(engine)
    found = [(what, "error", 1, str(message)) for what, messages in errors.items() for message in messages]
    found += [
        (result.name, result.severity, result.n_bad, f"{result.title}: {result.first}")
        for result in ask(engine, progress=progress)
        if result.n_bad
    ]
    unchecked = ["whether all entries of the ledger were rebuilt (--head HASH)"] if head is None else []
    if not recompute:
        unchecked.append("whether the numbers come out again (--recompute)")
    elif n_stale := len(stale_runs(engine)):
        unchecked.append(f"{counted(n_stale, 'run')} not up to date (`tdtsql score` computes them)")
    if recompute:
        divergences = compute_again(engine, progress=progress).divergences
        found += [("numbers", "error", 1, str(divergence)) for divergence in divergences]
    yield Table(("check", "severity", "n", "finding"), found)
    n_error = sum(row[1] == "error" for row in found)
    yield f"{counted(n_error, 'error')}, {counted(len(found) - n_error, 'warning')}."
    if unchecked:
        yield f"Not checked: {', '.join(unchecked)}."
    yield int(bool(n_error))


def audit(
    engine: Engine,
    format_: str,
    progress: Progress,
    *,
    junit: Annotated[Path | None, NEW_FILE] = None,
    verbose: bool = False,
) -> Iterator[Any]:
    """Check the invariants of the store and print the rows that violate one; exit 1 on an error.

    Stored scores are not recomputed: use `tdtsql ledger verify`.

    Args:
        junit: Write a JUnit file too.
        verbose: Print what holds, too.
    """

    check_store(engine, thorough=True)
    results = invariants.audit(engine, progress=progress)
    rows = [
        (result.name, result.severity, result.n_bad, result.title, result.first)
        for result in results
        if verbose or format_ == "json" or result.n_bad
    ]
    yield Table(("invariant", "severity", "n_bad", "title", "first"), rows)
    if junit:
        write_whole(junit, invariants.junit(results).encode())
    n_error = sum(result.failed for result in results)
    n_warning = sum(bool(result.n_bad) and not result.failed for result in results)
    yield f"{counted(len(results), 'invariant')}: {n_error} violated, {counted(n_warning, 'warning')}."
    yield "Not checked: stored scores. `tdtsql ledger verify` computes them again."
    yield int(bool(n_error))


def ledger_head(engine: Engine) -> Iterator[Any]:
    """Print the hash of the last entry. Save it elsewhere (paper, mail, git note).

    It covers every entry up to now: `tdtsql ledger verify --head HASH` reports later whether they are unchanged.
    """
    number, sha256 = recording.head(engine)
    yield f"entry {number}"
    yield Printed(sha256)


def verify_ledger(
    engine: Engine, progress: Progress, *, quick: bool = False, head: Annotated[str | None, Head()] = None
) -> Iterator[Any]:
    """Verify the ledger, compare it with the store and recompute every number; report the first divergence.

    Anyone with write access can rebuild the ledger. With --head, a hash that you saved elsewhere, the command lists
    the entries after it, and exits with 1 where anything loaded or defined before it has changed since.

    Args:
        quick: Do not compute the numbers again.
        head: What `tdtsql ledger head` printed earlier; at least 16 digits.
    """

    from tdtsql.scoring.recompute import derived_again, recompute as compute_again
    from tdtsql.scoring.score import stale_runs

    check_store(engine, thorough=True)
    found = foreign(engine) + sets.verify_ledger(engine, expected=head)
    later = ledger.since(engine, head).entries if head else []
    said = counted(engine.value("select count(*) from ledger.entry"), "entry")
    n_stale = 0 if quick else len(stale_runs(engine))
    # if only stored results differ from their hash, recompute them to find which
    if not quick and all(ledger.KEPT_DIFFER in line for line in found):
        found = derived_again(engine) + found
        outcome = compute_again(engine, progress=progress)
        found = [*(str(divergence) for divergence in outcome.divergences), *found]
        said += f", {counted(outcome.n_value, 'number')} of {counted(outcome.n_computation, 'computation')}"
    if head and later:
        yield f"{counted(len(later), 'entry')} after {head[:16]}:"
        shown = [*later[:LISTED], *([f"and {len(later) - LISTED} more"] if len(later) > LISTED else [])]
        yield from (f"  {line}" for line in shown)
    if found:
        yield found[0]
        if len(found) > 1:
            more = counted(len(found) - 1, "more divergence")
            yield f"{more} or consequences of it; the first is printed in full."
        yield 1
        return
    yield Printed(f"{said}: all as the ledger says.")
    if n_stale:
        yield f"Not recomputed: {counted(n_stale, 'run')} not up to date. `tdtsql score` computes them."
    if head is None:
        yield (
            "Not checked: whether the ledger was rebuilt. Pass --head with a hash that `tdtsql ledger "
            "head` printed earlier."
        )


def verify(engine: Engine, signature: str) -> Iterator[Any]:
    """Recompute the number (or comparison) of SIGNATURE, and report which part differs."""
    from tdtsql.audit import signature as signatures

    found = signatures.verify(signature, engine)
    rows = [(part.name, part.signed, part.now, "yes" if part.agrees else "NO") for part in found.parts]
    yield Table(("part", "signed", "now", "agrees"), rows)
    where = f"{found.run} in {found.condition}"
    if not found:
        yield f"run {where}: {', '.join(part.name for part in found.parts if not part.agrees)} differ."
        yield 1
    elif signatures.is_comparison(signature):
        yield f"runs {where}: compared again, as signed."
    else:
        yield f"run {where}: {format_value(found.value)}, as signed."
