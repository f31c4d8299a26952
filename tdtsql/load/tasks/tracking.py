"""System output on stories, topic by topic, into ``base.decision``.

Code   Meaning
E820   a topic of a run that the condition does not have
E821   a second file of one topic
E825   records of a source file that the topic's index does not list
W825   a partial first file that the topic's index does not list
W826   a header with another Nt than the condition's
E827   a source file of the topic's index without a record
E828   time pointers, and a source file whose boundary table has no seconds
"""

from collections.abc import Mapping
from typing import Any

from tdtsql.load.decisions import TREC, Decisions, official_format, tidy_format, trec_format
from tdtsql.load.topics import own_trials

#: returns the topics of a condition, with their training and test stories
read_plan = own_trials

#: topics, and stories of the test set, without a decision
_MISSING = ("decision/W862", "decision/W822")
#: of files that are not those of topics
_STORIES: Mapping[str, Any] = {"missing": _MISSING, "parameters": {"topics": [""]}}

#: one file per topic
OFFICIAL = official_format(
    "tracking",
    Decisions("topics", "docno", missing=_MISSING, parameters={"unlisted": ""}),
    "W826 E821 E820 E825 E827 E828",
)

FORMATS = {
    "tdt": OFFICIAL,
    "tidy": tidy_format("tracking", Decisions("topics", "tidy", **_STORIES)),
    "trec": trec_format(TREC(**_STORIES)),
}
