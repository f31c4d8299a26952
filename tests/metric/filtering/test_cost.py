"""What the detection cost really weighs, beside a paper's numbers; worked examples are in tests/cases/cost."""

import pytest
from hypothesis import HealthCheck, given
from lanes import examples
from hypothesis import strategies as st

TOPIC = "metric.cost_topic_ratio__v1"
PUBLISHED = "metric.cost_published_ratio__v1"


def test_the_papers_printed_ratios_with_the_exact_ones_beside(contingencies):
    """Printed 100:1 for TDT3 and 583:1 for TDT5; exactly 97.0:1 and 595.1:1."""
    rows = {row["corpus"]: row for row in contingencies({}).rows(PUBLISHED)}
    assert rows["TDT3"]["printed_ratio"] == 100
    assert rows["TDT3"]["exact_ratio"] == pytest.approx(97.0, abs=0.05)
    assert (rows["TDT3"]["printed_rho"], rows["TDT3"]["rho"]) == (10, pytest.approx(9.5259, abs=1e-4))
    assert rows["TDT5"]["printed_ratio"] == 583
    assert rows["TDT5"]["approximate_ratio"] == pytest.approx(583.4, abs=0.05)
    assert rows["TDT5"]["exact_ratio"] == pytest.approx(595.1, abs=0.05)
    assert (rows["TDT5"]["printed_rho"], rows["TDT5"]["rho"]) == (58.3, pytest.approx(58.3425, abs=1e-4))
    assert rows["TREC11"]["printed_ratio"] is None


def test_the_rho_table(contingencies, shared):
    """Another program's table over the same four corpora."""
    import json

    want = json.loads((shared / "golden" / "filtering" / "expected.json").read_text())["rho"]
    rows = {row["corpus"]: row for row in contingencies({}).rows(PUBLISHED)}
    assert rows.keys() == want.keys()
    names = {
        "p_rel": "P_T",
        "rho": "rho",
        "approximate_ratio": "approx_penalty_ratio",
        "exact_ratio": "exact_penalty_ratio",
        "posterior_fixed": "posterior_threshold",
        "exact_ratio_at_max": "exact_ratio_at_max",
        "exact_ratio_at_min": "exact_ratio_at_min",
    }
    for corpus, numbers in want.items():
        for ours, theirs in names.items():
            assert rows[corpus][ours] == pytest.approx(numbers[theirs], rel=1e-12), (corpus, ours)


@examples(default=5, full=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    topics=st.lists(st.tuples(st.integers(1, 500), st.integers(1, 10**6)), min_size=1, max_size=20),
    p_target=st.floats(1e-5, 0.5),
    c_fa=st.floats(0.01, 5),
)
def test_equation_5_is_one_over_one_plus_the_exact_ratio(contingencies, topics, p_target, c_fa):
    """Equation 5 in its own form: 1 / (1 + (1/k)(1/P - 1)), k = c_fa (1 - p_target) / (c_miss p_target)."""
    views = contingencies(
        {f"t{i}": (0, 0, on, off) for i, (on, off) in enumerate(topics)}, p_target=p_target, c_fa=c_fa
    )
    k = c_fa * (1 - p_target) / p_target
    for row in views.rows(TOPIC):
        equation_5 = 1 / (1 + (1 / row["p_rel"] - 1) / k)
        assert row["posterior_fixed"] == pytest.approx(equation_5, rel=1e-9)
        assert row["posterior_fixed"] == pytest.approx(1 / (1 + row["exact_ratio"]), rel=1e-12)
        assert row["posterior_own"] == pytest.approx(c_fa / (1 + c_fa), rel=1e-12)
