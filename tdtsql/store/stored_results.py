"""Invariants: what must hold in every store, each a file of ``sql/audit`` that selects the rows that break it.

Those of the stored scores (each is in the range of its contract, and unique) are checked whenever a store opens.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import BrokenContract, counted, verb
from tdtsql.definitions.sets import IN_USE
from tdtsql.definitions.catalogue import COMPILED
from tdtsql.progress import Progress, silent
from tdtsql.store.sets import recorded

ERROR, WARNING = "error", "warning"


class Result(NamedTuple):
    """How one invariant came out."""

    name: str
    severity: str
    title: str
    n_bad: int
    first: str  #: the first bad row, as text

    @property
    def failed(self) -> bool:
        return self.n_bad > 0 and self.severity == ERROR


def invariants(engine: Engine | None = None) -> dict[str, dict[str, Any]]:
    """Return the invariants of ``sql/audit``, as they were compiled, and those of the packages of a store: name ->
    ``title``, ``severity``, ``sql`` of the rows that break it, and when it is checked.
    """
    tasks = [] if engine is None else [found.task.name for found in recorded(engine)]
    return _shipped() | {
        name: entry
        for task in tasks
        if task in IN_USE
        for name, entry in IN_USE[task].definitions.get("audit", {}).items()
    }


@cache
def _shipped() -> dict[str, dict[str, Any]]:
    return json.loads((COMPILED / "audit.json").read_text(encoding="utf-8"))


def ask(engine: Engine, only: str = "", progress: Progress = silent) -> list[Result]:
    """Ask every invariant, or those of which ``at_load`` or ``of_kept`` is true, and return how each came out; nothing
    where all of those hold.
    """
    chosen = {name: entry for name, entry in invariants(engine).items() if not only or entry.get(only)}
    if only:  # one query is planned faster than several
        query = " union all ".join(f"(select 1 from ({entry['sql']}) limit 1)" for entry in chosen.values())
        if not engine.rows(query):
            return []
    results = []
    for done, (name, entry) in enumerate(chosen.items()):
        progress(done, len(chosen), name)
        results.append(asked(engine, name, entry))
    return results


def asked(engine: Engine, name: str, entry: Mapping[str, Any]) -> Result:
    """Ask one invariant, and return how it came out."""
    # the rows are counted by the engine, the first is fetched
    sql = f"with bad as ({entry['sql']}) select count(*) over () as n_bad, bad.* from bad limit 1"
    [row] = engine.records(sql) or [{"n_bad": 0}]
    n_bad = row.pop("n_bad")
    shown = [f"{key} {'NULL' if value is None else value}" for key, value in row.items() if key != "signature"]
    return Result(name, entry["severity"], entry["title"], n_bad, ", ".join(shown))


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
        f"{engine.path}: {result.title}, and {counted(result.n_bad, 'row')} {verb(result.n_bad, 'do')} not "
        f"({result.name}): {result.first}. "
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
