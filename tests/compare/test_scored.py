"""Numbers of drawn trials: held against the definitions, one draw at a time, and against the nine trials of the seven
equal error rates.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import multinomial
from sklearn.metrics import roc_auc_score, roc_curve

from tdtsql.compare.scored import Costs, Draws, Ordered, drawn_trials, numbers

#: tests/golden: one file of nine trials, each definition's own value
NINE = ([3, 5, 2, 5, 4, 2, 3, 0, 1], [1, 1, 1, 1, 0, 0, 0, 0, 0])


def of(score, is_target, metric, *, drawn=None, eer="interpolated", prices=(0.5, 0.5), threshold=0.0):
    trials = Ordered.of(np.arange(len(score)), np.array(score, dtype=float), np.array(is_target, dtype=bool))
    return numbers(
        trials,
        Draws(np.ones((1, len(score)), dtype=int) if drawn is None else np.array(drawn)),
        metric,
        Costs(eer, *prices, threshold),
    )


@pytest.mark.parametrize(
    ("rule", "value"),
    [("interpolated", 1 / 3), ("convex_hull", 3 / 11), ("nearest_point", 13 / 40), ("nearest_trial", 9 / 20)],
)
def test_the_nine_trials(rule, value):
    assert of(*NINE, "eer", eer=rule)[0] == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(
    ("rule", "equal", "reversed_"),
    [("interpolated", 0.5, 1), ("convex_hull", 0.5, 0.5), ("nearest_point", 0.5, 1), ("nearest_trial", 1, 1)],
)
def test_the_ends_of_the_scale(rule, equal, reversed_):
    # the table of docs/eer.md
    assert of([1] * 7, [1] * 3 + [0] * 4, "eer", eer=rule)[0] == pytest.approx(equal, abs=1e-15)
    assert of([0, 1, 2, 3], [1, 1, 0, 0], "eer", eer=rule)[0] == pytest.approx(reversed_, abs=1e-15)
    assert of([0, 1, 2, 3], [0, 0, 1, 1], "eer", eer=rule)[0] == 0


def hull_error(miss, fa):
    """Return the largest over priors of the least error rate, in fractions: at a prior where two lines of points
    cross.
    """
    points = list(zip(miss, fa, strict=True))
    priors = {Fraction(0), Fraction(1)}
    for a, b in points:
        for c, d in points:
            if (a - b) - (c - d):
                priors.add((d - b) / ((a - b) - (c - d)))
    return max(min(prior * a + (1 - prior) * b for a, b in points) for prior in priors if 0 <= prior <= 1)


def defined(score, is_target, metric, rule):
    """Return a number of trials by its definition in fractions, none of them running counts."""
    targets = sorted(value for value, label in zip(score, is_target, strict=True) if label)
    others = sorted(value for value, label in zip(score, is_target, strict=True) if not label)
    levels = [*sorted(set(score)), math.inf]
    miss = [Fraction(sum(value < level for value in targets), len(targets)) for level in levels]
    fa = [Fraction(sum(value >= level for value in others), len(others)) for level in levels]
    if metric == "auc":
        return Fraction(
            sum(2 * (one > other) + (one == other) for one in targets for other in others),
            2 * len(targets) * len(others),
        )
    if metric == "min_c_det_norm":
        return min(3 * one + other for one, other in zip(miss, fa, strict=True))
    if metric == "act_c_det_norm":
        return 3 * Fraction(sum(value < 0.5 for value in targets), len(targets)) + Fraction(
            sum(value >= 0.5 for value in others), len(others)
        )
    if metric == "cllr":
        return (
            math.fsum(math.log2(1 + math.exp(-value)) for value in targets) / len(targets)
            + math.fsum(math.log2(1 + math.exp(value)) for value in others) / len(others)
        ) / 2
    if rule == "convex_hull":
        return hull_error(miss, fa)
    if rule == "nearest_trial":
        # one by one, of equal scores the targets first
        ordered = sorted(zip(score, [not label for label in is_target], strict=True))
        points, missed, alarms = [(Fraction(0), Fraction(1))], 0, len(others)
        for _, is_other in ordered:
            missed, alarms = missed + (not is_other), alarms - is_other
            points.append((Fraction(missed, len(targets)), Fraction(alarms, len(others))))
        one, other = min(points, key=lambda point: abs(point[0] - point[1]))
        return (one + other) / 2
    if rule == "nearest_point":
        one, other = min(reversed(list(zip(miss, fa, strict=True))), key=lambda point: abs(point[0] - point[1]))
        return (one + other) / 2
    place = max(at for at in range(len(levels)) if miss[at] <= fa[at])
    gap, after = fa[place] - miss[place], miss[place + 1] - fa[place + 1]
    return miss[place] + (miss[place + 1] - miss[place]) * gap / (gap + after)


@pytest.mark.parametrize(
    ("metric", "rule"),
    [
        ("auc", ""),
        ("min_c_det_norm", ""),
        ("act_c_det_norm", ""),
        ("cllr", ""),
        *(("eer", rule) for rule in ("interpolated", "convex_hull", "nearest_point", "nearest_trial")),
    ],
)
@pytest.mark.parametrize("levels", [3, 8, 1000])
def test_a_draw_is_a_sample_like_any_other(metric, rule, levels):
    random = np.random.default_rng(levels)
    is_target = random.random(40) < 0.4
    score = (random.integers(0, levels, 40) + (levels // 3) * is_target) / levels  # ties between the classes too
    drawn = np.concatenate(list(drawn_trials(40, 60, seed=7)))

    found = of(score, is_target, metric, drawn=drawn, eer=rule, prices=(0.75, 0.25), threshold=0.5)

    for row, value in zip(drawn.astype(int), found, strict=True):
        sample = np.repeat(np.arange(40), row)
        assert value == pytest.approx(
            float(defined(score[sample].tolist(), is_target[sample].tolist(), metric, rule)), abs=1e-12
        )


def test_scikit_learn_has_the_same_area_and_crossing():
    random = np.random.default_rng(3)
    is_target = random.random(500) < 0.3
    score = random.normal(0, 1, 500) + is_target
    weight = random.multinomial(500, [1 / 500] * 500)

    assert of(score, is_target, "auc", drawn=[weight])[0] == pytest.approx(
        roc_auc_score(is_target, score, sample_weight=weight), abs=1e-12
    )
    fpr, tpr, _ = roc_curve(is_target, score, sample_weight=weight, drop_intermediate=False)
    at = np.argmax(fpr >= 1 - tpr)
    gap, after = (1 - tpr[at - 1]) - fpr[at - 1], fpr[at] - (1 - tpr[at])
    assert of(score, is_target, "eer", drawn=[weight])[0] == pytest.approx(
        fpr[at - 1] + (fpr[at] - fpr[at - 1]) * gap / (gap + after), abs=1e-12
    )


def test_draws_are_multinomial_and_the_same_for_a_seed():
    drawn = np.concatenate(list(drawn_trials(4, 20_000, seed=1)))

    assert (drawn.sum(axis=1) == 4).all()
    seen, count = np.unique(drawn, axis=0, return_counts=True)
    expected = 20_000 * multinomial.pmf(seen, 4, [0.25] * 4)
    assert ((count - expected) ** 2 / expected).sum() < 60  # 35 kinds of draws, 34 degrees of freedom: p = .004
    assert len(seen) == 35
    assert (np.concatenate(list(drawn_trials(4, 20_000, seed=1))) == drawn).all()
    assert (np.concatenate(list(drawn_trials(4, 20_000, seed=2))) != drawn).any()


def test_what_is_drawn_together_does_not_change_the_draws(monkeypatch):
    whole = np.concatenate(list(drawn_trials(50, 30, seed=1)))
    monkeypatch.setattr("tdtsql.compare.scored._TOGETHER", 120)
    parts = list(drawn_trials(50, 30, seed=1))

    assert len(parts) == 15 and (np.concatenate(parts) == whole).all()


def test_clusters_are_drawn_whole():
    unit = np.array([0, 1, 0, 2, 1, 2, 2])
    drawn = np.concatenate(list(drawn_trials(7, 500, seed=3, unit=unit)))

    for one, other in ((0, 2), (1, 4), (3, 5), (3, 6)):
        assert (drawn[:, one] == drawn[:, other]).all()
    assert (drawn[:, 0] + drawn[:, 1] + drawn[:, 3] == 3).all()


def test_without_a_target_a_draw_has_no_number():
    assert np.isnan(of([0, 1], [0, 1], "eer", drawn=[[2, 0], [0, 2], [1, 1]])).tolist() == [True, True, False]
    assert np.isnan(of([0, 1], [0, 1], "min_c_det", prices=(None, None)))
