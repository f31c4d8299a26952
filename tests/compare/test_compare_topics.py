"""Topics of two runs, one gap each way and one topic that nobody has:

topic    A     B
T1     0.5   0.2
T2     0.4     -     missing from B
T3       -   0.9     missing from A
T4     none  none    undefined: no target trial
"""

import pytest

from tdtsql.compare.topics import align
from tdtsql.errors import InvalidComparison, MissingTopics

GAPS = {"A": {"T1": 0.5, "T2": 0.4, "T4": None}, "B": {"T1": 0.2, "T3": 0.9, "T4": float("nan")}}


def test_a_missing_topic_is_an_error_unless_a_policy_says_otherwise():
    with pytest.raises(MissingTopics) as caught:
        align(GAPS)

    assert str(caught.value) == (
        "run 'B' has no number on topic 'T2', which other compared runs have (2 such gaps). "
        "Say what a missing topic means: missing='common', zero or worst."
    )


@pytest.mark.parametrize(
    ("policy", "best", "expected"),
    [
        ("common", "lowest", [[0.5, 0.2]]),
        ("zero", "lowest", [[0.5, 0.2], [0.4, 0.0], [0.0, 0.9]]),
        ("worst", "lowest", [[0.5, 0.2], [0.4, 0.9], [0.9, 0.9]]),
        ("worst", "highest", [[0.5, 0.2], [0.4, 0.2], [0.2, 0.9]]),
    ],
)
def test_policies(policy, best, expected):
    matrix = align(GAPS, missing=policy, best=best)

    assert matrix.values.tolist() == expected
    assert (matrix.n_missing, matrix.undefined) == (2, ("T4",))


def test_a_topic_without_a_number_for_any_run_is_left_out_and_counted():
    matrix = align({"A": {"T1": 1.0, "T4": None}, "B": {"T1": 2.0}})

    assert matrix.topics == ("T1",)
    assert (matrix.n_missing, matrix.undefined) == (0, ("T4",))


def test_nothing_in_common_is_said():
    with pytest.raises(InvalidComparison, match="no topic in common"):
        align({"A": {"T1": 1.0}, "B": {"T2": 1.0}}, missing="common")


def test_unknown_policy_names_the_known_ones():
    with pytest.raises(
        InvalidComparison, match="policy 'drop' for missing topics is unknown. One of: error, common, zero, worst."
    ):
        align(GAPS, missing="drop")


def test_worst_of_a_metric_without_a_better_end_is_refused():
    with pytest.raises(InvalidComparison, match="no better end"):
        align(GAPS, missing="worst", best="none")
