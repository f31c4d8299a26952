"""A list of topics: one topic id a line, its title behind it where wanted.

It says which topics a filtering condition has. A topic that the qrels do not
name has no relevant documents, and is shown as such.

    E431  a duplicate topic
    E432  a line with a tag: the file has topic descriptions and is not a list
"""

from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.trec import Defect, column_of, lines_of


class ListedTopic(NamedTuple):
    """One topic."""

    topic_id: str
    title: str | None
    line: int


def read_topic_list(data: bytes, problems: Problems) -> list[ListedTopic]:
    """Return the topics in file order."""
    twice = Defect("E431", "the topic was listed before", "Drop the line.")
    tagged = Defect(
        "E432",
        "a tag, expected a topic id: this is not a list of topics",
        "Give one topic id a line, its title behind it.",
    )
    kept: dict[str, ListedTopic] = {}
    for number, text in lines_of(data, problems):
        parts = text.split(maxsplit=1)
        if not parts:
            continue
        if parts[0].startswith("<"):
            tagged.at(number, column_of(text, 0), parts[0])
            continue
        topic = ListedTopic(parts[0], parts[1].strip() if len(parts) > 1 else None, number)
        if kept.setdefault(topic.topic_id, topic) is not topic:
            twice.at(number, column_of(text, 0), f"{topic.topic_id}, first in line {kept[topic.topic_id].line}")
    for defect in (twice, tagged):
        defect.report(problems)
    return list(kept.values())
