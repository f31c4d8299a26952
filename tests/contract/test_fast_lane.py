"""The fast lane has something of everything, and tests/slow.txt names tests that are there."""

import re
from pathlib import Path

import pytest

from fast_lane import GOLDEN, KINDS, SLOW, is_slow
from tdtsql.task import TASKS

ROOT = Path(__file__).resolve().parents[2]


def is_there(test: str) -> bool:
    """Return whether the function of a test is in its file."""
    file, function = test.split("[", maxsplit=1)[0].split("::")
    path = ROOT / file
    return (
        path.is_file() and re.search(rf"^def {function}\(", path.read_text(encoding="utf-8"), re.MULTILINE) is not None
    )


def test_the_list_names_tests_that_are_there():
    assert [test for test in sorted(SLOW) if not is_there(test)] == [], "drop these lines of tests/slow.txt"


def test_there_is_a_golden_case_for_each_task():
    assert GOLDEN.keys() == TASKS.keys()


@pytest.mark.parametrize("kind", [*GOLDEN, *KINDS])
def test_every_kind_of_thing_is_in_the_fast_lane(kind):
    test = (GOLDEN | KINDS)[kind]
    assert is_there(test), "name another test of its kind in tests/support/fast_lane.py"
    assert not is_slow(test)
