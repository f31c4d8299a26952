"""Worked example for the mapping of pointers to stories.

        1        11       21       31
stories |---A----|---B----|---C----|
records      6: yes 1.0      26: no 0.4      (before 6: no, -1e99)

majority   A  5 of 10 recids before the first record, 5 under yes: a tie is yes;
              (5 * -1e99 + 5 * 1.0) / 10 = -5e98
           B  all under yes: 1.0
           C  5 yes, 5 no: yes, (5 * 1.0 + 5 * 0.4) / 10 = 0.7
impulse    A  best of -1e99 and 1.0: yes 1.0;  B  1.0;  C  best of 1.0 and 0.4: yes 1.0
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapped import map_pointers

BEGINS, ENDS = [1, 11, 21], [10, 20, 30]
RECORDS = ([6, 26], [True, False], [1.0, 0.4])


def test_worked_example():
    assert map_pointers(BEGINS, ENDS, *RECORDS, pointer_type="recid", mapping="majority") == [
        (-5e98, True),
        (1.0, True),
        (0.7, True),
    ]
    assert map_pointers(BEGINS, ENDS, *RECORDS, pointer_type="recid", mapping="impulse") == [
        (1.0, True),
        (1.0, True),
        (1.0, True),
    ]


@pytest.mark.parametrize("mapping", ["majority", "impulse"])
@pytest.mark.parametrize("pointer_type", ["recid", "time"])
def test_a_story_without_a_span_says_nothing(pointer_type, mapping):
    mapped = map_pointers(
        [None, 1, 9, 4], [5, None, 3, 4], [1], [True], [2.0], pointer_type=pointer_type, mapping=mapping
    )

    assert mapped[:3] == [(-9e99, False)] * 3
    # recids: both ends belong to the story, so 4..4 is one record; times: 4..4 is nothing
    assert mapped[3] == ((2.0, True) if pointer_type == "recid" else (-9e99, False))


@pytest.mark.parametrize("mapping", ["majority", "impulse"])
def test_a_source_file_without_records_is_before_the_first_record(mapping):
    assert map_pointers([1], [9], [], [], [], pointer_type="recid", mapping=mapping) == [(-1e99, False)]


def test_fractional_seconds_work_and_half_is_half():
    """0.1 to 0.3 is yes, 0.3 to 0.5 is no: as doubles 0.3 - 0.1 is a little less than 0.2."""
    [(score, yes)] = map_pointers(
        [0.1], [0.5], [0.0, 0.3], [True, False], [1.0, 3.0], pointer_type="time", mapping="majority"
    )

    assert (score, yes) == (2.0, True)


def test_impulse_by_time_counts_what_touches_the_ends_unless_it_was_used_up():
    """Stories [0, 10] and [10, 20]; records at 0 (9.0), 10 (1.0) and 20 (5.0).

    The first story is touched by 0 and, at its end, by 10. The second by 10,
    and, at its end, by 20; the record that ends at 10 was used up by the first.
    """
    records = ([0, 10, 20], [True, False, True], [9.0, 1.0, 5.0])

    both = map_pointers([0, 10], [10, 20], *records, pointer_type="time", mapping="impulse")
    second = map_pointers([10], [20], *records, pointer_type="time", mapping="impulse")

    assert both == [(9.0, True), (5.0, True)]
    assert second == [(9.0, True)]


def test_the_earliest_of_equal_scores_decides():
    records = ([1, 11, 21], [False, True, True], [2.0, 2.0, 1.0])

    [found] = map_pointers([1], [30], *records, pointer_type="recid", mapping="impulse")

    assert found == (2.0, False)


def test_scores_keep_fifteen_digits_or_all():
    records = ([1], [True], [0.1 + 0.2])

    [(short, _)] = map_pointers([1], [3], *records, pointer_type="recid", mapping="impulse")
    [(exact, _)] = map_pointers([1], [3], *records, pointer_type="recid", mapping="impulse", is_shortened=False)

    assert (short, exact) == (0.3, 0.30000000000000004)
    [(third, _)] = map_pointers([1], [3], [1], [True], [1 / 3], pointer_type="recid", mapping="impulse")
    assert third == 0.333333333333333


@given(
    pointers=st.lists(st.integers(1, 40), unique=True, max_size=8).map(sorted),
    spans=st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)).map(sorted), min_size=1, max_size=6),
    data=st.data(),
)
def test_recids_one_by_one_give_the_same(pointers, spans, data):
    """Every recid of a story looks up its own record; quarters make all sums exact."""
    values = [data.draw(st.integers(-8, 8)) / 4 for _ in pointers]
    decisions = [data.draw(st.booleans()) for _ in pointers]
    records = [(0, False, -1e99), *zip(pointers, decisions, values)]

    def mapped(mapping):
        begins, ends = zip(*spans)
        return map_pointers(begins, ends, pointers, decisions, values, pointer_type="recid", mapping=mapping)

    for (begin, end), majority, impulse in zip(spans, mapped("majority"), mapped("impulse")):
        in_force = [[record for record in records if record[0] <= recid][-1] for recid in range(begin, end + 1)]
        n_yes = sum(yes for _, yes, _ in in_force)
        mean = float(sum(Fraction(score) for _, _, score in in_force) / len(in_force))
        assert majority == (pytest.approx(mean, rel=1e-12, abs=1e-12), 2 * n_yes >= len(in_force))
        best = max(in_force, key=lambda record: (record[2], -record[0]))
        assert impulse == (best[2], best[1])
