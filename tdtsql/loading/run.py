"""Runs: the only module that numbers, replaces, hashes and registers them, whatever their task and format.

Code   Meaning
E708   a run without an id: neither the bundle nor its file names it
E709   a format that the task of the run does not have
W717   several runs in one file, where one was expected
E717   the same with `--one-run`
E837   a file in which no row can be read as a decision
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.errors import InvalidInput, Problem, Problems, UnknownName, check_run_name, counted, first_few
from tdtsql.files import frame
from tdtsql.files.digest import InputFile, digest_threads
from tdtsql.files.find import ROWS_IN_COMMON, Inputs
from tdtsql.files.fingerprint import fingerprint
from tdtsql.load.plan import Source, Staged, StoredCondition, stored_condition
from tdtsql.loading.report import Report, load_warnings
from tdtsql.loading.second_judgments import copy_to_second_judgments
from tdtsql.loading.tasks import recognised_format, run_formats
from tdtsql.load.settings import check_bundle, run_options
from tdtsql.load.run_metadata import Fact, read_run_metadata
from tdtsql.store import registry
from tdtsql.store.contents import Place, contents_of, owned, owner_hash, read_of, stored_tables
from tdtsql.store.derived import compute_run_flags
from tdtsql.store.provenance import label_loaded_run, labels_of, set_labels, store_facts
from tdtsql.store.recording import note_load
from tdtsql.store.define import check_not_older
from tdtsql.task import TASKS
from tdtsql.version import __version__

#: the format of columns given in Python
FRAME = "frame"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Provenance of a run, from a file."""

    path: str
    sha256: str
    facts: list[Fact]


class StoredRun(NamedTuple):
    """A run that is in the store."""

    run_no: int
    source: str | None
    format: str
    system: str | None
    n_row: int
    content: str  #: hash of its rows
    files: list[tuple[str, str]]  #: (path, sha256); if they are unchanged, only the condition changed
    origin: str  #: its files, as a text


@dataclass(slots=True)
class _Run:
    """A run whose rows are stored, under a number that is not registered yet."""

    name: str
    owner: str
    files: Sequence[str]  #: files with rows of it, as given
    run_no: int
    before: StoredRun | None  #: the stored run of the same name
    system: str | None = None
    n_row: int = 0
    source: str | None = None  #: `_source_hash`
    own: range = range(0)  #: places of the problems that were found when its rows were written
    problems: list[Problem] = field(default_factory=list)
    records: list[InputFile] = field(default_factory=list)


def store_runs(
    target: StoredCondition,
    run_id: str | None,
    inputs: Inputs,
    files: Sequence[Source],
    format_: str,
    names: str,
    report: Report,
) -> None:
    """Store the runs of files, unless they are stored already; every problem goes to ``inputs``.

    Args:
        run_id: name given by the user; None: the name in the files.
        names: a hash of what runs of the condition refer to.
    """
    engine, paths = target.engine, [given for given, _ in files]
    how = (names, format_, run_id, __version__, *sorted(target.policies.items()), *sorted(inputs.options.items()))
    for name, own in (unchanged := _unchanged(target, inputs, files, format_, how)).items():
        owner = f"run:{target.condition_id}/{name}"
        _report_second_file(target, inputs, own, owner, report)
        report.kept.append(owner)
        report.files[owner] = own
    if unchanged:
        return
    check_not_older(engine, target.task)
    run_format = run_formats(target.task).get(format_)
    if run_format is None:
        inputs.add(
            "E709",
            paths[0] if paths else target.condition_id,
            f"a run of task {target.task} cannot be in format {format_}, expected "
            f"{' or '.join(TASKS[target.task].formats)}",
            "Name the format of the files.",
        )
    if run_format is None or not files:
        return
    staged = run_format.read(target, inputs, files, run_id)
    n_general = len(inputs.problems)
    first_no = registry.next_number(engine, "registry.run", "run_no")
    stored = set(engine.column("select run_id from registry.run where condition_no = ?", [target.condition_no]))
    runs: list[_Run] = []
    for named, of_run in list(staged.runs.items())[: None if run_id is None else 1]:
        name = run_id or named or staged.called
        if name is None:
            inputs.add(
                "E708",
                paths[0],
                "the run has no id: neither the bundle nor the file names it",
                "Give the run an id, or the file a column run_id.",
            )
            continue
        owner, own = f"run:{target.condition_id}/{name}", paths if named is None else list(of_run)
        _report_second_file(target, inputs, own, owner, report)
        if run_id is None and named is not None and len(own) > 1:
            inputs.add(
                "E705",
                own[1],
                f"run '{name}' of condition '{target.condition_id}' is also in {own[0]}",
                f"Give each run its own {run_format.named_by}; name the files of a run that is split together, with an "
                f"id.",
                value=name,
            )
        report.loaded.append(owner)
        report.files[owner] = own
        before = stored_run(target, name) if name in stored else None
        run = _Run(name, owner, own, first_no + len(runs), before, staged.system)
        begin = len(inputs.problems)
        run.n_row = staged.write(named, run.run_no)
        run.own = range(begin, len(inputs.problems))
        run.problems = _problems_of(engine, staged, named, own, inputs.problems[:n_general]) + inputs.problems[begin:]
        report.extents[owner] = _extent(target, run)
        runs.append(run)
    for table in staged.tables:
        engine.execute(f"drop table if exists {table}")
    n_run = Counter(given for run in runs for given in run.files)
    for given in (given for given, n in n_run.items() if n > 1 and report.several):
        extents = {one.name: report.extents[one.owner] for one in runs if given in one.files}
        # a mistyped name takes topics (or rows) from another run; runs that have the same are a table of systems
        if report.several == "E717" or len({extent.partition(", ")[2] or extent for extent in extents.values()}) > 1:
            inputs.add(
                report.several,
                given,
                f"{n_run[given]} runs in one file, "
                + first_few([f"'{name}' ({extent})" for name, extent in extents.items()], 5),
                "Is one of the names a typing mistake? Give each run its own file.",
            )
    for run in runs:  # of several runs in a file, what is wrong with one of them names it
        for place in run.own if any(n_run[given] > 1 for given in run.files) else ():
            if inputs.problems[place].line is None:
                inputs.problems[place] = replace(inputs.problems[place], run=run.name)
    if run_id is not None and len(staged.runs) > 1:
        listed = ", ".join(f"'{name}'" for name in list(staged.runs)[:10] if name is not None)
        inputs.add(
            "E714",
            paths[0],
            f"the files hold {len(staged.runs)} runs ({listed}{', ...' if len(staged.runs) > 10 else ''}), and one id "
            "is given",
            f"Leave the id out, or give all rows one {run_format.named_by.partition(',')[0]}.",
            value=run_id,
        )
    if runs and len(runs) == sum(problem.code == "E870" for problem in inputs.problems):
        inputs.problems = [problem for problem in inputs.problems if problem.code not in ROWS_IN_COMMON]
    if not runs and not inputs.has_errors:
        inputs.add(
            "E837",
            paths[0],
            "no run is in the file: not one of its rows can be read as a decision",
            "Is it in the format that the condition takes?",
        )
    if inputs.has_errors:  # nothing of this call is stored, and its numbers are used again
        _discard(engine, [run.run_no for run in runs])
        return
    for run in runs:
        run.source = _source_hash(inputs, files, run.files, format_, how, n_run)
        run.records = [
            replace(file, n_problem=sum(problem.n for problem in run.problems if problem.path == file.path))
            for file in inputs.files
            if file.path in run.files
        ]
    _register_runs(target, runs, format_, report)


def _extent(target: StoredCondition, run: _Run) -> str:
    """Return how many rows a run has, and how many topics of the condition it answers, in words."""
    rows, of_task = counted(run.n_row, "row"), TASKS[target.task]
    if not of_task.is_by_topic:
        return rows
    n_topic = target.engine.value("select count(distinct block_no) from base.decision where run_no = ?", [run.run_no])
    return f"{rows}, {n_topic} of {counted(len(target.block_no), 'topic')}"


def _report_second_file(
    target: StoredCondition, inputs: Inputs, files: Sequence[str], owner: str, report: Report
) -> None:
    """Report a run that other files of the same call contain too (E705), with one file of each."""
    if owner in report.files:
        name = owner.removeprefix(f"run:{target.condition_id}/")
        inputs.add(
            "E705",
            files[0],
            f"a second run '{name}' of condition '{target.condition_id}', the first is from "
            f"{', '.join(report.files[owner][:3])}",
            "Give each run its own name, or the files of one run together, with an id.",
            value=name,
        )


def _problems_of(
    engine: Engine, staged: Staged, named: str | None, files: Sequence[str], problems: Sequence[Problem]
) -> list[Problem]:
    """Return the problems of a run: those of its lines, and those of its files as a whole."""
    places = {(problem.path, problem.line) for problem in problems if problem.line is not None}
    if named is not None and places:
        wanted = [(staged.paths.index(path), line) for path, line in places if path in staged.paths]
        places = {
            (staged.paths[file], line)
            for file, line in engine.rows(
                "select distinct file, line from (select unnest($files) as file, unnest($lines) as line) "
                f"semi join (from {staged.table} where run_id = $run_id) using (file, line)",
                {"files": [file for file, _ in wanted], "lines": [line for _, line in wanted], "run_id": named},
            )
        }
    return [
        problem
        for problem in problems
        if problem.path in files
        and problem.run in (None, named)
        and (problem.run is not None or problem.line is None or (problem.path, problem.line) in places)
    ]


def read_facts(inputs: Inputs, given: str, path: Path) -> RunFacts | None:
    """Return the provenance of a file; its problems go to ``inputs``. The file is not among those from which the run is
    read.
    """
    if not os.path.isfile(path) or not inputs.may_read(given, path, "meta"):
        if not os.path.isfile(path):
            inputs.say_missing(given, path, "meta", "in a bundle it is relative to the bundle")
        return None
    data = path.read_bytes()
    problems = Problems(given)
    facts = read_run_metadata(data, problems)
    inputs.problems += problems.found
    return None if problems.errors else RunFacts(given, sha256(data).hexdigest(), facts)


def store_run_facts(target: StoredCondition, owners: Sequence[str], facts: RunFacts | None) -> list[Problem]:
    """Store the provenance of runs (None: without provenance); returns warnings about it."""
    odd = Problems(facts.path if facts else "")
    if facts is None and not target.engine.value("select count(*) from registry.run_fact"):
        return []
    for owner in owners:
        name = owner.removeprefix(f"run:{target.condition_id}/")
        store_facts(
            target.engine,
            target.condition_no,
            name,
            [fact[:2] for fact in facts.facts] if facts else [],
            (facts.path, facts.sha256) if facts else None,
        )
        for fact, text, line in facts.facts if facts else ():
            if fact == "tag" and text != name:
                odd.add(
                    "W713",
                    f"the tag is not the name of the run, which is '{name}'",
                    "Is it the file of this run?",
                    line,
                    value=text,
                )
    return odd.found


def label_runs(target: StoredCondition, owners: Sequence[str], file: str, labels: Mapping[str, str]) -> list[Problem]:
    """Set team and alias of the runs of an entry of a bundle; return the problem of one alias for several runs."""
    problems = Problems(file)
    if labels.get("alias") and len(owners) > 1:
        problems.add(
            "E704",
            f"alias is the name of one run, and the files of this [[run]] hold {len(owners)}",
            "Leave it out, and set aliases with `tdtsql run label`.",
            value=labels["alias"],
        )
        return problems.found
    for owner in owners if labels else ():
        name = owner.removeprefix(f"run:{target.condition_id}/")
        label_loaded_run(target.engine, target.condition_no, name, labels)
    return []


def _source_hash(
    inputs: Inputs,
    files: Sequence[Source],
    own: Sequence[str],
    format_: str,
    how: Sequence[object],
    n_run: Mapping[str, int],
) -> str | None:
    """Return a hash of a run's files, of how many runs are in each (``n_run``), and of everything that affects how they
    are read; None for columns, which are not hashed before they are read.
    """
    if not files or not all(isinstance(path, Path) for _, path in files):
        return None
    hashes = [inputs.digest(given, path, format_).file.sha256 for given, path in files if given in own]
    return fingerprint(*hashes, *own, *(n_run[given] for given in own), *how)


def _unchanged(
    target: StoredCondition, inputs: Inputs, files: Sequence[Source], format_: str, how: Sequence[object]
) -> dict[str, list[str]]:
    """Return the runs of files, each with its files, if all of these are stored in their present state; none if
    a file changed, or one of its runs was dropped or has other files.
    """
    if not files or not all(isinstance(path, Path) for _, path in files):
        return {}
    given = [name for name, _ in files]
    rows = target.engine.rows(
        "select run.run_id, run.source_sha256, file.path from registry.run as run "
        "join registry.input_file as file on file.owner = 'run:' || ? || '/' || run.run_id "
        "where run.condition_no = ? and file.owner in (select owner from registry.input_file where list_contains(?, "
        "path)) order by file.input_file_no",
        [target.condition_id, target.condition_no, given],
    )
    recorded: dict[str, set[str]] = {}
    for name, _, path in rows:
        recorded.setdefault(name, set()).add(path)
    sources = {name: source for name, source, _ in rows}
    same = {name: [path for path in given if path in own] for name, own in recorded.items() if own <= set(given)}
    n_run = Counter(path for own in same.values() for path in own)
    now = {name: _source_hash(inputs, files, own, format_, how, n_run) for name, own in same.items()}
    return same if n_run.keys() == set(given) and now.items() <= sources.items() else {}


def _register_runs(target: StoredCondition, runs: list[_Run], format_: str, report: Report) -> None:
    """Register runs with their hashes and files, instead of earlier ones of their names. An earlier run with the same
    rows keeps its number and its results.
    """
    engine = target.engine
    places = {run.owner: Place("run_no", run.run_no) for run in runs}
    contents = contents_of(engine, dict.fromkeys(places, read_of("run_no")), places)
    hashes = {run.run_no: owner_hash("run_no", run.name, contents[run.owner]) for run in runs}
    same = {run.run_no for run in runs if run.before is not None and run.before.content == hashes[run.run_no]}
    _discard(engine, same)
    new = []
    for run in runs:
        content = hashes[run.run_no]
        registered = (run.source, format_, run.system)
        if run.before is None or run.run_no not in same:
            new.append((run, content, *_drop_before(engine, run)))
        else:
            run.run_no = run.before.run_no
            report.loaded.remove(run.owner)
            report.kept.append(run.owner)
            if run.before[1:4] == registered:
                continue
            engine.execute(
                "update registry.run set source_sha256 = ?, format = ?, system = ? where run_no = ?",
                [run.source or content, *registered[1:], run.run_no],
            )
        note_load(engine, run.owner, run.records, run.problems, contents[run.owner])
    engine.insert_rows(
        "registry.run",
        "run_no run_id condition_no system format n_row content_sha256 source_sha256".split(),
        [
            (run.run_no, run.name, target.condition_no, run.system, format_, run.n_row, content, run.source or content)
            for run, content, *_ in new
        ],
    )
    report.registered.setdefault(target.task, []).extend(run.run_no for run, *_ in new)
    for run, _, labels, is_withdrawn in new:
        if labels:
            set_labels(engine, run.owner, run.run_no, labels)
        # the same files under another key or gold are not another submission; under other options they are
        before, files = run.before, run.records
        is_same = bool(files) and before is not None and before.files == [(file.path, file.sha256) for file in files]
        is_renewed = any(one.startswith(("corpus:", f"condition:{target.condition_id}")) for one in report.loaded)
        if before is not None and not (is_same and is_renewed):
            was = f"{before.origin}, {counted(before.n_row, 'row')}"
            now = f"{', '.join(file.path for file in files[:3]) or 'columns'}, {counted(run.n_row, 'row')}"
            report.replaced[run.owner] = (
                f"run {run.name} of {target.condition_id} is replaced (was {was}; now {now})"
                f"{' and stays withdrawn' if is_withdrawn else ''}"
            )


def _drop_before(engine: Engine, run: _Run) -> tuple[Mapping[str, str], bool]:
    """Drop the earlier run of the name, if there is one; return its labels and whether it is withdrawn."""
    if run.before is None:
        return {}, False
    withdrawn = engine.rows("select * from registry.withdrawal where run_no = ?", [run.before.run_no])
    labels = labels_of(engine, run.before.run_no)
    registry.drop(engine, "run_no", run.before.run_no)
    for _, at, reason in withdrawn:  # a new submission of a withdrawn run is not ranked until it is restored
        engine.insert("registry.withdrawal", {"run_no": [run.run_no], "withdrawn_at": [at], "reason": [reason]})
    return labels, bool(withdrawn)


def stored_run(target: StoredCondition, name: str) -> StoredRun | None:
    """Return the run of a condition that has this name, if there is one."""
    for row in target.engine.rows(
        "select run_no, source_sha256, format, system, n_row, content_sha256 from registry.run "
        "where run_id = ? and condition_no = ?",
        [name, target.condition_no],
    ):
        files = target.engine.rows(
            "select path, sha256 from registry.input_file where owner = ? order by input_file_no",
            [f"run:{target.condition_id}/{name}"],
        )
        listed, more = ", ".join(path for path, _ in files[:3]), len(files) - 3
        listed += f" and {counted(more, 'more file')}" if more > 0 else ""
        return StoredRun._make((*row, files, listed or {"calibrated": "calibrated"}.get(row[2], "columns")))
    return None


def _discard(engine: Engine, run_nos: Collection[int]) -> None:
    """Remove the rows of unregistered runs."""
    for table in stored_tables(engine, owned("run_no")) if run_nos else ():
        engine.execute(f"delete from {table} where run_no in ({', '.join(map(str, run_nos))})")


def store_derived_run(
    target: StoredCondition,
    name: str,
    write: Callable[[int], int],
    format_: str,
    source: str,
    facts: Sequence[tuple[str, str]],
    about: tuple[str, str],
) -> Report:
    """Store a run that was derived from runs in the store, instead of an earlier one of its name, with its provenance;
    returns what was stored or replaced.

    Args:
        write: stores its rows under a number, and returns how many they are.
        source: hash of all its inputs.
        facts: (name, text), its provenance.
        about: subject of the provenance, and its hash.
    """
    owner, run_no = f"run:{target.condition_id}/{name}", registry.next_number(target.engine, "registry.run", "run_no")
    report = Report(loaded=[owner])
    run = _Run(name, owner, [], run_no, stored_run(target, name), source=source)
    run.n_row = write(run_no)
    _register_runs(target, [run], format_, report)
    compute_run_flags(target.engine, report.registered)
    store_facts(target.engine, target.condition_no, name, facts, about)
    return report


# ---- one run, without a bundle


def add_run(
    engine: Engine,
    run_id: str | None,
    condition_id: str,
    decisions: object,
    format_: str | None,
    *,
    meta: str | Path | None = None,
    keep: bool = True,
    before: Mapping[str, Sequence[str]] | None = None,
    options: Mapping[str, object] | None = None,
    several: str = "",
) -> Report:
    """Add or replace one run from files or columns, or, without ``keep``, only read it; see Store.add_run.

    Args:
        before: runs that were stored just before, with their files: a duplicate name is an error.
        options: as in ``[[run]]`` of a bundle (`run_options`).
        several: the code of several runs in one file, W717 or E717; empty: these are allowed.
    """
    reason = ""
    # as texts all values can be read, and the reader reports the rows of malformed ones
    for as_text in (False, True) if frame.has_objects(decisions) else (False,):
        report = Report(files={owner: list(files) for owner, files in (before or {}).items()}, several=several)
        try:
            _add_run(engine, run_id, condition_id, decisions, format_, meta, keep, as_text, report, options or {})
            return report
        except frame.UnreadableColumns as error:
            reason = first_line(error)
    raise frame.refusal(*frame.UNREADABLE, reason)


def _add_run(
    engine: Engine,
    run_id: str | None,
    condition_id: str,
    decisions: object,
    format_: str | None,
    meta: str | Path | None,
    keep: bool,
    as_text: bool,
    report: Report,
    options: Mapping[str, Any],
) -> None:
    if run_id is not None:
        check_run_name(run_id)
    inputs = Inputs(Path(), options=options)
    with ExitStack() as opened:
        paths = _paths(decisions)
        if paths is None:
            files: list[Source] = [
                (frame.NAME, opened.enter_context(frame.opened_frame(engine, decisions, as_text=as_text)))
            ]
        else:
            files = _readable(paths, inputs)
            inputs.digest_ahead(opened.enter_context(digest_threads()), files)
        opened.enter_context(engine.change(keep=keep))
        target = stored_condition(engine, _condition_number(engine, condition_id))
        _check_options(target, options)
        formats = run_formats(target.task)
        about = Inputs(Path())  # provenance, not files of the run
        facts = None if meta is None else read_facts(about, str(meta), Path(meta))
        about.check()
        if paths is None and FRAME not in formats:
            said = f"a run of task {target.task} cannot be given as columns"
            raise frame.refusal(said, f"Give a file in format {TASKS[target.task].official_format}.")
        try:
            store_runs(
                target,
                run_id,
                inputs,
                files,
                FRAME if paths is None else format_ or recognised_format(target.task, files),
                "",
                report,
            )
        except Exception:
            if inputs.has_errors:  # report the reader's errors, not the constraint violation they caused
                raise InvalidInput(inputs.reported(), [given for given, _ in files]) from None
            raise
        problems = inputs.reported()
        if any(problem.is_error for problem in problems):
            raise InvalidInput(problems, [given for given, _ in files])
        problems += about.reported()
        if facts is not None:
            problems += store_run_facts(target, [*report.loaded, *report.kept], facts)
        compute_run_flags(engine, report.registered)
        copy_to_second_judgments(engine, target.corpus_no)
        registry.refresh_current_inputs(engine)
        problems += load_warnings(engine, next(iter([*report.loaded, *report.kept]), f"condition:{condition_id}"))
    report.warnings = problems
    report.notes += report.replaced.values()


def _check_options(target: StoredCondition, options: Mapping[str, object]) -> None:
    """Refuse unknown options, as for a bundle."""
    problems = Problems("add_run")
    condition = {"id": target.condition_id, "task": target.task}
    run = {"condition": target.condition_id, "files": [], **options}
    check_bundle({"corpus": {"id": "any"}, "condition": [condition], "run": [run]}, problems)
    if odd := [name for name in options if name not in run_options()]:
        problems.add("E701", "no option of a run", f"There are {', '.join(run_options())}.", value=odd[0])
    if problems.errors:
        raise InvalidInput(problems.found[-1:] if odd else problems.found)


def _paths(decisions: object) -> list[str | Path] | None:
    """Return the paths of decisions, or None for columns."""
    if isinstance(decisions, str | Path):
        return [decisions]
    return (
        decisions
        if isinstance(decisions, list) and decisions and all(isinstance(entry, str | Path) for entry in decisions)
        else None
    )


def _readable(paths: Sequence[str | Path], inputs: Inputs) -> list[Source]:
    found = []
    for given in map(str, paths):
        path = Path(given)
        if not os.path.isfile(path):
            inputs.say_missing(given, path, "run files", "")
        elif inputs.may_read(given, path, "run files"):
            found.append((given, path))
    return found


def _condition_number(engine: Engine, condition_id: str) -> int:
    number = engine.value("select condition_no from registry.condition where condition_id = ?", [condition_id])
    if number is None:
        known = engine.column("select condition_id from registry.condition order by condition_id")
        raise UnknownName(f"condition '{condition_id}' is not in the store. It has {', '.join(known) or 'none'}.")
    return number
