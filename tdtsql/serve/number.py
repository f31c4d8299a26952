"""One number, traced through its views to stories and lines; for a run, links to its topics."""

import shlex

from tdtsql.audit.explain import SHOWN, explain
from tdtsql.audit.signature import BLOCKS
from tdtsql.errors import UnknownName
from tdtsql.definitions.catalogue import catalog, closure, published
from tdtsql.store.sets import check_intact
from tdtsql.serve.server import Page, PageRequest


def page(ask: PageRequest) -> Page:
    condition, run, metric = ask.require("condition"), ask.require("run"), ask.require("metric")
    check_intact(ask.engine, [metric])
    topic, subset = ask.get("topic"), ask.get("subset") or "all"
    profile = ask.profile(condition)
    tasks = ask.names(
        "select task from registry.run join registry.condition using (condition_no) "
        "where condition_id = ? and run_id = ?",
        condition,
        run,
    )
    if not tasks:
        raise UnknownName(f"run '{run}' is not in condition '{condition}'.")
    of = (condition, run, metric, subset, profile)
    same = "where condition_id = ? and run_id = ? and metric = ? and subset = ? and profile_id = ?"
    blocks = {
        block: row
        for block, *row in ask.rows(
            f"select block_id, value, null_reason, signature from {BLOCKS} {same} order by block_id", *of
        )
    }
    if topic is None:
        values = ask.rows(
            f"select weighting, value, n, null_reason, signature from report.score {same} order by weighting", *of
        )
    else:
        found = [blocks[topic]] if topic in blocks else []
        values = [("block", value, None, reason, signature) for value, reason, signature in found]
    if not values:
        raise UnknownName(f"no stored {metric} of run '{run}'. The page of the run lists its scores.")
    made = ask.patiently(lambda: explain(ask.engine, run, metric, topic, condition=condition, profile=profile))
    words = ["tdtsql", "explain", run, metric, *([topic] if topic else []), "--condition", condition]
    return ask.page(
        f"{metric} of {run}",
        "number.html",
        condition=condition,
        run=run,
        metric=metric,
        topic=topic,
        subset=subset,
        profile=profile,
        task=tasks[0],
        values=values,
        made=made,
        views=_views(tasks[0], metric, topic) if made is None else (),
        command=shlex.join([*words, "--profile", profile]),
        topics=[(block, value) for block, (value, *_) in blocks.items()] if topic is None else (),
        shown_rows=SHOWN,
    )


def _views(task: str, metric: str, topic: str | None) -> list[tuple[str, str]]:
    """Return the views that make a metric, from the published one down, with their titles."""
    views = [
        view.name
        for view in published(task)
        if any(entry.is_called(metric) for entry in view.header.metrics)
        and ("block_no" in view.header.grain) == (topic is not None)
    ]
    return [(name, catalog()[name].header.title) for name in reversed(closure(catalog(), views))]
