"""Bootstrap of numbers of scored trials: by trial, or by clusters of trials (speakers, blocks) that are drawn whole.

Trials of one speaker are not independent, so an interval from trials drawn one by one is too narrow; clusters drawn with
replacement, each with all its trials, give one for other speakers. The same draws serve every run and every subset, so that
these stay paired. Counts of drawn trials are whole numbers, and each number is made of running counts as its view makes it
of single trials; the draws are the raw stream of PCG64, so the same seed gives the same draws everywhere.

Source: A. C. Davison, D. V. Hinkley, Bootstrap Methods and their Application, 1997, section 3.8 (clustered data: clusters drawn with
replacement, kept whole); for the equal error rate as the largest least cost over priors: N. Bruemmer, E. de Villiers, The BOSARIS
toolkit (2011), section on the ROC convex hull.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tdtsql.compare.resampling import TRIALS, raw_stream

#: numbers that are resampled, all of them over all trials together
METRICS = ("eer", "auc", "min_c_det", "min_c_det_norm", "act_c_det", "act_c_det_norm", "act_p_miss", "act_p_fa", "cllr")
#: definitions of the equal error rate that are: the others hang on the order of single trials
EER_RULES = ("interpolated", "convex_hull", "nearest_point", "nearest_trial")
#: counts that are held at a time
_TOGETHER = 4_000_000


@dataclass(frozen=True, slots=True)
class Costs:
    """What of a scoring profile the numbers hang on."""

    eer: str  #: one of EER_RULES
    price_miss: float | None = None  #: c_miss * p_target; None: no costs
    price_fa: float | None = None  #: c_fa * (1 - p_target)
    act_threshold: float | None = None  #: the Bayes threshold


def drawn_trials(n_trial: int, n_resample: int, seed: int, unit: np.ndarray | None = None) -> Iterator[np.ndarray]:
    """Yield float64 blocks (b x n_trial) of how often each trial was drawn, ``n_resample`` rows in all.

    Args:
        unit: n_trial numbers of clusters, from 0, which are drawn whole; None: each trial is one.
    """
    n_unit = n_trial if unit is None else int(unit.max()) + 1
    stream = raw_stream(seed, TRIALS)
    most = max(1, _TOGETHER // max(n_trial, n_unit))
    for start in range(0, n_resample, most):
        size = min(most, n_resample - start)
        # 53 bits: of 10^6 units one is favoured by less than 1e-9 of its chance
        share = (stream.random_raw(size * n_unit) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        cell = np.minimum((share * n_unit).astype(np.int64), n_unit - 1).reshape(size, n_unit) + np.arange(size, dtype=np.int64)[:, None] * n_unit
        counts = np.bincount(cell.ravel(), minlength=size * n_unit).reshape(size, n_unit).astype(np.float64)
        yield counts if unit is None else np.take(counts, unit, axis=1)


@dataclass(frozen=True, slots=True)
class Ordered:
    """Trials of one run and subset in the order of their scores, each class by itself."""

    score: np.ndarray  #: G different scores, ascending
    target: np.ndarray  #: of each target, which of the trials it is that are drawn
    nontarget: np.ndarray
    targets_below: np.ndarray  #: G + 1: targets among the lowest 0..G scores
    nontargets_below: np.ndarray

    @classmethod
    def of(cls, place: np.ndarray, score: np.ndarray, is_target: np.ndarray) -> "Ordered":
        """Return trials sorted by score; ``place`` says which column of the draws each is."""
        order = np.argsort(score, kind="stable")
        ordered, label, place = score[order], is_target[order], place[order]
        last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(ordered) else np.empty(0, dtype=np.int64)
        below = np.append(0, np.cumsum(label)[last])
        return cls(ordered[last], place[label], place[~label], below, np.append(0, last + 1) - below)

    def points(self, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return misses and correct rejections (each b x (G + 1)) where the lowest 0..G scores are rejected."""
        miss, rejected = (_running(drawn, place, below) for place, below in ((self.target, self.targets_below), (self.nontarget, self.nontargets_below)))
        return miss, rejected


def _running(drawn: np.ndarray, place: np.ndarray, below: np.ndarray) -> np.ndarray:
    total = np.zeros((len(drawn), len(place) + 1))
    np.cumsum(np.take(drawn, place, axis=1), axis=1, out=total[:, 1:])
    return np.take(total, below, axis=1)


def numbers(trials: Ordered, drawn: np.ndarray, metric: str, costs: Costs) -> np.ndarray:
    """Return a number of each row of draws; NaN where no target or no non-target was drawn, or the profile has no costs."""
    miss, rejected = trials.points(drawn)
    n_target, n_nontarget = miss[:, -1], rejected[:, -1]
    with np.errstate(invalid="ignore", divide="ignore"):
        if metric == "eer":
            found = _equal_error(miss, n_nontarget[:, None] - rejected, costs.eer)
        elif metric == "auc":
            below = rejected[:, 1:] + rejected[:, :-1]  # twice the non-targets below, a tie half
            found = (np.diff(miss, axis=1) * below).sum(axis=1) / (2 * n_target * n_nontarget)
        elif metric == "cllr":
            found = _cllr(trials, miss, rejected)
        else:
            found = _cost(trials, miss, n_nontarget[:, None] - rejected, metric, costs)
    return np.where((n_target > 0) & (n_nontarget > 0), found, np.nan)


def _cost(trials: Ordered, miss: np.ndarray, false_alarm: np.ndarray, metric: str, costs: Costs) -> np.ndarray:
    p_miss, p_fa = miss / miss[:, -1:], false_alarm / false_alarm[:, :1]
    if metric.startswith("act"):
        if costs.act_threshold is None:
            return np.full(len(miss), np.nan)
        point = int(np.searchsorted(trials.score, costs.act_threshold))
        p_miss, p_fa = p_miss[:, point : point + 1], p_fa[:, point : point + 1]
    if metric in ("act_p_miss", "act_p_fa"):
        return (p_miss if metric == "act_p_miss" else p_fa)[:, 0]
    if costs.price_miss is None or costs.price_fa is None:
        return np.full(len(miss), np.nan)
    least = (costs.price_miss * p_miss + costs.price_fa * p_fa).min(axis=1)
    return least / min(costs.price_miss, costs.price_fa) if metric.endswith("norm") else least


def _cllr(trials: Ordered, miss: np.ndarray, rejected: np.ndarray) -> np.ndarray:
    size = np.log1p(np.exp(-np.abs(trials.score)))
    of_target, of_nontarget = (np.maximum(side, 0) + size for side in (-trials.score, trials.score))
    parts = []
    for running, term in ((miss, of_target), (rejected, of_nontarget)):
        count = np.diff(running, axis=1)
        parts.append(np.where(count > 0, count * term, 0.0).sum(axis=1) / running[:, -1])
    return (parts[0] + parts[1]) / (2 * np.log(2))


def _equal_error(miss: np.ndarray, false_alarm: np.ndarray, rule: str) -> np.ndarray:
    """Return the equal error rate of each row of points; see metric.verification_eer__v1 for the rules."""
    n_target, n_nontarget = miss[:, -1], false_alarm[:, 0]
    if rule == "convex_hull":
        return _hull_error(miss / n_target[:, None], false_alarm / n_nontarget[:, None])
    away = miss * n_nontarget[:, None] - false_alarm * n_target[:, None]  # rises from point to point
    row, at = np.arange(len(miss)), np.minimum((away <= 0).sum(axis=1), miss.shape[1] - 1)  # the first point above
    before = np.maximum(at - 1, 0)
    low, high = away[row, before], away[row, at]
    if rule == "interpolated":
        return (miss[row, before] + (miss[row, at] - miss[row, before]) * (-low / (high - low))) / n_target
    if rule == "nearest_point":  # equally near: the higher threshold
        nearest = np.where(-low < high, before, at)
        return (miss[row, nearest] / n_target + false_alarm[row, nearest] / n_nontarget) / 2
    return _nearest_trial(miss[row, before], false_alarm[row, before], miss[row, at], false_alarm[row, at], n_target, n_nontarget)


def _nearest_trial(miss: np.ndarray, false_alarm: np.ndarray, next_miss: np.ndarray, next_false_alarm: np.ndarray, n_target: np.ndarray, n_nontarget: np.ndarray) -> np.ndarray:
    """Return the mean rate of the point after single trials that is nearest; of tied trials the targets come first."""
    found, nearest = np.full(len(miss), np.nan), np.full(len(miss), np.inf)
    # steps of targets from the lower point, then of non-targets; the best of each are the whole numbers beside the crossing
    exact_miss = np.clip(false_alarm * n_target / n_nontarget, miss, next_miss)
    exact_false_alarm = np.clip(next_miss * n_nontarget / n_target, next_false_alarm, false_alarm)
    for some_miss, some_false_alarm in ((miss, false_alarm), (np.floor(exact_miss), false_alarm), (np.ceil(exact_miss), false_alarm), (next_miss, np.ceil(exact_false_alarm)),
                                        (next_miss, np.floor(exact_false_alarm)), (next_miss, next_false_alarm)):
        distance = np.abs(some_miss * n_nontarget - some_false_alarm * n_target)
        better = distance < nearest  # equally near: the lower threshold, which came first
        nearest = np.where(better, distance, nearest)
        found = np.where(better, (some_miss / n_target + some_false_alarm / n_nontarget) / 2, found)
    return found


def _hull_error(p_miss: np.ndarray, p_fa: np.ndarray) -> np.ndarray:
    """Return where each lower convex hull crosses p_miss = p_fa: the largest over priors of the least error rate."""
    row = np.arange(len(p_miss))
    # two points of the hull on either side, and the point farthest below their line, until there is none
    left, right = np.zeros(len(p_miss), dtype=np.int64), np.full(len(p_miss), p_miss.shape[1] - 1)
    for _ in range(p_miss.shape[1]):
        left_miss, left_fa, right_miss, right_fa = p_miss[row, left], p_fa[row, left], p_miss[row, right], p_fa[row, right]
        run, rise = left_fa - right_fa, right_miss - left_miss
        height = p_miss * run[:, None] + p_fa * rise[:, None]
        lowest = height.argmin(axis=1)
        is_below = height[row, lowest] < np.minimum(left_miss * run + left_fa * rise, right_miss * run + right_fa * rise) - 1e-15
        if not is_below.any():
            break
        is_left = p_miss[row, lowest] <= p_fa[row, lowest]
        left, right = np.where(is_below & is_left, lowest, left), np.where(is_below & ~is_left, lowest, right)
    slope = (left_fa - left_miss) / ((left_fa - left_miss) + (right_miss - right_fa))
    return left_miss + (right_miss - left_miss) * slope
