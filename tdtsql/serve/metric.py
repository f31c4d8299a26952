"""Metrics and views: description, SQL, versions and lineage of each."""

from tdtsql.errors import UnknownName, unknown_name_error
from tdtsql.metric.catalog import Relation, catalog, find, newest, sql_root
from tdtsql.metric.lineage import svg
from tdtsql.metric.macro import read_macros
from tdtsql.metric.published import tasks_of
from tdtsql.serve.server import PageRequest, Page
from tdtsql.store.lineage import steps_named, tasks_named


def index(ask: PageRequest) -> Page:
    """All metrics, those of one task where the address names it."""
    task = ask.get("task")
    rows = []
    for relation in newest().values():
        tasks = tasks_of(relation)
        if task is None or task in tasks:
            of = "topic" if "block_no" in relation.header.grain else "run"
            rows += [
                (metric.metric, of, metric.title, metric.best, relation.name, tasks)
                for metric in relation.header.metrics
            ]
    return ask.page("Metrics", "metrics.html", "/metrics", task=task, rows=sorted(rows))


def page(ask: PageRequest) -> Page:
    """A metric (each view that publishes it), a view, or a macro."""
    name, task = ask.require("name"), ask.get("task")
    macros = read_macros(sql_root())
    if name in macros:
        text = macros[name].path.read_text(encoding="utf-8")
        return ask.page(name, "macro.html", "/metrics", text=text, body=macros[name].body)
    relations = [
        relation for relation in newest().values() if name in [metric.metric for metric in relation.header.metrics]
    ]
    if not relations:
        try:
            relations = [find(catalog(), name)]
        except UnknownName:
            known = {metric.metric for relation in catalog().values() for metric in relation.header.metrics}
            raise unknown_name_error("metric", name, sorted({*known, *macros, *catalog()})) from None
    mine = [relation for relation in relations if task in tasks_of(relation)] or relations
    hashes = {
        relation: row
        for relation, *row in ask.rows("select relation, token_sha256, closure_sha256 from registry.definition")
    }
    return ask.page(
        name,
        "metric.html",
        "/metrics",
        name=name,
        views=[_view(relation, name, hashes) for relation in mine],
        others=[(relation, next(iter(tasks_of(relation)), None)) for relation in relations if relation not in mine],
        drawings=tasks_named(name, task if task and any(task in tasks for tasks in tasks_named(name)) else None),
        known=catalog(),
    )


def _view(relation: Relation, name: str, hashes: dict[str, list[str]]) -> tuple:
    """Return a view, the metric of it that is shown, its metrics, the views that read it, and its versions (name, is it
    the newest, hashes).
    """
    metrics = {metric.metric: metric for metric in relation.header.metrics}
    versions = sorted(
        (other for other in catalog().values() if other.alias == relation.alias), key=lambda other: -other.version
    )
    return (
        relation,
        metrics.get(name),
        metrics,
        [view.name for view in catalog().values() if relation.name in view.header.inputs],
        [(other.name, other is newest()[other.alias], *hashes.get(other.name, ("–", "–"))) for other in versions],
    )


def lineage_drawing(ask: PageRequest) -> str:
    """Return the lineage of a metric or view as SVG."""
    name, task = ask.require("name"), ask.get("task")
    return ask.server.cached(("lineage", name, task), lambda: svg(steps_named(name, None, task=task), title=name))
