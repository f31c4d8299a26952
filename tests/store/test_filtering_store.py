"""Score distributions of a small filtering collection; its other numbers are in tests/cases/loaded/filtering.case."""

import pytest

import tdtsql
from places import FIXTURES


pytestmark = pytest.mark.usefixtures("unscored")

FIXTURE = FIXTURES / "filtering"


@pytest.fixture(scope="module")
def store(copy_of):
    with tdtsql.connect(copy_of(FIXTURE / "bundle.toml")) as store:
        yield store


def test_score_distributions_are_kept(store):
    rows = store.score_distributions("alpha").fetchall()
    assert len(rows) == 3 * 2 * 4  # profiles, priors, three topics and all together
    [(mean, sd, rate, kind)] = store.sql(
        "select on_mean, on_sd, off_rate, fitted_kind from report.score_distribution "
        "where run_id = 'alpha' and block_id = 'R1' and prior = 'own' and profile_id = 'prel'"
    ).fetchall()
    assert (mean, sd, rate) == pytest.approx((0.85, 0.05, 2.5))
    assert kind == "crossing"
    [(n_bin, n_score)] = store.sql(
        "select count(*), sum(n_score) from report.score_histogram where run_id = 'alpha' and block_id = 'R1' and "
        "profile_id = 'prel'"
    ).fetchall()
    assert (n_bin, n_score) == (80, 3)
    [(n, price)] = store.sql(
        "select n_block, price from report.common_threshold where run_id = 'alpha' and prior = 'own' and profile_id = "
        "'prel'"
    ).fetchall()
    assert n == 2
    assert price >= 0


def test_k_is_the_effective_cost_ratio(store):
    """k of equations 3 and 6 of Manmatha, Feng, Allan: c_fa (1 - p) / (c_miss p), of the fixed and of each topic's own
    prior.
    """
    store.score_distributions()
    rows = store.engine.rows(
        "select prior, fitted.p_target, k, c_miss, c_fa from report.score_distribution as fitted "
        "join registry.profile as profile using (profile_id)"
    )
    assert {prior for prior, *_ in rows} == {"fixed", "own"}
    for _, p, k, c_miss, c_fa in rows:
        assert k is None if not p else k == pytest.approx(c_fa * (1 - p) / (c_miss * p), rel=1e-14)


def test_the_best_common_threshold_is_the_minimum_of_the_det_curve(store):
    """Two ways to one number: the sweep in Python over scores, and the DET curve in SQL."""
    store.score_distributions()
    store.refresh()
    rows = store.engine.rows(
        "select cost_norm, n_block, value from report.common_threshold join report.score using (run_id, profile_id) "
        "where profile_id = 'trec11' and prior = 'fixed' and metric = 'min_c_det_norm' and weighting = 'topic' "
        "and subset = 'all'"
    )
    assert [row[:2] for row in rows] == [(pytest.approx(row[2], abs=1e-12), 2) for row in rows] and len(rows) == 2
