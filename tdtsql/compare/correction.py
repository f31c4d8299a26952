"""Corrections for looking at many p values at once.

| name         | controls                         | method                                             |
|--------------|----------------------------------|----------------------------------------------------|
| `holm`       | any false finding (the default)  | S. Holm, 1979, step-down, no assumption            |
| `bh`         | share of false findings          | Y. Benjamini and Y. Hochberg, 1995, step-up        |
| `none`       | nothing                          | the p values as they are                           |

A NaN p value (an undefined test) stays NaN and does not count in the family.
"""

import numpy as np
from numpy import ndarray

from tdtsql.errors import InvalidSetting

CORRECTIONS = ("holm", "bh", "none")

CORRECTION_NAMES = {
    "holm": "Holm",
    "bh": "Benjamini-Hochberg",
    "none": "no",
}


def family_size(p: ndarray) -> int:
    """Return the number of p values that are corrected together."""
    return int((~np.isnan(np.asarray(p, dtype=np.float64))).sum())


def smallest_reachable(p: ndarray, *, method: str) -> float:
    """Return the smallest corrected p value that any test of a family can have, NaN of an empty family.

    Args:
        p: the smallest p value that each test can have, NaN where it is undefined.
    """
    defined = p[~np.isnan(p)]
    if not len(defined):
        return float("nan")
    # under Holm the best of m tests pays m times; under the others all may be at their smallest together
    return min(1.0, float(defined.min()) * (len(defined) if method == "holm" else 1))


def adjust(p: ndarray, *, method: str) -> ndarray:
    """Return the adjusted p values in the order given.

    Raises:
        InvalidSetting: ``method`` is unknown.
    """
    p = np.asarray(p, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    index = np.flatnonzero(~np.isnan(p))
    size = len(index)
    index = index[np.argsort(p[index], kind="stable")]
    ascending = p[index]
    if method == "none":
        result = ascending
    elif method == "holm":
        result = np.maximum.accumulate(ascending * np.arange(size, 0, -1))
    elif method == "bh":
        result = np.minimum.accumulate((ascending * size / np.arange(1, size + 1))[::-1])[::-1]
    else:
        raise InvalidSetting(f"correction {method!r} is unknown here. One of: {', '.join(CORRECTIONS)}.")
    adjusted[index] = np.minimum(result, 1.0)
    return adjusted
