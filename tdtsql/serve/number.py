"""One number, traced through its views to stories and lines; for a run, links to its topics."""

from tdtsql.audit.explain import SHOWN, Explanation, Step, explain
from tdtsql.errors import UnknownName
from tdtsql.metric.catalog import catalog, closure
from tdtsql.metric.published import published
from tdtsql.serve.server import PageRequest, Page
from tdtsql.serve.markup import Content, Html, escaped, link, notice, section, shown, table, tag
from tdtsql.serve.query import exact, numeric_columns

#: seconds that putting values into the chain may take
_PATIENCE = 8


def page(ask: PageRequest) -> Page:
    condition, run, metric = ask.require("condition"), ask.require("run"), ask.require("metric")
    topic, subset = ask.get("topic"), ask.get("subset") or "all"
    profile = ask.get("profile") or next(iter(ask.profiles(condition)), "")
    found = ask.rows(
        "select task from registry.run join registry.condition using (condition_no) where condition_id = ? and run_id "
        "= ?",
        condition,
        run,
    )
    if not found:
        raise UnknownName(f"run '{run}' is not in condition '{condition}'.")
    [[task]] = found
    body: list[Content] = [
        tag(
            "p",
            "Run ",
            link(run, "/run", condition=condition, run=run, profile=profile),
            f" in {condition}",
            [", topic ", link(topic, "/topic", condition=condition, topic=topic, profile=profile)] if topic else None,
            f", profile {profile}, subset {subset}: ",
            link(metric, "/metric", name=metric, task=task),
            ".",
        ),
        _values(ask, condition, run, metric, topic, profile, subset),
    ]
    if subset != "all":
        body.append(notice("The chain below is that of subset all: a subset takes the same way with fewer trials."))
    key = ("explain", condition, run, metric, topic, profile)
    explanation = ask.with_deadline(
        _PATIENCE,
        lambda: ask.server.cached(
            key, lambda: explain(ask.engine, run, metric, topic, condition=condition, profile=profile)
        ),
    )
    if explanation is not None:
        body.append(_chain(explanation))
    else:
        command = (
            f"tdtsql explain {run} {metric}{f' {topic}' if topic else ''} --condition {condition} --profile {profile}"
        )
        body += [
            notice(
                f"The values of the chain took longer than {_PATIENCE} s to find. At a terminal: ", tag("code", command)
            ),
            _definitions(task, metric, topic),
        ]
    if topic is None:
        body.append(_topics(ask, condition, run, metric, profile, subset))
    return Page(f"{metric} of {run}", escaped(body))


def _values(
    ask: PageRequest, condition: str, run: str, metric: str, topic: str | None, profile: str, subset: str
) -> Html:
    if topic is None:
        rows = ask.rows(
            "select weighting, value, n, profile_id, signature, null_reason from report.score "
            "where condition_id = ? and run_id = "
            "? and metric = ? and subset = ? "
            "and profile_id = ? order by weighting",
            condition,
            run,
            metric,
            subset,
            profile,
        )
    else:
        rows = ask.rows(
            "select 'block', value, null, profile_id, version, null_reason from report.block_score "
            "where condition_id = ? and "
            "run_id = ? and metric = ? and subset = ? and block_id = ? "
            "and profile_id = ?",
            condition,
            run,
            metric,
            subset,
            topic,
            profile,
        )
    if not rows:
        raise UnknownName(f"no stored {metric} of run '{run}'. The page of the run lists its scores.")
    return table(
        ["weighting", "value", "n", "profile", "signature" if topic is None else "version"],
        [
            [
                weighting,
                f"undefined: {reason}" if value is None else repr(value),
                "–" if n is None else f"{n:,}",
                by,
                tag("code", signature),
            ]
            for weighting, value, n, by, signature, reason in rows
        ],
        caption="Value",
        numeric=[False, True, True, False, False],
    )


def _chain(explanation: Explanation) -> list[Html]:
    parts = [
        section(
            "How it is made",
            tag("p", "Each view reads those below it; the last read what was loaded.", class_="soft"),
            [_step(step, is_open=place < 2) for place, step in enumerate(explanation.steps)],
        )
    ]
    if explanation.trials:
        parts.append(
            section(
                "What counted",
                tag("p", "Targets and accepted stories; the first 50.", class_="soft"),
                table(
                    list(explanation.trial_columns),
                    [[exact(value) for value in row] for row in explanation.trials],
                    caption="Trials of the topic",
                    tall=True,
                ),
            )
        )
    if explanation.lines:
        parts.append(
            section(
                "Lines of the input files",
                table(
                    ["place", "what it says"],
                    [[f"{path}:{line}", says] for path, line, says in explanation.lines],
                    caption="Lines of the input files about the topic",
                    tall=True,
                ),
                tag("p", f"{explanation.n_line:,} lines in all.", class_="soft")
                if explanation.n_line > len(explanation.lines)
                else None,
            )
        )
    if explanation.run_lines.lines:
        parts.append(
            section(
                "Lines of the run's files",
                table(
                    ["place", "text"],
                    [[f"{path}:{line}", tag("code", text)] for path, line, text in explanation.run_lines.lines],
                    caption="Lines of the run's files about the topic",
                    tall=True,
                ),
            )
        )
    parts.append(
        section(
            "Files",
            table(
                ["of", "file", "kind", "bytes", "sha256"],
                [
                    [owner, path, kind, f"{size:,}", tag("code", sha256[:16])]
                    for owner, path, kind, size, sha256 in explanation.files
                ],
                caption="Files it was loaded from",
                numeric=[False, False, False, True, False],
                tall=True,
            ),
        )
    )
    return parts


def _step(step: Step, *, is_open: bool) -> Html:
    header = step.relation.header
    formulas = [
        tag("li", tag("code", line), [tag("br"), tag("code", values, class_="here")] if values else None)
        for line, values in step.formula()
    ]
    return tag(
        "details",
        tag("summary", tag("b", header.title), " ", tag("span", step.relation.name, class_="soft")),
        tag(
            "p",
            link("Definition and SQL", "/metric", name=step.relation.name),
            ". Source: ",
            " ".join(header.fields["source"].split()),
        ),
        tag("ul", formulas, class_="formulas") if formulas else None,
        table(
            list(step.columns),
            [[exact(value) for value in row] for row in step.rows],
            caption=f"Rows of {step.relation.name}",
            numeric=numeric_columns(step.columns, step.rows),
        ),
        tag("p", f"The first {SHOWN} of {step.n_row:,} rows.", class_="soft") if step.n_row > SHOWN else None,
        open=is_open,
    )


def _definitions(task: str, metric: str, topic: str | None) -> Html:
    """The chain without values: which views there are, from the published one down."""
    views = [
        view.name
        for view in published(task)
        if any(entry.is_called(metric) for entry in view.header.metrics)
        and ("block_no" in view.header.grain) == (topic is not None)
    ]
    return section(
        "How it is made",
        table(
            ["view", "what it is"],
            [
                [link(name, "/metric", name=name), tag("span", catalog()[name].header.title, class_="words")]
                for name in reversed(closure(catalog(), views))
            ],
            caption="Views that make the number",
        ),
    )


def _topics(ask: PageRequest, condition: str, run: str, metric: str, profile: str, subset: str) -> Html | None:
    rows = ask.rows(
        "select block_id, value, profile_id from report.block_score where condition_id = ? and run_id = ? and metric "
        "= ? and subset = ? and profile_id = ? order by block_id",
        condition,
        run,
        metric,
        subset,
        profile,
    )
    if not rows:
        return None
    return section(
        "Its topics",
        table(
            ["topic", metric, "profile"],
            [
                [
                    link(block, "/topic", condition=condition, topic=block, profile=by),
                    link(
                        shown(value),
                        "/number",
                        condition=condition,
                        run=run,
                        metric=metric,
                        profile=by,
                        topic=block,
                        data=ask.server.head,
                    )
                    if subset == "all"
                    else shown(value),
                    by,
                ]
                for block, value, by in rows
            ],
            caption=f"{metric} by topic",
            numeric=[False, True, False],
            tall=True,
        ),
    )
