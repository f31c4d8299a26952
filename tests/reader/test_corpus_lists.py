"""Auxiliary index, SSD, control and list files."""

import pytest

from rows_of_files import KINDS
from tdtsql.errors import Problems


def read(reader, data):
    problems = Problems("file")
    return reader(data, problems), [problem.code for problem in problems.found]


@pytest.mark.parametrize(
    ("stamp", "date"),
    [
        ("19980612 12:30:14", "1998-06-12 12:30:14"),
        ('"19980612 12:30:14"', "1998-06-12 12:30:14"),
        ("19980612_1230", "1998-06-12 12:30:00"),
        ("19980612", "1998-06-12 00:00:00"),
        ("1998-06-12T12:30:14Z", "1998-06-12 12:30:14"),
    ],
)
def test_auxiliary_index_reads_every_date_stamp(stamp, date):
    rows, found = read(
        KINDS["auxiliary"], f"# comment\ntkn/19980612_1931_2033_NYT_NYT.tkn NYT English {stamp}\n".encode()
    )

    names = ("source_file", "source", "language", "date")
    assert [rows.columns[name] for name in names] == [["19980612_1931_2033_NYT_NYT"], ["NYT"], ["ENGLISH"], [date]]
    assert found == []


def test_auxiliary_index_may_repeat_a_line():
    rows, found = read(KINDS["auxiliary"], b"F NYT ENGLISH 20030401\nF NYT ENGLISH 20030401\n")

    assert (rows.lines, found) == ([1], [])


def test_subsets_keep_empty_sets_and_shared_files():
    subsets, found = read(
        KINDS["subset"],
        b'<source_subset>\n<set title="Newswire, English" heading="NWT English">\n'
        b'<source_file filename="A">\n<source_file filename="tkn/B.tkn">\n</set>\n'
        b'<set title="" heading="Mandarin">\n</set>\n<set title="All" heading="All">\n'
        b'<source_file filename="A"/>\n</set>\n</source_subset>\n',
    )

    names = ("line", "title", "heading")
    assert [tuple(map(row.get, names)) for row in subsets["source_set"]] == [
        (2, "Newswire, English", "NWT English"),
        (6, "", "Mandarin"),
        (8, "All", "All"),
    ]
    assert [tuple(map(row.get, (*names, "source_file"))) for row in subsets["source_set_file"]] == [
        (3, "Newswire, English", "NWT English", "A"),
        (4, "Newswire, English", "NWT English", "B"),
        (9, "All", "All", "A"),
    ]
    assert found == []


@pytest.mark.parametrize(("written", "nt"), [("1", "1"), ("16", "16"), ("V", "V"), ("v", "V")])
def test_control_file(written, nt):
    control, found = read(
        KINDS["control"], f"# nwt eng mul,nat {written}\n\nndx/trk_55001.ndx  # first\nndx/trk_55002.ndx\n".encode()
    )

    assert (control.head, control.lines) == (("eng", nt), [3, 4])
    assert (control.columns["name"], found) == (["ndx/trk_55001.ndx", "ndx/trk_55002.ndx"], [])


def test_index_list():
    names, found = read(KINDS["index_list"], b"# all\nndx/a.ndx\n\nndx/b.ndx\r\n")

    assert (names.lines, names.columns["name"], found) == ([2, 4], ["ndx/a.ndx", "ndx/b.ndx"], [])
