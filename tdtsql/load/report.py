"""What an evaluation did, and what it says on its way.

Code   Meaning
W714   a run, condition or corpus replaces one of the same name
W891   rows that were loaded by themselves and break an invariant of the store
"""

from dataclasses import dataclass, field

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problem, counted, verb
from tdtsql.files.find import Inputs
from tdtsql.files.staging import stage
from tdtsql.store.recording import note_load
from tdtsql.store.stored_results import ask


@dataclass(slots=True)
class Report:
    """What an evaluation did."""

    warnings: list[Problem] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)  #: owners that were loaded or replaced
    kept: list[str] = field(default_factory=list)  #: owners that had not changed
    notes: list[str] = field(default_factory=list)  #: what was recognised without being specified, and suspicious input
    files: dict[str, list[str]] = field(default_factory=dict)  #: run, loaded or unchanged -> its files, as given
    renumbered: list[str] = field(default_factory=list)  #: conditions with runs whose topics or trials are others now
    has_other_stories: bool = False  #: the corpus has other stories now, or under other numbers
    replaced: dict[str, str] = field(default_factory=dict)  #: owner that replaced another -> message about it
    extents: dict[str, str] = field(default_factory=dict)  #: run that was read -> its rows and topics, in words
    several: str = ""  #: code of several runs in one file; empty: these are allowed
    nameless: list[str] = field(default_factory=list)  #: files that name no run, of which each is a run of its name
    n_scored: int = 0  #: runs, per profile, that were scored
    bundle: str = ""  #: name of the bundle

    def record(self, engine: Engine, owner: str, inputs: Inputs) -> None:
        """Stage what the files of a corpus or a condition say, and note them for the ledger."""
        stage(engine, owner, inputs)
        note_load(engine, owner, inputs.files, inputs.problems, bundle=self.bundle)
        self.loaded.append(owner)

    @property
    def reported(self) -> list[Problem]:
        """The warnings, and one for each run, condition and corpus that was replaced (W714), which is not stored."""
        return self.warnings + [
            Problem("W714", ", ".join(self.files.get(owner, ())[:3]) or owner, None, None, text)
            for owner, text in self.replaced.items()
        ]


def oddities(engine: Engine, only: str) -> list[tuple[str, str]]:
    """Return what invariant rows of the store break, and the first of them."""
    return [
        (f"{result.title}, and {counted(result.n_bad, 'row')} {verb(result.n_bad, 'do')} not", result.first)
        for result in ask(engine, only)
        if result.n_bad
    ]


def load_warnings(engine: Engine, owner: str) -> list[Problem]:
    """Return W891 for each invariant that rows break which were loaded by themselves, as ``owner``."""
    advice = "`tdtsql audit` tells more."
    return [Problem("W891", owner, None, None, *found, advice) for found in oddities(engine, "at_load")]
