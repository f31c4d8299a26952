"""`tdtsql metric`: what is computed, how, and who says so."""

import click

from tdtsql.cli.options import format_option


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
@click.option("--picture", type=click.Choice(["svg", "mermaid"]), help="A picture instead of rows.")
@format_option
def lineage_command(name: str, column: str | None, picture: str | None, format_: str) -> None:
    """Show what a metric, or a COLUMN of view NAME, is made from, down to the columns of tables."""
    from tdtsql.cli.output import print_rows
    from tdtsql.metric.catalog import catalog
    from tdtsql.metric.lineage import lineage, mermaid, svg
    from tdtsql.metric.render import views_named

    steps = []
    for view in views_named(name):
        is_metric = column is None and any(metric.metric == name for metric in catalog()[view].header.metrics)
        steps += lineage(catalog()[view], [name] if is_metric else [column] if column else None)
    if picture:
        click.echo({"svg": svg, "mermaid": mermaid}[picture](steps), nl=False)
        return
    rows = [(step.depth, step.relation, step.column, step.role, step.from_relation, step.from_column) for step in dict.fromkeys(steps)]
    print_rows(("depth", "relation", "column", "role", "from_relation", "from_column"), rows, format_)
