"""Spark as the engine that stores the decisions and computes the views.

Each step of a pass is computed once. A small step, as nearly every step is, is collected to the driver and
becomes a literal table: later steps plan with its true size, and need no worker for it. Large
steps stay with the executors, in memory or on their disks; Spark recomputes a lost partition from
its inputs.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tdtsql.engine.duckdb import first_line
from tdtsql.engine.user_query import OWN_SCHEMA, SCHEMAS
from tdtsql.engine.remote import Receiver
from tdtsql.errors import EngineUnavailable, InvalidQuery, not_none

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession


#: maximum rows of a step that are collected to the driver
SMALL = 20_000

#: maximum decisions of a pass whose every step is collected to the driver without a check of its size
SMALL_PASS = 100_000

#: most rows in one piece of a large step
ROWS_IN_PIECE = 4_000_000

#: seconds: to reach a master, to be given the first executor, to get one back when all are lost
REACH, FIRST_EXECUTOR, NO_EXECUTOR = 5.0, 60.0, 60.0

#: what every session needs, with the reason
SETTINGS = {
    # overflow, a bad cast and division by 0 raise instead of giving NULL
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    # a date of a story has no time zone, here as in the store
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.caseSensitive": "false",
    # a query names relations, never files
    "spark.sql.runSQLOnFiles": "false",
    # an id is text, also where it looks like a number
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    # the rule breaks plans that join a literal table with itself (4.3: PLAN_VALIDATION_FAILED_RULE_IN_BATCH)
    "spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.RemoveRedundantAliases",
    # tables from the driver are literals, with a known size
    "spark.sql.execution.arrow.localRelationThreshold": "67108864b",
}

#: settings that only a session of this program can have
OWN = {
    "spark.app.name": "tdtsql",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # every hash table of a join begins with one page: many small ones fill a driver with the default of 64 MB
    "spark.buffer.pageSize": "2m",
    "spark.sql.catalogImplementation": "in-memory",
}

#: functions that call what they are given the name of
REFUSED = frozenset(("java_method", "reflect", "try_reflect"))

#: advice for a driver without enough memory
MORE_MEMORY = (
    "Earlier results are stored. Give Spark more memory: SPARK_DRIVER_MEMORY=6g before the command, "
    "or the line "
    "'spark.driver.memory 6g' in spark-defaults.conf in the folder that SPARK_CONF_DIR names; or score less at a time "
    "(RUN, --condition)."
)
_NO_MEMORY = re.compile("not enough memory|out of memory|heap space", re.IGNORECASE)

#: how many open stores use the session that one of them began
_OURS = {"users": 0}

_SECRET = re.compile(r"(?i)secret|passw|token|credential|access[._]?key|account[._]?key|sas\.")


class Spark:
    """A Spark session with temporary views instead of a store's tables."""

    title = "Spark"
    dialect = "spark"
    plans_by_statistics = False

    def __init__(
        self,
        master: str | None = None,
        session: SparkSession | None = None,
        settings: Mapping[str, str] | None = None,
        *,
        trace: bool = False,
    ):
        """Configure the session, which starts with the first query.

        Args:
            master: ``local[2]``, ``spark://host:port``.
            session: an existing session, from which a new one is created.
            settings: Spark settings for a session of this program; never shown.
            trace: print every statement on stderr.

        Raises:
            EngineUnavailable: Spark or Java is not installed.
        """
        self._pyspark = _installed()
        self.master = master
        self.trace = trace
        self.small_pass = False
        #: decisions of the whole store, where they are known
        self.n_row = SMALL_PASS + 1
        #: returns a relation of the store, as rows or as a DataFrame, when a statement refers to it
        self.provide: Callable[[str], str | None] = lambda name: None
        self._settings = dict(settings or {})
        self._given = session
        self._session: SparkSession | None = None
        self._owned = False
        self._large: dict[str, DataFrame] = {}
        #: views that may have many rows
        self._big: set[str] = set()
        #: step -> what was computed for it in a separate job
        self._parts: dict[str, list[str]] = {}
        if session is not None and not hasattr(session, "_jsparkSession"):
            raise EngineUnavailable(
                "The session is one of Spark Connect, which cannot hold a store. Give a classic session, or "
                "spark://host:port."
            )

    @property
    def version(self) -> str:
        return self._pyspark.__version__

    # ---- the session

    @property
    def session(self) -> SparkSession:
        """The session, which begins here.

        Raises:
            EngineUnavailable: no master responds, or no executor is available.
        """
        if self._session is None:
            base = self._given if self._given is not None else self._begin()
            session = base.newSession()
            for key, value in SETTINGS.items():
                session.conf.set(key, value)
            _forget_functions(session)
            self._session = session
            self._set_pass(small=True)
            try:
                self._await_executor()
            except BaseException:
                self.close()
                raise
        return self._session

    def _begin(self) -> SparkSession:
        from pyspark import SparkContext
        from pyspark.sql import SparkSession

        there = SparkContext._active_spark_context
        if there is not None:
            if there.master != self.master:
                raise EngineUnavailable(
                    f"This process has a Spark session on {_host(there.master)} already, and a process can have one "
                    f"only. "
                    "Give that session, or stop it."
                )
            self._owned = _OURS["users"] > 0
            _OURS["users"] += self._owned
            return SparkSession.builder.getOrCreate()
        master = not_none(self.master)  # without one a session was given
        options = dict(OWN)
        if self.n_row <= SMALL_PASS or master.startswith("spark://"):
            # the second compiler of Java takes longer than the planning of a driver; the first one alone would get a
            # fifth of the memory for compiled code
            options["spark.driver.extraJavaOptions"] = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
        if master.startswith("spark://"):
            name = _reachable(master)
            options["spark.cores.max"] = os.environ.get("TDTSQL_SPARK_CORES", "")
            if name.startswith("127.") or name == "localhost":
                options |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        else:
            options |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
            if not says_memory():
                # what verifies every number joins some hundred small tables at once; 8,192 pages are all that a task
                # can have
                options |= {"spark.driver.memory": "4g", "spark.buffer.pageSize": "256k"}
        builder = SparkSession.builder.master(self.master)
        for key, value in {**options, **self._settings}.items():
            if value:
                builder = builder.config(key, value)
        try:
            with _silence(self.trace):
                session = builder.getOrCreate()
        except Exception as error:
            raise EngineUnavailable(f"Spark on {_host(master)} does not start: {self.explain_error(error)}.") from None
        self._owned = True
        _OURS["users"] = 1
        return session

    def _await_executor(self) -> None:
        """Wait until an executor is available."""
        if self.session.sparkContext.master.startswith("local"):
            return
        end = time.monotonic() + FIRST_EXECUTOR
        while self._n_executor() == 0:
            if time.monotonic() > end:
                raise EngineUnavailable(
                    f"Spark on {_host(self.session.sparkContext.master)} gives no executor within "
                    f"{FIRST_EXECUTOR:.0f} seconds. "
                    "Look whether its workers run, and have the requested cores and memory."
                )
            time.sleep(0.2)

    def _n_executor(self) -> int:
        # the driver is counted too
        return self.session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1

    def begin_pass(self, n_row: int) -> None:
        """Set the number of decisions that the next steps process."""
        self._set_pass(small=n_row <= SMALL_PASS, n_row=n_row)

    def _set_pass(self, *, small: bool, n_row: int = 0) -> None:
        session = self.session  # a session that begins here begins with a small pass
        self.small_pass = small
        local = session.sparkContext.master.startswith("local")
        cores = session.sparkContext.defaultParallelism
        pieces = cores if small or local else max(4 * cores, min(2000, n_row // ROWS_IN_PIECE))
        for key, value in {
            # compiling and planning a small step takes longer than running it
            "spark.sql.codegen.wholeStage": str(not small).lower(),
            "spark.sql.codegen.factoryMode": "NO_CODEGEN" if small else "FALLBACK",
            "spark.sql.adaptive.enabled": str(not small).lower(),
            "spark.sql.shuffle.partitions": str(1 if small else pieces),
        }.items():
            session.conf.set(key, value)

    # ---- interface of the store

    def make(self, kind: str, name: str, select: str) -> None:
        if not self.small_pass:
            select = self._divided(name, select)
        frame = self._frame(select)
        if kind == "table":
            frame = self._computed(name, frame)
        if kind == "table" and name not in self._large:
            self._big.discard(name)
        self._view(name, frame)

    def _divided(self, name: str, select: str) -> str:
        """Compute subqueries of many rows that a statement reads more than once in separate steps; Spark would compute
        them each time.

        Returns the rest of the statement.
        """
        tree = cast(exp.Query, sqlglot.parse_one(select, read="spark"))
        steps = list(tree.ctes)
        sources = {step.alias: {table.name for table in step.this.find_all(exp.Table)} for step in steps}
        for step in steps:  # in order: a step that reads a big one is big
            if sources[step.alias] & self._big:
                self._big.add(step.alias)
        if {table.name for table in tree.find_all(exp.Table)} & self._big:
            self._big.add(name)
        for place, step in enumerate(steps):
            reads = sum(table.name == step.alias for table in tree.find_all(exp.Table))
            if step.alias not in self._big or reads < 2 or not (step.find(exp.Window) or step.find(exp.Group)):
                continue
            before = [earlier.copy() for earlier in steps[:place] if earlier.parent is not None]
            part = exp.select("*").from_(step.alias)
            for earlier in (*before, step.copy()):
                part = part.with_(earlier.alias, as_=earlier.this, copy=False)
            view = f"{name}_{step.alias}"
            frame = self._computed(view, self._frame(part.sql("spark")))
            self._view(view, frame)
            self._parts.setdefault(name, []).append(view)
            step.pop()
            for table in tree.find_all(exp.Table):
                if table.name == step.alias:
                    if not table.alias:
                        table.set("alias", exp.TableAlias(this=exp.to_identifier(step.alias)))
                    table.set("this", exp.to_identifier(view))
        self._big -= {step.alias for step in steps}
        for step in reversed(tree.ctes):  # steps that are needed only by steps computed now
            if not any(table.name == step.alias for table in tree.find_all(exp.Table)):
                step.pop()
        if not tree.ctes:
            tree.set("with_", None)
        return tree.sql("spark")

    def put(self, name: str, rows: pyarrow.Table) -> None:
        """Create a temporary view of local rows."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._view(name, self.session.createDataFrame(rows))

    def show(self, name: str, frame: DataFrame) -> None:
        """Create a temporary view of a DataFrame of this session, of any size."""
        self._big.add(name)
        self._view(name, frame)

    def count(self, frame: DataFrame) -> int:
        """Return how many rows a frame has."""
        return self._run(frame.count)

    def drop(self, kind: str, name: str) -> None:
        self._big.discard(name)
        for part in self._parts.pop(name, []):
            self.drop(kind, part)
        if self._session is None:
            return
        try:
            self._session.catalog.dropTempView(name)
            if (frame := self._large.pop(name, None)) is not None:
                frame.unpersist()
        except Exception:  # the session has ended, and the view with it
            return

    def fetch(self, engine: Receiver, table: str, select: str, types: Mapping[str, str] | None = None) -> None:
        rows = self._rows(self._frame(select))
        for place, field in enumerate(rows.schema):
            # the type of date_trunc, also for a timestamp without a zone
            if str(field.type) == "timestamp[us, tz=UTC]":
                rows = rows.set_column(place, field.name, rows.column(place).cast("timestamp[us]"))
        columns = ", ".join(f'cast("{name}" as {kind}) as {name}' for name, kind in types.items()) if types else "*"
        engine.connection.register("incoming", rows)
        try:
            engine.execute(f"create or replace temp table {table} as select {columns} from incoming")
        finally:
            engine.connection.unregister("incoming")

    def close(self) -> None:
        for name in list(self._large):
            self.drop("table", name)
        if self._session is not None and self._owned:
            self._owned = False
            _OURS["users"] -= 1
            if _OURS["users"]:
                self._session = None
                return
            try:
                with _silence(self.trace):
                    self._session.stop()
            except Exception:  # it has ended already
                self._session = None
            _forget_gateway()
        self._session = None

    # ---- running

    def _view(self, name: str, frame: DataFrame) -> None:
        frame.createOrReplaceTempView(name)

    def _frame(self, select: str) -> DataFrame:
        text = self.placed(select)
        if self.trace:
            print(text.strip() + ";", file=sys.stderr)
        session = self.session
        return self._run(lambda: session.sql(text), asking=True)

    def placed(self, select: str) -> str:
        """Return a statement that reads temporary views where it named relations of the store."""
        if not re.search(rf"(?i)\b({'|'.join((*SCHEMAS, OWN_SCHEMA))})\b", select):
            return select
        try:
            tree = sqlglot.parse_one(select, read="spark")
        except SqlglotError as error:
            raise InvalidQuery(f"query rejected: {first_line(error)}.") from None
        changed = False
        for node in tree.find_all(exp.Table):
            if not node.db or node.catalog:
                continue
            view = self.provide(f"{node.db}.{node.name}".lower())
            if view is not None:
                if not node.alias:
                    node.set("alias", exp.TableAlias(this=exp.to_identifier(node.name)))
                node.set("this", exp.to_identifier(view))
                node.set("db", None)
                changed = True
        if changed:
            for column in tree.find_all(exp.Column):
                column.set("db", None)
        return tree.sql("spark") if changed else select

    def _computed(self, name: str, frame: DataFrame) -> DataFrame:
        """Return the frame with its rows computed: as a literal where they are few, with the executors otherwise."""
        if self.small_pass:
            return self._literal(self._rows(frame))
        frame = frame.persist()
        self._large[name] = frame
        # computes every partition, and returns the total size
        if self._run(frame.count) > SMALL:
            return self._leaf(frame)
        literal = self._literal(self._rows(frame))
        self._large.pop(name).unpersist()
        return literal

    def _leaf(self, frame: DataFrame) -> DataFrame:
        """Return the cached rows of a frame as a separate relation.

        Spark finds cached rows by comparing plans. Plans with common table expressions, renumbered in
        every statement, are never found inside another plan. A relation needs no search, and later steps are
        planned without its history. Rows lost with a worker are still recomputed.
        """
        from pyspark.sql import DataFrame

        # the only conversion to a relation over rows in Spark's format; createDataFrame(frame.rdd) would convert each
        # row in Python
        return DataFrame(
            self.session._jsparkSession.internalCreateDataFrame(
                frame._jdf.queryExecution().toRdd(), frame._jdf.schema(), False
            ),
            self.session,
        )

    def _literal(self, rows: pyarrow.Table) -> DataFrame:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.session.createDataFrame(rows)

    def _rows(self, frame: DataFrame) -> pyarrow.Table:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._run(frame.toArrow)

    def _run(self, action: Callable, *, asking: bool = False):
        """Run an action on Spark, and explain its errors.

        Raises:
            InvalidQuery: Spark rejects the statement (``asking``), or its rows cause an error.
            EngineUnavailable: the session, the master or all executors have ended, or a step failed.
        """
        from py4j.protocol import Py4JError, Py4JNetworkError
        from pyspark.errors import PySparkException
        from pyspark.logger import PySparkLogger

        # this program reports the error
        PySparkLogger.getLogger("SQLQueryContextLogger").disabled = True
        with self._watch() as watch:
            try:
                return action()
            except (PySparkException, Py4JError, OSError, EOFError, ValueError) as error:
                message = self.explain_error(error)
                if watch.gave_up:
                    raise EngineUnavailable(
                        f"All executors of Spark were lost, and none returned within {NO_EXECUTOR:.0f} seconds. "
                        "Nothing was stored. Start workers, and ask again."
                    ) from None
                if (
                    isinstance(error, (Py4JNetworkError, OSError, EOFError))
                    or "stopped SparkContext" in message
                    or "SparkContext was shut down" in message
                ):
                    raise EngineUnavailable(f"Spark went away: {message}. Nothing was stored. Try again.") from None
                if asking or _is_of_data(error, message):
                    raise InvalidQuery(f"query rejected: {message}") from None
                advice = MORE_MEMORY if _NO_MEMORY.search(message) else "Nothing was stored. Try again."
                raise EngineUnavailable(f"Spark did not get through: {message}. {advice}") from None

    @contextmanager
    def _watch(self) -> Iterator[_Watch]:
        """Cancel what runs when no executor is left for long: Spark itself would wait for ever."""
        watch = _Watch()
        context = self.session.sparkContext
        if context.master.startswith("local"):
            yield watch
            return
        group = f"tdtsql-{id(self)}"
        context.setJobGroup(group, "tdtsql", interruptOnCancel=True)
        thread = threading.Thread(
            target=watch.look, args=(self._n_executor, lambda: context._jsc.sc().cancelJobGroup(group)), daemon=True
        )
        thread.start()
        try:
            yield watch
        finally:
            watch.done.set()
            thread.join()

    def explain_error(self, error: BaseException) -> str:
        """Return the first line of an error of Spark, without the values of secret settings."""
        text = str(error.getMessage() or error) if hasattr(error, "getMessage") else str(error)
        cause = getattr(error, "java_exception", None)
        try:
            # the reason is the last of the chain
            while cause is not None:
                text, cause = str(cause.getMessage() or text), cause.getCause()
        except Exception:  # Java has ended
            text = text or type(error).__name__
        line = next((line for line in text.splitlines() if line.strip()), type(error).__name__).strip().rstrip(".")
        secrets = [value for key, value in self._settings.items() if _SECRET.search(key)]
        if self._session is not None:
            try:
                secrets += [
                    value for key, value in self._session.sparkContext.getConf().getAll() if _SECRET.search(key)
                ]
            except Exception:
                secrets += []
        for secret in sorted((secret for secret in secrets if secret), key=len, reverse=True):
            line = line.replace(secret, "***")
        return re.sub(r"://[^/@\s]+@", "://***@", line)[:400]


class _Watch:
    """Checks once a second whether an executor is left."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.gave_up = False

    def look(self, n_executor: Callable[[], int], cancel: Callable[[], None]) -> None:
        since = None
        while not self.done.wait(1.0):
            try:
                there = n_executor()
            except Exception:  # the session has ended: the action raises the error itself
                return
            if there:
                since = None
            elif since is None:
                since = time.monotonic()
            elif time.monotonic() - since > NO_EXECUTOR:
                self.gave_up = True
                cancel()


def says_memory() -> bool:
    """Return whether the user sets the memory of a driver, in Spark's own settings."""
    if os.environ.get("SPARK_DRIVER_MEMORY"):
        return True
    try:
        lines = (Path(os.environ["SPARK_CONF_DIR"]) / "spark-defaults.conf").read_text(encoding="utf-8").splitlines()
    except (KeyError, OSError, UnicodeDecodeError):
        return False
    return any(re.match(r"\s*spark\.driver\.memory[\s=:]", line) for line in lines)


def _is_of_data(error: BaseException, message: str) -> bool:
    """Return True for an error that rows cause, such as a division by 0: its SQLSTATE is of class 22."""
    return "SQLSTATE: 22" in message or "SQLSTATE: 22" in str(getattr(error, "getMessage", lambda: "")())


def single_select(query: str) -> None:
    """Reject anything but one SELECT, forbidden functions, and relations outside the store.

    Raises:
        InvalidQuery: with the reason.
    """
    try:
        trees = [tree for tree in sqlglot.parse(query, read="spark") if tree is not None]
    except SqlglotError as error:
        raise InvalidQuery(f"query rejected: {first_line(error)}.") from None
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        raise InvalidQuery("query rejected: only a single SELECT is supported.")
    for node in trees[0].walk():
        if isinstance(node, exp.QueryTransform):
            raise InvalidQuery("query rejected: TRANSFORM starts a program and is not supported.")
        name = (
            node.name if isinstance(node, exp.Anonymous) else node.sql_name() if isinstance(node, exp.Func) else ""
        ).lower()
        if name in REFUSED:
            raise InvalidQuery(f"query rejected: {name} calls Java methods and is not supported.")
        known = (*SCHEMAS, OWN_SCHEMA)
        if isinstance(node, exp.Table) and node.db and (node.catalog or node.db.lower() not in known):
            raise InvalidQuery(
                f"query rejected: '{node.sql('spark')}' would be a file or another catalog, and a query reads "
                f"the relations of the store."
            )


def _forget_functions(session: SparkSession) -> None:
    """Remove, for this session, the functions that call any Java method."""
    registry = session._jsparkSession.sessionState().functionRegistry()
    identifier = session._jvm.org.apache.spark.sql.catalyst.FunctionIdentifier
    some = session._jvm.scala.Option.apply
    for name in REFUSED:
        try:
            registry.dropFunction(identifier(name, some("builtin"), some("system")))
        except Exception:  # before 4.2 a name has one part
            registry.dropFunction(identifier(name))


def _installed():
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pyarrow  # noqa: F401
            import pyspark
    except ImportError as error:
        raise EngineUnavailable(
            f"Python has no {error.name or 'pyspark'}. Install it with: pip install 'tdtsql[spark]'"
        ) from None
    if int(pyspark.__version__.split(".")[0]) < 4:
        raise EngineUnavailable(
            f"pyspark {pyspark.__version__} is too old. Install 4.0 or later: pip install 'tdtsql[spark]'"
        )
    home = os.environ.get("JAVA_HOME")
    if not (os.access(os.path.join(home, "bin", "java"), os.X_OK) if home else shutil.which("java")):
        raise EngineUnavailable(
            f"Java is not {'at JAVA_HOME' if home else 'installed'}, and Spark needs it. Install Java 17 or 21 "
            f"(Debian: apt install openjdk-17-jre-headless)."
        )
    return pyspark


def _reachable(master: str) -> str:
    """Return the host of the first master that accepts a connection."""
    for address in master.removeprefix("spark://").split(","):
        parts = urlsplit(f"spark://{address}")
        try:
            with socket.create_connection((parts.hostname, parts.port or 7077), timeout=REACH):
                return str(parts.hostname)
        except OSError as error:
            why = error.strerror or str(error) or type(error).__name__
    raise EngineUnavailable(
        f"Spark on {_host(master)} cannot be reached: {why}. Look whether the master runs, and whether host and port "
        f"are right."
    )


def _host(master: str) -> str:
    """Return a master as it may be shown: without user and password."""
    return re.sub(r"://[^/@]*@", "://", master)


@contextmanager
def _silence(trace: bool) -> Iterator[None]:
    """Send what Java writes on stderr from here on to nowhere; it inherits our stderr when it starts."""
    if trace:
        yield
        return
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:
        yield
        return
    try:
        with tempfile.TemporaryFile() as nowhere, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.dup2(nowhere.fileno(), 2)
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _forget_gateway() -> None:
    """End Java with its session: another session may need other settings of it."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None:
        return
    try:
        gateway.shutdown()
        process = getattr(gateway, "proc", None)
        if process is not None:
            process.stdin.close()
            process.wait(10)
    except Exception:  # it has ended already
        pass
    SparkContext._gateway = SparkContext._jvm = None
