"""SQL that users type: one query, which only reads the store.

Everything that takes such SQL comes through ``one_question`` (``Store.sql``, ``tdtsql sql query``). It does not guess
from the text: the engine's own parser classifies the statement, and its parse tree (`tdtsql.engine.parse_tree`) is
searched for anything that writes (a CTE that inserts) or reads files (a table function, a file name instead of a
table).
"""

import json
import re
from collections.abc import Sized
from dataclasses import dataclass
from typing import TypeVar

import duckdb

from tdtsql.engine.parse_tree import (
    READING_NODES,
    TABLE_FUNCTIONS,
    WRITING_FUNCTIONS,
    Node,
    arguments,
    function_of,
    is_file,
    parse_tree,
    parts,
)
from tdtsql.errors import InvalidQuery


#: rows of a result, or an object that only has their number
Rows = TypeVar("Rows", bound=Sized)


@dataclass(frozen=True)
class Limits:
    """Limits of one typed query; None is no limit."""

    seconds: float | None
    rows: int | None
    memory: str | None  #: None: the connection's own (TDTSQL_MEMORY_LIMIT)
    spill: str  #: on disk, in a private folder


#: for who owns the store and the machine: a runaway query ends before the disk is full
GENEROUS = Limits(seconds=3600, rows=1_000_000, memory=None, spill="20GB")

#: for queries that others send
STRICT = Limits(seconds=10, rows=10_000, memory="1GB", spill="1GB")

#: schemas of a store, whose views are compared with their definitions when it is opened; the engine calls a database by
#: its file's name
SCHEMAS = ("registry", "staging", "base", "metric", "report", "ledger")

#: schema of user-defined metrics, which the definitions of an installation do not have
OWN_SCHEMA = "own"

#: prefix of the error of a query that exceeded its time limit
LATE = "the query took longer than"

#: functions that make a list or a text of a given size. What is then done with one is done at once, and its memory is
#: not the engine's: neither the limits nor Ctrl-C end it
_MAKERS = {
    **dict.fromkeys(("list_resize", "array_resize", "range", "generate_series"), "list"),
    **dict.fromkeys(("repeat", "lpad", "rpad"), "text"),
}
#: elements or characters that a query may write out as a number
MOST_ELEMENTS = 10_000_000

#: a number in a parse tree, whose form is that of the version of storage
_NUMBER = re.compile(r'"(?:text|value)": "?-?([0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE]\+?[0-9]+)?)[",}]')

#: text before the query in the definition of a view
_VIEW = re.compile(r'^CREATE VIEW (?:(?:"(?:[^"]|"")*"|[^\s".(]+)\.?)+ (?:\((?:"(?:[^"]|"")*"|[^")])*\) )?AS ')

_EXPLAIN = re.compile(r"\s*explain\b", re.IGNORECASE)

_NOTHING = "there is no query. Type one SELECT, for example: select * from report.score"
_WANTED = "Only one SELECT, or EXPLAIN of one, is supported."


def one_question(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """Return ``text`` as it may be run, if it is one SELECT (or plain EXPLAIN of one) that only reads the store.

    Raises:
        InvalidQuery: it is not valid, not one query, or would write or access files.
    """
    statement = _single(connection, text)
    kind = statement.type.name
    if kind == "EXPLAIN":
        before = _EXPLAIN.match(statement.query)
        rest = statement.query[before.end() :] if before else ""
        # EXPLAIN ANALYZE runs the statement; with ANALYZE (or options) the rest is not parsed as SELECT
        try:
            inner = _single(connection, rest) if rest.strip() else None
        except InvalidQuery:
            inner = None
        if inner is None or inner.type.name != "SELECT":
            raise InvalidQuery(
                f"query rejected: only plain EXPLAIN of a SELECT is supported, without ANALYZE or options. {_WANTED}"
            )
        _check_tree(connection, inner.query)
        return f"explain {inner.query}"
    if kind != "SELECT":
        what = "PIVOT, which creates a type," if kind == "MULTI" else kind
        raise InvalidQuery(f"query rejected: {what} is not supported. {_WANTED}")
    _check_tree(connection, statement.query)
    return statement.query


def is_ordered(question: str) -> bool:
    """Return True if a SELECT orders its rows, or shows information of the engine in a defined order (DESCRIBE,
    EXPLAIN).
    """
    try:
        node = parse_tree(question)["statements"][0]["node"]
    except InvalidQuery:  # EXPLAIN
        return True
    is_shown = (node.get("from_table") or {}).get("type") == "SHOW_REF"
    return is_shown or any(modifier.get("type") == "ORDER_MODIFIER" for modifier in node.get("modifiers") or [])


def within_rows(rows: Rows, limits: Limits) -> Rows:
    """Return the rows of a result, of which one more than the limit was fetched; InvalidQuery if there are more."""
    if limits.rows is not None and len(rows) > limits.rows:
        raise InvalidQuery(
            f"the answer has more than {limits.rows:,} rows. Add a LIMIT, or take more of them (--limit)."
        )
    return rows


def _single(connection: duckdb.DuckDBPyConnection, text: str) -> duckdb.Statement:
    try:
        text.encode()  # a lone surrogate is not a character
        statements = connection.extract_statements(text)
    except (duckdb.Error, UnicodeEncodeError) as error:
        raise InvalidQuery(f"query rejected: {error}") from None
    if not statements:
        raise InvalidQuery(_NOTHING)
    if len(statements) > 1:
        raise InvalidQuery(f"query rejected: it is {len(statements)} statements. {_WANTED}")
    return statements[0]


def _check_tree(connection: duckdb.DuckDBPyConnection, select: str, above: tuple[str, ...] = ()) -> None:
    """Check the engine's parse tree of a SELECT, and of the users' own views that it reads, for what writes or touches
    files.

    Args:
        above: the views that read this one.
    """
    cursor = connection.cursor()  # the connection's own last result stays as it is
    try:
        views = cursor.execute(
            "select lower(view_name), sql from duckdb_views() where not internal and not list_contains(?, schema_name)",
            [list(SCHEMAS)],
        ).fetchall()
        tree = parse_tree(select)
    except duckdb.FatalException:  # of a write before
        raise
    except (duckdb.Error, InvalidQuery) as error:
        raise InvalidQuery(f"query rejected: {str(error).splitlines()[0]} {_WANTED}") from None
    finally:
        cursor.close()
    for node, _, _ in parts(tree):
        kind, function = str(node.get("type")), function_of(node)
        if kind.endswith("_NODE") and kind not in READING_NODES:
            raise InvalidQuery(
                f"query rejected: it would write ({kind.removesuffix('_NODE').removesuffix('_QUERY')}), and a "
                f"query only reads."
            )
        if function in _MAKERS:
            _check_size(function, arguments(node), tree)
        if kind == "TABLE_FUNCTION" and (name := function_of(node["function"])) not in TABLE_FUNCTIONS:
            raise InvalidQuery(
                f"query rejected: {name} is not supported: a query reads relations of the store, not files. `tdtsql "
                f"sql schema` lists them."
            )
        if function in WRITING_FUNCTIONS:
            raise InvalidQuery(f"query rejected: {function} writes, and a query only reads.")
        if kind not in ("BASE_TABLE", "SHOW_REF"):
            continue
        table = node.get("table_name") or ""
        if is_file(node):
            raise InvalidQuery(
                f"query rejected: '{table}' would be a file, and a query reads the relations of the store. "
                f"`tdtsql sql schema` lists them."
            )
        if table.lower() not in above:
            for name, text in views:
                if name == table.lower():
                    _check_tree(connection, _VIEW.sub("", text).rstrip(";"), (*above, name))


def _check_size(function: str, given: list[Node], query: Node) -> None:
    """Reject a list or text of more elements than `MOST_ELEMENTS`, a size that may be a larger number elsewhere in the
    parse tree of the query, and lists that are resized to a size of the data.
    """
    is_unknown = function.endswith("_resize") and given[1:2] and given[1].get("class") != "CONSTANT"
    written = json.dumps(given)
    if '"COLUMN_REF"' in written or '"SUBQUERY"' in written:
        written = json.dumps(query)
    if is_unknown or any(float(number.replace("_", "")) > MOST_ELEMENTS for number in _NUMBER.findall(written)):
        made = _MAKERS[function]
        raise InvalidQuery(
            f"the query does not run: {function} would make a {made} of more than {MOST_ELEMENTS:,} "
            f"{'elements' if made == 'list' else 'characters'}"
            f"{', or of a size that is not written in the query' if is_unknown else ''}. "
            f"{'Read the numbers as rows: select ... from range(...).' if made == 'list' else 'Make it shorter.'}"
        )
