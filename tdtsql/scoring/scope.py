"""The views of a store restricted to some runs, each computed once.

The views of a task are computed in build order, each as a temporary table of the runs that are scored. So every step
is computed once, and its size does not depend on other runs in the store. Independent views are computed in parallel,
because most of the time of a small run is planning, which uses one thread. Views that read all decisions are computed
once for profiles with equal values in all columns that they read.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Self

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers, sql_list
from tdtsql.engine.run_parallel import run_parallel
from tdtsql.definitions.catalogue import cached_definitions, catalog, closure, compiled_entry
from tdtsql.definitions.table import tables
from tdtsql.progress import Progress, silent
from tdtsql.scoring.expected_information import WORK as EXPECTED_WORK
from tdtsql.scoring.kernels import KERNELS
from tdtsql.store.sets import own_relations
from tdtsql.scoring.overlap_gain import WORK, asked_work
from tdtsql.scoring.curve.sorted_scores import OF_CELLS
from tdtsql.scoring.asked import Asked, SortedScores

#: views that measure the work of others, with their columns in addition to run, profile and is_made; requested numbers
#: are computed regardless of it
WORKS = {WORK: ("n_pair",), EXPECTED_WORK: ("subset_no", "n_term")}

#: views of a run under a profile that read all its decisions, or curves of these
DECISION_SCANS = (  # they read costs for the Bayes threshold alone
    "metric.detection_det_cell__v1",
    "metric.detection_det_block__v1",
    "metric.detection_yes_count__v1",
    "metric.bcubed_membership__v1",
)
#: what the Bayes threshold is computed from (base.bayes_threshold__v1)
_BAYES = ("p_target", "c_miss", "c_fa")

#: part of a profile in addition to its values: thresholds that were fitted for a run
_FITTED = "base.carried_threshold"


class Scope:
    """Some runs of some conditions, whose views are computed until it is closed."""

    n_worker = 4  #: views that are computed in parallel, if the engine has as many threads

    def __init__(
        self, engine: Engine, condition_nos: Sequence[int], run_nos: Sequence[int], profile_nos: Sequence[int]
    ):
        self.engine = engine
        self.names: dict[str, str] = {}
        #: for views that may be too much work (WORKS, SEARCH): the (run, profile) whose numbers are computed regardless
        self.requested_by_user: Mapping[str, Sequence[tuple[int, int]]] = {}
        self.relations = {**catalog(), **own_relations(engine)}
        self._sorted = SortedScores()
        self.progress: Progress = silent  #: called with (done, total, name) by long computations
        self._made: list[str] = []
        self._engines = [engine]  #: connections that compute views; the first is used outside `build`
        self._name = engine.unused_name("scope")  # several may be open at once
        self._attached = ""
        n_worker = (
            1 if engine.in_transaction or engine.read_only or engine.trace else min(self.n_worker, engine.n_thread)
        )
        if n_worker > 1:  # in a database that all of them share
            self._attached = self._name
            engine.execute(f"attach ':memory:' as {self._attached}")
            self._engines = [engine.cursor(scratch=f"{self._attached}.main") for _ in range(n_worker)]
        self._run_nos = run_nos
        self._numbers = {"run_no": sql_list(run_nos), "condition_no": sql_list(condition_nos)}
        self._profiles = sql_list(profile_nos)
        self._may_share = len(condition_nos) == 1 and len(profile_nos) > 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def build(self, names: Iterable[str]) -> None:
        """Compute these views, which must be in build order."""
        needs = {name: self.relations[name].header.inputs for name in names}
        for table in dict.fromkeys(table for inputs in needs.values() for table in inputs):
            self._narrow(table)
        run_parallel(needs, [partial(self._build, engine) for engine in self._engines], self._interrupt)

    def _build(self, engine: Engine, name: str) -> None:
        """Compute a view on one of the connections."""
        body = self._body(name, engine)
        is_view = self.relations[name].header.is_large or name in OF_CELLS and bool(self._sorted.cells)
        self._store("view" if is_view else "table", name, body, engine)
        if name in WORKS and self.requested_by_user.get(name):
            self._store("table", name, asked_work(self.names[name], self.requested_by_user[name], WORKS[name]), engine)

    def _interrupt(self) -> None:
        for engine in self._engines:
            engine.interrupt()

    def replace(self, name: str, sql: str) -> None:
        """Make later views read the rows of ``sql`` instead of relation ``name``."""
        self._store("table", name, sql, self._engines[0])

    def relation(self, name: str) -> str:
        """Return the name of the relation that was built as ``name``."""
        return self.names[name]

    def close(self) -> None:
        """Drop all created relations, in reverse order."""
        if self._attached:
            for engine in self._engines:
                engine.close()
            self.engine.execute(f"detach {self._attached}")
            self._attached = ""
        elif self._made:
            self.engine.execute(";\n".join(f"drop table if exists {made}" for made in reversed(self._made)))
        self._made.clear()

    def _narrow(self, name: str) -> None:
        """Restrict a table to the rows of these runs and conditions for later views."""
        table = tables().get(name)
        if table is None or name in self.names:
            return
        filters = [f"{column} in ({numbers})" for column, numbers in self._numbers.items() if column in table.columns]
        if name == "registry.condition_profile":
            filters.append(f"profile_no in ({self._profiles})")
        if filters:
            self.names[name] = f"(select {sql_identifiers(table.columns)} from {name} where {' and '.join(filters)})"

    def _body(self, name: str, engine: Engine) -> str:
        body = self.relations[name].reading(self.names)
        if name in KERNELS:
            requested = self.requested_by_user.get(name, ())
            made = KERNELS[name](Asked(engine, self.names, body, self.progress, requested, self._sorted))
            if made is not body:
                return made
        return self._of_decisions(engine, name, body) if name in DECISION_SCANS else body

    def _of_decisions(self, engine: Engine, name: str, body: str) -> str:
        """Return a SELECT of the rows of a view over all decisions, computed for one profile of each group of
        equivalent ones.
        """
        representative_profile = self._equivalent(engine, name) if self._may_share else {}
        firsts = sorted(set(representative_profile.values()))
        if len(firsts) == len(representative_profile):
            return body
        body = self.relations[name].reading(filtered(name, self.names, firsts))
        columns = ", ".join(
            "alike.own_no as profile_no" if column.name == "profile_no" else f"made.{column.name}"
            for column in self.relations[name].header.columns
        )
        pairs = ", ".join(
            f"(cast({first} as integer), cast({own} as integer))" for own, first in representative_profile.items()
        )
        return f"""
            select {columns} from (
            {body}
            ) as made join (values {pairs}) as alike(first_no, own_no) on made.profile_no = alike.first_no"""

    def _equivalent(self, engine: Engine, name: str) -> dict[int, int]:
        """Return profile number -> the first profile with equal values in all columns that a view reads."""
        columns = "".join(
            f", case when decide_at = 'bayes' then profile.{column} end"
            if column in _BAYES and name in DECISION_SCANS
            else f", profile.{column}"
            for column in profile_columns(name)
        )
        rows = engine.rows(f"""
            select profile_no{columns} from registry.profile as profile
                join {self.names["registry.condition_profile"]} as wanted using (profile_no) order by 1""")
        fitted = set(engine.column(f"select distinct profile_no from {self.names.get(_FITTED, _FITTED)}"))
        first: dict[tuple[object, ...], int] = {}
        return {
            profile_no: first.setdefault((profile_no if profile_no in fitted else None, *values), profile_no)
            for profile_no, *values in rows
        }

    def _store(self, kind: str, name: str, body: str, engine: Engine) -> None:
        """Make later views read the rows of ``body`` as ``name``."""
        if kind == "view":  # a view of the engine would resolve names in its own schema
            self.names[name] = f"(\n{body}\n)"
            return
        # a replaced relation keeps its first form under another name until the end
        scoped = f"{self._name}_{name.replace('.', '__')}_{len(self._made)}"
        self.names[name] = engine.make_temporary(scoped, body)
        self._made.append(self.names[name])


def filtered(name: str, names: Mapping[str, str], profile_nos: Sequence[int]) -> dict[str, str]:
    """Return the replacements of relations for a view, so that it reads the rows of these profiles only.

    Args:
        names: replacements for all profiles.
    """
    of_profiles = f"profile_no in ({sql_list(profile_nos)})"
    found = dict(names)
    found["registry.condition_profile"] = (
        f"(select * from {names.get('registry.condition_profile', 'registry.condition_profile')} where {of_profiles})"
    )
    for read in closure(catalog(), [name])[:-1]:
        header = catalog()[read].header
        if header.is_large:
            found[read] = f"(\n{catalog()[read].reading(found)}\n)"
        elif any(column.name == "profile_no" for column in header.columns):
            found[read] = f"(select * from {names[read]} where {of_profiles})"
    return found


@cached_definitions
def profile_columns(name: str) -> tuple[str, ...]:
    """Return the columns of a profile that a view or one below it may read."""
    return tuple(compiled_entry(name)["profile"])
