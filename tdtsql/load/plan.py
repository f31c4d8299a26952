"""What the modules of `tdtsql/load/tasks` return: the SQL files that store what files say, and their parameters.

For a condition that is a ``ConditionSpec``, for the runs of files, in each format, a ``RunSpec``. Numbers, existing
names, hashes and the registry are handled by the caller.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import groupby
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import Finding, drop_made, execute, is_check, report
from tdtsql.files.find import Inputs
from tdtsql.task import CONDITION_POLICIES

#: where the rows of a run are: (name for messages, path on disk or the frame)
Source = tuple[str, Any]


def drop_tables(engine: Engine, *tables: str) -> None:
    """Drop temporary tables."""
    engine.execute_all(f"drop table if exists {table}" for table in tables)


def keep_tables(engine: Engine, inputs: Inputs, *names: str) -> dict[str, str]:
    """Rename temporary tables of files, so that other files can be read; return name -> table. They are dropped when
    the owner of the files is stored.
    """
    kept = {name: engine.unused_name(name) for name in names}
    engine.execute_all(f"alter table {name} rename to {table}" for name, table in kept.items())
    inputs.tables += kept.values()
    return kept


def relation(columns: str, *queries: str) -> str:
    """Return SQL of the rows of queries, of which each may lack some of the columns (name and type, between commas)."""
    empty = ", ".join(f"cast(null as {kind}) as {name}" for name, kind in map(str.split, columns.split(", ")))
    return f"({' union all by name '.join([f'(select {empty} limit 0)', *queries])})"


@dataclass(frozen=True, slots=True)
class Checks:
    """Checks of the rows of files, and tables of them, in a folder below ``sql/load``."""

    engine: Engine
    inputs: Inputs
    folder: str
    paths: Sequence[str]  #: of the files
    parameters: Mapping[str, Any]
    unit: Callable[[int], str] = lambda file: "line"

    def report(self, *names: str, **more: Any) -> list[Finding]:
        """Report the rows that break some checks, and return them."""
        checks, own = [f"{self.folder}/{name}" for name in names], {**self.parameters, **more}
        return report(self.inputs, self.paths, self.engine, checks, own, self.unit)

    def make(self, *tables: str) -> None:
        """Make temporary tables, each by the file of its name."""
        for table in tables:
            execute(self.engine, f"{self.folder}/{table}", self.parameters, table)


#: the step after which nothing is stored where the files have errors
IF_SOUND = ""


@dataclass(slots=True, kw_only=True)
class Spec:
    """The contents of files, read and checked, in temporary tables that SQL files store."""

    #: files of ``sql/load`` in this order; those that are called by a code are checks; `IF_SOUND`
    steps: Sequence[str]
    inputs: Inputs
    paths: Sequence[str] = ()  #: of the files that checks report
    parameters: dict[str, Any] = field(default_factory=dict)  #: of the steps, but ``condition``
    tables: dict[str, str] = field(default_factory=dict)  #: relation that the steps read -> its temporary table

    def show(self, engine: Engine) -> None:
        """Create the relations that the steps read."""
        engine.execute_all(f"create or replace temp view {name} as from {table}" for name, table in self.tables.items())

    def hide(self, engine: Engine) -> None:
        """Drop these relations."""
        engine.execute_all(f"drop view {name}" for name in self.tables)

    def write(self, engine: Engine, condition_no: int) -> None:
        """Store it under numbers that have no rows yet."""
        self.show(engine)
        own = {**self.parameters, "condition": condition_no}
        for step, same in groupby(self.steps, lambda step: "checks" if is_check(step) else step):
            if step == IF_SOUND and self.inputs.has_errors:
                break
            if step == "checks":
                report(self.inputs, self.paths, engine, [*same], own)
            elif step:
                execute(engine, step, own)

    def drop(self, engine: Engine) -> None:
        """Drop what the steps read and made."""
        drop_made(engine, *filter(None, self.steps))
        self.hide(engine)


@dataclass(slots=True, kw_only=True)
class ConditionSpec(Spec):
    """A condition."""

    names: Sequence[str] = ()  #: what runs refer to and how they are read: if it changes, the same files are read again
    notes: Sequence[str] = ()  #: what was recognised without being specified

    def keep(self, engine: Engine, *names: str) -> None:
        """Rename temporary tables that the steps read: all conditions are read before the first is stored."""
        self.tables |= keep_tables(engine, self.inputs, *names)


@dataclass(slots=True, kw_only=True)
class RunSpec(Spec):
    """All runs of some files. The steps find them in ``new_run`` (``sql/load/run/new.sql``), with their numbers; what
    they store counts only if no error is added to the problems.
    """

    runs: Mapping[str | None, Sequence[str]]  #: name in the files (None: they name none) -> files with a row of it
    rows: str = ""  #: which line is of which run: file, line, run_id; empty where files name none
    counted: str = ""  #: whose rows with a run_no are the size of a run; empty: the table of the task
    called: str | None = None  #: what a run is called that files do not name
    system: str | None = None  #: as the header of an official file names it


def files_of_runs(
    engine: Engine, paths: Sequence[str], table: str, order: str = "min(line)"
) -> dict[str | None, list[str]]:
    """Return run -> its files, of the rows of a table (file, line, run_id), in the order of the files and, in one, of
    ``order``.
    """
    runs: dict[str | None, list[str]] = {}
    for file, name in engine.rows(f"select file, run_id from {table} group by file, run_id order by file, {order}"):
        runs.setdefault(name, []).append(paths[file])
    return runs


def has_columns(*names: str) -> Callable[[str], bool]:
    """Return whether a first line is a header with these columns, as a `RunFormat` asks."""
    return lambda first: set(names) <= {column.strip() for column in re.split("[,;|\t]", first)}


#: reads the runs of files, each problem to the inputs; the text is the user's name of the run, for rows that name none
ReadRuns = Callable[["StoredCondition", Inputs, Sequence[Source], str | None], RunSpec]


@dataclass
class StoredCondition:
    """A condition that is in the store: what its runs need to know of it."""

    engine: Engine
    condition_no: int
    condition_id: str
    task: str
    corpus_no: int
    mapping: str
    nt: str | None
    deferral: int | None
    pointer_type: str | None
    policies: Mapping[str, str]  #: policies of the condition, where its task has a choice


def stored_condition(engine: Engine, condition_no: int) -> StoredCondition:
    """Return the data of a condition that its runs need."""
    [row] = engine.records("from registry.condition where condition_no = ?", [condition_no])
    own = {one.name: row[one.name] for one in fields(StoredCondition) if one.name in row}
    policies = {key: row[key] for key in CONDITION_POLICIES if row[key] is not None}
    return StoredCondition(engine, policies=policies, **own)
