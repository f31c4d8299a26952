"""Recompute numbers from ``base``, and compare them with the stored ones."""

import math
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import derived
from tdtsql.scoring.curve.det_curve import FITTED, carried_minima
from tdtsql.scoring.hierarchy import derive, stored_hierarchy
from tdtsql.definitions.table import tables
from tdtsql.progress import Progress, silent
from tdtsql.store.derived import rows_of
from tdtsql.scoring.score import Batch, batches_of, computed_scope, insert_results, requests
from tdtsql.scoring.subsets import product_cells
from tdtsql.store.contents import WALKS
from tdtsql.store.results import POINT, result_fingerprints
from tdtsql.task import task_list_sql

#: units in the last place that numbers of class libm may differ from one machine to another
LIBM_ULP = 4

_AGAIN = "again"
#: kind of stored results -> its keys, its values
_ROW = {
    "score": (("subset_no", "metric", "weighting", "version"), ("value",)),
    "block": (("subset_no", "block_no", "metric", "version"), ("value",)),
    "label": (("block_no", "metric"), ("value",)),
    "det_point": (("subset_no", "weighting", "block_no", "point_no"), POINT),
}


@dataclass(frozen=True, slots=True)
class Divergence:
    """One stored number that its recomputation does not reproduce."""

    run: str
    profile: str
    place: str  #: metric, weighting or block, subset
    kept: object
    again: object

    def __str__(self) -> str:
        return (
            f"{self.run} under {self.profile}: {self.place} is stored as {_shown(self.kept)}, recomputed as "
            f"{_shown(self.again)}."
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a recomputation."""

    n_computation: int
    n_value: int
    divergences: list[Divergence]


def recompute(engine: Engine, run_nos: Iterable[int] | None = None, *, progress: Progress = silent) -> Outcome:
    """Compute every current number again, in temporary tables, and compare.

    Numbers of class exact must be bitwise identical, those of class libm may differ by at most
    ``LIBM_ULP`` units in the last place of difference.
    """
    chosen = None if run_nos is None else set(run_nos)
    kept = engine.rows("""
        select run.condition_no, condition.task, computation.run_no, computation.profile_no, computation.computation_no,
            condition.condition_id || '/' || run.run_id, profile.profile_id, computation.result_sha256,
                computation.n_value
        from ledger.current_computation as newest
        join ledger.computation as computation on computation.computation_no = newest.computation_no
        join registry.run as run on run.run_no = computation.run_no
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.profile as profile on profile.profile_no = computation.profile_no
        order by all""")
    kept = [row for row in kept if chosen is None or row[2] in chosen]
    of_pair = {(row[2], row[3]): row for row in kept}
    batches = batches_of(engine, [(row[0], row[2], row[3], row[1]) for row in kept])
    divergences: list[Divergence] = []
    for done, batch in enumerate(batches):
        progress(done, len(batches), f"computing {batch.task} again")
        rows = [of_pair[pair] for pair in batch.pairs]
        numbers = [row[4] for row in rows]
        _again(engine, batch, numbers)
        hashes, hashes_again = result_fingerprints(engine, numbers), result_fingerprints(engine, numbers, _AGAIN)
        for row in rows:
            recorded, kept_now, again = (row[8], row[7]), hashes[row[4]], hashes_again[row[4]]
            if kept_now == recorded == again:
                continue
            different = compare(engine, row[4], row[5], row[6], exact=_exact_metrics(engine))
            if not different and kept_now != recorded:
                different = [Divergence(row[5], row[6], "the hash of all stored scores", row[7][:8], kept_now[1][:8])]
            divergences += different
    return Outcome(len(kept), sum(row[8] for row in kept), divergences)


def derived_again(engine: Engine) -> list[str]:
    """Recompute the rows that derive from loaded data (labels, first emissions, products of subsets, paths of
    hierarchies), and return the differences from the store. Hashes alone cannot detect them, because commands rewrite
    them.
    """
    found = []
    for name, relation in derived().items():
        if name != FITTED and (table := relation.header.fields["fills"]) in tables():
            columns = ", ".join(tables()[table].columns)
            again = f"select {columns} from ({rows_of(name)})"
            found += _other_rows(engine, table, f"select {columns} from {table}", again)
    for owner, stored, again in product_cells(engine):
        found += [f"{owner}: {message}" for message in _other_rows(engine, "base.subset_cell", stored, again)]
    found += [
        f"{owner}: registry.run.has_decision is not what its decisions say."
        for [owner] in engine.rows(f"""
        select 'run:' || condition.condition_id || '/' || run.run_id
        from registry.run as run join registry.condition as condition using (condition_no)
        join ({rows_of("derived.run_has_decision")}) as made using (run_no)
        where run.has_decision is distinct from made.has_decision order by 1""")
    ]
    for [run_no] in engine.rows("select distinct run_no from base.carried_threshold order by 1"):
        stored = f"select * from base.carried_threshold where run_no = {run_no}"
        with carried_minima(engine, run_no) as minima:
            # a fit that is still missing does not count as different
            other = f"{stored} except ({rows_of(FITTED, [run_no], minima)})"
            if engine.rows(f"select 1 from ({other}) limit 1"):
                found.append(f"base.carried_threshold of run {run_no} is not what the other condition gives.")
    for run_no, condition_no, owner in engine.rows(f"""
        select run.run_no, run.condition_no, 'run:' || condition.condition_id || '/' || run.run_id
        from registry.run as run join registry.condition as condition using (condition_no)
        where condition.task in ({task_list_sql(is_tree=True)}) order by 1"""):
        names = [name.removeprefix("base.") for name in WALKS]
        for name in names:
            engine.execute(f"create or replace temp table {_AGAIN}_{name} as select * from base.{name} limit 0")
        hierarchy = stored_hierarchy(engine, run_no)
        if hierarchy is not None:
            derive(engine, run_no, condition_no, hierarchy, f"{_AGAIN}_")
        # paths are refreshed when a run is scored: only those at current costs are compared
        current = (
            f"profile_no in (select profile_no from base.travel_price as price join {_AGAIN}_travel_price using "
            f"(profile_no, c_branch, c_title) where price.run_no = {int(run_no)})"
        )
        for name in names:
            chosen = "true" if name == "vertex_story" else current
            stored = f"select * from base.{name} where run_no = {int(run_no)} and {chosen}"
            again = f"select * from {_AGAIN}_{name} where {chosen}"
            found += [f"{owner}: {message}" for message in _other_rows(engine, f"base.{name}", stored, again)]
        for name in names:
            engine.execute(f"drop table {_AGAIN}_{name}")
    return found


def _other_rows(engine: Engine, table: str, stored: str, again: str) -> list[str]:
    """Return a message if a table differs from its recomputed rows."""
    [(n_more, n_less)] = engine.rows(
        f"with stored as ({stored}), again as ({again}) select (select count(*) from (from stored except all from "
        f"again)), (select count(*) from (from again except all from stored))"
    )
    if not n_more and not n_less:
        return []
    return [
        f"{table} does not hold what follows from the loaded rows: {n_more} rows that do not come out again, and "
        f"{n_less} that are missing."
    ]


def _again(engine: Engine, batch: Batch, computation_nos: list[int]) -> None:
    for kind in (*_ROW, "pairing"):
        engine.make_temporary(f"{_AGAIN}_{kind}", f"select * from ledger.result_{kind} limit 0")
    asked = requests(engine, batch.pairs)  # results stored on request are recomputed too
    with computed_scope(engine, batch, computation_nos, asked) as scope:
        insert_results(engine, scope, batch.task, asked, _AGAIN)


def compare(
    engine: Engine,
    computation_no: int,
    run: str,
    profile: str,
    *,
    exact: set[str],
) -> list[Divergence]:
    """Return the numbers of one computation that are others when computed again, and the points of curves, each with
    the first column that is; curves are of class exact.
    """
    found: list[Divergence] = []
    for kind, (keys, values) in _ROW.items():
        columns = ", ".join((*keys, *values))
        stored, made = (
            {
                row[: len(keys)]: row[len(keys) :]
                for row in engine.rows(
                    f"select {columns} from {prefix}_{kind} where computation_no = ?", [computation_no]
                )
            }
            for prefix in ("ledger.result", _AGAIN)
        )
        nothing = ("no row",) * len(values)
        for key in sorted(stored.keys() | made.keys(), key=str):
            named = dict(zip(keys, key, strict=True))
            metric = named.pop("metric", None)
            pairs = zip(values, stored.get(key, nothing), made.get(key, nothing), strict=True)
            other = [pair for pair in pairs if not same(*pair[1:], exact=metric is None or metric in exact)]
            if other:
                what = metric or f"{other[0][0]} of a point of a curve"
                place = ", ".join([what, *(f"{name.removesuffix('_no')} {part}" for name, part in named.items())])
                found.append(Divergence(run, profile, place, *other[0][1:]))
    return found


def same(left: object, right: object, *, exact: bool) -> bool:
    """Return True for equal bits, or for doubles of class libm a few units apart."""
    if isinstance(left, float) and isinstance(right, float):
        bits = [struct.unpack("<q", struct.pack("<d", value))[0] for value in (left, right)]
        if exact or math.isnan(left) or math.isnan(right) or (left < 0) != (right < 0):
            return bits[0] == bits[1]
        return abs(bits[0] - bits[1]) <= LIBM_ULP
    return type(left) is type(right) and left == right


def _exact_metrics(engine: Engine) -> set[str]:
    """Return the metrics all of whose views are of class exact."""
    rows = engine.rows(
        """select metric.metric, bool_and(definition.class <> 'libm') from registry.metric as metric
        join registry.definition as definition on definition.relation = metric.relation group by metric.metric"""
    )
    return {metric for metric, is_exact in rows if is_exact}


def _shown(value: object) -> str:
    return f"{value!r} ({value.hex()})" if isinstance(value, float) else "NULL" if value is None else str(value)
