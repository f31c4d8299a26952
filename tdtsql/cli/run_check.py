"""`tdtsql run check` and `run add`: files of runs, read by themselves or together."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from tdtsql.audit.templated import render
from tdtsql.cli.options import NEW_FOLDER
from tdtsql.cli.output import Printed, print_problems
from tdtsql.errors import InvalidInput, counted, shortened, tally, verb
from tdtsql.output_file import write_whole
from tdtsql.task import formats

if TYPE_CHECKING:
    from tdtsql.api import Store
    from tdtsql.load.report import Report


class RunFormat(click.Choice):
    """A format of runs: of a task of tdtsql, or of a task package, which is loaded for a name that no task has."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            from tdtsql.definitions.sets import use_all

            use_all()
            self.choices = formats()
        return super().convert(value, param, ctx)


@dataclass(frozen=True)
class Submission:
    """What is reported about the files of a run.

    Args:
        run_id: The run's name. Without it the files name their runs: a tag, a column run_id, the system of the header.
        condition: The condition it answers.
        input_format: Format of the files (default: recognised by their names and first lines).
        unknown_trials: A score of a trial that the key does not have: an error, or left out.
        missing_scores: A trial of the key without a score: an error, or rejected at every threshold.
        repeated_scores: A second score of a trial: an error, or left out.
        lower_is_target: The lower a score, the likelier a target: turn the sign.
        id_suffix: Suffix to remove from every id (.wav).
        score_column: Scored trials: the column of the scores.
        item: The column of the items (default: item_id); of clusterings several make one name.
        score: Items: a column of scores; repeatable.
        epoch: Items: the column of the attempts.
        cluster: Clusterings: the column of the clusters.
        one_run: Several runs in one file are an error, not a warning.
    """

    condition: str
    run_id: str | None = None
    input_format: Annotated[str | None, RunFormat(formats())] = None
    unknown_trials: Literal["error", "ignore"] | None = None
    missing_scores: Literal["error", "reject"] | None = None
    repeated_scores: Literal["error", "first"] | None = None
    lower_is_target: bool = False
    id_suffix: Sequence[str] | None = None
    score_column: str | None = None
    item: Sequence[str] | None = None
    score: Sequence[str] | None = None
    epoch: str | None = None
    cluster: str | None = None
    one_run: bool = False

    @property
    def keys(self) -> dict[str, Any]:
        """Options of a run, as ``[[run]]`` of a bundle calls them."""
        named = "unknown_trials missing_scores repeated_scores id_suffix score_column item score epoch cluster".split()
        given = {name: getattr(self, name) for name in named if getattr(self, name)}
        given |= {name: given[name][0] for name in ("item", "score") if len(given.get(name, ())) == 1}
        return given | ({"higher_is_target": False} if self.lower_is_target else {})


def add(
    store: "Store",
    files: Sequence[str],
    *,
    run: Submission,
    meta: Path | None = None,
    keep_going: bool = False,
) -> Iterator[Any]:
    """Add or replace a run from FILES, and score it.

    Adds all files, or none; with --keep-going those without errors.

    Args:
        meta: How it was made: TOML, or the YAML of ir_metadata (platform, implementation, actor, ...).
        keep_going: Each file by itself: add those without errors, report the others, and end with 1 if there are any.
    """
    if keep_going and run.run_id is not None and len(files) > 1:
        raise click.UsageError("--keep-going adds each file as a separate run: omit --id, or pass one file.")
    refused: list[str] = []
    stored: dict[str, list[str]] = {}
    for together, report, error in _read(store, run, files, keep_going, meta=meta, before=stored, by_file=keep_going):
        if error is not None:
            print_problems(error.problems, is_refused=True, files=error.files)
            refused += together
            continue
        yield from _nameless(report.nameless, "added")
        print_problems(report.warnings)
        stored |= report.files
        for owner in (*report.loaded, *report.kept):
            name = owner.removeprefix(f"run:{run.condition}/")
            same = ", with the rows that it had before" if owner in report.kept else ""
            yield report.replaced.get(owner, f"run {name} is in {run.condition}{same}") + "."
    store.refresh()
    if refused:
        were = verb(len(refused), "were")
        yield f"{len(refused)} of {counted(len(files), 'file')} {were} not added: {', '.join(refused)}."
        yield 1


def check(
    store: "Store",
    files: Sequence[str],
    *,
    run: Submission,
    strict: bool = False,
    reports: Annotated[Path | None, NEW_FOLDER] = None,
) -> Iterator[Any]:
    """Read FILES as a run of a condition and report every problem; store nothing. Files that name no run are checked
    each by itself, as a run that is called like the file.

    Args:
        strict: A warning is an error.
        reports: Check each file by itself, and write a report for its author to DIRECTORY/FILE.txt.
    """
    n_refused = n_warning = 0
    nameless: list[str] = []
    for together, report, error in _read(store, run, files, reports is not None, keep=False, by_file=True):
        problems = report.warnings if error is None else error.problems
        nameless += report.nameless
        is_refused = any(problem.is_error for problem in problems) or bool(strict and problems)
        n_refused += is_refused
        n_warning += sum(problem.n for problem in problems)
        if reports is None:
            print_problems(problems, is_refused=is_refused)
        else:
            runs = [f"Run {owner.partition('/')[2]}: {extent}." for owner, extent in report.extents.items()]
            runs += [f"The file names no run; it was checked as run {Path(file).stem}." for file in report.nameless]
            path, verdict = Path(together[0]), f"{'rejected' if is_refused else 'accepted'}, {tally(problems)}"
            text = render(
                "author.txt",
                name=path.name,
                verdict=verdict,
                condition=run.condition,
                runs=runs,
                problems=shortened(problems),
                is_refused=is_refused,
                sha256=hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            )
            # two files of one name: the folders are part of the report's name
            is_one = [Path(other).name for other in files].count(path.name) == 1
            name = path.name if is_one else "-".join(part for part in path.parts if part.strip("/."))
            reports.mkdir(parents=True, exist_ok=True)
            write_whole(reports / f"{name}.txt", f"{text}\n".encode())
            yield f"{together[0]}: {verdict}."
    if n_refused:
        if reports:
            yield f"{n_refused} of {counted(len(files), 'file')} would be rejected; reports in {reports}."
        yield 1
        return
    yield from _nameless(nameless, "checked")
    said = f"; reports in {reports}" if reports else ""
    yield Printed(f"{counted(len(files), 'file')} read, {counted(n_warning, 'warning')}, no errors{said}.")


def _nameless(files: Sequence[str], done: str) -> Iterator[str]:
    if files:
        each = " and so on, each file by itself" if len(files) > 1 else ""
        needs = ". `run add` needs --id, or --keep-going" if done == "checked" else ""
        yield f"No column run_id names a run: {done} {files[0]} as run {Path(files[0]).stem}{each}{needs}."


def _read(
    store: "Store", run: Submission, files: Sequence[str], is_each: bool, **more: Any
) -> "Iterator[tuple[list[str], Report, InvalidInput | None]]":
    """Yield (files, the report on them, why they are refused) of files as one run, or as the runs that they name.

    Args:
        is_each: each file by itself; a refused one does not stop the others.
        more: keep, meta, before and by_file of `add_runs`.

    Raises:
        InvalidInput: the files have errors, and are read together.
    """
    from tdtsql.load.from_python import add_runs
    from tdtsql.load.report import Report

    several = "E717" if run.one_run else "W717"
    named = run.run_id, run.condition
    for together in [[file] for file in files] if is_each else [list(files)]:
        try:
            report = add_runs(
                store.engine, *named, together, run.input_format, options=run.keys, several=several, **more
            )
            yield together, report, None
        except InvalidInput as error:
            if not is_each:
                raise
            yield together, Report(), error
