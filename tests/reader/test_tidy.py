"""Tidy tables: typed values, quoting, missing values, and columns from elsewhere."""

import math
from datetime import datetime

import numpy
import pytest

from tdtsql.errors import Problems
from rows_of_files import check_columns, read_items, read_tidy
from tdtsql.load.forms import TIDY


def read(data, form, delimiter=","):
    problems = Problems("t.csv")
    return read_tidy(data.encode(), problems, form, delimiter=delimiter), [str(problem) for problem in problems.found]


def test_tabs_and_quotes_inside_a_field():
    table, found = read('topic_id\ttitle\n1\tThe "Bam" earthquake\n2\t"a\tb"\n', "topics", "\t")

    assert (table.columns["title"], found) == (['The "Bam" earthquake', "a\tb"], [])


@pytest.mark.parametrize("form", sorted(TIDY))
def test_a_table_with_only_a_header(form):
    _, found = read(",".join(name for name in TIDY[form].fields if name not in TIDY[form].absent) + "\n", form)

    assert [line.split()[1] for line in found] == (["E318"] if TIDY[form].needs_rows else [])


def test_columns_of_a_data_frame_pass_the_same_checks():
    problems = Problems("frame")
    table = check_columns(
        "stories",
        {
            "story_id": [17, "B"],
            "position": [1.0, 2],
            "begin_sec": [0.5, math.nan],
            "end_sec": [1, None],
            "published_at": [datetime(2003, 4, 1, 12), None],
        },
        problems,
    )

    assert problems.found == []
    assert table.columns == {
        "story_id": ["17", "B"],
        "position": [1, 2],
        "begin_sec": [0.5, None],
        "end_sec": [1.0, None],
        "published_at": ["2003-04-01 12:00:00", None],
    }


def test_problems_of_columns_name_rows():
    problems = Problems("run.parquet")
    check_columns(
        "tracking",
        {
            "topic_id": ["1", "1", "1"],
            "story_id": ["A", "A", None],
            "decision": [True, "no", 2],
            "score": [math.nan, 1, 2],
            "extra": [0, 0, 0],
        },
        problems,
    )

    assert [str(problem) for problem in problems.found] == [
        "run.parquet: E302 tracking has no such column, expected topic_id, story_id, score, decision, run_id ('extra')."
        " Remove it, or rename it.",
        "run.parquet:1: E308 score is not a finite number ('nan'). Correct the value.",
        "run.parquet:2: E314 duplicate key (topic_id, story_id), first on row 1 ('1 A'). Remove one of the rows.",
        "run.parquet:3: E305 story_id is empty, expected an id without surrounding blanks. Fill it in.",
        "run.parquet:3: E310 invalid decision, expected yes/no, true/false or 1/0 ('2'). Correct the value.",
    ]


@pytest.mark.parametrize(
    "values",
    [
        ["yes", "no"],
        [" Yes", "NO"],
        ["true", "false"],
        ["TRUE", "False"],
        ["1", "0"],
        [" true", "0 "],
        [True, "FALSE"],
        [True, False],
        [1, 0],
        list(numpy.array([1, 0], dtype=numpy.int8)),
        list(numpy.array([True, False])),
    ],
)
def test_a_decision_may_be_written_in_many_ways(values):
    problems = Problems("frame")

    table = check_columns("new_event", {"story_id": ["A", "B"], "decision": values, "score": [1, 2]}, problems)

    assert problems.found == []
    assert table.columns["decision"] == [True, False] and {type(value) for value in table.columns["decision"]} == {bool}


@pytest.mark.parametrize("value", [2, -1, 1.0, "t", "maybe", "10"])
def test_what_is_no_decision(value):
    problems = Problems("frame")
    check_columns("new_event", {"story_id": ["A"], "decision": [value], "score": [1]}, problems)

    assert [problem.code for problem in problems.found] == ["E310"]


def test_pandas_and_numpy_values():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"story_id": ["A", "B"], "decision": [True, False], "score": [1.5, 2.0]})
    problems = Problems("frame")

    table = check_columns("new_event", {name: frame[name] for name in frame}, problems)

    assert problems.found == []
    assert table.columns == {"story_id": ["A", "B"], "decision": [True, False], "score": [1.5, 2.0]}
    assert {type(value) for value in table.columns["decision"]} == {bool}


def test_masked_values_are_missing():
    problems = Problems("run")
    score = numpy.ma.array([0.5, 1.0], mask=[False, True])
    table = check_columns("new_event", {"story_id": ["A", "B"], "score": score}, problems)

    assert (table.columns["score"], [(one.code, one.line) for one in problems.found]) == ([0.5], [("E305", 2)])


def test_items_have_up_to_1000_attributes():
    names = [f"c{number}" for number in range(1000)]
    data = f"item_id,score,{','.join(names)}\na,1,{','.join(names)}\nb,x,{','.join(names)}\n"
    problems = Problems("file.csv")

    found = read_items("tidy", data.encode(), problems)

    assert [str(problem)[:17] for problem in problems.found] == ["file.csv:3:3: E96"]
    assert found.columns["a999"] == ["c999", "c999"]
