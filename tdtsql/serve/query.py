"""The SQL page: one query that reads, its answer as a table, and as a file."""

import json
import re

from tdtsql.engine.typed import is_ordered, one_question
from tdtsql.errors import InvalidQuery
from tdtsql.serve.desk import DOWNLOAD_ROWS, LIMITS, SHOWN_ROWS, Ask, Page
from tdtsql.serve.download import FORMS
from tdtsql.serve.markup import Content, Html, is_numeric, address, escaped, hidden, link, notice, section, table, tag

#: what stands in an empty editor
FIRST = "select condition_id, profile_id, run_id, metric, value, n\nfrom report.leaderboard\norder by condition_id, profile_id, position"


def page(ask: Ask) -> Page:
    """The editor, and below it the answer to the query of the address, sorted by the column that the address names."""
    sql = ask.get("q")
    body: list[Content] = [_editor(ask, sql or FIRST)]
    status = 200
    if sql is not None:
        try:
            with ask.engine.within(ask.limits):
                body.append(_answer(ask, sql))
        except InvalidQuery as error:
            body.append(section("Not answered", notice(without_option(error))))
            status = 400
    else:
        body.append(_relations(ask))
    return Page("SQL", escaped(body), "/sql", status)


def without_option(error: Exception) -> str:
    """Return what an error says without the options of the command line, which the desk has not."""
    return str(error).replace(", or give it longer (--timeout)", "").replace(", or take more of them (--max-rows)", "")


def _editor(ask: Ask, sql: str) -> Html:
    rows = min(max(sql.count("\n") + 2, 6), 24)
    limit = f"One SELECT, read-only: at most {LIMITS.seconds:g} s and {LIMITS.memory} of memory; the page shows {SHOWN_ROWS:,} rows, a file has up to {DOWNLOAD_ROWS:,}."
    return tag(
        "form",
        tag("label", "Query", for_="q", class_="visually-hidden"),
        tag("textarea", "\n" + sql, id="q", name="q", rows=rows, spellcheck="false", autocomplete="off", autocapitalize="off", aria_describedby="q-help"),
        tag("div", id="complete", class_="complete", hidden=True, role="group", aria_label="Names that fit"),
        hidden(data=ask.desk.head),
        tag("div", tag("button", "Run", class_="plain", type="submit"), tag("span", limit, id="q-help", class_="soft"), class_="controls"),
        tag("p", "Ctrl+Enter runs; Ctrl+Space puts in the first name that fits.", class_="soft screen"),
        action="/sql", method="get", class_="editor")


def _answer(ask: Ask, sql: str) -> Html:
    question = one_question(ask.engine.connection, sql).rstrip().rstrip(";")
    is_plan = question.startswith("explain ")
    place = ask.get("sort")
    sort = int(place) if place is not None and re.fullmatch(r"\d{1,4}", place) and not is_plan else None
    down = ask.get("down") is not None
    if sort is None:
        # the same address gives the same table, also where the query leaves the order to the engine
        sorted_sql = question if is_plan or is_ordered(ask.engine.connection, question) else f"select * from ({question}\n) order by all"
    else:
        columns, _ = ask.engine.batches(f"select * from ({question}\n) limit 0", LIMITS)
        if not 1 <= sort <= len(columns):
            raise InvalidQuery(f"the address sorts by column {sort}, and the answer has {len(columns)}.")
        sorted_sql = f"select * from ({question}\n) order by #{sort} {'desc' if down else 'asc'} nulls last"
    columns, batches = ask.engine.batches(sorted_sql, LIMITS, SHOWN_ROWS + 1)
    rows = next(batches, [])
    is_cut = len(rows) > SHOWN_ROWS
    rows = rows[:SHOWN_ROWS]
    state = {"q": sql, "data": ask.desk.head}
    heads: list[Content] = [
        link(name, "/sql", **state, sort=number, down="1" if sort == number and not down else None) if not is_plan else name
        for number, name in enumerate(columns, start=1)]
    files = [tag("a", form.upper(), href=address("/download", q=sql, form=form), download=f"answer.{form}") for form in FORMS if not (is_plan and form == "parquet")]
    said = f"The first {SHOWN_ROWS:,} rows; there are more. The files have all of them." if is_cut else f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}."
    return section(
        "Answer",
        tag("p", said, " ", [[file, " "] for file in files]),
        table(heads, [linked(columns, row) for row in rows], caption="Answer to the query", numeric=numeric_columns(columns, rows), tall=True,
              sorts={sort - 1: "descending" if down else "ascending"} if sort else None) if columns else None)


def numeric_columns(columns: list[str], rows: list[tuple]) -> list[bool]:
    return [is_numeric(row[place] for row in rows) for place in range(len(columns))]


def linked(columns: list[str], row: tuple) -> list[Content]:
    """Return the cells of a row, names of runs, topics, metrics and questions as links where the row says enough."""
    of = {name: value for name, value in zip(columns, row, strict=True) if isinstance(value, str)}
    cells: list[Content] = []
    for name, value in zip(columns, row, strict=True):
        text = exact(value)
        if not isinstance(value, str):
            cells.append(text)
        elif name in ("run_id", "baseline_id") and "condition_id" in of:
            cells.append(link(text, "/run", condition=of["condition_id"], run=value))
        elif name in ("block_id", "topic_id") and "condition_id" in of:
            cells.append(link(text, "/topic", condition=of["condition_id"], topic=value, profile=of.get("profile_id")))
        elif name == "metric":
            cells.append(link(text, "/metric", name=value, task=of.get("task")))
        else:
            cells.append(text)
    return cells


def exact(value: object) -> str:
    """Return a value with all its digits; NULL as such."""
    return "NULL" if value is None else repr(value) if isinstance(value, float) else str(value)


#: every relation once, views by the name without version
RELATIONS = r"""
    select schema_name || '.' || table_name as relation, comment from duckdb_tables() where not internal and not temporary
    union all
    select schema_name || '.' || view_name, comment from duckdb_views() where not internal and not temporary and not regexp_matches(view_name, '__v\d+$')
    order by relation"""


def _relations(ask: Ask) -> Html:
    """The relations that people ask for, each with a query for its first rows."""
    rows = [(name, comment) for name, comment in ask.desk.keep("relations", lambda: ask.rows(RELATIONS)) if name.startswith(("report.", "ledger.", "registry."))]
    return section("Relations", tag("p", "What is asked for most; ", tag("code", "describe report.score"), " lists the columns of one."), table(
        ["relation", "what it is"],
        [[link(name, "/sql", q=f"select * from {name} limit 100", data=ask.desk.head), tag("span", (comment or "").split(". Source:")[0], class_="words")] for name, comment in rows],
        caption="Relations of the store", tall=True))


def names(ask: Ask) -> str:
    """Return what the editor completes, as JSON: relations, and the columns of each."""
    def read() -> str:
        found: dict[str, list[str]] = {}
        for relation, column in ask.rows("select schema_name || '.' || table_name, column_name from duckdb_columns() where not internal order by 1, column_index"):
            found.setdefault(relation, []).append(column)
        shown = {name for name, _ in ask.rows(RELATIONS)}
        return json.dumps({name: columns for name, columns in found.items() if name in shown})

    return ask.desk.keep("names", read)
