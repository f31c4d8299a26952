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


def clean(reader, data):
    problems = Problems("file.txt")
    result = reader(data, problems)
    assert problems.found == []
    return result


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_every_defect_is_named_in_one_pass(case):
    problems = Problems(case["file"])
    READERS[case["reader"]]((MALFORMED / case["file"]).read_bytes(), problems)
    assert [f"{problem.line or 'file'}: {problem.code}" for problem in problems.found] == case["expect"]


def test_every_malformed_file_is_in_the_manifest():
    assert {case["file"] for case in CASES} == {path.name for path in MALFORMED.iterdir()} - {"manifest.toml"}


def test_qrels_keep_grades_and_file_order():
    rows = clean(KINDS["qrels"], b"R2 0 d9 2\r\nR1\t0\td1  -1\n\nR1 x d2 0")
    assert (rows.columns["grade"], rows.lines) == ([2, -1, 0], [1, 2, 4])


@pytest.mark.parametrize(("conflict", "grade"), [("highest", 2), ("lowest", 0), ("last", 1)])
def test_the_user_chooses_among_conflicting_grades(conflict, grade):
    problems = Problems("q.txt")
    rows = KINDS["qrels"](b"R1 0 d1 2\nR1 0 d1 0\nR1 0 d1 1\n", problems, conflict=conflict)
    assert rows.columns["grade"] == [grade]
    assert {problem.code for problem in problems.found} == {"W403"}


def test_a_file_may_hold_several_runs():
    table = clean(KINDS["trec_run"], b"R1 Q0 d1 1 0.5 a\nR1 Q0 d2 2 0.25 b\nR2 Q0 d1 1 3 a\n")
    assert table.columns["run_id"] == ["a", "b", "a"]
    assert table.columns["topic_id"] == ["R1", "R1", "R2"]
    assert table.columns["story_id"] == ["d1", "d2", "d1"]
    assert table.columns["score"] == [0.5, 0.25, 3.0]
    assert table.lines == [1, 2, 3]


def test_a_run_without_scores_is_a_set():
    table = clean(KINDS["trec_run"], b"R1 Q0 d1 1 - a\nR1 Q0 d2 2 - a\nR1 Q0 d2 1 7 b\n")
    assert table.columns["score"] == [1.0, 1.0, 7.0]


def test_an_infinite_score_becomes_the_highest_there_is():
    problems = Problems("run")
    table = KINDS["trec_run"](b"R1 Q0 d1 1 inf a\nR1 Q0 d2 1 -inf a\n", problems)
    assert table.columns["score"] == [9e99, -9e99]


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


def test_topic_lists_may_have_titles():
    rows = clean(KINDS["topic_list"], b"R101  Economic espionage \nR102\n")
    assert rows.columns == {"topic_id": ["R101", "R102"], "title": ["Economic espionage", None]}


def test_an_infinite_score_does_not_hide_that_others_are_missing():
    """Both were stored as the highest score, and those of another run in the file, too."""
    problems = Problems("run")
    table = KINDS["trec_run"](b"1 Q0 a 1 inf x\n1 Q0 b 2 - x\n1 Q0 c 1 - y\n", problems)

    assert [(one.code, one.line, one.value) for one in problems.found] == [("W413", 1, "inf"), ("E415", 2, "x")]
    assert table.columns["score"] == [9e99, 1.0, 1.0]
