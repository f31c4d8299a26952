"""Tracking system output: the decisions of one system on one topic.

    # description
    <System> <yes|no> <Nt> <Topic> <recid|time|docno>
    <source file> <pointer> <decision> <score>

Code   Meaning
E200   no header of five fields
E201   the boundaries field is neither yes nor no
E202   a pointer type other than recid, time or docno
E203   Nt is not a number, or V
W204   Nt other than 1, 2, 4, 8, 16 or V
E205   the topic is not a number
E206   a record without four fields
E207   a decision other than yes or no
E208   a score that is not a number, NaN included
W209   an infinite score
E210   a story with two decisions
E211   a pointer that is not a position
E212   a pointer that is not greater than the previous one
E213   a source file in two blocks

Source: The 2004 TDT evaluation plan, B.3; TDT3eval v2.6 as read.
"""

from tdtsql.errors import Problems
from tdtsql.reader import field
from tdtsql.reader.control import NT_VALUES
from tdtsql.reader.decision import Output, read_output

_HEADER = "<system> <yes|no> <Nt> <topic> <recid|time|docno>"


def read_tracking_output(data: bytes, problems: Problems) -> Output:
    """Return the decisions of one tracking output file."""
    return read_output(data, problems, header=_HEADER, first=200, task_fields=_training_and_topic)


def _training_and_topic(line: int, text: str, fields: list[tuple[int, str]], problems: Problems) -> dict[str, object]:
    nt, topic = fields
    number = field.natural(nt[1])
    topic_id = variant = None
    if field.natural(topic[1]) is None:
        problems.add(
            "E205",
            "topic is not a number, expected a topic id such as 55001",
            "Correct the header.",
            line,
            topic[0],
            topic[1],
        )
    else:
        bits = f"{number:02d}" if number is not None else None
        topic_id, variant = field.split_topic(topic[1], training_bits=bits)
    if number is None and nt[1].upper() != "V":
        problems.add(
            "E203",
            "Nt is not a number of training stories, expected 1, 2, 4, 8, 16 or V",
            "Correct the header.",
            line,
            nt[0],
            nt[1],
        )
    elif variant is None and nt[1].upper() not in NT_VALUES:
        problems.add(
            "W204", "Nt is unusual, expected 1, 2, 4, 8, 16 or V", "It is stored unchanged.", line, nt[0], nt[1]
        )
    return {"nt": nt[1].upper(), "topic_id": topic_id, "nt_variant": variant}
