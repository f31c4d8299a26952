"""SQL that users type: one query, which only reads the store, on a connection without files, network or settings, and
within limits.

Everything that takes such SQL comes through ``one_question``. It does not guess from the text: the engine's own parser
classifies the statement, and its parse tree (`tdtsql.engine.parse_tree`) is searched for anything that writes (a CTE
that inserts) or reads files (a table function, a file name instead of a table).
"""

import json
import math
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import SCHEMAS, Engine, Relation
from tdtsql.engine.parse_tree import (
    READING_NODES,
    TABLE_FUNCTIONS,
    STATE_FUNCTIONS,
    Node,
    arguments,
    function_of,
    is_file,
    parse_tree,
    parts,
)
from tdtsql.engine.quoting import quoted_path, sql_identifier, sql_literal
from tdtsql.engine.spill import SpillFolder
from tdtsql.errors import InvalidQuery


@dataclass(frozen=True)
class Limits:
    """Limits of one typed query; None means unlimited."""

    seconds: float | None
    rows: int | None
    memory: str | None  #: None: the connection's own (TDTSQL_MEMORY_LIMIT)
    spill: str  #: on disk, in a private folder

    def check(self, n_row: int) -> None:
        """Raise InvalidQuery where a result has more rows."""
        if self.rows is not None and n_row > self.rows:
            raise InvalidQuery(
                f"the answer has more than {self.rows:,} rows. Add a LIMIT, or take more of them (--limit)."
            )


#: for who owns the store and the machine: a runaway query ends before the disk is full
GENEROUS = Limits(seconds=3600, rows=1_000_000, memory=None, spill="20GB")

#: for queries that others send
STRICT = Limits(seconds=10, rows=10_000, memory="1GB", spill="1GB")

#: functions that make a list or a text of a given size. What is then done with one is done at once, and its memory is
#: not the engine's: neither the limits nor Ctrl-C end it
_MAKERS = {
    **dict.fromkeys(("list_resize", "array_resize", "range", "generate_series"), "list"),
    **dict.fromkeys(("repeat", "lpad", "rpad", "format", "printf"), "text"),
}
#: elements or characters that a query may write out as a number
MOST_ELEMENTS = 10_000_000

#: a number in a parse tree, whose form is that of the version of storage
_NUMBER = re.compile(r'"(?:text|value)": "?-?([0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE]\+?[0-9]+)?)[",}]')

#: operators and functions whose result is not bounded by the product of the numbers that they are given
_POWER = re.compile(r'"function_name": "(?:\^|\*\*|<<|pow|power|factorial|exp|gamma)"', re.IGNORECASE)

#: a field in the text of ``format`` or ``printf``; braces in braces and an asterisk take its width from an argument
_FIELD = re.compile(r"%[^a-zA-Z%]*|\{[^{}]*:[^{}]*\{?")

#: text before the query in the definition of a view
_VIEW = re.compile(r'^CREATE VIEW (?:(?:"(?:[^"]|"")*"|[^\s".(]+)\.?)+ (?:\((?:"(?:[^"]|"")*"|[^")])*\) )?AS ')

_EXPLAIN = re.compile(r"\A\s*explain\b", re.IGNORECASE)

_WANTED = "Only one SELECT, or EXPLAIN of one, is supported."

#: types with short values
_SHORT = re.compile(
    r"BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DATE|TIME|TIMESTAMP(_S|_MS|_NS)?|INTERVAL|UUID"
    r"|DECIMAL\(\d+,\d+\)"
)


# ---- allowed queries


def one_question(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """Return ``text`` as it may be run, if it is one SELECT (or plain EXPLAIN of one) that only reads the store.

    Raises:
        InvalidQuery: it is not valid, not one query, or would write or access files.
    """
    statement = _single(connection, text)
    kind, asked, before = statement.type.name, statement.query, ""
    if kind == "EXPLAIN":
        # EXPLAIN ANALYZE runs the statement; with ANALYZE (or options) the rest is not parsed as SELECT
        try:
            statement, before = _single(connection, _EXPLAIN.sub("", asked, count=1)), "explain "
        except InvalidQuery:
            kind = ""
        if not kind or statement.type.name != "SELECT":
            raise InvalidQuery(
                f"query rejected: only plain EXPLAIN of a SELECT is supported, without ANALYZE or options. {_WANTED}"
            )
    elif kind != "SELECT":
        what = "PIVOT, which creates a type," if kind == "MULTI" else kind
        raise InvalidQuery(f"query rejected: {what} is not supported. {_WANTED}")
    _check_tree(connection, statement.query)
    return f"{before}{statement.query}"


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


def _single(connection: duckdb.DuckDBPyConnection, text: str) -> duckdb.Statement:
    try:
        text.encode()  # a lone surrogate is not a character
        statements = connection.extract_statements(text)
    except (duckdb.Error, UnicodeEncodeError) as error:
        raise InvalidQuery(f"query rejected: {error}") from None
    if not statements:
        raise InvalidQuery("there is no query. Type one SELECT, for example: select * from report.score")
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
        of_users = "from duckdb_views() where not internal and not list_contains(?, schema_name)"
        views: list[tuple[str, str]] = []
        # the engine writes the SQL of all views, which takes longer than most queries
        if cursor.execute(f"select view_name {of_users} limit 1", [list(SCHEMAS)]).fetchall():
            views = cursor.execute(f"select lower(view_name), sql {of_users}", [list(SCHEMAS)]).fetchall()
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
        if function in STATE_FUNCTIONS:
            raise InvalidQuery(f"query rejected: {function} is about the engine, and a query reads the store alone.")
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
    """Reject a list or text of more elements than `MOST_ELEMENTS`: by a number, by a product of numbers, or by one
    that may be a larger number elsewhere in the parse tree of the query; and a size that only the engine can tell.
    """
    most, sizes = 0.0, given
    if function in ("format", "printf"):
        fields = _FIELD.findall(_constant(given[0])) if given else []
        most = max((float(width) for one in fields for width in re.findall(r"\d+", one)), default=0.0)
        sizes = given[1:] if any("*" in one or one.endswith("{") for one in fields) else []
    written = [json.dumps(one) for one in sizes]
    bounds = [math.prod(max(1.0, number) for number in _numbers(one)) for one in written]
    if function == "repeat" and bounds:  # a text as often as a number says
        bounds = [math.prod([float(len(_constant(given[0])) or bounds[0]), *bounds[1:]])]
    if any('"COLUMN_REF"' in one or '"SUBQUERY"' in one for one in written):
        bounds += _numbers(json.dumps(query))
    is_of_data = function.endswith("_resize") and len(given) > 1 and given[1].get("class") != "CONSTANT"
    is_unknown = is_of_data or any(_POWER.search(one) for one in written)
    if is_unknown or max([most, *bounds]) > MOST_ELEMENTS:
        made = _MAKERS[function]
        raise InvalidQuery(
            f"the query does not run: {function} would make a {made} of more than {MOST_ELEMENTS:,} "
            f"{'elements' if made == 'list' else 'characters'}"
            f"{', or of a size that is not written in the query' if is_unknown else ''}. "
            f"{'Read the numbers as rows: select ... from range(...).' if made == 'list' else 'Make it shorter.'}"
        )


def _constant(node: Node) -> str:
    """Return the text of a constant, whose node depends on the version of storage; empty for another node."""
    written = node.get("literal") or node.get("value")
    return str(written.get("text", written.get("value", ""))) if isinstance(written, dict) else ""


def _numbers(written: str) -> list[float]:
    """Return the numbers in a parse tree that is written as JSON."""
    return [float(number.replace("_", "")) for number in _NUMBER.findall(written)]


# ---- execution


def deny_files(engine: Engine) -> None:
    """Deny files and network to all connections of a database, permanently, but for one private folder, into which
    ``write_parquet`` writes.
    """
    if engine.value("select current_setting('enable_external_access')") is False:
        return
    engine.spill = SpillFolder()
    engine.downloads = engine.spill.path / "downloads"
    engine.downloads.mkdir(mode=0o700)
    folders = [engine.downloads]
    try:
        engine.execute(f"set temp_directory = {sql_literal(engine.spill.room)}")
    # with little memory, opening the store has already spilled: allow that folder
    except duckdb.NotImplementedException:
        folders.append(engine.value("select current_setting('temp_directory')"))
    engine.execute(f"set allowed_directories = [{', '.join(sql_literal(f'{folder}/') for folder in folders)}]")
    engine.execute("set enable_external_access = false")


def confine(engine: Engine, limits: Limits) -> None:
    """Deny files, network and settings to all connections of a database, and limit their memory, permanently."""
    if engine.value("select current_setting('lock_configuration')") is True:
        return
    deny_files(engine)
    engine.execute(f"set max_temp_directory_size = {sql_literal(limits.spill)}")
    if limits.memory is not None and not os.environ.get("TDTSQL_MEMORY_LIMIT"):
        engine.execute(f"set memory_limit = {sql_literal(limits.memory)}")
    engine.execute("set lock_configuration = true")


def typed_relation(engine: Engine, sql: str) -> Relation:
    """Return a user's query as a relation.

    Raises:
        InvalidQuery: it is invalid, would write, or accesses files (`one_question`).
    """
    if not isinstance(sql, str):
        raise InvalidQuery(f"{sql!r} is not a query: expected the text of one SELECT.")
    question = one_question(engine.connection, sql)
    try:
        return engine.relation(question)
    except duckdb.Error as error:
        raise InvalidQuery(f"query rejected: {error}") from None


def run_user_query(
    engine: Engine, sql: str, limits: Limits = GENEROUS, most: int | None = None
) -> tuple[list[str], list[tuple]]:
    """Run a query that a user typed, without files, network or settings; returns columns and rows.

    The limits of memory and spilled data are those of the first such query of a connection.

    Args:
        most: rows that are fetched; None: all.

    Raises:
        InvalidQuery: it is invalid, accesses what it must not, or exceeds ``limits``.
    """
    confine(engine, limits)
    with limited(engine, limits):
        question = one_question(engine.connection, sql)
        answer = engine.query(question)
        columns = [(name, str(kind)) for name, kind, *_ in answer.description or []]
        # fetching these needs a package (pytz) that is not a dependency
        if any("WITH TIME ZONE" in kind for _, kind in columns):
            texts = [
                f"cast(#{place} as varchar)" if "WITH TIME ZONE" in kind else f"#{place}"
                for place, (_, kind) in enumerate(columns, start=1)
            ]
            answer = engine.query(f"select {', '.join(texts)} from ({question.rstrip().rstrip(';')}\n)")
        rows: list[tuple] = []
        while (most is None or len(rows) < most) and (more := answer.fetchmany(most or 2048)):
            rows += more
            limits.check(len(rows))
    return [name for name, _ in columns], rows


def with_short_cells(engine: Engine, question: str, length: int) -> str:
    """Return a query whose texts, lists and bytes the engine truncates to so many characters, for display."""
    selected = [
        f"#{place} as {sql_identifier(name)}"
        if _SHORT.fullmatch(kind)
        else f"left(cast((#{place}){f'[:{length}]' if kind.endswith('[]') else ''} as varchar), {length}) "
        f"as {sql_identifier(name)}"
        for place, (name, kind, *_) in enumerate(engine.rows(f"describe {question}"), start=1)
    ]
    return f"select {', '.join(selected)} from ({question.rstrip().rstrip(';')}\n)"


#: how a text begins that a spreadsheet calculates: it gets an apostrophe in front
_FORMULA = r"^[=+@\t\r-]"
#: format of a file -> its options, and how values of a type are written that it does not take as they are
FILES: dict[str, tuple[str, dict[str, str]]] = {
    "csv": ("format csv, header true", {"VARCHAR": f"if(regexp_matches({{0}}, '{_FORMULA}'), '''' || {{0}}, {{0}})"}),
    "json": (
        "format json, array true",
        {"DOUBLE": "case when not isnan({0}) then if(isinf({0}), to_json(cast({0} as varchar)), to_json({0})) end"},
    ),
    "parquet": ("format parquet", {}),
}


def write_file(engine: Engine, sql: str, limits: Limits, form: str) -> Path:
    """Write the result of a query of an untrusted user into a file of the private folder (`deny_files`), which the
    caller removes; the connection is confined.

    Raises:
        InvalidQuery: as ``run_user_query``.
    """
    confine(engine, limits)
    if engine.downloads is None:
        raise InvalidQuery("this connection writes no files.")
    options, written_as = FILES[form]
    path, most = engine.downloads / f"{engine.unused_name('download')}.{form}", limits.rows or 2**62
    with limited(engine, limits):
        question = f"select * from ({one_question(engine.connection, sql).rstrip().rstrip(';')}\n) limit {most + 1}"
        selected = []
        for place, (name, kind, *_) in enumerate(engine.rows(f"describe {question}"), start=1):
            name = f"'{name}" if form == "csv" and re.match(_FORMULA, name) else name
            selected.append(f"{written_as.get(kind, '{0}').format(f'#{place}')} as {sql_identifier(name)}")
        n_row = engine.value(
            f"copy (select {', '.join(selected)} from ({question})) to {quoted_path(path)} ({options})"
        )
    if n_row > most:
        path.unlink()
        limits.check(n_row)
    return path


@contextmanager
def limited(engine: Engine, limits: Limits) -> Iterator[None]:
    """Explain errors of a typed query that runs inside, and interrupt it at its time limit."""
    is_late = threading.Event()

    def stop() -> None:
        is_late.set()
        engine.interrupt()

    clock = threading.Timer(limits.seconds, stop) if limits.seconds else None
    try:
        if clock is not None:
            clock.start()
        yield
    except duckdb.OutOfMemoryException:
        raise InvalidQuery(
            f"query rejected: it needs more memory than it may have, or more than {limits.spill} on disk. Ask for less."
        ) from None
    except (duckdb.Error, RuntimeError, InvalidQuery) as error:
        if is_late.is_set():
            raise InvalidQuery(
                f"the query took longer than {limits.seconds:g} s and was stopped. Ask for less, or give it longer "
                "(--timeout)."
            ) from None
        if not isinstance(error, duckdb.Error):
            raise
        raise InvalidQuery(f"query rejected: {error}") from None
    finally:
        if clock is not None:
            clock.cancel()
            clock.join()  # it may be interrupting: a connection in use cannot be closed
