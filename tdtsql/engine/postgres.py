"""PostgreSQL: one session of a server that a team shares.

Rows travel by COPY in both directions, through a file in a temporary folder, so
that no row is an object of Python. Doubles are written with all their digits
(``extra_float_digits``), so every bit is preserved. Errors of the server are
reported without the address, the user's name or the data.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tdtsql.engine.remote import Receiver
from tdtsql.engine.quoting import sql_identifier, sql_identifiers, sql_literal, text_source
from tdtsql.errors import EngineUnavailable, InvalidQuery

EXTRA = "PostgreSQL needs psycopg 3. Install it with `pip install 'tdtsql[postgres]'`."

#: seconds to wait for a server, unless PGCONNECT_TIMEOUT or the address sets them
CONNECT_TIMEOUT = 10

#: what numbers and their order depend on, whatever the server or the role was set to
_SESSION = {
    "extra_float_digits": "1",  # doubles with all their digits
    "synchronize_seqscans": "off",  # a table is read from its first row
    # after several views far too few rows are expected: a loop over them, or a merge on the first of several keys,
    # never ends
    "enable_nestloop": "off",
    "enable_mergejoin": "off",
    "jit": "off",  # compiling a chain of views takes longer than running it
    "standard_conforming_strings": "on",
    "datestyle": "ISO",
    "timezone": "UTC",
    "client_min_messages": "warning",
}

#: type of PostgreSQL -> type of DuckDB; every other one is read as text
_TYPES = {
    16: "BOOLEAN",
    20: "BIGINT",
    21: "SMALLINT",
    23: "INTEGER",
    26: "BIGINT",
    700: "FLOAT",
    701: "DOUBLE",
    1082: "DATE",
    1114: "TIMESTAMP",
    1184: "TIMESTAMPTZ",
}
_NUMERIC = 1700

#: volatile functions that only return information
TELLING_FUNCTIONS = frozenset(
    """
    random clock_timestamp timeofday gen_random_uuid pg_relation_size pg_table_size pg_total_relation_size
    pg_indexes_size pg_database_size
""".split()
)

#: no connection any more, no rights, no room: not the fault of what was asked
_NOT_THE_QUERY = {None, "42501", "57P01", "57P02", "57P03", "08006", "53100", "53200"}

#: default limit of DuckDB for the bytes of one line
_LINE = 2_000_000


class Postgres:
    """A connection to a PostgreSQL server; see `tdtsql.engine.remote`."""

    title = "PostgreSQL"
    dialect = "postgres"
    plans_by_statistics = True

    def __init__(self, address: str, *, trace: bool = False):
        """Connect; parts missing in the address come from the environment, ``~/.pgpass`` and ``pg_service.conf``.

        Raises:
            EngineUnavailable: psycopg is not installed, the address cannot be read or has a password in it,
                or the server cannot be reached or denies access.
        """
        try:
            import psycopg
        except ImportError:
            raise EngineUnavailable(EXTRA) from None
        self._driver = psycopg
        self.trace = trace
        parameters = _parameters(psycopg, address)
        try:
            self.connection = psycopg.connect(
                autocommit=True, **{"connect_timeout": CONNECT_TIMEOUT, "application_name": "tdtsql"} | parameters
            )
        except psycopg.Error as error:
            raise EngineUnavailable(_not_in(str(error), parameters)) from None
        info = self.connection.info
        host = "localhost" if info.host.startswith("/") else info.host
        #: address of the store, without the user
        self.address = f"postgresql://{host}:{info.port}/{info.dbname}"
        self.version = _version(info.server_version)
        for name, value in _SESSION.items():
            self.execute(f"set {name} = {sql_literal(value)}")
        if (encoding := self.value("show server_encoding")) != "UTF8":
            self.close()
            raise EngineUnavailable(
                f"{self.address}: the database has encoding {encoding}. Make one with UTF8: createdb --encoding=UTF8 "
                f"--template=template0 NAME."
            )

    # ---- statements

    def execute(self, sql: str, parameters: Sequence | None = None) -> None:
        """Run statements for what they do."""
        with self._cursor(sql, parameters):
            pass

    def rows(self, sql: str, parameters: Sequence | Mapping | None = None) -> list[tuple]:
        """Run one query and return all its rows."""
        with self._cursor(sql, parameters) as cursor:
            return cursor.fetchall()

    def value(self, sql: str, parameters: Sequence | None = None):
        """Run one query and return the first value of its first row, or None."""
        rows = self.rows(sql, parameters)
        return rows[0][0] if rows else None

    @contextmanager
    def transaction(self, how: str = "") -> Iterator[None]:
        """Commit everything done inside, or roll back if it raises; a nested call is part of the outer transaction."""
        if self.connection.info.transaction_status != self._driver.pq.TransactionStatus.IDLE:
            yield
            return
        self.execute(f"begin {how}")
        try:
            yield
        except BaseException:
            self.abandon()
            raise
        self.execute("commit")

    def abandon(self) -> None:
        """Roll back, as far as there is still a connection."""
        try:
            self._say("rollback")
            self.connection.rollback()
        except self._driver.Error:
            pass

    # ---- engine.remote

    def make(self, kind: str, name: str, select: str) -> None:
        self.execute(f"create temp {kind} {name} as\n{select}")
        if kind == "table":
            # without statistics the planner estimates small tables, and uses nested loops
            self.execute(f"analyze {name}")

    def drop(self, kind: str, name: str) -> None:
        if (
            not self.connection.closed
            and self.connection.info.transaction_status != self._driver.pq.TransactionStatus.INERROR
        ):
            self.execute(f"drop {kind} if exists {name}")

    def fetch(self, engine: Receiver, table: str, select: str, types: Mapping[str, str] | None = None) -> None:
        if types is None:
            names, kinds = self.describe(select)
        else:
            names, kinds = list(types), list(types.values())
        unique = _unique(names)
        if not names:
            raise InvalidQuery("query rejected: it has no columns.")
        texts = [unique[index] for index, kind in enumerate(kinds) if kind in ("VARCHAR", "NUMERIC")]
        listed = sql_identifiers(unique)
        quote = f", force_quote ({sql_identifiers(texts)})" if texts else ""
        with TemporaryDirectory(prefix="tdtsql-") as folder:
            path = Path(folder) / "rows.csv"
            # a line end before the parenthesis: the query may end in a comment
            asked = select if unique == names else f"select {listed} from (\n{select}\n) as asked ({listed})"
            longest = self._copy_out(f"copy (\n{asked}\n) to stdout (format csv, null '\\N'{quote})", path)
            read = {name: "VARCHAR" if kind == "NUMERIC" else kind for name, kind in zip(unique, kinds, strict=True)}
            # rows with text may span lines, which only one thread reads right
            more = f", parallel = {str(not texts).lower()}" + (
                f", max_line_size = {longest + 1}, buffer_size = {16 * (longest + 1)}" if longest >= _LINE else ""
            )
            options = f"nullstr = '\\N', allow_quoted_nulls = false{more}"
            source = text_source(path, read, ",", quote='"', options=options)
            engine.execute(f"create or replace temp table {table} as select {listed} from {source}")
        for name, kind in zip(unique, kinds, strict=True):
            if kind == "NUMERIC":
                _settle_numeric(engine, table, name)

    def close(self) -> None:
        self.connection.close()

    # ---- a user's query

    def describe(self, select: str) -> tuple[list[str], list[str]]:
        """Return names and DuckDB's types of a query's columns; the query is not run.

        Raises:
            InvalidQuery: it is not one query that returns rows.
        """
        self._say(select)
        status = self._driver.pq.ExecStatus
        plain = self.connection.pgconn
        for answer in (plain.prepare(b"", select.encode()), plain.describe_prepared(b"")):
            if answer.status not in (status.COMMAND_OK, status.TUPLES_OK):
                said = (
                    answer.error_field(self._driver.pq.DiagnosticField.MESSAGE_PRIMARY) or b"the server gives no reason"
                ).decode(errors="replace")
                raise InvalidQuery(f"query rejected: {said}.")
        columns = range(answer.nfields)
        if answer.nparams:
            raise InvalidQuery("query rejected: it has parameters ($1), and there are no values for them.")
        return [(answer.fname(index) or b"").decode() for index in columns], [
            _type(answer.ftype(index), answer.fmod(index)) for index in columns
        ]

    def check_functions(self, select: str) -> None:
        """Refuse a query that calls what does more than compute: a read-only transaction does not stop all of it.

        A server's files, large objects, locks, settings and other connections are within reach of functions. All
        of them are volatile, as the server calls it; read-only ones (`TELLING_FUNCTIONS`) are accepted.

        Raises:
            InvalidQuery: names the function.
        """
        if re.search(r'u&"', select, re.IGNORECASE):
            raise InvalidQuery('query rejected: write names as they are, not as U&"...".')
        # search texts and comments too, so that the result does not depend on where these end
        names = re.findall(r"[\w$]+" if "/*" in select else r'([\w$]+)"?(?:\s|--[^\n]*\n)*\(', select)
        called = {form for name in names for form in (name, name.lower())} - TELLING_FUNCTIONS
        found = self.rows(
            "select distinct proname from pg_catalog.pg_proc where provolatile = 'v' and proname = any(%s) order by 1",
            [sorted(called)],
        )
        if found:
            raise InvalidQuery(
                f"query rejected: {found[0][0]} may do more than compute (it is volatile), and a query only reads."
            )

    # ---- COPY

    def copy_in(self, table: str, columns: Sequence[str], path: Path) -> None:
        """Append the rows of a file in PostgreSQL's text format."""
        sql = f"copy {table} ({sql_identifiers(columns)}) from stdin"
        self._say(sql)
        try:
            with self.connection.cursor() as cursor, cursor.copy(sql) as copy, path.open("rb") as stream:
                while data := stream.read(1 << 20):
                    copy.write(data)
        except self._driver.Error as error:
            raise self._refused(error) from None

    def _copy_out(self, sql: str, path: Path) -> int:
        """Write the output of COPY to a file; return the bytes of the longest row."""
        self._say(sql)
        longest = 0
        try:
            with self.connection.cursor() as cursor, cursor.copy(sql) as copy, path.open("wb") as stream:
                for data in copy:
                    stream.write(data)
                    if len(data) > longest:
                        longest = len(data)
        except self._driver.Error as error:
            raise (
                self._refused(error)
                if error.sqlstate in _NOT_THE_QUERY
                else InvalidQuery(f"query rejected: {_primary(error)}.")
            ) from None
        return longest

    @contextmanager
    def _cursor(self, sql: str, parameters: Sequence | Mapping | None):
        self._say(sql)
        try:
            with self.connection.cursor() as cursor:
                cursor.execute(sql, parameters)
                yield cursor
        except self._driver.Error as error:
            raise self._refused(error) from None

    def _refused(self, error: Exception) -> EngineUnavailable:
        """Return the exception for an error of the server, without data, user and address."""
        if getattr(error, "sqlstate", None) == "42501":
            return EngineUnavailable(
                f"{self.address}: {_primary(error)}. Request the missing rights from the owner of the store."
            )
        if self.connection.closed or self.connection.broken:
            return EngineUnavailable(
                f"{self.address}: the connection was lost and the transaction rolled back. Try again."
            )
        return EngineUnavailable(f"{self.address}: {_primary(error)}.")

    def _say(self, sql: str) -> None:
        if self.trace:
            print(sql.strip() + ";", file=sys.stderr)


def escaped(column: str) -> str:
    """Return the expression that writes a text column of DuckDB in PostgreSQL's text format."""
    return f"replace(replace(replace(replace({column}, '\\', '\\\\'), chr(9), '\\t'), chr(10), '\\n'), chr(13), '\\r')"


def _parameters(psycopg, address: str) -> dict[str, str]:
    """Return the parameters of an address; refuses a password in it, and never prints any part of it."""
    try:
        parameters = psycopg.conninfo.conninfo_to_dict(address)
    except psycopg.Error:
        raise EngineUnavailable("the address cannot be read. Write postgresql://HOST:PORT/DATABASE.") from None
    if secret := {"password", "sslpassword", "oauth_client_secret"} & {
        name for name, value in parameters.items() if value
    }:
        raise EngineUnavailable(
            f"the address has a {min(secret)} in it, which process lists show. Use ~/.pgpass or PGPASSWORD instead."
        )
    return {name: value for name, value in parameters.items() if value is not None}


def _not_in(message: str, parameters: Mapping[str, str]) -> str:
    """Return why the connection failed, in this program's words: libpq's messages have the user's name."""
    port = f":{parameters['port']}" if "port" in parameters else ""
    server = f"postgresql://{parameters.get('host', '')}{port}/{parameters.get('dbname', '')}"
    if (
        "password authentication failed" in message
        or "no password supplied" in message
        or "authentication failed" in message
    ):
        return f"{server}: the server does not let us in. Set PGUSER, and the password in ~/.pgpass or PGPASSWORD."
    if re.search(r'role ".*" does not exist', message):
        return f"{server}: the server does not know the user. Set PGUSER."
    if re.search(r'database ".*" does not exist', message):
        return f"{server}: database not found. Create it with `createdb`."
    if "no pg_hba.conf entry" in message:
        return f"{server}: the server takes no connection from here for this user (pg_hba.conf)."
    if "too many" in message or "remaining connection slots" in message:
        return f"{server}: the server has no connection left. Try again later."
    if "definition of service" in message:
        return f"{server}: service not found. See pg_service.conf."
    said = re.search(
        r"(Connection refused|timeout expired|[Nn]ame or service not known|No such file or directory|could not "
        r"translate host name|"
        r"[Tt]emporary failure in name resolution|Network is unreachable|No route to host|SSL|starting up|shutting "
        r"down)",
        message,
    )
    return (
        f"{server}: the server cannot be reached{f' ({said[1]})' if said else ''}. Check host and port, and that it "
        f"runs."
    )


def _primary(error: Exception) -> str:
    """Return the first line of an error of the server; its detail may contain data."""
    said = getattr(getattr(error, "diag", None), "message_primary", None)
    return (said or type(error).__name__).rstrip(".")


def _version(number: int) -> str:
    return f"{number // 10000}.{number % 10000}"


def _type(oid: int, modifier: int) -> str:
    if oid == _NUMERIC and modifier >= 4:
        precision, scale = (modifier - 4) >> 16, (modifier - 4) & 0x7FF
        if precision <= 38 and scale <= precision:
            return f"DECIMAL({precision},{scale})"
    return "NUMERIC" if oid == _NUMERIC else _TYPES.get(oid, "VARCHAR")


def _unique(names: Sequence[str]) -> list[str]:
    """Return column names that differ, whatever their case: ``a``, ``a_1``."""
    made: list[str] = []
    for name in names:
        chosen, number = name or "column", 0
        while chosen.lower() in [other.lower() for other in made]:
            number += 1
            chosen = f"{name or 'column'}_{number}"
        made.append(chosen)
    return made


def _settle_numeric(engine: Receiver, table: str, column: str) -> None:
    """Set the type of a NUMERIC column without precision from its values: integers stay exact, others are doubles."""
    name = sql_identifier(column)
    others = engine.value(
        f"select count(*) from {table} where {name} is not null and not regexp_full_match({name}, '-?[0-9]{{1,38}}')"
    )
    engine.execute(f"alter table {table} alter {name} type {'double' if others else 'hugeint'}")
