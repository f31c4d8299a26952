"""Letters: runs share one exactly if their difference is not significant."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tdtsql.compare.groups import significance_letters


def test_a_chain_where_only_the_ends_differ_overlaps_in_the_middle():
    assert significance_letters(["a", "b", "c"], [("a", "c")]) == {"a": "a", "b": "ab", "c": "b"}


def test_no_difference_is_one_group_and_all_differences_are_one_each():
    assert significance_letters(["x", "y"], []) == {"x": "a", "y": "a"}
    assert significance_letters(["x", "y", "z"], combinations("xyz", 2)) == {"x": "a", "y": "b", "z": "c"}


@given(st.integers(1, 7), st.data())
def test_letters_say_exactly_what_is_significant(n_run, data):
    runs = [f"r{index}" for index in range(n_run)]
    significant = [pair for pair in combinations(runs, 2) if data.draw(st.booleans())]

    letters = significance_letters(runs, significant)

    for one, other in combinations(runs, 2):
        shared = set(letters[one]) & set(letters[other])
        assert bool(shared) == ((one, other) not in significant)
    assert all(letters.values())
    places = [
        [place for place, run in enumerate(runs) if letter in letters[run]]
        for letter in sorted(set("".join(letters.values())))
    ]
    assert places == sorted(places)
