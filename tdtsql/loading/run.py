"""Runs: the one place that numbers, replaces, hashes and registers them, whatever their task and format."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.errors import InvalidInput, Problem, Problems, UnknownName
from tdtsql.intake import frame
from tdtsql.intake.fingerprint import fingerprint
from tdtsql.intake.inputs import ROWS_IN_COMMON, Inputs
from tdtsql.loading.tasks import recognised_format, run_formats
from tdtsql.loading.plan import LoadedRun, Source, StoredCondition, stored_condition
from tdtsql.loading.report import Report, odd_rows
from tdtsql.loading.second_judgments import mirror_conditions
from tdtsql.reader.run_metadata import Fact, read_run_metadata
from tdtsql.store.derived import mark_run
from tdtsql.store import registry
from tdtsql.store.contents import READ_OF_RUN, contents_of, owner_hash
from tdtsql.store.input_folders import remember_folder
from tdtsql.store.provenance import store_facts
from tdtsql.task import TASKS
from tdtsql.version import __version__


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Provenance of a run, as a file gives it."""

    path: str
    sha256: str
    facts: list[Fact]


#: the format of columns given in Python
FRAME = "frame"


def store_runs(
    target: StoredCondition,
    run_id: str | None,
    inputs: Inputs,
    files: Sequence[Source],
    format_: str,
    names: str,
    report: Report,
) -> None:
    """Store the runs that files hold, unless they are there already; every problem goes to ``inputs``.

    Args:
        run_id: what the user calls the run.
        names: a hash of what runs of the condition refer to.
    """
    source = _source_hash(target, run_id, inputs, files, format_, names)
    kept = target.engine.rows(
        "select run_id from registry.run where condition_no = ? and source_sha256 = ?", [target.condition_no, source]
    )
    if kept:
        report.kept += [f"run:{target.condition_id}/{name}" for [name] in kept]
        return
    run_format = run_formats(target.task).get(format_)
    if run_format is None:
        inputs.add(
            "E709",
            files[0][0] if files else target.condition_id,
            f"a run of task {target.task} cannot be in format {format_}, expected "
            f"{' or '.join(TASKS[target.task].formats)}",
            "Name the format of the files.",
        )
    if run_format is None or not files:
        return
    n_run = 0
    for loaded in run_format.read(target, inputs, files, run_id):
        n_run += 1
        if loaded.name is None:
            inputs.add(
                "E708",
                files[0][0],
                "the run has no id: neither the bundle nor the file names it",
                "Give the run an id, or the file a column run_id.",
            )
            continue
        owner = f"run:{target.condition_id}/{loaded.name}"
        if owner in report.loaded or owner in report.kept:
            inputs.add(
                "E705",
                files[0][0],
                f"a second run of condition '{target.condition_id}' with the same name",
                f"Give each run its own {run_format.named_by}.",
                value=loaded.name,
            )
        _store_run(target, loaded, owner, inputs, format_, source)
        report.loaded.append(owner)
    if n_run and n_run == sum(problem.code == "E870" for problem in inputs.problems):
        inputs.problems = [problem for problem in inputs.problems if problem.code not in ROWS_IN_COMMON]
    if not n_run and not inputs.has_errors:
        inputs.add(
            "E837",
            files[0][0],
            "no run is in the file: not one of its rows can be read as a decision",
            "Is it in the format that the condition takes?",
        )


def read_facts(inputs: Inputs, given: str, path: Path) -> RunFacts | None:
    """Return the provenance that a file gives; its problems go to ``inputs``, the file itself is none that the run is
    read from.
    """
    if not inputs.is_file(path) or not inputs.may_read(given, path, "meta"):
        if not inputs.is_file(path):
            inputs.say_missing(given, path, "meta", "in a bundle it is relative to the bundle")
        return None
    data = path.read_bytes()
    problems = Problems(given)
    facts = read_run_metadata(data, problems)
    inputs.problems += problems.found
    return None if problems.errors else RunFacts(given, sha256(data).hexdigest(), facts)


def store_run_facts(target: StoredCondition, owners: Sequence[str], facts: RunFacts | None) -> list[Problem]:
    """Keep the provenance of runs (none: that there is none); returns what is odd about it."""
    odd = Problems(facts.path if facts else "")
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
                    line=line,
                    value=text,
                    advice="Is it the file of this run?",
                )
    return odd.found


def _source_hash(
    target: StoredCondition, run_id: str | None, inputs: Inputs, files: Sequence[Source], format_: str, names: str
) -> str | None:
    """Return a hash of the files and of all that decides how they are read; None for columns, which are not hashed
    before they are read.
    """
    if not files or not all(isinstance(path, Path) for _, path in files):
        return None
    hashes = [inputs.digest(given, path, format_)[0].sha256 for given, path in files]
    return fingerprint(
        *hashes,
        *[given for given, _ in files],
        names,
        format_,
        run_id,
        __version__,
        *sorted(target.policies.items()),
        *sorted(inputs.options.items()),
    )


def _store_run(
    target: StoredCondition, loaded: LoadedRun, owner: str, inputs: Inputs, format_: str, source: str | None
) -> None:
    """Number a run, in place of an earlier one of its name, write its rows and register it with their hash."""
    engine = target.engine
    run_no = _number(target, loaded.name)
    n_row = loaded.write(run_no)
    contents = contents_of(engine, owner, ("run_no", run_no), READ_OF_RUN)
    # where decisions lie elsewhere, only their files say what they are
    content = owner_hash("run_no", loaded.name, contents) if contents or engine.has_decisions else source
    engine.insert(
        "registry.run",
        {
            "run_no": [run_no],
            "run_id": [loaded.name],
            "condition_no": [target.condition_no],
            "system": [loaded.system],
            "format": [format_],
            "n_row": [n_row],
            "content_sha256": [content],
            "source_sha256": [source or content],
        },
    )
    mark_run(engine, run_no)
    registry.record_inputs(engine, owner, inputs.files, inputs.problems, __version__, ("run_no", run_no), contents)


def store_derived_run(
    target: StoredCondition,
    loaded: LoadedRun,
    format_: str,
    source: str,
    facts: Sequence[tuple[str, str]],
    about: tuple[str, str],
) -> None:
    """Store a run that was made of runs in the store, in place of an earlier one of its name, with how it was made.

    Args:
        source: hash of all that it is made of.
        facts: (name, text), its provenance.
        about: what that is told of, and its hash.
    """
    _store_run(target, loaded, f"run:{target.condition_id}/{loaded.name}", Inputs(Path()), format_, source)
    store_facts(target.engine, target.condition_no, str(loaded.name), facts, about)


def _number(target: StoredCondition, name: str) -> int:
    """Return a number for a run, that of the run of this name where it replaces one."""
    row = target.engine.rows(
        "select run_no from registry.run where run_id = ? and condition_no = ?", [name, target.condition_no]
    )
    if row:
        registry.drop_run(target.engine, row[0][0])
        return row[0][0]
    return registry.next_number(target.engine, "registry.run", "run_no")


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
) -> list[Problem]:
    """Add or replace one run from files or from columns, or, without ``keep``, only read it; see Store.add_run."""
    reason = ""
    for as_text in (
        (False, True) if frame.has_objects(decisions) else (False,)
    ):  # as texts all can be read, and the reader says in which row the odd ones are
        try:
            return _add_run(engine, run_id, condition_id, decisions, format_, meta, keep, as_text)
        except frame.UnreadableColumns as error:
            reason = first_line(error)
    raise InvalidInput(
        [
            Problem(
                "E709",
                frame.NAME,
                None,
                None,
                "the columns cannot be read",
                reason,
                "Give texts as texts and numbers as numbers.",
            )
        ]
    )


def _add_run(
    engine: Engine,
    run_id: str | None,
    condition_id: str,
    decisions: object,
    format_: str | None,
    meta: str | Path | None,
    keep: bool,
    as_text: bool,
) -> list[Problem]:
    engine.check_loads()
    inputs, report = Inputs(Path()), Report()
    with ExitStack() as opened:
        paths = _paths(decisions)
        if paths is None:
            files: list[Source] = [
                (frame.NAME, opened.enter_context(frame.opened_frame(engine, decisions, as_text=as_text)))
            ]
        else:
            files = _readable(paths, inputs)
        opened.enter_context(engine.exclusive())
        opened.enter_context(engine.transaction(keep=keep))
        target = stored_condition(engine, _condition_number(engine, condition_id))
        formats = run_formats(target.task)
        about = Inputs(Path())  # of no file that the run is read from
        facts = None if meta is None else read_facts(about, str(meta), Path(meta))
        about.check()
        if paths is None and FRAME not in formats:
            raise InvalidInput(
                [
                    Problem(
                        "E709",
                        frame.NAME,
                        None,
                        None,
                        f"a run of task {target.task} cannot be given as columns",
                        None,
                        f"Give a file in format {TASKS[target.task].official_format}.",
                    )
                ]
            )
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
            if inputs.has_errors:  # what is wrong with a file was found before its rows came to where they cannot be
                raise InvalidInput(inputs.told(), [given for given, _ in files]) from None
            raise
        problems = inputs.told()
        if any(problem.is_error for problem in problems):
            raise InvalidInput(problems, [given for given, _ in files])
        problems += about.told()
        if facts is not None:
            problems += store_run_facts(target, [*report.loaded, *report.kept], facts)
        mirror_conditions(engine, target.corpus_no)
        registry.refresh_current_inputs(engine)
        problems += odd_rows(engine, f"run:{condition_id}/{run_id}")
    if keep and inputs.files:
        remember_folder(engine, Path())
    return problems


def _paths(decisions: object) -> list[str | Path] | None:
    """Return the paths that decisions are, or None for columns."""
    if isinstance(decisions, str | Path):
        return [decisions]
    return (
        decisions
        if isinstance(decisions, list) and decisions and all(isinstance(entry, str | Path) for entry in decisions)
        else None
    )


def _readable(paths: Sequence[str | Path], inputs: Inputs) -> list[Source]:
    found = []
    for path in map(Path, paths):
        if not inputs.is_file(path):
            inputs.say_missing(str(path), path, "run files", "")
        elif inputs.may_read(str(path), path, "run files"):
            found.append((str(path), path))
    return found


def _condition_number(engine: Engine, condition_id: str) -> int:
    number = engine.value("select condition_no from registry.condition where condition_id = ?", [condition_id])
    if number is None:
        known = [name for [name] in engine.rows("select condition_id from registry.condition order by condition_id")]
        raise UnknownName(f"condition '{condition_id}' is not in the store. It has {', '.join(known) or 'none'}.")
    return number
