"""Paired bootstrap over topics.

By hand: differences (0, 1), two topics. The four equally likely draws have
means 0, 1/2, 1/2, 1; the distribution of many draws must show 1/4, 1/2, 1/4.

Differences of rates are multiples of one fraction, so resampled means tie with
the observed one all the time. The oracle of these cases is the distribution of
all draws in fractions.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

from tdtsql.compare import bootstrap
from tdtsql.compare.bootstrap import Interval, bca_interval, bootstrap_means, percentile_interval
from tdtsql.compare.distribution import normal_cdf, normal_quantile
from tdtsql.compare.fixed import difference

SKEWED = np.array([0.01, 0.02, 0.02, 0.05, 0.08, 0.11, 0.3, 0.7, -0.02, 0.04, 0.0, 0.13])


def distribution(values: np.ndarray, n_resample: int = 4000) -> np.ndarray:
    return bootstrap_means(values[:, None], n_resample=n_resample, seed=7).means[:, 0]


def bca(values: np.ndarray, n_resample: int = 4000, *, level: float = 0.95) -> Interval:
    made = bootstrap_means(values[:, None], n_resample=n_resample, seed=7)
    return bca_interval(made.means[:, 0], values, share_below=float(made.share_below[0]), level=level)


def test_two_topics_have_the_four_draws_of_the_table():
    means = distribution(np.array([0.0, 1.0]), 100_000)

    shares = [(means == value).mean() for value in (0.0, 0.5, 1.0)]

    assert sum(shares) == pytest.approx(1.0)
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.01)


def test_bca_is_scipys_on_the_same_resamples():
    means = distribution(SKEWED)
    # scipy is handed our resamples: it draws none of its own and corrects them
    given = scipy.stats._resampling.BootstrapResult(None, means, None)
    for level in (0.8, 0.95):
        oracle = scipy.stats.bootstrap(
            (SKEWED,), np.mean, n_resamples=0, method="BCa", confidence_level=level, bootstrap_result=given
        ).confidence_interval
        ours = bca(SKEWED, level=level)
        assert (ours.low, ours.high) == pytest.approx((oracle.low, oracle.high), rel=1e-9)


def test_percentile_is_scipys_on_the_same_resamples():
    means = distribution(SKEWED)
    given = scipy.stats._resampling.BootstrapResult(None, means, None)
    oracle = scipy.stats.bootstrap(
        (SKEWED,), np.mean, n_resamples=0, method="percentile", bootstrap_result=given
    ).confidence_interval

    ours = percentile_interval(means, level=0.95)

    assert (ours.low, ours.high) == pytest.approx((oracle.low, oracle.high), rel=1e-12)


def test_bca_follows_the_skew_that_percentile_ignores():
    means = distribution(SKEWED)
    corrected, percentile = bca(SKEWED), percentile_interval(means, level=0.95)

    assert corrected.low > percentile.low
    assert corrected.high > percentile.high


def test_intervals_are_those_of_scipys_own_resamples_within_simulation():
    oracle = scipy.stats.bootstrap((SKEWED,), np.mean, n_resamples=20_000, method="BCa", rng=3).confidence_interval
    ours = bca(SKEWED, 20_000)

    assert (ours.low, ours.high) == pytest.approx((oracle.low, oracle.high), abs=0.01)


def test_equal_differences_have_an_interval_of_no_width():
    values = np.full(5, 0.25)

    assert bca(values) == Interval(0.25, 0.25)
    assert percentile_interval(distribution(values), level=0.95).high == 0.25


def test_one_topic_has_no_interval():
    assert math.isnan(bca(np.array([0.5])).high)


def test_no_resample_gives_nan_not_a_crash():
    empty = np.empty(0)

    assert math.isnan(percentile_interval(empty, level=0.95).low)
    assert math.isnan(bca_interval(empty, SKEWED, share_below=0.5, level=0.95).low)


def test_p_of_the_shifted_bootstrap_is_small_for_a_clear_difference_and_one_for_none():
    clear = bootstrap_means(np.linspace(0.5, 1.0, 30)[:, None], n_resample=999, seed=1)
    none = bootstrap_means(np.zeros((30, 1)), n_resample=999, seed=1)

    assert clear.p.tolist() == [1 / 1000]
    assert none.p.tolist() == [1.0]


def test_a_missing_topic_is_left_out_of_its_own_comparison_only():
    two = np.array([[1.0, 1.0], [3.0, np.nan], [2.0, 5.0]])

    result = bootstrap_means(two, n_resample=1000, seed=1)

    assert result.observed.tolist() == [2.0, 3.0]


# ---- ties

#: 84 cases: false alarms of one run minus those of another on 5 to 16 topics, of so many non-targets
CASES = [(31, [1, 0, 0, 1, 1, 0, 1, 0, -1, 0, 1, 0]), (97, [-2, 0, 3, 1, 0, 0, 0, 1, 1, 1])]
for seed in range(82):
    generator = np.random.default_rng(seed)
    size = int(generator.choice([7, 13, 31, 55, 97, 997, 30_011]))
    CASES.append((size, generator.choice([-2, -1, 0, 0, 0, 1, 1, 2, 3], size=int(generator.integers(5, 17))).tolist()))


def rates(size: int, counts: list[int]) -> np.ndarray:
    """Return the differences as they come out of a store: of two rates that were rounded."""
    return difference(
        np.array([(5 + max(k, 0)) / size for k in counts]), np.array([(5 + max(-k, 0)) / size for k in counts])
    )


def all_sums(counts: list[int]) -> dict[int, Fraction]:
    """Return sum -> chance of all draws, grown draw by draw."""
    chance = {0: Fraction(1)}
    for _ in counts:
        grown: dict[int, Fraction] = {}
        for total, p in chance.items():
            for k in counts:
                grown[total + k] = grown.get(total + k, Fraction(0)) + p / len(counts)
        chance = grown
    return chance


def exact_p(counts: list[int]) -> Fraction:
    return sum(p for total, p in all_sums(counts).items() if abs(total - sum(counts)) >= abs(sum(counts)))


def exact_share(counts: list[int]) -> Fraction:
    chance, observed = all_sums(counts), sum(counts)
    return sum(p for total, p in chance.items() if total < observed) + chance[observed] / 2


@pytest.mark.sample(20)
@pytest.mark.parametrize(("size", "counts"), CASES)
def test_p_and_the_share_below_are_those_of_all_draws_within_simulation(size, counts):
    made = bootstrap_means(rates(size, counts)[:, None], n_resample=20_000, seed=11)

    for ours, exact in ((made.p[0], exact_p(counts)), (made.share_below[0], exact_share(counts))):
        error = math.sqrt(float(exact * (1 - exact)) / 20_000)
        assert abs(ours - exact) <= 5 * error + 1 / 20_000


@pytest.mark.sample(20)
@pytest.mark.parametrize(("size", "counts"), CASES)
def test_bca_ends_are_quantiles_of_all_draws(size, counts):
    if len(set(counts)) == 1:
        pytest.skip("no variance")
    ours = bca(rates(size, counts), 20_000)

    deviations = [k - Fraction(sum(counts), len(counts)) for k in counts]
    acceleration = float(sum(d**3 for d in deviations)) / (6 * float(sum(d**2 for d in deviations)) ** 1.5)
    bias, chance = normal_quantile(float(exact_share(counts))), all_sums(counts)
    for end, tail in ((ours.low, 0.025), (ours.high, 0.975)):
        shifted = bias + normal_quantile(tail)
        level = normal_cdf(bias + shifted / (1 - acceleration * shifted))
        # simulation moves the bias, and with it the level, a little: the quantiles just below and above it; 1e-6: ends
        # lie on the grid of 1e-12
        error = 5 * math.sqrt(level * (1 - level) / 20_000) + 0.004
        below, above = (quantile(chance, min(max(level + e, 0.0), 1.0)) for e in (-error, error))
        assert below - 1e-6 <= end * size * len(counts) <= above + 1e-6


def quantile(chance: dict[int, Fraction], level: float) -> int:
    """Return the smallest sum up to which lies a share of ``level``."""
    reached = Fraction(0)
    for total in sorted(chance):
        reached += chance[total]
        if reached >= Fraction(level) - Fraction(1, 10**12):
            return total
    return max(chance)


@pytest.mark.parametrize(
    ("size", "counts"),
    [(31, [1, 0, 2, -1, 0]), (97, [-2, 0, 3, 1, 1]), (7, [1, 2, -3, 1, 0, 0]), (30_011, [1, 1, 2, 0, -1])],
)
def test_all_draws_once_give_the_fractions(monkeypatch, size, counts):
    def every_draw(columns, n_resample, seed):
        yield np.array(
            [columns[list(draw)].sum(axis=0) for draw in itertools.product(range(len(columns)), repeat=len(columns))]
        ).T

    n = len(counts) ** len(counts)
    monkeypatch.setattr(bootstrap, "resample_sums", every_draw)
    made = bootstrap_means(rates(size, counts)[:, None], n_resample=n, seed=1)

    assert made.p[0] == pytest.approx(float((exact_p(counts) * n + 1) / (n + 1)), rel=1e-14)
    assert made.share_below[0] == pytest.approx(float(exact_share(counts)), rel=1e-14)


def test_the_example_with_31_non_targets_holds_zero():
    size, counts = CASES[0]
    ours = bca(rates(size, counts), 50_000)

    # [-1, 8] of 12 topics times 31 non-targets; counting ties as above, the interval was [1, 9]
    assert [round(end * 31 * 12) for end in (ours.low, ours.high)] == [-1, 8]


def test_a_topic_that_only_one_comparison_has_leaves_its_ties_alone():
    size, counts = CASES[1]
    column = np.concatenate([rates(size, counts), [np.nan, np.nan]])

    made = bootstrap_means(np.stack([column, np.ones(12)], axis=1), n_resample=20_000, seed=3)

    # the size of the resample varies now, so there are fewer ties and no enumeration: only the mean is the same
    assert made.observed[0] == pytest.approx(sum(counts) / size / 10)
    assert 0.2 < made.p[0] < 0.3
    assert made.share_below[0] == pytest.approx(0.5, abs=0.05)
