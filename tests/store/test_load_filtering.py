"""Periods of a document order: cuts are document ids where these are rising numbers, else positions."""

from pathlib import Path

import pytest

from tdtsql.files.find import Inputs
from tdtsql.loading.story_trials import periods_of


@pytest.fixture
def inputs():
    return Inputs(Path())


def codes(inputs):
    return [problem.code for problem in inputs.problems]


def test_cuts_are_positions(inputs):
    assert periods_of(["c", "a", "b", "z", "y"], [2, 4], inputs, "b") == [1, 1, 2, 2, 3]
    assert codes(inputs) == []


def test_cuts_are_ids_where_ids_are_rising_numbers(inputs):
    """RCV1: 26151 to 810597, cut at 226928, 412612, 628902, which need not be there themselves."""
    ids = ["26151", "226928", "226930", "412613", "628902", "628903", "810597"]
    assert periods_of(ids, [226928, 412612, 628902], inputs, "b") == [1, 1, 2, 3, 3, 4, 4]
    assert codes(inputs) == []


def test_cuts_below_all_numbers_are_positions(inputs):
    assert periods_of(["101", "102", "103", "104"], [1, 3], inputs, "b") == [1, 2, 2, 3]


def test_numbers_that_do_not_rise_are_names(inputs):
    assert periods_of(["3", "1", "2"], [1], inputs, "b") == [1, 2, 2]


def test_a_cut_outside_the_documents_is_a_warning(inputs):
    assert periods_of(["a", "b", "c"], [2, 9], inputs, "b") == [1, 1, 2]
    assert codes(inputs) == ["W863"]


@pytest.mark.parametrize("cuts", [[2, 2], [3, 1]])
def test_cuts_that_do_not_rise_are_an_error(inputs, cuts):
    periods_of(["a", "b", "c", "d"], cuts, inputs, "b")
    assert codes(inputs) == ["E864"]
