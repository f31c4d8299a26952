"""The readers of TREC filtering files: what they return, and what they say of malformed files.

The malformed files lie in fixtures/malformed/filtering with a manifest that names,
for each, the line and the code of every defect. All must come in one pass.
"""

import gzip
import tomllib
from pathlib import Path

import pytest

from rows_of_files import KINDS
from tdtsql.errors import Problems

MALFORMED = Path(__file__).parents[2] / "fixtures" / "malformed" / "filtering"
CASES = tomllib.loads((MALFORMED / "manifest.toml").read_text())["case"]
READERS = {name: KINDS[name] for name in ("qrels", "trec_run", "document_order", "topic_list")}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_every_defect_is_named_in_one_pass(case):
    problems = Problems(case["file"])
    READERS[case["reader"]]((MALFORMED / case["file"]).read_bytes(), problems)
    assert [f"{problem.line or 'file'}: {problem.code}" for problem in problems.found] == case["expect"]


def test_every_malformed_file_is_in_the_manifest():
    assert {case["file"] for case in CASES} == {path.name for path in MALFORMED.iterdir()} - {"manifest.toml"}


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
