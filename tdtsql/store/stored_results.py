"""Invariants of the stored scores: each is in the range of its contract and unique.

Checked when a store opens that was written to since the last check. These invariants are a separate
module, so that opening a store imports no others.
"""

from dataclasses import dataclass

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import BrokenContract
from tdtsql.metric.contract import GRAINS
from tdtsql.metric.fingerprint import digest
from tdtsql.cache import file_state, is_marked_valid, mark_valid

ERROR, WARNING = "error", "warning"


@dataclass(frozen=True, slots=True)
class Invariant:
    """One thing that must hold; the query returns the rows that break it."""

    name: str
    severity: str
    title: str
    sql: str
    at_load: bool = False
    of_kept: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How one invariant came out."""

    invariant: Invariant
    n_bad: int
    first: str  #: the first bad row, as text

    @property
    def failed(self) -> bool:
        return self.n_bad > 0 and self.invariant.severity == ERROR


#: a score may be infinite, and what a certain score that is wrong costs
MAY_BE_INFINITE = "'min_threshold', 'cllr', 'calibration_loss'"


def _out_of_range(table: str) -> str:
    """Return a query for stored results outside the range of the unit of their metric; NaN is above every number."""
    return f"""
        select kept.*, limits.low, limits.high from {table} as kept
        join (
            select metric.metric, metric.version, min(coalesce(contract.low, '-infinity')) as low,
                max(coalesce(contract.high, 'infinity')) as high
            from registry.metric as metric
                join registry.contract as contract on contract.relation = metric.relation
                and contract.column_name = metric.column_name
            group by metric.metric, metric.version
        ) as limits on limits.metric = kept.metric and limits.version = kept.version
        where kept.value < limits.low or kept.value > limits.high or isnan(kept.value)
            or (isinf(kept.value) and not kept.metric in ({MAY_BE_INFINITE}))"""


def _twice(table: str) -> str:
    """Return a query for duplicate stored results."""
    keys = ", ".join(GRAINS[table])
    return f"select {keys}, count(*) as n_row from {table} group by {keys} having count(*) > 1"


KEPT = (
    Invariant(
        "kept_score_in_range",
        ERROR,
        "A stored score of a run is in the range of its contract",
        _out_of_range("ledger.result_score"),
        of_kept=True,
    ),
    Invariant(
        "kept_block_in_range",
        ERROR,
        "A stored score of a block is in the range of its contract",
        _out_of_range("ledger.result_block"),
        of_kept=True,
    ),
    Invariant(
        "kept_n_in_range",
        ERROR,
        "The count of a stored score is not negative",
        "select * from ledger.result_score where n < 0",
        of_kept=True,
    ),
    Invariant(
        "kept_point_in_range",
        ERROR,
        "A stored point of a curve is in the unit square, its errors and cost are not negative",
        "select * from ledger.result_det_point where not (coalesce(p_miss, 0) between 0 and 1 and coalesce(p_fa, 0) "
        "between 0 and 1 "
        "and coalesce(p_miss_se, 0) between 0 and 1e300 and coalesce(p_fa_se, 0) between 0 and 1e300 and "
        "coalesce(c_det_norm, 0) between 0 and 1e300 "
        "and coalesce(n_block, 0) >= 0)",
        of_kept=True,
    ),
    Invariant(
        "kept_distribution_in_range",
        ERROR,
        "Fitted shares lie in [0, 1], counts are not negative",
        "select * from ledger.result_distribution where not (coalesce(p_target, 0) between 0 and 1 and "
        "coalesce(p_rel, 0) between 0 and 1 and n_on >= 0 and n_off >= 0)",
        of_kept=True,
    ),
    Invariant(
        "kept_histogram_in_range",
        ERROR,
        "Counts of a histogram are not negative, a bin ends where it begins or later",
        "select * from ledger.result_histogram where n_score < 0 or upper_end < lower_end",
        of_kept=True,
    ),
    *(
        Invariant(
            f"kept_{table.removeprefix('ledger.result_')}_is_once",
            ERROR,
            f"Rows of {table} are unique: {', '.join(keys)}",
            _twice(table),
            of_kept=True,
        )
        for table, keys in GRAINS.items()
    ),
)


def asked(engine: Engine, invariant: Invariant) -> Result:
    """Ask one invariant, and return how it came out."""
    # the rows are counted by the engine, the first is fetched
    rows = engine.rows(f"with bad as ({invariant.sql}) select count(*) over () as n_bad, bad.* from bad limit 1")
    columns = [name[0] for name in engine.connection.description or []]
    first = (
        ", ".join(
            f"{name} {_shown(value)}"
            for name, value in zip(columns[1:], rows[0][1:], strict=False)
            if name != "signature"
        )
        if rows
        else ""
    )
    return Result(invariant, rows[0][0] if rows else 0, first)


def is_any_broken(engine: Engine) -> bool:
    """Check all invariants in one query: it is planned faster than several."""
    return bool(engine.rows(" union all ".join(f"(select 1 from ({invariant.sql}) limit 1)" for invariant in KEPT)))


def broken_kept(engine: Engine) -> list[str]:
    """Return a message with relation and first row for each violation by stored results; quick if the file of the
    store has not changed since the last check without a violation.
    """
    state = file_state(engine.path, *_QUESTIONS)
    if state is not None and is_marked_valid(state):
        return []
    try:
        is_broken = is_any_broken(engine)
    except (duckdb.BinderException, duckdb.CatalogException):  # a store of another version
        return [
            f"{engine.path}: its tables have other columns than those of this version, so its stored numbers cannot be "
            f"held against their contracts. Evaluate its bundle into a new store."
        ]
    if not is_broken:
        if state is not None:
            mark_valid(state)
        return []
    return [
        f"{engine.path}: {result.invariant.title}, and {result.n_bad} rows do not ({result.invariant.name}): "
        f"{result.first}. "
        f"`tdtsql ledger verify --db {engine.path}` lists what was changed; restore the file, or evaluate its "
        f"bundle into a new store."
        for result in (asked(engine, invariant) for invariant in KEPT)
        if result.n_bad
    ]


def check_kept(engine: Engine) -> None:
    """Refuse a store whose stored results violate their contracts.

    Raises:
        BrokenContract: names relation and first row of each broken promise.
    """
    if broken := broken_kept(engine):
        raise BrokenContract(
            "\n".join(broken) + "\n`tdtsql sql query`, `explain` and `audit` open the store as it is; in Python "
            "`tdtsql.connect(..., inspect=True)`."
        )


_QUESTIONS = [digest(part for invariant in KEPT for part in (invariant.name, invariant.sql))]


def _shown(value: object) -> str:
    return "NULL" if value is None else str(value)
