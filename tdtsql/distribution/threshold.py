"""The threshold that minimises the detection cost: in the fitted model, and on the data.

    cost(threshold) = c_miss p p_miss(threshold) + c_fa (1 - p) p_fa(threshold)

A story is accepted when its score is at least the threshold. In the model the
cost is stationary where

    p(x | on) = k p(x | off),    k = c_fa (1 - p) / (c_miss p)

which a Gaussian and an exponential fulfil at two scores, one or none:

    x = b -+ sqrt(b**2 - mean**2 - 2 sd**2 ln(k rate sd sqrt(2 pi))),   b = mean + rate sd**2

(scores counted from the origin). At the lower crossing the cost has its
minimum, at the upper one a maximum: far right the exponential wins again, and a
story with a higher score would be *less* likely on topic. So the lower crossing
is used, and the ends (accept everything, reject everything) are compared with
it; the upper crossing is returned as the score beyond which the model must not
be used.

Source: R. Manmatha, A. Feng, J. Allan, A Critical Examination of TDT's Cost
Function, equations 1 to 3 and 6.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tdtsql.distribution.model import Exponential, Gaussian


@dataclass(frozen=True, slots=True)
class CostModel:
    """What errors cost."""

    c_miss: float  #: cost of a miss, > 0
    c_fa: float  #: cost of a false alarm, > 0
    p_target: float  #: probability of an on-topic story, in (0, 1)

    @property
    def ratio(self) -> float:
        """k: how much denser on-topic scores must be than off-topic ones for a yes."""
        return self.accept_all / self.reject_all

    @property
    def reject_all(self) -> float:
        return self.c_miss * self.p_target

    @property
    def accept_all(self) -> float:
        return self.c_fa * (1 - self.p_target)

    @property
    def worst(self) -> float:
        """The cost of the better one of accepting and rejecting everything: the normaliser."""
        return min(self.reject_all, self.accept_all)

    def cost(self, p_miss: Any, p_fa: Any) -> Any:
        """Return the cost of error rates, numbers or arrays."""
        return self.reject_all * p_miss + self.accept_all * p_fa


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where to cut, and what it costs."""

    kind: Literal["crossing", "accept_all", "reject_all", "data"]
    threshold: float  #: accept from this score on; -inf accepts all, inf none
    p_miss: float
    p_fa: float
    cost: float
    norm_cost: float  #: cost over the better one of accepting and rejecting everything
    upper: float | None = None  #: the upper crossing: the model must not be used above


def crossings(on: Gaussian, off: Exponential, ratio: float) -> tuple[float, float] | None:
    """Return the two scores where the on-topic density is ``ratio`` times the off-topic one, or None."""
    mean = on.mean - off.origin
    middle = mean + off.rate * on.sd**2
    logarithm = math.log(ratio * off.rate * on.sd * math.sqrt(2 * math.pi))
    # middle**2 - mean**2, factored: the squares cancel where the Gaussian is narrow
    inside = (middle - mean) * (middle + mean) - 2 * on.sd**2 * logarithm
    if inside < 0:
        return None
    root = math.sqrt(inside)
    return off.origin + middle - root, off.origin + middle + root


def fitted_threshold(on: Gaussian, off: Exponential, model: CostModel) -> Threshold:
    """Return the threshold of the minimum cost under the fitted distributions."""
    both = crossings(on, off, model.ratio)
    upper = both[1] if both and both[1] > off.origin else None
    ends = [_at("accept_all", -math.inf, on, off, model, upper), _at("reject_all", math.inf, on, off, model, upper)]
    if both and both[0] > off.origin:
        ends.insert(0, _at("crossing", both[0], on, off, model, upper))
    return min(ends, key=lambda point: point.cost)


def _at(
    kind: Literal["crossing", "accept_all", "reject_all"],
    threshold: float,
    on: Gaussian,
    off: Exponential,
    model: CostModel,
    upper: float | None,
) -> Threshold:
    p_miss, p_fa = on.below(threshold), off.above(threshold)
    cost = model.cost(p_miss, p_fa)
    return Threshold(kind, threshold, p_miss, p_fa, cost, cost / model.worst, upper)


def posterior(score: float, on: Gaussian, off: Exponential, p_rel: float) -> float:
    """Return the probability that a story with this score is on topic (equation 4)."""
    for_it = p_rel * on.density(score)
    against = (1 - p_rel) * off.density(score)
    return for_it / (for_it + against) if for_it + against > 0 else math.nan


def optimal_posterior(model: CostModel, p_rel: float) -> float:
    """Return the posterior at the optimal threshold of a cost whose prior is ``model.p_target``.

    Equation 5 for a prior that is the same for all topics; with the topic's own
    prior (``model.p_target == p_rel``) it is c_fa / (c_fa + c_miss), equation 8.
    """
    return 1 / (1 + (1 / p_rel - 1) / model.ratio)


@dataclass(frozen=True, slots=True)
class ScoredTopic:
    """The scores of one topic, and what its errors cost."""

    on: np.ndarray  #: of the on-topic stories that have one
    off: np.ndarray
    n_on: int  #: > 0; stories without a score are never accepted
    n_off: int
    model: CostModel


def data_threshold(topic: ScoredTopic) -> Threshold:
    """Return the threshold of the minimum cost on the scores themselves.

    Equal costs to 1e-12: the lowest threshold, as for the points of a DET curve.
    """
    threshold, hits, false_alarms = _sweep(topic.on, topic.off)
    p_miss = (topic.n_on - hits) / topic.n_on
    p_fa = false_alarms / topic.n_off if topic.n_off else np.zeros(len(threshold))
    model = topic.model
    cost = model.cost(p_miss, p_fa)
    best = _lowest(cost)
    return Threshold(
        "data",
        float(threshold[best]),
        float(p_miss[best]),
        float(p_fa[best]),
        float(cost.min()),
        float(cost.min()) / model.worst,
    )


@dataclass(frozen=True, slots=True)
class CommonThreshold:
    """One threshold for all topics, compared with the best threshold of each."""

    threshold: float
    cost: float  #: mean over the topics of the normalised cost, with the common threshold
    own_cost: float  #: the same with each topic's best threshold


def common_threshold(topics: list[ScoredTopic]) -> CommonThreshold:
    """Return the one threshold with the lowest mean normalised cost over all topics."""
    scores, steps = [], []
    for topic in topics:
        worst = topic.model.worst
        miss = topic.model.reject_all / topic.n_on / worst
        alarm = topic.model.accept_all / topic.n_off / worst if topic.n_off else 0.0
        scores += [topic.on, topic.off]
        steps += [np.full(len(topic.on), -miss), np.full(len(topic.off), alarm)]
    start = sum(topic.model.reject_all / topic.model.worst for topic in topics)
    score, step = np.concatenate(scores), np.concatenate(steps)
    order = np.argsort(-score, kind="stable")
    ordered = score[order]
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(ordered) else np.empty(0, dtype=int)
    cost = np.concatenate([[start], start + np.cumsum(step[order])[last]]) / len(topics)
    threshold = np.concatenate([[math.inf], ordered[last]])
    best = _lowest(cost)
    own = list(map(data_threshold, topics))
    return CommonThreshold(
        float(threshold[best]), float(cost.min()), math.fsum(point.norm_cost for point in own) / len(own)
    )


def _sweep(on: np.ndarray, off: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return thresholds, hits and false alarms, from reject-all down to the lowest score."""
    threshold = np.unique(np.concatenate([on, off]))[::-1]
    hits = len(on) - np.searchsorted(np.sort(on), threshold, side="left")
    alarms = len(off) - np.searchsorted(np.sort(off), threshold, side="left")
    return np.append(math.inf, threshold), np.append(0, hits), np.append(0, alarms)


def _lowest(cost: np.ndarray) -> int:
    """Return the position of the minimum cost; of equal ones (to 1e-12) the last, the lowest threshold."""
    rounded = np.floor(cost * 1e12 + 0.5)
    return int(np.flatnonzero(rounded == rounded.min())[-1])
