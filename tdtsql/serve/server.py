"""The open store of the server: a connection per request."""

import threading
from contextlib import ExitStack
from pathlib import Path

from tdtsql.api import Store, connect
from tdtsql.audit.published import check_published
from tdtsql.compare.settings import TABLE
from tdtsql.engine.sandbox import STRICT, confine
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import NotAStore
from tdtsql.store.copy import blinded
from tdtsql.store.opening import foreign
from tdtsql.store.recording import head


class Server:
    """A store's file, open to be read."""

    def __init__(self, path: str, *, trace: bool = False, blind: bool = False):
        """Open the store, or a copy of it without names (``blind``), and deny it files, network and settings.

        Raises:
            NotAStore: it is not a file, but in memory.
            StoreLocked, BrokenDefinition, ...: as ``connect``.
        """
        if path == ":memory:":
            raise NotAStore(f"{path}: serve opens a store that is a file. Name one with --db.")
        self.is_blind = blind
        self.name = Path(path).name
        with ExitStack() as opened:
            store = opened.enter_context(connect(path, read_only=True, trace=trace))
            check_published(store.engine)
            self.notes = foreign(store.engine)  #: on every page
            self.entry, self.sha256 = head(store.engine)
            self.store = Store(opened.enter_context(blinded(store.engine))) if blind else store
            if blind:
                self.notes.append("Names of runs and teams are hidden: each run has a pseudonym.")
            # comparisons that a request computes serve the next ones
            shared = self.store.engine.unused_name("shared")
            results = f"{shared}.result_comparison"
            self.store.engine.execute(
                f"attach ':memory:' as {shared} (read_write); create table {results} as from {TABLE} limit 0"
            )
            self.store.engine.own_results = results
            confine(self.store.engine, STRICT)
            self._opened = opened.pop_all()
        self._lock = threading.Lock()
        self.compared = set[tuple[object, str]]()  #: condition and what requests computed: the store never changes
        self.comparing = threading.Lock()  #: one request at a time: a row is stored once

    def connection(self) -> Engine:
        """Return a separate connection; the caller closes it."""
        with self._lock:
            return self.store.engine.cursor()

    def close(self) -> None:
        self._opened.close()
