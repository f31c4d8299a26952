"""Several runs against a baseline.

    topic   base    good    same          good - base
    T1      0.50    0.10    0.50             -0.40
    T2      0.40    0.20    0.40             -0.20
    T3      0.30    0.30    0.30              0.00
    T4      0.20    0.30    0.20              0.10
    mean    0.35   0.225    0.35            -0.125

Lower is better: good wins 2, ties 1, loses 1. Of the 8 sign patterns of
(0.4, 0.2, 0.1) |sum| >= 0.5 holds for 0.7, 0.5 and their mirrors: p = 4/8.
Holm over two tests doubles it: 1.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from tdtsql.compare import bootstrap, fixed, randomisation
from tdtsql.compare.fixed import PairSums
from tdtsql.compare.paired import Method, all_pairs, compare_pairs, pairs_against, topic_differences
from tdtsql.compare.topics import TopicMatrix, align
from tdtsql.errors import InvalidComparison

WORKED = align(
    {
        "base": {"T1": 0.5, "T2": 0.4, "T3": 0.3, "T4": 0.2},
        "good": {"T1": 0.1, "T2": 0.2, "T3": 0.3, "T4": 0.3},
        "same": {"T1": 0.5, "T2": 0.4, "T3": 0.3, "T4": 0.2},
    }
)
QUICK = {"n_permutation": 500, "n_resample": 500}


def test_worked_example():
    family = compare_pairs(WORKED, pairs_against(WORKED.runs, ["base"]), best="lowest", method=Method(**QUICK))
    good, same = family.rows

    assert (good.run, good.baseline, good.n_topic) == ("good", "base", 4)
    assert good.mean == pytest.approx(0.225)
    assert good.baseline_mean == pytest.approx(0.35)
    assert good.difference == pytest.approx(-0.125)
    assert (good.win, good.tie, good.loss) == (2, 1, 1)
    assert (good.p, good.p_adjusted, good.exact, good.mc_error) == (0.5, 1.0, True, 0.0)
    assert good.low < good.difference < good.high
    assert (same.win, same.tie, same.loss, same.p) == (0, 4, 0, 1.0)
    assert math.isnan(same.effect_size)
    assert (same.low, same.high) == (0.0, 0.0)
    assert family.family_size == 2


def test_wins_turn_into_losses_where_higher_is_better():
    [good, _] = compare_pairs(WORKED, pairs_against(WORKED.runs, ["base"]), best="highest", method=Method(**QUICK)).rows

    assert (good.win, good.tie, good.loss) == (1, 1, 2)
    assert good.difference == pytest.approx(-0.125)


def test_several_baselines_make_one_family():
    assert pairs_against(["a", "b", "c", "d"], ["a", "b"]) == [
        ("c", "a"),
        ("d", "a"),
        ("c", "b"),
        ("d", "b"),
        ("b", "a"),
    ]
    assert all_pairs(["a", "b", "c"]) == [("b", "a"), ("c", "a"), ("c", "b")]


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "wilcoxon"])
@pytest.mark.parametrize("interval", ["bca", "percentile", "t"])
def test_every_test_and_interval_sees_a_clear_difference(test, interval):
    generator = np.random.default_rng(2)
    base = generator.random(60)
    matrix = align(
        {
            "base": {f"T{index}": value for index, value in enumerate(base)},
            "worse": {
                f"T{index}": value + 0.2 + noise
                for index, (value, noise) in enumerate(zip(base, generator.normal(0, 0.1, 60)))
            },
        }
    )
    [row] = compare_pairs(
        matrix, [("worse", "base")], best="lowest", method=Method(test=test, interval=interval, **QUICK)
    ).rows

    assert row.p < 0.01
    assert 0.15 < row.low < row.difference < row.high < 0.25


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "wilcoxon"])
def test_rounding_is_no_evidence(test):
    # 0.1 + 0.2 and 0.3 differ by 5.6e-17 on every topic, always in the same direction
    matrix = align(
        {
            "a": {f"T{index}": 0.3 + index for index in range(30)},
            "b": {f"T{index}": 0.1 + 0.2 + index for index in range(30)},
        }
    )
    [row] = compare_pairs(matrix, [("b", "a")], best="lowest", method=Method(test=test, **QUICK)).rows

    assert (row.p, row.tie, row.difference) == (1.0, 30, 0.0)


@pytest.mark.parametrize("interval", ["bca", "percentile", "t"])
def test_differences_equal_but_for_the_last_bit_have_no_variance(interval):
    # one false alarm of 55 more on every topic: 4.9/55, in different bits
    counts = range(3, 15)
    matrix = align({"a": {f"T{k}": 4.9 * k / 55 for k in counts}, "b": {f"T{k}": 4.9 * (k + 1) / 55 for k in counts}})
    assert len({4.9 * (k + 1) / 55 - 4.9 * k / 55 for k in counts}) > 1
    [row] = compare_pairs(matrix, [("b", "a")], best="lowest", method=Method(test="t", interval=interval, **QUICK)).rows

    assert math.isnan(row.effect_size)
    assert (row.p, row.low, row.high) == (0.0, row.difference, row.difference)
    assert row.difference == pytest.approx(4.9 / 55)
    assert row.reason == "the differences do not vary: no effect size"


def test_large_numbers_tie_as_small_ones_do():
    # sums over 9 topics of kilometres, each summed in another order: the last bits differ
    far = [1e6 / 3 + index for index in range(9)]
    matrix = align(
        {
            "a": {f"T{index}": value for index, value in enumerate(far)},
            "b": {f"T{index}": value + 1 / 7 - 1 / 7 for index, value in enumerate(far)},
        }
    )
    [row] = compare_pairs(matrix, [("b", "a")], best="lowest", method=Method(**QUICK)).rows

    assert (row.p, row.tie, row.difference) == (1.0, 9, 0.0)


def test_topics_come_sorted_by_the_size_of_the_difference():
    rows = topic_differences(WORKED, "good", "base")

    assert [row[0] for row in rows] == ["T1", "T2", "T4", "T3"]
    assert rows[0][3] == pytest.approx(-0.4)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "wilcoxon"])
@pytest.mark.parametrize("interval", ["bca", "percentile", "t"])
def test_one_topic_is_compared_without_pretending(test, interval):
    matrix = align({"a": {"T1": 0.1}, "b": {"T1": 0.8}})
    family = compare_pairs(matrix, [("b", "a")], best="lowest", method=Method(test=test, interval=interval, **QUICK))
    [row] = family.rows

    assert all(
        math.isnan(value)
        for value in (row.p, row.p_adjusted, row.low, row.high, row.effect_size, row.mc_error, family.smallest_p)
    )
    # the mean of one value is that value
    assert (row.mean, row.baseline_mean, row.difference, row.loss) == (0.8, 0.1, 0.8 - 0.1, 1)
    assert row.reason == "one topic: no test and no interval"
    assert family.family_size == 0


def eight_runs(n_topic: int):
    """Return runs of which each is worse than the one before on every topic."""
    return align(
        {
            f"r{run}": {f"T{topic:02}": run + topic / 100 + run * topic / 1000 for topic in range(n_topic)}
            for run in range(8)
        }
    )


@pytest.mark.parametrize(
    ("correction", "smallest"),
    # 2 of the 2^10 sign patterns are as extreme as can be; Holm's best of 28 tests pays 28 times
    [
        ("holm", 28 * 2 / 2**10),
        ("bh", 2 / 2**10),
        ("none", 2 / 2**10),
    ],
)
def test_the_smallest_p_that_can_be_reached(correction, smallest):
    matrix = eight_runs(10)
    family = compare_pairs(matrix, all_pairs(matrix.runs), best="lowest", method=Method(correction=correction, **QUICK))

    assert (family.family_size, family.n_differing) == (28, 10)
    assert family.smallest_p == smallest
    # and it is reached: all runs differ in the same direction on all topics
    assert min(row.p_adjusted for row in family.rows) == pytest.approx(smallest)


@pytest.mark.parametrize(("test", "smallest"), [("wilcoxon", 2 / 2**10), ("t", 0.0), ("bootstrap", 1 / 501)])
def test_the_smallest_p_of_the_other_tests(test, smallest):
    matrix = align({"a": {f"T{k}": 0.0 for k in range(10)}, "b": {f"T{k}": 1.0 + k for k in range(10)}})
    family = compare_pairs(matrix, [("b", "a")], best="lowest", method=Method(test=test, **QUICK))

    assert family.smallest_p == smallest
    assert smallest <= family.rows[0].p < 0.003


def test_drawn_patterns_and_topics_that_tie_bound_p_too():
    many = eight_runs(40)
    assert compare_pairs(many, [("r1", "r0")], best="lowest", method=Method(**QUICK)).smallest_p == 1 / 501
    # WORKED: good differs on 3 topics, same on none
    family = compare_pairs(WORKED, pairs_against(WORKED.runs, ["base"]), best="lowest", method=Method(**QUICK))
    assert (family.smallest_p, family.n_differing) == (2 * 2 / 2**3, 3)
    [row] = compare_pairs(WORKED, [("same", "base")], best="lowest", method=Method(**QUICK)).rows
    assert row.p == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "anova"}, "test 'anova' is unknown. One of: randomisation, bootstrap, t, wilcoxon."),
        ({"correction": "sidak"}, "correction 'sidak' is unknown. One of: holm, bh, none."),
        ({"interval": "exact"}, "interval 'exact' is unknown. One of: bca, percentile, t."),
        ({"level": 95}, "level 95 is not between 0 and 1. Give 0.95, for example."),
        ({"seed": -1}, "seed -1 is negative. Give a whole number from 0."),
        ({"n_resample": 0}, "at least one permutation and one resample are needed. Give 100000 and 10000."),
    ],
)
def test_a_wrong_method_is_named(arguments, message):
    with pytest.raises(InvalidComparison) as caught:
        Method(**arguments).of_topics()

    assert str(caught.value) == message


def test_a_run_beside_itself_an_unknown_one_and_infinity_are_refused():
    with pytest.raises(InvalidComparison, match="cannot be compared with itself"):
        compare_pairs(WORKED, [("good", "good")], best="lowest")
    with pytest.raises(InvalidComparison, match="run 'gone' is not among the compared runs. One of: base, good, same."):
        compare_pairs(WORKED, [("gone", "base")], best="lowest")
    with pytest.raises(InvalidComparison, match="nothing to compare"):
        compare_pairs(WORKED, [], best="lowest")
    infinite = align({"a": {"T1": 1.0}, "b": {"T1": math.inf}})
    with pytest.raises(InvalidComparison, match="a value is infinite"):
        compare_pairs(infinite, [("b", "a")], best="lowest")


@pytest.mark.parametrize(("digits", "is_by_run"), [(0, True), (3, True), (17, False)])
def test_sums_of_runs_give_the_numbers_of_pairs(monkeypatch, digits, is_by_run):
    values = np.random.default_rng(3).random((50, 5)).round(digits)
    runs, topics = tuple("abcde"), tuple(f"t{number}" for number in range(50))
    matrix = TopicMatrix(runs, topics, values, (), 0, "common")
    method = Method(n_permutation=200, n_resample=200)
    made = []
    monkeypatch.setattr(fixed, "TOGETHER", 300)

    def by_pair(whole, values, pairs, unit):
        made.append(PairSums(whole, values, pairs, unit)._pairs is not None)
        return PairSums(whole, None, None, unit)

    for clusters in (None, {topic: number // 3 for number, topic in enumerate(topics)}):
        found = compare_pairs(matrix, all_pairs(runs), best="highest", method=method, clusters=clusters)
        with monkeypatch.context() as patched:
            for module in (randomisation, bootstrap):
                patched.setattr(module, "PairSums", by_pair)
            again = compare_pairs(matrix, all_pairs(runs), best="highest", method=method, clusters=clusters)
        assert found == again, "bit for bit"
    assert made == [is_by_run] * 4


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t"])
def test_a_leader_leaves_its_pairs_as_they_are_and_the_others_without_an_interval(test):
    values = np.random.default_rng(3).random((50, 4))
    matrix = TopicMatrix(tuple("abcd"), tuple(f"t{number}" for number in range(50)), values, (), 0, "common")
    method = Method(test=test, n_permutation=200, n_resample=200)

    every = compare_pairs(matrix, all_pairs("abcd"), best="highest", method=method)
    some = compare_pairs(matrix, all_pairs("abcd"), best="highest", method=method, leader="c")

    having = [row.run + row.baseline for row in some.rows if not math.isnan(row.low)]
    assert having == ["ca", "cb", "dc"]
    for row, whole in zip(some.rows, every.rows, strict=True):
        is_whole = row.run + row.baseline in having
        assert row == whole if is_whole else replace(row, low=whole.low, high=whole.high) == whole
        assert not row.reason
