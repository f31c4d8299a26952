"""The embedded engine as the local copy of a store in another engine.

Small tables (loaded files, stories, judgments, stored results) are copied. Decisions stay
in the other engine, which computes the views; published results are downloaded and stored
by the same code as in every store.
"""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Self

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers, sql_list, sql_literal
from tdtsql.engine.remote import Remote
from tdtsql.engine.user_query import GENEROUS, Limits, within_rows
from tdtsql.definitions.catalogue import Relation, catalog
from tdtsql.definitions.table import tables
from tdtsql.build.dialect import dialect
from tdtsql.build.render import render_view, transpile
from tdtsql.own.stored import own_relations
from tdtsql.scoring.asked import Asked
from tdtsql.scoring.curve.hull import HULL, POINT, hull
from tdtsql.scoring.pairing import CELL, SEARCH, search
from tdtsql.scoring.scope import Scope, open_scope


class LocalCopy(Engine):
    """A connection to the local copy, and to the engine behind it."""

    elsewhere = ("base.decision",)
    #: one pass is expensive there, and its rows are not transferred
    batch_rows = 100_000_000
    #: False for a connection derived from another one, which closes the remote session
    ends_remote = True

    def __init__(self, remote: Remote, path: str = ":memory:", *, read_only: bool = False, trace: bool = False):
        """Open the local copy at ``path``; ``read_only`` is about the store, not about the copy."""
        super().__init__(path, trace=trace)
        self.remote: Remote = remote
        self.read_only = read_only
        #: run -> hash of its rows in the other engine, while a transaction may change them here
        self.there: dict[int, str] | None = None

    @property
    def dialect(self) -> str:  # type: ignore[override]
        return self.remote.dialect

    @property
    def version(self) -> str:
        # no blanks or commas: this is part of signatures
        return f"{super().version}+{self.remote.title}-{self.remote.version}"

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

    def rows_of(self, view: Relation) -> str:
        tried = self.unused_name("tried")
        self.remote.fetch(self, tried, render_view(view, dialect(self.dialect), {}, own_relations(self)))
        return tried

    def sync(self, run_nos: Collection[int] | None = ()) -> None:
        """Fetch the decisions of these runs (None: of all), unless they are here."""
        if run_nos is not None and not run_nos:
            return
        now, here = self.contents(), self.fetched()
        missing = [
            run_no
            for run_no in sorted(now.keys() if run_nos is None else now.keys() & set(run_nos))
            if run_no not in here and (self.there is None or self.there.get(run_no) == now[run_no])
        ]
        if missing:
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

    def contents(self) -> dict[int, str]:
        """Return run -> hash of its rows."""
        return dict(self.rows("select run_no, content_sha256 from registry.run"))

    def fetched(self) -> set[int]:
        """Return the runs with decisions here."""
        return set(self.column("select distinct run_no from base.decision"))

    def cursor(self, scratch: str = Engine.scratch) -> Self:
        other = super().cursor(scratch)
        other.ends_remote = False
        return other

    def close(self) -> None:
        super().close()
        if self.ends_remote:
            self.remote.close()


class RemoteScope(Scope):
    """Some runs of some conditions in the other engine: requested rows are fetched, everything else stays there."""

    engine: LocalCopy
    n_worker = 1

    def __init__(
        self, engine: LocalCopy, condition_nos: Sequence[int], run_nos: Sequence[int], profile_nos: Sequence[int]
    ):
        super().__init__(engine, condition_nos, run_nos, profile_nos)
        self.remote = engine.remote
        engine.reading(condition_nos, run_nos, profile_nos)
        self._translate = partial(transpile, target=dialect(engine.dialect))
        self._fetched: dict[str, str] = {}

    def relation(self, name: str) -> str:
        """Download a relation on first use, and return its name in the embedded engine."""
        if name not in self._fetched:
            types = dict(self.engine.rows(f"select column_name, column_type from (describe {name})"))
            local = f"fetched_{self.names[name]}"
            columns = ", ".join(f"kept.{column} as {column}" for column in types)
            self.remote.fetch(self.engine, local, f"select {columns} from {self.names[name]} as kept", types)
            self._fetched[name] = f"temp.main.{local}"
        return self._fetched[name]

    def close(self) -> None:
        try:
            super().close()
        finally:
            self.engine.done_reading()
        for local in self._fetched.values():
            self.engine.execute(f"drop table if exists {local}")
        self._fetched.clear()

    def _register_source(self, name: str, select: str, filters: Sequence[str]) -> None:
        scoped = self._scoped(name)
        if self.engine.upload(scoped, name, f"{select} where {' and '.join(filters) or 'true'}", self._run_nos):
            self._made.append(("view", scoped))
            self.names[name] = scoped
        elif filters:
            kind = "table" if self.remote.plans_by_statistics and name not in self.engine.elsewhere else "view"
            self._materialise(kind, name, f"{select} where {' and '.join(filters)}", self.engine)

    def _body(self, name: str, engine: Engine) -> str:
        if name == HULL:
            return self._found(name, hull(Asked(self.engine, {POINT: self.relation(POINT)})))
        if name == SEARCH:
            requested = self.requested_by_user.get(name, ())
            cells = {CELL: self.relation(CELL)}
            return self._found(name, search(Asked(self.engine, cells, "", self.progress, requested)))
        return render_view(self.relations[name], dialect(self.engine.dialect), self.names, self.relations)

    def _materialise(self, kind: str, name: str, sql: str, engine: Engine) -> None:
        self._store(kind, name, self._translate(sql, what=name), engine)

    def _store(self, kind: str, name: str, body: str, engine: Engine) -> None:
        scoped = self._scoped(name)
        self.remote.make(kind, scoped, body)
        self._made.append((kind, scoped))
        self.names[name] = scoped

    def _found(self, name: str, found: str) -> str:
        """Return a SELECT of the few rows of a view, computed here from downloaded rows."""
        columns = catalog()[name].header.columns
        types = dict(self.engine.rows(f"select column_name, column_type from (describe {found})"))
        rows = self.engine.rows(
            f"select {', '.join(f'cast({column.name} as varchar)' for column in columns)} from ({found})"
        )
        values = ", ".join(
            "(" + ", ".join("null" if value is None else sql_literal(value) for value in row) + ")"
            for row in rows or [(None,) * len(columns)]
        )
        casts = ", ".join(f"cast(made.{column.name} as {types[column.name]}) as {column.name}" for column in columns)
        return self._translate(
            f"select {casts} from (values {values}) as made({', '.join(column.name for column in columns)})"
            f"{'' if rows else ' where false'}",
            what=name,
        )

    def _drop(self, made: Sequence[tuple[str, str]]) -> None:
        for kind, scoped in made:
            self.remote.drop(kind, scoped)


open_scope.register(LocalCopy, RemoteScope)
