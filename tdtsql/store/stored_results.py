"""Invariants: what must hold in every store, each a file of ``sql/audit`` that selects the rows that break it.

Those of the stored scores (each is in the range of its contract, and unique) are checked whenever a store opens.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import BrokenContract, counted, verb
from tdtsql.definitions.sets import IN_USE
from tdtsql.definitions.catalogue import COMPILED
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


@cache
def _shipped() -> dict[str, dict]:
    return json.loads((COMPILED / "audit.json").read_text(encoding="utf-8"))


def invariants(engine: Engine | None = None) -> list[Invariant]:
    """Return the invariants of ``sql/audit``, as they were compiled, and those of the packages of a store."""
    tasks = [] if engine is None else [found.task.name for found in recorded(engine)]
    entries = [_shipped(), *(IN_USE[task].definitions.get("audit", {}) for task in tasks if task in IN_USE)]
    return [Invariant(name=name, **entry) for part in entries for name, entry in part.items()]


def _of_kept(engine: Engine) -> list[Invariant]:
    return [invariant for invariant in invariants(engine) if invariant.of_kept]


def asked(engine: Engine, invariant: Invariant) -> Result:
    """Ask one invariant, and return how it came out."""
    # the rows are counted by the engine, the first is fetched
    rows = engine.rows(f"with bad as ({invariant.sql}) select count(*) over () as n_bad, bad.* from bad limit 1")
    columns = [name[0] for name in engine.connection.description or []]
    first = (
        ", ".join(
            f"{name} {_shown(value)}"
            for name, value in zip(columns[1:], rows[0][1:], strict=False)
            if name != "signature"
        )
        if rows
        else ""
    )
    return Result(invariant, rows[0][0] if rows else 0, first)


def is_any_broken(engine: Engine, chosen: Iterable[Invariant] | None = None) -> bool:
    """Check invariants (default: those of stored scores) in one query: it is planned faster than several."""
    questions = _of_kept(engine) if chosen is None else chosen
    return bool(
        engine.rows(" union all ".join(f"(select 1 from ({invariant.sql}) limit 1)" for invariant in questions))
    )


def broken_stored_results(engine: Engine) -> list[str]:
    """Return a message with relation and first row for each violation by stored results."""
    try:
        is_broken = is_any_broken(engine)
    except (duckdb.BinderException, duckdb.CatalogException):  # a store of another version
        return [
            f"{engine.path}: its tables have other columns than those of this version, so its stored numbers cannot be "
            f"held against their contracts. Evaluate its bundle into a new store."
        ]
    if not is_broken:
        return []
    return [
        f"{engine.path}: {result.invariant.title}, and {counted(result.n_bad, 'row')} {verb(result.n_bad, 'do')} not "
        f"({result.invariant.name}): {result.first}. "
        f"`tdtsql ledger verify --db {engine.path}` lists what was changed; restore the file, or evaluate its "
        f"bundle into a new store."
        for result in (asked(engine, invariant) for invariant in _of_kept(engine))
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


def _shown(value: object) -> str:
    return "NULL" if value is None else str(value)
