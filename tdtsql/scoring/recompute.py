"""Recompute numbers from ``base``, and compare them with the stored ones."""

from collections.abc import Iterable
from dataclasses import dataclass

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import derived, read_statement
from tdtsql.scoring.curve.det_curve import FITTED, carried_minima
from tdtsql.scoring.hierarchy import derive, stored_hierarchy
from tdtsql.definitions.table import tables
from tdtsql.progress import Progress, silent
from tdtsql.store.derived import rows_of
from tdtsql.scoring.score import Batch, batches_of, computed_scope, insert_results, requests
from tdtsql.scoring.subsets import product_cells
from tdtsql.store.contents import WALKS
from tdtsql.store.recording import result_fingerprints
from tdtsql.task import task_list_sql

_AGAIN = "again"
#: kinds of stored results
_KINDS = ("score", "block", "label", "det_point", "pairing")


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

    Numbers of class exact must be bitwise identical, those of class libm may differ by at most 4 units in the last
    place (`sql/verify/divergences.sql`).
    """
    chosen = None if run_nos is None else set(run_nos)
    kept = [
        row for row in engine.records(read_statement("verify/current")) if chosen is None or row["run_no"] in chosen
    ]
    of_pair = {(row["run_no"], row["profile_no"]): row for row in kept}
    batches = batches_of(engine, [tuple(row.values())[:4] for row in kept])
    divergences: list[Divergence] = []
    for done, batch in enumerate(batches):
        progress(done, len(batches), f"computing {batch.task} again")
        rows = [of_pair[pair] for pair in batch.pairs]
        numbers = [row["computation_no"] for row in rows]
        _again(engine, batch, numbers)
        hashes, hashes_again = result_fingerprints(engine, numbers), result_fingerprints(engine, numbers, _AGAIN)
        for row in rows:
            number, names = row["computation_no"], (row["run"], row["profile"])
            recorded, kept_now, again = (row["n_value"], row["result_sha256"]), hashes[number], hashes_again[number]
            if kept_now == recorded == again:
                continue
            different = [
                Divergence(*names, place, was if was_name is None else was_name, now if now_name is None else now_name)
                for place, was, now, was_name, now_name in engine.rows(
                    read_statement("verify/divergences"), {"computation_no": number}
                )
            ]
            if not different and kept_now != recorded:
                different = [Divergence(*names, "the hash of all stored scores", recorded[1][:8], kept_now[1][:8])]
            divergences += different
    return Outcome(len(kept), sum(row["n_value"] for row in kept), divergences)


def derived_again(engine: Engine) -> list[str]:
    """Recompute the rows that derive from loaded data (labels, first emissions, flags of runs, products of subsets,
    paths of hierarchies), and return the differences from the store. Hashes alone cannot detect them, because commands
    rewrite them.
    """
    found = []
    for name, relation in derived().items():
        fills, owner = (relation.header.fields[key] for key in ("fills", "owner"))
        table, column = fills.rsplit(".", 1)
        made, stored, columns = f"({rows_of(name)})", fills, f"{owner}, {column}"
        if fills in tables():
            columns = ", ".join(tables()[fills].columns)
        else:
            stored = f"{table} semi join {made} using ({owner})"
        if name != FITTED:
            found += _other_rows(engine, fills, f"select {columns} from {stored}", f"select {columns} from {made}")
    for owner, stored, again in product_cells(engine):
        found += [f"{owner}: {message}" for message in _other_rows(engine, "base.subset_cell", stored, again)]
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
            engine.make_temporary(f"{_AGAIN}_{name}", f"from base.{name} limit 0")
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
    for kind in _KINDS:
        engine.make_temporary(f"{_AGAIN}_{kind}", f"select * from ledger.result_{kind} limit 0")
    asked = requests(engine, batch.pairs)  # results stored on request are recomputed too
    with computed_scope(engine, batch, computation_nos, asked) as scope:
        insert_results(engine, scope, batch.task, asked, _AGAIN)


def _shown(value: object) -> str:
    return f"{value!r} ({value.hex()})" if isinstance(value, float) else "NULL" if value is None else str(value)
