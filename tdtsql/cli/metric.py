"""Definitions: `tdtsql metric`, and packages of tasks (`tdtsql task`)."""

import re
import time
from contextlib import nullcontext
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import click

from tdtsql.cli.options import NEW_FILE, OLD_FOLDER, StoreOption
from tdtsql.cli.output import counted, print_rows, print_tables, say
from tdtsql.errors import InvalidInput, Names, UnknownName, check_known, escape_control, unknown_name_error
from tdtsql.output_file import check_writable, write_whole
from tdtsql.show.table import Table
from tdtsql.task import TASKS, known_metrics

if TYPE_CHECKING:
    from tdtsql.api import Store
    from tdtsql.definitions.catalogue import Relation
    from tdtsql.engine.duckdb import Engine


def metrics(engine: "Engine | None" = None, *, task: str | None = None) -> Table:
    """List every metric with the view that computes it; user-defined metrics of a store are called own:NAME.

    Args:
        task: Only metrics of this task.
    """
    from tdtsql.definitions.catalogue import catalog
    from tdtsql.definitions.catalogue import tasks_of

    check_known("task", task, TASKS)  # a store may have tasks that are not installed
    rows = []
    for relation in catalog().values():
        tasks = tasks_of(relation)
        grain = "block" if "block_no" in relation.header.grain else "run"
        rows += [
            (metric.metric, grain, metric.title, metric.best, relation.name, " ".join(tasks))
            for metric in relation.header.metrics
        ]
    if engine is not None:
        rows += engine.rows(
            "select metric, 'own', said.title, best, relation, tasks from registry.published as said join "
            "registry.own_metric as own on relation = 'own.' || own.name || '__v' || own.version where "
            "grain = 'score'"
        )
    rows = [row for row in rows if task is None or task in row[5].split()]
    return Table("metric of title best relation tasks".split(), sorted(rows))


def _definitions(engine: "Engine | None", name: str) -> tuple[dict[str, "Relation"], dict[str, str]]:
    """Return the views of the installation and the user-defined metrics of a store by name, and the texts of these."""
    from tdtsql.definitions.catalogue import catalog
    from tdtsql.store.sets import check_intact, own_relations, own_texts

    if engine is None:
        return {**catalog()}, {}
    check_intact(engine, [name])
    return {**catalog(), **own_relations(engine)}, own_texts(engine)


def show(name: str, engine: "Engine | None" = None, *, task: str | None = None, expanded: bool = False) -> None:
    """Print the contract and the SQL of a metric, view or macro, e.g. c_det_norm, metric.detection_rate, exact_mean,
    or own:NAME of a store.

    A metric is shown as the first task computes it for a whole run; other views of it are listed on stderr.

    Args:
        task: Of a metric that several tasks compute by different views: this task's.
        expanded: The SQL that the engine gets: macros written out.
    """
    from tdtsql.definitions.catalogue import find, sql_root
    from tdtsql.definitions.macro import read_macros
    from tdtsql.definitions.catalogue import tasks_of

    macros = read_macros(sql_root())
    if name in macros:
        macro = macros[name]
        click.echo(f"-- {name}: {macro.body}\n" if expanded else macro.path.read_text(encoding="utf-8"))
        return
    check_known("task", task, TASKS)
    known, texts = _definitions(engine, name)
    metrics = {metric.metric for relation in known.values() for metric in relation.header.metrics}
    [metric] = known_metrics([name], metrics)
    relations = [
        relation
        for relation in known.values()
        if metric in [entry.metric for entry in relation.header.metrics]
        and (task is None or task in tasks_of(relation))
    ]
    if not relations:
        try:
            relations = [find(known, name)]
        except UnknownName:
            raise unknown_name_error("metric", name, sorted(metrics | set(macros))) from None
    order = list(TASKS)

    def place(relation: "Relation") -> tuple:
        """First task first, numbers of runs before those of topics, over topics before pooled."""
        tasks = [order.index(one) for one in tasks_of(relation)]
        of_topics = "block_no" in relation.header.grain
        return min(tasks, default=99), of_topics, "topic" not in relation.name, -relation.version, relation.name

    first, *others = sorted(relations, key=place)
    text = texts[first.name] if first.name in texts else first.path.read_text(encoding="utf-8")
    text = text.replace(first.plain, first.body) if expanded else text
    click.echo("\n".join((f"-- {first.name}", escape_control(text, keep="\n\r\t"))))
    if others:
        say(f"Other views that publish {metric}; print one with `tdtsql metric show VIEW`:", err=True)
        for relation in others:
            say(f"    {relation.name}: {relation.header.title} ({', '.join(tasks_of(relation))})", err=True)


def cite(name: str, engine: "Engine | None" = None, *, task: str | None = None) -> None:
    """Print what to write where a number of metric NAME, or own:NAME of a store, is printed: a line for each view that
    publishes it.

    Args:
        task: Restrict to the view of this task, for metrics with one view per task.
    """
    from tdtsql.audit.citation import citations

    for line in citations(name, task, engine):
        say(line)


def lineage(
    name: str,
    column: str | None = None,
    engine: "Engine | None" = None,
    *,
    sources: bool = False,
    task: str | None = None,
    output: Annotated[Path | None, NEW_FILE] = None,
) -> Table | None:
    """List what a metric, or a COLUMN of view NAME, is derived from, down to the columns of tables, or to the input
    files of a store.

    Args:
        sources: Include stored results, staged rows and kinds of files.
        task: Restrict to the view of this task, for metrics with one view per task.
        output: Draw into this file (.svg or .mmd) instead of printing rows.
    """
    from tdtsql.definitions.lineage import mermaid, svg, to_sources
    from tdtsql.store.sets import check_intact, own_relations
    from tdtsql.store.lineage import COLUMNS, down_to_files, steps_named, tasks_named

    of = f"{name}.{column}" if column else name
    drawings = {".svg": lambda steps: svg(steps, title=of), ".mmd": mermaid}
    if output and output.suffix.lower() not in drawings:
        raise click.UsageError(f"--output writes a file that ends in {' or '.join(drawings)}, not {str(output)!r}.")
    if engine is not None:
        check_intact(engine, [name])
    own = {} if engine is None else own_relations(engine)
    kinds = tasks_named(name, task, own)
    if engine is not None:
        steps = down_to_files(engine, name, column, task=task, own=own)
    else:
        steps = steps_named(name, column, task=task, own=own)
        steps = to_sources(steps) if sources else steps
    if output is None:
        return Table(COLUMNS, steps)
    if len(kinds) > 1:
        said = " and ".join(f"{', '.join(tasks)} ({', '.join(views)})" for tasks, views in kinds.items())
        raise click.UsageError(
            f"{name} has one view per task: {said}. Choose one with --task, for example --task {next(iter(kinds))[0]}."
        )
    size = write_whole(output, drawings[output.suffix.lower()](steps).encode())
    say(f"{output} is ready, {size / 1000:.0f} kB.", err=True)
    return None


def impact(opened: StoreOption, format_: str) -> None:
    """List changed definitions, their readers and affected runs; apply nothing."""
    from tdtsql.audit.effects import plan
    from tdtsql.engine.duckdb import Engine

    # not connect(): that refuses the changed definitions that this command reports
    engine = Engine(opened.path, read_only=True, trace=opened.trace)
    try:
        effects = plan(engine)
    finally:
        engine.close()
    print_rows(("relation", "change", "because", "metrics", "n_run"), [astuple(effect) for effect in effects], format_)
    n_direct = sum(effect.change != "indirect" for effect in effects)
    n_run = max((effect.n_run for effect in effects), default=0)
    say(
        f"{n_direct} changed, {len(effects) - n_direct} that read them; numbers of {counted(n_run, 'run')} are "
        "recomputed.",
        err=True,
    )


def diff(opened: StoreOption, format_: str, name: str, old: str, new: str) -> None:
    """Show what differs between versions OLD and NEW of a view (v1 v2), or between two profiles for metric NAME, and on
    the stored runs.
    """
    from tdtsql.audit.definition_diff import changes
    from tdtsql.audit.effects import compare_profiles, compare_versions, profile_changes
    from tdtsql.definitions.catalogue import VERSION, catalog, find, views_named
    from tdtsql.store.sets import own_relations

    shifts = []
    is_version = re.fullmatch(r"v\d+", old) and re.fullmatch(r"v\d+", new)
    has_store = opened.path == ":memory:" or Path(opened.path).exists()
    with opened.open() if has_store or not is_version else nullcontext() as store:
        if is_version:
            known = catalog() if store is None else {**catalog(), **own_relations(store.engine)}
            aliases = list(dict.fromkeys(VERSION.sub("", view) for view in views_named(name, known)))
            alias = next((alias for alias in aliases if {f"{alias}__{old}", f"{alias}__{new}"} <= set(known)), None)
            if alias is None:
                raise UnknownName(
                    f"{name} does not exist as {old} and {new}: "
                    f"{', '.join(view for view in known if VERSION.sub('', view) in aliases)}. "
                    "`tdtsql metric new-version` makes another one."
                )
            left, right = (find(known, f"{alias}__{version}") for version in (old, new))
            rows = changes(left, right)
            shifts = [] if store is None else compare_versions(store.engine, left, right)
        else:
            engine = cast("Store", store).engine  # profiles are in a store, which is open then
            rows = profile_changes(engine, old, new)
            shifts = compare_profiles(engine, name, old, new)
    columns = "metric weighting n_value n_changed largest_change of_run kendall_tau".split()
    definition = Table(("change", "text"), rows, part="definition")
    print_tables([definition, Table(columns, [astuple(shift) for shift in shifts], part="numbers")], format_)


def new_version(name: str, engine: "Engine | None" = None, *, to: Path | None = None) -> None:
    """Copy view NAME to its next version, a skeleton to be edited; the old one stays, and stays computable.

    With --to it becomes a user-defined metric; a user-defined metric of a store (own:NAME) needs --to and --db.

    Args:
        to: Write a user-defined metric to this folder.
    """
    from tdtsql.audit.definition_diff import new_version, own_copy
    from tdtsql.definitions.catalogue import views_named

    known, texts = _definitions(engine, name)
    names = views_named(name, known)
    if len({known[view].alias for view in names}) > 1:
        raise click.UsageError(f"{name} is published by {', '.join(names)}. Name one of them.")
    newest = max((known[view] for view in names), key=lambda view: view.version)
    if to is not None:
        path = own_copy(newest, to, texts.get(newest.name))
        say(f"{path} is a copy. Edit it, then `tdtsql metric try {path} --db STORE`.")
        return
    if newest.name in texts:
        raise click.UsageError(f"{newest.name} is in the store: name a folder for the next version with --to.")
    path = new_version(newest)
    say(
        f"{path} is a copy. Edit it, say in its header what differs and why, then `python -m tdtsql.build.lock "
        f"--write`."
    )


def new(name: str, *, task: str, to: Path = Path()) -> None:
    """Write NAME__v1.sql, a template of a user-defined metric that passes the check.

    Args:
        task: The task whose runs have it.
        to: The folder to write to.
    """
    from tdtsql.store.sets import check_own
    from tdtsql.definitions.template import template

    check_known("task", task, TASKS)
    if check_own([(name, f"{name}__v1", template(name, task))])[1]:
        raise click.UsageError(
            f"{name!r} cannot name a metric. Expected lower-case letters, digits and _, beginning with a letter: no "
            "word of SQL, and no column of the skeleton."
        )
    path = to / f"{name}__v1.sql"
    if path.exists():
        raise click.UsageError(f"{path} exists already. Edit it, or choose another name.")
    check_writable(path)
    write_whole(path, template(name, task).encode())
    say(f"{path}: edit it, then `tdtsql metric try {path} --db STORE`.")


def check(files: list[Path], engine: "Engine | None" = None) -> None:
    """Report every problem of user-defined metrics; nothing is stored. With --db also whether versions and grain fit
    the store.
    """
    from tdtsql.store.sets import check_own, read_files

    found, problems = check_own(read_files(files), engine)
    if problems:
        raise InvalidInput(problems)
    for metric in found:
        ids = ", ".join(one.metric for one in metric.relation.header.metrics)
        say(f"{metric.path}: {metric.relation.name} publishes {ids} of {', '.join(metric.tasks)}")


def try_(store: "Store", file: Path, run: Names = None) -> Table:
    """Print the numbers of FILE for RUN... (default: all); nothing is stored."""
    from tdtsql.store.sets import check_own, read_files

    found, problems = check_own(read_files([file]), store.engine)
    if problems:
        raise InvalidInput(problems)
    [metric] = found
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


def new_task(name: str, *, to: Path | None = None) -> None:
    """Write a small, complete task package.

    It passes `tdtsql task check`.

    Args:
        to: Folder to write. Default: tdtsql-NAME.
    """
    from tdtsql.testing import write_skeleton

    target = to or Path(f"tdtsql-{name}")
    write_skeleton(name, target)
    say(
        f"Wrote {target}. Next:\n"
        f"    pip install -e {target}      makes the task known\n"
        f"    tdtsql task check {target}   checks definitions and example\n"
        f"    tdtsql task lock {target}    after each change of its SQL",
        err=True,
    )


def lock_task(folder: Annotated[Path, OLD_FOLDER]) -> int:
    """Write the lock of a package after a change of its SQL.

    Compiles the SQL, and writes versions.lock and compiled.json next to it.
    """
    from tdtsql.testing import lock_folder

    root, mismatches = lock_folder(folder)
    for mismatch in mismatches:
        say(str(mismatch), err=True)
    if not mismatches:
        say(f"Wrote {root / 'versions.lock'} and {root / 'compiled.json'}.", err=True)
    return int(bool(mismatches))


def check_task(folder: str) -> int:
    """Check a task package by its definitions and its example.

    The example is evaluated, compared, archived and verified; damaged copies of its files must be refused.

    FOLDER is that of its pyproject.toml; NAME is an installed task.
    """
    from tdtsql.testing import check_package

    n_failed = n_check = 0
    for title, problems in check_package(folder):
        say(f"{'failed' if problems else 'passed'}  {title}")
        for problem in problems:
            say(f"    {problem}")
        n_check += 1
        n_failed += bool(problems)
    if n_failed:
        say(f"{n_failed} of {counted(n_check, 'check')} failed.", err=True)
    return int(bool(n_failed))
