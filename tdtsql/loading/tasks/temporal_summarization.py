"""Summarization and value-tracking conditions and runs, from the bundle's names to the base tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.reader.matches import read_matches
from tdtsql.reader.nuggets import read_nuggets
from tdtsql.reader.tidy import check_columns
from tdtsql.reader.ts_duplicates import read_ts_duplicates
from tdtsql.reader.ts_rows import FileRules
from tdtsql.reader.ts_tidy import tidy_events, tidy_matches, tidy_nuggets, tidy_run, tidy_updates
from tdtsql.reader.ts_topics import EventRow, read_ts_topics
from tdtsql.reader.updates import read_updates
from tdtsql.reader.value_run import read_value_run
from tdtsql.task import TASKS
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.tasks.summarization import (
    Judgments, Loaded, Numbered, loaded_condition, number_judgments, stage_rows, stage_run_files, store_staged_runs,
)
from tdtsql.loading.tasks.value_tracking import Truth, loaded_truth, place_values, store_values, truth_of, write_truth
from tdtsql.intake.tidy_input import read_tidy_file


@dataclass(slots=True)
class TrackCondition:
    """A condition of one of these tasks, read and numbered, ready to be stored."""

    file_rules: str | None
    numbered: Numbered | None = None
    truth: Truth | None = None
    events: list[EventRow] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """What the runs refer to, and how they are read."""
        blocks = self.numbered.names.values() if self.numbered else [f"{event}/{attribute}" for event, attribute in self.truth.blocks]
        return [*blocks, str(self.file_rules)]

    def write(self, engine: Engine, condition_no: int) -> None:
        if self.numbered:
            self.numbered.write(engine, condition_no)
        else:
            write_truth(engine, condition_no, self.truth, self.events)


def file_rules_of(engine: Engine, profiles: Sequence[str]) -> str | None:
    """Return how the files of a condition are read: as the first of its profiles that says so."""
    found = dict(engine.rows("select profile_id, file_rules from registry.profile"))
    return next((found[name] for name in profiles if found.get(name)), None)


def read_track_condition(engine: Engine, spec: Mapping, inputs: Inputs) -> TrackCondition:
    """Read the files that define a condition; every problem goes to ``inputs``.

    Codes: E720 a file that the task needs is not named, E721 an impossible tau.
    """
    program = file_rules_of(engine, spec.get("profile") or [TASKS[spec["task"]].default_profile])
    condition = TrackCondition(program)
    where = f"condition '{spec['id']}'"
    needed = ("nuggets", "updates", "matches") if spec["task"] == "summarization" else ("events",)
    for key in needed:
        if key not in spec:
            inputs.add("E720", where, f"a {spec['task']} condition needs {key}", f'Add {key} = "...".')
    for condition.events in _read(inputs, spec, "events", read_ts_topics, tidy_events):
        pass
    if spec["task"] == "value_tracking":
        problems = Problems(spec.get("events", where))
        condition.truth = truth_of(condition.events, problems)
        if "events" in spec and not any(problem.is_error for problem in inputs.problems):
            inputs.problems += problems.found
        return condition
    rules = FileRules(program)
    judgments = Judgments(events=condition.events)
    readers = {"nuggets": (read_nuggets, tidy_nuggets), "updates": (read_updates, tidy_updates), "matches": (read_matches, tidy_matches),
               "duplicates": (read_ts_duplicates, None)}
    for key, (reader, tidy) in readers.items():
        for rows in _read(inputs, spec, key, _with(reader, rules), tidy):
            setattr(judgments, "twins" if key == "duplicates" else key, rows)
    problems = {key: Problems(spec.get(key, where)) for key in ("nuggets", "updates", "matches", "events")}
    condition.numbered = number_judgments(judgments, rules, _taus(spec, inputs, where), problems)
    if not any(problem.is_error for problem in inputs.problems):
        for collector in problems.values():
            inputs.problems += collector.found
    return condition


def _taus(spec: Mapping, inputs: Inputs, where: str) -> list[int]:
    """Return the requested times. E721: one is no whole number of seconds of 0 or more."""
    for tau in (taus := spec.get("tau", ())):
        if not (0 <= tau < 1e12 and tau == int(tau)):
            inputs.add("E721", where, "a tau is no whole number of seconds", "Count seconds from the start of the event, from 0.", value=tau)
            return []
    return [int(tau) for tau in taus]


def _read(inputs: Inputs, spec: Mapping, key: str, official: Callable, tidy: Callable | None) -> Iterator:
    """Yield what the files of a key hold: a .csv or .parquet file is tidy, any other is as the track writes it."""
    for given, path in inputs.resolve(spec[key], key) if key in spec else ():
        if tidy is not None and _is_tidy(given):
            table = read_tidy_file(inputs, given, path, key)
            problems = Problems(given)
            yield tidy(table, problems)
            inputs.problems += problems.found
        else:
            yield inputs.read(given, path, key, official)


def _is_tidy(given: str) -> bool:
    return given.removesuffix(".gz").endswith((".csv", ".parquet"))


def _with(reader: Callable, rules: FileRules) -> Callable:
    return lambda data, problems: reader(data, problems, rules)


def load_track_runs(
    engine: Engine, condition_no: int, inputs: Inputs, files: Sequence[tuple[str, Path]], task: str, format_: str, run_id: str | None,
    number: Callable[[str], int],
) -> dict[str, tuple[int, int]]:
    """Store every run that the files hold; returns run id -> (number, rows).

    Args:
        run_id: names the run of a tidy file that has no run_id column.
        number: gives the number of a run of that id, dropping the one it replaces.
    """
    if task == "summarization" and format_ == "tidy":
        return _tidy_runs(engine, condition_no, inputs, files, run_id, number)
    read = []
    for given, path in files:
        data = path.read_bytes()
        read.append((given, path, data, Problems(given)))
    if task == "value_tracking":
        runs = _value_runs(engine, condition_no, read, number)
    else:
        condition = loaded_condition(engine, condition_no)
        staged = stage_run_files(engine, [(str(path), data, problems) for _, path, data, problems in read], condition.rules)
        runs = _update_runs(engine, condition, staged, [entry[3] for entry in read], number)
    for given, path, _, problems in read:
        inputs.problems += problems.found
        file = inputs.digest(given, path, format_)[0]
        inputs.files.append(replace(file, n_problem=len(problems.warnings)))
    return runs


def load_track_columns(
    engine: Engine, condition_no: int, inputs: Inputs, columns: Mapping[str, Sequence], run_id: str, number: Callable[[str], int]
) -> dict[str, tuple[int, int]]:
    """Store a summarization run given as columns; returns run id -> (number, rows)."""
    problems = Problems("decisions")
    rows = tidy_run(check_columns("summarization", columns, problems), run_id, problems)
    runs = _update_runs(engine, loaded_condition(engine, condition_no), stage_rows(engine, [rows]), [problems], number)
    inputs.problems += problems.found
    return runs


def _update_runs(engine: Engine, condition: Loaded, staged: list, problems: list[Problems], number: Callable[[str], int]) -> dict[str, tuple[int, int]]:
    runs = {run_id: (number(run_id), count) for run_id, count in staged}
    store_staged_runs(engine, condition, {run_id: run_no for run_id, (run_no, _) in runs.items()}, problems)
    return runs


def _tidy_runs(
    engine: Engine, condition_no: int, inputs: Inputs, files: Sequence[tuple[str, Path]], run_id: str | None, number: Callable[[str], int]
) -> dict[str, tuple[int, int]]:
    collectors, parts = [], []
    for given, path in files:
        problems = Problems(given)
        parts.append(tidy_run(read_tidy_file(inputs, given, path, "summarization"), run_id, problems))
        collectors.append(problems)
    runs = _update_runs(engine, loaded_condition(engine, condition_no), stage_rows(engine, parts), collectors, number)
    for problems in collectors:
        inputs.problems += problems.found
    return runs


def _value_runs(engine: Engine, condition_no: int, read: list, number: Callable[[str], int]) -> dict[str, tuple[int, int]]:
    truth = loaded_truth(engine, condition_no)
    placed, counts = [], {}
    for _, _, data, problems in read:
        rows = read_value_run(data, problems)
        placed += place_values(rows, truth, problems)
        for row in rows:
            counts[row.run] = counts.get(row.run, 0) + 1
    runs = {run_id: (number(run_id), count) for run_id, count in counts.items()}
    store_values(engine, truth, placed, {run_id: run_no for run_id, (run_no, _) in runs.items()})
    return runs
