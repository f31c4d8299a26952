"""`tdtsql run`: add, check, calibrate, list, show, rename, label, withdraw, restore and drop runs."""

import hashlib
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdtsql.cli.options import (
    run_argument,
    condition_option,
    ANY_PATH,
    NEW_FOLDER,
    StoreOption,
    by_option,
    format_option,
    store_options,
    with_options,
)
from tdtsql.cli.output import counted, print_parts, print_problems, print_relation, say
from tdtsql.errors import InvalidInput, shortened, verb
from tdtsql.output_file import write_whole
from tdtsql.task import formats

if TYPE_CHECKING:
    from tdtsql.api import Store
    from tdtsql.errors import Problem
    from tdtsql.store.changes import ChangedRun


@click.group("run")
def command() -> None:
    """Add, check, calibrate, list, show, rename, label, withdraw, restore and drop runs."""


_FILES = click.argument("files", nargs=-1, required=True, type=click.Path())
_ID = click.option(
    "--id",
    "run_id",
    help="The run's name. Without it the files name their runs: a tag, a column run_id, the system of the header.",
)
_CONDITION = click.option("--condition", required=True, help="The condition it answers.")


class RunFormat(click.Choice):
    """A format of runs: of a task of tdtsql, or of a task package, which is loaded for a name that no task has."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            from tdtsql.installed import use_all

            use_all()
            self.choices = formats()
        return super().convert(value, param, ctx)


_FORMAT = click.option(
    "--input-format",
    type=RunFormat(formats()),
    help="Format of the files (default: recognised by their names and first lines).",
)


#: code of a run that neither an option nor its file names
NAMELESS = "E708"

#: the options of scored trials, as ``[[run]]`` of a bundle calls them
_score_options = with_options(
    click.option(
        "--unknown-trials",
        type=click.Choice(("error", "ignore")),
        help="A score of a trial that the key does not have: an error, or left out.",
    ),
    click.option(
        "--missing-scores",
        type=click.Choice(("error", "reject")),
        help="A trial of the key without a score: an error, or rejected at every threshold.",
    ),
    click.option(
        "--repeated-scores",
        type=click.Choice(("error", "first")),
        help="A second score of a trial: an error, or left out.",
    ),
    click.option("--lower-is-target", is_flag=True, help="The lower a score, the likelier a target: turn the sign."),
    click.option("--id-suffix", multiple=True, metavar="TEXT", help="Suffix to remove from every id (.wav)."),
    click.option("--score-column", metavar="NAME", help="Scored trials: the column of the scores."),
)


def _chosen(given: dict[str, Any]) -> dict[str, Any]:
    """Return options of a run as a bundle has them."""
    chosen = {name: value for name, value in given.items() if value and name != "lower_is_target"}
    if "id_suffix" in chosen:
        chosen["id_suffix"] = list(given["id_suffix"])
    return chosen | ({"higher_is_target": False} if given["lower_is_target"] else {})


@command.command("add")
@_FILES
@_ID
@_CONDITION
@_FORMAT
@_score_options
@click.option(
    "--meta",
    type=ANY_PATH,
    metavar="FILE",
    help="How it was made: TOML, or the YAML of ir_metadata (platform, implementation, actor, ...).",
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Each file by itself: add those without errors, report the others, and end with 1 if there are any.",
)
@by_option
@store_options
def add_command(files, run_id, condition, input_format, meta, keep_going, opened: StoreOption, **options) -> None:
    """Add or replace a run from FILES, and score it.

    Adds all files, or none; with --keep-going those without errors.
    """
    from tdtsql.loading.run import add_run

    if keep_going and run_id is not None and len(files) > 1:
        raise click.UsageError("--keep-going adds each file as a separate run: omit --id, or pass one file.")
    refused: list[str] = []
    stored: dict[str, list[str]] = {}
    with opened.write() as store:
        for together in [(file,) for file in files] if keep_going else [files]:
            try:
                report = add_run(
                    store.engine,
                    run_id,
                    condition,
                    list(together),
                    input_format,
                    meta=meta,
                    before=stored,
                    options=_chosen(options),
                )
            except InvalidInput as error:
                if not keep_going:
                    raise
                print_problems(error.problems, is_refused=True, files=error.files)
                refused += together
                continue
            print_problems(report.warnings)
            stored |= report.files
            for owner in (*report.loaded, *report.kept):
                name = owner.removeprefix(f"run:{condition}/")
                same = ", with the rows that it had before" if owner in report.kept else ""
                say(report.replaced.get(owner, f"run {name} is in {condition}{same}") + ".", err=True)
        store.refresh()
    if refused:
        say(
            f"{len(refused)} of {counted(len(files), 'file')} {verb(len(refused), 'were')} not added: "
            f"{', '.join(refused)}.",
            err=True,
        )
        raise click.exceptions.Exit(1)


@command.command("check")
@_FILES
@_ID
@_CONDITION
@_FORMAT
@_score_options
@click.option("--strict", is_flag=True, help="A warning is an error.")
@click.option(
    "--reports",
    type=NEW_FOLDER,
    metavar="FOLDER",
    help="Check each file by itself, and write a report for its author to FOLDER/FILE.txt.",
)
@store_options
def check_command(files, run_id, condition, input_format, strict, reports, opened: StoreOption, **options) -> None:
    """Read FILES as a run of a condition and report every problem; store nothing. Files that name no run are checked
    each by itself, as a run that is called like the file.
    """
    n_refused = n_warning = 0
    nameless: list[str] = []
    with opened.write() as store:
        for together in [(file,) for file in files] if reports else [files]:
            given = {"condition": condition, "format": input_format, **_chosen(options)}
            try:
                problems = _checked(store, run_id, together, given, nameless)
            except InvalidInput as error:
                if reports is None:
                    raise
                problems = error.problems
            is_refused = any(problem.is_error for problem in problems) or bool(strict and problems)
            n_refused += is_refused
            n_warning += sum(problem.n for problem in problems)
            if reports is None:
                print_problems(problems, is_refused=is_refused)
            else:
                verdict = _report_to_author(reports, together[0], files, condition, problems, is_refused)
                say(f"{together[0]}: {verdict}", err=True)
    if n_refused:
        if reports:
            say(f"{n_refused} of {counted(len(files), 'file')} would be rejected; reports in {reports}.", err=True)
        raise click.exceptions.Exit(1)
    said = f"; reports in {reports}" if reports else ""
    if nameless:
        say(
            f"No column run_id names a run: checked {nameless[0]} as run {Path(nameless[0]).stem}"
            f"{' and so on, each file by itself' if len(nameless) > 1 else ''}. `run add` needs --id.",
            err=True,
        )
    say(f"{counted(len(files), 'file')} read, {counted(n_warning, 'warning')}, no errors{said}.")


def _checked(
    store: "Store", run_id: str | None, files: Sequence[str], given: dict[str, Any], nameless: list[str]
) -> "list[Problem]":
    """Return the warnings of files that are one run, or runs that they name; otherwise of each as a run of its own, and
    add them to ``nameless``.

    Raises:
        InvalidInput: the files have errors.
    """

    def check(name: str | None, *some: str) -> "list[Problem]":
        return store.check_run(name, decisions=list(some), **given)

    def is_nameless(file: str) -> bool:
        try:
            check(None, file)
        except InvalidInput as error:
            return any(problem.code == NAMELESS for problem in error.problems)
        return False

    try:
        return check(run_id, *files)
    except InvalidInput:
        if run_id is not None or not any(map(is_nameless, files)):
            raise
    problems: list[Problem] = []
    for file in files:
        try:
            problems += check(Path(file).stem, file)
        except InvalidInput as error:
            problems += error.problems
    if any(problem.is_error for problem in problems):
        raise InvalidInput(problems, files)
    nameless += files
    return problems


def _report_to_author(
    folder: Path, file: str, files: Sequence[str], condition: str, problems: "Sequence[Problem]", is_refused: bool
) -> str:
    """Write the report that the author of a submission is sent, and return the verdict on it."""
    path = Path(file)
    n_error = sum(problem.n for problem in problems if problem.is_error)
    n_warning = sum(problem.n for problem in problems) - n_error
    verdict = (
        f"{'rejected' if is_refused else 'accepted'}, {counted(n_error, 'error')}, {counted(n_warning, 'warning')}"
    )
    todo = "Correct the lines below and submit the file again." if is_refused else "Nothing needs to be done."
    digest = [f"sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}"] if path.is_file() else []
    head = [f"{path.name}, checked for condition {condition}", *digest, "", f"{verdict.capitalize()}. {todo}"]
    # two files of one name: the folders are part of the report's name
    is_one = [Path(other).name for other in files].count(path.name) == 1
    name = path.name if is_one else "-".join(part for part in path.parts if part.strip("/."))
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["", *shortened(problems)] if problems else []
    write_whole(folder / f"{name}.txt", "".join(f"{line}\n" for line in [*head, *lines]).encode())
    return f"{verdict}."


@command.command("calibrate")
@run_argument
@click.option(
    "--fit-on", required=True, metavar="CONDITION", help="The condition on whose trials scale and offset are fitted."
)
@click.option("--to", required=True, metavar="CONDITION", help="The condition whose scores are calibrated.")
@click.option(
    "--into",
    metavar="CONDITION",
    help="The condition, over the same trials, that the new run answers; without it that of --to.",
)
@click.option("--id", "name", help="The new run's name; without it the old one with -calibrated.")
@click.option(
    "--prior", type=float, default=0.5, show_default=True, help="Effective prior of targets at which it is fitted."
)
@click.option("--allow-same", is_flag=True, help="Fit on the trials that are calibrated (optimistic; else refused).")
@by_option
@store_options
def calibrate_command(run_id, opened: StoreOption, **chosen) -> None:
    """Add a run of calibrated scores of RUN, scale * score + offset, fitted by logistic regression, and score it."""
    with opened.write() as store:
        made = store.calibrate(run_id, **chosen)
        store.refresh()
    for note in made.notes:
        say(f"{note}.", err=True)
    say(
        f"Added run {made.run} to {made.condition}: llr = scale * score + offset\n"
        f"  scale   {made.scale!r}\n"
        f"  offset  {made.offset!r}\n"
        f"  fitted  on {made.fitted_on}, {made.n_target:,} targets, {made.n_nontarget:,} non-targets, prior "
        f"{made.prior:g}",
        err=True,
    )


@command.command("list")
@condition_option
@store_options
@format_option
def list_command(condition, opened: StoreOption, format_) -> None:
    """List the runs of the store."""
    with opened.read() as store:
        print_relation(store.runs(condition or None), format_)


@command.command("show")
@run_argument
@store_options
@format_option
def show_command(run_id, opened: StoreOption, format_) -> None:
    """Show the files of RUN with sizes and hashes, the warnings that were accepted, how the run was made, and missing
    provenance fields.
    """
    from tdtsql.store.provenance import missing
    from tdtsql.store.registry import run_numbers

    with opened.read() as store:
        numbers = ", ".join(map(str, run_numbers(store.engine, run_id)))
        mine = f"""
            with mine as (select run_no, condition_id, 'run:' || condition_id || '/' || run_id as owner
                from registry.run join registry.condition using (condition_no) where run_no in ({numbers}))"""
        found = {
            "file": """select owner, kind, path, n_byte, n_problem, sha256 from registry.input_file
                where owner in (select owner from mine) order by owner, path""",
            "warning": """select code, path, line, column_no, message, value from registry.problem
                where owner in (select owner from mine) order by path, line, code""",
            "fact": """select condition_id, name, value, path from registry.run_fact join mine using (run_no)
                order by condition_id, fact_no""",
        }
        tables = {name: store.relation(f"{mine} {query}") for name, query in found.items()}
        parts = [(name, table.columns, table.fetchall()) for name, table in tables.items()]
        if format_ == "table":  # full hashes do not fit in the table with their names
            name, columns, rows = parts[-1]
            short = [(*row[:2], row[2][:16] if row[1].endswith("_sha256") else row[2], *row[3:]) for row in rows]
            parts = [part for part in (*parts[:-1], (name, columns, short)) if part[2]]
        print_parts(parts, format_, keep=("value",))
        for condition, names in store.engine.rows(f"""{mine}
            select condition_id, coalesce(list(name) filter (name is not null), [])
            from mine left join registry.run_fact using (run_no) group by condition_id order by condition_id"""):
            if lacking := missing(names):
                say(
                    f"{condition}/{run_id}: missing provenance: {', '.join(lacking)}. "
                    "Add it with `tdtsql run add --meta FILE`.",
                    err=True,
                )


def _changing(name: str, verb: str) -> Callable[[Callable], click.Command]:
    """Return what makes a command ``run NAME`` of a function that changes runs of a store: it returns the name that is
    reported after the verb, what it changed, and what to say of it besides.
    """

    def made(function: Callable[..., "tuple[str, list[ChangedRun], str]"]) -> click.Command:
        @wraps(function)
        def change(opened: StoreOption, **given: Any) -> None:
            from tdtsql.store.changes import describe_changes

            with opened.write() as store:
                named, changed, more = function(store, **given)
            say(describe_changes(verb, named, changed) + more, err=True)

        return command.command(name)(by_option(store_options(change)))

    return made


_ONE_CONDITION = click.option("--condition", help="Only in this condition.")


@_changing("drop", "Dropped")
@run_argument
@click.option("--condition", help="Only from this condition.")
@click.option("--yes", is_flag=True, help="From all conditions that have it.")
def drop_command(store: "Store", run_id, condition, yes) -> tuple:
    """Remove RUN and its numbers; a run of several conditions only with --condition or --yes."""
    from tdtsql.store.changes import OPTIONS, drop_run

    return run_id, drop_run(store.engine, run_id, condition, yes=yes, words=OPTIONS), ""


@_changing("rename", "Renamed")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@_ONE_CONDITION
def rename_command(store: "Store", old, new, condition) -> tuple:
    """Rename run OLD to NEW, and score it again: signatures name the run."""
    changed = store.rename_run(old, new, condition=condition)
    store.refresh()
    return f"{old} to {new}", changed, ""


@_changing("withdraw", "Withdrew")
@run_argument
@click.option("--reason", required=True, help="Why; shown with the run.")
@_ONE_CONDITION
def withdraw_command(store: "Store", run_id, **given) -> tuple:
    """Withdraw RUN: its numbers stay, and it has no rank."""
    return run_id, store.withdraw_run(run_id, **given), f" `tdtsql run restore {run_id}` ranks it again."


@_changing("label", "Labelled")
@run_argument
@click.option("--team", help="Who submitted it; an empty text removes it.")
@click.option("--alias", help="The name that leaderboards show; an empty text removes it.")
@_ONE_CONDITION
def label_command(store: "Store", run_id, **given) -> tuple:
    """Set the team of RUN, and the name that leaderboards show for it."""
    return run_id, store.label_run(run_id, **given), ""


@_changing("restore", "Restored")
@run_argument
@_ONE_CONDITION
def restore_command(store: "Store", run_id, **given) -> tuple:
    """Rank RUN again, which was withdrawn."""
    return run_id, store.restore_run(run_id, **given), ""
