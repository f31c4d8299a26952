"""DET curves at equal false-alarm rates, one run on two topics:

topic   targets' scores     non-targets' scores
T0      9, 5                6, 1, 1, 1
T1      7                   8, 2

threshold   T0 miss  T1 miss  p_miss (topic)    T0 fa  T1 fa   p_fa (topic)
inf             2/2      1/1            1         0/4    0/2          0
9               1/2      1/1          3/4         0/4    0/2          0
8               1/2      1/1          3/4         0/4    1/2        1/4
7               1/2      0/1          1/4         0/4    1/2        1/4
6               1/2      0/1          1/4         1/4    1/2        3/8
5               0/2      0/1            0         1/4    1/2        3/8
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from lanes import examples
from hypothesis import strategies as st
from sklearn.metrics import det_curve

from tdtsql.compare.det import Decisions, det_band, miss_rates, thresholds
from tdtsql.errors import InvalidComparison

SCORES = np.array([9.0, 5, 6, 1, 1, 1, 7, 8, 2])
TARGET = np.array([1, 1, 0, 0, 0, 0, 1, 0, 0], dtype=bool)
TOPIC = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1])


def decisions(scores: np.ndarray, is_target: np.ndarray, topic: np.ndarray, *, n_topic: int) -> Decisions:
    """The decisions of a run that decided every trial."""
    n_target, n_nontarget = (np.bincount(topic[flags], minlength=n_topic) for flags in (is_target, ~is_target))
    return Decisions(scores, is_target, topic, n_target, n_nontarget)


def simulated(shift: float, seed: int, n_topic: int = 30) -> Decisions:
    generator = np.random.default_rng(seed)
    topic = np.repeat(np.arange(n_topic), 60)
    is_target = np.tile(np.arange(60) < 10, n_topic)
    scores = generator.normal(0, 1, len(topic)) + shift * is_target + np.repeat(generator.normal(0, 0.4, n_topic), 60)
    return decisions(scores, is_target, topic, n_topic=n_topic)


def test_worked_example():
    counts = decisions(SCORES, TARGET, TOPIC, n_topic=2)
    rates = np.array([0.0, 0.2, 0.25, 0.375, 1.0])

    topic = det_band(counts, None, rates, weighting="topic", n_resample=10, seed=1)
    story = det_band(counts, None, rates, weighting="story", n_resample=10, seed=1)

    assert topic.value == pytest.approx([0.75, 0.75, 0.25, 0.0, 0.0])
    # pooled: misses 2/3 at 0 false alarms, 1/3 at 1 of 6, 0 at 2 of 6
    assert story.value == pytest.approx([2 / 3, 1 / 3, 1 / 3, 0.0, 0.0])


def test_pooled_points_lie_on_scikit_learns_curve():
    generator = np.random.default_rng(3)
    scores, is_target = np.round(generator.normal(0, 1, 400), 1), generator.random(400) < 0.2
    scores = scores + is_target
    false_alarm, miss, _ = det_curve(is_target, scores)
    counts = decisions(scores, is_target, np.zeros(400, dtype=int), n_topic=1)

    band = det_band(counts, None, false_alarm, weighting="story", n_resample=2, seed=1)

    lowest = [miss[false_alarm <= rate + 1e-12].min() for rate in false_alarm]
    assert band.value == pytest.approx(lowest, abs=1e-12)


def test_a_run_does_not_differ_from_itself():
    counts = simulated(1.0, 1)
    band = det_band(counts, counts, np.linspace(0.01, 0.9, 9), weighting="topic", n_resample=50, seed=1)

    assert not band.value.any()
    assert not band.low_all.any()
    assert not band.high_all.any()


def test_the_band_leaves_zero_for_a_better_run_and_the_simultaneous_one_is_wider():
    band = det_band(
        simulated(2.0, 1), simulated(0.8, 2), np.array([0.02, 0.1, 0.3]), weighting="topic", n_resample=300, seed=1
    )

    assert (band.high < 0).all()
    assert ((band.high_all - band.low_all) >= (band.high - band.low) * 0.98).all()


def test_the_same_seed_gives_the_same_bits():
    one, other = (
        det_band(simulated(1.0, 1), simulated(0.8, 2), np.array([0.1]), weighting="story", n_resample=100, seed=9)
        for _ in range(2)
    )

    assert one.low.tobytes() == other.low.tobytes()


def test_topics_without_targets_are_no_miss_rate():
    counts = decisions(np.array([5.0, 1.0, 3.0]), np.array([True, False, False]), np.array([0, 0, 1]), n_topic=2)
    band = det_band(counts, None, np.array([0.0]), weighting="topic", n_resample=200, seed=1)

    assert band.value.tolist() == [0.0]
    assert band.n_resample < 200  # a draw of the second topic twice has no target


def test_no_target_at_all_and_other_topics_are_refused():
    nothing = decisions(np.array([1.0]), np.array([False]), np.array([0]), n_topic=1)
    with pytest.raises(InvalidComparison, match="no target or no non-target"):
        det_band(nothing, None, np.array([0.1]), weighting="topic", n_resample=5, seed=1)
    with pytest.raises(InvalidComparison, match="do not have the same topics"):
        det_band(simulated(1.0, 1, 4), simulated(1.0, 1, 5), np.array([0.1]), weighting="topic", n_resample=5, seed=1)
    with pytest.raises(InvalidComparison, match="weighting 'none' has no DET curve. One of: topic, story."):
        det_band(simulated(1.0, 1), None, np.array([0.1]), weighting="none", n_resample=5, seed=1)


def lowest_miss(run: Decisions, x: float, weighting: str) -> Fraction:
    """Return the exact miss rate at false-alarm rate x, over every threshold that there is."""
    best = Fraction(1)
    for threshold in set(run.scores.tolist()):
        sums = {}
        for flags, size, name in ((run.is_target, run.n_target, "yes"), (~run.is_target, run.n_nontarget, "alarm")):
            count = [int(((run.topic == t) & flags & (run.scores >= threshold)).sum()) for t in range(len(size))]
            rates = [Fraction(c, int(n)) for c, n in zip(count, size) if n]
            sums[name] = sum(rates) / len(rates) if weighting == "topic" else Fraction(sum(count), int(size.sum()))
        if sums["alarm"] <= Fraction(x) + Fraction(1, 10**12):
            best = min(best, 1 - sums["yes"])
    return best


@examples(default=15, full=200)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.booleans(), st.integers(0, 3)), min_size=2, max_size=60),
    st.sampled_from(["topic", "story"]),
    st.integers(2, 6),
)
def test_values_are_exact_however_few_thresholds_are_kept(rows, weighting, n_point):
    rows = [*rows, (3, True, 0), (2, False, 0)]
    scores, is_target, topic = (np.array(column) for column in zip(*rows))
    run = decisions(scores.astype(float), is_target.astype(bool), topic, n_topic=4)
    rates = np.array([0.0, 0.05, 1 / 3, 0.5, 1.0])
    expected = [lowest_miss(run, x, weighting) for x in rates]

    assert miss_rates(run, rates, weighting=weighting)[0] == expected
    assert det_band(run, None, rates, weighting=weighting, n_resample=2, seed=1, n_point=n_point).value.tolist() == [
        float(value) for value in expected
    ]


def test_a_difference_is_that_of_the_exact_rates_with_400_targets_and_3000_others():
    generator = np.random.default_rng(12)
    is_target = np.arange(3400) < 400
    sides = [
        decisions(generator.normal(0, 1, 3400) + 2.2 * is_target, is_target, np.zeros(3400, dtype=int), n_topic=1)
        for _ in range(2)
    ]
    rates = np.array([0.0001, 0.001, 0.01, 0.1, 0.4])

    for n_point in (1000, 20):
        band = det_band(*sides, rates, weighting="topic", n_resample=5, seed=1, n_point=n_point)
        assert band.value.tolist() == [
            float(lowest_miss(sides[0], x, "story") - lowest_miss(sides[1], x, "story")) for x in rates
        ]
        assert band.n_threshold == 400
        assert (band.n_threshold_drawn == 400) == (n_point == 1000)


@pytest.mark.full
def test_scores_of_targets_are_all_the_thresholds_of_any_draw():
    run = simulated(1.0, 3, n_topic=8)
    every = np.unique(run.scores)[::-1]
    assert len(thresholds(run)) < len(every)
    rates = np.array([0.01, 0.1, 0.3])
    band = det_band(run, None, rates, weighting="topic", n_resample=40, seed=5)

    # the same draws, curve by curve over every score
    from tdtsql.compare.resampling import resample_blocks

    drawn = []
    for counts in next(iter(resample_blocks(8, 40, 5))):
        miss, alarm = (
            np.array(
                [[((run.topic == t) & flags & (run.scores >= s)).sum() / size[t] for t in range(8)] for s in every]
            )
            @ counts
            / 8
            for flags, size in ((run.is_target, run.n_target), (~run.is_target, run.n_nontarget))
        )
        drawn.append([1 - max([0.0, *miss[alarm <= x + 1e-12]]) for x in rates])
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)

    assert band.low == pytest.approx(low, abs=1e-9)
    assert band.high == pytest.approx(high, abs=1e-9)


def test_trials_without_a_decision_are_misses_or_never_false_alarms():
    made = decisions(SCORES, TARGET, TOPIC, n_topic=2)
    run = Decisions(made.scores, made.is_target, made.topic, made.n_target + [2, 0], made.n_nontarget + [0, 2])

    # T0 misses 2 of 4 in the end, T1 none; T1 has 1 false alarm of 4
    assert det_band(
        run, None, np.array([0.0, 0.25, 1.0]), weighting="topic", n_resample=5, seed=1
    ).value == pytest.approx([7 / 8, 1 / 4, 1 / 4])


def test_one_topic_has_a_curve_and_no_band():
    run = decisions(np.array([2.0, 1.0, 3.0]), np.array([True, True, False]), np.zeros(3, dtype=int), n_topic=1)
    band = det_band(run, None, np.array([0.5, 1.0]), weighting="topic", n_resample=50, seed=1)

    assert band.value.tolist() == [1.0, 0.0]
    assert np.isnan([band.low, band.high, band.low_all, band.high_all]).all()
    assert band.n_resample == 0
