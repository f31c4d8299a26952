"""The open store of the server: a connection per request."""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tdtsql.api import Store, connect
from tdtsql.audit.published import check_published
from tdtsql.engine.sandbox import STRICT, confine
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import SHARED_MEMORY
from tdtsql.errors import NotAStore
from tdtsql.show.report import READ_ONCE, read_once
from tdtsql.store.copy import blinded
from tdtsql.store.opening import foreign
from tdtsql.store.recording import head

#: views that are read once; not those of comparisons, which requests add to, nor of curves, which are large
VIEWS = {*READ_ONCE} - {"report.comparison", "report.interval", "report.det_point"}
#: bytes of a store above which they are read each time: their tables are in memory, and not compressed
LARGEST = 50_000_000


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
            self.rewrite: Callable[[str], str] = str  #: lets sections read the tables of views that many of them read
            if not blind and not self.notes and Path(path).stat().st_size < LARGEST:
                self.store.engine.execute(SHARED_MEMORY)
                self.rewrite, _ = read_once(self.store.engine, views=VIEWS, place="once")
                for view in VIEWS:
                    self.rewrite(view)
            confine(self.store.engine, STRICT)
            self._opened = opened.pop_all()
        self._lock = threading.Lock()
        self.rows: dict[str, list] = {}  #: condition -> comparisons that requests computed: the store never changes

    def connection(self) -> Engine:
        """Return a separate connection; the caller closes it."""
        with self._lock:
            return self.store.engine.cursor()

    def close(self) -> None:
        self._opened.close()
