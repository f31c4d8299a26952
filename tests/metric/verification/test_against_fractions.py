"""Every number of scored trials against plain Python in fractions: ties, all equal, one target, perfect, reversed,
infinities.
"""

import math
from fractions import Fraction

import pytest
from hypothesis import Phase, given
from lanes import examples
from hypothesis import strategies as st

from scored_trials import SCORES, scored
from trial_oracle import Oracle

EERS = ("nearest_point", "nearest_corner", "nearest_trial", "nearest_max", "target_step", "interpolated", "convex_hull")
VIEWS = (*SCORES, "metric.verification_eer__v1")
INF = math.inf
PROFILES = {
    "bosaris": {},
    "added": {"base": "bosaris", "min_cllr": "laplace", "p_fa_stop": 0.25},
    "dear": {"base": "bosaris", "p_target": 0.125, "c_miss": 3.0, "c_fa": 0.5, "p_fa_stop": 0.28},
}


def check(cases):
    """Hold the numbers of several sets of trials, each a subset of one condition, against the oracle."""
    trials = [
        ("b", (f"case={number}",), is_target, score) for number, case in enumerate(cases) for is_target, score in case
    ]
    found = scored(trials, PROFILES, views=VIEWS)
    for number, case in enumerate(cases):
        oracle = Oracle(case)

        def of(column, profile="bosaris", number=number):
            return found[(profile, f"case={number}", "story", column)]

        exact = {name: getattr(oracle, name)() for name in (*EERS, "auc")}
        for name, value in exact.items():
            assert of(name) == pytest.approx(float(value), abs=1e-15), (name, case)
        assert of("eer") == of("convex_hull") and of("n_hull_vertex") == len(oracle.hull()), case
        for profile, stop in (("bosaris", Fraction(1, 10)), ("added", Fraction(1, 4)), ("dear", Fraction(28, 100))):
            assert of("partial_auc", profile) == pytest.approx(float(oracle.partial_auc(stop)), abs=1e-15), case
            assert of("p_hit_at_p_fa", profile) == pytest.approx(float(oracle.p_hit_at_p_fa(stop)), abs=1e-15), case
        assert of("min_cllr") == pytest.approx(oracle.min_cllr(), abs=1e-14), case
        assert of("min_cllr", "added") == pytest.approx(oracle.min_cllr(laplace=True), abs=1e-14), case
        assert of("cllr") == pytest.approx(oracle.cllr(), rel=1e-14), case
        assert of("calibration_loss") == of("cllr") - of("min_cllr"), case
        for profile, costs in (("bosaris", (Fraction(1, 2), 1, 1)), ("dear", (Fraction(1, 8), 3, Fraction(1, 2)))):
            p_target, c_miss, c_fa = costs
            assert of("min_c_det", profile) == pytest.approx(float(oracle.min_c_det(*costs)), abs=1e-15), case
            threshold = -math.log(c_miss * p_target / (c_fa * (1 - p_target)))
            miss, alarm = oracle.rates(threshold)
            assert of("act_threshold", profile) == pytest.approx(threshold, abs=1e-15)
            assert (of("act_p_miss", profile), of("act_p_fa", profile)) == (float(miss), float(alarm)), case
            assert of("act_c_det", profile) == pytest.approx(
                float(c_miss * p_target * miss + c_fa * (1 - p_target) * alarm), abs=1e-15
            ), case
        # what the definitions promise
        assert exact["convex_hull"] <= min(exact["interpolated"], Fraction(1, 2)), case
        assert -1e-12 <= of("min_cllr") <= 1 + 1e-12 and of("min_cllr") <= of("cllr") + 1e-12, case


T, N = True, False


def sides(targets, others):
    """Return the trials of these scores."""
    return [*((T, float(score)) for score in targets), *((N, float(score)) for score in others)]


#: the ends of the scale, and what is rare in random trials
CORNERS = {
    "nine trials, seven rates": sides([2, 5, 3, 4], [2, 5, 0, 3, 1]),
    "two nearest points": sides([0, 1, 1, 3], [0.5, 2]),  # 1/4 and 1/2, 3/4 and 1/2: the higher threshold, 5/8
    "all equal": [(T, 1.0)] * 3 + [(N, 1.0)] * 4,
    "one of each": [(T, 1.0), (N, 0.0)],
    "one of each, reversed": [(T, 0.0), (N, 1.0)],
    "one target, among many": [(T, 0.5)] + [(N, float(score)) for score in range(-7, 7)],
    # 7 of 25 is .28, while .28 * 25 is more than 7 in doubles: no hit, and not the one below the seventh false alarm
    "a stop at a step of 25 non-targets": [(N, float(score)) for score in range(76, 101)] + [(T, 93.5), (T, 0.0)],
    "perfect": sides(range(1, 6), [-0.0, -1, -2, -3, -4]),
    "reversed": sides(range(-1, -6, -1), range(5)),
    "infinities on both sides": [(T, INF), (T, -INF), (T, 1.0), (N, INF), (N, -INF), (N, 0.0), (N, 0.0)],
    "infinities on the right side": [(T, INF), (T, 1.0), (N, -INF), (N, 0.0)],
    "both zeros": [(T, 0.0), (N, -0.0), (T, -0.0), (N, 0.0), (T, 1.0), (N, -1.0)],
    "at the threshold": [(T, 0.0), (N, 0.0), (T, math.nextafter(0, -1)), (N, math.nextafter(0, 1))],
    "very large": [(T, -1e300), (T, 3e299), (N, 1e300), (N, 2e16), (N, -800.0), (T, 745.0)],
    "large, beside the very large ones of another subset": [(T, -9e99), (T, 2.0), (N, 1e20), (N, -1.0)],
    "equal steps, so no corners between": sides(range(9), range(9)),
    "slowly rising pools and a large tie at the top": sides(
        [*(score for score in range(1, 12) for _ in range(score)), 99, 99, 99],
        [*(score for score in range(1, 12) for _ in range(12 - score)), *[99] * 200],
    ),
}


def test_the_ends_of_the_scale():
    check(list(CORNERS.values()))


#: -9e99 is what a tracking run has for a trial without a decision; here it is a score like others
OF_TRACKING = {
    "the lowest score of a tracking run": [(T, -9e99), (N, 0.0), (N, -INF)],
    "the lowest and the highest score of a tracking run": sides(
        [-9e99, -1e100, 9e99, 1], [-9e99, -1e100, -INF, 9e99, INF]
    ),
}


def test_the_ends_of_the_scale_of_a_tracking_run_are_scores_like_others():
    check(list(OF_TRACKING.values()))


LEVELS = st.sampled_from([-INF, -9e99, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, INF])
CASES = st.lists(st.tuples(st.booleans(), st.one_of(LEVELS, st.floats(-3, 3))), max_size=24).map(
    lambda rows: [(T, 0.5), (N, -0.5), *rows]
)


@examples(default=3, full=30, phases=[Phase.explicit, Phase.generate])  # a set of trials that fails is small already
@given(st.lists(CASES, min_size=20, max_size=20))
def test_random_trials_with_and_without_ties(cases):
    check(cases)
