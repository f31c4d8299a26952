"""The SQL page: one query that reads, its answer as a table, as a chart, and as a file; answers of the cookbook are
shown the same way.
"""

import json
import re

from tdtsql.cookbook.asking import as_query
from tdtsql.cookbook.question import find
from tdtsql.engine.typed import is_ordered, one_question
from tdtsql.errors import InvalidQuery
from tdtsql.serve import pictures
from tdtsql.serve.desk import DOWNLOAD_ROWS, LIMITS, SHOWN_ROWS, Ask, Page
from tdtsql.serve.markup import (
    Content,
    Html,
    address,
    choice,
    escaped,
    hidden,
    is_numeric,
    link,
    link_to,
    notice,
    section,
    table,
    tag,
)
from tdtsql.store.registry import relations

#: what stands in an empty editor
FIRST = (
    "select condition_id, profile_id, run_id, metric, value, n\nfrom report.leaderboard\norder by condition_id, "
    "profile_id, position"
)

#: what an answer can be had as
FORMS = {"csv": "CSV", "json": "JSON", "parquet": "Parquet"}
#: kinds of charts, and what the address says of one
KINDS = ("bars", "lines", "points")
CHART = ("chart", "x", "y", "by")
#: rows that a chart is made of, and bars of one, at most
CHART_ROWS, MOST_BARS = 5_000, 100


def page(ask: Ask) -> Page:
    """The editor, and below it the answer to the query of the address, sorted by the column that the address names."""
    sql = ask.get("q")
    body: list[Content] = [_editor(ask, sql or FIRST)]
    status = 200
    if sql is not None:
        try:
            with ask.engine.within(ask.limits):
                body.append(answer(ask, sql, caption="Answer to the query", q=sql))
        except InvalidQuery as error:
            body.append(section("Not answered", tag("pre", without_option(error), class_="notice", role="status")))
            status = 400
    else:
        body.append(_relations(ask))
    return Page("SQL", escaped(body), "/sql", status)


def without_option(error: Exception) -> str:
    """Return what an error says without the options of the command line, which the desk has not."""
    return str(error).replace(", or give it longer (--timeout)", "").replace(", or take more of them (--max-rows)", "")


def _editor(ask: Ask, sql: str) -> Html:
    rows = min(max(sql.count("\n") + 2, 6), 24)
    limit = (
        f"One SELECT, read-only: at most {LIMITS.seconds:g} s and {LIMITS.memory} of memory; the page shows "
        f"{SHOWN_ROWS:,} rows, a file has up to {DOWNLOAD_ROWS:,}."
    )
    return tag(
        "form",
        tag("label", "Query", for_="q", class_="visually-hidden"),
        tag(
            "div",
            tag(
                "textarea",
                "\n" + sql,
                id="q",
                name="q",
                rows=rows,
                spellcheck="false",
                autocomplete="off",
                autocapitalize="off",
                aria_describedby="q-help",
            ),
            class_="code",
        ),
        tag("div", id="complete", class_="complete", hidden=True, role="group", aria_label="Names that fit"),
        hidden(data=ask.desk.head, **{name: ask.get(name) for name in CHART}),
        tag(
            "div",
            tag("button", "Run", class_="plain", type="submit"),
            tag("span", limit, id="q-help", class_="soft"),
            class_="controls",
        ),
        tag("p", "Ctrl+Enter runs; Ctrl+Space puts in the first name that fits.", class_="soft screen"),
        action="/sql",
        method="get",
        class_="editor",
    )


def query_of(ask: Ask) -> str:
    """Return the query that an address asks: its own, or that of a question of the cookbook with its parameters.

    Raises:
        UnknownName: there is neither, or no such question, run, ...
        InvalidQuery: a value is not of its parameter's type.
    """
    name = ask.get("name")
    if name is None:
        return ask.need("q")
    question = find(name)
    return as_query(
        ask.engine,
        question,
        {parameter.name: value for parameter in question.parameters if (value := ask.get(parameter.name)) is not None},
    )


def sorted_as_asked(ask: Ask, sql: str) -> tuple[str, int | None]:
    """Return a query with its rows in the order that the address wants, and the number of the column that it names,
    from 1; None where it names none.

    Raises:
        InvalidQuery: the query does not run, or its answer has no such column.
    """
    question = one_question(ask.engine.connection, sql).rstrip().rstrip(";")
    place = ask.get("sort")
    if place is None or not re.fullmatch(r"[0-9]{1,4}", place) or question.startswith("explain "):
        return question, None
    columns, _ = ask.engine.batches(f"select * from ({question}\n) limit 0", LIMITS)
    if not 1 <= int(place) <= len(columns):
        raise InvalidQuery(f"the address sorts by column {place}, and the answer has {len(columns)}.")
    # rows that are equal there stand in the order of the other columns
    others = "".join(f", #{number}" for number in range(1, len(columns) + 1) if number != int(place))
    return (
        f"select * from ({question}\n) order by #{int(place)} {'desc' if ask.get('down') else 'asc'} nulls last{others}",
        int(place),
    )


def answer(ask: Ask, sql: str, *, caption: str, **state: str) -> Html:
    """Return the answer to a query: how many rows, files of all of them, a chart, the table.

    Args:
        state: what an address must have to ask the same again.
    """
    question, sort = sorted_as_asked(ask, sql)
    is_plan = question.startswith("explain ")
    if sort is None and not is_plan and not is_ordered(ask.engine.connection, question):
        # the same address gives the same table, also where the query leaves the order to the engine
        question = f"select * from ({question}\n) order by all"
    most = CHART_ROWS if ask.get("chart") else SHOWN_ROWS
    columns, batches = ask.engine.batches(question, LIMITS, most + 1)
    rows = next(batches, [])
    is_cut, drawn, rows = len(rows) > SHOWN_ROWS, rows[:most], rows[:SHOWN_ROWS]
    down = "1" if ask.get("down") and sort else None
    order = {"sort": str(sort) if sort else None, "down": down}
    chart = {name: ask.get(name) for name in CHART}
    state = {**state, "data": ask.desk.head}
    heads: list[Content] = [
        link(name, ask.path, **state, **chart, sort=str(number), down="1" if sort == number and not down else None)
        if not is_plan
        else name
        for number, name in enumerate(columns, start=1)
    ]
    files = [
        tag("a", FORMS[form], href=address("/download", **state, **order, form=form), download=f"answer.{form}")
        for form in FORMS
        if not (is_plan and form == "parquet")
    ]
    said = (
        f"The first {SHOWN_ROWS:,} rows; there are more. The files have all of them."
        if is_cut
        else f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}."
    )
    return section(
        "Answer",
        tag("p", said, " ", [[file, " "] for file in files]),
        _chart(ask, columns, drawn, {**state, **order}) if rows and not is_plan else None,
        table(
            heads,
            [linked(columns, row) for row in rows],
            caption=caption,
            numeric=numeric_columns(columns, rows),
            tall=True,
            sorts={sort - 1: "descending" if down else "ascending"} if sort else None,
        )
        if columns
        else None,
    )


def _chart(ask: Ask, columns: list[str], rows: list[tuple], state: dict[str, str | None]) -> Html | None:
    """The choice of a chart, and the one that the address names; nothing where no column has numbers."""
    numbers = [name for name, is_number in zip(columns, numeric_columns(columns, rows), strict=True) if is_number]
    if not numbers:
        return None
    kind, by = ask.get("chart"), ask.get("by")
    words = [name for name in columns if name not in numbers]
    across = ask.get("x") or (numbers[0] if kind in ("lines", "points") and len(numbers) > 1 else (words or columns)[0])
    up = ask.get("y") or next((name for name in numbers if name != across), numbers[0])
    form = tag(
        "form",
        hidden(**state),
        choice("chart", "chart", KINDS, kind, any_="none"),
        choice("across", "x", columns, across),
        choice("up", "y", numbers, up),
        choice("a colour for each", "by", columns, by, any_="–"),
        tag("button", "Draw", class_="plain", type="submit"),
        action=ask.path,
        method="get",
        class_="controls",
    )
    drawing: Content = None
    if kind is not None:
        lacking = [name for name in (across, by) if name is not None and name not in columns] + [
            name for name in (up,) if name not in numbers
        ]
        if kind not in KINDS:
            drawing = notice(f"The address wants a chart of kind {kind!r}; there are {', '.join(KINDS)}.")
        elif lacking:
            drawing = notice(
                f"The chart wants {' and '.join(lacking)}; the answer has {', '.join(columns)}, with numbers in "
                f"{', '.join(numbers)}."
            )
        else:
            drawing = _drawn(
                kind,
                [
                    (row[columns.index(across)], row[columns.index(up)], row[columns.index(by)] if by else None)
                    for row in rows
                ],
                across,
                up,
                by,
            )
    return tag("details", tag("summary", "Chart"), form, drawing, open=kind is not None)


def _drawn(kind: str, rows: list[tuple], across: str, up: str, by: str | None) -> Html:
    """A chart of rows of (place, value, series), with what is not on it."""
    notes = [f"Rows after the first {CHART_ROWS:,} are not drawn."] if len(rows) == CHART_ROWS else []
    # places are numbers, or names in the order of the rows
    is_number = kind != "bars" and is_numeric(place for place, _, _ in rows)
    kept = [
        (place, value, exact(of) if by else None)
        for place, number, of in rows
        if (value := pictures.drawable(number)) is not None and not (is_number and pictures.drawable(place) is None)
    ]
    if len(kept) < len(rows):
        notes.append(f"{len(rows) - len(kept):,} of {len(rows):,} rows have no finite number there and are not drawn.")
    series = list(dict.fromkeys(of for _, _, of in kept))
    if len(series) > pictures.MOST_SERIES:
        notes.append(f"The first {pictures.MOST_SERIES} of {len(series):,} values of {by} are drawn.")
        series = series[: pictures.MOST_SERIES]
        kept = [row for row in kept if row[2] in series]
    if kind == "bars" and len(kept) > MOST_BARS:
        notes.append(f"The first {MOST_BARS} of {len(kept):,} bars are drawn.")
        kept = kept[:MOST_BARS]
    if not kept:
        return notice(*notes)
    if kind == "bars":
        drawing = pictures.bars([(exact(place), value, of) for place, value, of in kept], f"{up} by {across}")
    else:
        names = None if is_number else list(dict.fromkeys(exact(place) for place, _, _ in kept))
        at = {name: float(number) for number, name in enumerate(names or ())}
        points = {
            of or "": [
                (
                    float(place) if names is None else at[exact(place)],
                    value,
                    f"{of + ': ' if of else ''}{across} {exact(place)}, {up} {value!r}",
                )
                for place, value, other in kept
                if other == of
            ]
            for of in series
        }
        if kind == "lines":
            points = {of: sorted(some, key=lambda point: point[0]) for of, some in points.items()}
        drawing = pictures.lines(points, names, across, up, joined=kind == "lines")
    return tag(
        "figure",
        drawing,
        tag("figcaption", f"{up} by {across}{f', a colour for each {by}' if by else ''}. ", " ".join(notes)),
    )


def numeric_columns(columns: list[str], rows: list[tuple]) -> list[bool]:
    return [is_numeric(row[place] for row in rows) for place in range(len(columns))]


#: columns whose values are names that have a page, or say which one
_NAMES = frozenset({"run_id", "baseline_id", "block_id", "topic_id", "metric", "condition_id", "profile_id", "task"})


def linked(columns: list[str], row: tuple) -> list[Content]:
    """Return the cells of a row, names of runs, topics, metrics and questions as links where the row says enough."""
    of = {name: value for name, value in zip(columns, row, strict=True) if name in _NAMES and isinstance(value, str)}
    cells: list[Content] = []
    for name, value in zip(columns, row, strict=True):
        if name not in of:
            cells.append(exact(value))
        elif name in ("run_id", "baseline_id") and "condition_id" in of:
            cells.append(link_to(value, "/run", condition=of["condition_id"], run=value))
        elif name in ("block_id", "topic_id") and "condition_id" in of:
            cells.append(
                link_to(value, "/topic", condition=of["condition_id"], topic=value, profile=of.get("profile_id"))
            )
        elif name == "metric":
            cells.append(link_to(value, "/metric", name=value, task=of.get("task")))
        else:
            cells.append(value)
    return cells


def exact(value: object) -> str:
    """Return a value with all its digits; NULL as such."""
    return "NULL" if value is None else repr(value) if isinstance(value, float) else str(value)


def _relations(ask: Ask) -> Html:
    """The relations that people ask for, each with a query for its first rows."""
    rows = [
        (name, comment)
        for name, comment in ask.desk.keep("relations", lambda: relations(ask.engine))
        if name.startswith(("report.", "ledger.", "registry."))
    ]
    return section(
        "Relations",
        tag("p", "What is asked for most; ", tag("code", "describe report.score"), " lists the columns of one."),
        table(
            ["relation", "what it is"],
            [
                [
                    link(name, "/sql", q=f"select * from {name} limit 100", data=ask.desk.head),
                    tag("span", (comment or "").split(". Source:")[0], class_="words"),
                ]
                for name, comment in rows
            ],
            caption="Relations of the store",
            tall=True,
        ),
    )


def names(ask: Ask) -> str:
    """Return what the editor completes, as JSON: relations with the columns of each, and what stands in quotes
    (metrics, runs, conditions, profiles, subsets).
    """

    def read() -> str:
        found: dict[str, list[str]] = {}
        for relation, column in ask.rows(
            "select schema_name || '.' || table_name, column_name from duckdb_columns() where not internal order by "
            "1, column_index"
        ):
            found.setdefault(relation, []).append(column)
        shown = {name for name, _ in relations(ask.engine)}
        values = ask.rows("""
            select metric from registry.metric union select run_id from registry.run union select condition_id
            from registry.condition
            union select profile_id from registry.profile union select subset from base.subset order by 1""")
        return json.dumps(
            {
                "relations": {name: columns for name, columns in found.items() if name in shown},
                "values": [value for [value] in values],
            }
        )

    return ask.desk.keep("names", read)
