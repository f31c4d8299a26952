"""Would other topics have given another ranking of the runs?

Source: M. Kendall, A New Measure of Rank Correlation, 1938 (tau-b, 1945, for
ties); E. Voorhees and C. Buckley, The Effect of Topic Set Size on Retrieval
Experiment Error, SIGIR 2002 (swaps).
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy import ndarray

from tdtsql.compare.resample import drawn_sums, stream, whole

if TYPE_CHECKING:
    from tdtsql.compare.units import TopicMatrix


@dataclass(frozen=True)
class RankStability:
    """What B resamples of the topics did to the ranking of R runs; rank 1 is best."""

    rank: ndarray  #: R ranks on the topics as they are; equal means share their mean rank
    rank_low: ndarray  #: R, the interval of the resampled rank at the given level
    rank_high: ndarray
    p_best: ndarray  #: R shares of resamples that the run led (shared leads count in full)
    mean_tau: float  #: mean Kendall tau-b between the ranking and a resampled one, NaN for one run
    low_tau: float  #: its lower (1 - level) / 2 quantile
    n_resample: int  #: 0 of one topic, whose resamples are all itself: everything but the rank is NaN then


def rank_stability(
    matrix: "TopicMatrix", *, best: str, n_resample: int, seed: int, level: float = 0.95
) -> RankStability:
    """Return how stable the ranking by mean is when topics are drawn again; equal means tie, whatever their
    rounding.
    """
    numbers, units = whole(matrix.values)
    numbers = np.rint(numbers * (units / units.max())) * (1.0 if best == "lowest" else -1.0)
    slack = float(len(numbers))
    order = _signs(numbers.sum(axis=0), slack)
    rank, led = _ranks_of(order), np.zeros(len(order))
    if len(numbers) == 1:
        hole = led * math.nan
        return RankStability(rank, hole, hole, hole, math.nan, math.nan, 0)
    ranks, taus = [], []
    for sums in drawn_sums(numbers, n_resample, stream(seed, 2)).T:
        signs = _signs(sums, slack)
        ranks.append(_ranks_of(signs))
        led += sums <= sums.min() + slack
        taus.append(_tau_of(signs, order))
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(np.array(ranks), [tail, 1.0 - tail], axis=0, method="closest_observation")
    defined = np.array([tau for tau in taus if not math.isnan(tau)])
    mean_tau, low_tau = math.nan, math.nan
    if len(defined):
        mean_tau, low_tau = math.fsum(defined) / len(defined), float(np.quantile(defined, tail))
    return RankStability(rank, low, high, led / n_resample, mean_tau, low_tau, n_resample)


def kendall_tau(one: ndarray, other: ndarray) -> float:
    """Return Kendall's tau-b of two equally long columns, NaN where one of them does not vary; rounding orders
    nothing.
    """
    numbers, _ = whole(np.column_stack([one, other]).astype(np.float64))
    return _tau_of(*(_signs(column, 1.0) for column in numbers.T))


def _signs(sums: ndarray, slack: float) -> ndarray:
    """Return the R x R matrix of sign(sum_i - sum_j), 0 if they differ by at most ``slack``."""
    apart = sums[:, None] - sums[None, :]
    return np.where(np.abs(apart) <= slack, 0.0, np.sign(apart))


def _ranks_of(signs: ndarray) -> ndarray:
    """Return mean ranks from the sign matrix: 1 + how many are lower + half of the ties."""
    return 1.0 + (signs > 0).sum(axis=1) + ((signs == 0).sum(axis=1) - 1) / 2.0


def _tau_of(one: ndarray, other: ndarray) -> float:
    """Return tau-b from two sign matrices; the sums are integers."""
    size = math.sqrt(float(np.abs(one).sum()) * float(np.abs(other).sum()))
    return float((one * other).sum()) / size if size > 0.0 else math.nan
