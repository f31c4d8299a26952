"""Temporal summarization into the base tables: judgments of a condition, then its runs.

Text turns into whole numbers here, once, by the files of ``sql/load/summarization``: ids get numbers, a span becomes
the interval of words that it covers (as defined by the metrics document and by the track's programs, with offsets in
bytes and in characters), a text its number of words. The views then compute with integers only.

Code   Meaning
W520   a row of an event that has no nuggets
W521   a match of a nugget that the nuggets file does not have
W522   a match whose span ends after the end of the text
W523   a match of an update outside the pool
W524   an event without a match or without a nugget of importance above 0: the track's program stops there
W525   an event of the nuggets file that is not in the topics file
W526   a duplicate of a duplicate: followed one step only
W527   a tau, and no file of events that gives their start
E560   an event of a run that is not in the nuggets file
W560   an event of a run that is not in the nuggets file: left out, as the track's program does
W561   updates in no pool, whose length is unknown
W562   a run with fewer than three events: the program of 2013 prints no means
W563   an update that a run has several times
W564   events without an update of the run
W565   updates decided on outside their event's time span
E720   a condition without a file that its task needs
E721   a tau that is not a whole number of seconds from 0
E872   nothing in common between two inputs, such as judgments and stories
"""

from collections.abc import Mapping, Sequence
from functools import partial

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute, report
from tdtsql.files.find import Inputs
from tdtsql.files.lines import Source, path_of
from tdtsql.files.table import read_table
from tdtsql.load.plan import ConditionSpec, RunSpec, StoredCondition, drop_tables, files_of_runs, has_columns
from tdtsql.load.forms import FORMS
from tdtsql.load.ts_files import read_judged, read_track
from tdtsql.load.ts_topics import read_events
from tdtsql.load.condition import Condition, left_out, needed_files
from tdtsql.load.corpus import Corpus
from tdtsql.tasks.declaration import RunFormat

#: files of a condition, whose rows are in ``read_KEY``
_FILES = ("nuggets", "updates", "matches", "duplicates")
#: what is derived from them, in this order, each by a file of its name
_MADE = (
    "ts_block ts_nugget_row ts_update_row ts_match_row ts_nugget ts_pool ts_twin ts_update ts_known ts_match ts_event"
).split()
#: checks of what does not fit together, by the file that they are of
_CHECKS = {
    "updates": ("W520-updates", "W526"),
    "matches": ("W520-matches", "W521", "W523", "W522", "E872", "W524-matches"),
    "nuggets": ("W524-nuggets", "W527"),
    "events": ("W525",),
}
#: table -> the files of its rows, the staging table that they go to, and its columns
_STAGED = {
    "ts_nugget_row": ("nuggets", "staging.nugget", "event_id, nugget_id, time, importance, length, text"),
    "ts_update_row": ("updates", "staging.update", "event_id, update_id, length, coalesce(duplicate_of, ''), text"),
    "ts_match_row": ("matches", "staging.match", 'event_id, update_id, nugget_id, start, "end"'),
}


def file_rules(engine: Engine, condition: Condition) -> str | None:
    """Return how the files of a condition are read, as the first of its profiles that says so; it becomes part of what
    the condition is.
    """
    known = dict(engine.rows("select profile_id, file_rules from registry.profile"))
    program = next((known[name] for name in condition.profiles if known.get(name)), None)
    condition.spec = {**condition.spec, "file_rules": program}
    return program


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the files that define a condition."""
    inputs, spec = condition.inputs, condition.spec
    program = file_rules(engine, condition)
    files = {key: needed_files(condition, key) for key in ("nuggets", "updates", "matches")}
    files |= {key: inputs.resolve(spec[key], key) if key in spec else [] for key in ("events", "duplicates")}
    read_events(engine, inputs, files["events"])
    for key in _FILES:
        read_judged(engine, inputs, key, files[key], program)
    paths = {key: [path for path, _ in given] or [f"condition '{spec['id']}'"] for key, given in files.items()}
    plan = ConditionSpec(steps=["summarization/condition"], inputs=inputs)
    plan.parameters = {"program": program, "taus": _taus(spec, inputs)}
    for name in _MADE:
        execute(engine, f"summarization/{name}", plan.parameters, name)
    for key, checks in _CHECKS.items() if not inputs.has_errors else ():
        for check in checks:
            report(inputs, paths[key], engine, f"summarization/{check}", plan.parameters)
    drop_tables(engine, "read_true_values", *(f"read_{key}" for key in files))
    names = engine.column("select event from ts_block order by block_no")
    plan.parameters["excluded"] = sorted(left_out(condition, names))
    plan.names = [*names, str(program)]
    plan.keep(engine, *_MADE)
    for rows, (key, table, columns) in _STAGED.items():
        query = f"select {path_of(paths[key])}, line, {columns} from {plan.tables[rows]} order by file, line"
        inputs.staged.append((table, query))
    return plan


def _taus(spec: Mapping, inputs: Inputs) -> list[int]:
    """Return the requested times. E721: one is not an integer number of seconds of 0 or more."""
    for tau in (taus := spec.get("tau", ())):
        if not (0 <= tau < 1e12 and tau == int(tau)):
            said, advice = "a tau is not an integer number of seconds", "Count seconds from the event's start, from 0."
            inputs.add("E721", f"condition '{spec['id']}'", said, advice, value=tau)
            return []
    return list(dict.fromkeys(map(int, taus)))


# ---- runs

_OFFICIAL, _TIDY = "ts", "summarization"
_RUN = "run_place run_row E870 E560 W562 W561 W563 W564 W565 run".split()


def _read_runs(
    form: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> RunSpec:
    """Return runs of updates, each named by its rows; ``run_id`` names those of tidy files without a column for it."""
    engine, condition = target.engine, target.condition_no
    paths = [given for given, _ in files]
    program = engine.value(
        "select file_rules from registry.condition_profile as used join registry.profile using (profile_no) "
        "where condition_no = ? and file_rules is not null order by used.rowid limit 1",
        [condition],
    )
    if form == _OFFICIAL:
        read_track(engine, inputs, form, files, program)
    else:
        read_table(engine, inputs, FORMS[form], files)
        execute(engine, "summarization/tidy", {"run_id": run_id or "run"})
    inputs.tables.append("read_summarization")
    return RunSpec(
        steps=[f"summarization/{name}" for name in _RUN],
        inputs=inputs,
        paths=paths,
        parameters={"program": program},
        runs=files_of_runs(engine, paths, "read_summarization"),
        rows="read_summarization",
        counted="run_row",
    )


_NAMED_BY = "team and run name"

FORMATS = {
    "ts": RunFormat(partial(_read_runs, _OFFICIAL), _NAMED_BY),
    "tidy": RunFormat(partial(_read_runs, _TIDY), _NAMED_BY, has_columns("event_id", "update_id", "time")),
}
