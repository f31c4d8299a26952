"""One run: what it is, all its numbers, its topics."""

from tdtsql.errors import UnknownName
from tdtsql.report.clusters.cluster_map import cluster_map_of, shown_flow
from tdtsql.serve.server import PageRequest, Page
from tdtsql.serve.markup import Content, Html, choice, escaped, facts, hidden, link, section, shown, table, tag
from tdtsql.serve.trials.scores import priors_section, scores_section
from tdtsql.task import TASKS

#: seconds that a drawing may take
_PATIENCE = 8


def page(ask: PageRequest) -> Page:
    condition, run = ask.require("condition"), ask.require("run")
    found = ask.rows(
        """
        select run.run_no, condition.task, run.system, run.content_sha256
        from registry.run as run join registry.condition as condition using (condition_no)
        where condition_id = ? and run_id = ?""",
        condition,
        run,
    )
    if not found:
        raise UnknownName(f"run '{run}' is not in condition '{condition}'. The overview lists all.")
    run_no, task, system, sha256 = found[0]
    profiles = ask.profiles(condition)
    profile = ask.get("profile") or (profiles[0] if profiles else "")
    subsets = [
        name
        for [name] in ask.rows(
            "select distinct subset from report.score where condition_id = ? and run_id = ? and profile_id = ? order "
            "by subset <> 'all', subset",
            condition,
            run,
            profile,
        )
    ]
    subset = ask.get("subset") or "all"
    files = ask.rows(
        "select path, kind, n_byte, sha256 from registry.input_file where owner = ? order by path",
        f"run:{condition}/{run}",
    )
    known = ask.rows("select name, value from registry.run_fact where run_no = ? order by fact_no", run_no)
    body: list[Content] = [
        facts(
            [
                ("condition", condition),
                ("task", task.replace("_", " ")),
                ("system", system or "not said"),
                ("hash", tag("code", sha256[:16])),
                *((name, value) for name, value in known),
            ]
        ),
        tag(
            "form",
            hidden(condition=condition, run=run),
            choice("profile", "profile", profiles, profile),
            choice("subset", "subset", subsets, subset),
            tag("button", "Show", class_="plain", type="submit"),
            action="/run",
            method="get",
            class_="controls",
        ),
        _numbers(ask, condition, run, profile, subset, task),
        _topics(ask, condition, run, profile, subset, task),
        _clusters(ask, condition, run) if TASKS[task].is_clustering else None,
        [scores_section(ask, condition, run), priors_section(ask, condition, run, profile)]
        if TASKS[task].decides_on == "trial"
        else None,
        section(
            "Files",
            table(
                ["file", "kind", "bytes", "sha256"],
                [[path, kind, f"{size:,}", tag("code", digest[:16])] for path, kind, size, digest in files],
                caption="Files of the run",
                numeric=[False, False, True, False],
            ),
        )
        if files
        else None,
        _problems(ask, condition, run),
    ]
    return Page(f"{run} in {condition}", escaped(body))


def _numbers(ask: PageRequest, condition: str, run: str, profile: str, subset: str, task: str) -> Html:
    rows = ask.rows(
        "select metric, weighting, value, n, signature, null_reason from report.score "
        "where condition_id = ? and run_id = ? and "
        "profile_id = ? and subset = ? order by metric, weighting",
        condition,
        run,
        profile,
        subset,
    )
    primary = _primary(ask, condition)
    rows.sort(key=lambda row: (row[0] != primary, row[0], row[1]))
    return section(
        "Numbers",
        table(
            ["metric", "weighting", "value", "n", "signature"],
            [
                [
                    link(metric, "/metric", name=metric, task=task),
                    weighting,
                    link(
                        shown(value) if value is not None else f"none: {reason}",
                        "/number",
                        condition=condition,
                        run=run,
                        metric=metric,
                        profile=profile,
                        subset=None if subset == "all" else subset,
                        data=ask.server.head,
                    ),
                    n,
                    tag("code", signature),
                ]
                for metric, weighting, value, n, signature, reason in rows
            ],
            caption=f"Numbers of {run} under {profile}, subset {subset}",
            numeric=[False, False, True, True, False],
            tall=True,
        ),
    )


def _primary(ask: PageRequest, condition: str) -> str:
    """Return the metric that the runs of a condition are ranked by."""
    [[metric]] = ask.rows("select primary_metric from report.condition where condition_id = ?", condition)
    return metric


def _topics(ask: PageRequest, condition: str, run: str, profile: str, subset: str, task: str) -> Html | None:
    """The run's topics by the primary metric (or the first existing one), with the median run."""
    rows = ask.rows(
        """
        with mine as (select block_id, value, null_reason from report.block_score
        where condition_id = $1 and run_id = $2 and profile_id = $3 and subset = $4 and metric = $5),
        others as (select block_id, median(value) as value, count(value) as n from report.block_score
            where condition_id = $1 and profile_id = $3 and subset = $4 and metric = $5 group by block_id)
        select block_id, mine.value, mine.null_reason, others.value, n from mine
        join others using (block_id) order by block_id""",
        condition,
        run,
        profile,
        subset,
        metric := _primary(ask, condition),
    )
    if not rows:
        return None
    return section(
        "Topics",
        table(
            ["topic", metric, "median of the runs", "runs"],
            [
                [
                    link(block, "/topic", condition=condition, topic=block, profile=profile),
                    link(
                        shown(value) if value is not None else f"none: {reason}",
                        "/number",
                        condition=condition,
                        run=run,
                        metric=metric,
                        profile=profile,
                        topic=block,
                        data=ask.server.head,
                    )
                    if subset == "all"
                    else shown(value)
                    if value is not None
                    else f"none: {reason}",
                    shown(median),
                    n,
                ]
                for block, value, reason, median, n in rows
            ],
            caption=f"{metric} of {run} by topic",
            numeric=[False, True, True, True],
            tall=True,
        ),
    )


def _clusters(ask: PageRequest, condition: str, run: str) -> Html | None:
    """Cluster map of one block, on request."""
    blocks = [
        name
        for [name] in ask.rows(
            "select block_id from base.block join registry.condition using (condition_no) where condition_id = ? "
            "order by block_no",
            condition,
        )
    ]
    block = ask.get("block") or None
    if block is not None and block not in blocks:
        raise UnknownName(f"block '{block}' is not in condition '{condition}'. The run's page lists all.")
    form = (
        tag(
            "form",
            hidden(condition=condition, run=run),
            choice("block", "block", blocks, block, any_="all together"),
            tag("button", "Show", class_="plain", type="submit"),
            action="/run",
            method="get",
            class_="controls",
        )
        if len(blocks) > 1
        else None
    )
    flow = ask.with_deadline(
        _PATIENCE,
        lambda: ask.server.cached(
            ("flow", condition, run, block), lambda: cluster_map_of(ask.engine, condition, run, block=block)
        ),
    )
    return section(
        "Clusters",
        form,
        Html(shown_flow(flow))
        if flow is not None
        else tag("p", f"The drawing took longer than {_PATIENCE} s, or the run has no items."),
    )


def _problems(ask: PageRequest, condition: str, run: str) -> Html | None:
    rows = ask.rows(
        "select code, path, line, message, value from registry.problem where owner = ? order by path, line, code "
        "limit 1000",
        f"run:{condition}/{run}",
    )
    if not rows:
        return None
    return section(
        "Warnings while loading",
        table(
            ["code", "place", "what"],
            [
                [
                    code,
                    ":".join(str(part) for part in (path, line) if part is not None),
                    tag("span", message + (f" ({value!r})" if value else ""), class_="words"),
                ]
                for code, path, line, message, value in rows
            ],
            caption="Warnings while loading",
            tall=True,
        ),
    )
