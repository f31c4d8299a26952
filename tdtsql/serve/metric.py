"""Metrics and views: description, SQL, versions and lineage of each."""

import textwrap

from tdtsql.errors import UnknownName, unknown
from tdtsql.metric.catalog import Relation, catalog, find, newest, sql_root
from tdtsql.metric.lineage import svg
from tdtsql.metric.macro import read_macros
from tdtsql.metric.published import tasks_of
from tdtsql.serve.server import PageRequest, Page
from tdtsql.serve.markup import Content, Html, address, choice, escaped, link, section, table, tag
from tdtsql.store.lineage import steps_named, tasks_named
from tdtsql.task import TASKS


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
    shown = [
        [
            link(name, "/metric", name=name, task=tasks[0] if tasks else None),
            of,
            tag("span", title, class_="words"),
            best,
            link(view, "/metric", name=view),
            tag("span", ", ".join(tasks).replace("_", " "), class_="words"),
        ]
        for name, of, title, best, view, tasks in sorted(rows)
    ]
    form = tag(
        "form",
        choice("task", "task", list(TASKS), task, any_="all"),
        tag("button", "Show", class_="plain", type="submit"),
        action="/metrics",
        method="get",
        class_="controls",
    )
    return Page(
        "Metrics",
        escaped(
            [
                form,
                section(
                    "Metrics",
                    tag("p", f"{len(shown)} numbers, each with the view that makes it."),
                    table(["metric", "of a", "what it is", "best", "view", "tasks"], shown, caption="Metrics"),
                ),
            ]
        ),
        "/metrics",
    )


def page(ask: PageRequest) -> Page:
    """A metric (each view that publishes it), a view, or a macro."""
    name, task = ask.require("name"), ask.get("task")
    macros = read_macros(sql_root())
    if name in macros:
        macro = macros[name]
        return Page(
            name,
            escaped(
                [
                    section("Macro", tag("pre", macro.path.read_text(encoding="utf-8"), class_="sql")),
                    section("Written out", tag("pre", macro.body, class_="sql")),
                ]
            ),
            "/metrics",
        )
    relations = [
        relation for relation in newest().values() if name in [metric.metric for metric in relation.header.metrics]
    ]
    if not relations:
        try:
            relations = [find(catalog(), name)]
        except UnknownName:
            known = (
                {metric.metric for relation in catalog().values() for metric in relation.header.metrics}
                | set(macros)
                | set(catalog())
            )
            raise unknown("metric", name, sorted(known)) from None
    mine = [relation for relation in relations if task in tasks_of(relation)] or relations
    others = [relation for relation in relations if relation not in mine]
    body: list[Content] = [_view(ask, relation, name) for relation in mine]
    if others:
        body.append(
            section(
                "Views of other tasks",
                tag(
                    "ul",
                    [
                        tag(
                            "li",
                            link(relation.name, "/metric", name=name, task=next(iter(tasks_of(relation)), None)),
                            ": ",
                            relation.header.title,
                        )
                        for relation in others
                    ],
                ),
            )
        )
    body.append(_lineage(ask, name, task))
    return Page(name, escaped(body), "/metrics")


def _view(ask: PageRequest, relation: Relation, name: str) -> Html:
    header = relation.header
    published = next((metric for metric in header.metrics if metric.metric == name), None)
    texts = [
        (title, header.fields[title])
        for title in ("formula", "source", "edges", "see also")
        if header.fields.get(title)
    ]
    parts: list[Content] = [
        tag("p", published.title, f". Best: {published.best}; n is {published.n}.") if published else None,
        tag(
            "dl",
            [
                [tag("dt", title), tag("dd", tag("pre", textwrap.dedent(" " * 10 + text), class_="field"))]
                for title, text in texts
            ],
            tag("dt", "reads"),
            tag(
                "dd", [[link(view, "/metric", name=view) if view in catalog() else view, " "] for view in header.inputs]
            ),
            tag("dt", "read by"),
            tag(
                "dd",
                [
                    [link(view.name, "/metric", name=view.name), " "]
                    for view in catalog().values()
                    if relation.name in view.header.inputs
                ]
                or "none",
            ),
            tag("dt", "one row"),
            tag("dd", ", ".join(header.grain)),
            tag("dt", "class"),
            tag("dd", header.fields["class"]),
        ),
        table(
            ["column", "unit", "what it is"],
            [
                [
                    link(column.name, "/metric", name=column.name)
                    if column.name in [metric.metric for metric in header.metrics]
                    else column.name,
                    column.unit,
                    tag("span", column.text, class_="words"),
                ]
                for column in header.columns
            ],
            caption=f"Columns of {relation.name}",
            tall=True,
        ),
        tag(
            "details",
            tag("summary", "SQL"),
            tag("pre", relation.plain, class_="sql"),
            tag("p", "Macros: ", [[link(name, "/metric", name=name), " "] for name in relation.macro_names])
            if relation.macro_names
            else None,
            open=True,
        ),
        _versions(ask, relation),
    ]
    return section(f"{relation.name}: {header.title}", *parts)


def _versions(ask: PageRequest, relation: Relation) -> Html:
    known = {
        name: (token, closure)
        for name, token, closure in ask.rows("select relation, token_sha256, closure_sha256 from registry.definition")
    }
    versions = sorted(
        (other for other in catalog().values() if other.alias == relation.alias), key=lambda other: -other.version
    )
    rows = [
        [
            link(other.name, "/metric", name=other.name),
            "newest" if other is newest()[other.alias] else "older version",
            tag("code", known.get(other.name, ("–", ""))[0][:16]),
            tag("code", known.get(other.name, ("", "–"))[1][:16]),
        ]
        for other in versions
    ]
    return tag(
        "details",
        tag("summary", f"Versions ({len(rows)})"),
        table(
            ["version", "is", "hash of its SQL", "hash with all it reads"],
            rows,
            caption=f"Versions of {relation.alias}",
        ),
        open=len(rows) > 1,
    )


def _lineage(ask: PageRequest, name: str, task: str | None) -> Html:
    kinds = tasks_named(name, task if task and any(task in tasks for tasks in tasks_named(name)) else None)
    pictures = []
    for tasks in kinds:
        one = tasks[0] if tasks else None
        place = address("/lineage.svg", name=name, task=one)
        image = tag(
            "img", src=place, alt=f"Lineage of {name}: boxes of views on the left, tables on the right", loading="lazy"
        )
        box = tag("div", image, class_="scroll tall paper", tabindex=0, role="region", aria_label=f"Lineage of {name}")
        pictures.append(
            tag(
                "figure",
                box,
                tag("figcaption", ", ".join(tasks).replace("_", " "), " ", tag("a", "The drawing alone", href=place)),
            )
        )
    return section(
        "Derived from",
        tag("p", "Solid lines enter the value, dashed ones decide about rows.", class_="soft"),
        pictures,
    )


def lineage_drawing(ask: PageRequest) -> str:
    """Return the lineage of a metric or view as SVG."""
    name, task = ask.require("name"), ask.get("task")
    return ask.server.cached(("lineage", name, task), lambda: svg(steps_named(name, None, task=task), title=name))
