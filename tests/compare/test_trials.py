"""Statistics of scored trials and their draws: slow forms, plain drawing, scipy."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score
from statsmodels.stats.contingency_tables import mcnemar as oracle_mcnemar

from tdtsql.compare.resample import draw_units, stream
from tdtsql.compare.settings import Method
from tdtsql.compare.trials import (
    Measure,
    Plan,
    Trials,
    compare_trials,
    draw_trials,
    near_operating_point,
    observed,
    statistic_of,
)
from tdtsql.errors import InvalidSetting

COSTS = {"price_miss": 0.4, "price_fa": 0.3, "threshold": math.log(0.75)}
RULES = (*("interpolated nearest_point nearest_trial nearest_corner nearest_max target_step convex_hull").split(),)
MEASURES = [
    *(Measure("eer", rule, **COSTS) for rule in RULES),
    *(Measure(metric, **COSTS) for metric in ("min_c_det", "min_c_det_norm", "act_c_det_norm", "act_p_miss", "auc")),
    Measure("cllr", **COSTS),
    Measure("min_cllr", **COSTS),
    Measure("min_cllr", min_cllr="laplace", **COSTS),
]


def named(measure):
    return f"{measure.metric}-{measure.eer}-{measure.min_cllr}"


def trials_of(n, seed=1, *, digits=1, n_run=2, sides=(), **more):
    generator = np.random.default_rng(seed)
    is_target = np.arange(n) < n // 3
    scores = np.round(generator.normal(0, 1, (n_run, n)) + 1.2 * is_target, digits)
    return Trials(is_target, scores, sides, **more)


def repeated(trials, counts):
    """Return the trials as often as they were drawn, one by one."""
    at = np.repeat(np.arange(len(counts)), counts)
    return Trials(trials.is_target[at], trials.scores[:, at])


@pytest.mark.parametrize("measure", MEASURES, ids=named)
@pytest.mark.parametrize("digits", [0, 3])
def test_the_number_of_a_draw_is_that_of_its_trials_one_by_one(measure, digits):
    trials = trials_of(60, digits=digits)
    statistic, generator = statistic_of(trials, measure, Plan.of(trials)), np.random.default_rng(3)
    for _ in range(10):
        counts = np.concatenate([generator.multinomial(n, np.full(n, 1 / n)) for n in (20, 40)])
        found = statistic(counts[None])
        assert found[0] == pytest.approx(observed(repeated(trials, counts), measure), rel=1e-12)


def test_numbers_of_trials_are_those_of_slow_forms():
    trials = trials_of(90, digits=2)
    target, other = trials.scores[0][trials.is_target], trials.scores[0][~trials.is_target]
    points = [(np.mean(target < t), np.mean(other >= t)) for t in [*np.unique(trials.scores[0]), np.inf]]
    least = min(0.4 * miss + 0.3 * fa for miss, fa in points)
    cllr = (np.log2(1 + np.exp(-target)).mean() + np.log2(1 + np.exp(other)).mean()) / 2

    def number(metric):
        return observed(trials, Measure(metric, **COSTS))[0]

    assert number("min_c_det") == pytest.approx(least)
    assert number("min_c_det_norm") == pytest.approx(least / 0.3)
    assert number("auc") == pytest.approx(roc_auc_score(trials.is_target, trials.scores[0]))
    assert number("cllr") == pytest.approx(cllr)
    assert number("act_p_miss") == np.mean(target < math.log(0.75))


@pytest.mark.parametrize("apart", [1.2, 4.0, 6.0])
@pytest.mark.parametrize(
    "measure", [measure for measure in MEASURES if measure.metric in ("eer", "min_c_det")], ids=named
)
def test_a_window_changes_no_number(measure, apart, monkeypatch):
    trials = trials_of(20_000, seed=4, digits=3)
    trials = replace(trials, scores=trials.scores + apart * trials.is_target)
    code = np.unique(trials.scores[0], return_inverse=True)[1]
    assert near_operating_point(code, trials, measure).max() < code.max() - 1000
    windowed = draw_trials(trials, measure, n_draw=200, seed=5)
    monkeypatch.setattr("tdtsql.compare.trials.near_operating_point", lambda code, *_: code)
    assert np.array_equal(draw_trials(trials, measure, n_draw=200, seed=5), windowed, equal_nan=True)


def plain_draws(trials, measure, n_draw, seed):
    generator, found = np.random.default_rng(seed), []
    parts = [np.flatnonzero(trials.is_target), np.flatnonzero(~trials.is_target)]
    for _ in range(n_draw):
        at = np.concatenate([generator.choice(part, len(part)) for part in parts])
        found.append(observed(Trials(trials.is_target[at], trials.scores[:, at]), measure)[0])
    return np.array(found)


@pytest.mark.parametrize("n", [10, 1000, pytest.param(100_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("metric", ["eer", "min_c_det_norm", "act_c_det_norm", "cllr"])
def test_draws_are_distributed_as_plain_ones(n, metric):
    measure, n_draw = Measure(metric, **COSTS), 400 if n < 50_000 else 60
    trials = trials_of(n, seed=7, digits=4, n_run=1)
    fast = draw_trials(trials, measure, n_draw=n_draw, seed=9)[:, 0]
    assert stats.ks_2samp(fast, plain_draws(trials, measure, n_draw, 12)).pvalue > 0.001


@pytest.mark.parametrize("n", [1, 5, 300, 30_000])
def test_units_are_drawn_as_multinomial_numbers(n):
    n_draw = 2000 if n < 1000 else 50
    drawn = draw_units(stream(3, 3), np.ones(n, dtype=np.int64), n_draw)
    assert (drawn.sum(axis=1) == n).all()
    shares = np.bincount(drawn.ravel(), minlength=10)[:10] / (n_draw * n)
    assert shares == pytest.approx(stats.binom.pmf(np.arange(10), n, 1 / n), abs=0.01)
    assert np.abs(drawn.mean(axis=0) - 1).max() < 5 / math.sqrt(n_draw)


def test_cells_are_drawn_as_multinomial_numbers():
    size = np.array([400, 7, 0, 1, 251])
    drawn = draw_units(stream(3, 3), size, 3000)
    assert (drawn.sum(axis=1) == size.sum()).all()
    assert drawn.mean(axis=0) == pytest.approx(size, abs=4 * math.sqrt(400 / 3000))
    assert drawn.var(axis=0) == pytest.approx(size * (1 - size / size.sum()), rel=0.1)


UNITS = np.repeat(np.arange(20), 6)


def test_units_are_drawn_whole():
    """By speaker every trial counts as often as its speaker; of one population w * w of two, w of one."""
    trials = trials_of(120, seed=2, sides=(np.roll(UNITS, 50),))
    draws = draw_trials(trials, Measure("act_p_miss", **COSTS), n_draw=500, seed=1)[:, 0]
    generator, found = np.random.default_rng(1), []
    wrong = (trials.scores[0] < COSTS["threshold"])[trials.is_target]
    for _ in range(500):
        weight = np.bincount(generator.integers(0, 20, 20), minlength=20)[trials.sides[0]][trials.is_target]
        found.append(np.average(wrong, weights=weight) if weight.sum() else np.nan)
    assert stats.ks_2samp(draws[~np.isnan(draws)], np.array(found)[~np.isnan(found)]).pvalue > 0.001

    sides = (np.array([0, 0, 1]), np.array([0, 1, 1]))
    pair = Trials(np.ones(3, dtype=bool), np.array([[0.0, 1.0, 2.0]]), sides, is_one_population=True)
    measure = Measure("act_p_miss", threshold=1.0)
    statistic = statistic_of(pair, measure, plan := Plan.of(pair))
    assert plan.n_unit == (2,)
    assert observed(pair, measure)[0] == pytest.approx(1 / 3)
    # a speaker against itself counts once, drawn 3 and 5 times; the pair of both 15 times
    assert statistic(np.array([[3, 5]]))[0, 0] == pytest.approx(3 / 23)


@pytest.mark.parametrize(
    ("codes", "by_trial", "n_unit"),
    [
        (np.where(np.arange(9) < 3, -1, np.arange(9) // 3), (True, False), (2,)),
        (np.arange(9) // 3, (False, False), (1, 2)),
        (np.arange(9) % 3, (False, False), (3,)),
    ],
    ids=["one class", "apart", "together"],
)
def test_what_is_drawn_follows_from_the_data(codes, by_trial, n_unit):
    if n_unit == (1, 2):
        codes = np.array([0, 1, 1, 2, 2, 3, 3, 3, 3])
        n_unit = (2, 2)
    plan = Plan.of(trials_of(9, sides=(codes,)))
    assert plan.by_trial == by_trial
    assert plan.n_unit == n_unit


def how(test="bootstrap", interval="percentile", n=1000):
    return Method(test, "holm", interval, 0.95, 0, n, 3)


def resampled(trials, measure, values=None, method=None):
    """Return the row of two runs, or of one."""
    values = observed(trials, measure).tolist() if values is None else values
    [row] = compare_trials(trials, measure, values, [tuple(range(len(values)))], method or how())
    return row


def compared(trials, metric, **method):
    return resampled(trials, Measure(metric, **COSTS), method=how(**method))


@pytest.mark.parametrize("metric", ["eer", "min_c_det_norm", "act_c_det_norm", "cllr", "auc"])
@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_an_interval_holds_its_value_and_equal_runs_do_not_differ(metric, interval):
    trials = trials_of(300, seed=8, digits=2)
    row = compared(trials, metric, interval=interval)
    assert row["value_low"] <= row["value"] <= row["value_high"] or metric.startswith("min")
    assert row["low"] < row["difference"] < row["high"]

    same = compared(trials.of([0, 0]), metric, interval=interval)
    assert (same["difference"], same["low"], same["high"], same["p"]) == (0.0, 0.0, 0.0, 1.0)


def test_delong_agrees_with_the_bootstrap():
    trials = trials_of(900, seed=5, digits=2)
    closed, drawn = compared(trials, "auc", test="delong", interval="normal"), compared(trials, "auc", n=4000)
    assert (closed["low"], closed["high"]) == pytest.approx((drawn["low"], drawn["high"]), abs=0.005)
    assert closed["p"] == pytest.approx(2 * stats.norm.sf(abs(closed["statistic"])))
    normal, drawn = compared(trials, "cllr", test="normal", interval="normal"), compared(trials, "cllr", n=4000)
    assert (normal["low"], normal["high"]) == pytest.approx((drawn["low"], drawn["high"]), abs=0.005)


def test_mcnemar_is_exact():
    trials = trials_of(400, seed=6, digits=2)
    row = compared(trials, "act_p_fa", test="mcnemar")
    oracle = oracle_mcnemar([[0, row["n_only_run"]], [row["n_only_baseline"], 0]], exact=True)
    assert row["p"] == pytest.approx(oracle.pvalue, rel=1e-9)
    wrong = trials.scores[:, ~trials.is_target] >= COSTS["threshold"]
    assert row["n_only_run"] == int((wrong[0] & ~wrong[1]).sum())


def test_what_cannot_be_compared_has_a_reason():
    trials = trials_of(30)
    one_class = Trials(np.ones(30, dtype=bool), trials.scores)
    measure = Measure("eer", **COSTS)
    assert resampled(one_class, measure, [None, None])["reason"].startswith("eer is not defined here: no non-target")
    assert "infinite" in resampled(trials, Measure("cllr"), [math.inf, 1.0])["reason"]
    single = Trials(trials.is_target, trials.scores, (np.zeros(30, dtype=np.int64),))
    assert "fewer than 5 units" in resampled(single, measure, [0.1, 0.2])["reason"]
    two_speakers = Trials(trials.is_target, trials.scores, (np.arange(30) % 2,))
    row = resampled(two_speakers, measure)
    assert row["reason"] == "fewer than 5 units to draw: no test and no interval"
    assert "p" not in row and "low" not in row and row["difference"] is not None
    two = Trials(np.array([True, False]), np.array([[1.0, 0.0], [0.0, 1.0]]))  # every draw is the same
    assert resampled(two, measure, [0.0, 1.0])["reason"] == "the difference does not vary: no test"


def test_the_same_seed_gives_the_same_draws():
    trials = trials_of(2000, digits=3)
    one, same, other = (draw_trials(trials, MEASURES[0], n_draw=50, seed=seed) for seed in (1, 1, 2))
    assert (one == same).all() and (one != other).any()


def test_few_errors_are_noted():
    trials = trials_of(600, seed=3, digits=3)
    few = "fewer than {} misses: 95 % intervals of values hold the true one in {} %".format
    measures = {
        few(10, "85 to 93"): Measure("act_p_miss", threshold=-2.0),
        "": Measure("act_p_miss", threshold=1.0),
        few(50, "80 to 85"): Measure("min_c_det", price_miss=0.9, price_fa=0.1),
    }
    for note, measure in measures.items():
        assert resampled(trials, measure)["note"] == note


@pytest.mark.parametrize("metric", ["eer", "act_c_det_norm", "cllr"])
def test_a_pair_is_the_same_in_every_family(metric):
    trials, measure = trials_of(500, digits=3, n_run=3), Measure(metric, **COSTS)
    trials.scores[1, 0] = -1e9 if trials.is_target[0] else 1e9  # of the run that is not of the pair
    values = observed(trials, measure).tolist()
    family = compare_trials(trials, measure, values, [(1, 0), (2, 0), (2, 1)], how())
    assert family[1] == resampled(trials.of([2, 0]), measure, [values[2], values[0]])


def test_bca_is_for_at_most_ten_thousand_units():
    trials = trials_of(12_000, sides=(np.arange(12_000),), n_run=1)
    with pytest.raises(InvalidSetting, match="at most 10,000 units, and there are 12,000"):
        compared(trials, "auc", interval="bca")
