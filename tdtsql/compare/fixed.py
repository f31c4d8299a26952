"""Numbers as whole multiples of a decimal unit, so that sums have no rounding and ties are found.

A sum of integers below 2^53 is exact in double precision whatever the order of
the additions, hence the same on one thread or on many. The unit is 1e-12 (the
grid on which the project compares costs) unless the numbers are so large that
sums would leave the range; then it is the smallest power of ten that fits.

Integers alone do not detect every tie: 2/31 and twice 1/31 are equal, but
one unit apart on the grid. Every number is off by at most half a unit, so two equal sums
of n numbers differ by at most n units (``FixedPoint.slack``), and
numbers that differ only by rounding are made equal first (``difference``).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from tdtsql.errors import InvalidComparison

#: the finest unit is 10 ** -FINEST
FINEST = 12

#: integers up to here are exact in double precision; half is reserved for sums of twice a value
LARGEST_SUM = 2**52

#: sums of pairs held at a time
TOGETHER = 2**17

#: numbers closer than this are the same; the grid on which costs are compared
TIE = 1e-12

#: relative error of a number that was computed in double precision: sixteen roundings
ROUNDING = 2.0**-49


@dataclass(frozen=True)
class FixedPoint:
    """An array as integers: ``value = whole * unit``, missing entries as 0."""

    whole: ndarray  #: float64 holding integers, the shape of the input
    defined: ndarray  #: bool, False where the input was NaN
    unit: float  #: 1e-12 or a larger power of ten

    @property
    def slack(self) -> ndarray:
        """Maximum difference, in units, by rounding of two sums with as many terms as there are numbers.

        Each number is off by at most half a unit, in either of the two sums.
        """
        return self.defined.sum(axis=0).astype(np.float64)


def to_fixed(values: ndarray, *, unit: float | None = None) -> FixedPoint:
    """Return ``values`` on a decimal grid on which sums stay exact.

    Sums of as many terms as the first axis has, whichever values are drawn, and
    however often, stay in the range of exact integers.

    Args:
        values: any shape, first axis topics; NaN means missing.
        unit: no finer than this: the unit of the numbers that ``values`` are differences of.

    Raises:
        InvalidComparison: a value is infinite, or too large for any unit.
    """
    values = np.asarray(values, dtype=np.float64)
    defined = ~np.isnan(values)
    whole = np.where(defined, values, 0.0)
    largest = max(float(whole.max()), -float(whole.min())) if whole.size else 0.0
    if math.isinf(largest):
        raise InvalidComparison("a value is infinite: means and differences are undefined. Compare another metric.")
    largest *= len(values)
    for exponent in range(FINEST, -FINEST - 1, -1):
        scale = 10.0 ** abs(exponent)
        size = 1.0 / scale if exponent >= 0 else scale
        if unit is not None and size < unit:
            continue
        if largest * 10.0**exponent + len(values) < LARGEST_SUM or size == unit:
            (np.multiply if exponent >= 0 else np.divide)(whole, scale, out=whole)
            whole += 0.5
            return FixedPoint(np.floor(whole, out=whole), defined, size)
    raise InvalidComparison(
        f"values up to {largest / len(values):.3g} are too large to compare. Check the metric's unit."
    )


class PairSums:
    """Sums over the differences of C pairs of R runs, by way of one sum a run where that gives the same numbers."""

    def __init__(self, whole: ndarray, values: ndarray | None, pairs: ndarray | None, unit: float):
        """Take T x C whole numbers, of the runs in the columns ``pairs`` (C x 2) of T x R ``values``."""
        self._pairs = None
        if values is not None and pairs is not None and values.shape[1] < whole.shape[1] and not np.isnan(values).any():
            of_run = np.floor(values.T / unit + 0.5)
            is_exact = float(np.abs(of_run).max(initial=0.0)) * len(values) < LARGEST_SUM
            # rounded differences need not be differences of rounded numbers
            if is_exact and all(
                (column == of_run[run] - of_run[other]).all()
                for column, (run, other) in zip(whole.T, pairs.tolist(), strict=True)
            ):
                whole, self._pairs = of_run.T, pairs
        self.columns = np.ascontiguousarray(whole)  #: T x N whole numbers that are to be summed

    def over(self, sums: ndarray) -> Iterator[tuple[slice, slice, ndarray]]:
        """Yield some pairs, all B places of N x B sums of ``columns``, and the sums of these pairs (exact)."""
        n_draw, n_pair = sums.shape[1], len(sums) if self._pairs is None else len(self._pairs)
        pair_step, step = max(1, TOGETHER // max(1, n_draw)), n_draw
        for first in range(0, n_pair, pair_step):
            pairs = slice(first, first + pair_step)
            for start in range(0, n_draw, max(1, step)):
                some = slice(start, start + step)
                if self._pairs is None:
                    yield pairs, some, sums[pairs, some]
                else:
                    run, other = self._pairs[pairs].T
                    part = sums[run, some]
                    part -= sums[other, some]
                    yield pairs, some, part


def difference(values: ndarray, others: ndarray) -> ndarray:
    """Return T differences of two columns; those that differ only by rounding are made bitwise identical.

    A difference within rounding of 0 is 0; differences of one size have the same
    digits, whatever their signs. What rounding can do is 1e-12, or for large
    numbers a few units in their last place.
    """
    values, others = np.asarray(values, dtype=np.float64), np.asarray(others, dtype=np.float64)
    raw = values - others
    tolerance = np.maximum(TIE, ROUNDING * np.maximum(np.abs(values), np.abs(others)))
    size = np.where(np.abs(raw) <= tolerance, 0.0, np.abs(raw))
    # equal sizes may come in any order where rounding can do the same to all of them
    order = np.argsort(size, kind="stable" if (tolerance != TIE).any() else "quicksort")
    ascending, allowed = size[order], tolerance[order]
    # a new group begins where the step from the one before is more than rounding
    begins = np.concatenate([[True], np.diff(ascending) > np.maximum(allowed[1:], allowed[:-1])])[: len(raw)]
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(raw))
    middle = ascending[(starts + ends - 1) // 2]
    settled = np.empty_like(raw)
    settled[order] = middle[np.cumsum(begins) - 1]
    return np.copysign(settled, raw) + 0.0
