"""`tdtsql metric`: definitions of metrics: SQL, source, lineage."""

import re
import time
from contextlib import nullcontext
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdtsql.cli.options import (
    ANY_PATH,
    NEW_FILE,
    StoreOption,
    format_option,
    new_store_options,
    optional_store_options,
    rows_option,
    store_options,
    trace_option,
)
from tdtsql.cli.output import counted, print_parts, print_rows, say
from tdtsql.errors import InvalidInput, UnknownName, escape_control, check_known, unknown_name_error
from tdtsql.output_file import check_writable, write_whole
from tdtsql.task import TASKS, known_metrics

if TYPE_CHECKING:
    from tdtsql.definitions.catalogue import Relation


@click.group("metric")
def command() -> None:
    """List metrics; show their SQL, source and lineage."""
    from tdtsql.installed import use_all

    use_all()


@command.command("list")
@click.option("--task", help="Only metrics of this task.")
@optional_store_options
@format_option
def list_command(task, opened: StoreOption | None, format_) -> None:
    """List every metric with the view that computes it; user-defined metrics of a store are called own:NAME."""
    from tdtsql.definitions.catalogue import catalog
    from tdtsql.definitions.published import tasks_of

    rows = []
    with nullcontext() if opened is None else opened.read() as store:  # a store may have tasks that are not installed
        check_known("task", task, TASKS)
        for relation in catalog().values():
            tasks = tasks_of(relation)
            grain = "block" if "block_no" in relation.header.grain else "run"
            rows += [
                (metric.metric, grain, metric.title, metric.best, relation.name, " ".join(tasks))
                for metric in relation.header.metrics
            ]
        if store is not None:
            rows += store.engine.rows(
                "select metric, 'own', said.title, best, relation, tasks from registry.own_published as said join "
                "registry.own_metric as own on relation = 'own.' || own.name || '__v' || own.version where "
                "grain = 'score'"
            )
    rows = [row for row in rows if task is None or task in row[5].split()]
    print_rows("metric of title best relation tasks".split(), sorted(rows), format_)


_task_option = click.option("--task", help="Restrict to the view of this task, for metrics with one view per task.")


def _definitions(opened: StoreOption | None, name: str) -> tuple[dict[str, "Relation"], dict[str, str]]:
    """Return the views of the installation and the user-defined metrics of a store by name, and the texts of these."""
    from tdtsql.definitions.catalogue import catalog
    from tdtsql.own.stored import check_intact, own_relations, own_texts

    if opened is None:
        return {**catalog()}, {}
    with opened.read() as store:
        check_intact(store.engine, [name])
        return {**catalog(), **own_relations(store.engine)}, own_texts(store.engine)


@command.command("show")
@click.argument("name")
@click.option("--task", help="Of a metric that several tasks compute by different views: this task's.")
@click.option("--expanded", is_flag=True, help="The SQL that the engine gets: macros written out.")
@optional_store_options
def show_command(name, task, expanded, opened: StoreOption | None) -> None:
    """Print the contract and the SQL of a metric, view or macro, e.g. c_det_norm, metric.detection_rate, exact_mean,
    or own:NAME of a store.

    A metric is shown as the first task computes it for a whole run; other views of it are listed on stderr.
    """
    from tdtsql.definitions.catalogue import find, sql_root
    from tdtsql.definitions.macro import read_macros
    from tdtsql.definitions.published import tasks_of

    macros = read_macros(sql_root())
    if name in macros:
        macro = macros[name]
        click.echo(f"-- {name}: {macro.body}\n" if expanded else macro.path.read_text(encoding="utf-8"))
        return
    check_known("task", task, TASKS)
    known, texts = _definitions(opened, name)
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


@command.command("cite")
@click.argument("name")
@_task_option
@optional_store_options
def cite_command(name, task, opened: StoreOption | None) -> None:
    """Print what to write where a number of metric NAME, or own:NAME of a store, is printed: a line for each view that
    publishes it.
    """
    from tdtsql.audit.citation import citations

    with nullcontext() if opened is None else opened.read() as store:
        for line in citations(name, task, None if store is None else store.engine):
            say(line)


@command.command("lineage")
@click.argument("name")
@click.argument("column", required=False)
@click.option("--sources", is_flag=True, help="Include stored results, staged rows and kinds of files.")
@optional_store_options
@_task_option
@click.option(
    "-o",
    "--output",
    "picture",
    type=NEW_FILE,
    metavar="OUT.svg|OUT.mmd",
    help="Draw into this file instead of printing rows.",
)
@rows_option
def lineage_command(name, column, sources, opened: StoreOption | None, task, picture, format_) -> None:
    """List what a metric, or a COLUMN of view NAME, is derived from, down to the columns of tables, or to the input
    files of a store.
    """
    from tdtsql.definitions.lineage import mermaid, svg, to_sources
    from tdtsql.own.stored import check_intact, own_relations
    from tdtsql.store.lineage import COLUMNS, down_to_files, steps_named, tasks_named

    of = f"{name}.{column}" if column else name
    drawings = {".svg": lambda steps: svg(steps, title=of), ".mmd": mermaid}
    if picture and picture.suffix.lower() not in drawings:
        raise click.UsageError(f"--output writes a file that ends in {' or '.join(drawings)}, not {str(picture)!r}.")
    with nullcontext() if opened is None else opened.read() as store:
        if store is not None:
            check_intact(store.engine, [name])
        own = {} if store is None else own_relations(store.engine)
        kinds = tasks_named(name, task, own)
        if store is not None:
            steps = down_to_files(store.engine, name, column, task=task, own=own)
        else:
            steps = steps_named(name, column, task=task, own=own)
            steps = to_sources(steps) if sources else steps
    if picture and len(kinds) > 1:
        said = " and ".join(f"{', '.join(tasks)} ({', '.join(views)})" for tasks, views in kinds.items())
        raise click.UsageError(
            f"{name} has one view per task: {said}. Choose one with --task, for example --task {next(iter(kinds))[0]}."
        )
    if picture:
        size = write_whole(picture, drawings[picture.suffix.lower()](steps).encode())
        click.echo(f"{picture} is ready, {size / 1000:.0f} kB.", err=True)
        return
    print_rows(COLUMNS, steps, format_)


@command.command("impact")
@store_options
@format_option
def impact_command(opened: StoreOption, format_) -> None:
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
    click.echo(
        f"{n_direct} changed, {len(effects) - n_direct} that read them; numbers of "
        f"{counted(max((effect.n_run for effect in effects), default=0), 'run')} are recomputed.",
        err=True,
    )


@command.command("diff")
@click.argument("name")
@click.argument("old")
@click.argument("new")
@new_store_options
@format_option
def diff_command(name, old, new, opened: StoreOption, format_) -> None:
    """Show what differs between versions OLD and NEW of a view (v1 v2), or between two profiles for metric NAME, and on
    the stored runs.
    """
    from tdtsql.audit.definition_diff import changes
    from tdtsql.audit.effects import compare_profiles, compare_versions, profile_changes
    from tdtsql.definitions.catalogue import VERSION, catalog, find, views_named
    from tdtsql.own.stored import own_relations

    shifts = []
    if re.fullmatch(r"v\d+", old) and re.fullmatch(r"v\d+", new):
        has_store = opened.path == ":memory:" or Path(opened.path).exists()
        with opened.read() if has_store else nullcontext() as store:
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
            if store is not None:
                shifts = compare_versions(store.engine, left, right)
    else:
        with opened.read() as store:
            rows = profile_changes(store.engine, old, new)
            shifts = compare_profiles(store.engine, name, old, new)
    columns = "metric weighting n_value n_changed largest_change of_run kendall_tau".split()
    print_parts(
        [("definition", ("change", "text"), rows), ("numbers", columns, [astuple(shift) for shift in shifts])], format_
    )


@command.command("new-version")
@click.argument("name")
@click.option("--to", "folder", type=ANY_PATH, help="Write a user-defined metric to this folder.")
@optional_store_options
def new_version_command(name, folder, opened: StoreOption | None) -> None:
    """Copy view NAME to its next version, a skeleton to be edited; the old one stays, and stays computable.

    With --to it becomes a user-defined metric; a user-defined metric of a store (own:NAME) needs --to and --db.
    """
    from tdtsql.audit.definition_diff import new_version, own_copy
    from tdtsql.definitions.catalogue import views_named

    known, texts = _definitions(opened, name)
    names = views_named(name, known)
    if len({known[view].alias for view in names}) > 1:
        raise click.UsageError(f"{name} is published by {', '.join(names)}. Name one of them.")
    newest = max((known[view] for view in names), key=lambda view: view.version)
    if folder is not None:
        path = own_copy(newest, folder, texts.get(newest.name))
        click.echo(f"{path} is a copy. Edit it, then `tdtsql metric try {path} --db STORE`.")
        return
    if newest.name in texts:
        raise click.UsageError(f"{newest.name} is in the store: name a folder for the next version with --to.")
    path = new_version(newest)
    click.echo(
        f"{path} is a copy. Edit it, say in its header what differs and why, then `python -m tdtsql.build.lock "
        f"--write`."
    )


@command.command("new")
@click.argument("name")
@click.option("--task", required=True, help="The task whose runs have it.")
@click.option("--to", "folder", type=ANY_PATH, default=Path(), help="The folder to write to.")
def new_command(name, task, folder) -> None:
    """Write NAME__v1.sql, a template of a user-defined metric that passes the check."""
    from tdtsql.own.template import template
    from tdtsql.own.stored import check_own

    check_known("task", task, TASKS)
    if check_own([(name, f"{name}__v1", template(name, task))])[1]:
        raise click.UsageError(
            f"{name!r} cannot name a metric. Expected lower-case letters, digits and _, beginning with a letter: no "
            "word of SQL, and no column of the skeleton."
        )
    path = folder / f"{name}__v1.sql"
    if path.exists():
        raise click.UsageError(f"{path} exists already. Edit it, or choose another name.")
    check_writable(path)
    write_whole(path, template(name, task).encode())
    click.echo(f"{path}: edit it, then `tdtsql metric try {path} --db STORE`.")


@command.command("check")
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@click.option("--db", type=click.Path(), help="The store that they are for: versions and grain are checked, too.")
@trace_option
def check_command(files, db, trace) -> None:
    """Report every problem of user-defined metrics; nothing is stored."""
    from tdtsql.api import connect
    from tdtsql.own.stored import check_own, read_files

    with connect(db, read_only=True, trace=trace) if db else nullcontext() as store:
        found, problems = check_own(read_files(files), store.engine if store is not None else None)
    if problems:
        raise InvalidInput(problems)
    for metric in found:
        ids = ", ".join(one.metric for one in metric.relation.header.metrics)
        click.echo(f"{metric.path}: {metric.relation.name} publishes {ids} of {', '.join(metric.tasks)}")


@command.command("try")
@click.argument("file", type=ANY_PATH)
@click.argument("runs", nargs=-1)
@store_options
@format_option
def try_command(file, runs, opened: StoreOption, format_) -> None:
    """Print the numbers of FILE for RUN... (default: all); nothing is stored."""
    from tdtsql.own.stored import check_own, read_files

    with opened.read() as store:
        found, problems = check_own(read_files([file]), store.engine)
        if problems:
            raise InvalidInput(problems)
        [metric] = found
        started = time.process_time()
        names, rows = store.try_metric(metric, runs)
    print_rows(names, rows, format_)
    say(f"{time.process_time() - started:.2f} s of CPU time; nothing was stored.", err=True)


@command.command("add")
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@store_options
def add_command(files, opened: StoreOption) -> None:
    """Add user-defined metrics to a store, all or none, and compute their scores."""
    with opened.current() as store:
        made = store.add_metric(*files)
    click.echo(f"Added {', '.join(made)}." if made else "Nothing new: the store has these texts.")


@command.command("drop")
@click.argument("metric")
@store_options
def drop_command(metric, opened: StoreOption) -> None:
    """Remove a user-defined metric with its versions and scores."""
    with opened.current() as store:
        store.drop_metric(metric)
    click.echo(f"Dropped {metric}. The ledger keeps that it was there.")
