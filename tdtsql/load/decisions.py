"""Decisions of runs: rows of files get the numbers of their condition by joins, and go to ``base.decision``.

A format gives the relation ``decision_row`` (file, line, run_id, the ids of trials, is_yes, score) of what its files
say. A file of ``sql/load/decision`` numbers it (``decided``), others report what the condition does not have,
duplicates and what is missing, and ``run.sql`` stores the rows of all runs.

Code   Meaning
W820   a topic of a run that the condition does not have, where the user chose to ignore such lines
E823   a decision on a story that the corpus does not have, where the user chose that this is an error
W823   a decision on a story that the corpus does not have: it has no effect
W836   a run without decisions
E855   a decision on a pair that is not a trial
E865   one document repeated for one topic in two files of a run
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tdtsql.definitions.catalogue import reading
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list
from tdtsql.files.checks import execute
from tdtsql.files.find import Inputs
from tdtsql.load.plan import IF_SOUND, RunSpec, StoredCondition
from tdtsql.store.contents import owner_of
from tdtsql.store.recording import note_load
from tdtsql.store.stored_results import invariants
from tdtsql.task import TASKS


class Unknown(NamedTuple):
    """The problem of rows on something that a condition does not have."""

    kind: str  #: value of ``unknown`` (`sql/load/decision`); rows of others are not reported
    code: str
    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """How the decisions of a format are numbered and checked."""

    numbering: str  #: file of ``sql/load/decision``
    unknown: Sequence[Unknown]
    missing: Collection[str] = ()  #: checks of stored runs, of what they say nothing about
    checks: Collection[str] = ()  #: checks of their rows
    most: int | None = None  #: unknown ids of a kind and file that are reported one by one; None: all
    repeated: str = "E829"  #: the code of decisions that are in two files of a run
    parameters: Mapping[str, Any] = field(default_factory=dict)  #: further ones of checks


def by_topic(target: StoredCondition, topic: tuple[str, str], story: tuple[str, str], **more: Any) -> Decisions:
    """Return how rows of topic and story get their numbers, under the policies of the condition.

    Args:
        topic, story: pairs of message and advice on what the condition does not have.
    """
    ignored, policies = "It has no effect.", target.policies
    topics = Unknown("topics", "E820", *topic)
    if policies.get("unknown_topics") == "ignore":
        topics = Unknown("topics", "W820", topic[0], ignored)
    stories = Unknown("stories", "E823", *story)
    if policies.get("unknown_documents") != "error":
        stories = Unknown("stories", "W823", story[0], ignored)
    return Decisions("topics", [topics, stories], **more)


OF_STORIES = Unknown("stories", "W823", "a decision on a docno that the corpus does not have", "It has no effect.")


def by_story(**more: Any) -> Decisions:
    """Return how rows of stories get their numbers, all under one block."""
    return Decisions("stories", [OF_STORIES], **more)


def decided_runs(
    how: Decisions,
    target: StoredCondition,
    inputs: Inputs,
    paths: Sequence[str],
    table: str,
    relation: str,
    runs: Mapping[str | None, Sequence[str]],
    systems: Sequence[str | None] | None = None,
    run_id: str | None = None,
) -> RunSpec:
    """Return the runs of files.

    Args:
        paths: names of the files.
        table: of the rows of the files; it is dropped.
        relation: query of ``decision_row``.
        runs: name -> its files.
        systems: those that the headers of official files name: the run is called so; None: rows name their runs.
        run_id: the user's name of the run.
    """
    engine, task = target.engine, TASKS[target.task]
    parameters = {
        "condition": target.condition_no,
        "corpus": target.corpus_no,
        "unlisted": target.policies.get("unknown_documents", ""),
        "paths": list(paths),
        "called": run_id,
        "unknown": [one._asdict() for one in how.unknown],
        "most": how.most,
        "repeated": how.repeated,
        "is_in_plan": task.is_in_plan,
        "decides_on": task.decides_on,
        **how.parameters,
    }
    engine.execute(f"create or replace temp view decision_row as {relation}")
    execute(engine, f"decision/{how.numbering}", parameters)
    engine.execute_all(["drop view decision_row", f"drop table {table}"])  # its texts take more memory than numbers
    inputs.tables.append("decided")
    steps = ["E820", "E824", "of_run", *(["E829"] if len(paths) > 1 else [])], ["E870"], ["run", "E870-uncounted"]
    first, second, stored = ([f"decision/{name}" for name in names] for names in steps)
    system = next(filter(None, systems or ()), None)
    return RunSpec(
        steps=[*first, *how.checks, *second, IF_SOUND, *stored, IF_SOUND, *how.missing],
        inputs=inputs,
        paths=paths,
        parameters=parameters,
        runs=runs,
        rows="decided",
        called=None if systems is None else system or "run",
        system=system,
    )


def move_decisions(engine: Engine, condition_nos: Sequence[int], loaded: Collection[str] = ()) -> None:
    """Write the segments of all decisions of these conditions again, and record the runs that changed. The invariant
    that `check` asks selects wrong decisions with the segments that they ought to have: it is their only definition.

    Runs in the caller's transaction, after the segments of the conditions were written.

    Args:
        loaded: runs (run:condition/name) that were read after that.
    """
    runs = engine.column(
        "select run_no from registry.run join registry.condition using (condition_no) "
        f"where condition_no in ({sql_list(condition_nos)}) and "
        "not list_contains($loaded, 'run:' || condition_id || '/' || run_id)",
        {"loaded": list(loaded)},
    )
    if not runs:
        return
    chosen = f"(select * from base.decision where run_no in ({sql_list(runs)}))"
    [wrong] = [invariant.sql for invariant in invariants() if invariant.name == "decision_segment"]
    engine.execute(f"create or replace temp table moved_decision as {reading(wrong, {'base.decision': chosen})}")
    moved = engine.column("select distinct run_no from moved_decision order by 1")
    if moved:
        execute(engine, "decision/segments")
    engine.execute("drop table moved_decision")
    for run_no in moved:
        note_load(engine, owner_of(engine, "run_no", run_no))
