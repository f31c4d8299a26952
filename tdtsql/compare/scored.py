"""Bootstrap of numbers of scored trials: by trial, or by clusters of trials (speakers, blocks) that are drawn whole.

Trials of one speaker are not independent, so an interval from trials drawn one by one is too narrow; clusters drawn
with
replacement, each with all its trials, give one for other speakers. The same draws serve every run and every subset, so
that
these stay paired. Counts of drawn trials are whole numbers, and each number is made of running counts as its view makes
it
of single trials; the draws are the raw stream of PCG64, so the same seed gives the same draws everywhere.

Source: A. C. Davison, D. V. Hinkley, Bootstrap Methods and their Application, 1997, section 3.8 (clustered data:
    clusters drawn with
replacement, kept whole); for the equal error rate as the largest least cost over priors: N. Bruemmer, E. de Villiers,
The BOSARIS
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
    """Yield blocks (b x n_trial) of how often each trial was drawn, whole numbers of the narrowest type, ``n_resample``
    rows in all.

    Args:
        unit: n_trial numbers of clusters, from 0, which are drawn whole; None: each trial is one.
    """
    n_unit = n_trial if unit is None else int(unit.max()) + 1
    stream = raw_stream(seed, TRIALS)
    most = max(1, _TOGETHER // max(n_trial, n_unit))
    for start in range(0, n_resample, most):
        rows = [_drawn_units(stream, n_unit) for _ in range(min(most, n_resample - start))]
        # a count fits into a byte nearly always, and gathering bytes takes a third of the time
        counts = np.array(rows, dtype=np.min_scalar_type(max(int(row.max(initial=0)) for row in rows)))
        yield counts if unit is None else np.take(counts, unit, axis=1)


def _drawn_units(stream: np.random.PCG64, n_unit: int) -> np.ndarray:
    """Return how often each of the units was drawn in as many draws as there are units."""
    # 53 bits: of 10^6 units one is favoured by less than 1e-9 of its chance
    share = (stream.random_raw(n_unit) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return np.bincount(np.minimum((share * n_unit).astype(np.int64), n_unit - 1), minlength=n_unit)


class Draws:
    """A block of draws, with the running counts that several numbers are made of."""

    def __init__(self, drawn: np.ndarray):
        """Take b x n_trial whole numbers: how often each trial was drawn."""
        self.drawn = drawn
        self._running: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._mean: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def running(self, place: np.ndarray) -> np.ndarray:
        """Return b x (n + 1): how often the first 0..n of these trials were drawn; made once for each array, by
        identity.
        """
        kept = self._running.get(id(place))
        if kept is None:
            most = len(place) * int(self.drawn.max(initial=0))
            total = np.zeros((len(self.drawn), len(place) + 1), dtype=np.int32 if most < 2**31 else np.int64)
            np.cumsum(np.take(self.drawn, place, axis=1), axis=1, dtype=total.dtype, out=total[:, 1:])
            kept = self._running[id(place)] = (place, total)  # the array is held, so that no other gets its identity
        return kept[1]

    def total(self, place: np.ndarray) -> np.ndarray:
        """Return b numbers, as doubles: how often these trials were drawn."""
        if id(place) in self._running:
            return self.running(place)[:, -1].astype(np.float64)
        return np.take(self.drawn, place, axis=1).sum(axis=1, dtype=np.int64).astype(np.float64)

    def mean(self, place: np.ndarray, term: np.ndarray) -> np.ndarray:
        """Return b means of a number over drawn trials; an infinite one counts where it was drawn. Made once for each
        array of trials.
        """
        kept = self._mean.get(id(place))
        if kept is None:
            count = np.take(self.drawn, place, axis=1)
            if np.isfinite(term).all():
                total = (count * term).sum(axis=1)
            else:
                total = np.where(count > 0, count * term, 0.0).sum(axis=1)
            kept = self._mean[id(place)] = (place, total / count.sum(axis=1, dtype=np.int64))
        return kept[1]

    def forget(self, place: np.ndarray) -> None:
        """Let what was made of trials go."""
        self._running.pop(id(place), None)
        self._mean.pop(id(place), None)


@dataclass(frozen=True, slots=True)
class Ordered:
    """Trials of one run and subset in the order of their scores, each class by itself."""

    score: np.ndarray  #: G different scores, ascending
    target: np.ndarray  #: of each target, which of the trials it is that are drawn
    nontarget: np.ndarray
    targets_below: np.ndarray  #: G + 1: targets among the lowest 0..G scores
    nontargets_below: np.ndarray
    corner: np.ndarray  #: numbers, from 0 to G, of the points that a least cost can lie at, whatever is drawn

    @classmethod
    def of(cls, place: np.ndarray, score: np.ndarray, is_target: np.ndarray) -> "Ordered":
        """Return trials sorted by score; ``place`` says which column of the draws each is."""
        order = np.argsort(score, kind="stable")
        ordered, label, place = score[order], is_target[order], place[order]
        last = (
            np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
            if len(ordered)
            else np.empty(0, dtype=np.int64)
        )
        targets = np.append(0, np.cumsum(label)[last])
        nontargets = np.append(0, last + 1) - targets
        # rejecting one more score costs no more where no target has it, and no less where no non-target has it
        is_corner = np.append(True, np.diff(nontargets) > 0) & np.append(np.diff(targets) > 0, True)
        is_corner[[0, -1]] = True  # the ends, which the convex hull begins and ends at
        return cls(ordered[last], place[label], place[~label], targets, nontargets, np.flatnonzero(is_corner))

    def points(self, draws: Draws, at: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return misses and correct rejections (each b x points, doubles) where the lowest 0..G scores are rejected;
        ``at``: of these points alone.
        """
        below = (
            (self.targets_below, self.nontargets_below)
            if at is None
            else (self.targets_below[at], self.nontargets_below[at])
        )
        miss, rejected = (
            np.take(draws.running(place), some, axis=1).astype(np.float64)
            for place, some in zip((self.target, self.nontarget), below, strict=True)
        )
        return miss, rejected

    def point(self, draws: Draws, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return misses and correct rejections (each b, doubles) at one point for each draw."""
        row = np.arange(len(at))
        return (
            draws.running(self.target)[row, self.targets_below[at]].astype(np.float64),
            draws.running(self.nontarget)[row, self.nontargets_below[at]].astype(np.float64),
        )


def numbers(trials: Ordered, draws: Draws, metric: str, costs: Costs) -> np.ndarray:
    """Return a number of each draw; NaN where no target or no non-target was drawn, or the profile has no costs."""
    n_target, n_nontarget = draws.total(trials.target), draws.total(trials.nontarget)
    with np.errstate(invalid="ignore", divide="ignore"):
        if metric == "eer":
            found = _equal_error(trials, draws, n_target, n_nontarget, costs.eer)
        elif metric == "auc":
            found = _area(trials, draws) / (2 * n_target * n_nontarget)
        elif metric == "cllr":
            found = _cllr(trials, draws)
        else:
            found = _cost(trials, draws, metric, costs)
    return np.where((n_target > 0) & (n_nontarget > 0), found, np.nan)


def _area(trials: Ordered, draws: Draws) -> np.ndarray:
    """Return twice how many pairs have the target above, a tie half."""
    has_target = np.flatnonzero(np.diff(trials.targets_below))
    (miss_before, rejected_before), (miss, rejected) = (
        trials.points(draws, has_target),
        trials.points(draws, has_target + 1),
    )
    return ((miss - miss_before) * (rejected + rejected_before)).sum(axis=1)


def _cost(trials: Ordered, draws: Draws, metric: str, costs: Costs) -> np.ndarray:
    if metric.startswith("act"):
        if costs.act_threshold is None:
            return np.full(len(draws.drawn), np.nan)
        at = np.array([int(np.searchsorted(trials.score, costs.act_threshold))])
    else:
        at = trials.corner
    p_miss, p_fa = _rates(trials, draws, at)
    if metric in ("act_p_miss", "act_p_fa"):
        return (p_miss if metric == "act_p_miss" else p_fa)[:, 0]
    if costs.price_miss is None or costs.price_fa is None:
        return np.full(len(draws.drawn), np.nan)
    least = (costs.price_miss * p_miss + costs.price_fa * p_fa).min(axis=1)
    return least / min(costs.price_miss, costs.price_fa) if metric.endswith("norm") else least


def _rates(trials: Ordered, draws: Draws, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return miss and false-alarm probability (each b x points) at points."""
    (miss, rejected), (all_miss, all_rejected) = trials.points(draws, at), trials.points(draws, np.array([-1]))
    return miss / all_miss, (all_rejected - rejected) / all_rejected


def _cllr(trials: Ordered, draws: Draws) -> np.ndarray:
    size = np.log1p(np.exp(-np.abs(trials.score)))
    parts = [
        draws.mean(place, np.repeat(np.maximum(side, 0) + size, np.diff(below)))
        for place, below, side in (
            (trials.target, trials.targets_below, -trials.score),
            (trials.nontarget, trials.nontargets_below, trials.score),
        )
    ]
    return (parts[0] + parts[1]) / (2 * np.log(2))


def _equal_error(trials: Ordered, draws: Draws, n_target: np.ndarray, n_nontarget: np.ndarray, rule: str) -> np.ndarray:
    """Return the equal error rate of each draw; see metric.verification_eer__v1 for the rules."""
    if rule == "convex_hull":
        return _hull_error(*_rates(trials, draws, trials.corner))

    def away(at: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        miss, rejected = trials.point(draws, at)
        false_alarm = n_nontarget - rejected
        return miss, false_alarm, miss * n_nontarget - false_alarm * n_target  # the last rises from point to point

    # the first point above is found by halving: most points of a draw are never looked at
    last = len(trials.score)
    above, below = np.full(len(n_target), last), np.zeros(len(n_target), dtype=np.int64)
    while (below < above).any():
        middle = (below + above) // 2
        is_above = away(middle)[2] > 0
        above, below = np.where(is_above, middle, above), np.where(is_above, below, np.minimum(middle + 1, above))
    before = np.maximum(above - 1, 0)
    (miss, false_alarm, low), (next_miss, next_false_alarm, high) = away(before), away(above)
    if rule == "interpolated":
        return (miss + (next_miss - miss) * (-low / (high - low))) / n_target
    if rule == "nearest_point":  # equally near: the higher threshold
        is_before = -low < high
        return (
            np.where(is_before, miss, next_miss) / n_target
            + np.where(is_before, false_alarm, next_false_alarm) / n_nontarget
        ) / 2
    return _nearest_trial(miss, false_alarm, next_miss, next_false_alarm, n_target, n_nontarget)


def _nearest_trial(
    miss: np.ndarray,
    false_alarm: np.ndarray,
    next_miss: np.ndarray,
    next_false_alarm: np.ndarray,
    n_target: np.ndarray,
    n_nontarget: np.ndarray,
) -> np.ndarray:
    """Return the mean rate of the point after single trials that is nearest; of tied trials the targets come first."""
    found, nearest = np.full(len(miss), np.nan), np.full(len(miss), np.inf)
    # steps of targets from the lower point, then of non-targets; the best of each are the whole numbers beside the
    # crossing
    exact_miss = np.clip(false_alarm * n_target / n_nontarget, miss, next_miss)
    exact_false_alarm = np.clip(next_miss * n_nontarget / n_target, next_false_alarm, false_alarm)
    for some_miss, some_false_alarm in (
        (miss, false_alarm),
        (np.floor(exact_miss), false_alarm),
        (np.ceil(exact_miss), false_alarm),
        (next_miss, np.ceil(exact_false_alarm)),
        (next_miss, np.floor(exact_false_alarm)),
        (next_miss, next_false_alarm),
    ):
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
        left_miss, left_fa, right_miss, right_fa = (
            p_miss[row, left],
            p_fa[row, left],
            p_miss[row, right],
            p_fa[row, right],
        )
        run, rise = left_fa - right_fa, right_miss - left_miss
        height = p_miss * run[:, None] + p_fa * rise[:, None]
        lowest = height.argmin(axis=1)
        is_below = (
            height[row, lowest]
            < np.minimum(left_miss * run + left_fa * rise, right_miss * run + right_fa * rise) - 1e-15
        )
        if not is_below.any():
            break
        is_left = p_miss[row, lowest] <= p_fa[row, lowest]
        left, right = np.where(is_below & is_left, lowest, left), np.where(is_below & ~is_left, lowest, right)
    slope = (left_fa - left_miss) / ((left_fa - left_miss) + (right_miss - right_fa))
    return left_miss + (right_miss - left_miss) * slope
