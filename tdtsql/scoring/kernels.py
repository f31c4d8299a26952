"""Kernels: faster implementations of views in the embedded engine, by another SELECT or by arrays in numpy.

A kernel returns the rows of the view's own SELECT, bitwise identical. Where it does not apply (too many rows, another
form of the data), the definition is used.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tdtsql.engine.duckdb import Engine
from tdtsql.progress import Progress
from tdtsql.scoring.curve import sorted_scores
from tdtsql.scoring.curve.hull import HULL, hull
from tdtsql.scoring.curve.sorted_scores import SortedScores
from tdtsql.scoring.expected_information import EXPECTED, expected_information
from tdtsql.scoring.overlap_gain import GAIN, overlap_gain
from tdtsql.scoring.pairing import SEARCH, search

ITEM_VALUE = "base.item_value__v1"
MEDIAN = "metric.items_median__v1"


@dataclass(frozen=True, slots=True)
class Asked:
    """A view to compute in a scope."""

    engine: Engine  #: where the input views were computed
    names: Mapping[str, str]  #: relation -> its name in the engine
    body: str  #: the view's own SELECT
    progress: Progress | None
    sorted_scores: SortedScores  #: of the scope, for all views of scored trials
    requested: Sequence[tuple[int, int]]  #: (run, profile) computed whatever the work


@dataclass(frozen=True, slots=True)
class Kernel:
    """How a view is computed otherwise."""

    function: Callable[[Asked], str]  #: returns a SELECT; the view's own if it does not apply after all
    applies: Callable[[Asked], bool] = lambda asked: True


def one_sample_values(asked: Asked) -> str:
    """Return the score of each item that has one sample."""
    return f"""
        select run_no, measure_no, block_no, score as value, cast(score is not null as bigint) as n_sample,
            cast(score is null as bigint) as n_unscored, cast(is_error as bigint) as n_error
        from {asked.names["base.item_sample__v1"]}"""


def _has_one_epoch(asked: Asked) -> bool:
    return bool(asked.engine.value(f"select min(epoch) = max(epoch) from {asked.names['base.item_score']}"))


#: above a half by less than one of 10^11 values
_ABOVE = 0.5 + 2.0**-37


def median(asked: Asked) -> str:
    """Return medians from selected values: no run is sorted."""
    names = asked.names
    return f"""
        select run_no, profile_no, subset_no, 'topic' as weighting, measure, (middle[1] + middle[2]) / 2e0 as median,
            n_item
        from (
            select run_no, subset_no, measure_no, count(value) as n_item,
                quantile_disc(value, [0.5, {_ABOVE}]) as middle
            from {names["base.item_member__v1"]} where value is not null group by run_no, subset_no, measure_no)
        join {names["registry.run"]} using (run_no)
        join {names["registry.condition_profile"]} using (condition_no)
        join {names["base.item_measure"]} using (condition_no, measure_no)"""


def of_sorted(function: Callable[..., str]) -> Kernel:
    """Return a kernel of the scores that a scope has sorted."""
    return Kernel(lambda asked: function(asked.engine, asked.names, asked.body, asked.sorted_scores))


KERNELS: dict[str, Kernel] = {
    sorted_scores.CELL: of_sorted(sorted_scores.cells),
    sorted_scores.BLOCK: of_sorted(sorted_scores.blocks),
    sorted_scores.STATE: of_sorted(sorted_scores.states),
    sorted_scores.CROSSING: of_sorted(sorted_scores.crossings),
    HULL: Kernel(lambda asked: hull(asked.engine, asked.names, asked.body, asked.progress, asked.sorted_scores)),
    GAIN: Kernel(lambda asked: overlap_gain(asked.engine, asked.names, asked.body, asked.progress)),
    EXPECTED: Kernel(lambda asked: expected_information(asked.engine, asked.names, asked.body, asked.progress)),
    SEARCH: Kernel(lambda asked: search(asked.engine, asked.names, asked.progress, asked=asked.requested)),
    ITEM_VALUE: Kernel(one_sample_values, applies=_has_one_epoch),
    MEDIAN: Kernel(median),
}
