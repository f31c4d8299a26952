"""Runs beside each other, and topics with great numbers; worked examples are in tests/cases/bcubed."""

from partition import Answer, partition_rows, partition_scores

TRUTH = {(f"S{n}", t) for n, t in [(1, "a"), (2, "a"), (3, "a"), (4, "a"), (5, "b"), (6, "b"), (7, "c")]}
ANSWER = {(f"S{n}", t) for n, t in [(1, "x"), (2, "x"), (8, "x"), (5, "y"), (7, "z"), (9, "z"), (10, "w")]}
BOTH = Answer(TRUTH, ANSWER)


def test_runs_do_not_leak_into_each_other():
    alone = {
        name: partition_scores({name: case}) for name, case in {"both": BOTH, "perfect": Answer(TRUTH, TRUTH)}.items()
    }
    together = partition_scores({"both": BOTH, "perfect": Answer(TRUTH, TRUTH)})

    for (name, policy, weighting), row in together.items():
        assert {**row, "run_no": 1} == alone[name][name, policy, weighting]


def test_topics_with_great_numbers_make_units_without_overflow():
    """Units are told apart by sums of cubes of topic numbers; 80,000^3 times 20,000 is beyond 18 digits."""
    many = {(f"S{number}", f"t{number:05}") for number in range(40_000)}
    pair = {("A", "t39998"), ("A", "t39999"), ("B", "t39998"), ("B", "t39999")}

    rows = partition_rows(Answer(pair, many | pair), "bcubed_overlap_unit")

    assert {(row["n_story"], row["n_own"], row["n_other"]) for row in rows if row["n_own"] > 1} == {(2, 2, 2)}
