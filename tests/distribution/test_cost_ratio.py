"""k of equations 3 and 6 of Manmatha, Feng, Allan: c_fa (1 - p) / (c_miss p), of the fixed and of each topic's own
prior.
"""

from pathlib import Path

import pytest

import tdtsql
from tdtsql.scoring.distribution import store_missing_distributions

BUNDLE = Path(__file__).parents[2] / "fixtures" / "filtering" / "bundle.toml"


def test_k_is_the_effective_cost_ratio():
    with tdtsql.evaluate(BUNDLE, ":memory:") as store:
        store_missing_distributions(store.engine)
        rows = store.engine.rows(
            "select prior, fitted.p_target, k, c_miss, c_fa from report.score_distribution as fitted "
            "join registry.profile as profile using (profile_id) "
        )

    assert {prior for prior, *_ in rows} == {"fixed", "own"}
    for _, p, k, c_miss, c_fa in rows:
        assert k is None if not p else k == pytest.approx(c_fa * (1 - p) / (c_miss * p), rel=1e-14)
