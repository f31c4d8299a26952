"""Decisions of runs: rows of files get the numbers of their condition by joins, and go to ``base.decision``.

A format gives the relation ``decision_row`` (file, line, run_id, the ids of trials, is_yes, score) of what its files
say. A file of ``sql/load/decision`` numbers it (``decided``), others report what the condition does not have,
duplicates and what is missing, and ``run.sql`` stores the rows of a run.

Code   Meaning
E820   a topic of a run that the condition does not have
W820   the same, where the user chose to ignore such lines
E823   a decision on a story that the corpus does not have, where the user chose that this is an error
W823   a decision on a story that the corpus does not have: it has no effect
W836   a run without decisions
E855   a decision on a pair that is not a trial
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tdtsql.definitions.catalogue import reading
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list
from tdtsql.files.checks import execute, report
from tdtsql.files.find import Inputs
from tdtsql.load.plan import Staged, StoredCondition
from tdtsql.store.contents import owner_of
from tdtsql.store.recording import note_load
from tdtsql.store.stored_results import invariants
from tdtsql.task import TASKS


class Unknown(NamedTuple):
    """The problem of rows on something that a condition does not have."""

    kind: str  #: value of ``unknown`` that it is of
    code: str
    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """How the decisions of a format are numbered and checked."""

    numbering: str  #: file of ``sql/load/decision``
    unknown: Sequence[Unknown]  #: what is reported of the rows
    missing: Sequence[str] = ()  #: checks of a stored run, of what it says nothing about
    checks: Sequence[str] = ()  #: checks of its rows
    most: int | None = None  #: unknown ids of a kind and file that are reported one by one; None: all
    repeated: str = "decision/E829"  #: check of decisions that are in two files of a run
    parameters: Mapping[str, Any] = field(default_factory=dict)  #: further ones of checks


def by_topic(target: StoredCondition, topic: Any, story: Any, **more: Any) -> Decisions:
    """Return how rows of topic and story get their numbers, under the policies of the condition.

    Args:
        topic, story: pairs of message and advice on what the condition does not have.
    """
    ignored, policies = "It has no effect.", target.policies
    topics, stories = Unknown("topics", "E820", *topic), Unknown("stories", "E823", *story)
    if policies.get("unknown_topics") == "ignore":
        topics = Unknown("topics", "W820", topic[0], ignored)
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
) -> Staged:
    """Return the runs of files.

    Args:
        paths: names of the files.
        table: of the rows of the files; it is dropped.
        relation: query of ``decision_row``.
        runs: name -> its files.
        systems: those that the headers of official files name: the run is called so; None: rows name their runs.
        run_id: the user's name of the run.
    """
    engine = target.engine
    engine.execute(f"create or replace temp view decision_row as {relation}")
    parameters = {
        "condition": target.condition_no,
        "corpus": target.corpus_no,
        "unlisted": target.policies.get("unknown_documents", ""),
        "paths": list(paths),
        "is_in_plan": TASKS[target.task].is_in_plan,
        **how.parameters,
    }
    execute(engine, f"decision/{how.numbering}", parameters)
    engine.execute("drop view decision_row")
    engine.execute(f"drop table {table}")  # its texts take more memory than the numbers
    unknown = {"unknown": [one._asdict() for one in how.unknown], "most": how.most}
    report(inputs, paths, engine, ("decision/unknown", "decision/E824"), {**parameters, **unknown})

    def write(name: str | None, run_no: int) -> int:
        """Store the rows of a run; with an error none is stored."""
        named = runs[name]
        own = {**parameters, "run_id": name, "run": run_no, "file": paths.index(named[0])}
        if len(named) > 1 and (name is None or run_id is not None):  # else a run in two files is a separate error
            execute(engine, "decision/repeated", own, "decision_repeated")
            report(inputs, paths, engine, how.repeated, own)
        report(inputs, paths, engine, how.checks, own)
        n_row = 0
        if not inputs.has_errors:
            execute(engine, "decision/unlisted", own)
            n_row = execute(engine, "decision/run", own)
        if report(inputs, paths, engine, "decision/E870", own) or inputs.has_errors:
            return n_row  # it is known why nothing counts
        own |= {"n_row": n_row, "decides_on": TASKS[target.task].decides_on}
        if n_row and not execute(engine, "decision/counted", own):
            report(inputs, paths, engine, "decision/E870-uncounted", own)
        if not inputs.has_errors:
            report(inputs, paths, engine, how.missing, own)
        return n_row

    system = next(filter(None, systems or ()), None)
    called = None if systems is None else system or "run"
    return Staged(runs, write, paths, "decided", called, system)


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
