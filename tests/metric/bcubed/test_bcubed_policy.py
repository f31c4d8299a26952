"""The four policies on each side, stories on several topics, and the rows of each topic.

The example of all policy tests (S8-S10 are off topic, S3, S4 and S6 unassigned):

    truth    a = S1 S2 S3 S4     b = S5 S6     c = S7
    answer   x = S1 S2 S8        y = S5        z = S7 S9      w = S10

    ratio of a story          S1   S2   S3 S4   S5   S6   S7   S8 S9 S10
    precision (its system)    2/3  2/3   -      1    -    1/2  0
    recall (its reference)    2/4  2/4   0      1/2  0    1    -

    exclude/exclude  P = (2/3 + 2/3 + 1 + 1/2) / 7 stories of the system    = 17/42
                     R = (1/2 + 1/2 + 1/2 + 1) / 7 stories of the reference = 5/14
    zero/zero        both over all 10 stories: 17/60 and 1/4
    drop/drop        only S1 S2 S5 S7 are left: 1 and 1
"""

from fractions import Fraction as F

import pytest

from partition import DEFAULT, POLICIES, Answer, partition_rows, partition_scores

TRUTH = {(f"S{n}", t) for n, t in [(1, "a"), (2, "a"), (3, "a"), (4, "a"), (5, "b"), (6, "b"), (7, "c")]}
ANSWER = {(f"S{n}", t) for n, t in [(1, "x"), (2, "x"), (8, "x"), (5, "y"), (7, "z"), (9, "z"), (10, "w")]}
BOTH = Answer(TRUTH, ANSWER)


@pytest.mark.parametrize(
    ("policy", "precision", "recall"),
    [
        (("exclude", "exclude"), F(17, 42), F(5, 14)),
        (("zero", "zero"), F(17, 60), F(1, 4)),
        (("drop", "drop"), F(1), F(1)),
        # S3 S4 S6 are system topics of one (1 each), S8 S9 S10 reference topics of one (1/3, 1/2 and 1 of their system
        # topic):
        # P = (17/6 + 3 + 1/3 + 1/2 + 1) / 10, R = (5/2 + 1/4 + 1/4 + 1/2 + 3) / 10
        (("singleton", "singleton"), F(23, 30), F(13, 20)),
        (("exclude", "drop"), F(1), F(5, 14)),
        (("drop", "zero"), F(17, 42), F(4, 7)),
    ],
)
def test_worked_example(policy, precision, recall):
    row = partition_scores({"both": BOTH}, [policy])["both", policy, "story"]

    assert row["b3_precision"] == pytest.approx(float(precision), abs=1e-15)
    assert row["b3_recall"] == pytest.approx(float(recall), abs=1e-15)
    assert row["b3_f1"] == pytest.approx(float(2 * precision * recall / (precision + recall)), abs=1e-15)


def test_topics_have_the_recall_of_the_reference_and_the_precision_of_the_system():
    numbers = BOTH.numbers
    rows = {row["block_no"]: row for row in partition_rows(BOTH, "bcubed_topic")}

    assert len(rows) == 7
    assert (rows[numbers["a"]]["b3_recall"], rows[numbers["a"]]["b3_precision"]) == (4 / 16, None)
    assert (rows[numbers["x"]]["b3_recall"], rows[numbers["x"]]["b3_precision"]) == (None, 4 / 9)
    assert (rows[numbers["w"]]["n_response"], rows[numbers["w"]]["b3_precision"]) == (1, 0.0)


def test_a_topic_is_two_sets_of_stories_under_one_name():
    case = Answer({("S1", "a"), ("S2", "a"), ("S3", "b")}, {("S1", "a"), ("S3", "a")})
    rows = {row["block_no"]: row for row in partition_rows(case, "bcubed_topic")}

    assert rows[1]["b3_recall"] == 1 / 4
    assert rows[1]["b3_precision"] == 2 / 4
    assert (rows[2]["b3_recall"], rows[2]["b3_precision"], rows[2]["n_response"]) == (1.0, None, 0)


@pytest.mark.parametrize(
    ("policy", "precision", "recall"),
    [
        (("exclude", "exclude"), "2/3 2/3 - - 1 - 1/2 0 0 0", "1/2 1/2 0 0 1/2 0 1 - - -"),
        (("zero", "zero"), "2/3 2/3 0 0 1 0 1/2 0 0 0", "1/2 1/2 0 0 1/2 0 1 0 0 0"),
        (("singleton", "singleton"), "2/3 2/3 1 1 1 1 1/2 1/3 1/2 1", "1/2 1/2 1/4 1/4 1/2 1/2 1 1 1 1"),
        (("drop", "drop"), "1 1 . . 1 . 1 . . .", "1 1 . . 1 . 1 . . ."),
    ],
)
def test_precision_and_recall_of_each_story(policy, precision, recall):
    """Figure 4; ``-``: NULL, ``.``: no row."""
    names = sorted(f"S{number}" for number in range(1, 11))  # they are numbered in this order
    rows = {names[row["story_no"] - 1]: row for row in partition_rows(BOTH, "bcubed_story", policy)}
    found = [rows[name] for name in (f"S{number}" for number in range(1, 11)) if name in rows]

    for column, texts in (("b3_precision", precision), ("b3_recall", recall)):
        expected = [None if text == "-" else float(F(text)) for text in texts.split() if text != "."]
        assert [row[column] for row in found] == expected
    assert {row["null_reason"] for row in found} == {None}


def test_stories_of_a_run_with_several_topics_say_why_they_have_no_number():
    case = Answer({("S1", "a"), ("S1", "b"), ("S2", "a")}, {("S1", "a"), ("S2", "a")})
    rows = partition_rows(case, "bcubed_story")

    assert [(row["b3_precision"], row["b3_recall"], row["null_reason"]) for row in rows] == [
        (None, None, "several topics")
    ] * 2


@pytest.mark.parametrize("side", ["reference", "response"])
def test_several_topics_leave_the_plain_number_undefined_with_the_reason(side):
    one, two = {("S1", "a"), ("S2", "b")}, {("S1", "a"), ("S1", "b"), ("S2", "b")}
    case = Answer(two, one) if side == "reference" else Answer(one, two)

    plain = partition_scores({"case": case})
    extended = partition_scores({"case": case}, view="extended_score")

    for weighting in ("story", "topic"):
        row = plain["case", DEFAULT, weighting]
        assert (row["b3_precision"], row["b3_recall"], row["b3_f1"]) == (None, None, None)
        assert (row["n_precision"], row["n_recall"], row["n_f1"]) == (0, 0, 0)
        assert (row["null_reason"], row["n_overlapping"]) == ("several topics", 1)
        assert extended["case", DEFAULT, weighting]["b3_ext_f1"] is not None
    assert {row["null_reason"] for row in partition_rows(case, "bcubed_topic")} == {"several topics"}


def test_several_topics_of_a_dropped_story_do_not_count():
    case = Answer({("S1", "a")}, {("S1", "a"), ("S2", "a"), ("S2", "b")})

    assert partition_scores({"case": case})["case", DEFAULT, "story"]["b3_precision"] is None
    assert (
        partition_scores({"case": case}, [("exclude", "drop")])["case", ("exclude", "drop"), "story"]["b3_precision"]
        == 1
    )


def test_a_run_without_a_yes_has_rows_and_no_precision():
    case = Answer({("S1", "a"), ("S2", "a")}, set())
    expected = {"exclude": (None, 0.0), "drop": (None, None), "zero": (0.0, 0.0), "singleton": (1.0, 0.5)}

    found = partition_scores({"case": case}, [(policy, "exclude") for policy in POLICIES])

    for policy, numbers in expected.items():
        row = found["case", (policy, "exclude"), "story"]
        assert (row["b3_precision"], row["b3_recall"]) == numbers, policy
        assert (row["n_precision"] > 0, row["n_recall"] > 0) == tuple(number is not None for number in numbers)


def test_the_same_topic_twice_halves_the_extended_precision():
    """Two stories, one topic, given as two: each story pair shares two system topics and one reference topic."""
    case = Answer({("S1", "a"), ("S2", "a")}, {("S1", "a"), ("S2", "a"), ("S1", "b"), ("S2", "b")})

    row = partition_scores({"case": case}, view="extended_score")["case", DEFAULT, "story"]

    assert (row["b3_ext_precision"], row["b3_ext_recall"]) == (0.5, 1.0)


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
