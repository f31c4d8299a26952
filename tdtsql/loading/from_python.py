"""A corpus or a condition by itself, without a bundle: settings as Python has them, tables as columns or as files."""

from typing import Any
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import quoted_path
from tdtsql.errors import InvalidInput, Problem, Problems
from tdtsql.files.frame import UNREADABLE, Frame, UnreadableColumns, opened_frame, read_by_engine, refusal
from tdtsql.loading.bundle import Load
from tdtsql.loading.packages import FILE_KINDS
from tdtsql.loading.report import Report, load_warnings
from tdtsql.load.settings import CORPUS, check_bundle, keys_of
from tdtsql.store.profiles import profile_mistakes
from tdtsql.task import PACKAGES, find_task

#: ending of the files that columns are written to
_WRITTEN = ".parquet"


def add_corpus(engine: Engine, corpus_id: str, settings: Mapping[str, object]) -> list[Problem]:
    """Add or replace a corpus; see Store.add_corpus."""
    return _add(engine, "add_corpus", settings, lambda spec: {"corpus": {"id": corpus_id, **spec}})


def add_condition(
    engine: Engine, condition_id: str, corpus_no: int, corpus_id: str, settings: Mapping[str, object]
) -> list[Problem]:
    """Add or replace a condition of a corpus that is in the store; see Store.add_condition."""

    def as_bundle(spec: dict) -> dict:
        return {"corpus": {"id": corpus_id}, "condition": [{"id": condition_id, **spec}]}

    return _add(engine, "add_condition", settings, as_bundle, corpus_no)


def _add(
    engine: Engine,
    name: str,
    settings: Mapping[str, object],
    as_bundle: Callable[[dict], dict],
    corpus_no: int | None = None,
) -> list[Problem]:
    """Load settings as a bundle; return what is to be reported."""
    report, odd = Report(), list[Problem]()
    with _on_disk(engine, settings) as (spec, folder):
        problems = Problems(name)
        bundle = check_bundle(as_bundle(spec), problems)
        for _, message, _, value, advice in (
            profile_mistakes(engine, {}, bundle.conditions) if not problems.errors else ()
        ):
            problems.add("E711", message, advice, value=value)
        if problems.errors:
            raise InvalidInput(_of_arguments(problems.found))
        with engine.change():
            try:
                Load(engine, bundle, folder, report, corpus_no=corpus_no).load()
            except InvalidInput as error:
                raise InvalidInput(_of_arguments(error.problems)) from None
            for condition in bundle.conditions:
                odd += load_warnings(engine, f"condition:{condition['id']}")
    report.warnings = _of_arguments([*report.warnings, *odd])
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
                given = [value] if kind == "files" and is_path else _as_in_toml(value)
                spec[key] = _absolute(given) if kind in ("columns", *FILE_KINDS) else given
        yield spec, folder


def _as_in_toml(value: Any) -> Any:
    """Return a tuple or an array as a list, and a number of numpy as one of Python."""
    if isinstance(value, tuple):
        return list(value)
    return value.tolist() if hasattr(value, "tolist") else value


def _absolute(given: Any) -> Any:
    """Return a path, or each of a list, as an absolute path; a pattern as the files that it matches."""
    if isinstance(given, str | Path):
        return str(Path(given).absolute())
    if not isinstance(given, list | tuple):
        return given  # not a path: reported with the other settings
    found: list[str] = []
    for one in given:
        is_pattern = isinstance(one, str) and any(letter in one for letter in "*?[") and not Path(one).is_absolute()
        is_pattern = is_pattern and not Path(one).is_file()
        found += (sorted(str(path.absolute()) for path in Path().glob(one)) if is_pattern else []) or [_absolute(one)]
    return found


@contextmanager
def _frame(engine: Engine, key: str, given: object) -> Iterator[Frame]:
    try:
        with read_by_engine(), opened_frame(engine, given, as_text=True, name=key) as frame:
            yield frame
    except UnreadableColumns as error:
        raise refusal(*UNREADABLE, first_line(error), name=key) from None


def _write(engine: Engine, key: str, given: object, path: Path) -> None:
    """Write columns as a Parquet file."""
    with _frame(engine, key, given) as frame:
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
