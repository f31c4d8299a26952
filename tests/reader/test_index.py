"""Index files of the four tasks, in the plan's spelling and in the program's."""

from types import SimpleNamespace

import pytest

from rows_of_files import KINDS, read_index
from tdtsql.errors import Problems


def index_file(*values):
    return SimpleNamespace(**dict(zip("line path name extension begin".split(), values, strict=True)))


def training_story(*values):
    return SimpleNamespace(**dict(zip("line docno source_file begin end".split(), values, strict=True)))


def read(data, task):
    problems = Problems("x.ndx")
    return read_index(data, problems, task), [problem.code for problem in problems.found]


@pytest.mark.parametrize(
    "header", [b"# tracking recid Topic=55001", b"# TRACKING RECID TOPIC=55001", b"#Tracking Recid topic=55001"]
)
def test_tracking(header):
    index, found = read(
        header + b"\n# made by hand\n# Topic_training_story A tkn/F.tkn 1 20\n"
        b"# TOPIC_TRAINING_STORY B tkn/G.tkn -1 -1\n"
        b"tkn/G.tkn 85\ntkn/20030402_H.mttkn # last\n",
        "tracking",
    )

    assert (index.pointer_type, index.topic_id, index.nt_variant) == ("recid", "55001", None)
    assert index.training == [training_story(3, "A", "F", 1.0, 20.0), training_story(4, "B", "G", None, None)]
    assert index.files == [
        index_file(5, "tkn/G.tkn", "G", "tkn", 85.0),
        index_file(6, "tkn/20030402_H.mttkn", "20030402_H", "mttkn", 1.0),
    ]
    assert found == []


def test_seven_digits_are_a_topic_and_its_training_subset():
    index, found = read(b"# tracking recid Topic=5500108\ntkn/F.tkn\n", "tracking")

    assert (index.topic_id, index.nt_variant, found) == ("55001", "08", [])


def test_processing_by_time_begins_at_zero():
    index, found = read(b"# tracking time Topic=55001\nas0/F.as0\n", "tracking")

    assert (index.files[0].begin, found) == (0.0, [])


def test_the_same_line_in_indexes_of_several_kinds():
    """Lines are read once for all indexes of a process; where a file begins is their header's matter, and which line is
    the second their own.
    """
    by_record, _ = read(b"# tracking recid Topic=55001\ntkn/F.tkn\n", "tracking")
    by_time, _ = read(b"# tracking time Topic=55001\ntkn/F.tkn\n", "tracking")
    twice, found = read(b"# tracking recid Topic=55001\ntkn/F.tkn\n  tkn/F.tkn\n", "tracking")

    assert [index.files for index in (by_record, by_time, twice)] == [
        [index_file(2, "tkn/F.tkn", "F", "tkn", begin)] for begin in (1.0, 0.0, 1.0)
    ]
    assert found == ["E157"]


def test_new_event():
    index, found = read(b"# first_story time\ntkn/F.tkn\ntkn/G.tkn\n", "new_event")

    assert (index.pointer_type, [file.name for file in index.files], found) == ("time", ["F", "G"], [])


@pytest.mark.parametrize("line", [b"# SOURCE_FILE 1 tkn/F.tkn", b"# source_file tkn/F.tkn"])
def test_link(line):
    data = b"# LINK_DETECTION\n#\n" + line + b"\ntkn/F.tkn:A tkn/F.tkn:B\ntkn/F.tkn:A tkn/F.tkn:C\n"

    problems = Problems("link.ndx")
    rows = KINDS["index_link"](data, problems)

    assert [file.name for file in rows.head.files] == ["F"]
    assert rows.lines == [4, 5]
    assert rows.columns == {"story_id_1": ["tkn/F.tkn:A", "tkn/F.tkn:A"], "story_id_2": ["tkn/F.tkn:B", "tkn/F.tkn:C"]}
    assert problems.found == []


@pytest.mark.parametrize("word", [b"hierarchical_detection", b"HIEARCHICAL_DETECTION", b"Hierarchical_Detection"])
def test_hierarchy(word):
    index, found = read(b"# " + word + b" DOCNO\ntkn/F.tkn\n", "hierarchy")

    assert (index.pointer_type, [file.name for file in index.files], found) == ("docno", ["F"], [])


def test_story_list_of_a_hierarchy():
    index, found = read(b"# STORY_LIST_INDEX DOCNO\ntkn/F.tkn A B\ntkn/G.tkn C\n", "hierarchy")

    assert ([file.name for file in index.files], index.story_ids, found) == (["F", "G"], ["A", "B", "C"], [])
