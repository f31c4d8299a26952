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

import numpy as np
import pytest
from sklearn.metrics import det_curve

from tdtsql.compare.det import TopicCounts, counts_at_thresholds, det_band
from tdtsql.errors import InvalidComparison

SCORES = np.array([9.0, 5, 6, 1, 1, 1, 7, 8, 2])
TARGET = np.array([1, 1, 0, 0, 0, 0, 1, 0, 0], dtype=bool)
TOPIC = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1])


def simulated(shift: float, seed: int, n_topic: int = 30) -> TopicCounts:
    generator = np.random.default_rng(seed)
    topic = np.repeat(np.arange(n_topic), 60)
    is_target = np.tile(np.arange(60) < 10, n_topic)
    scores = generator.normal(0, 1, len(topic)) + shift * is_target + np.repeat(generator.normal(0, 0.4, n_topic), 60)
    return counts_at_thresholds(scores, is_target, topic, n_topic=n_topic)


def test_worked_example():
    counts = counts_at_thresholds(SCORES, TARGET, TOPIC, n_topic=2)
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
    counts = counts_at_thresholds(scores, is_target, np.zeros(400, dtype=int), n_topic=1, n_point=1000)

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
    band = det_band(simulated(2.0, 1), simulated(0.8, 2), np.array([0.02, 0.1, 0.3]), weighting="topic", n_resample=300, seed=1)

    assert (band.high < 0).all()
    assert ((band.high_all - band.low_all) >= (band.high - band.low) * 0.98).all()


def test_the_same_seed_gives_the_same_bits():
    one, other = (
        det_band(simulated(1.0, 1), simulated(0.8, 2), np.array([0.1]), weighting="story", n_resample=100, seed=9)
        for _ in range(2)
    )

    assert one.low.tobytes() == other.low.tobytes()


def test_topics_without_targets_are_no_miss_rate():
    counts = counts_at_thresholds(
        np.array([5.0, 1.0, 3.0]), np.array([True, False, False]), np.array([0, 0, 1]), n_topic=2
    )
    band = det_band(counts, None, np.array([0.0]), weighting="topic", n_resample=200, seed=1)

    assert band.value.tolist() == [0.0]
    assert band.n_resample < 200  # a draw of the second topic twice has no target


def test_no_target_at_all_and_other_topics_are_refused():
    nothing = counts_at_thresholds(np.array([1.0]), np.array([False]), np.array([0]), n_topic=1)
    with pytest.raises(InvalidComparison, match="no target or no non-target"):
        det_band(nothing, None, np.array([0.1]), weighting="topic", n_resample=5, seed=1)
    with pytest.raises(InvalidComparison, match="do not have the same topics"):
        det_band(simulated(1.0, 1, 4), simulated(1.0, 1, 5), np.array([0.1]), weighting="topic", n_resample=5, seed=1)
    with pytest.raises(InvalidComparison, match="weighting 'none' has no DET curve. One of: topic, story."):
        det_band(simulated(1.0, 1), None, np.array([0.1]), weighting="none", n_resample=5, seed=1)
