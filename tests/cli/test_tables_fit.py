"""Tables in a terminal of 80, 100 and 160 columns: nothing is broken inside a number or a name, what has no room is
named.
"""

from hypothesis import given, strategies as st
from rich.cells import cell_len

from tdtsql.show.table import GAP, Table, layout, text


def test_a_column_is_left_out_from_the_last_and_the_kept_ones_stay():
    # 10 + 2 + 10 + 2 + 10 + 2 + 10 = 46; without the last 34, without the last two 22
    columns = ["a" * 10, "b" * 10, "c" * 10, "d" * 10]
    rows = [["1", "2", "3", "4"], ["5", "6", "7", "8"]]

    assert layout(columns, rows, 46).left_out == []
    assert layout(columns, rows, 45).left_out == [3]
    assert layout(columns, rows, 30).left_out == [2, 3]
    assert layout(columns, rows, 30, keep=columns[3:]).left_out == [1, 2]


def test_one_value_for_all_rows_is_said_once_before_anything_is_left_out():
    columns, rows = ["run", "profile", "value"], [["osprey", "tdt2004", "0.5"], ["sparrow", "tdt2004", "0.25"]]

    assert layout(columns, rows, 23).constant == []  # 7 + 2 + 7 + 2 + 5
    narrow = layout(columns, rows, 22)
    assert narrow.constant == [1] and narrow.left_out == [] and narrow.widths == {0: 7, 2: 5}


def test_kept_columns_that_do_not_fit_become_headings():
    columns, rows = ["run", "subset", "value"], [["osprey", "language=ENGLISH", "0.5"], ["sparrow", "all", "0.25"]]
    narrow = layout(columns, rows, 24, keep=columns)  # 7 + 2 + 16 + 2 + 5 are too many, 16 + 2 + 5 are not

    assert narrow.heading == [0] and narrow.widths == {1: 16, 2: 5} and narrow.left_out == []


def test_a_number_is_never_parted_from_its_interval():
    cells = ("some_run", "another_run", "0.5899 [0.5207, 0.6327]", "+0.3022 [+0.2213, +0.3689]", "< 0.0002")
    table = Table(("run", "against", "value", "difference", "p"), [cells])

    lines, notes = text(table, 64, keep=("run", "against", "difference", "p"))  # all but the value have 60 characters

    assert lines.splitlines()[1] == "some_run  another_run  +0.3022 [+0.2213, +0.3689]  < 0.0002"
    assert notes == ["No room in 64 columns for value: --format csv has all."]


def test_a_sentence_is_broken_between_words_only():
    columns, rows = ["code", "message"], [["E1", "a sentence with incomprehensibilities in it"], ["E2", "short"]]
    narrow = layout(columns, rows, 30)

    assert narrow.left_out == [] and narrow.widths == {0: 4, 1: 24}
    assert layout(columns, rows, 20).left_out == [1]  # its longest word has 21 letters


words = st.text("ab cd", min_size=0, max_size=40)


@given(
    st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(words, min_size=n, max_size=n), min_size=1, max_size=5)),
    st.integers(20, 120),
)
def test_no_word_is_broken_and_every_column_is_accounted_for(texts, width):
    columns = [f"c{place}" for place in range(len(texts[0]))]
    found = layout(columns, texts, width)

    assert sorted([*found.widths, *found.constant, *found.left_out, *found.heading]) == list(range(len(columns)))
    for place, given_width in found.widths.items():
        assert given_width >= max(cell_len(word) for row in texts for word in row[place].split(" "))
    if len(found.widths) > 1:
        assert sum(found.widths.values()) + GAP * (len(found.widths) - 1) <= width
