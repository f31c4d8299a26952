"""Topic relevance tables: values, case, repeated judgments."""

import pytest

from rows_of_files import KINDS
from tdtsql.errors import Problems

TABLE = b"""\
<TOPICSET annot_date=20041022>
<ONTOPIC topicid=55001 level=YES docno=NYT20030402.0100 fileid=20030402_0000_2001_NYT_NYT comments="NO">
<ONTOPIC topicid=55001 level=brief docno=NYT20030402.0107 comments="see > the \xe2\x80\x98other\xe2\x80\x99 one">
<ONTOPIC topicid=55002 level=NO docno=NYT20030402.0100 fileid=20030402_0000_2001_NYT_NYT \
comments=only in passing rank=3>
</TOPICSET>
"""


def judgments(data, problems):
    """Return line, topic, level, story and source file."""
    return [tuple(row.values()) for row in KINDS["relevance"](data, problems)["on_topic"]]


def read(data):
    problems = Problems("t.rel")
    return judgments(data, problems), [str(problem) for problem in problems.found]


def test_values_of_a_table():
    assert read(TABLE) == (
        [
            (2, "55001", "yes", "NYT20030402.0100", "20030402_0000_2001_NYT_NYT"),
            (3, "55001", "brief", "NYT20030402.0107", None),
            (4, "55002", "no", "NYT20030402.0100", "20030402_0000_2001_NYT_NYT"),
        ],
        [],
    )


def test_the_same_judgment_twice_is_one():
    row = TABLE.splitlines()[1]

    rows, found = read(b"<TOPICSET>\n" + row + b"\n" + row.replace(b"YES", b"Yes") + b"\n</TOPICSET>\n")

    assert [row[0] for row in rows] == [2]
    assert found == []


def test_one_story_on_two_topics_is_no_contradiction():
    rows, found = read(TABLE)

    assert [row[1] for row in rows if row[3] == "NYT20030402.0100"] == ["55001", "55002"]
    assert found == []


@pytest.mark.parametrize("written", ["<ONTOPIC {}>", "<ontopic {}>", " <ONTOPIC {} >"])
def test_a_table_is_read_alike_however_its_tags_are_written(written):
    parts = (
        'topicid=1 level=YES docno=A fileid=F comments="a > b"',
        "topicid=1  level=BRIEF docno=B",
        "topicid=2 level=NO docno=A",
        "topicid=2 level=YES docno=A",
    )
    data = "\n".join(written.format(part) for part in parts).encode()
    problems = Problems("t.rel")

    rows = judgments(data, problems)

    assert rows == [
        (1, "1", "yes", "A", "F"),
        (2, "1", "brief", "B", None),
        (3, "2", "no", "A", None),
    ]
    [problem] = problems.found
    assert (problem.code, problem.line, problem.value) == ("E113", 4, "YES")
    assert problem.column == written.index("{}") + len("topicid=2 level=") + 1
