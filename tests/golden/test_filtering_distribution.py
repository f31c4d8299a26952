"""Gaussian-exponential fits and thresholds against other programs' numbers (skips where those are absent)."""

import csv
import json

import numpy as np
import pytest

from tdtsql.distribution.model import Exponential, Gaussian, exponential_ks, fit_exponential, fit_gaussian, gaussian_ks
from tdtsql.distribution.threshold import CostModel, crossings, fitted_threshold, optimal_posterior, posterior

EXACT = 1e-12
MINIMISER = 1e-8


@pytest.fixture(scope="module")
def golden(shared):
    return shared / "golden" / "filtering"


@pytest.fixture(scope="module")
def expected(golden):
    return json.loads((golden / "expected.json").read_text())


def cost_model(p_target):
    return CostModel(c_miss=1, c_fa=0.1, p_target=p_target)


def test_thresholds_of_known_models(expected):
    for case in expected["gauss_exp"]:
        on, off = Gaussian(case["mu"], case["sigma"]), Exponential(case["lam"], 0)
        fixed = fitted_threshold(on, off, cost_model(0.02))
        want = case["fixed"]
        if want["roots"] is None:
            assert fixed.kind != "crossing"
            continue
        assert crossings(on, off, 4.9) == pytest.approx(want["roots"], abs=EXACT)
        assert fixed.threshold == pytest.approx(want["theta"], abs=MINIMISER)
        assert fixed.p_miss == pytest.approx(want["pmiss"], abs=MINIMISER)
        assert fixed.p_fa == pytest.approx(want["pfa"], abs=MINIMISER)
        assert fixed.cost == pytest.approx(want["cost"], abs=EXACT)
        assert fixed.norm_cost == pytest.approx(want["norm_cost"], abs=EXACT)
        for p_rel, own in case["per_topic"].items():
            model = cost_model(float(p_rel))
            point = fitted_threshold(on, off, model)
            assert model.ratio == pytest.approx(own["k"], rel=EXACT)
            assert optimal_posterior(cost_model(0.02), float(p_rel)) == pytest.approx(own["eq5"], abs=EXACT)
            assert posterior(fixed.threshold, on, off, float(p_rel)) == pytest.approx(
                own["posterior_at_fixed_theta"], abs=MINIMISER
            )
            if own["roots"] is None:
                assert (point.kind, crossings(on, off, model.ratio)) == ("reject_all", None)
                continue
            assert crossings(on, off, model.ratio) == pytest.approx(own["roots"], abs=EXACT)
            if point.kind == "reject_all":  # their minimiser ran to the end of its interval
                assert own["theta"] > own["roots"][1]
                assert point.cost <= own["cost"]
                continue
            assert point.threshold == pytest.approx(own["theta"], abs=MINIMISER)
            assert point.cost == pytest.approx(own["cost"], abs=EXACT)
            assert posterior(point.threshold, on, off, float(p_rel)) == pytest.approx(
                own["posterior_at_theta"], abs=MINIMISER
            )


def test_fits_of_scores(expected, golden):
    with (golden / "scores.csv").open() as file:
        rows = [(float(row["score"]), row["relevant"]) for row in csv.DictReader(file)]
    on = np.array([score for score, relevant in rows if relevant == "1"])
    off = np.array([score for score, relevant in rows if relevant == "0"])
    want = expected["mle_fit"]
    gaussian, exponential = fit_gaussian(on), fit_exponential(off)
    assert gaussian.mean == pytest.approx(want["mu"], abs=EXACT)
    assert gaussian.sd == pytest.approx(want["sigma_ml"], abs=EXACT)
    assert exponential.rate == pytest.approx(want["lam"], abs=EXACT)
    on_ks, off_ks = gaussian_ks(gaussian, on), exponential_ks(exponential, off)
    # the statistic alone: the p-value of parameters fitted to the same scores is no test
    assert on_ks == pytest.approx(want["ks_rel"][0], abs=EXACT)
    assert off_ks == pytest.approx(want["ks_nrel"][0], abs=EXACT)
    assert crossings(gaussian, exponential, 4.9) == pytest.approx(want["theta_fixed"], abs=EXACT)


def test_manmatha_equations(expected):
    want = expected["manmatha"]
    assert cost_model(0.02).ratio == pytest.approx(want["eq3_ratio"], abs=EXACT)
    for p_rel, value in want["eq5"].items():
        assert optimal_posterior(cost_model(0.02), float(p_rel)) == pytest.approx(value, abs=EXACT)
        assert optimal_posterior(cost_model(float(p_rel)), float(p_rel)) == pytest.approx(want["eq9"], abs=EXACT)
    for p_rel, value in want["eq6_ratio"].items():
        assert cost_model(float(p_rel)).ratio == pytest.approx(value, rel=EXACT)
