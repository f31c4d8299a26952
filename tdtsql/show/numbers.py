"""Numbers of runs with their intervals, as tables of runs and leaderboards show them."""

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from tdtsql.show.section import records
from tdtsql.store.sets import broken_metrics

if TYPE_CHECKING:
    from tdtsql.compare.settings import Method
    from tdtsql.engine.duckdb import Engine

#: one number, a row of the saved query run_numbers
Number = dict[str, Any]
_PLACE = itemgetter("task", "condition_id", "profile_id", "metric", "subset")


def numbers_of(engine: "Engine", **chosen: Sequence[str]) -> list[Number]:
    """Return the rows of the saved query run_numbers, without metrics whose numbers are not shown; no names: all."""
    broken = broken_metrics(engine)
    rows = records(engine, "run_numbers", {name: names or None for name, names in chosen.items()})
    return [row | {"low": None, "high": None} for row in rows if row["metric"] not in broken]


def add_intervals(
    engine: "Engine", numbers: Sequence[Number], method: "Method", asked: Sequence[str] = ()
) -> list[str]:
    """Set ``low`` and ``high`` of the numbers that have an interval; return notes on them, and why the metrics that
    are requested, or all, have none.
    """
    from tdtsql.compare.rows import score_intervals

    groups: dict[tuple[str, str, str, str, str], dict[str, Number]] = {}
    for one in numbers:
        if one["value"] is not None:
            groups.setdefault(_PLACE(one), {})[one["run_id"]] = one
    notes: dict[bool, dict[str, None]] = {True: {}, False: {}}
    for place, of in groups.items():
        ends, note = score_intervals(engine, *place, {run: one["value"] for run, one in of.items()}, method)
        for run, (low, high) in ends.items():
            of[run] |= {"low": low, "high": high}
        notes[bool(ends or place[3] in asked)][note] = None
    return [note for note in notes[True] or notes[False] if note]
