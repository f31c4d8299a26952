"""The SQL page: one query that reads, its result as a table and as a file; saved queries are shown the same way."""

import json
import re

from tdtsql.cookbook.run_query import as_query
from tdtsql.cookbook.saved_query import find
from tdtsql.engine.typed import is_ordered, one_question
from tdtsql.errors import InvalidQuery
from tdtsql.serve.server import DOWNLOAD_ROWS, LIMITS, SHOWN_ROWS, PageRequest, Page
from tdtsql.serve.markup import (
    Content,
    Html,
    address,
    escaped,
    hidden,
    is_numeric,
    link,
    link_to,
    section,
    table,
    tag,
)
from tdtsql.store.registry import relations

#: initial text of the editor
FIRST = (
    "select condition_id, profile_id, run_id, metric, value, n\nfrom report.leaderboard\norder by condition_id, "
    "profile_id, position"
)

#: characters of a cell that a page shows; files have all of them
LONGEST_CELL = 10_000

#: statements about the catalog, whose results are not tables
_SHOWS = re.compile(r"\s*(describe|desc|summarize|show)\b", re.IGNORECASE)

#: what an answer can be had as
FORMS = {"csv": "CSV", "json": "JSON", "parquet": "Parquet"}


def page(ask: PageRequest) -> Page:
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
    """Return the message of an error without the options of the command line, which do not apply here."""
    return str(error).replace(", or give it longer (--timeout)", "").replace(", or take more of them (--limit)", "")


def _editor(ask: PageRequest, sql: str) -> Html:
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
        hidden(data=ask.server.head),
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


def query_of(ask: PageRequest) -> str:
    """Return the query of an address: a typed one, or a saved query with its parameters.

    Raises:
        UnknownName: the address has neither, or there is no such saved query, run, ...
        InvalidQuery: a value is not of its parameter's type.
    """
    name = ask.get("name")
    if name is None:
        return ask.require("q")
    question = find(name)
    return as_query(
        ask.engine,
        question,
        {parameter.name: value for parameter in question.parameters if (value := ask.get(parameter.name)) is not None},
    )


def sorted_as_asked(ask: PageRequest, sql: str) -> tuple[str, int | None]:
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
    # order ties by the other columns
    others = "".join(f", #{number}" for number in range(1, len(columns) + 1) if number != int(place))
    return (
        f"select * from ({question}\n) order by #{int(place)} {'desc' if ask.get('down') else 'asc'} nulls "
        f"last{others}",
        int(place),
    )


def answer(ask: PageRequest, sql: str, *, caption: str, **state: str) -> Html:
    """Return the answer to a query: how many rows, files of all of them, the table.

    Args:
        state: what an address must have to ask the same again.
    """
    question, sort = sorted_as_asked(ask, sql)
    is_plan = question.startswith("explain ")
    is_shown = is_ordered(ask.engine.connection, question)
    if not is_plan and not _SHOWS.match(question):
        # the engine cuts long cells: nothing interrupts what Python makes of them
        question = ask.engine.with_short_cells(question, LONGEST_CELL)
    if sort is None and not is_plan and not is_shown:
        # the same address gives the same table, also where the query leaves the order to the engine
        question = f"select * from ({question}\n) order by all"
    columns, batches = ask.engine.batches(question, LIMITS, SHOWN_ROWS + 1)
    rows = next(batches, [])
    is_cut, rows = len(rows) > SHOWN_ROWS, rows[:SHOWN_ROWS]
    down = "1" if ask.get("down") and sort else None
    order = {"sort": str(sort) if sort else None, "down": down}
    state = {**state, "data": ask.server.head}
    heads: list[Content] = [
        link(name, ask.path, **state, sort=str(number), down="1" if sort == number and not down else None)
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


def numeric_columns(columns: list[str], rows: list[tuple]) -> list[bool]:
    return [is_numeric(row[place] for row in rows) for place in range(len(columns))]


#: columns whose values are names that have a page, or say which one
_NAMES = frozenset({"run_id", "baseline_id", "block_id", "topic_id", "metric", "condition_id", "profile_id", "task"})


def linked(columns: list[str], row: tuple) -> list[Content]:
    """Return the cells of a row; names of runs, topics, metrics and saved queries are links where the row identifies
    them."""
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


def _relations(ask: PageRequest) -> Html:
    """The relations that people ask for, each with a query for its first rows."""
    rows = [
        (name, comment)
        for name, comment in ask.server.cached("relations", lambda: relations(ask.engine))
        if name.startswith(("report.", "ledger.", "registry."))
    ]
    return section(
        "Relations",
        tag("p", "Frequently used relations; ", tag("code", "describe report.score"), " lists the columns of one."),
        table(
            ["relation", "what it is"],
            [
                [
                    link(name, "/sql", q=f"select * from {name} limit 100", data=ask.server.head),
                    tag("span", (comment or "").split(". Source:")[0], class_="words"),
                ]
                for name, comment in rows
            ],
            caption="Relations of the store",
            tall=True,
        ),
    )


def names(ask: PageRequest) -> str:
    """Return the completions of the editor as JSON: relations with the columns of each, and names in quotes
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

    return ask.server.cached("names", read)
