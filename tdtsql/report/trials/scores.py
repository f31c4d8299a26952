"""Scores of a run in bins, by class and by the values of an attribute."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.report.charts import Curve

#: bins of a histogram, and trials of a run above which it uses every k-th
N_BIN, LARGEST_SAMPLE = 40, 1_000_000
_CLASS = {1: "target", 0: "non-target"}


@dataclass
class Scores:
    """The scores of one run in N_BIN bins of equal width; the outermost thousandth on either side, and infinite scores,
    are in the bins at the ends.
    """

    condition: str
    run: str
    attribute: str | None  #: of the key; None: the classes alone
    low: float
    high: float
    every: int  #: uses one of this many trials
    #: (1 for targets, value of the attribute or None) -> trials in each bin
    counts: dict[tuple[int, str | None], list[int]] = field(default_factory=dict)
    curves: list[Curve] = field(default_factory=list)  #: DET curves of the values of the attribute

    n_bin = N_BIN

    @property
    def _series(self) -> list[tuple[int, str | None]]:
        return sorted(self.counts, key=lambda key: (-key[0], key[1] is not None, key[1] or ""))

    @property
    def heads(self) -> list[str]:
        return [_CLASS[is_target] + (f", {value}" if value is not None else "") for is_target, value in self._series]

    def lines(self) -> list[list[str]]:
        """Return a line per bin: its ends, and the trials of each class and value."""
        width = (self.high - self.low) / N_BIN
        ends = [f"{self.low + place * width:.4g}" for place in range(N_BIN + 1)]
        return [
            [*ends[place : place + 2], *(f"{self.counts[key][place]:,}" for key in self._series)]
            for place in range(N_BIN)
        ]

    def values(self) -> list[str]:
        """Return the values of the attribute, by name."""
        return sorted({value for _, value in self.counts if value is not None})

    def of(self, is_target: int, value: str | None) -> list[int]:
        """Return the bins of a class in the subset of a value (None: all trials): all of a class that lacks the
        attribute.
        """
        mine = {other: bins for (one, other), bins in self.counts.items() if one == is_target}
        chosen = (
            [mine[value]]
            if value in mine and value is not None
            else list(mine.values())
            if value is None or set(mine) <= {None}
            else []
        )
        return [sum(bins) for bins in zip(*chosen, strict=True)] or [0] * N_BIN


class ScoreRange(NamedTuple):
    """What of a run's scores a histogram shows."""

    every: int  #: one of this many trials
    low: float
    high: float


#: the bin of a score between low and high; halves, because the difference of two doubles can be infinite
BIN = f"cast(least(greatest(floor((score / 2 - low / 2) / (high / 2 - low / 2) * {N_BIN}), 0), {N_BIN - 1}) as integer)"


def score_ranges(store: Engine, run_nos: Sequence[int]) -> dict[int, ScoreRange]:
    """Return the range of each run that has finite scores."""
    ranges = {}
    for run_no in run_nos:
        [[n_row]] = store.rows("select n_row from registry.run where run_no = ?", [run_no])
        every = max(1, -(-n_row // LARGEST_SAMPLE))
        # the outermost thousandth on either side goes into the end bins: one outlier must not flatten the rest
        [(low, high)] = store.rows(
            "select quantile_disc(score, 1e-3), quantile_disc(score, 999e-3) from base.decision where run_no = ? and "
            "trial_no % ? = 0 and isfinite(score) and abs(score) <> 9e99",  # 9e99: no score
            [run_no, every],
        )
        if low is not None:
            low, high = (low, high) if low < high else (low - 0.5, high + 0.5)
            ranges[run_no] = ScoreRange(every, low, high)
    return ranges


def scores_of(store: Engine, condition: str, run: str, attribute: str | None) -> Scores | None:
    """Return the scores of a run on a key of trials; None where it has no finite one."""
    [(run_no, condition_no)] = store.rows(
        "select run_no, condition_no from registry.run join registry.condition using (condition_no) where "
        "condition_id = ? and run_id = ?",
        [condition, run],
    )
    found = score_ranges(store, [run_no]).get(run_no)
    if found is None:
        return None
    every, low, high = found
    scores = Scores(condition, run, attribute, low, high, every)
    for is_target, value, place, count in store.rows(
        f"""
        select is_target, value, {BIN} as place, count(*)
        from base.decision
        cross join (select {low!r}::double as low, {high!r}::double as high)
        join (select segment_no, is_target from base.verification_segment
        where condition_no = {condition_no}) using (segment_no)
        left join (select segment_no, value from base.verification_attribute
        where condition_no = {condition_no} and attribute = ?) using (segment_no)
        where run_no = {run_no} and trial_no % {every} = 0
        group by all order by is_target desc, value nulls first, place""",
        [attribute],
    ):
        scores.counts.setdefault((is_target, value), [0] * N_BIN)[place] = count
    return scores
