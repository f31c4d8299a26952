"""Ten times the lines take about ten times the time, in every reader, for files as they should be and as they should
not.

What is quadratic takes a hundred times as long; the bound between the two is wide, since a
machine is sometimes busy, and what is over at once is not measured.
"""

import re
import time
from pathlib import Path


import tdtsql
from each import of_each
from reader_kinds import READERS
from tdtsql.errors import Problems


def test_a_header_of_100000_columns_is_told_in_little():
    problems = Problems("file")

    began = time.process_time()
    READERS["tidy_tracking"](b",".join(b"column%d" % i for i in range(100_000)) + b"\n", problems)

    assert time.process_time() - began < 20  # it took hours
    told = [problem for problem in problems.found if problem.code == "E302"]
    assert len(told) == 21 and "99980 more columns" in told[-1].message


@of_each(kind for kind in READERS if kind not in ("bundle", "hierarchy_xml", "ts_topics", "clusters_json"))
def test_carriage_returns_alone_are_said_once(kind):
    problems = Problems("file")
    READERS[kind](b"run_id,topic_id\rr,1\rr,2\r", problems)

    assert [(problem.code, problem.line, problem.column) for problem in problems.found] == [("E006", 1, 16)]


def test_no_group_is_repeated_possessively():
    """Python before 3.11.5 (Debian 12 has 3.11.2) takes `(...)*+` wrongly, so that good files would be refused:
    github.com/python/cpython/issues/106052.
    """
    root = Path(tdtsql.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.py"))}
    assert [
        str(path.relative_to(root))
        for path, text in texts.items()
        if re.search(r"\)(?:[*+?]|\{[\d,]*\})\+|\(\?>", text)
    ] == []
    assert any("*+" in text for text in texts.values())
