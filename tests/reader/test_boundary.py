"""LDC boundary tables: values, spellings, and what is only a warning."""

from rows_of_files import KINDS
from tdtsql.errors import Problems

TABLE = b"""\
<BOUNDSET fileid=20030401_1830_1900_ABC_WNT collect_src=ABC_WNT collect_date=20030401_1830 src_lang=ENGLISH \
content_lang=NATIVE proc_remarks="">
<BOUNDARY docno=ABC20030401.1830.0000 doctype=NEWS Bsec=0.00 Esec=16.31 Brecid=1 Erecid=49>
<BOUNDARY docno=ABC20030401.1830.0016 doctype=MISCELLANEOUS Bsec=16.31 Esec=30.5 Brecid=50 Erecid=60>
<BOUNDARY docno=ABC20030401.1830.0030 doctype=UNTRANSCRIBED Bsec=30.5 Esec=40>
</BOUNDSET>
"""


def read(data, path="a.tkn_bnd"):
    problems = Problems(path)
    return KINDS["boundary"](data, problems), [str(problem) for problem in problems.found]


def head(table):
    [row] = table["boundary_set"]
    return tuple(row[name] for name in ("file_id", "source", "language", "collected_at"))


def stories(table):
    return [tuple(row.values()) for row in table["boundary"]]


def test_values_of_a_table():
    table, found = read(TABLE)

    assert found == []
    assert head(table) == ("20030401_1830_1900_ABC_WNT", "ABC_WNT", "ENGLISH", "2003-04-01 18:30:00")
    assert stories(table) == [
        (2, "ABC20030401.1830.0000", "NEWS", 0.0, 16.31, 1, 49),
        (3, "ABC20030401.1830.0016", "MISCELLANEOUS", 16.31, 30.5, 50, 60),
        (4, "ABC20030401.1830.0030", "UNTRANSCRIBED", 30.5, 40.0, None, None),
    ]


def test_quotes_case_and_several_tags_on_a_line_make_no_difference():
    table, found = read(
        b'<?xml version="1.0"?><!-- made > by hand -->\n'
        b'<boundset fileid="F" collect_src=A B src_lang=mandarin><boundary docno="D 1" doctype=NEWS bsec="1" ESEC=2 >'
        b"</boundset>\n"
    )

    assert found == []
    assert head(table) == ("F", "A B", "MANDARIN", None)
    assert stories(table) == [(2, "D 1", "NEWS", 1.0, 2.0, None, None)]


def test_windows_line_ends_and_a_byte_order_mark_make_no_difference():
    assert read(b"\xef\xbb\xbf" + TABLE.replace(b"\n", b"\r\n")) == read(TABLE)


def test_a_table_without_stories_is_a_table():
    table, found = read(b"<BOUNDSET fileid=F>\n</BOUNDSET>\n")

    assert (head(table)[0], stories(table), found) == ("F", [], [])
