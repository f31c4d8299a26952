"""A second implementation of the numbers of scored trials, trial by trial in exact fractions, written from the
definitions independently of the SQL.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, pairwise

#: of one trial: is it a target, and its score
Scored = tuple[bool, float]


class Oracle:
    """Every number of one set of trials with targets and non-targets."""

    def __init__(self, trials: Sequence[Scored]):
        self.trials = list(trials)
        self.tar = sorted(score for is_target, score in trials if is_target)
        self.non = sorted(score for is_target, score in trials if not is_target)
        self.t, self.n = len(self.tar), len(self.non)
        #: from accept-all to reject-all: (p_miss, p_fa) of every threshold
        levels = [*sorted({score + 0.0 for _, score in trials}), None]
        self.points = [self.rates(level) for level in levels]

    def rates(self, threshold: float | None) -> tuple[Fraction, Fraction]:
        """Return (p_miss, p_fa) with yes if score >= threshold; None: always no."""
        miss = sum(threshold is None or score < threshold for score in self.tar)
        alarm = sum(threshold is not None and score >= threshold for score in self.non)
        return Fraction(miss, self.t), Fraction(alarm, self.n)

    # ---- equal error rates

    def nearest_point(self, points=None) -> Fraction:
        miss, alarm = self._nearest(self.points if points is None else points)
        return (miss + alarm) / 2

    @staticmethod
    def _nearest(points):
        return min(enumerate(points), key=lambda entry: (abs(entry[1][0] - entry[1][1]), -entry[0]))[1]

    def corners(self) -> list[tuple[Fraction, Fraction]]:
        """Return the points that scikit-learn's roc_curve leaves, upwards, and reject-all."""
        listed = self.points[:-1][::-1]
        kept = [
            point
            for place, point in enumerate(listed)
            if place in (0, len(listed) - 1)
            or any(listed[place + 1][side] - 2 * point[side] + listed[place - 1][side] for side in (0, 1))
        ]
        return [*kept[::-1], self.points[-1]]

    def nearest_corner(self) -> Fraction:
        return self.nearest_point(self.corners())

    def nearest_max(self) -> Fraction:
        return max(self._nearest(self.corners()))

    def nearest_trial(self) -> Fraction:
        passed = [(Fraction(0), Fraction(1))]
        for is_target, _ in sorted(self.trials, key=lambda trial: (trial[1], not trial[0])):
            miss, alarm = passed[-1]
            passed.append((miss + Fraction(1, self.t), alarm) if is_target else (miss, alarm - Fraction(1, self.n)))
        miss, alarm = min(passed, key=lambda point: abs(point[0] - point[1]))
        return (miss + alarm) / 2

    def target_step(self) -> Fraction:
        for i in range(self.t):
            if self.non[max(0, self.n - 1 - self.n * i // self.t)] < self.tar[i]:
                return Fraction(i, self.t)
        return Fraction(self.t - 1, self.t)

    @staticmethod
    def crossing(points) -> Fraction:
        """Return p_miss where the polygon through points crosses p_miss = p_fa."""
        for (miss, alarm), (miss_above, alarm_above) in pairwise(points):
            if miss <= alarm and miss_above > alarm_above:
                below, above = miss - alarm, miss_above - alarm_above
                return miss + (-below / (above - below)) * (miss_above - miss)
        raise AssertionError("no crossing")

    def interpolated(self) -> Fraction:
        return self.crossing(self.points)

    def hull(self) -> list[tuple[Fraction, Fraction]]:
        """Return the vertices of the lower convex hull, from accept-all: points where all lines to the points above are
        steeper than all to those below.
        """

        def steepness(low, high):
            return (high[0] - low[0]) / (low[1] - high[1]) if low[1] != high[1] else math.inf

        inner = [
            point
            for place, point in enumerate(self.points[1:-1], start=1)
            if max(steepness(low, point) for low in self.points[:place])
            < min(steepness(point, high) for high in self.points[place + 1 :])
        ]
        return [self.points[0], *inner, self.points[-1]]

    def convex_hull(self) -> Fraction:
        return self.crossing(self.hull())

    # ---- areas

    def auc(self) -> Fraction:
        won = sum(
            Fraction(1) if one > other else Fraction(1, 2) if one == other else Fraction(0)
            for one in self.tar
            for other in self.non
        )
        return won / (self.t * self.n)

    def partial_auc(self, stop: Fraction) -> Fraction:
        corners = self.corners()[::-1]
        return sum(
            (
                (alarm_below - alarm) * (2 - miss - miss_below) / 2
                for (miss, alarm), (miss_below, alarm_below) in pairwise(corners)
                if alarm_below <= stop
            ),
            Fraction(0),
        )

    def p_hit_at_p_fa(self, stop: Fraction) -> Fraction:
        corners = self.corners()[::-1]
        if exact := [1 - miss for miss, alarm in corners if alarm == stop]:
            return min(exact)
        for (miss, alarm), (miss_below, alarm_below) in pairwise(corners):
            if alarm < stop < alarm_below:
                return 1 - miss + (miss - miss_below) * (stop - alarm) / (alarm_below - alarm)
        raise AssertionError("no such rate")

    # ---- costs

    def min_c_det(self, p_target: Fraction, c_miss: Fraction, c_fa: Fraction) -> Fraction:
        return min(c_miss * p_target * miss + c_fa * (1 - p_target) * alarm for miss, alarm in self.points)

    def cllr(self) -> float:
        def cost(x):
            return math.inf if x == math.inf else max(x, 0.0) + math.log1p(math.exp(-abs(x)))

        return (
            (
                math.fsum(cost(-score) for score in self.tar) / self.t
                + math.fsum(cost(score) for score in self.non) / self.n
            )
            / 2
            / math.log(2)
        )

    def min_cllr(self, *, laplace: bool = False) -> float:
        """Return the cost after pool adjacent violators, with a list that is scanned until no neighbours are out of
        order.
        """
        groups = [
            [
                sum(kind for kind, _ in same),
                sum(not kind for kind, _ in same),
                sum(kind for kind, _ in same),
                sum(not kind for kind, _ in same),
            ]
            for same in (
                list(rows)
                for _, rows in groupby(
                    sorted(self.trials, key=lambda trial: trial[1]), key=lambda trial: trial[1] + 0.0
                )
            )
        ]
        if laplace:
            groups = [[1, 0, 0, 0], [0, 1, 0, 0], *groups, [1, 0, 0, 0], [0, 1, 0, 0]]
        place = 0
        while place + 1 < len(groups):
            low, high = groups[place], groups[place + 1]
            if Fraction(low[0], low[0] + low[1]) >= Fraction(high[0], high[0] + high[1]):
                groups[place : place + 2] = [[a + b for a, b in zip(low, high, strict=True)]]
                place = max(0, place - 1)
            else:
                place += 1
        total = 0.0
        for target, nontarget, real_target, real_nontarget in groups:
            if target and nontarget:
                odds = Fraction(nontarget * self.t, target * self.n)
                total += float(Fraction(real_target, self.t)) * math.log2(1 + odds) + float(
                    Fraction(real_nontarget, self.n)
                ) * math.log2(1 + 1 / odds)
        return total / 2
