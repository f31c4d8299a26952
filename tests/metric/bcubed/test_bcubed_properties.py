"""What must hold for any two clusterings, and the views against the definition in exact fractions."""

import itertools

from hypothesis import HealthCheck, given
from lanes import examples
from hypothesis import strategies as st
import pytest

from partition import DEFAULT, POLICIES, Answer, brute_force, fetch, load, partition_scores

ALL_POLICIES = list(itertools.product(POLICIES, POLICIES))
STORIES = [f"S{number}" for number in range(12)]
TOPICS = ["a", "b", "c", "d", "e"]

#: for tests of five cases that are in one store: planning the views takes longer than all of them
of_five = examples(default=1, full=12, suppress_health_check=[HealthCheck.too_slow])
partitions = st.dictionaries(st.sampled_from(STORIES), st.sampled_from(TOPICS)).map(lambda found: set(found.items()))
coverings = st.sets(st.tuples(st.sampled_from(STORIES), st.sampled_from(TOPICS)), max_size=30)


def compare(row, expected, weighting, prefix):
    for metric in ("precision", "recall", "f1"):
        found, want = row[f"{prefix}_{metric}"], expected[metric, weighting]
        assert (found is None) == (want is None), (metric, found, want)
        assert row[f"n_{metric}"] == 0 if want is None else row[f"n_{metric}"] > 0
        if want is not None:
            assert found == pytest.approx(float(want), abs=1e-14), metric


def five(*sides):
    """Return a strategy of five cases by name, and the empty one; ``sides``: strategies of the gold and of the answer.
    Without the filter, the first example would be five equal cases, the simplest ones.
    """
    cases = st.lists(st.builds(Answer, *sides), min_size=5, max_size=5).filter(lambda made: made[0] != made[-1])
    return cases.map(lambda made: {f"case {number}": case for number, case in enumerate([*made, Answer(set(), set())])})


@of_five
@given(five(partitions, partitions))
def test_partitions_equal_the_definition_under_all_policies(cases):
    with load(cases, ALL_POLICIES) as con:
        plain, extended = fetch(con, "bcubed_score"), fetch(con, "bcubed_extended_score")
    assert len(plain) == len(extended) == 32 * len(cases)
    extended_of = {(row["run_no"], row["profile_no"], row["weighting"]): row for row in extended}

    for row in plain:
        case = list(cases.values())[row["run_no"] - 1]
        expected = brute_force(case, *ALL_POLICIES[row["profile_no"] - 1])
        compare(row, expected, row["weighting"], "b3")
        twin = extended_of[row["run_no"], row["profile_no"], row["weighting"]]
        assert [twin[f"b3_ext_{m}"] for m in ("precision", "recall", "f1")] == [
            row[f"b3_{m}"] for m in ("precision", "recall", "f1")
        ]


@of_five
@given(five(coverings, coverings))
def test_overlapping_topics_equal_the_definition_under_all_policies(cases):
    with load(cases, ALL_POLICIES) as con:
        extended = fetch(con, "bcubed_extended_score")

    assert {row["run_no"] for row in extended} == set(range(1, len(cases) + 1))
    for row in extended:
        case = list(cases.values())[row["run_no"] - 1]
        compare(row, brute_force(case, *ALL_POLICIES[row["profile_no"] - 1]), row["weighting"], "b3_ext")


@of_five
@given(st.lists(coverings.filter(len), min_size=5, max_size=5).filter(lambda truths: truths[0] != truths[-1]))
def test_the_truth_is_a_perfect_answer(truths):
    cases = {f"case {number}": Answer(truth, truth) for number, truth in enumerate(truths)}
    rows = partition_scores(cases, view="extended_score")

    for name in cases:
        for weighting in ("story", "topic"):
            assert rows[name, DEFAULT, weighting]["b3_ext_f1"] == 1.0


@of_five
@given(five(coverings, coverings))
def test_sides_exchanged_exchange_precision_and_recall(cases):
    exchanged = {f"{name} back": Answer(case.response, case.reference) for name, case in cases.items()}
    found = partition_scores(cases | exchanged, view="extended_score")

    for name, weighting in itertools.product(cases, ("story", "topic")):
        there, back = found[name, DEFAULT, weighting], found[f"{name} back", DEFAULT, weighting]
        assert there["b3_ext_precision"] == back["b3_ext_recall"]
        assert there["b3_ext_recall"] == back["b3_ext_precision"]


def test_closed_forms():
    """One topic of n stories against n topics of one: each story shares its topic with itself only, 1/n."""
    sizes, cases = (1, 2, 7, 3000), {}  # 3000 in units of 1e-15 do not fit 18 digits
    for n_story in sizes:
        one = {(f"S{number}", "all") for number in range(n_story)}
        many = {(f"S{number}", f"t{number}") for number in range(n_story)}
        cases |= {f"merged {n_story}": Answer(many, one), f"split {n_story}": Answer(one, many)}
    found = partition_scores(cases)

    for n_story, weighting in itertools.product(sizes, ("story", "topic")):
        merged, split = (found[f"{name} {n_story}", DEFAULT, weighting] for name in ("merged", "split"))
        assert (merged["b3_precision"], merged["b3_recall"]) == (pytest.approx(1 / n_story, abs=1e-15), 1.0)
        assert (split["b3_precision"], split["b3_recall"]) == (1.0, pytest.approx(1 / n_story, abs=1e-15))
