"""Kernels: faster implementations of views in the embedded engine, by another SELECT or by arrays in numpy.

A kernel returns the rows of the view's own SELECT, bitwise identical. Where it does not apply (too many rows, another
form of the data), the definition is used.
"""

from collections.abc import Callable

from tdtsql.scoring.asked import Asked
from tdtsql.scoring.curve import sorted_scores
from tdtsql.scoring.curve.hull import HULL, hull
from tdtsql.scoring.expected_information import EXPECTED, expected_information
from tdtsql.scoring.overlap_gain import GAIN, overlap_gain
from tdtsql.scoring.pairing import SEARCH, search

ITEM_VALUE = "base.item_value__v1"


def one_sample_values(asked: Asked) -> str:
    """Return the score of each item, where each has one sample."""
    if not asked.engine.value(f"select min(epoch) = max(epoch) from {asked.names['base.item_score']}"):
        return asked.body
    return f"""
        select run_no, measure_no, block_no, score as value, cast(score is not null as bigint) as n_sample,
            cast(score is null as bigint) as n_unscored, cast(is_error as bigint) as n_error
        from {asked.names["base.item_sample__v1"]}"""


#: view -> what returns a SELECT of its rows; its own (``body``) where the kernel does not apply
KERNELS: dict[str, Callable[[Asked], str]] = {
    sorted_scores.CELL: sorted_scores.cells,
    sorted_scores.BLOCK: sorted_scores.blocks,
    sorted_scores.STATE: sorted_scores.states,
    sorted_scores.CROSSING: sorted_scores.crossings,
    HULL: hull,
    GAIN: overlap_gain,
    EXPECTED: expected_information,
    SEARCH: search,
    ITEM_VALUE: one_sample_values,
}
