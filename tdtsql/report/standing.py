"""Leaderboards: the runs of a condition by the primary metric of their task, with significance groups."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tdtsql.compare.paired import Method
from tdtsql.errors import UnknownName
from tdtsql.store.registry import check_name
from tdtsql.report.comparing import Rows, Setting, compare_everything, letters_of, value_intervals
from tdtsql.task import TASKS


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """One run and where it stands; equal values share a rank."""

    rank: int | None  #: None where the number is undefined
    run: str
    value: float | None
    n: int
    letters: str
    low: float | None = None  #: interval of the value; None: none
    high: float | None = None
    withdrawn: str | None = None  #: why it is not ranked


@dataclass(frozen=True, slots=True)
class Standings:
    """The runs of one condition under one profile, best first; for value tracking those of one attribute."""

    condition: str
    profile: str
    metric: str
    weighting: str
    best: str
    runs: tuple[PlacedRun, ...]
    note: str  #: how the groups were made
    signature: str
    signatures: dict[str, str]  #: run -> recipe of its number
    subset: str = "all"


def leaderboards(
    store: Rows,
    *,
    condition: str | None = None,
    profile: str | None = None,
    subset: str | None = None,
    method: Method | None = None,
    groups: bool = True,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[Standings]:
    """Return one table per condition and profile (and attribute, where these are the blocks), from
    `report.leaderboard`.

    Raises:
        UnknownName: nothing under these names has a number that is up to date.
    """
    rows = store.rows(
        "select condition_id, profile_id, task, metric, subset, weighting, run_id, value, n, signature, withdrawn from "
        "report.leaderboard "
        "where (? is null or condition_id = ?) and (? is null or profile_id = ?) and (? is null or subset = ?) order "
        "by condition_id, profile_id, subset",
        [condition, condition, profile, profile, subset, subset],
    )
    if not rows:
        for column, name in (("condition_id", condition), ("profile_id", profile)):
            check_name(store, column, name)
        raise UnknownName(
            "no run has a number that is up to date under these names. `tdtsql run list` shows what is loaded."
        )
    best_of = dict(store.rows("select metric, min(best) from registry.metric group by metric"))
    tables: dict[tuple, list[tuple]] = {}
    for row in rows:
        tables.setdefault(row[:6], []).append(row[6:])
    made = []
    for done, ((where, under, task, metric, of, weighting), runs) in enumerate(tables.items()):
        if progress is not None:
            progress(done, len(tables), f"comparing the runs of {where}")
        best = best_of.get(metric, "none")
        is_by_trial = TASKS[task].decides_on == "trial"
        ranked = {run: (where, run) for run, *_, withdrawn in runs if withdrawn is None}
        setting = Setting(ranked, task, under, metric, of, best, is_by_trial)
        compared, note = compare_everything(store, setting, method) if groups else (None, "No groups were asked for.")
        letters = letters_of(compared) if compared else {}
        made.append(
            Standings(
                where,
                under,
                metric,
                weighting,
                best,
                placed(runs, best, letters, value_intervals(compared)),
                note,
                compared.signature if compared else runs[0][3],
                {run: signature for run, _, _, signature, _ in runs},
                of,
            )
        )
    return made


def placed(
    runs: list[tuple],
    best: str,
    letters: dict[str, str],
    intervals: Mapping[str, tuple[float, float]] | None = None,
) -> tuple[PlacedRun, ...]:
    """Return (run, value, n, signature, withdrawn) rows best first; undefined and then withdrawn ones come last and have
    no rank.
    """
    sign = -1.0 if best == "highest" else 1.0
    found: list[PlacedRun] = []
    for position, (run, value, n, _, withdrawn) in enumerate(
        sorted(runs, key=lambda run: (run[4] is not None, run[1] is None, sign * (run[1] or 0.0), run[0]))
    ):
        rank = None if value is None else found[-1].rank if position and value == found[-1].value else position + 1
        rank = rank if withdrawn is None else None
        interval = (intervals or {}).get(run, (None, None))
        found.append(PlacedRun(rank, run, value, n, letters.get(run, ""), *interval, withdrawn))
    return tuple(found)


def topic_matrix(store: Rows, board: Standings) -> tuple[list[str], list[list]]:
    """Return the primary metric of every run of a leaderboard on every topic.

    Returns:
        columns (condition_id, profile_id, metric, block_id, then the runs, best first) and
        one row a topic; None where a run has no number on it.
    """
    values: dict[str, dict[str, float | None]] = {}
    for block, run, value in store.rows(
        "select block_id, run_id, value from report.block_score where condition_id = ? and profile_id = ? and metric "
        "= ? and subset = ? order by block_id",
        [board.condition, board.profile, board.metric, board.subset],
    ):
        values.setdefault(block, {})[run] = value
    runs = [run.run for run in board.runs]
    rows = [
        [board.condition, board.profile, board.metric, block, *(found.get(run) for run in runs)]
        for block, found in values.items()
    ]
    return ["condition_id", "profile_id", "metric", "block_id", *runs], rows
