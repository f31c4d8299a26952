"""The interface of the modules of `tdtsql/loading/tasks`: their arguments and results.

For a condition, a module returns a ``ConditionSpec``: the contents of its files, read and checked, ready to be stored.
For each format of its runs it has a ``RunFormat``, which reads the files of runs. Numbers, existing names, hashes and
the registry are handled by the caller.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute, is_check, made_tables, report
from tdtsql.files.find import Inputs
from tdtsql.task import CONDITION_POLICIES

#: where the rows of a run are: (name for messages, path on disk or the frame)
Source = tuple[str, Any]


def by_column(rows: Sequence[Sequence], *names: str) -> dict[str, list]:
    """Return rows as columns of these names."""
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) if rows else {name: [] for name in names}


def make_table(engine: Engine, table: str, columns: Sequence[str], rows: Sequence[Sequence] = ()) -> None:
    """Create a temporary table of rows; the types of its columns are given, because there may be none."""
    engine.execute(f"create or replace temp table {table} ({', '.join(columns)})")
    engine.insert(table, by_column(rows, *(column.split()[0] for column in columns)))


def drop_tables(engine: Engine, *tables: str) -> None:
    """Drop temporary tables."""
    engine.execute_all(f"drop table if exists {table}" for table in tables)


#: the step after which nothing is stored where the files have errors
IF_SOUND = ""


@dataclass(slots=True)
class ConditionSpec:
    """The contents of the files of a condition, read and checked, in temporary tables that SQL files store."""

    #: files of ``sql/load`` that store what runs and views need, in this order; those that are called by a code are
    #: checks; `IF_SOUND`
    steps: Sequence[str]
    inputs: Inputs
    names: Sequence[str] = ()  #: what runs refer to and how they are read: if it changes, the same files are read again
    notes: Sequence[str] = ()  #: what was recognised without being specified
    paths: Sequence[str] = ()  #: of the files that checks report
    parameters: dict[str, Any] = field(default_factory=dict)  #: of the steps, but ``condition``
    tables: dict[str, str] = field(default_factory=dict)  #: relation that the steps read -> its temporary table

    def keep(self, engine: Engine, *names: str) -> None:
        """Rename temporary tables that the steps read: all conditions are read before the first is stored."""
        kept = {name: engine.unused_name(name) for name in names}
        engine.execute_all(f"alter table {name} rename to {table}" for name, table in kept.items())
        self.tables |= kept
        self.inputs.tables += kept.values()

    def show(self, engine: Engine) -> None:
        """Create the relations that the steps read."""
        engine.execute_all(f"create or replace temp view {name} as from {table}" for name, table in self.tables.items())

    def write(self, engine: Engine, condition_no: int) -> None:
        """Store the condition under a number that has no rows yet; what the steps make on the way is dropped."""
        self.show(engine)
        own = {**self.parameters, "condition": condition_no}
        for step, same in groupby(self.steps, lambda step: "checks" if is_check(step) else step):
            if step == IF_SOUND and self.inputs.has_errors:
                break
            if step == "checks":
                report(self.inputs, self.paths, engine, [*same], own)
            elif step:
                execute(engine, step, own)
        drop_tables(engine, *(table for step in self.steps if step for table in made_tables(step)))
        engine.execute_all(f"drop view {name}" for name in self.tables)


@dataclass(slots=True)
class Staged:
    """Runs of files, whose rows were read and checked.

    ``write`` stores those of a run, by its name in the files and the number that it is given, and returns how many were
    read. They are valid only if no error is added to ``Inputs.problems``.
    """

    runs: Mapping[str | None, Sequence[str]]  #: name in the files (None: they name none) -> files with a row of it
    write: Callable[[str | None, int], int]
    paths: Sequence[str] = ()  #: the files by their numbers, as given
    table: str = ""  #: which line is of which run: file, line, run_id; empty where files name none
    called: str | None = None  #: what a run is called that files do not name
    system: str | None = None  #: as the header of an official file names it
    tables: Sequence[str] = ()  #: temporary tables that are dropped when all runs are stored


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


def staged_runs(
    engine: Engine,
    paths: Sequence[str],
    table: str,
    write: Callable[[str | None, int], int],
    tables: Sequence[str] = (),
) -> Staged:
    """Return the runs of the rows of a table, see `files_of_runs`."""
    return Staged(files_of_runs(engine, paths, table), write, paths, table, tables=tables)


def has_columns(*names: str) -> Callable[[str], bool]:
    """Return whether a first line is a header with these columns, as a `RunFormat` asks."""
    return lambda first: set(names) <= {column.strip() for column in re.split("[,;|\t]", first)}


#: reads the runs of files, each problem to the inputs; the text is the user's name of the run, for rows that name none
ReadRuns = Callable[["StoredCondition", Inputs, Sequence[Source], str | None], Staged]


@dataclass(slots=True)
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
    block_no: dict[str, int]  #: block id -> number
    known_topics: set[str]  #: also those that the condition leaves out


def stored_condition(engine: Engine, condition_no: int) -> StoredCondition:
    """Return the data of a condition that its runs need."""
    [(condition_id, task, corpus_no, mapping, nt, deferral, pointer_type, *values)] = engine.rows(
        f"select condition_id, task, corpus_no, mapping, nt, deferral, pointer_type, {', '.join(CONDITION_POLICIES)} "
        "from registry.condition where condition_no = ?",
        [condition_no],
    )
    blocks = dict(engine.rows("select block_id, block_no from base.block where condition_no = ?", [condition_no]))
    topics = set(engine.column("select topic_id from base.topic where corpus_no = ?", [corpus_no]))
    excluded = set(engine.column("select topic_id from registry.excluded_topic where condition_no = ?", [condition_no]))
    policies = {key: value for key, value in zip(CONDITION_POLICIES, values, strict=True) if value is not None}
    return StoredCondition(
        engine,
        condition_no,
        condition_id,
        task,
        corpus_no,
        mapping,
        nt,
        deferral,
        pointer_type,
        policies,
        blocks,
        topics | set(blocks) | excluded,
    )
