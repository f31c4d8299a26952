"""Kernels: faster implementations of views in the embedded engine, by another SELECT or by arrays in numpy.

A kernel returns a SELECT of the rows of the view, bitwise identical. Where it does not apply (too many rows, another
form of the data) it returns nothing, and the definition is used. It is given the scope in which the view is computed,
and its name.

Each saves at least half of the processor time of a whole evaluation of the data that it is for.
"""

from collections.abc import Callable

from tdtsql.scoring.curve import sorted_scores
from tdtsql.scoring.curve.hull import HULL, hull
from tdtsql.scoring.overlap_gain import GAIN, WORK, overlap_gain
from tdtsql.scoring.pairing import SEARCH, search
from tdtsql.scoring.relations import Relations

#: views that measure the work of others: what is requested is computed regardless of it
WORKS = (WORK, "metric.partition_expected_work__v1")


#: view -> what returns a SELECT of its rows, or nothing
KERNELS: dict[str, Callable[[Relations, str], str | None]] = {
    **dict.fromkeys(sorted_scores.SELECTS, sorted_scores.select),
    HULL: hull,
    GAIN: overlap_gain,
    SEARCH: search,
}
