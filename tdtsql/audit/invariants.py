"""The audit of a store: every invariant of tdtsql and its task packages is checked, and the ledger's chain verified."""

from collections.abc import Callable
from functools import partial

from tdtsql.progress import Progress, silent
from tdtsql.store.stored_results import ERROR, Invariant, Result, ask, asked, invariants
from tdtsql.engine.duckdb import Engine
from tdtsql.store.sets import verify_ledger


def audit(engine: Engine, *, only: str = "", has_ledger: bool = True, progress: Progress = silent) -> list[Result]:
    """Ask every invariant, and return how each came out; the chain of the ledger is the last.

    Args:
        only: ``at_load`` or ``of_kept``: those of which this is true, without the ledger.
        has_ledger: False where the caller verifies the ledger.
    """
    results = ask(engine, only, progress)
    if has_ledger and not only:
        results.append(_chain(engine))
    return results


def checks(engine: Engine) -> list[Callable[[], Result]]:
    """Return a function for each invariant, the chain of the ledger last, that asks it: for who has not the time for
    all at once.
    """
    return [
        *(partial(asked, engine, invariant) for invariant in invariants(engine)),
        partial(_chain, engine),
    ]


def _chain(engine: Engine) -> Result:
    broken = verify_ledger(engine)
    return Result(
        Invariant("ledger_chain", ERROR, "The ledger is unbroken and says what the store holds", ""),
        len(broken),
        broken[0] if broken else "",
    )


def junit(results: list[Result]) -> str:
    """Return the results as a JUnit file: a warning is a passed case with its finding in system-out."""
    from tdtsql.audit.templated import render  # imported late: templates are read by few commands

    return render("junit.xml", results=results) + "\n"
