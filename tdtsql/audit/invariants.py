"""The audit of a store: every invariant of tdtsql and its task packages is checked, and the ledger's chain verified."""

from tdtsql.progress import Progress, silent
from tdtsql.store.stored_results import ERROR, Result, ask
from tdtsql.engine.duckdb import Engine
from tdtsql.store.sets import verify_ledger


def audit(engine: Engine, *, progress: Progress = silent) -> list[Result]:
    """Ask every invariant, and return how each came out; the chain of the ledger is the last."""
    results, broken = ask(engine, progress=progress), verify_ledger(engine)
    title = "The ledger is unbroken and says what the store holds"
    return [*results, Result("ledger_chain", ERROR, title, len(broken), broken[0] if broken else "")]


def junit(results: list[Result]) -> str:
    """Return the results as a JUnit file: a warning is a passed case with its finding in system-out."""
    from tdtsql.audit.templated import render  # imported late: templates are read by few commands

    return render("junit.xml", results=results) + "\n"
