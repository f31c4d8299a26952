"""Numbers over resampled trials: against the definitions, one draw at a time, and against the nine trials of the seven
equal error rates; what is drawn, and windows against all trials.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, chi2, ks_2samp, multinomial
from sklearn.metrics import roc_auc_score, roc_curve

from tdtsql.compare import scored
from tdtsql.compare.scored import Measure, Sample, binomial, jackknife, observed, plan_draws, resample

#: tests/golden: one file of nine trials, each definition's own value
NINE = ([3, 5, 2, 5, 4, 2, 3, 0, 1], [1, 1, 1, 1, 0, 0, 0, 0, 0])


RULES = (
    "interpolated",
    "convex_hull",
    "nearest_point",
    "nearest_trial",
    "nearest_corner",
    "nearest_max",
    "target_step",
)


def of(score, is_target, metric, *, eer="interpolated", prices=(0.5, 0.5), threshold=0.0):
    """Return a number of the trials as they are."""
    sample = Sample(np.array(is_target, dtype=bool), np.array([score], dtype=float))
    return observed(sample, Measure(metric, eer, "none", *prices, threshold))[0]


def drawn_weights(sample, measure, n_draw, seed):
    """Return how often each trial counts in each draw, of targets and of non-targets in the order of the key."""
    problem = scored._Problem.of(sample, measure, plan_draws(sample), scored._groups(sample, measure), 0)
    blocks = list(problem.draws(n_draw, seed))
    size = [columns.size for columns in (problem.target, problem.nontarget)]
    assert all((one == 1).all() for one in size), "trials that are alike have one column: use scores without ties"
    return [
        np.concatenate([getattr(block, name) for block in blocks])[:, columns.of_trial]
        for name, columns in (("target", problem.target), ("nontarget", problem.nontarget))
    ]


@pytest.mark.parametrize(
    ("rule", "value"),
    [("interpolated", 1 / 3), ("convex_hull", 3 / 11), ("nearest_point", 13 / 40), ("nearest_trial", 9 / 20)],
)
def test_the_nine_trials(rule, value):
    assert of(*NINE, "eer", eer=rule) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(
    ("rule", "equal", "reversed_"),
    [("interpolated", 0.5, 1), ("convex_hull", 0.5, 0.5), ("nearest_point", 0.5, 1), ("nearest_trial", 1, 1)],
)
def test_the_ends_of_the_scale(rule, equal, reversed_):
    # the table of docs/explanation/eer.md
    assert of([1] * 7, [1] * 3 + [0] * 4, "eer", eer=rule) == pytest.approx(equal, abs=1e-15)
    assert of([0, 1, 2, 3], [1, 1, 0, 0], "eer", eer=rule) == pytest.approx(reversed_, abs=1e-15)
    assert of([0, 1, 2, 3], [0, 0, 1, 1], "eer", eer=rule) == 0


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
def test_a_sample_with_ties_has_the_number_of_its_definition(metric, rule, levels):
    random = np.random.default_rng(levels)
    is_target = random.random(40) < 0.4
    score = (random.integers(0, levels, 40) + (levels // 3) * is_target) / levels  # ties between the classes too

    for _ in range(5):
        at = np.concatenate(
            [random.choice(np.flatnonzero(of_class), of_class.sum()) for of_class in (is_target, ~is_target)]
        )
        assert of(score[at], is_target[at], metric, eer=rule, prices=(0.75, 0.25), threshold=0.5) == pytest.approx(
            float(defined(score[at].tolist(), is_target[at].tolist(), metric, rule)), abs=1e-12
        )


@pytest.mark.parametrize(
    ("metric", "rule"),
    [
        *((name, "interpolated") for name in ("auc", "min_c_det_norm", "act_c_det", "cllr", "min_cllr")),
        *(("eer", rule) for rule in RULES),
    ],
)
def test_a_draw_is_a_sample_like_any_other(metric, rule):
    random = np.random.default_rng(5)
    is_target = random.random(60) < 0.4
    score = np.stack([random.normal(0, 1, 60) + gain * is_target for gain in (1.0, 1.5)])
    sample, measure = Sample(is_target, score), Measure(metric, rule, "none", 0.75, 0.25, 0.5)
    found = resample(sample, measure, n_draw=20, seed=3).values
    # the draws are those of every metric; decisions and pools of scores are fewer columns
    target, nontarget = drawn_weights(sample, Measure("auc"), 20, 3)

    assert (target.sum(axis=1) == is_target.sum()).all() and (nontarget.sum(axis=1) == (~is_target).sum()).all()
    for draw in range(20):
        at = np.concatenate(
            [
                np.repeat(np.flatnonzero(is_target), target[draw]),
                np.repeat(np.flatnonzero(~is_target), nontarget[draw]),
            ]
        )
        again = observed(Sample(is_target[at], score[:, at]), measure)
        assert found[:, draw] == pytest.approx(again, abs=1e-12)


def test_scikit_learn_has_the_same_area_and_crossing():
    random = np.random.default_rng(3)
    is_target = random.random(500) < 0.3
    score = (random.normal(0, 1, 500) + is_target).round(1)

    assert of(score, is_target, "auc") == pytest.approx(roc_auc_score(is_target, score), abs=1e-12)
    fpr, tpr, _ = roc_curve(is_target, score, drop_intermediate=False)
    at = np.argmax(fpr >= 1 - tpr)
    gap, after = (1 - tpr[at - 1]) - fpr[at - 1], fpr[at] - (1 - tpr[at])
    assert of(score, is_target, "eer") == pytest.approx(
        fpr[at - 1] + (fpr[at] - fpr[at - 1]) * gap / (gap + after), abs=1e-12
    )


def test_draws_by_trial_are_multinomial_in_each_class():
    is_target = np.array([True] * 4 + [False] * 3)
    target, nontarget = drawn_weights(Sample(is_target, np.arange(7.0)[None, :]), Measure("auc"), 20_000, 1)

    for drawn, n, kinds in ((target, 4, 35), (nontarget, 3, 10)):
        seen, count = np.unique(drawn, axis=0, return_counts=True)
        expected = 20_000 * multinomial.pmf(seen, n, [1 / n] * n)
        assert len(seen) == kinds
        assert chi2.sf(((count - expected) ** 2 / expected).sum(), kinds - 1) > 0.001


def test_a_seed_gives_the_same_draws_whatever_is_computed_together(monkeypatch):
    random = np.random.default_rng(2)
    is_target = random.random(400) < 0.3
    sample = Sample(is_target, np.stack([random.normal(0, 1, 400) + gain * is_target for gain in (1, 2)]))
    whole = resample(sample, Measure("eer"), n_draw=50, seed=1).values
    monkeypatch.setattr(scored, "_TOGETHER", 1_000)

    assert (resample(sample, Measure("eer"), n_draw=50, seed=1).values == whole).all()
    assert (resample(sample, Measure("eer"), n_draw=50, seed=2).values != whole).any()
    alone = resample(Sample(is_target, sample.scores[:1]), Measure("eer"), n_draw=50, seed=1).values
    assert (alone[0] == whole[0]).all(), "up to DRAWN_SINGLY trials the other runs do not change the draws"


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("metric", "rule"),
    [
        *((name, "interpolated") for name in ("min_c_det_norm", "act_c_det_norm", "auc", "cllr", "min_cllr")),
        *(("eer", rule) for rule in RULES),
    ],
)
def test_a_window_gives_the_distribution_of_all_trials(monkeypatch, metric, rule):
    random = np.random.default_rng(8)
    is_target = random.random(1_500) < 0.2
    shared = random.normal(0, 0.7, 1_500)
    sample = Sample(
        is_target, np.stack([shared + random.normal(0, 0.7, 1_500) + gain * is_target for gain in (2, 2.2)])
    )
    measure = Measure(metric, rule, "none", 0.05, 0.95, 1.5)
    plain = resample(sample, measure, n_draw=300, seed=1).values
    monkeypatch.setattr(scored, "DRAWN_SINGLY", 100)
    monkeypatch.setattr(scored, "MERGED", 200)
    problem = scored._Problem.of(sample, measure, plan_draws(sample), scored._groups(sample, measure), 0)
    windowed = resample(sample, measure, n_draw=300, seed=1).values
    monkeypatch.setattr(scored, "_TOGETHER", 1_000)

    assert (resample(sample, measure, n_draw=300, seed=1).values == windowed).all(), "whatever is held at a time"
    if metric not in ("auc", "cllr"):
        assert len(problem.target.size) + len(problem.nontarget.size) < 1_100, "most trials are merged"
    # difference of the runs: the draws are paired in both
    for one, other in zip((*plain, plain[1] - plain[0]), (*windowed, windowed[1] - windowed[0]), strict=True):
        assert ks_2samp(one, other).pvalue > 0.001


@pytest.mark.parametrize(("metric", "addition"), [("min_cllr", "none"), ("min_cllr", "laplace"), ("auc", "none")])
def test_trials_that_few_are_alike_with_are_drawn_singly_with_the_same_numbers(monkeypatch, metric, addition):
    monkeypatch.setattr(scored, "DRAWN_SINGLY", 100)
    rng = np.random.default_rng(11)
    is_target = rng.random(900) < 0.3
    scores = np.array([rng.normal(size=900) + is_target * move for move in (1.0, 1.5)]).round(2)
    sample, measure = Sample(is_target, scores), Measure(metric, min_cllr=addition)
    parts = plan_draws(sample), scored._groups(sample, measure), 0
    alike, single = (scored._Problem.of(sample, measure, *parts, is_drawn=is_drawn) for is_drawn in (False, True))
    assert len(alike.nontarget.size) < len(single.nontarget.size) == (~is_target).sum()
    assert [drawn.nontarget.dtype for drawn in single.draws(1, 5)] == [np.uint8]
    with np.errstate(all="ignore"):
        [(expected, _)] = [alike.numbers(drawn) for drawn in alike.draws(40, 5)]
    assert resample(sample, measure, n_draw=40, seed=5).values.tobytes() == expected.tobytes()


def test_a_window_that_is_too_small_is_doubled(monkeypatch):
    random = np.random.default_rng(4)
    is_target = random.random(2_000) < 0.2
    sample = Sample(is_target, (random.normal(0, 1, 2_000) + 2 * is_target)[None, :])
    monkeypatch.setattr(scored, "DRAWN_SINGLY", 100)
    for metric, rule in (("min_c_det", ""), ("eer", "convex_hull"), ("eer", "interpolated"), ("eer", "nearest_corner")):
        measure = Measure(metric, rule, "none", 0.05, 0.95)
        monkeypatch.setattr(scored, "WINDOW", 0.05)
        monkeypatch.setattr(scored, "MARGIN", 0.001)
        small = resample(sample, measure, n_draw=200, seed=1).values
        monkeypatch.setattr(scored, "WINDOW", 1_000.0)
        monkeypatch.setattr(scored, "MARGIN", 1_000.0)
        assert ks_2samp(small[0], resample(sample, measure, n_draw=200, seed=1).values[0]).pvalue > 0.001


def test_binomial_numbers():
    share = np.random.default_rng(1).random(20_000)
    for n, p in ((12, 0.3), (1, 0.5), (5_000, 0.002), (300, 0.97)):
        seen, count = np.unique(binomial(share, np.full(20_000, n), p), return_counts=True)
        expected = 20_000 * binom.pmf(seen, n, p)
        often = expected > 5
        assert chi2.sf((((count - expected) ** 2 / expected)[often]).sum(), often.sum() - 1) > 0.001
    assert (
        binomial(share[:2], np.array([7, 0]), 1.0).tolist() == [7, 0] and binomial(share[:1], np.array([7]), 0.0) == 0
    )


def test_trials_drawn_together_are_multinomial():
    for n_trial, n_drawn, least in ((3, 4, 2), (3, 40, 36)):  # drawn one by one alone; most of them as Poisson numbers
        together = scored._together(scored.raw_stream(3), n_trial, least)
        seen, count = np.unique([together(n_drawn) for _ in range(20_000)], axis=0, return_counts=True)
        expected = 20_000 * multinomial.pmf(seen, n_drawn, [1 / n_trial] * n_trial)
        often = expected > 5
        assert seen.sum(axis=1).tolist() == [n_drawn] * len(seen)
        assert chi2.sf(((count - expected) ** 2 / expected)[often].sum(), often.sum() - 1) > 0.001
    together = scored._together(scored.raw_stream(4), 200_000, 200_000)
    count = np.bincount(np.concatenate([together(200_000) for _ in range(10)]))[:9]
    expected = 2_000_000 * binom.pmf(np.arange(len(count)), 200_000, 1 / 200_000)
    assert chi2.sf(((count - expected) ** 2 / expected)[:7].sum(), 6) > 0.001


def clusters(side, is_target, **more):
    return Sample(np.array(is_target, dtype=bool), np.arange(float(len(is_target)))[None, :], None, side, **more)


def test_what_is_drawn_is_decided_by_the_data():
    labels = [1, 1, 1, 0, 0, 0]
    together = plan_draws(clusters((np.array([0, 1, 1, 0, 1, 1]),), labels))
    assert (together.kind, together.n_unit) == ("together", (2,))
    apart = plan_draws(clusters((np.array([0, 1, 1, 2, 3, 4]),), labels))
    assert (apart.kind, apart.n_unit, apart.target.tolist(), apart.nontarget.tolist()) == (
        "apart",
        (2, 3),
        [0, 1, 1],
        [0, 1, 2],
    )
    for bona_fide in (-1, 0):  # no value, or one: attacks restrict the other class alone
        attacks = plan_draws(clusters((np.array([bona_fide] * 3 + [1, 2, 2]),), labels))
        assert (attacks.kind, attacks.n_unit, attacks.target) == ("apart", (2,), None)
    lone = plan_draws(clusters((np.array([0, 1, -1, 0, 1, -1]),), labels))
    assert (lone.kind, lone.n_unit, lone.n_lone) == ("together", (4,), 2)
    sides = plan_draws(clusters((np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1])), labels))
    assert (sides.kind, sides.n_unit) == ("sides", (3, 2))


def test_a_trial_counts_as_often_as_its_clusters():
    labels = [1, 1, 0, 0, 0]
    one, two = np.array([0, 1, 0, 1, 2]), np.array([0, 1, 1, 0, 2])
    target, nontarget = drawn_weights(clusters((one, two), labels, is_one_population=True), Measure("auc"), 200, 1)
    # trials 0 and 1 are units 0 and 1 against themselves, trials 2 and 3 both pairs of them, trial 4 unit 2 itself
    assert (nontarget[:, 0] == target[:, 0] * target[:, 1]).all() and (nontarget[:, 1] == nontarget[:, 0]).all()
    assert (target[:, 0] + target[:, 1] + nontarget[:, 2] == 3).all()
    target, nontarget = drawn_weights(clusters((one, two), labels), Measure("auc"), 4_000, 1)
    assert np.cov(target[:, 0], nontarget[:, 0])[0, 1] == pytest.approx(2 / 3 * (2 / 3 + 1) - 2 / 3 * 1, abs=0.6)


def test_draws_without_a_class_have_no_number():
    # three times the third speaker, who has no target: 1/27 of the draws
    found = resample(clusters((np.array([0, 1, 0, 1, 2]),), [1, 1, 0, 0, 0]), Measure("eer"), n_draw=2_700, seed=1)
    assert found.n_undefined == np.isnan(found.values).sum() and 60 < found.n_undefined < 140


def test_the_jackknife_leaves_out_one_unit_of_each_stratum():
    random = np.random.default_rng(6)
    is_target = random.random(30) < 0.5
    score = random.normal(0, 1, 30).round(1) + is_target
    sample, measure = Sample(is_target, score[None, :]), Measure("auc")
    found = jackknife(sample, measure)
    for (multiplicity, values), of_class in zip(found, (is_target, ~is_target), strict=True):
        mine = [of(np.delete(score, trial), np.delete(is_target, trial), "auc") for trial in np.flatnonzero(of_class)]
        assert sorted(np.repeat(values[0], multiplicity)) == pytest.approx(sorted(mine), abs=1e-12)
