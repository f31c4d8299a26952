"""The views of a store restricted to some runs, each computed once.

The views of a task are computed in build order, each as a temporary table of the runs that are scored, unless its
header has ``volume`` or it is read once: such a view is a part of its readers. The size of a step does not depend on
other runs in the store.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from tdtsql.engine.duckdb import OWN_SCHEMA, Engine
from tdtsql.engine.quoting import sql_identifiers, sql_list
from tdtsql.definitions.catalogue import catalog
from tdtsql.definitions.table import tables
from tdtsql.scoring.curve.sorted_scores import OF_CELLS
from tdtsql.scoring.kernels import KERNELS, WORKS
from tdtsql.scoring.relations import Relations
from tdtsql.store.sets import own_relations


class Scope(Relations):
    """Some runs of some conditions, whose views are computed until it is closed."""

    def __init__(
        self, engine: Engine, condition_nos: Sequence[int], run_nos: Sequence[int], profile_nos: Sequence[int]
    ):
        super().__init__(engine)
        self.relations = {**catalog(), **own_relations(engine)}
        self._numbers = {"run_no": sql_list(run_nos), "condition_no": sql_list(condition_nos)}
        self._profiles = sql_list(profile_nos)

    def build(self, names: Iterable[str], *, read_once: bool = False) -> None:
        """Compute these views, which must be in build order.

        Args:
            read_once: each of them that no other reads is read once, by the caller: it has no table, nor has a
                view that one other reads once.
        """
        relations = {name: self.relations[name] for name in names}
        n_read = Counter[str]()
        for name, relation in relations.items():  # a kernel reads more than once what it reads
            n_read.update([read.relation for read in relation.reads] * (1 + (name in KERNELS)))
        for name, relation in relations.items():
            for read in relation.header.inputs:
                self._narrow(read)
            body = self._body(name)
            is_of_cells = name in OF_CELLS and self.is_sorted
            # a user-defined metric of blocks is read again for its mean
            is_read_once = read_once and n_read[name] < 2 and relation.schema != OWN_SCHEMA
            if relation.header.is_large or is_of_cells or is_read_once:
                self.names[name] = f"(\n{body}\n)"
            else:
                self.replace(name, body)

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

    def _body(self, name: str) -> str:
        body = self.relations[name].reading(self.names)
        if name in WORKS and (pairs := self.regardless.get(name)):
            body = f"""select * replace (case when (run_no, profile_no) in ({", ".join(map(str, pairs))}) then 1
                else is_made end as is_made) from (\n{body}\n)"""
        return (KERNELS[name](self, name) if name in KERNELS else None) or body
