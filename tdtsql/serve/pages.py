"""The pages of the web UI: lists of sections for a parameter, the SQL page, and the list of saved queries."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from tdtsql.engine.sandbox import (
    FILES,
    STRICT,
    is_ordered,
    limited,
    one_question,
    run_user_query,
    with_short_cells,
    write_file,
)
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidQuery, TdtsqlError, UnknownName
from tdtsql.scoring.subsets import make_product
from tdtsql.serve.server import Server
from tdtsql.store.lineage import definitions_named
from tdtsql.show.table import Table, alignment
from tdtsql.show.page import Context, Part, context_of, text_of
from tdtsql.show.rendering import render
from tdtsql.show.section import SavedQuery, as_query, computed, find, page_of, questions
from tdtsql.store.registry import check_names

#: limits of a query on a page, and the rows that it shows; those of a file
LIMITS, SHOWN_ROWS, DOWNLOAD = STRICT, 500, replace(STRICT, rows=5_000_000)
#: characters of a cell that a page shows; files have all of them
LONGEST_CELL = 10_000
#: trials times runs of a leaderboard that a page compares; more only where they are stored
MOST_TRIALS = 50_000
#: choices of a section that a page shows
_MOST_CHOICES = 8
#: initial text of the editor
_FIRST = (
    "select condition_id, profile_id, run_id, metric, value, n\nfrom report.leaderboard\n"
    "order by condition_id, profile_id, position"
)


@dataclass(frozen=True)
class Page:
    """Contents of a page; ``body`` is markup."""

    title: str
    body: Markup
    here: str = "/"  #: the entry of the menu it belongs to
    status: int = 200


@dataclass(frozen=True)
class Ask:
    """A request: a connection, and the parameters of the address."""

    engine: Engine
    path: str
    state: Mapping[str, list[str]]
    seconds: float | None
    server: Server

    def get(self, name: str) -> str | None:
        return next(iter(self.state.get(name, [])), None) or None

    def computed(self, queries: list[SavedQuery], given: Mapping[str, Any]) -> list[SavedQuery]:
        """Return queries that read the rows of comparisons which they need; what a request computed serves the next."""
        values = {name: given.get(name) for name in ("condition", "subset")}
        wanted = {(values["condition"], need) for query in queries for need in query.needs} - self.server.compared
        # what is compared is read without waiting for a request that compares
        with self.server.comparing if wanted else nullcontext():
            is_compared = wanted <= self.server.compared
            made = computed(self.engine, queries, values, is_compared=is_compared, most_trials=MOST_TRIALS)
            self.server.compared |= wanted
        return made

    @property
    def limits(self) -> Any:
        return replace(LIMITS, seconds=self.seconds)


#: address (a page in the headers of sections, or the overview) -> required parameters, which are its title
PAGES = {
    "/": "",
    "/condition": "condition",
    "/run": "condition run",
    "/topic": "condition topic",
    "/number": "condition run metric",
    "/metrics": "",
    "/metric": "metric",
    "/compare": "condition",
    "/ledger": "",
}
#: the pages that every page links to
MENU = {"/": "Overview", "/metrics": "Metrics", "/sql": "SQL", "/cookbook": "Cookbook", "/ledger": "Ledger"}
#: pages on the history of the store, which names runs: a server without names does not have them
OF_NAMES = ("/ledger",)


def address(path: str, **state: object) -> str:
    """Return the address of a page; what is None is left out."""
    pairs = [(name, value) for name, value in state.items() if value is not None]
    return path + (f"?{urlencode(pairs, doseq=True)}" if pairs else "")


def section_page(ask: Ask) -> Page:
    """Return a page of sections: those whose header names the page, with the parameters of the address.

    Raises:
        UnknownName: the address lacks a parameter, or the store has no such run, condition, ...
    """
    needed = PAGES[ask.path].split()
    given = {key: ask.get(key) for key in ("condition", "profile", "run", "topic", "metric", "subset") if ask.get(key)}
    for parameter in needed:
        if parameter not in given:
            raise UnknownName(f"the URL has no parameter {parameter}: {ask.path}?{parameter}=...")
    columns = {"condition": "condition_id", "run": "run_id", "profile": "profile_id", "topic": "topic"}
    check_names(ask.engine, **{column: given.get(name) for name, column in columns.items()})
    views = definitions_named(str(given["metric"]), engine=ask.engine)[1] if "metric" in given else {}
    if "subset" in given:
        given["subset"] = make_product(ask.engine, str(given["subset"]), given.get("condition"))
    context, sections = context_of(ask.engine, given.get("condition")), []
    queries = page_of(ask.engine, ask.path[1:] or "overview")
    for query in ask.computed(queries, given):
        known = {parameter.name for parameter in query.parameters}
        values = {key: value for key, value in given.items() if key in known}
        if all(not one.is_needed or one.name in values for one in query.parameters):
            sections.append(_section(ask, query, values, context))
    title = " · ".join(str(given[one]) for one in reversed(needed)) or MENU[ask.path]
    body = render(
        "sections.html",
        sections=[section for section in sections if section["parts"] or section["error"]],
        views=views.values(),
        given=given,
        link=_links(given, context.topic),
        path=ask.path,
        address=address,
        profiles=ask.engine.column(
            "select profile_id from registry.condition_profile join registry.condition using (condition_no) join "
            "registry.profile using (profile_no) where condition_id = ? order by profile_no",
            [given.get("condition")],
        ),
    )
    return Page(title, body, ask.path if ask.path in MENU else "/")


def _section(ask: Ask, query: SavedQuery, values: dict[str, Any], context: Context) -> dict[str, Any]:
    """Return a section; one that takes too long has a message in place of its rows."""
    parts: list[Part] = []
    error, n_row = None, 0
    try:
        with limited(ask.engine, ask.limits):
            parts, n_row = context.parts(ask.engine, query, values, limit=LIMITS.rows, most=SHOWN_ROWS)
    except InvalidQuery as failed:
        error = without_option(failed)
    choices: dict[tuple[str, ...], list[Part]] = {}
    for part in parts:
        choices.setdefault(part.place, []).append(part)
    return {
        "query": query,
        "text": text_of(query),
        "layout": query.show.options.get("layout", ""),
        "parts": [part for of in choices.values() for part in of[:_MOST_CHOICES]],
        "error": error,
        "is_cut": n_row > SHOWN_ROWS and query.show.kind == "table",
        "sql": address("/sql", name=query.name, **values),
        "files": [(form, address("/download", name=query.name, form=form, **values)) for form in FILES],
    }


def _links(given: Mapping[str, Any], topic: str) -> Any:
    """Return a function from a part, a row and a column of its table to the address of what the cell names."""

    def link(part: Part, row: list[Any], at: int) -> str | None:
        grid: Any = part.grid
        head, cell = grid["heads"][at], row[at]
        facts = {**given, **grid["facts"], **dict(zip(grid["heads"], row, strict=True))}
        facts |= dict(zip(("condition", "profile"), part.place, strict=False))
        if "row" in facts:  # runs x metrics, topics x runs ...
            facts |= {facts["row"]: row[0], facts["column"]: head}
        state = {name: facts.get(name) for name in ("condition", "run", "metric", "profile", "subset")}
        state["run"] = facts.get("run_id", state["run"])
        condition, run, metric, profile, _ = state.values()
        is_number = condition and run and metric and "metric" not in given
        if at in grid["values"] or head == "metric" and is_number:
            return address("/number", **state) if is_number else None
        if head in ("condition", "metric"):
            return address(f"/{head}", **{head: cell})
        if condition and head == topic:
            return address("/topic", condition=condition, topic=cell, profile=profile)
        if condition and head in ("run", "against", "baseline"):
            return address("/run", condition=condition, run=cell, profile=profile)
        return None

    return link


# ---- queries


def without_option(error: Exception) -> str:
    """Return the message of an error without the options of the command line, which do not apply here."""
    return str(error).replace(", or give it longer (--timeout)", "").replace(", or take more of them (--limit)", "")


def query_of(ask: Ask) -> str:
    """Return the query of an address: a typed one, or a saved query with its parameters.

    Raises:
        UnknownName: the address has neither, or an unknown saved query, run, ...
        InvalidQuery: a value is not of its parameter's type.
    """
    name = ask.get("name")
    if name is None:
        if ask.get("q") is None:
            raise UnknownName(f"the URL has no parameter q: {ask.path}?q=...")
        return one_question(ask.engine.connection, str(ask.get("q"))).rstrip().rstrip(";")
    query = find(name)
    return as_query(ask.engine, query, {one.name: ask.get(one.name) for one in query.parameters if ask.get(one.name)})


def file_of(ask: Ask, form: str) -> Path:
    """Write the rows of the query of an address into a file.

    Raises:
        UnknownName: the address has no query, or an unknown name.
        InvalidQuery: it does not run, or the format is unknown.
    """
    if form not in FILES:
        raise InvalidQuery(f"unknown format {form!r}, expected {', '.join(FILES)}.")
    return write_file(ask.engine, query_of(ask), replace(DOWNLOAD, seconds=ask.seconds), form)


def sql_page(ask: Ask) -> Page:
    """The editor, and the result of a query: one that was typed, or a saved one with fields for its parameters."""
    query = find(str(ask.get("name"))) if ask.get("name") else None
    sql, grid, error, is_cut = ask.get("q"), None, None, False
    lacking = [one.name for one in query.parameters if one.is_needed and not ask.get(one.name)] if query else []
    if (sql is not None or query is not None) and not lacking and not (query and query.reads_another_store):
        try:
            with limited(ask.engine, ask.limits):
                sql = query_of(ask)
                columns, rows = _answer(ask.engine, sql)
            is_cut, rows = len(rows) > SHOWN_ROWS, rows[:SHOWN_ROWS]
            grid = {"heads": columns, "rows": rows, "numbers": alignment(Table(columns, rows))}
        except TdtsqlError as failed:
            error = without_option(failed)
    body = render(
        "sql.html",
        query=query,
        sql=sql or (query.body.strip() if query else _FIRST),
        grid=grid,
        error=error,
        is_cut=is_cut,
        get=ask.get,
        lacking=lacking,
        limits=LIMITS,
        most=SHOWN_ROWS,
        files=[(form, address("/download", **{**ask.state, "form": form})) for form in FILES] if grid else [],
        shown=lambda value: "NULL" if value is None else repr(value) if isinstance(value, float) else str(value),
    )
    return Page(query.title if query else "SQL", body, "/cookbook" if query else "/sql", 400 if error else 200)


def _answer(engine: Engine, sql: str) -> tuple[list[str], list[tuple]]:
    """Return the columns and first rows of a query; the same address gives the same table."""
    question = sql
    if not sql.lower().startswith(("explain ", "describe", "desc", "summarize", "show")):
        # the engine cuts long cells: nothing interrupts what Python makes of them
        question = with_short_cells(engine, sql, LONGEST_CELL)
        if not is_ordered(sql):
            question = f"select * from ({question}\n) order by all"
    return run_user_query(engine, question, replace(LIMITS, seconds=None), SHOWN_ROWS + 1)


def cookbook_page(ask: Ask) -> Page:
    """All saved queries by subject."""
    groups = [(about, list(of)) for about, of in groupby(questions().values(), key=lambda query: query.about)]
    return Page("Cookbook", render("cookbook.html", groups=groups, address=address), "/cookbook")
