"""What the readers of TREC filtering files return; malformed ones: fixtures/malformed/filtering."""

import gzip

import pytest

from rows_of_files import KINDS
from tdtsql.errors import Problems


@pytest.mark.parametrize(("conflict", "grade"), [("highest", 2), ("lowest", 0), ("last", 1)])
def test_the_user_chooses_among_conflicting_grades(conflict, grade):
    problems = Problems("q.txt")
    rows = KINDS["qrels"](b"R1 0 d1 2\nR1 0 d1 0\nR1 0 d1 1\n", problems, conflict=conflict)
    assert rows.columns["grade"] == [grade]
    assert {problem.code for problem in problems.found} == {"W403"}


def test_a_wholly_wrong_file_is_counted_not_listed_for_ever():
    problems = Problems("run")
    KINDS["trec_run"](b"a,b\n" * 3000, problems)
    assert len(problems.found) == 1001
    assert problems.found[-1].message.startswith("2000 more such lines")


def test_gzip_and_byte_order_mark():
    problems = Problems("order.txt.gz")
    assert KINDS["document_order"](gzip.compress(b"\xef\xbb\xbfd1\r\nd2\r\n"), problems).columns["document"] == [
        "d1",
        "d2",
    ]
    assert problems.found == []


def test_undecodable_lines_of_a_compressed_file_are_found_once():
    problems = Problems("order.txt.gz")
    assert KINDS["document_order"](gzip.compress(b"d1\n\xff\nd2\n"), problems).columns["document"] == ["d1", "d2"]
    assert [(problem.line, problem.code) for problem in problems.found] == [(2, "E003")]
