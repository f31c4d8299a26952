"""Definitions: `tdtsql metric`, and packages of tasks (`tdtsql task`)."""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from tdtsql import testing
from tdtsql.audit import definition_diff
from tdtsql.cli.options import NEW_FILE, OLD_FOLDER, StoreOption
from tdtsql.cli.output import Printed
from tdtsql.definitions.catalogue import Relation, catalog, newest_of, sql_root, tasks_of
from tdtsql.definitions.lineage import mermaid, tree_rows
from tdtsql.definitions.macro import read_macros
from tdtsql.definitions.template import template
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidInput, Names, UnknownName, check_known, counted, escape_control
from tdtsql.output_file import check_writable, write_whole
from tdtsql.show.table import Table
from tdtsql.store.define import check_own, read_files
from tdtsql.store.lineage import COLUMNS, definitions_named, down_to_files, known_definitions, steps_named
from tdtsql.store.sets import own_texts
from tdtsql.task import TASKS

if TYPE_CHECKING:
    from tdtsql.api import Store
    from tdtsql.definitions.check import OwnMetric


def show(name: str, engine: Engine | None = None, *, task: str | None = None, expanded: bool = False) -> Iterator[Any]:
    """Print the contract and the SQL of a metric, view or macro, e.g. c_det_norm, metric.detection_rate, exact_mean,
    or own:NAME of a store.

    A metric is shown as the first task computes it for a whole run; other views of it are listed on stderr.

    Args:
        task: Of a metric that several tasks compute by different views: this task's.
        expanded: The SQL that the engine gets: macros written out.
    """
    if macro := read_macros(sql_root()).get(name):
        click.echo(f"-- {name}: {macro.body}\n" if expanded else macro.path.read_text(encoding="utf-8"))
        return
    metric, found = definitions_named(name, task, engine)

    # first task first, numbers of runs before those of topics, over topics before pooled
    first, *others = sorted(
        found.values(),
        key=lambda one: (
            min(map(list(TASKS).index, tasks_of(one)), default=99),
            "block_no" in one.header.grain,
            "topic" not in one.name,
            -one.version,
            one.name,
        ),
    )
    text = _text(first, engine)
    text = text.replace(first.plain, first.body) if expanded else text
    click.echo("\n".join((f"-- {first.name}", escape_control(text, keep="\n\r\t"))))
    if others:
        yield f"Other views that publish {metric}; print one with `tdtsql metric show VIEW`:"
    for relation in others:
        yield f"    {relation.name}: {relation.header.title} ({', '.join(tasks_of(relation))})"


def _text(relation: Relation, engine: Engine | None) -> str:
    """Return the file of a view, or what a store has of a user-defined metric."""
    own = {} if engine is None else own_texts(engine)
    return own[relation.name] if relation.name in own else relation.path.read_text(encoding="utf-8")


def lineage(
    name: str,
    column: str | None = None,
    engine: Engine | None = None,
    *,
    sources: bool = False,
    task: str | None = None,
    output: Annotated[Path | None, NEW_FILE] = None,
) -> Iterator[Any]:
    """List what a metric, or a COLUMN of view NAME, is derived from, down to the columns of tables, or to the input
    files of a store.

    Args:
        sources: Include stored results, staged rows and kinds of files.
        task: Restrict to the view of this task, for metrics with one view per task.
        output: Draw into this file (.svg or .mmd) instead of printing rows.
    """
    from tdtsql.show.charts import tree

    parts = {part: part for part in ("row", "parent", "label", "note")}
    drawings = {".svg": lambda steps: tree(tree_rows(steps), parts, {}), ".mmd": mermaid}
    if output and output.suffix.lower() not in drawings:
        raise click.UsageError(f"--output writes a file that ends in {' or '.join(drawings)}, not {str(output)!r}.")
    if engine is not None:
        steps = down_to_files(engine, name, column, task=task)
    else:
        steps = steps_named(name, column, task=task, to_files=sources)
    if output is None:
        yield [Table(COLUMNS, steps)]
        return
    views: dict[tuple[str, ...], list[str]] = {}
    for view, relation in definitions_named(name, task, engine)[1].items():
        views.setdefault(tuple(tasks_of(relation)), []).append(view)
    if len(views) > 1:
        said = " and ".join(f"{', '.join(tasks)} ({', '.join(names)})" for tasks, names in views.items())
        raise click.UsageError(
            f"{name} has one view per task: {said}. Choose one with --task, for example --task {next(iter(views))[0]}."
        )
    size = write_whole(output, drawings[output.suffix.lower()](steps).encode())
    yield f"{output} is ready, {size / 1000:.0f} kB."


def impact(opened: StoreOption) -> Table:
    """List changed definitions, their readers and affected runs; apply nothing."""
    from tdtsql.audit.effects import impact

    # not connect(): that refuses the changed definitions that this command reports
    with closing(Engine(opened.path, read_only=True, trace=opened.trace)) as engine:
        rows = impact(engine)
    n_direct = sum(row[1] != "indirect" for row in rows)
    n_run = counted(max((row[4] for row in rows), default=0), "run")
    said = f"{n_direct} changed, {len(rows) - n_direct} that read them; numbers of {n_run} are recomputed."
    return Table("relation change because metrics n_run".split(), rows, remarks=[said])


def diff(opened: StoreOption, name: str, old: str, new: str) -> list[Table]:
    """Show what differs between versions OLD and NEW of a view (v1 v2), or between two profiles for metric NAME, and on
    the stored runs.
    """
    from tdtsql.audit.effects import SHIFT, compare_profiles, compare_versions, profile_changes

    is_version = re.fullmatch(r"v\d+", old) and re.fullmatch(r"v\d+", new)
    has_store = opened.path == ":memory:" or Path(opened.path).exists()
    with opened.open() if has_store or not is_version else nullcontext() as store:
        engine = store.engine if store else None
        shifts: Sequence[tuple] = []
        if is_version:
            known = known_definitions(engine)
            aliases = {relation.alias for relation in definitions_named(name, engine=engine)[1].values()}
            views = [view for view, relation in known.items() if relation.alias in aliases]
            pairs = [(f"{alias}__{old}", f"{alias}__{new}") for alias in aliases]
            pair = next((pair for pair in sorted(pairs) if {*pair} <= {*views}), None)
            if pair is None:
                raise UnknownName(
                    f"{name} does not exist as {old} and {new}: {', '.join(views)}. `tdtsql metric new-version` makes "
                    "another one."
                )
            left, right = (known[view] for view in pair)
            rows = definition_diff.changes(left, right)
            if engine:
                shifts = compare_versions(engine, left, right)
        elif engine:  # profiles are in a store, which is open then
            rows, shifts = profile_changes(engine, old, new), compare_profiles(engine, name, old, new)
    return [Table(("change", "text"), rows, part="definition"), Table(SHIFT, shifts, part="numbers")]


def new_version(name: str, engine: Engine | None = None, *, to: Path | None = None) -> str:
    """Copy view NAME to its next version, a skeleton to be edited; the old one stays, and stays computable.

    With --to it becomes a user-defined metric; a user-defined metric of a store (own:NAME) needs --to and --db.

    Args:
        to: Write a user-defined metric to this folder.
    """
    _, found = definitions_named(name, engine=engine)
    newest, *others = newest_of(found).values()
    if others:
        raise click.UsageError(f"{name} is published by {', '.join(found)}. Name one of them.")
    is_own = newest.name not in catalog()
    if to is not None:
        path = definition_diff.own_copy(newest, to, _text(newest, engine) if is_own else None)
        return f"{path} is a copy. Edit it, then `tdtsql metric try {path} --db STORE`."
    if is_own:
        raise click.UsageError(f"{newest.name} is in the store: name a folder for the next version with --to.")
    return (
        f"{definition_diff.new_version(newest)} is a copy. Edit it, say in its header what differs and why, then "
        "`python -m tdtsql.build.lock --write`."
    )


def new(name: str, *, task: str, to: Path = Path()) -> str:
    """Write NAME__v1.sql, a template of a user-defined metric that passes the check.

    Args:
        task: The task whose runs have it.
        to: The folder to write to.
    """
    check_known("task", task, TASKS)
    text = template(name, task)
    if check_own([(name, f"{name}__v1", text)])[1]:
        raise click.UsageError(
            f"{name!r} cannot name a metric. Expected lower-case letters, digits and _, beginning with a letter: no "
            "word of SQL, and no column of the skeleton."
        )
    path = to / f"{name}__v1.sql"
    if path.exists():
        raise click.UsageError(f"{path} exists already. Edit it, or choose another name.")
    check_writable(path)
    write_whole(path, text.encode())
    return f"{path}: edit it, then `tdtsql metric try {path} --db STORE`."


def _checked(files: Sequence[Path], engine: Engine | None) -> "list[OwnMetric]":
    """Return the definitions of files without defects."""
    found, problems = check_own(read_files(files), engine)
    if problems:
        raise InvalidInput(problems)
    return found


def check(files: list[Path], engine: Engine | None = None) -> str:
    """Report every problem of user-defined metrics; nothing is stored. With --db also whether versions and grain fit
    the store.
    """
    lines = []
    for one in _checked(files, engine):
        ids = ", ".join(metric.metric for metric in one.relation.header.metrics)
        lines.append(f"{one.path}: {one.relation.name} publishes {ids} of {', '.join(one.relation.header.tasks)}")
    return "\n".join(lines)


def try_(store: "Store", file: Path, run: Names = None) -> Table:
    """Print the numbers of FILE for RUN... (default: all); nothing is stored."""
    [metric] = _checked([file], store.engine)
    started = time.process_time()
    names, rows = store.try_metric(metric, list(run or ()))
    said = f"{time.process_time() - started:.2f} s of CPU time; nothing was stored."
    return Table(names, rows, remarks=[said])


def add(store: "Store", files: list[Path]) -> str:
    """Add user-defined metrics to a store, all or none, and compute their scores."""
    made = store.add_metric(*files)
    return f"Added {', '.join(made)}." if made else "Nothing new: the store has these texts."


def drop(store: "Store", metric: str) -> str:
    """Remove a user-defined metric with its versions and scores."""
    store.drop_metric(metric)
    return f"Dropped {metric}. The ledger keeps that it was there."


# ---- packages of tasks


def new_task(name: str, *, to: Path | None = None) -> Iterator[Any]:
    """Write a small, complete task package.

    It passes `tdtsql task check`.

    Args:
        to: Folder to write. Default: tdtsql-NAME.
    """
    target = to or Path(f"tdtsql-{name}")
    testing.write_skeleton(name, target)
    yield (
        f"Wrote {target}. Next:\n"
        f"    pip install -e {target}      makes the task known\n"
        f"    tdtsql task check {target}   checks definitions and example\n"
        f"    tdtsql task lock {target}    after each change of its SQL"
    )


def lock_task(folder: Annotated[Path, OLD_FOLDER]) -> Iterator[Any]:
    """Write the lock of a package after a change of its SQL.

    Compiles the SQL, and writes versions.lock and compiled.json next to it.
    """
    root, mismatches = testing.lock_folder(folder)
    yield from map(str, mismatches)
    if not mismatches:
        yield f"Wrote {root / 'versions.lock'} and {root / 'compiled.json'}."
    yield int(bool(mismatches))


def check_task(folder: str) -> Iterator[Any]:
    """Check a task package by its definitions and its example.

    The example is evaluated, compared, archived and verified; damaged copies of its files must be refused.

    FOLDER is that of its pyproject.toml; NAME is an installed task.
    """
    n_failed = n_check = 0
    for title, problems in testing.check_package(folder):
        yield Printed("\n    ".join([f"{'failed' if problems else 'passed'}  {title}", *problems]))
        n_check += 1
        n_failed += bool(problems)
    if n_failed:
        yield f"{n_failed} of {counted(n_check, 'check')} failed."
    yield int(bool(n_failed))
