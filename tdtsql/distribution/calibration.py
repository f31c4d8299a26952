"""Affine calibration: scores become logarithms of likelihood ratios, llr = scale * score + offset.

Scale and offset are those of least cross entropy at a prior P of targets (prior-weighted logistic regression), with T
targets and N non-targets, each class by itself:

    P/T * sum over targets of ln(1 + exp(-(llr + logit P)))  +  (1 - P)/N * sum over non-targets of ln(1 + exp(llr +
    logit P))

which is convex, so it has one minimum unless a threshold (or a reversed one) parts the classes: then a larger scale
always costs less. Newton's method with halved steps, on scores of mean 0 and standard deviation 1. Equal scores are one
term with a count, terms are in the order of the scores, and the sums have a fixed order: the result is bitwise
identical for any order of the trials and any number of threads. Between machines exp and ln may differ in the last
bit. numpy is enough for two unknowns; the stopping rule of a general optimiser would change with its version.

Source: N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (Computer Speech and Language
    20, 2006), section 6 (logistic regression at an effective prior); what FoCal and the BOSARIS toolkit call linear
    calibration.
"""

import math
from dataclasses import dataclass

import numpy as np

from tdtsql.errors import InvalidCalibration, InvalidSetting

#: more steps than any fit needs: a step of Newton's method doubles the digits once it is near
MOST_STEPS = 200
#: a step of this size, in standard deviations and units of llr, is rounding
SMALLEST_STEP = 1e-13
#: steps below this size are not halved; the smallest difference of costs is rounding there
WHOLE_STEP = 1e-4


@dataclass(frozen=True, slots=True)
class Affine:
    """Conversion of scores to natural logarithms of likelihood ratios."""

    scale: float
    offset: float
    prior: float  #: of targets, where it was fitted
    n_target: int
    n_nontarget: int


def fit_affine(score: np.ndarray, n_target: np.ndarray, n_nontarget: np.ndarray, *, prior: float) -> Affine:
    """Return the calibration of least cross entropy at a prior.

    Args:
        score: G different scores, ascending; an infinite one costs nothing at the end where its class belongs.
        n_target: G, targets with that score.
        n_nontarget: G, non-targets with that score.
        prior: of targets, above 0 and below 1.

    Raises:
        InvalidCalibration: the cross entropy has no minimum; the message gives the reason.
    """
    if not 0 < prior < 1:
        raise InvalidSetting(f"prior {prior!r} is not between 0 and 1. Give 0.5, for example.")
    total_target, total_nontarget = int(n_target.sum()), int(n_nontarget.sum())
    for total, lacking in ((total_target, "targets"), (total_nontarget, "non-targets")):
        if not total:
            raise InvalidCalibration(
                f"there are no {lacking}: nothing tells what a score is worth. Fit on trials of both classes."
            )
    _check_infinite(score, n_target, n_nontarget)
    finite = np.isfinite(score)
    score, of_target, of_nontarget = (
        score[finite],
        n_target[finite].astype(np.float64),
        n_nontarget[finite].astype(np.float64),
    )
    _check_overlap(score, of_target, of_nontarget)
    size = float(np.abs(score).max())  # before the mean: a sum of large scores must not be infinite
    count = of_target + of_nontarget
    standardised = score / size
    mean = float((count * standardised).sum() / count.sum())
    spread = math.sqrt(float((count * (standardised - mean) ** 2).sum() / count.sum()))
    slope, level = _newton(
        (standardised - mean) / spread,
        of_target * (prior / total_target),
        of_nontarget * ((1 - prior) / total_nontarget),
        math.log(prior) - math.log1p(-prior),
    )
    scale = slope / spread / size
    if scale <= 0 and not finite.all():
        raise InvalidCalibration(
            "the finite scores of targets are not above those of non-targets, and infinite ones are: no scale fits "
            "both. Check the infinite scores."
        )
    return Affine(scale + 0.0, level - slope * (mean / spread) + 0.0, prior, total_target, total_nontarget)


def _check_infinite(score: np.ndarray, n_target: np.ndarray, n_nontarget: np.ndarray) -> None:
    for lost, count in (
        ("targets at -infinity", n_target[score == -math.inf].sum()),
        ("non-targets at infinity", n_nontarget[score == math.inf].sum()),
    ):
        if count:
            raise InvalidCalibration(
                f"there are {int(count)} {lost}: at any scale their cross entropy is infinite. Take the infinite "
                f"scores back to finite ones."
            )


def _check_overlap(score: np.ndarray, n_target: np.ndarray, n_nontarget: np.ndarray) -> None:
    """Refuse scores whose classes are separable by a threshold."""
    targets, nontargets = score[n_target > 0], score[n_nontarget > 0]
    if not len(targets) or not len(nontargets):
        raise InvalidCalibration(
            "one class has infinite scores only: no scale is the best. Fit on trials whose scores are finite."
        )
    if score[0] == score[-1]:
        raise InvalidCalibration("all scores are equal: no scale is better than another. Fit on scores that differ.")
    for above, below, words in (
        (targets, nontargets, "no target is below a non-target"),
        (nontargets, targets, "no target is above a non-target"),
    ):
        if above[0] >= below[-1]:
            raise InvalidCalibration(
                f"{words}: a larger scale always fits better, and none is the best. Fit on more trials, or on harder "
                f"ones."
            )


def _newton(
    standardised: np.ndarray, of_target: np.ndarray, of_nontarget: np.ndarray, log_odds: float
) -> tuple[float, float]:
    """Return slope and level of the least cross entropy; weights of both classes sum to 1 where all
    scores are finite.
    """
    slope, level = 0.0, 0.0
    cost = _cross_entropy(standardised, of_target, of_nontarget, slope, level + log_odds)
    last = math.inf
    for _ in range(MOST_STEPS):
        posterior = _logistic(slope * standardised + (level + log_odds))
        pull = of_nontarget * posterior - of_target * (1 - posterior)
        bend = (of_target + of_nontarget) * posterior * (1 - posterior)
        slope_slope, slope_level, level_level = (
            float((bend * standardised * standardised).sum()),
            float((bend * standardised).sum()),
            float(bend.sum()),
        )
        determinant = slope_slope * level_level - slope_level * slope_level
        if not determinant > 0:
            break
        down_slope, down_level = float((pull * standardised).sum()), float(pull.sum())
        step_slope = (level_level * down_slope - slope_level * down_level) / determinant
        step_level = (slope_slope * down_level - slope_level * down_slope) / determinant
        step = max(abs(step_slope) / (1 + abs(slope)), abs(step_level) / (1 + abs(level)))
        share = 1.0
        if step > WHOLE_STEP:
            while (
                not (
                    lower := _cross_entropy(
                        standardised,
                        of_target,
                        of_nontarget,
                        slope - share * step_slope,
                        level - share * step_level + log_odds,
                    )
                )
                < cost
            ):
                share /= 2
                if share < 1e-12:
                    raise InvalidCalibration(
                        "no scale was found: the range of the scores is too large for double precision. Clip outliers."
                    )
            cost = lower
        slope, level = slope - share * step_slope, level - share * step_level
        # near the minimum each step is the square of the one before, until rounding stops that
        if step <= SMALLEST_STEP or (step <= WHOLE_STEP and step >= last / 2):
            return slope, level
        last = step
    raise InvalidCalibration(
        "no scale was found: the classes hardly overlap, or the scores lie too far apart for double precision. Fit on "
        "more trials."
    )


def _cross_entropy(
    standardised: np.ndarray, of_target: np.ndarray, of_nontarget: np.ndarray, slope: float, level: float
) -> float:
    log_odds = slope * standardised + level
    rest = np.log1p(np.exp(-np.abs(log_odds)))
    return float(
        (of_target * (np.maximum(-log_odds, 0) + rest)).sum() + (of_nontarget * (np.maximum(log_odds, 0) + rest)).sum()
    )


def _logistic(log_odds: np.ndarray) -> np.ndarray:
    small = np.exp(-np.abs(log_odds))
    return np.where(log_odds >= 0, 1 / (1 + small), small / (1 + small))
