"""The SQL page: one query that reads, its result as a table and as a file; saved queries are shown the same way."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from tdtsql.cookbook.run_query import as_query
from tdtsql.cookbook.saved_query import find
from tdtsql.engine.user_query import is_ordered, one_question
from tdtsql.errors import InvalidQuery
from tdtsql.report.sections import address, digits
from tdtsql.show.table import Table, alignment
from tdtsql.serve.server import DOWNLOAD_ROWS, LIMITS, SHOWN_ROWS, Page, PageRequest
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

#: formats of a download
FORMS = ("csv", "json", "parquet")


def page(ask: PageRequest) -> Page:
    """The editor, and the result of the query of the address, sorted by the column of the address."""
    sql = ask.get("q")
    found, error = None, None
    if sql is not None:
        try:
            with ask.engine.limited(ask.limits):
                found = answer(ask, sql, caption="Result of the query", q=sql)
        except InvalidQuery as failed:
            error = without_option(failed)
    known = relations(ask.engine) if sql is None else ()
    return ask.page(
        "SQL",
        "sql.html",
        "/sql",
        400 if error else 200,
        sql=sql or FIRST,
        n_row=min(max((sql or FIRST).count("\n") + 2, 6), 24),
        limits=LIMITS,
        most_shown=SHOWN_ROWS,
        most_downloaded=DOWNLOAD_ROWS,
        answer=found,
        error=error,
        relations=[row for row in known if row[0].startswith(("report.", "ledger.", "registry."))],
    )


def without_option(error: Exception) -> str:
    """Return the message of an error without the options of the command line, which do not apply here."""
    return str(error).replace(", or give it longer (--timeout)", "").replace(", or take more of them (--limit)", "")


def query_of(ask: PageRequest) -> str:
    """Return the query of an address: a typed one, or a saved query with its parameters.

    Raises:
        UnknownName: the address has neither, or an unknown saved query, run, ...
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
    """Return a query sorted as the address requests, and the number of the sort column, from 1; None without one.

    Raises:
        InvalidQuery: the query is invalid, or its result has no such column.
    """
    question = one_question(ask.engine.connection, sql).rstrip().rstrip(";")
    place = ask.get("sort")
    if place is None or not re.fullmatch(r"[0-9]{1,4}", place) or question.startswith("explain "):
        return question, None
    columns, _ = ask.engine.batches(f"select * from ({question}\n) limit 0", LIMITS)
    if not 1 <= int(place) <= len(columns):
        raise InvalidQuery(f"the URL sorts by column {place}, and the result has {len(columns)}.")
    # order ties by the other columns
    others = "".join(f", #{number}" for number in range(1, len(columns) + 1) if number != int(place))
    return (
        f"select * from ({question}\n) order by #{int(place)} {'desc' if ask.get('down') else 'asc'} nulls "
        f"last{others}",
        int(place),
    )


@dataclass(frozen=True)
class Answer:
    """The result of a query, as shown on a page."""

    caption: str
    heads: list[tuple[str, str | None]]  #: columns, with the address that sorts by one
    rows: list[list[str | Markup]]
    align: str  #: l or r per column
    sorts: dict[int, str]
    is_cut: bool  #: there are more rows
    files: list[tuple[str, str]]  #: form, address of all rows


def answer(ask: PageRequest, sql: str, *, caption: str, **state: str) -> Answer:
    """Return the result of a query.

    Args:
        state: parameters of an address that repeats the query.
    """
    question, sort = sorted_as_asked(ask, sql)
    is_plan = question.startswith("explain ")
    is_shown = is_ordered(question)
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
    return Answer(
        caption,
        [
            (
                name,
                None
                if is_plan
                else address(ask.path, **state, sort=str(at), down="1" if sort == at and not down else None),
            )
            for at, name in enumerate(columns, start=1)
        ],
        [linked(columns, row) for row in rows],
        alignment(Table(columns, rows)),
        {sort - 1: "descending" if down else "ascending"} if sort else {},
        is_cut,
        [
            (form, address("/download", **state, **order, form=form))
            for form in FORMS
            if not (is_plan and form == "parquet")
        ],
    )


@lru_cache(8192)
def link_to(text: str, path: str, /, **state: str | None) -> Markup:
    """Return a link; the columns of a table have the same ones again and again."""
    return Markup('<a href="{}">{}</a>').format(address(path, **state), text)


#: columns whose values are names that have a page, or say which one
_NAMES = frozenset("run_id baseline_id block_id topic_id metric condition_id profile_id task".split())


def linked(columns: Sequence[str], row: tuple) -> list[str | Markup]:
    """Return the cells of a row; names of runs, topics, metrics and saved queries are links where the row identifies
    them.
    """
    of = {name: value for name, value in zip(columns, row, strict=True) if name in _NAMES and isinstance(value, str)}
    cells: list[str | Markup] = []
    for name, value in zip(columns, row, strict=True):
        if name not in of:
            cells.append(digits(value))
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
