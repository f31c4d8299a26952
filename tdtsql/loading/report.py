"""What an evaluation did."""

from dataclasses import dataclass, field

from tdtsql.errors import Problem


@dataclass(slots=True)
class Report:
    """What an evaluation did."""

    warnings: list[Problem] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)  #: owners that were loaded or replaced
    kept: list[str] = field(default_factory=list)  #: owners that had not changed
    said: list[str] = field(default_factory=list)  #: what was recognised rather than told
    n_scored: int = 0  #: runs, per profile, that were scored
