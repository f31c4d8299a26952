"""Invariants: what must hold in every store, each a file of ``sql/audit`` that selects the rows that break it.

Those of the stored scores (each is in the range of its contract, and unique) are checked whenever a store opens.
"""

import json
from dataclasses import dataclass
from functools import cache

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import BrokenContract, counted, verb
from tdtsql.definitions.sets import IN_USE
from tdtsql.definitions.catalogue import COMPILED
from tdtsql.progress import Progress, silent
from tdtsql.store.sets import recorded

ERROR, WARNING = "error", "warning"


@dataclass(frozen=True)
class Invariant:
    """One thing that must hold; the query returns the rows that break it."""

    name: str
    severity: str
    title: str
    sql: str
    at_load: bool = False
    of_kept: bool = False


@dataclass(frozen=True)
class Result:
    """How one invariant came out."""

    invariant: Invariant
    n_bad: int
    first: str  #: the first bad row, as text

    @property
    def failed(self) -> bool:
        return self.n_bad > 0 and self.invariant.severity == ERROR


def invariants(engine: Engine | None = None) -> list[Invariant]:
    """Return the invariants of ``sql/audit``, as they were compiled, and those of the packages of a store."""
    tasks = [] if engine is None else [found.task.name for found in recorded(engine)]
    parts = [_shipped(), *(IN_USE[task].definitions.get("audit", {}) for task in tasks if task in IN_USE)]
    return [Invariant(name=name, **entry) for part in parts for name, entry in part.items()]


@cache
def _shipped() -> dict[str, dict]:
    return json.loads((COMPILED / "audit.json").read_text(encoding="utf-8"))


def ask(engine: Engine, only: str = "", progress: Progress = silent) -> list[Result]:
    """Ask every invariant, or those of which ``at_load`` or ``of_kept`` is true, and return how each came out."""
    chosen = [invariant for invariant in invariants(engine) if not only or getattr(invariant, only)]
    if only:  # one query is planned faster than several
        query = " union all ".join(f"(select 1 from ({invariant.sql}) limit 1)" for invariant in chosen)
        if not engine.rows(query):
            return [Result(invariant, 0, "") for invariant in chosen]
    results = []
    for done, invariant in enumerate(chosen):
        progress(done, len(chosen), invariant.name)
        results.append(asked(engine, invariant))
    return results


def asked(engine: Engine, invariant: Invariant) -> Result:
    """Ask one invariant, and return how it came out."""
    # the rows are counted by the engine, the first is fetched
    rows = engine.records(f"with bad as ({invariant.sql}) select count(*) over () as n_bad, bad.* from bad limit 1")
    if not rows:
        return Result(invariant, 0, "")
    [row] = rows
    shown = {name: "NULL" if value is None else value for name, value in row.items() if name != "signature"}
    n_bad = row["n_bad"]
    return Result(invariant, n_bad, ", ".join(f"{name} {value}" for name, value in shown.items() if name != "n_bad"))


def broken_stored_results(engine: Engine) -> list[str]:
    """Return a message with relation and first row for each violation by stored results."""
    try:
        results = ask(engine, "of_kept")
    except (duckdb.BinderException, duckdb.CatalogException):  # a store of another version
        return [
            f"{engine.path}: its tables have other columns than those of this version, so its stored numbers cannot be "
            f"held against their contracts. Evaluate its bundle into a new store."
        ]
    return [
        f"{engine.path}: {result.invariant.title}, and {counted(result.n_bad, 'row')} {verb(result.n_bad, 'do')} not "
        f"({result.invariant.name}): {result.first}. "
        f"`tdtsql ledger verify --db {engine.path}` lists what was changed; restore the file, or evaluate its "
        f"bundle into a new store."
        for result in results
        if result.n_bad
    ]


def check_stored_results(engine: Engine) -> None:
    """Refuse a store whose stored results violate their contracts.

    Raises:
        BrokenContract: names relation and first row of each broken promise.
    """
    if broken := broken_stored_results(engine):
        raise BrokenContract(
            "\n".join(broken) + "\n`tdtsql sql query`, `explain` and `audit` open the store as it is; in Python "
            "`tdtsql.connect(..., inspect=True)`."
        )
