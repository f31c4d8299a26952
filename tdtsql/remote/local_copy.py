"""The embedded engine as the local copy of a store in another engine.

Small tables (loaded files, stories, judgments, stored results) are copied. Decisions stay
in the other engine, which computes the views; published results are downloaded and stored
by the same code as in every store.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers, sql_list
from tdtsql.engine.remote import Remote
from tdtsql.engine.user_query import GENEROUS, Limits, within_rows
from tdtsql.metric.ddl import tables


class LocalCopy(Engine):
    """A connection to the local copy, and to the engine behind it."""

    #: one pass is expensive there, and its rows are not transferred
    batch_rows = 100_000_000
    #: False for a connection derived from another one, which closes the remote session
    ends_remote = True

    def __init__(self, remote: Remote, path: str = ":memory:", *, read_only: bool = False, trace: bool = False):
        """Open the local copy at ``path``; ``read_only`` is about the store, not about the copy."""
        super().__init__(path, trace=trace)
        self.remote: Remote = remote
        self.read_only = read_only
        #: runs whose decisions lie here as well
        self.downloaded: set[int] = set()
        #: runs whose decisions there are no longer those of the store, in the transaction under way
        self.dropped: set[int] = set()
        self.in_transaction = False

    @property
    def version(self) -> str:
        # no blanks or commas: this is part of signatures
        return f"{super().version}+{self.remote.title}-{self.remote.version}"

    @contextmanager
    def transaction(self, *, keep: bool = True) -> Iterator[None]:
        downloaded, done = set(self.downloaded), False
        self.dropped, self.in_transaction = set(), True
        try:
            with super().transaction(keep=keep):
                yield
            done = keep
        finally:
            self.dropped, self.in_transaction = set(), False
            if not done:
                self.downloaded = downloaded

    def reading(self, condition_nos: Sequence[int], run_nos: Sequence[int], profile_nos: Sequence[int]) -> None:
        """Begin a scope over these: the remote data must equal the local copy until ``done_reading``."""

    def done_reading(self) -> None:
        """The scope is closed."""

    def upload(self, scoped: str, table: str, select: str, run_nos: Sequence[int]) -> bool:
        """Give the other engine the rows of a table that a scope over these runs reads, as ``scoped``; False where it
        has them.
        """
        return False

    def ask(self, sql: str) -> duckdb.DuckDBPyRelation:
        """Return a user's query, run by the other engine, as a relation of this one."""
        answer = self.unused_name("answer")
        self.remote.fetch(self, answer, sql)
        return self.relation(f"select * from {answer}")

    def run_user_query(self, sql: str, limits: Limits = GENEROUS) -> tuple[list[str], list[tuple]]:
        """Of ``limits`` only the rows hold: time, memory and spill are the other engine's to limit."""
        relation = self.ask(sql)
        return relation.columns, within_rows(
            (relation if limits.rows is None else relation.limit(limits.rows + 1)).fetchall(), limits
        )

    def download_decisions(self, run_nos: Sequence[int] | None = None) -> None:
        """Copy the decisions of these runs (all by default) into the local copy, once."""
        wanted = set(run_nos) if run_nos is not None else set(self.column("select run_no from registry.run"))
        if missing := sorted(wanted - self.downloaded - self.dropped - self.not_uploaded()):
            columns = tables()["base.decision"].columns
            types = dict(self.rows("select column_name, column_type from (describe base.decision)"))
            names = sql_identifiers(columns)
            self.remote.fetch(
                self,
                "brought",
                f"select {names} from base.decision where run_no in ({sql_list(missing)})",
                {name: types[name] for name in columns},
            )
            self.execute(
                f"insert into base.decision ({names}) select {names} from brought order by run_no, block_no, trial_no"
            )
            self.execute("drop table brought")
            self.downloaded |= set(missing)

    def not_uploaded(self) -> set[int]:
        """Return the runs of the current transaction whose decisions are not uploaded yet."""
        return set(self.column("select distinct run_no from base.decision")) - self.downloaded

    def on_decisions_dropped(self, run_no: int) -> None:
        self.dropped.add(run_no)
        self.downloaded.discard(run_no)

    def cursor(self, scratch: str = Engine.scratch) -> Self:
        other = super().cursor(scratch)
        other.ends_remote = False
        return other

    def close(self) -> None:
        super().close()
        if self.ends_remote:
            self.remote.close()
