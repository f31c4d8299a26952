"""Comparisons of topics, items and clusters: scipy, statsmodels and enumeration at one entry."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS, WLS
from statsmodels.stats.multitest import multipletests

import tdtsql
from tdtsql.compare.resample import Sample, chi_square_tail, compare_means, student_quantile, student_tail
from tdtsql.compare.rows import pair_table
from tdtsql.compare.settings import Method
from tdtsql.definitions.catalogue import read_statement


def how(test="randomisation", interval="percentile", *, level=0.95, n_permutation=20_000, n_resample=2_000, seed=1):
    return Method(test, "holm", interval, level, n_permutation, n_resample, seed)


def compared(one, other, *, sample=None, **method):
    """Return the comparison of two columns."""
    values = np.column_stack([one, other]).astype(float)
    [row] = compare_means(Sample(values, **(sample or {})), [(0, 1)], how(**method))
    return row


NUMBERS = np.random.default_rng(5).normal(0, 1, (40, 2))
CODES = np.random.default_rng(6).integers(0, 9, 40)
WEIGHTS = np.random.default_rng(7).integers(1, 6, 40).astype(float)


@pytest.mark.parametrize("n", [1, 2, 7, 12])
@pytest.mark.parametrize("scale", [1.0, 1 / 3, 1e6, 1e-7])
def test_all_sign_patterns_are_counted(n, scale):
    apart = np.random.default_rng(n).integers(-3, 4, n) * scale
    p = compared(apart, np.zeros(n))["p"] if n > 1 else 1.0
    if n > 1:
        sums = [
            abs(sum(sign * x for sign, x in zip(signs, apart, strict=True)))
            for signs in itertools.product((1, -1), repeat=n)
        ]
        assert p == sum(total >= abs(sum(apart)) - 1e-9 * scale for total in sums) / 2**n


def test_drawn_signs_give_the_p_of_enumeration():
    apart = np.random.default_rng(3).normal(0.3, 1, 21)
    exact = compared(apart[:20], np.zeros(20))
    drawn = compared(apart, np.zeros(21), n_permutation=100_000)
    by_scipy = stats.permutation_test(
        (apart, np.zeros(21)), lambda a, b: (a - b).mean(), permutation_type="samples", n_resamples=50_000, rng=2
    )

    assert exact["is_exact"] and not drawn["is_exact"]
    assert drawn["p"] == pytest.approx(by_scipy.pvalue, abs=0.01)


def test_equal_sums_are_ties_whatever_their_rounding():
    # 2/31 = 1/31 + 1/31: with signs + - - and - + + the sum is 0, of four patterns it is as large as 4/31
    apart = np.array([2 / 31, 1 / 31, 1 / 31])
    assert compared(apart, np.zeros(3))["p"] == 0.25


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_means_agree_with_the_bootstrap_of_scipy(interval):
    apart = NUMBERS[:, 0] - NUMBERS[:, 1]
    row = compared(*NUMBERS.T, interval=interval, n_resample=20_000)
    method = {"percentile": "percentile", "bca": "BCa"}[interval]
    oracle = stats.bootstrap((apart,), np.mean, n_resamples=20_000, method=method, rng=1).confidence_interval

    assert (row["low"], row["high"]) == pytest.approx((oracle.low, oracle.high), abs=0.02)
    assert row["low"] < row["difference"] < row["high"]


def test_student_by_topic_and_by_cluster():
    apart = NUMBERS[:, 0] - NUMBERS[:, 1]
    plain, oracle = compared(*NUMBERS.T, test="t", interval="t"), stats.ttest_1samp(apart, 0)
    ends = oracle.confidence_interval(0.95)
    assert (plain["p"], plain["low"], plain["high"]) == pytest.approx((oracle.pvalue, ends.low, ends.high), rel=1e-10)

    row = compared(*NUMBERS.T, sample={"clusters": CODES}, test="t", interval="t")
    fit = OLS(apart, np.ones(40)).fit(cov_type="cluster", cov_kwds={"groups": CODES, "df_correction": True}, use_t=True)
    # statsmodels has (n - 1) / (n - 1) beside G / (G - 1) for one coefficient
    assert (row["se"], row["p"]) == pytest.approx((fit.bse[0], fit.pvalues[0]), rel=1e-9)


def test_a_weighted_mean_has_the_sandwich_of_weighted_least_squares():
    apart = NUMBERS[:, 0] - NUMBERS[:, 1]
    row = compared(*NUMBERS.T, sample={"weights": WEIGHTS}, test="t", interval="t")
    fit = WLS(apart, np.ones(40), weights=WEIGHTS).fit(cov_type="HC1", use_t=True)
    assert (row["difference"], row["se"]) == pytest.approx((fit.params[0], fit.bse[0]), rel=1e-9)


def test_units_are_drawn_inside_groups():
    groups = np.arange(40) // 20
    row = compared(*NUMBERS.T, sample={"groups": groups}, n_resample=20_000)
    parts = [compared(*NUMBERS[groups == at].T, test="t", interval="t") for at in (0, 1)]

    assert row["difference"] == pytest.approx((parts[0]["difference"] + parts[1]["difference"]) / 2)
    assert row["se"] == pytest.approx(math.hypot(parts[0]["se"], parts[1]["se"]) / 2)
    assert row["high"] - row["low"] == pytest.approx(2 * 1.96 * row["se"] * math.sqrt(19 / 20), rel=0.03)


def test_clusters_are_drawn_whole():
    # two clusters of eight items, all right and all wrong: the mean of a draw is -1, 0 or 1
    values = np.repeat([1.0, -1.0], 8)
    row = compared(values, np.zeros(16), sample={"clusters": np.repeat([7, 3], 8)}, level=0.5)
    assert (row["low"], row["high"]) in {(-1.0, 1.0), (0.0, 1.0), (-1.0, 0.0), (0.0, 0.0)}
    assert row["n_unit"] == 2


def test_wilcoxon_is_that_of_scipy():
    thirds = np.array([1, 2, -2, 3, -1, 5, 4])  # of which some differ by rounding alone
    assert compared((1 + thirds) / 3, np.full(7, 1 / 3), test="wilcoxon")["p"] == stats.wilcoxon(thirds).pvalue


@pytest.mark.parametrize("n", [30, 300])
@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_a_pair_is_the_same_in_every_family(n, test):
    values = np.random.default_rng(n).integers(0, 4, (n, 4)) / [3, 3e9, 3, 3e-9]  # pairs of one scale, and of two
    alone = [compare_means(Sample(values[:, at]), [(0, 1)], how(test, "bca"))[0] for at in ([2, 0], [0, 3])]
    family = compare_means(Sample(values), [(1, 0), (2, 0), (3, 1), (0, 3)], how(test, "bca"))
    assert family[1::2] == alone


@pytest.mark.parametrize(("test", "least", "most"), [("randomisation", 0.02, 0.08), ("bootstrap", 0.02, 0.09)])
def test_of_equal_runs_few_differ(test, least, most):
    generator = np.random.default_rng(11)
    p = [
        compared(*generator.normal(0, 1, (2, 25)), test=test, n_permutation=500, n_resample=500)["p"]
        for _ in range(300)
    ]
    assert least <= np.mean(np.array(p) < 0.05) <= most


def test_nothing_varies():
    same, moved = compared(np.ones(5), np.ones(5)), compared(np.ones(5), np.zeros(5), interval="bca")
    assert (same["p"], same["low"], same["high"]) == (1.0, 0.0, 0.0)
    assert (moved["p"], moved["low"], moved["high"], moved["win"]) == (2 / 32, 1.0, 1.0, 5)
    assert "p" not in compared(np.ones(1), np.zeros(1))


@pytest.mark.parametrize("interval", ["bca", "percentile", "t"])
@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t"])
def test_clusters_with_one_mean_difference_have_an_interval_of_one_point(test, interval):
    # each cluster differs by 0.5 in the mean, its two items by 0 and 1
    row = compared(
        np.tile([1.0, 0.0], 6), np.zeros(12), sample={"clusters": np.arange(12) // 2}, test=test, interval=interval
    )
    assert (row["difference"], row["low"], row["high"], row["se"]) == (0.5, 0.5, 0.5, 0.0)
    assert 0.0 <= row["p"] <= 2 / 2**6 and "same mean difference" in row["reason"]


def test_fewer_than_five_units_are_not_drawn():
    row = compared(np.repeat([1.0, 0.9], 8), np.zeros(16), sample={"clusters": np.arange(16) // 8}, test="bootstrap")
    assert row["reason"] == "fewer than 5 units to draw: no test and no interval"
    assert "p" not in row and "low" not in row


def corrected(engine, p, correction):
    """Return corrected p values of a family, and the smallest that it can have, where each test can have a tenth."""
    named = dict.fromkeys(("condition_id", "profile_id", "run_id", "baseline_id"), "")
    with pair_table(engine, [named | {"p": one, "smallest_p": one and one / 10} for one in p]) as table:
        family = {"printed": [], "tests": [], "correction": correction}
        rows = engine.records(read_statement("compare/compared").replace("compared_pair", table), family)
        return [row["p_adjusted"] for row in rows], rows[0]["smallest_p"]


def test_corrections_are_those_of_statsmodels():
    p = [0.01, 0.04, 0.03, 0.005, 0.2, 0.04]
    with tdtsql.connect(":memory:") as store:
        for method, name in (("holm", "holm"), ("bh", "fdr_bh")):
            oracle = multipletests(p, method=name)[1]
            adjusted, smallest = corrected(store.engine, [None, *p], method)
            assert adjusted == pytest.approx([None, *oracle])
            assert smallest == pytest.approx(0.0005 * (6 if method == "holm" else 1))
        assert corrected(store.engine, p, "none")[0] == p
        assert corrected(store.engine, [None], "holm") == ([None], None)


@pytest.mark.parametrize("degrees", [1, 2, 9, 60, 1000])
def test_distributions_are_those_of_scipy(degrees):
    for t in (0.01, 0.7, 2.0, 12.0):
        assert student_tail(t, degrees) == pytest.approx(2 * stats.t.sf(t, degrees), rel=1e-9, abs=1e-300)
        if degrees < 100:  # values of an attribute, less one
            assert chi_square_tail(t * degrees, degrees) == pytest.approx(
                stats.chi2.sf(t * degrees, degrees), rel=1e-9, abs=1e-300
            )
    assert student_quantile(0.95, degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-9)


def letters(engine, runs, different):
    given = {"runs": list(runs), "one": [one for one, _ in different], "other": [other for _, other in different]}
    return dict(engine.rows(read_statement("compare/letters"), given))


def test_runs_share_a_letter_exactly_if_they_do_not_differ():
    generator, runs = np.random.default_rng(2), "abcdef"
    with tdtsql.connect(":memory:") as store:
        assert letters(store.engine, ["a", "b", "c"], [("c", "a")]) == {"a": "a", "b": "ab", "c": "b"}
        assert letters(store.engine, ["a", "b"], []) == {"a": "a", "b": "a"}
        for _ in range(30):
            different = [pair for pair in itertools.combinations(runs, 2) if generator.random() < 0.5]
            found = letters(store.engine, runs, different)
            for one, other in itertools.combinations(runs, 2):
                assert bool(set(found[one]) & set(found[other])) is ((one, other) not in different)
