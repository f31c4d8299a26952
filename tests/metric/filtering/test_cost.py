"""What the detection cost really weighs, beside a paper's numbers; worked examples are in tests/cases/cost."""

import pytest
from hypothesis import HealthCheck, given
from lanes import examples
from hypothesis import strategies as st

TOPIC = "metric.cost_topic_ratio__v1"
PUBLISHED = "metric.cost_published_ratio__v1"
HISTOGRAM = "metric.cost_p_rel_histogram__v1"
TABLE = "metric.cost_corpus_table__v1"

WORKED_EXAMPLE = {"rare": (0, 0, 1, 999), "often": (40, 5, 9, 946), "none": (0, 1, 0, 999)}


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


@pytest.mark.parametrize(
    ("topics", "bins"),
    [
        # 20 (1/6) / (5/6) = 4, where doubles give 3.9999999999999996
        ({"one": (0, 0, 1, 5), "five": (0, 0, 5, 1)}, {4: 1, 19: 1}),
        # two topics with the largest share, of other sizes: 20 (1/3) / (2/3) = 10
        ({"a": (0, 0, 2, 1), "b": (0, 0, 4, 2), "c": (0, 0, 1, 2)}, {10: 1, 19: 2}),
        # counts of 10^9: 20 (1/10^9) / 1 = 2 * 10^-8
        ({"few": (0, 0, 1, 10**9 - 1), "all": (0, 0, 10**9, 0), "none": (0, 0, 0, 5)}, {0: 2, 19: 1}),
    ],
)
def test_histogram_at_the_edges_of_bins_in_whole_numbers(contingencies, topics, bins):
    rows = contingencies(topics).rows(HISTOGRAM)
    assert {row["bin_no"]: row["n_topic"] for row in rows if row["n_topic"]} == bins and len(rows) == 20


def test_corpus_table(contingencies):
    """Three topics, one without targets; two training stories on the first."""
    views = contingencies(WORKED_EXAMPLE)
    views.connection.execute(
        "create table base.listed_trial__v1 (condition_no integer, profile_no integer, block_no integer, "
        "trial_no integer, is_target integer, is_scored integer)"
    )
    views.made.add("base.listed_trial__v1")
    for block, story in [(1, 7), (2, 7), *((2, story) for story in range(100, 148))]:
        views.connection.execute("insert into base.listed_trial__v1 values (1, 1, ?, ?, 1, 1)", [block, story])
    for story in (1, 2):
        views.connection.execute("insert into base.training_story values (1, 1, ?)", [story])
    # index files: the first of two segments of the first topic begins at story 11
    for story, segment in ((1, 3), (11, 1), (12, 2), (13, 1)):
        views.connection.execute("insert into base.segment_story values (1, ?, ?)", [story, segment])
    for segment in (1, 2):
        views.connection.execute("insert into base.test_segment values (1, 1, ?)", [segment])
    [row] = views.rows(TABLE)
    assert row["mean_train_story"] == 10
    assert (row["n_topic"], row["n_topic_empty"], row["mean_test_story"]) == (3, 1, 1000)
    assert (row["mean_n_train"], row["mean_n_test"]) == pytest.approx((2 / 3, 50 / 3))
    assert (row["max_n_test"], row["min_n_test"]) == (49, 0)
    assert (row["n_labelled"], row["topic_per_story"]) == (49, pytest.approx(50 / 49))


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
