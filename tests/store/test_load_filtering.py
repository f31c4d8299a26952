"""Periods of a document order: cuts are document ids where these are rising numbers, else positions."""

from pathlib import Path

import pytest

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute, report
from tdtsql.files.find import Inputs

#: RCV1: 26151 to 810597, cut at ids which need not be there themselves
RCV1 = ["26151", "226928", "226930", "412613", "628902", "628903", "810597"]


@pytest.mark.parametrize(
    ("stories", "cuts", "periods", "codes"),
    [
        (["c", "a", "b", "z", "y"], [2, 4], [1, 1, 2, 2, 3], []),
        (RCV1, [226928, 412612, 628902], [1, 1, 2, 3, 3, 4, 4], []),
        (["101", "102", "103", "104"], [1, 3], [1, 2, 2, 3], []),  # below all numbers: positions
        (["3", "1", "2"], [1], [1, 2, 2], []),  # numbers that do not rise are names
        (["a", "b", "c"], [2, 9], [1, 1, 2], ["W863"]),
        (["a", "b"], [], [0, 0], []),
        (["a", "b", "c", "d"], [2, 2], None, ["E864"]),
        (["a", "b", "c", "d"], [3, 1], None, ["E864"]),
    ],
)
def test_periods(stories, cuts, periods, codes):
    engine, inputs = Engine(":memory:"), Inputs(Path())
    engine.execute("create schema base")
    for table, columns in {
        "base.story": "corpus_no int, story_no int, story_id varchar, source_file_no int, source varchar, "
        "language varchar, begin_recid int, published_at varchar, is_news int",
        "base.source_file": "corpus_no int, source_file_no int, source_file varchar, is_excluded int",
        "set_file": "heading varchar, source_file varchar",
    }.items():
        engine.execute(f"create table {table} ({columns})")
    numbers = list(range(1, len(stories) + 1))
    engine.insert("base.story", {"corpus_no": 1, "story_no": numbers, "story_id": stories, "is_news": 1})
    own = {"corpus": 1, "cuts": cuts, "languages": [], "where": 0}
    execute(engine, "topics/stories", own)
    for check in ("topics/E864", "topics/W863"):
        report(inputs, ["condition c"], engine, check, own)
    assert [problem.code for problem in inputs.problems] == codes
    if periods is not None:
        assert engine.column("select period from condition_story order by story_no") == periods
