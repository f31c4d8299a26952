"""The open store of the server: a connection per request."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from tdtsql.api import Store, connect
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.user_query import LATE, STRICT, Limits
from tdtsql.errors import InvalidQuery, NotAStore, UnknownName
from tdtsql.store.copy import blinded
from tdtsql.report.charts import looks_of
from tdtsql.store.sets import broken_metrics
from tdtsql.report.leaderboard import Leaderboard, leaderboards
from tdtsql.report.sections import render
from tdtsql.report.trials.subsets import MOST_DRAWN
from tdtsql.store.definitions import foreign
from tdtsql.store.ledger import head
from tdtsql.task import has_blocks, topic_word

#: limits of one request
LIMITS = STRICT
#: maximum rows of a result on a page, and in a download
SHOWN_ROWS, DOWNLOAD_ROWS = 500, 5_000_000
DOWNLOAD_LIMITS = replace(STRICT, rows=DOWNLOAD_ROWS)
#: seconds that a part of a page may take; the rest is shown without it
PATIENCE = 8
#: digits of the ledger's last hash in an address
HASH_DIGITS = 16


def _topics(engine: Engine) -> dict[str, str]:
    """Return the conditions with topics (events, items, blocks), and what these are called; a single block
    of all trials or items does not count as topic.
    """
    return {
        condition: topic_word(task)
        for condition, task, n_block in engine.rows("""
            select condition_id, task, count(block_no) from registry.condition join base.block using (condition_no)
            group by condition_no, condition_id, task order by condition_no""")
        if n_block > 1 or not has_blocks(task)
    }


class Server:
    """A store's file, open to be read."""

    def __init__(self, path: str, *, trace: bool = False, blind: bool = False):
        """Open the store, or a copy of it without names (``blind``), and deny it files, network and settings.

        Raises:
            NotAStore: it is in memory.
            StoreLocked, BrokenDefinition, ...: as ``connect``.
        """
        if path == ":memory:":
            raise NotAStore(f"{path}: serve opens a store that is a file.")
        self.is_blind = blind
        self.name = Path(path).name
        with ExitStack() as opened:
            store = opened.enter_context(connect(path, read_only=True, trace=trace))
            self.notes = foreign(store.engine)  #: on every page
            self.entry, self.sha256 = head(store.engine)
            self.store = Store(opened.enter_context(blinded(store.engine))) if blind else store
            if blind:
                self.notes.append("Names of runs and teams are hidden: each run has a pseudonym.")
            self.topics = _topics(self.store.engine)  #: condition -> what its topics are called
            self.store.engine.confine(LIMITS)
            self._opened = opened.pop_all()
        self._lock = threading.Lock()

    @property
    def head(self) -> str:
        """The hash of the last entry of the ledger, shortened: it identifies the state of the store."""
        return self.sha256[:HASH_DIGITS]

    def connection(self) -> Engine:
        """Return a separate connection; the caller closes it."""
        with self._lock:
            return self.store.engine.cursor()

    @contextmanager
    def engine(self) -> Iterator[Engine]:
        """Yield a separate connection, closed on exit."""
        engine = self.connection()
        try:
            yield engine
        finally:
            engine.close()

    def close(self) -> None:
        self._opened.close()


@dataclass(frozen=True)
class PageRequest:
    """One request as a page sees it."""

    server: Server
    engine: Engine
    path: str
    state: dict[str, list[str]]  #: the parameters of the URL
    seconds: float | None = LIMITS.seconds  #: time limit of a query

    @property
    def limits(self) -> Limits:
        return replace(LIMITS, seconds=self.seconds)

    def get(self, name: str) -> str | None:
        """Return a parameter of the URL; None if missing or empty."""
        return next(iter(self.state.get(name, [])), None) or None

    def require(self, name: str) -> str:
        """Return a required parameter of the URL."""
        value = self.get(name)
        if value is None:
            raise UnknownName(f"the URL has no parameter {name}: {self.path}?{name}=...")
        return value

    def all(self, name: str) -> list[str]:
        return [value for value in self.state.get(name, []) if value]

    def profiles(self, condition: str) -> list[str]:
        """Return the scoring profiles of a condition, its first one first."""
        return self.names(
            "select profile_id from registry.condition_profile join registry.condition using (condition_no) join "
            "registry.profile using (profile_no) where condition_id = ? order by profile_no",
            condition,
        )

    def profile(self, condition: str) -> str:
        """Return the profile of the address, or the first of the condition; empty without any."""
        return self.get("profile") or next(iter(self.profiles(condition)), "")

    def with_deadline(self, seconds: float, make: Callable[[], Any]) -> Any:
        """Return the result of ``make``, or None if its queries take longer than ``seconds`` or too much memory: the
        rest of the page is shown without it.
        """
        try:
            with self.engine.limited(replace(LIMITS, seconds=seconds)):
                return make()
        except InvalidQuery as error:
            if LATE in str(error) or "needs more memory" in str(error):
                return None
            raise

    def patiently(self, make: Callable[[], Any]) -> Any:
        """Return the result of ``make``, or None if it takes longer than ``PATIENCE``."""
        return self.with_deadline(PATIENCE, make)

    def broken(self) -> dict[str, str]:
        """Return user-defined metrics whose numbers are not shown, with the reason."""
        return broken_metrics(self.engine)

    def looks(self) -> dict[str, int]:
        """Return run -> number of its colour, the same on every page and in the report."""
        return looks_of(self.names("select run_id from registry.run"))

    def tasks(self) -> dict[str, str]:
        """Return condition -> its task, in the order in which they were loaded."""
        return dict(self.rows("select condition_id, task from registry.condition order by condition_no"))

    def primary(self, condition: str | None) -> str | None:
        """Return the metric that runs of a condition are ranked by; None for an unknown one."""
        sql = "select primary_metric from report.condition where condition_id = ?"
        return next(iter(self.names(sql, condition)), None)

    def rows(self, sql: str, *parameters: object) -> list[tuple]:
        return self.engine.rows(sql, list(parameters))

    def names(self, sql: str, *parameters: object) -> list[Any]:
        """Return the only column of a query."""
        return [value for [value] in self.rows(sql, *parameters)]

    def page(self, title: str, template: str, here: str = "/", status: int = 200, /, **values: object) -> "Page":
        """Return a page from a template."""
        values = {"ask": self, "server": self.server, "head": self.server.head, "patience": PATIENCE} | values
        return Page(title, render(template, **values), here, status)


@dataclass(frozen=True)
class Page:
    """Contents of a page; ``body`` is markup."""

    title: str
    body: Markup
    here: str = "/"  #: the entry of the menu it belongs to
    status: int = 200


def every_board(engine: Engine) -> list[Leaderboard]:
    """Return all leaderboards of a store; empty without up-to-date numbers."""
    if not engine.value("select count(*) from report.leaderboard"):
        return []
    return leaderboards(engine, intervals=True, most_trials=MOST_DRAWN)
