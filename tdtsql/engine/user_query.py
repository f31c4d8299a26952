"""SQL that users type: one query, which only reads the store.

Everything that takes such SQL comes through ``one_question`` (``Store.sql``,
``tdtsql sql query``, ``tdtsql sql shell``). It does not guess from the text: the
``tdtsql sql query``, ``tdtsql sql shell``). It does not guess from the text: the
engine's own parser classifies the statement, and its parse tree is searched
for anything that writes (a CTE that inserts) or reads files (a
table function, a file name instead of a table).
"""

import json
import re
from collections.abc import Sized
from dataclasses import dataclass
from typing import TypeVar

import duckdb

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

#: table functions that read the catalog, or nothing but their arguments; others open files, change settings or run what
#: they are given
_TABLE_FUNCTIONS = frozenset(
    """
    range generate_series unnest repeat repeat_row json_each json_tree summary icu_calendar_names pg_timezone_names
    pragma_collations
    pragma_database_size pragma_platform pragma_show pragma_storage_info pragma_table_info pragma_user_agent
    pragma_version
    duckdb_columns duckdb_constraints duckdb_databases duckdb_dependencies duckdb_extensions duckdb_functions
    duckdb_indexes duckdb_keywords
    duckdb_memory duckdb_optimizers duckdb_prepared_statements duckdb_schemas duckdb_sequences duckdb_settings
    duckdb_tables
    duckdb_temporary_files duckdb_types duckdb_variables duckdb_views
""".split()
)

#: functions that change state which later statements see
_WRITING_FUNCTIONS = frozenset({"nextval", "setval", "write_log"})

#: functions that make a list or a text of a given size. What is then done with one is done at once, and its memory is
#: not the engine's: neither the limits nor Ctrl-C end it
_MAKERS = {
    **dict.fromkeys(("list_resize", "array_resize", "range", "generate_series"), "list"),
    **dict.fromkeys(("repeat", "lpad", "rpad"), "text"),
}
#: elements or characters that a query may write out as a number
MOST_ELEMENTS = 10_000_000

#: a larger number in a parse tree, whose form is that of the version of storage
_LARGE = re.compile(r'"(?:text|value)": "?-?(?:0*[1-9][0-9]{7}[0-9]+|[0-9.]+[eE]\+?0*(?:[7-9]|[1-9][0-9]+))\b')

#: query nodes that read; an INSERT, UPDATE or DELETE in a CTE is another
_READING_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})

#: characters of a table name that make the engine read it as a file or a web address
_FILE_LETTERS = re.compile(r"[./\\:*?\[]")
#: what the engine takes for the end of a file's name, in ``data.csv`` too, where no schema has such a relation
_FILE_ENDINGS = frozenset("csv tsv txt parquet json jsonl ndjson geojson gz zst xlsx db duckdb".split())

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


def is_ordered(connection: duckdb.DuckDBPyConnection, question: str) -> bool:
    """Return True if a SELECT orders its rows, or shows information of the engine in a defined order (DESCRIBE,
    EXPLAIN).
    """
    [[text]] = connection.cursor().execute("select json_serialize_sql(?)", [question]).fetchall()
    node = (json.loads(text).get("statements") or [{"node": {}}])[0]["node"]
    is_shown = (node.get("from_table") or {}).get("type") == "SHOW_REF" or not node
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
        [[text]] = cursor.execute("select json_serialize_sql(?)", [select]).fetchall()
        tree = json.loads(text)
    except duckdb.FatalException:  # of a write before
        raise
    except (duckdb.Error, RecursionError) as error:
        raise InvalidQuery(f"query rejected: it cannot be parsed: {str(error).splitlines()[0]}") from None
    finally:
        cursor.close()
    if tree.get("error"):
        raise InvalidQuery(f"query rejected: {tree.get('error_message')} {_WANTED}")
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
            continue
        if not isinstance(node, dict):
            continue
        kind, function, table = node.get("type"), node.get("function_name"), node.get("table_name")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in _READING_NODES:
            raise InvalidQuery(
                f"query rejected: it would write ({kind.removesuffix('_NODE').removesuffix('_QUERY')}), and a "
                f"query only reads."
            )
        if isinstance(function, str) and function.lower() in _MAKERS:
            _check_size(function.lower(), _arguments(node), tree)
        if kind == "TABLE_FUNCTION" and (name := node["function"]["function_name"].lower()) not in _TABLE_FUNCTIONS:
            raise InvalidQuery(
                f"query rejected: {name} is not supported: a query reads relations of the store, not files. `tdtsql "
                f"sql schema` lists them."
            )
        if isinstance(function, str) and function.lower() in _WRITING_FUNCTIONS:
            raise InvalidQuery(f"query rejected: {function.lower()} writes, and a query only reads.")
        above_table = "".join(node.get(part) or "" for part in ("catalog_name", "schema_name"))
        if (
            kind in ("BASE_TABLE", "SHOW_REF")
            and isinstance(table, str)
            and (_FILE_LETTERS.search(f"{above_table}{table}") or (above_table and table.lower() in _FILE_ENDINGS))
        ):
            raise InvalidQuery(
                f"query rejected: '{table}' would be a file, and a query reads the relations of the store. "
                f"`tdtsql sql schema` lists them."
            )
        if kind in ("BASE_TABLE", "SHOW_REF") and isinstance(table, str) and table.lower() not in above:
            for name, text in views:
                if name == table.lower():
                    _check_tree(connection, _VIEW.sub("", text).rstrip(";"), (*above, name))
        # as a table, a function returns its rows one by one
        waiting += _arguments(node["function"]) if kind == "TABLE_FUNCTION" else node.values()


def _arguments(function: dict) -> list[dict]:
    """Return the arguments of a function in a parse tree."""
    named = [argument["expression"] for argument in function.get("arguments") or []]
    return named or function.get("children") or []


def _check_size(function: str, arguments: list[dict], query: dict) -> None:
    """Reject a list or text of more elements than `MOST_ELEMENTS`, a size that may be a larger number elsewhere in the
    parse tree of the query, and lists that are resized to a size of the data.
    """
    is_unknown = function.endswith("_resize") and arguments[1:2] and arguments[1].get("class") != "CONSTANT"
    written = json.dumps(arguments)
    if '"COLUMN_REF"' in written or '"SUBQUERY"' in written:
        written = json.dumps(query)
    if is_unknown or _LARGE.search(written):
        made = _MAKERS[function]
        raise InvalidQuery(
            f"the query does not run: {function} would make a {made} of more than {MOST_ELEMENTS:,} "
            f"{'elements' if made == 'list' else 'characters'}"
            f"{', or of a size that is not written in the query' if is_unknown else ''}. "
            f"{'Read the numbers as rows: select ... from range(...).' if made == 'list' else 'Make it shorter.'}"
        )
