"""What an evaluation did, and what it says on its way."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tdtsql.errors import Problem

#: told (steps done, steps in all, what is next)
Progress = Callable[[int, int, str], None]


@dataclass(slots=True)
class Report:
    """What an evaluation did."""

    warnings: list[Problem] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)  #: owners that were loaded or replaced
    kept: list[str] = field(default_factory=list)  #: owners that had not changed
    notes: list[str] = field(default_factory=list)  #: what was recognised rather than told, and what looks odd
    n_scored: int = 0  #: runs, per profile, that were scored
