"""Runs beside each other, and topics with great numbers; worked examples are in tests/cases/bcubed."""

from partition import Answer, partition_rows


def test_topics_with_great_numbers_make_units_without_overflow():
    """Units are told apart by sums of cubes of topic numbers; 80,000^3 times 20,000 is beyond 18 digits."""
    many = {(f"S{number}", f"t{number:05}") for number in range(40_000)}
    pair = {("A", "t39998"), ("A", "t39999"), ("B", "t39998"), ("B", "t39999")}

    rows = partition_rows(Answer(pair, many | pair), "bcubed_overlap_unit")

    assert {(row["n_story"], row["n_own"], row["n_other"]) for row in rows if row["n_own"] > 1} == {(2, 2, 2)}
