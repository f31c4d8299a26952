"""Affine calibration: closed forms by hand, other people's solvers, and scores that have no best scale.

With two different scores the fit goes through both shares. Of 4 targets and 6 non-targets

    score   targets  non-targets
      0        1          4          llr = ln((1/4) / (4/6)) = ln(3/8)
      1        3          2          llr = ln((3/4) / (2/6)) = ln(9/4)

at any prior, so the offset is ln(3/8) and the scale ln(9/4) - ln(3/8) = ln 6.
"""

import math

import numpy as np
import pytest
from scipy.optimize import root
from sklearn.linear_model import LogisticRegression

from tdtsql.distribution.calibration import fit_affine
from tdtsql.errors import InvalidCalibration

INF = math.inf


def fitted(targets, nontargets, prior=0.5):
    score, place = np.unique(np.concatenate([targets, nontargets]), return_inverse=True)
    n_target = np.bincount(place[: len(targets)], minlength=len(score))
    return fit_affine(score.astype(float), n_target, np.bincount(place, minlength=len(score)) - n_target, prior=prior)


@pytest.mark.parametrize("prior", [0.01, 0.5, 0.95])
@pytest.mark.parametrize(("size", "shift"), [(1, 0), (1e-300, 0), (1e300, 0), (1, 1e6), (-2, 3)])
def test_two_scores_in_closed_form(prior, size, shift):
    found = fit_affine(
        *(np.array(column) for column in sorted_by_score([shift, shift + size], [1, 3], [4, 2])), prior=prior
    )

    assert found.scale * size == pytest.approx(math.log(6), rel=1e-9 if shift > 3 else 1e-13)
    assert found.scale * shift + found.offset == pytest.approx(math.log(3 / 8), rel=1e-9 if shift > 3 else 1e-13)
    assert (found.n_target, found.n_nontarget, found.prior) == (4, 6, prior)


def sorted_by_score(*columns):
    order = np.argsort(columns[0])
    return [np.array(column)[order] for column in columns]


@pytest.mark.parametrize("prior", [0.001, 0.3, 0.5, 0.99])
@pytest.mark.parametrize("shift", [0.2, 1.5, 4])
def test_other_solvers_find_the_same(prior, shift):
    random = np.random.default_rng(5)
    targets, nontargets = random.normal(shift, 1, 300).round(2), random.normal(0, 1.4, 700).round(2)

    found = fitted(targets, nontargets, prior)

    # scikit-learn's logistic regression, with the prior as weights: its intercept holds the prior's log odds
    log_odds = math.log(prior / (1 - prior))
    scores, is_target = np.concatenate([targets, nontargets])[:, None], np.repeat([1, 0], [300, 700])
    model = LogisticRegression(C=np.inf, tol=1e-14, max_iter=10_000, solver="newton-cholesky").fit(
        scores, is_target, np.repeat([prior / 300, (1 - prior) / 700], [300, 700]) * 1000
    )
    assert found.scale == pytest.approx(model.coef_[0, 0], rel=1e-7)
    assert found.offset == pytest.approx(model.intercept_[0] - log_odds, rel=1e-6, abs=1e-7)

    # scipy's root of the gradient, begun elsewhere
    def gradient(point):
        target, nontarget = (point[0] * side + point[1] + log_odds for side in (targets, nontargets))
        pull = [-prior / 300 / (1 + np.exp(target)), (1 - prior) / 700 / (1 + np.exp(-nontarget))]
        return [
            sum(math.fsum(pulled * side) for pulled, side in zip(pull, (targets, nontargets), strict=True)),
            sum(math.fsum(pulled) for pulled in pull),
        ]

    zero = root(gradient, [model.coef_[0, 0] + 0.05, model.intercept_[0] - log_odds - 0.05], tol=1e-14).x
    assert [found.scale, found.offset] == pytest.approx(list(zero), rel=1e-10, abs=1e-11)


def test_equal_scores_count_as_often_as_they_are_there():
    random = np.random.default_rng(6)
    targets, nontargets = random.normal(1, 1, 40).round(1), random.normal(0, 1, 60).round(1)

    # each class by itself: three times the targets are the same sample
    assert fitted(np.repeat(targets, 3), nontargets).scale == pytest.approx(
        fitted(targets, nontargets).scale, rel=1e-13
    )
    assert fitted(np.repeat(targets, 3), nontargets).n_target == 120


def test_classes_that_hardly_overlap_have_a_best_scale():
    # 5,000 of each, of which two neighbours are the wrong way round: the same from both sides, so the offset is in the
    # middle
    targets, nontargets = np.concatenate([[4999], np.arange(5001, 10000)]), np.concatenate([np.arange(4999), [5000]])

    found = fitted(targets, nontargets)

    assert found.scale > 1
    assert -found.offset / found.scale == pytest.approx(4999.5, abs=1e-6)


def test_a_prior_far_from_the_scores_takes_shorter_steps():
    # one of a million of each on the wrong side: ln 10^6 at 4 and -ln 10^6 at 0, at any prior; whole steps of Newton's
    # method run away here
    found = fit_affine(np.array([0.0, 4.0]), np.array([1, 10**6]), np.array([10**6, 1]), prior=1e-9)

    assert (4 * found.scale, found.offset) == pytest.approx((2 * math.log(10**6), -math.log(10**6)), rel=1e-12)


def test_a_reversed_system_has_a_negative_scale():
    assert fit_affine(np.array([0.0, 1.0]), np.array([3, 1]), np.array([2, 4]), prior=0.5).scale == pytest.approx(
        -math.log(6)
    )


def test_infinite_scores_at_the_right_end_cost_nothing_and_count_in_their_class():
    # of 5 targets one is certain and right: of the other scores the shares are 1/5 and 3/5
    found = fit_affine(np.array([-INF, 0.0, 1.0, INF]), np.array([0, 1, 3, 1]), np.array([1, 4, 2, 0]), prior=0.5)

    # ln((1/5)/(4/7)), ln((3/5)/(2/7))
    assert found.offset == pytest.approx(math.log(7 / 20), rel=1e-13)
    assert found.scale == pytest.approx(math.log(6), rel=1e-13)


@pytest.mark.parametrize(
    ("score", "n_target", "n_nontarget", "said"),
    [
        ([0, 1], [0, 0], [1, 1], "there are no targets"),
        ([0, 1], [1, 1], [0, 0], "there are no non-targets"),
        ([0, 1], [0, 1], [1, 0], "no target is below a non-target: a larger scale always fits better"),
        ([0, 1], [1, 0], [0, 1], "no target is above a non-target"),
        # with a tie at the end of both
        ([0, 1, 2], [0, 1, 1], [1, 1, 0], "no target is below a non-target"),
        ([0, 1, 2], [1, 1, 0], [0, 1, 1], "no target is above a non-target"),
        ([3], [2], [5], "all scores are equal"),
        ([-INF, 0, 1], [2, 0, 1], [0, 1, 0], "there are 2 targets at -infinity"),
        ([0, 1, INF], [1, 1, 0], [1, 0, 1], "there are 1 non-targets at infinity"),
        ([0, 1, INF], [0, 0, 2], [1, 1, 0], "one class has infinite scores only"),
        ([0, 1, INF], [3, 1, 1], [2, 4, 0], "the finite scores of targets are not above"),
    ],
)
def test_where_no_scale_is_the_best_it_says_why(score, n_target, n_nontarget, said):
    with pytest.raises(InvalidCalibration, match=said):
        fit_affine(np.array(score, dtype=float), np.array(n_target), np.array(n_nontarget), prior=0.5)


@pytest.mark.parametrize("prior", [0, 1, -0.1, math.nan])
def test_a_prior_lies_between_0_and_1(prior):
    with pytest.raises(InvalidCalibration, match="is not between 0 and 1"):
        fit_affine(np.array([0.0, 1.0]), np.array([1, 3]), np.array([4, 2]), prior=prior)
