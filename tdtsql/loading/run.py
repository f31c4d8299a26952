"""Runs: numbered, replaced, hashed and registered."""

from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidInput, Problem, UnknownName
from tdtsql.store import registry
from tdtsql.audit.invariants import audit
from tdtsql.store.contents import READ_OF_RUN, contents_of, run_hash
from tdtsql.intake.inputs import Inputs, fingerprint
from tdtsql.loading.report import Report
from tdtsql.loading.tasks.filtering import load_trec_files
from tdtsql.loading.tasks.tracking import (
    append_table, frame_decisions, load_tidy_files, parse_clean_tidy_files, target_of, warn_of_missing, write_decisions,
)
from tdtsql.loading.tasks.temporal_summarization import load_track_columns, load_track_runs
from tdtsql.scoring.partitions import mark_run
from tdtsql.store.input_folders import remember_folder
from tdtsql.loading.second_judgments import mirror_conditions
from tdtsql.loading.task_loaders import LOADERS
from tdtsql.task import CONDITION_POLICIES, TASKS
from tdtsql.version import __version__


def _recognised(files: list, otherwise: str = "tdt") -> str:
    """Return the format of run files by their names: never by their content."""
    name = files[0][0].removesuffix(".gz") if files else ""
    if otherwise in ("ts", "vt"):  # the track's own files are called .tsv
        return "tidy" if name.endswith((".csv", ".parquet")) else otherwise
    return "tidy" if name.endswith((".csv", ".tsv", ".parquet")) else otherwise


def store_run(engine: Engine, run_id: str | None, condition_no: int, inputs: Inputs, files, format_: str, names: str, report: Report) -> list[Problem]:
    """Store the run or runs that files hold, unless they are there already; returns the problems."""
    target = target_of(engine, condition_no)
    [(condition_id, *said)] = engine.rows(f"select condition_id, {', '.join(CONDITION_POLICIES)} from registry.condition where condition_no = ?", [condition_no])
    policies = {key: value for key, value in zip(CONDITION_POLICIES, said, strict=True) if value is not None}
    hashes = [inputs.digest(given, path, format_)[0].sha256 for given, path in files]
    content = fingerprint(*hashes, *[given for given, _ in files], names, format_, run_id, __version__, *sorted(policies.items()))
    owned = engine.rows("select run_no, run_id from registry.run where condition_no = ? and source_sha256 = ?", [condition_no, content])
    if owned and files:
        report.kept += [f"run:{condition_id}/{name}" for _, name in owned]
        return inputs.problems
    task = engine.value("select task from registry.condition where condition_no = ?", [condition_no])
    if format_ not in TASKS[task].formats:
        inputs.add("E709", files[0][0] if files else condition_id, f"a run of task {task} cannot be in format {format_}, expected "
                   f"{' or '.join(TASKS[task].formats)}", "Name the format of the files.")
        return inputs.problems
    if task not in LOADERS:
        runs = load_track_runs(engine, condition_no, inputs, files, task, format_, run_id, _numbering(engine, condition_no, inputs, files, report))
        _write_track_runs(engine, condition_no, runs, format_, content, inputs, report)
        return inputs.problems
    known = LOADERS[task]
    if format_ in ("tdt", "htd-xml"):
        run_no = registry.next_number(engine, "registry.run", "run_no") if run_id is None else _new_run(engine, run_id, condition_no)
        system = known.load(target, run_no, inputs, files)
        name = run_id or system or "run"
        owner = f"run:{condition_id}/{name}"
        if owner in report.loaded or (run_id is None and owner in report.kept):
            inputs.add("E705", files[0][0] if files else condition_id, f"a second run of condition '{condition_id}' with the same name",
                       "Give each run its own id.", value=name)
            return inputs.problems
        if run_id is None:  # the file names the run, and may replace one
            for [earlier] in engine.rows("select run_no from registry.run where run_id = ? and condition_no = ?", [name, condition_no]):
                registry.drop_run(engine, earlier)
        _write_run(engine, run_no, name, condition_no, system, format_, content, inputs)
        report.loaded.append(owner)
        return inputs.problems
    if format_ == "trec":
        runs = load_trec_files(target, inputs, files, **policies)
        if run_id is not None and len(runs) == 1:  # the tag names the run, unless the user does
            runs = {run_id: next(iter(runs.values()))}
    elif task == "tracking" and run_id is not None and f"run:{condition_id}/{run_id}" not in report.loaded \
            and (parsed := parse_clean_tidy_files(target, inputs, files)):
        run_no = _new_run(engine, run_id, condition_no)
        append_table(engine, run_no, condition_no, parsed)
        warn_of_missing(target, run_no, inputs, {}, files[0][0])
        _write_run(engine, run_no, run_id, condition_no, None, format_, content, inputs)
        report.loaded.append(f"run:{condition_id}/{run_id}")
        return inputs.problems
    else:
        runs = load_tidy_files(target, inputs, files, known.tidy_form, known.tidy)
    _write_runs(engine, run_id, condition_no, condition_id, runs, format_, content, inputs, report)
    return inputs.problems


def _check_stored(inputs: Inputs, files: list, is_stored: bool) -> None:
    """Report files from which no run came, though nothing in them is an error."""
    if files and not is_stored and not inputs.has_errors:
        inputs.add("E837", files[0][0], "no run is in the file: not one of its rows can be read as a decision", "Is it in the format that the condition takes?")


def _numbering(engine: Engine, condition_no: int, inputs: Inputs, files, report: Report) -> Callable[[str], int]:
    """Return what gives each run of a file its number, dropping the run it replaces."""
    condition_id = engine.value("select condition_id from registry.condition where condition_no = ?", [condition_no])
    used: set[int] = set()

    def number(name: str) -> int:
        if f"run:{condition_id}/{name}" in report.loaded:
            inputs.add("E705", files[0][0], f"a second run of condition '{condition_id}' with the same name",
                       "Give each run its own team and run name, or name its files together.", value=name)
        found = _new_run(engine, name, condition_no)
        while found in used:
            found += 1
        used.add(found)
        return found

    return number


def _write_track_runs(engine: Engine, condition_no: int, runs: Mapping[str, tuple[int, int]], format_: str, content: str, inputs: Inputs,
                      report: Report) -> None:
    condition_id = engine.value("select condition_id from registry.condition where condition_no = ?", [condition_no])
    for name, (run_no, n_row) in runs.items():
        _write_run(engine, run_no, name, condition_no, None, format_, content, inputs, n_row)
        report.loaded.append(f"run:{condition_id}/{name}")


def _write_runs(engine: Engine, run_id: str | None, condition_no: int, condition_id: str, runs: Mapping, format_: str, content: str,
                inputs: Inputs, report: Report) -> None:
    task = engine.value("select task from registry.condition where condition_no = ?", [condition_no])
    for name, decisions in runs.items():
        if name is None and run_id is None:
            inputs.add("E708", inputs.files[0].path if inputs.files else "decisions", "the run has no id: neither the bundle nor the file names it",
                       "Give the run an id, or the file a column run_id.")
            continue
        chosen = name if name is not None else run_id
        if f"run:{condition_id}/{chosen}" in report.loaded:
            inputs.add("E705", inputs.files[0].path, f"a second run of condition '{condition_id}' with the same name",
                       "Give each run its own tag, run_id or id.", value=chosen)
            continue
        run_no = _new_run(engine, chosen, condition_no)
        write_decisions(engine, run_no, decisions, condition_no=condition_no)
        if task == "tracking" and not any(problem.is_error for problem in inputs.problems):
            warn_of_missing(target_of(engine, condition_no), run_no, inputs, {}, inputs.files[0].path if inputs.files else "decisions")
        _write_run(engine, run_no, chosen, condition_no, None, format_, content, inputs)
        report.loaded.append(f"run:{condition_id}/{chosen}")


def _new_run(engine: Engine, run_id: str, condition_no: int) -> int:
    """Return a number for a run, that of the run of this name where it replaces one."""
    row = engine.rows("select run_no from registry.run where run_id = ? and condition_no = ?", [run_id, condition_no])
    if row:
        registry.drop_run(engine, row[0][0])
        return row[0][0]
    return registry.next_number(engine, "registry.run", "run_no")


def _write_run(engine: Engine, run_no: int, run_id: str, condition_no: int, system: str | None, format_: str, content: str, inputs: Inputs,
               n_row: int | None = None) -> None:
    if n_row is None:
        n_row = engine.value("select (select count(*) from base.decision where run_no = $run) + (select count(*) from base.vertex where run_no = $run)",
                             {"run": run_no})
    condition_id = engine.value("select condition_id from registry.condition where condition_no = ?", [condition_no])
    owner = f"run:{condition_id}/{run_id}"
    read = contents_of(engine, owner, ("run_no", run_no), READ_OF_RUN)
    engine.insert("registry.run", {
        "run_no": [run_no], "run_id": [run_id], "condition_no": [condition_no], "system": [system], "format": [format_],
        "n_row": [n_row], "content_sha256": [run_hash(run_id, read) if read or engine.has_decisions else content], "source_sha256": [content],
    })
    mark_run(engine, run_no)
    registry.record_inputs(engine, owner, inputs.files, inputs.problems, __version__, read)


def add_run(engine: Engine, run_id: str | None, condition_id: str, decisions, format_: str | None, *, keep: bool = True) -> list[Problem]:
    """Add or replace one run from files or from columns, or, without ``keep``, only read it; see Store.add_run."""
    engine.check_loads()
    report = Report()
    with engine.exclusive(), engine.transaction(keep=keep):
        condition_no = _condition_number(engine, condition_id)
        if isinstance(decisions, str | Path) or (isinstance(decisions, list) and all(isinstance(entry, str | Path) for entry in decisions)):
            paths = [decisions] if isinstance(decisions, str | Path) else decisions
            inputs = Inputs(Path())
            files = [(str(path), Path(path)) for path in paths if Path(path).is_file() and inputs.may_read(str(path), Path(path), "run files")]
            for path in paths:
                if not Path(path).is_file():
                    inputs.add("E710", str(path), "there is no such file", "Correct the path.")
            task = engine.value("select task from registry.condition where condition_no = ?", [condition_no])
            otherwise = TASKS[task].official_format
            try:
                store_run(engine, run_id, condition_no, inputs, files, format_ or _recognised(files, otherwise), "", report)
            except Exception:
                if inputs.has_errors:  # what is wrong with a file was found before its rows came to where they cannot be
                    raise InvalidInput(inputs.told()) from None
                raise
            _check_stored(inputs, files, bool(report.loaded or report.kept))
            problems = inputs.told()
        else:
            inputs = Inputs(Path())
            _add_columns(engine, run_id, condition_no, condition_id, _columns(engine, decisions), inputs, report)
            problems = inputs.told()
        if any(problem.is_error for problem in problems):
            raise InvalidInput(problems)
        mirror_conditions(engine, engine.value("select corpus_no from registry.condition where condition_no = ?", [condition_no]))
        registry.refresh_current_inputs(engine)
        odd = [Problem("W891", f"run:{condition_id}/{run_id}", None, None, f"{result.invariant.title}, and {result.n_bad} rows do not", result.first,
                       "`tdtsql audit` tells more.") for result in audit(engine, only_at_load=True) if result.n_bad]
    if keep and inputs.files:
        remember_folder(engine, Path())
    return [*problems, *odd]


def _condition_number(engine: Engine, condition_id: str) -> int:
    number = engine.value("select condition_no from registry.condition where condition_id = ?", [condition_id])
    if number is None:
        known = [name for [name] in engine.rows("select condition_id from registry.condition order by condition_id")]
        raise UnknownName(f"condition '{condition_id}' is not in the store. It has {', '.join(known) or 'none'}.")
    return number


def _add_columns(engine: Engine, run_id: str | None, condition_no: int, condition_id: str, columns: dict[str, list], inputs: Inputs, report: Report) -> None:
    """Store a run given as columns."""
    task = engine.value("select task from registry.condition where condition_no = ?", [condition_no])
    if task == "summarization":
        content = fingerprint(run_id, condition_id, *[f"{name} {values!r}" for name, values in columns.items()])
        number = _numbering(engine, condition_no, inputs, [("decisions", None)], report)
        runs = load_track_columns(engine, condition_no, inputs, columns, run_id, number)
        _write_track_runs(engine, condition_no, runs, "frame", content, inputs, report)
        return
    known = LOADERS.get(task)
    if known is None or known.tidy is None:
        raise InvalidInput([Problem("E709", "decisions", None, None, f"a run of task {task} cannot be given as columns", None,
                                    f"Give a file in format {TASKS[task].official_format}.")])
    runs = frame_decisions(target_of(engine, condition_no), inputs, columns, known.tidy_form, known.tidy)
    content = fingerprint(run_id, condition_id, *[repr((d.block_no, d.trial_no, d.is_yes, d.score)) for d in runs.values()])
    if run_id is not None and len(runs) == 1:  # a column run_id names the runs, unless there is one and the user names it
        runs = {run_id: next(iter(runs.values()))}
    _write_runs(engine, run_id, condition_no, condition_id, runs, "frame", content, inputs, report)


def _columns(engine: Engine, frame) -> dict[str, list]:
    """Return the columns of a data frame, an Arrow table, a relation or a mapping as lists.

    Raises:
        InvalidInput: it is none of them.
    """
    if isinstance(frame, Mapping):
        return _of_mapping(frame)
    relation = frame if hasattr(frame, "fetchall") else engine.connection.from_arrow(frame) if _is_arrow(frame) else None
    if relation is None:
        try:
            engine.connection.register("incoming_frame", frame)
            relation = engine.connection.sql("select * from incoming_frame")
        except (duckdb.Error, TypeError, RuntimeError):  # by kind of object
            raise InvalidInput([Problem("E709", "decisions", None, None, f"a {type(frame).__name__} has no columns that can be read", None,
                                        "Give a data frame (pandas, polars), an Arrow table, a relation, a mapping of columns to lists, or a path.")]) from None
    names = relation.columns
    rows = relation.fetchall()
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _of_mapping(columns: Mapping) -> dict[str, list]:
    """Return columns as lists; arrays give values of Python, not their own."""
    lists = {str(name): values.tolist() if hasattr(values, "tolist") else values for name, values in columns.items()}
    if any(not isinstance(values, list | tuple) for values in lists.values()) or len({len(values) for values in lists.values()}) > 1:
        raise InvalidInput([Problem("E709", "decisions", None, None, "the columns of a mapping are not lists of one length", None,
                                    "Give every column as a list or an array, all equally long.")])
    return {name: list(values) for name, values in lists.items()}


def _is_arrow(frame: object) -> bool:
    return type(frame).__module__.split(".")[0] == "pyarrow"
