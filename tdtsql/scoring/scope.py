"""The views of a store restricted to some runs, each computed once.

The views of a task are computed in build order, each as a temporary table of the runs that are scored. So every step
is computed once, and its size does not depend on other runs in the store. Views that read all decisions are computed
once for profiles with equal values in all columns that they read.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tdtsql.engine.duckdb import OWN_SCHEMA, Engine
from tdtsql.engine.quoting import sql_identifiers, sql_list
from tdtsql.definitions.catalogue import cached_definitions, catalog, closure, compiled_entry
from tdtsql.definitions.table import tables
from tdtsql.scoring.curve.sorted_scores import OF_CELLS
from tdtsql.scoring.kernels import KERNELS, WORKS
from tdtsql.scoring.relations import Relations
from tdtsql.store.sets import own_relations

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


class Scope(Relations):
    """Some runs of some conditions, whose views are computed until it is closed."""

    def __init__(
        self, engine: Engine, condition_nos: Sequence[int], run_nos: Sequence[int], profile_nos: Sequence[int]
    ):
        super().__init__(engine)
        self.relations = {**catalog(), **own_relations(engine)}
        self._numbers = {"run_no": sql_list(run_nos), "condition_no": sql_list(condition_nos)}
        self._profiles = sql_list(profile_nos)
        self._may_share = len(condition_nos) == 1 and len(profile_nos) > 1

    def build(self, names: Iterable[str], *, read_once: bool = False) -> None:
        """Compute these views, which must be in build order.

        Args:
            read_once: each of them that no other reads is read once, by the caller: no table is made of it, nor of a
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
            is_of_cells = name in OF_CELLS and self.curves is not None and self.curves[0]
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
                else is_made end as is_made) from ({body})"""
        made = KERNELS[name](self, body) if name in KERNELS else None
        return made or (self._of_decisions(name, body) if name in DECISION_SCANS else body)

    def _of_decisions(self, name: str, body: str) -> str:
        """Return a SELECT of the rows of a view over all decisions, computed for one profile of each group of
        equivalent ones.
        """
        alike = self._equivalent(name) if self._may_share else {}
        firsts = sorted(set(alike.values()))
        if len(firsts) == len(alike):
            return body
        body = self.relations[name].reading(filtered(name, self.names, firsts))
        pairs = ", ".join(f"(cast({first} as integer), cast({own} as integer))" for own, first in alike.items())
        return f"""
            select made.* replace (same.own_no as profile_no) from (
            {body}
            ) as made join (values {pairs}) as same(first_no, own_no) on made.profile_no = same.first_no"""

    def _equivalent(self, name: str) -> dict[int, int]:
        """Return profile number -> the first profile with equal values in all columns that a view reads."""
        columns = "".join(
            f", case when decide_at = 'bayes' then profile.{column} end" if column in _BAYES else f", profile.{column}"
            for column in profile_columns(name)
        )
        rows = self.engine.rows(f"""
            select profile_no{columns} from registry.profile as profile
                join {self.names["registry.condition_profile"]} as wanted using (profile_no) order by 1""")
        fitted = set(self.engine.column(f"select distinct profile_no from {self.relation(_FITTED)}"))
        first: dict[tuple[object, ...], int] = {}
        return {
            profile_no: first.setdefault((profile_no if profile_no in fitted else None, *values), profile_no)
            for profile_no, *values in rows
        }


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
