"""Numbers as whole multiples of a decimal unit, so that sums have no rounding.

A sum of integers below 2^53 is exact in double precision whatever the order of
the additions, hence the same on one thread or on many, and two sums that are
equal by arithmetic compare as equal. The unit is 1e-12 (the grid on which the
project compares costs) unless the numbers are so large that their sum would
leave the range; then it is the smallest power of ten that fits.
"""

from dataclasses import dataclass

import numpy as np

from tdtsql.errors import InvalidComparison

#: the finest unit is 10 ** -FINEST
FINEST = 12

#: integers up to here are exact in double precision; half is kept for sums of twice a value
LARGEST_SUM = 2**52


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """An array as integers: ``value = whole * unit``, missing entries as 0."""

    whole: np.ndarray  #: float64 holding integers, the shape of the input
    defined: np.ndarray  #: bool, False where the input was NaN
    unit: float  #: 1e-12 or a larger power of ten

    @property
    def slack(self) -> np.ndarray:
        """How far, in units, two sums over the first axis may lie apart by rounding alone.

        Each number is off by at most half a unit, in either of the two sums.
        """
        return self.defined.sum(axis=0).astype(np.float64)


def to_fixed(values: np.ndarray) -> FixedPoint:
    """Return ``values`` on the finest decimal grid on which their sums stay exact.

    Args:
        values: any shape, first axis topics; NaN means missing.

    Raises:
        InvalidComparison: a value is infinite, or too large for any unit.
    """
    values = np.asarray(values, dtype=np.float64)
    defined = ~np.isnan(values)
    filled = np.where(defined, values, 0.0)
    if np.isinf(filled).any():
        raise InvalidComparison("a value is infinite: means and differences are undefined. Compare another metric.")
    magnitude = np.abs(filled).sum(axis=0)
    largest = float(magnitude.max()) if magnitude.size else 0.0
    for exponent in range(FINEST, -FINEST - 1, -1):
        if largest * 10.0**exponent + len(values) < LARGEST_SUM:
            scale = 10.0**abs(exponent)
            scaled = filled * scale if exponent >= 0 else filled / scale
            return FixedPoint(np.floor(scaled + 0.5), defined, 1.0 / scale if exponent >= 0 else scale)
    raise InvalidComparison(f"values up to {largest:.3g} are too large to compare. Check the metric's unit.")
