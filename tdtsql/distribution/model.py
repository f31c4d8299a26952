"""A Gaussian for the scores of on-topic stories, an exponential for those of off-topic stories.

    p(x | on)  = exp(-(x - mean)**2 / (2 sd**2)) / (sd sqrt(2 pi))
    p(x | off) = rate exp(-rate (x - origin))   for x >= origin, 0 below

Both are fitted by maximum likelihood: the mean and the standard deviation
(divided by n, not n - 1) of the on-topic scores; the reciprocal of the mean
off-topic score above the origin. The origin is 0; where a system gives
negative scores it is the lowest off-topic score, which is its maximum
likelihood too.

Source: R. Manmatha, A. Feng, J. Allan, A Critical Examination of TDT's Cost
Function, section 1.1; R. Manmatha, T. Rath, F. Feng, Modeling score
distributions for combining the outputs of search engines (SIGIR 2001).
"""

import math
from dataclasses import dataclass

import numpy as np

#: a score beyond this (infinity is stored as 9e99) fits no distribution: no model is fitted
LARGEST_SCORE = 1e90

_erfc = np.vectorize(math.erfc, otypes=[float])


@dataclass(frozen=True, slots=True)
class Gaussian:
    """The on-topic scores."""

    mean: float
    sd: float  #: > 0

    def below(self, score: float) -> float:
        """Return the share of on-topic stories with a lower score (misses at that threshold)."""
        return 0.5 * math.erfc((self.mean - score) / (self.sd * math.sqrt(2)))

    def density(self, score: float) -> float:
        return math.exp(-(((score - self.mean) / self.sd) ** 2) / 2) / (self.sd * math.sqrt(2 * math.pi))


@dataclass(frozen=True, slots=True)
class Exponential:
    """The off-topic scores."""

    rate: float  #: > 0, per unit of score
    origin: float  #: lowest score it allows

    def above(self, score: float) -> float:
        """Return the share of off-topic stories with at least this score (false alarms at that threshold)."""
        return 1.0 if score <= self.origin else math.exp(-self.rate * (score - self.origin))

    def density(self, score: float) -> float:
        return 0.0 if score < self.origin else self.rate * math.exp(-self.rate * (score - self.origin))


def fit_gaussian(scores: np.ndarray) -> Gaussian | None:
    """Return the Gaussian of maximum likelihood, or None for fewer than two different scores or boundless ones."""
    if len(scores) < 2 or np.abs(scores).max() > LARGEST_SCORE:
        return None
    mean = math.fsum(scores) / len(scores)
    sd = math.sqrt(math.fsum((float(score) - mean) ** 2 for score in scores) / len(scores))
    return Gaussian(mean, sd) if 0 < sd < math.inf else None


def fit_exponential(scores: np.ndarray) -> Exponential | None:
    """Return the exponential distribution of maximum likelihood, or None if all scores equal the origin or one is
    infinite."""
    if len(scores) == 0 or np.abs(scores).max() > LARGEST_SCORE:
        return None
    origin = min(0.0, float(np.min(scores)))
    excess = math.fsum(scores) / len(scores) - origin
    rate = 1 / excess if excess > 0 else math.inf
    return Exponential(rate, origin) if 0 < rate < math.inf else None


def gaussian_ks(model: Gaussian, scores: np.ndarray) -> float:
    """Return the Kolmogorov-Smirnov statistic of ``scores`` under ``model``, in [0, 1]."""
    return ks_statistic(0.5 * _erfc((model.mean - np.sort(scores)) / (model.sd * math.sqrt(2))))


def exponential_ks(model: Exponential, scores: np.ndarray) -> float:
    """Return the Kolmogorov-Smirnov statistic of ``scores`` under ``model``, in [0, 1]."""
    return ks_statistic(-np.expm1(-model.rate * np.maximum(np.sort(scores) - model.origin, 0)))


def ks_statistic(distribution_at_sample: np.ndarray) -> float:
    """Return the largest distance between a sample's step function and a distribution.

    Args:
        distribution_at_sample: N values in [0, 1]: the distribution function at
            the sample, in ascending order of the sample.
    """
    n = len(distribution_at_sample)
    above = np.arange(1, n + 1) / n - distribution_at_sample
    below = distribution_at_sample - np.arange(n) / n
    return float(max(above.max(), below.max()))
