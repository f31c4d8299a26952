"""The highest target score below each trial, found in slices, against the definition, on scores that slices do not
suit.
"""

import bisect
import random

import pytest

from trial_model import Answer, Trial, fetch, load

LOWEST = -9e99
BELOW = (0.0, 1)  #: level and is_below of what is below all targets


def _even(draw):
    return draw.uniform(-5, 7)


def _all_in_one_slice(draw):
    return 10.0 ** draw.uniform(-300, 0)


def _ends_of_the_scale(draw):
    return draw.choice([LOWEST, 9e99, -0.0, 0.0, 1e-320, -1e-320, draw.uniform(-1e90, 1e90), draw.uniform(0, 1)])


def _neighbours(draw):
    """Doubles that differ in their last bits, around a limit between two slices."""
    return 1.0 + draw.randrange(-8, 8) * 2.0**-52


def _one_value(_):
    return 0.25


SHAPES = {
    "even": _even,
    "exponential": _all_in_one_slice,
    "ends": _ends_of_the_scale,
    "neighbours": _neighbours,
    "one value": _one_value,
}


def _case(name, share_of_targets, seed, n=400):
    draw = random.Random(f"{name} {seed}")
    return [
        Trial(draw.choice(["T1", "T2"]), draw.random() < share_of_targets, (Answer(True, SHAPES[name](draw)),))
        for _ in range(n)
    ]


CASES = {
    f"{name} {share}": _case(name, share, seed) for name in SHAPES for seed, share in enumerate((0.5, 0.02, 0.0, 1.0))
}


@pytest.fixture(scope="module")
def levels():
    """Return (score, level) of every trial by number of the run, in store order."""
    with load(CASES) as con:
        rows = fetch(con, "detection_det_level")
        curves = {row["curve_no"]: row["run_no"] for row in fetch(con, "detection_curve_block")}
    found = {}
    for row in rows:
        found.setdefault(curves[row["curve_no"]], []).append(
            (row["score"], (row["level"], row["is_below"]), row["is_target"])
        )
    return found


@pytest.mark.parametrize("name", CASES)
def test_level_is_the_highest_target_score_that_is_not_above(levels, name):
    case = CASES[name]
    targets = sorted({trial.answers[0].score for trial in case if trial.is_target})
    wanted = [
        (
            score,
            (targets[place - 1], 0) if (place := bisect.bisect_right(targets, score)) else BELOW,
            int(trial.is_target),
        )
        for trial in case
        for score in [trial.answers[0].score]
    ]

    assert sorted(levels[list(CASES).index(name) + 1]) == sorted(wanted)
