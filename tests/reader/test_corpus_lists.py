"""Auxiliary index, SSD, control and list files."""

import pytest

from tdtsql.errors import Problems
from tdtsql.reader.auxiliary import SourceInfo, read_auxiliary
from tdtsql.reader.control import Control, read_control, read_index_list
from tdtsql.reader.subset import SubsetFile, SubsetSet, read_subsets


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
    rows, found = read(read_auxiliary, f"# comment\ntkn/19980612_1931_2033_NYT_NYT.tkn NYT English {stamp}\n".encode())

    assert rows == [SourceInfo(2, "19980612_1931_2033_NYT_NYT", "NYT", "ENGLISH", date)]
    assert found == []


def test_auxiliary_index_may_repeat_a_line():
    rows, found = read(read_auxiliary, b"F NYT ENGLISH 20030401\nF NYT ENGLISH 20030401\n")

    assert ([row.line for row in rows], found) == ([1], [])


def test_subsets_keep_empty_sets_and_shared_files():
    subsets, found = read(
        read_subsets,
        b'<source_subset>\n<set title="Newswire, English" heading="NWT English">\n'
        b'<source_file filename="A">\n<source_file filename="tkn/B.tkn">\n</set>\n'
        b'<set title="" heading="Mandarin">\n</set>\n<set title="All" heading="All">\n'
        b'<source_file filename="A"/>\n</set>\n</source_subset>\n',
    )

    assert subsets.sets == [
        SubsetSet(2, "Newswire, English", "NWT English"),
        SubsetSet(6, "", "Mandarin"),
        SubsetSet(8, "All", "All"),
    ]
    assert subsets.files == [
        SubsetFile(3, "Newswire, English", "NWT English", "A"),
        SubsetFile(4, "Newswire, English", "NWT English", "B"),
        SubsetFile(9, "All", "All", "A"),
    ]
    assert found == []


@pytest.mark.parametrize(("written", "nt"), [("1", "1"), ("16", "16"), ("V", "V"), ("v", "V")])
def test_control_file(written, nt):
    control, found = read(
        read_control, f"# nwt eng mul,nat {written}\n\nndx/trk_55001.ndx  # first\nndx/trk_55002.ndx\n".encode()
    )

    assert control == Control("eng", nt, [(3, "ndx/trk_55001.ndx"), (4, "ndx/trk_55002.ndx")])
    assert found == []


def test_index_list():
    names, found = read(read_index_list, b"# all\nndx/a.ndx\n\nndx/b.ndx\r\n")

    assert (names, found) == ([(2, "ndx/a.ndx"), (4, "ndx/b.ndx")], [])
