"""What a kernel is given: a view to compute, what it reads, and what the kernels of one scope share."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.progress import Progress, silent

Key = tuple[int, int, int]  #: run, profile, subset


@dataclass(slots=True)
class SortedScores:
    """What was sorted for one scope: nothing yet, nothing to sort, or the scores of each curve."""

    curves: dict[Key, Any] | None = None  #: sorted_scores.Curve of each
    is_made: bool = False
    lock: Lock = field(default_factory=Lock)  #: views are computed in parallel: one sorts, the others wait for it
    blocks: dict[Key, int] = field(default_factory=dict)
    cells: str = ""  #: table of the cells of all curves, once it is made


@dataclass(frozen=True, slots=True)
class Asked:
    """A view to compute in a scope."""

    engine: Engine  #: where the input views were computed
    names: Mapping[str, str]  #: relation -> its name in the engine
    body: str = ""  #: the view's own SELECT
    progress: Progress = silent
    requested: Collection[tuple[int, int]] = ()  #: (run, profile) computed whatever the work
    sorted_scores: SortedScores = field(default_factory=SortedScores)  #: for all views of scored trials

    def name(self, relation: str) -> str:
        """Return the name in the engine of a relation that the scope may have left as it is."""
        return self.names.get(relation, relation)
