"""One is one: counts in what the commands say."""

import pytest

from tdtsql.cli.output import print_problems
from tdtsql.errors import Problem


@pytest.mark.parametrize(
    ("errors", "warnings", "said"),
    [
        (1, 0, "1 error, 0 warnings. Nothing was stored."),
        (2, 1, "2 errors, 1 warning. Nothing was stored."),
        (0, 1, "0 errors, 1 warning."),
    ],
)
def test_problems_are_counted(capsys, errors, warnings, said):
    print_problems(
        [
            *(Problem("E101", "a.csv", line, 1, "it is broken") for line in range(errors)),
            *(Problem("W101", "a.csv", line, 1, "it is odd") for line in range(warnings)),
        ]
    )

    assert capsys.readouterr().err.splitlines()[-1] == said


def test_equal_lines_are_one_and_every_file_has_its_own_limit(capsys):
    many = [Problem("E820", "p1.csv", line, 1, "unknown topic", f"T{line}") for line in range(60)]

    print_problems(
        [*many, many[0], Problem("E820", "p2.csv", 3, 1, "unknown topic", "N99")], files=["p1.csv", "p2.csv", "p3.csv"]
    )

    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 24 and lines[20].endswith("E820 is the last of 40 more such lines.")
    assert lines[21:] == [
        "p2.csv:3:1: E820 unknown topic ('N99').",
        "2 of 3 files rejected (errors): p1.csv (60), p2.csv (1).",
        "61 errors, 0 warnings. Nothing was stored.",
    ]


def test_problems_come_in_the_order_of_lines(capsys):
    places = [("b.csv", 7), ("b.csv", 3), ("b.csv", None), ("a.csv", 1), ("b.csv", 2)]
    print_problems([Problem(f"E10{number}", path, line, 1, "odd") for number, (path, line) in enumerate(places)])

    assert [line.split(": ")[0] for line in capsys.readouterr().err.splitlines()[:-1]] == [
        "b.csv:2:1",
        "b.csv:3:1",
        "b.csv:7:1",
        "b.csv:1",
        "a.csv:1:1",
    ]
