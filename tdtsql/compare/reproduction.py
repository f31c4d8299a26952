"""How well does one run reproduce another?

From the strictest criterion to the most forgiving: are the topics' numbers the
same, are they close, do the topics come in the same order, is the mean the
same, and is the gain over a baseline the same?

Source: T. Breuer, N. Ferro, N. Fuhr, M. Maistro, T. Sakai, P. Schaer and
I. Soboroff, How to Measure the Reproducibility of System-oriented IR
Experiments, SIGIR 2020 (RMSE, section 3.2; effect ratio and delta relative
improvement, section 3.3; equations 5 to 8).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from tdtsql.compare.classical import mean_and_deviation, student_test
from tdtsql.compare.fixed import difference as difference_of
from tdtsql.compare.fixed import to_fixed
from tdtsql.compare.ranking import kendall_tau
from tdtsql.errors import InvalidComparison


@dataclass(frozen=True)
class Reproduction:
    """A reproduced run compared with the original, over the same T topics."""

    n_topic: int
    n_same: int  #: topics with the same number, rounding aside
    largest_difference: float
    rmse: float  #: root mean square of the topics' differences; 0 is perfect
    rmse_relative: (
        float  #: divided by the largest RMSE that numbers in the metric's observed range allow; NaN if that is 0
    )
    tau: float  #: Kendall's tau-b of the topics' order; 1 is perfect, NaN where a run does not vary
    mean_original: float
    mean_reproduced: float
    p: float  #: paired t test of the two runs; a small p value means that they differ
    effect_ratio: (
        float  #: reproduced mean gain over its baseline / original mean gain; 1 is perfect; NaN without baselines
    )
    delta_relative_improvement: float  #: original minus reproduced relative gain; 0 is perfect; NaN without baselines


def reproduction_degree(
    original: ndarray,
    reproduced: ndarray,
    *,
    original_baseline: ndarray | None = None,
    reproduced_baseline: ndarray | None = None,
    best: str = "lowest",
) -> Reproduction:
    """Return how well ``reproduced`` agrees with ``original``.

    Args:
        original, reproduced: T numbers of the advanced run, topic by topic.
        original_baseline, reproduced_baseline: T numbers of the run that the
            advanced one improves on; both or neither. The same array twice
            where the baseline was not reproduced.
        best: `lowest` or `highest`; a gain is a move towards it.

    Raises:
        InvalidComparison: lengths differ, no topic, or only one baseline.
    """
    columns = [np.asarray(original, dtype=np.float64), np.asarray(reproduced, dtype=np.float64)]
    if (original_baseline is None) != (reproduced_baseline is None):
        raise InvalidComparison("an effect ratio needs the baseline of both runs. Give both, or neither.")
    if original_baseline is not None:
        columns += [np.asarray(original_baseline, dtype=np.float64), np.asarray(reproduced_baseline, dtype=np.float64)]
    if len({len(column) for column in columns}) != 1 or not len(columns[0]):
        raise InvalidComparison("the runs to compare do not have the same topics, or none. Align them first.")
    if any(np.isnan(column).any() for column in columns):
        raise InvalidComparison("a topic has no number. Align the runs with a policy for missing topics first.")
    before, after = columns[0], columns[1]
    difference = difference_of(after, before)
    low, high = float(min(before.min(), after.min())), float(max(before.max(), after.max()))
    farthest = np.maximum(before - low, high - before)
    n = len(before)
    mean, deviation = mean_and_deviation(difference)
    rmse, largest = _root_mean_square(difference), _root_mean_square(farthest)
    ratio = improvement = math.nan
    if original_baseline is not None:
        sign = -1.0 if best == "lowest" else 1.0
        gain_before, gain_after = sign * _gain(before, columns[2]), sign * _gain(after, columns[3])
        base_before, base_after = _mean(columns[2]), _mean(columns[3])
        ratio = gain_after / gain_before if gain_before != 0.0 else math.nan
        if base_before != 0.0 and base_after != 0.0:
            improvement = gain_before / base_before - gain_after / base_after
    return Reproduction(
        n_topic=n,
        n_same=int((difference == 0.0).sum()),
        largest_difference=float(np.abs(difference).max()),
        rmse=rmse,
        rmse_relative=rmse / largest if largest > 0.0 else math.nan,
        tau=kendall_tau(before, after),
        mean_original=_mean(before),
        mean_reproduced=_mean(after),
        p=student_test(mean, deviation / math.sqrt(n), n - 1).p,
        effect_ratio=ratio,
        delta_relative_improvement=improvement,
    )


def _gain(values: ndarray, others: ndarray) -> float:
    """Return the mean difference, 0 if it is only rounding."""
    whole = to_fixed(np.stack([values, others]).T)
    sums = whole.whole.sum(axis=0)
    return 0.0 if abs(sums[0] - sums[1]) <= whole.slack[0] else _mean(difference_of(values, others))


def _mean(values: ndarray) -> float:
    return math.fsum(values) / len(values)


def _root_mean_square(values: ndarray) -> float:
    return math.sqrt(math.fsum(values * values) / len(values))
