"""A list of topics: one topic id a line, its title behind it where wanted.

It says which topics a filtering condition has. A topic that the qrels do not
name has no relevant documents, and is shown as such.

Code   Meaning
E431   a duplicate topic
E432   a line with a tag: the file has topic descriptions and is not a list
"""

from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.files.text import fields_with_columns
from tdtsql.reader.trec import lines_of


class ListedTopic(NamedTuple):
    """One topic."""

    topic_id: str
    title: str | None
    line: int


def read_topic_list(data: bytes, problems: Problems) -> list[ListedTopic]:
    """Return the topics in file order."""
    kept: dict[str, ListedTopic] = {}
    for line, text in lines_of(data, problems):
        parts = text.split(maxsplit=1)
        if not parts:
            continue
        column = fields_with_columns(text)[0][0]
        if parts[0].startswith("<"):
            said = "a tag, expected a topic id: this is not a list of topics"
            problems.add("E432", said, "Give one topic id a line, its title behind it.", line, column, parts[0])
            continue
        topic = ListedTopic(parts[0], parts[1].strip() if len(parts) > 1 else None, line)
        first = kept.setdefault(topic.topic_id, topic)
        if first is not topic:
            said = f"the topic was listed before, in line {first.line}"
            problems.add("E431", said, "Drop the line.", line, column, topic.topic_id)
    return list(kept.values())
