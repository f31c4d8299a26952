"""What an evaluation did, and what it says on its way."""

from dataclasses import dataclass, field

from tdtsql.audit.invariants import audit
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problem


@dataclass(slots=True)
class Report:
    """What an evaluation did."""

    warnings: list[Problem] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)  #: owners that were loaded or replaced
    kept: list[str] = field(default_factory=list)  #: owners that had not changed
    notes: list[str] = field(default_factory=list)  #: what was recognised rather than told, and what looks odd
    n_scored: int = 0  #: runs, per profile, that were scored


def odd_rows(engine: Engine, owner: str) -> list[Problem]:
    """Return W891 for each invariant that rows break which were loaded by themselves, as ``owner``."""
    return [
        Problem(
            "W891",
            owner,
            None,
            None,
            f"{result.invariant.title}, and {result.n_bad} rows do not",
            result.first,
            "`tdtsql audit` tells more.",
        )
        for result in audit(engine, only_at_load=True)
        if result.n_bad
    ]
