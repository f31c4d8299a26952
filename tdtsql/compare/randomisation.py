"""Paired randomisation: had the two runs' names been swapped on some topics, how often would the difference be as
large?

Under the null hypothesis a topic's difference is as likely to be d as -d. The
statistic is |sum of differences|; all sign patterns are enumerated where at
most 20 topics differ (p = c / 2^n), otherwise patterns are drawn
(p = (c + 1) / (n + 1), which never gives 0).

Source: R. A. Fisher, The Design of Experiments, 1935, section 21;
M. Smucker, J. Allan and B. Carterette, A Comparison of Statistical Significance
Tests for Information Retrieval Evaluation, CIKM 2007;
B. Phipson and G. Smyth, Permutation P-values Should Never Be Zero, 2010.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from tdtsql.compare.fixed import PairSums, to_fixed
from tdtsql.compare.resampling import BLOCK, Step, matrix_sums, turn_sums

#: topics with a difference up to which all 2^n sign patterns are enumerated
ENUMERATE_UP_TO = 20


@dataclass(frozen=True)
class Randomisation:
    """Results of C comparisons on the same topics."""

    p: ndarray  #: C two-sided p values
    exact: ndarray  #: C flags, True where every sign pattern was enumerated
    mc_error: ndarray  #: C standard errors of p by simulation, 0 where exact


def randomisation_test(
    differences: ndarray,
    *,
    n_permutation: int,
    seed: int,
    enumerate_up_to: int = ENUMERATE_UP_TO,
    unit: float | None = None,
    values: ndarray | None = None,
    pairs: ndarray | None = None,
    progress: Step | None = None,
) -> Randomisation:
    """Return the p values of C comparisons.

    Two sums that differ by no more than the rounding of their terms (half a unit
    each) are a tie, and a tie counts as "as large".

    Args:
        differences: T x C, run minus baseline; NaN = the topic is not compared.
        n_permutation: sign patterns to draw where enumeration is too long.
        seed: the same seed gives bitwise identical results.
        unit: the grid of the original numbers, if it is coarser.
        values: T x R, what ``differences`` are differences of, with ``pairs`` (C x 2): its columns; so that many pairs
            of few runs take the time of the runs.
    """
    fixed = to_fixed(differences, unit=unit)
    whole, slack = fixed.whole, fixed.slack
    total = whole.sum(axis=0)
    observed = np.abs(total)
    n_comparison = whole.shape[1]

    active = np.flatnonzero((whole != 0.0).any(axis=1))
    differing = whole.T[:, active].T  # the numbers of a comparison stay contiguous
    pair_sums = PairSums(differing, None if values is None else values[active], pairs, fixed.unit)
    is_enumerated = len(active) <= enumerate_up_to
    if is_enumerated:
        kept, n_pattern = matrix_sums(_all_turns(len(active)), pair_sums.columns), 2 ** len(active)
    else:
        kept, n_pattern = turn_sums(pair_sums.columns, n_permutation, seed), n_permutation

    n_as_large = np.zeros(n_comparison, dtype=np.int64)
    # as large: twice the sum of those that keep their sign, less that of all, reaches the observed sum on either side
    high, low = (total + (observed - slack)) / 2.0, (total - (observed - slack)) / 2.0
    for sums_kept in kept:
        for at, _, part in pair_sums.over(sums_kept):
            is_as_large = part >= high[at, None]
            is_as_large |= part <= low[at, None]
            n_as_large[at] += np.count_nonzero(is_as_large, axis=1)
        if progress is not None:
            progress(sums_kept.shape[1])

    def share(count: ndarray) -> ndarray:
        return count / n_pattern if is_enumerated else (count + 1.0) / (n_pattern + 1.0)

    p, exact = share(n_as_large), np.full(n_comparison, is_enumerated)
    if not is_enumerated:
        for column in range(n_comparison):
            terms = whole[whole[:, column] != 0.0, column]
            if len(terms) <= enumerate_up_to:
                p[column] = _enumerated(terms, observed[column] - slack[column])
                exact[column] = True
    mc_error = np.where(exact, 0.0, np.sqrt(p * (1.0 - p) / n_pattern))

    return Randomisation(p, exact, mc_error)


def _enumerated(terms: ndarray, threshold: float) -> float:
    """Return the share of sign patterns whose |sum| reaches ``threshold``, by doubling the list of sums."""
    sums = np.zeros(1)
    for term in terms:
        sums = np.concatenate([sums + term, sums - term])
    return float((np.abs(sums) >= threshold).sum()) / len(sums)


def _all_turns(n_topic: int) -> Iterator[ndarray]:
    """Yield every choice of topics that keep their sign once, in blocks."""
    places = np.arange(n_topic, dtype=np.int64)
    for start in range(0, 2**n_topic, BLOCK):
        patterns = np.arange(start, min(start + BLOCK, 2**n_topic), dtype=np.int64)
        yield ((patterns[:, None] >> places) & 1).astype(np.float64)
