"""LDC topic relevance tables: which stories discuss which topics.

    <TOPICSET annot_date=20041022>
    <ONTOPIC topicid=55001 level=YES docno=NYT20030402.0100 fileid=F comments="NO">
    </TOPICSET>

Levels are read in any case (NIST's program reads upper case only).

Code   Meaning
E110   neither TOPICSET nor ONTOPIC: not a relevance table
E111   an ONTOPIC without topicid, level or docno
E112   a level other than YES, BRIEF or NO
E113   contradictory judgments of a story for one topic
E114   not a well-formed tag, or an element of another kind of file
W115   a table without any judgment

Source: LDC TDT corpora; TDT3eval v2.6 as read.
"""

import re
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader import field
from tdtsql.reader.tag import Tag, tags
from tdtsql.files.text import is_readable

_KNOWN = frozenset({"topicset", "ontopic"})

#: a judgment as the LDC's tables write nearly all of them
_USUAL = re.compile(
    r"<ONTOPIC +topicid=([^\s\"<>=]+) +level=(YES|BRIEF|NO) +docno=([^\s\"<>=]+)(?: +fileid=([^\s\"<>=]+))?(?: "
    r"+comments=\"[^\"]*\")?>"
)


class OnTopic(NamedTuple):
    """One judgment: what an annotator said about a story and a topic."""

    line: int
    topic_id: str
    level: str  #: yes, brief or no
    docno: str
    file_id: str | None


def read_topic_relevance(data: bytes, problems: Problems) -> list[OnTopic]:
    """Return the judgments of a relevance table, each pair of topic and story once."""
    rows: list[OnTopic] = []
    judged: dict[tuple[str, str], OnTopic] = {}
    is_table = is_judged = False
    row: OnTopic | None

    for tag in tags(data, problems, code="E114", known=_KNOWN, usual=_USUAL):
        is_table = True
        if isinstance(tag, tuple):
            line, match = tag
            topic_id, level, docno, file_id = match.groups()
            row = OnTopic(line, topic_id, level.lower(), docno, file_id)
        elif tag.name == "ontopic" and not tag.is_closing:
            row = _judgment(tag, problems)
        else:
            continue
        is_judged = True
        if row is None:
            continue
        earlier = judged.setdefault((row.topic_id, row.docno), row)
        if earlier is row:
            rows.append(row)
        elif earlier.level != row.level:
            column, written = (
                (tag[1].start(2) + 1, tag[1].group(2))
                if isinstance(tag, tuple)
                else (tag.column_of("level"), tag.attributes["level"])
            )
            problems.add(
                "E113",
                f"story {row.docno} is judged {row.level} for topic {row.topic_id}, and {earlier.level} "
                f"on line {earlier.line}",
                "Keep one of the two judgments.",
                row.line,
                column,
                written,
            )

    if not is_table:
        if is_readable(problems):
            problems.add(
                "E110",
                "neither TOPICSET nor ONTOPIC, expected a topic relevance table",
                "Name the relevance table.",
                1,
                1,
            )
    elif not is_judged and not problems.errors:
        problems.add(
            "W115", "the table holds no ONTOPIC, so it judges no story", "Check that this is the table you mean.", 1, 1
        )
    return rows


def _judgment(tag: Tag, problems: Problems) -> OnTopic | None:
    attributes = tag.attributes
    absent = [name for name in ("topicid", "level", "docno") if not attributes.get(name)]
    for name in absent:
        problems.add("E111", f"ONTOPIC has no {name}, expected {name}=VALUE", "Add the attribute.", *tag.place)
    written = attributes.get("level")
    level = field.level(written) if written else None
    if written and level is None:
        problems.add(
            "E112",
            "level is not known, expected YES, BRIEF or NO",
            "Correct the level.",
            *tag.place_of("level"),
            written,
        )
    if absent or level is None:
        return None
    return OnTopic(tag.line, attributes["topicid"], level, attributes["docno"], attributes.get("fileid") or None)
