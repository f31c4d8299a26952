"""Decisions of runs: tidy tables (CSV, TSV, Parquet, columns given in Python), run files of TREC, outputs of TDT.

A format gives the relation ``decision_row`` (file, line, run_id, the ids of trials, is_yes, score) of what its files
say. A file of ``sql/load/decision`` gives its rows the numbers of their condition (``decided``), others report what the
condition does not have, duplicates and what is missing, and ``run.sql`` stores the rows of all runs.

Code   Meaning
W820   a topic of a run that the condition does not have, where the user chose to ignore such lines
E823   a decision on a story that the corpus does not have, where the user chose that this is an error
W823   a decision on a story that the corpus does not have: it has no effect
W836   a run without decisions
E855   a decision on a pair that is not a trial
E865   one document repeated for one topic in two files of a run
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from tdtsql.definitions.catalogue import reading
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list
from tdtsql.files.checks import drop_made, execute, report
from tdtsql.files.find import Inputs
from tdtsql.files.table import read_table
from tdtsql.load.forms import FORMS
from tdtsql.load.outputs import read_outputs
from tdtsql.load.plan import IF_SOUND, RunSpec, Source, StoredCondition, files_of_runs, has_columns
from tdtsql.load.trec import read_runs
from tdtsql.store.contents import owner_of
from tdtsql.store.recording import note_load
from tdtsql.store.stored_results import invariants
from tdtsql.task import TASKS
from tdtsql.tasks.declaration import RunFormat


@dataclass(frozen=True, slots=True)
class Decisions:
    """How the decisions of a format are numbered and checked."""

    numbering: str  #: file of ``sql/load/decision``
    wording: str  #: of problems of what the condition does not have (``sql/load/decision/E820``)
    missing: Collection[str] = ()  #: checks of stored runs, of what they say nothing about
    checks: Collection[str] = ()  #: checks of their rows
    most: int | None = None  #: unknown ids of a kind and file that are reported one by one; None: all
    repeated: str = "E829"  #: the code of decisions that are in two files of a run
    parameters: Mapping[str, Any] = field(default_factory=dict)  #: further ones of checks


#: how lines of TREC are numbered; lines on topics that the condition leaves out have no effect and are not reported
TREC = partial(Decisions, "topics", "trec", most=int(FORMS["run"].most), repeated="E865")


class _Rows(NamedTuple):
    """What the files of a format say."""

    table: str  #: of their rows; it is dropped
    relation: str  #: query of ``decision_row``
    runs: Mapping[str | None, Sequence[str]]  #: name -> its files
    system: str | None = None  #: that the headers of official files name
    called: str | None = None  #: what a run is called that files do not name
    parameters: Mapping[str, Any] = {}  #: further ones of checks
    steps: Sequence[str] = ()  #: files of ``sql/load`` that made it


#: condition, inputs, files, their names -> rows
_Read = Callable[[StoredCondition, Inputs, Sequence[Source], list[str]], _Rows]


def _read(
    own: Decisions, read: _Read, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> RunSpec:
    """Return the runs of files in a format."""
    engine, task, paths = target.engine, TASKS[target.task], [given for given, _ in files]
    rows = read(target, inputs, files, paths)
    parameters = {
        "condition": target.condition_no,
        "corpus": target.corpus_no,
        "unlisted": target.policies.get("unknown_documents", ""),
        "paths": paths,
        "called": run_id,
        "wording": own.wording,
        "unknown_topics": target.policies.get("unknown_topics"),
        "unknown_documents": target.policies.get("unknown_documents"),
        "most": own.most,
        "repeated": own.repeated,
        "is_in_plan": task.is_in_plan,
        "decides_on": task.decides_on,
        **own.parameters,
        **rows.parameters,
    }
    engine.execute(f"create or replace temp view decision_row as {rows.relation}")
    execute(engine, f"decision/{own.numbering}", parameters)
    engine.execute_all(["drop view decision_row", f"drop table {rows.table}"])  # its texts take more room than numbers
    drop_made(engine, *rows.steps)
    inputs.tables.append("decided")
    steps = ["E820", "E824", "of_run", *(["E829"] if len(paths) > 1 else [])], ["E870"], ["run", "E870-uncounted"]
    first, second, stored = ([f"decision/{name}" for name in names] for names in steps)
    return RunSpec(
        steps=[*first, *own.checks, *second, IF_SOUND, *stored, IF_SOUND, *own.missing],
        inputs=inputs,
        paths=paths,
        parameters=parameters,
        runs=rows.runs,
        rows="decided",
        called=rows.called,
        system=rows.system,
    )


# ---- formats


def tidy_format(form: str, how: Decisions) -> RunFormat:
    """Return the format of tidy decisions of a form: a run a run_id, which names it, unless the user does and it is the
    only one.
    """
    needed = [name for name in FORMS[form].fields if name not in FORMS[form].absent]
    return RunFormat(partial(_read, how, partial(_tidy_rows, form)), "run_id", has_columns(*needed))


def _tidy_rows(form: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], paths: list[str]) -> _Rows:
    rows = read_table(target.engine, inputs, FORMS[form], files)
    ids = ", ".join(name for name in FORMS[form].key if name != "run_id")
    # a retrieved set without scores: yes before no
    relation = f"""
        select file, line, run_id, {ids}, decision as is_yes, coalesce(score, cast(decision as double)) as score
        from {rows.table}"""
    runs = files_of_runs(target.engine, paths, rows.table)
    for part in rows.parts:
        for file, problems in part.files.items():
            if "run_id" in part.cells or problems.errors or paths[file] in runs.get(None, ()):
                continue
            said, advice = "the run has no decisions", "Every trial counts as no with the score -9e99."
            inputs.add("W836", paths[file], said, advice, 1)
            runs[None] = [path for path in paths if path in {paths[file], *runs.get(None, ())}]
    return _Rows(rows.table, relation, runs)


def trec_format(how: Decisions) -> RunFormat:
    """Return the format of TREC run files, one run per tag; a tidy header may look like their first line."""
    return RunFormat(partial(_read, how, _trec_rows), "tag", lambda first: len(first.split()) == 6 and "," not in first)


def _trec_rows(target: StoredCondition, inputs: Inputs, files: Sequence[Source], paths: list[str]) -> _Rows:
    table = read_runs(target.engine, inputs, files).table
    relation = f"select file, line, run_id, topic_id, story_id, true as is_yes, score from {table}"
    return _Rows(table, relation, files_of_runs(target.engine, paths, table, "run_id"))


def official_format(
    task: str, how: Decisions, checks: str, *, if_sound: Sequence[str] = (), **parameters: object
) -> RunFormat:
    """Return the format of official outputs: the files are one run, which is called like the system of the first.

    Args:
        task: tracking, new_event or link.
        checks: of files, below ``sql/load/output``; ``if_sound``: those of files without errors.
        parameters: of the checks.
    """
    own = [f"output/{code}" for code in checks.split()]
    return RunFormat(partial(_read, how, partial(_official_rows, task, own, if_sound, parameters)))


def _official_rows(
    task: str,
    checks: Sequence[str],
    if_sound: Sequence[str],
    own: Mapping[str, object],
    target: StoredCondition,
    inputs: Inputs,
    files: Sequence[Source],
    paths: list[str],
) -> _Rows:
    engine, table = target.engine, read_outputs(target.engine, inputs, task, files).table
    wrong = {problem.path for problem in inputs.problems if problem.is_error}
    sound = [file for file, path in enumerate(paths) if path not in wrong]  # of others the rows do not count
    parameters = {**vars(target), **own, "paths": paths, "sound": sound, "is_by_topic": task == "tracking"}
    steps = ["output/pairs"] if task == "link" else ["output/answers", "output/mapped", "output/decisions"]
    for step in steps:
        execute(engine, step, parameters)
    report(inputs, paths, engine, checks, parameters)
    if not inputs.has_errors:
        report(inputs, paths, engine, if_sound, parameters)
    system = engine.value("select arg_min(system, file) from header where system <> ''")
    topics = engine.column("select if(is_first, block_id, '') from answer order by file")
    return _Rows(table, "from output_decision", {None: paths}, system, system or "run", {"topics": topics}, steps)


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
    wrong = invariants()["decision_segment"]["sql"]
    engine.execute(f"create or replace temp table moved_decision as {reading(wrong, {'base.decision': chosen})}")
    moved = engine.column("select distinct run_no from moved_decision order by 1")
    if moved:
        execute(engine, "decision/segments")
    engine.execute("drop table moved_decision")
    for run_no in moved:
        note_load(engine, owner_of(engine, "run_no", run_no))
