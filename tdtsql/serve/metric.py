"""Metrics and views: description, SQL, versions and lineage of each."""

from collections.abc import Mapping

from tdtsql.errors import UnknownName, unknown_name_error
from tdtsql.definitions.catalogue import catalog, find, Relation, sql_root, tasks_of
from tdtsql.definitions.lineage import svg
from tdtsql.definitions.macro import Macro, calls, read_macros
from tdtsql.store.sets import check_intact, own_relations
from tdtsql.serve.server import Page, PageRequest
from tdtsql.store.lineage import steps_named, tasks_named


def _views(ask: PageRequest) -> dict[str, Relation]:
    """Return all views of the catalog and of the store's user-defined metrics."""
    return catalog() | _own(ask)


def _own(ask: PageRequest) -> dict[str, Relation]:
    return own_relations(ask.engine)


def _newest(views: Mapping[str, Relation]) -> dict[str, Relation]:
    """Return alias -> newest version."""
    return {view.alias: view for view in sorted(views.values(), key=lambda view: view.version)}


def index(ask: PageRequest) -> Page:
    """All metrics, those of one task where the address names it."""
    task = ask.get("task")
    rows = [
        (metric.metric, _grain(view), metric.title, metric.best, view.name, tasks_of(view))
        for view in _newest(_views(ask)).values()
        if task is None or task in tasks_of(view)
        for metric in view.header.metrics
    ]
    return ask.page("Metrics", "metrics.html", "/metrics", task=task, rows=sorted(rows))


def _grain(view: Relation) -> str:
    return "topic" if "block_no" in view.header.grain else "run"


def page(ask: PageRequest) -> Page:
    """A metric (each view that publishes it), a view, or a macro."""
    name, task = ask.require("name"), ask.get("task")
    check_intact(ask.engine, [name])
    macros, views = read_macros(sql_root()), _views(ask)
    if name in macros:
        text = macros[name].path.read_text(encoding="utf-8")
        return ask.page(name, "macro.html", "/metrics", text=text, body=macros[name].body)
    found = [view for view in _newest(views).values() if name in [metric.metric for metric in view.header.metrics]]
    if not found:
        try:
            found = [find(views, name)]
        except UnknownName:
            known = {metric.metric for view in views.values() for metric in view.header.metrics}
            raise unknown_name_error("metric", name, sorted({*known, *macros, *views})) from None
    mine = [view for view in found if task in tasks_of(view)] or found
    hashes = {
        relation: row
        for relation, *row in ask.rows("select relation, token_sha256, closure_sha256 from registry.definition")
    }
    drawn = list(tasks_named(name, own=_own(ask)))
    drawn = [tasks for tasks in drawn if task in tasks] or drawn
    return ask.page(
        name,
        "metric.html",
        "/metrics",
        name=name,
        views=[(*_view(view, name, hashes, views), _called(view, macros)) for view in mine],
        others=[(view, next(iter(tasks_of(view)), None)) for view in found if view not in mine],
        drawings=drawn,
        known=views,
    )


def _view(view: Relation, name: str, hashes: dict[str, list[str]], views: Mapping[str, Relation]) -> tuple:
    """Return a view, the metric of it that is shown, its metrics, the views that read it, and its versions (name, is it
    the newest, hashes).
    """
    metrics = {metric.metric: metric for metric in view.header.metrics}
    versions = sorted((one for one in views.values() if one.alias == view.alias), key=lambda one: -one.version)
    return (
        view,
        metrics.get(name),
        metrics,
        [one.name for one in views.values() if view.name in one.header.inputs],
        [(one.name, one is versions[0], *hashes.get(one.name, ("–", "–"))) for one in versions],
    )


def _called(view: Relation, macros: Mapping[str, Macro]) -> list[str]:
    """Return the macros that a view calls, directly or not, by name."""
    return sorted({every for name in calls(view.plain, macros) for every in (name, *macros[name].calls)})


def lineage_drawing(ask: PageRequest) -> str:
    """Return the lineage of a metric or view as SVG."""
    name, task = ask.require("name"), ask.get("task")
    return svg(steps_named(name, None, task=task, own=_own(ask)), title=name)
