"""`tdtsql metric`: what is computed, how, and who says so."""

import click

from tdtsql.cli.options import format_option, new_store_options, store_options


@click.group("metric")
def command() -> None:
    """What is computed, how, and who says so."""


@command.command("list")
@click.option("--task", help="Only metrics of this task.")
@format_option
def list_command(task: str | None, format_: str) -> None:
    """List every metric with the view that computes it."""
    from tdtsql.cli.output import print_rows
    from tdtsql.metric.catalog import catalog
    from tdtsql.metric.published import tasks_of

    rows = []
    for relation in catalog().values():
        tasks = tasks_of(relation)
        if task is None or task in tasks:
            grain = "block" if "block_no" in relation.header.grain else "run"
            rows += [(metric.metric, grain, metric.title, metric.best, relation.name, " ".join(tasks)) for metric in relation.header.metrics]
    print_rows(("metric", "of", "title", "best", "relation", "tasks"), sorted(rows), format_)


@command.command("show")
@click.argument("name")
def show_command(name: str) -> None:
    """Print the contract and the SQL of a metric or view, e.g. c_det_norm or metric.detection_rate."""
    from tdtsql.metric.catalog import catalog, find
    from tdtsql.errors import UnknownName

    relations = [relation for relation in catalog().values() if name in [metric.metric for metric in relation.header.metrics]]
    if not relations:
        try:
            relations = [find(catalog(), name)]
        except UnknownName:
            from tdtsql.store.store import unknown

            names = {metric.metric for relation in catalog().values() for metric in relation.header.metrics}
            raise unknown("metric", name, sorted(names)) from None
    for relation in relations:
        click.echo(f"-- {relation.name}\n{relation.path.read_text(encoding='utf-8')}")


@command.command("lineage")
@click.argument("name")
@click.argument("column", required=False)
@click.option("--sources", is_flag=True, help="Go on below the tables: to kept numbers, rows as found, kinds of files.")
@click.option("--db", metavar="FILE", help="Go on to the files that this store was loaded from.")
@click.option("--trace", is_flag=True, help="Print each SQL statement on stderr.")
@click.option("--picture", type=click.Choice(["svg", "mermaid"]), help="A picture instead of rows.")
@format_option
def lineage_command(name: str, column: str | None, sources: bool, db: str | None, trace: bool, picture: str | None, format_: str) -> None:
    """Show what a metric, or a COLUMN of view NAME, is made from, down to the columns of tables."""
    from tdtsql.cli.output import print_rows
    from tdtsql.metric.lineage import mermaid, svg, to_sources
    from tdtsql.store.lineage import COLUMNS, down_to_files, steps_named
    from tdtsql.store.store import connect

    if db is not None:
        with connect(db, read_only=True, trace=trace) as store:
            steps = down_to_files(store.engine, name, column)
    else:
        steps = to_sources(steps_named(name, column)) if sources else steps_named(name, column)
    if picture:
        click.echo({"svg": svg, "mermaid": mermaid}[picture](steps), nl=False)
        return
    print_rows(COLUMNS, [(step.depth, step.relation, step.column, step.role, step.from_relation, step.from_column) for step in steps], format_)


@command.command("plan")
@store_options
@format_option
def plan_command(db: str, trace: bool, format_: str) -> None:
    """Show which views are not what the store was made with, and what hangs on them; apply nothing."""
    from tdtsql.cli.output import print_rows
    from tdtsql.engine.duckdb import Engine
    from tdtsql.store.address import opener
    from tdtsql.store.effects import plan

    # not connect(): that refuses what is asked about here
    elsewhere = opener(db)
    engine = elsewhere(db, read_only=True, trace=trace) if elsewhere else Engine(db, read_only=True, trace=trace)
    try:
        effects = plan(engine)
    finally:
        engine.close()
    print_rows(("relation", "change", "because", "metrics", "n_run"),
               [(effect.relation, effect.change, effect.because, effect.metrics, effect.n_run) for effect in effects], format_)
    n_direct = sum(effect.change != "indirect" for effect in effects)
    click.echo(f"{n_direct} changed, {len(effects) - n_direct} that read them; numbers of {max((effect.n_run for effect in effects), default=0)} runs are computed anew.", err=True)


@command.command("diff")
@click.argument("name")
@click.argument("old")
@click.argument("new")
@new_store_options
@format_option
def diff_command(name: str, old: str, new: str, db: str, trace: bool, format_: str) -> None:
    """Show what differs between versions OLD and NEW of a view (v1 v2), or between two profiles for metric NAME, and on the stored runs."""
    import re
    from pathlib import Path

    from tdtsql.cli.output import print_rows
    from tdtsql.errors import UnknownName
    from tdtsql.metric.catalog import VERSION, catalog, find
    from tdtsql.metric.render import views_named
    from tdtsql.metric.semantic import changes
    from tdtsql.store.address import opener
    from tdtsql.store.effects import compare_profiles, compare_versions, profile_changes
    from tdtsql.store.store import connect

    shifts = []
    if re.fullmatch(r"v\d+", old) and re.fullmatch(r"v\d+", new):
        aliases = list(dict.fromkeys(VERSION.sub("", view) for view in views_named(name)))
        alias = next((alias for alias in aliases if {f"{alias}__{old}", f"{alias}__{new}"} <= set(catalog())), None)
        if alias is None:
            raise UnknownName(f"{name} is not there as {old} and {new}: {', '.join(view for view in catalog() if VERSION.sub('', view) in aliases)}. "
                              "`tdtsql metric new-version` makes another one.")
        left, right = (find(catalog(), f"{alias}__{version}") for version in (old, new))
        rows = changes(left, right)
        if db == ":memory:" or Path(db).exists() or opener(db):
            with connect(db, read_only=db != ":memory:", trace=trace) as store:
                shifts = compare_versions(store.engine, left, right)
    else:
        with connect(db, read_only=True, trace=trace) as store:
            rows = profile_changes(store.engine, old, new)
            shifts = compare_profiles(store.engine, name, old, new)
    print_rows(("change", "text"), rows, format_)
    if shifts:
        columns = ("metric", "weighting", "n_value", "n_changed", "largest_change", "of_run", "kendall_tau")
        print_rows(columns, [(s.metric, s.weighting, s.n_value, s.n_changed, s.largest, s.where, s.tau) for s in shifts], format_)


@command.command("new-version")
@click.argument("name")
def new_version_command(name: str) -> None:
    """Copy view NAME to its next version, a skeleton to be edited; the old one stays, and stays computable."""
    from tdtsql.metric.catalog import catalog
    from tdtsql.metric.render import views_named
    from tdtsql.metric.semantic import new_version

    names = views_named(name)
    if len(names) > 1:
        raise click.UsageError(f"{name} is published by {', '.join(names)}. Name one of them.")
    path = new_version(catalog()[names[0]])
    click.echo(f"{path} is a copy. Edit it, say in its header what differs and why, then `python -m tdtsql.metric.lock --write`.")
