"""Output files of tracking, new event and link systems, and link keys."""

import pytest

from rows_of_files import KINDS
from tdtsql.errors import Problems

LARGEST = 1.7976931348623157e308


def read(reader, data):
    problems = Problems("sys.out")
    return reader(data, problems), [str(problem) for problem in problems.found]


def test_docno_output():
    output, found = read(
        KINDS["tracking_output"],
        b"# our system\n# second try\nUMass1 yes 4 55001 docno\ntkn/F.tkn NYT20030402.0001 YES 0.75\n"
        b"\n  x NYT20030402.0000 no -1e-3  # placeholder\n",
    )

    assert (output.head.line, output.head.system, output.head.has_boundaries, output.head.description) == (
        3,
        "UMass1",
        True,
        "our system\nsecond try",
    )
    assert (output.head.nt, output.head.topic_id, output.head.nt_variant, output.head.pointer_type) == (
        "4",
        "55001",
        None,
        "docno",
    )
    assert output.lines == [4, 6]
    assert output.columns["source"] == ["F", "x"]
    assert output.columns["story_id"] == ["NYT20030402.0001", "NYT20030402.0000"]
    assert output.columns["is_yes"] == [True, False]
    assert output.columns["score"] == [0.75, -0.001]
    assert found == []


@pytest.mark.parametrize(
    ("name", "stripped"),
    [
        ("tkn/A_B.tkn", "A_B"),
        ("A_B", "A_B"),
        ("a/b/A.as0", "A"),
        ("A.mtas1", "A"),
        ("A.mttkn", "A"),
        ("A.B.tkn", "A.B"),
        ("A.txt", "A.txt"),
    ],
)
def test_source_files_lose_directory_and_the_corpora_s_extensions(name, stripped):
    output, _ = read(KINDS["tracking_output"], f"S no 1 1 recid\n{name} 1 YES 1\n".encode())

    assert output.columns["source"] == [stripped]


def test_recids_are_whole_and_times_are_not():
    recid, _ = read(KINDS["tracking_output"], b"S no 1 1 RECID\nF 1 YES 1\nF 7 NO 0\nG 1 NO 0\n")
    time, _ = read(KINDS["tracking_output"], b"S no 1 1 time\nF 0 YES 1\nF 7.25 NO 0\n")

    assert recid.columns["recid"] == [1, 7, 1] and {type(pointer) for pointer in recid.columns["recid"]} == {int}
    assert time.columns["seconds"] == [0.0, 7.25]


@pytest.mark.parametrize(
    ("header", "topic_id", "variant"),
    [
        ("S yes 08 5500108 docno", "55001", "08"),
        ("S yes 8 5500108 docno", "55001", "08"),
        ("S yes V 5500108 docno", "55001", "08"),
        ("S yes 4 5500108 docno", "5500108", None),
        ("S yes 4 55001 docno", "55001", None),
    ],
)
def test_a_seven_digit_topic_is_split_where_nt_says_so(header, topic_id, variant):
    output, found = read(KINDS["tracking_output"], header.encode())

    assert (output.head.topic_id, output.head.nt_variant, found) == (topic_id, variant, [])


def test_an_infinite_score_outranks_the_rest_and_is_a_warning():
    output, found = read(KINDS["tracking_output"], b"S yes 1 1 docno\nF A YES inf\nF B NO -Infinity\nF C YES 1e400\n")

    assert output.columns["score"] == [LARGEST, -LARGEST, LARGEST]
    assert [line.split()[1] for line in found] == ["W209", "W209", "W209"]


def test_a_missing_header_does_not_hide_the_records():
    output, found = read(KINDS["tracking_output"], b"F A YES 0.5\nF B NO 0.25\n")

    assert output.columns["pointer"] == ["A", "B"]
    assert [line.split()[1] for line in found] == ["E200"]


def test_new_event_output():
    output, found = read(KINDS["new_event_output"], b"S yes 10 recid\ntkn/F.tkn 1 YES 2.3\ntkn/F.tkn 38 no 1\n")

    assert (output.head.line, output.head.system, output.head.has_boundaries, output.head.deferral) == (
        1,
        "S",
        True,
        10,
    )
    assert (output.head.pointer_type, output.head.description) == ("recid", "")
    assert (output.columns["source"], output.columns["recid"]) == (["F", "F"], [1, 38])
    assert (output.columns["is_yes"], output.columns["score"]) == ([True, False], [2.3, 1.0])
    assert found == []


def test_link_output_and_key():
    output, found = read(KINDS["link_output"], b"# d\nS 10\ntkn/F.tkn:A tkn/F.tkn:B yes 0.5\nB A NO -1\n")
    key, also_found = read(
        KINDS["link_key"], b"# LINK_DETECTION\n# Record format\ntkn/F.tkn:A tkn/F.tkn:B target 55001\nB A OTHER A\n"
    )

    assert (output.head.line, output.head.system, output.head.deferral, output.head.description) == (2, "S", 10, "d")
    assert (output.lines, output.columns["story_id_1"]) == ([3, 4], ["tkn/F.tkn:A", "B"])
    assert output.columns == {
        "story_id_1": ["tkn/F.tkn:A", "B"],
        "story_id_2": ["tkn/F.tkn:B", "A"],
        "is_yes": [True, False],
        "score": [0.5, -1.0],
    }
    assert key.columns == {
        "id_1": ["tkn/F.tkn:A", "B"],
        "id_2": ["tkn/F.tkn:B", "A"],
        "answer": ["TARGET", "OTHER"],
        "block": ["55001", "A"],
    }
    assert key.lines == [3, 4]
    assert found == also_found == []
