"""A corpus, a condition or runs by themselves, without a bundle: the load of a bundle that has nothing else. Settings
are as Python has them, tables are columns or files.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import quoted_path
from tdtsql.errors import InvalidInput, Problem, Problems, UnknownName, WrongCall, check_known, check_run_name
from tdtsql.files.frame import UNREADABLE, UnreadableColumns, has_objects, opened_frame, read_by_engine, refusal
from tdtsql.load.settings import CORPUS, Bundle, check_bundle, keys_of, run_options
from tdtsql.load.bundle import Load
from tdtsql.load.packages import FILE_KINDS
from tdtsql.load.report import Report, load_warnings
from tdtsql.load.run import FRAME
from tdtsql.store.profiles import profile_mistakes
from tdtsql.task import PACKAGES, find_task

#: ending of the files that columns are written to
_WRITTEN = ".parquet"


#: rows of a corpus or a condition: a path, columns by name, or a data frame, an Arrow table or a relation
Table = str | Path | Mapping[str, Sequence[Any]] | Any


def add_corpus(
    engine: Engine,
    /,
    corpus_id: str,
    *,
    stories: Table | None = None,
    topics: Table | None = None,
    judgments: Table | None = None,
    judgments_2: Table | None = None,
    **settings: object,
) -> list[Problem]:
    """Add or replace a corpus, without a bundle. Returns the accepted warnings, and W714 if it was replaced.

    Args:
        stories: story_id, position [, source_file, source, language, kind, ...], as data frame, Arrow table,
            relation, mapping of columns, or path.
        topics: topic_id [, title, languages, is_complete].
        judgments: topic_id, story_id, label (yes, brief or no).
        judgments_2: a second set of judgments.
        settings: the other keys of ``[corpus]`` in a bundle, by the same names.

    Raises:
        InvalidInput: the tables have errors, or existing data depend on other stories; nothing was stored.
    """
    settings |= {"stories": stories, "topics": topics, "judgments": judgments, "judgments_2": judgments_2}
    return _add(engine, "add_corpus", settings, lambda spec: {"corpus": {"id": corpus_id, **spec}})


def add_condition(
    engine: Engine,
    /,
    condition_id: str,
    *,
    corpus: str,
    task: str,
    profile: str | Sequence[str] | None = None,
    **settings: object,
) -> list[Problem]:
    """Add or replace an evaluation condition of a corpus, without a bundle. Returns the accepted warnings, and W714
    if it was replaced.

    Args:
        task: tracking, new_event, link, ...
        profile: scoring profiles; None: that of the task.
        settings: the other keys of ``[[condition]]`` in a bundle, by the same names; ``trials``, ``training``,
            ``gold`` and ``key`` are tables like those of `add_corpus`.

    Raises:
        UnknownName: no such corpus.
        InvalidInput: the tables or settings have errors; nothing was stored.
    """

    def as_bundle(spec: dict) -> dict:
        return {"corpus": {"id": corpus}, "condition": [{"id": condition_id, **spec}]}

    numbers = dict(engine.rows("select corpus_id, corpus_no from registry.corpus order by corpus_id"))
    check_known("corpus", corpus, numbers)
    settings |= {"task": task, "profile": [profile] if isinstance(profile, str) else profile}
    return _add(engine, "add_condition", settings, as_bundle, numbers[corpus])


def _one_of(decisions: Table | None, scores: Table | None) -> Table:
    """Return the argument of a run, given under either name."""
    given = [one for one in (decisions, scores) if one is not None]
    if len(given) != 1:
        raise WrongCall("give a run as decisions=... or as scores=..., one of the two.")
    return given[0]


def add_run(
    engine: Engine,
    /,
    run_id: str | None = None,
    *,
    condition: str,
    decisions: Table | None = None,
    scores: Table | None = None,
    format: str | None = None,
    meta: str | Path | None = None,
    **options: object,
) -> list[Problem]:
    """Add or replace one run and compute its numbers. Returns the accepted warnings, and for each replaced run one
    more (W714), which describes the old run.

    ``decisions`` is a data frame, an Arrow table, a relation, a mapping of columns to lists, or a path; its columns
    are those of the tidy forms. Use ``scores`` for data with scores and no decisions. Without ``run_id`` the files
    give the name: a tag, a column run_id or the system in the header. ``meta`` is a file with the provenance (TOML,
    or the YAML of ir_metadata). ``options`` are those of ``[[run]]`` of a bundle for scored trials: score_column,
    unknown_trials, missing_scores, repeated_scores, higher_is_target, id_suffix.

    Raises:
        UnknownName: no such condition.
        InvalidInput: the decisions have errors; nothing was stored.
    """
    given = _one_of(decisions, scores)
    return add_runs(engine, run_id, condition, given, format, meta=meta, options=options).reported


def check_run(
    engine: Engine,
    /,
    run_id: str | None = None,
    *,
    condition: str,
    decisions: Table | None = None,
    scores: Table | None = None,
    format: str | None = None,
    **options: object,
) -> list[Problem]:
    """Read a run as add_run would and return its warnings; stores nothing."""
    given = _one_of(decisions, scores)
    return add_runs(engine, run_id, condition, given, format, keep=False, options=options).warnings


def add_runs(
    engine: Engine,
    run_id: str | None,
    condition_id: str,
    decisions: Any,
    format_: str | None,
    *,
    meta: str | Path | None = None,
    keep: bool = True,
    before: Mapping[str, Sequence[str]] | None = None,
    options: Mapping[str, object] | None = None,
    several: str = "",
    by_file: bool = False,
) -> Report:
    """Add or replace the runs of files or columns, or, without ``keep``, only read them; see Store.add_run.

    Args:
        before: runs that were stored just before, with their files: a duplicate name is an error.
        options: as in ``[[run]]`` of a bundle (`run_options`).
        several: the code of several runs in one file, W717 or E717; empty: these are allowed.
        by_file: where neither ``run_id`` nor the files name a run, each file is a run of its name.
    """
    if run_id is not None:
        check_run_name(run_id)
    given = [decisions] if isinstance(decisions, str | Path) else decisions
    is_files = isinstance(given, list) and bool(given) and all(isinstance(one, str | Path) for one in given)
    settings = {} if meta is None else {"meta": str(meta)}

    def added(runs: Sequence[tuple[str | None, Any]], *, keep: bool = keep, as_text: bool = False) -> Report:
        report = Report(files={owner: list(files) for owner, files in (before or {}).items()}, several=several)
        with nullcontext() if is_files else opened_frame(engine, given, as_text=as_text) as frame:
            corpus_no, bundle = _runs_of(engine, condition_id, [name for name, _ in runs], options or {})
            for run, (_, files) in zip(bundle.runs, runs, strict=True):
                run |= settings | ({"files": frame, "format": FRAME} if frame else {"files": list(map(str, files))})
                run |= {"format": format_} if format_ and not frame else {}
            _load(engine, bundle, Path(), report, corpus_no, keep=keep)
        return report

    def is_nameless(error: InvalidInput) -> bool:
        """Return whether a file names no run (E708): several together may have other errors for this reason."""
        codes = {problem.code for problem in error.problems}
        try:
            if "E708" not in codes and len(given) > 1:
                added([(None, [file]) for file in given], keep=False)
        except InvalidInput as each:
            codes = {problem.code for problem in each.problems}
        return "E708" in codes

    reason = ""
    # as texts all values can be read, and the reader reports the rows of malformed ones
    for as_text in (False, True) if has_objects(decisions) else (False,):
        try:
            return added([(run_id, given)], as_text=as_text)
        except UnreadableColumns as error:
            reason = first_line(error)
        except InvalidInput as error:
            if not by_file or run_id is not None or not is_nameless(error):
                raise
            report = added([(Path(file).stem, [file]) for file in given])
            report.nameless = list(map(str, given))
            return report
    raise refusal(*UNREADABLE, reason)


def _runs_of(
    engine: Engine, condition_id: str, names: Sequence[str | None], options: Mapping[str, object]
) -> tuple[int, Bundle]:
    """Return the corpus of a stored condition, and a bundle of runs of it, whose files are not named yet."""
    found = engine.rows("select corpus_no, task from registry.condition where condition_id = ?", [condition_id])
    if not found:
        known = engine.column("select condition_id from registry.condition order by condition_id")
        raise UnknownName(f"condition '{condition_id}' is not in the store. It has {', '.join(known) or 'none'}.")
    [(corpus_no, task)] = found
    problems = Problems("add_run")
    if odd := [name for name in options if name not in run_options()]:
        problems.add("E701", "no option of a run", f"There are {', '.join(run_options())}.", value=odd[0])
        raise InvalidInput(problems.found)
    run = {"condition": condition_id, "files": [], **options}
    runs = [run | ({} if name is None else {"id": name}) for name in names]
    condition = {"id": condition_id, "task": task}
    bundle = check_bundle({"corpus": {"id": "any"}, "condition": [condition], "run": runs}, problems)
    if problems.errors:
        raise InvalidInput(problems.found)
    return corpus_no, replace(bundle, conditions=[])


def _load(
    engine: Engine, bundle: Bundle, folder: Path, report: Report, corpus_no: int | None, *, keep: bool = True
) -> None:
    """Load a bundle that is not a file in one transaction; with it, report what breaks an invariant of the store."""
    with engine.change(keep=keep):
        Load(engine, bundle, folder, report, corpus_no=corpus_no).load()
        for owner in [*report.loaded, *report.kept][:1] if bundle.conditions or bundle.runs else ():
            report.warnings += load_warnings(engine, owner)


def _add(
    engine: Engine,
    name: str,
    settings: Mapping[str, object],
    as_bundle: Callable[[dict], dict],
    corpus_no: int | None = None,
) -> list[Problem]:
    """Load settings as a bundle; return what is to be reported."""
    report = Report()
    with _on_disk(engine, settings) as (spec, folder):
        problems = Problems(name)
        bundle = check_bundle(as_bundle(spec), problems)
        for _, message, _, value, advice in (
            profile_mistakes(engine, {}, bundle.conditions) if not problems.errors else ()
        ):
            problems.add("E711", message, advice, value=value)
        if problems.errors:
            raise InvalidInput(_of_arguments(problems.found))
        try:
            _load(engine, bundle, folder, report, corpus_no)
        except InvalidInput as error:
            raise InvalidInput(_of_arguments(error.problems)) from None
    report.warnings = _of_arguments(report.warnings)
    return report.reported


def _of_arguments(problems: list[Problem]) -> list[Problem]:
    """Return problems with the name of the argument in place of the file that its columns were written to."""
    return [
        problem if Path(problem.path).is_absolute() else replace(problem, path=problem.path.removesuffix(_WRITTEN))
        for problem in problems
    ]


@contextmanager
def _on_disk(engine: Engine, settings: Mapping[str, object]) -> Iterator[tuple[dict, Path]]:
    """Give settings as a bundle has them, and the folder of their files: columns are written there, for the readers of
    files.
    """
    spec: dict[str, object] = {}
    task = find_task(str(settings.get("task")))
    has_forms = task is not None and task.name in PACKAGES and not PACKAGES[task.name].readers
    kinds = keys_of("condition_keys", task) if "task" in settings else CORPUS
    with TemporaryDirectory(prefix="tdtsql-tables-") as made:
        folder = Path(made)
        for key, value in settings.items():
            if value is None:
                continue
            kind = kinds.get(key)
            is_path = isinstance(value, str | Path)
            are_columns = not is_path and (
                kind == "columns" or has_forms and kind in FILE_KINDS and not isinstance(value, list | tuple)
            )
            if are_columns:
                name = spec[key] = f"{key}{_WRITTEN}"
                _write(engine, key, value, folder / name)
            else:
                given = [value] if kind == "files" and is_path else value
                if isinstance(given, tuple):
                    given = list(given)
                elif hasattr(given, "tolist"):  # an array, or a number of numpy
                    given = given.tolist()
                spec[key] = _absolute(given) if kind in ("columns", *FILE_KINDS) else given
        yield spec, folder


def _absolute(given: Any) -> Any:
    """Return a path, or each of a list, as an absolute path."""
    if isinstance(given, str | Path):
        return str(Path(given).absolute())
    # what is no path is reported with the other settings
    return [_absolute(one) for one in given] if isinstance(given, list | tuple) else given


def _write(engine: Engine, key: str, given: object, path: Path) -> None:
    """Write columns as a Parquet file."""
    try:
        with read_by_engine(), opened_frame(engine, given, as_text=True, name=key) as frame:
            source = frame.sql
            if source is None:  # not of one type each: as texts
                source = "frame_text"
                engine.insert_temporary(
                    source,
                    {
                        name: [None if value is None else str(value) for value in values]
                        for name, values in frame.columns().items()
                    },
                )
            engine.execute(f"copy (select * from {source}) to {quoted_path(path)} (format parquet)")
            if frame.sql is None:
                engine.execute(f"drop table {source}")
    except UnreadableColumns as error:
        raise refusal(*UNREADABLE, first_line(error), name=key) from None
