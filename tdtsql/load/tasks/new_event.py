"""New event detection: its test set, and what systems say of it.

Every story of the test set has one decision; the topics share it, so decisions
are stored under block 0. Which stories are targets is SQL (base.new_event_trial__v1).

Code   Meaning
E840   a deferral period other than the condition's
E841   a pointer type other than the index's
E842   records of a source file outside the test set
E843   no record of a source file of the test set
E844   time pointers without seconds
E845   a story with two decisions, in two files
"""

from functools import partial

from tdtsql.load.decisions import Decisions, official_format, tidy_format
from tdtsql.load.topics import one_test_set

#: returns the topics of a condition; they share one test set
read_plan = one_test_set

#: stories of the test set without a decision, and decisions on others
_STORIES = partial(Decisions, "stories", "docno", missing=("decision/W847", "decision/W846"))

FORMATS = {
    "tdt": official_format(
        "new_event",
        _STORIES(repeated="E845"),
        "E840 E841 E842 E845 E828",
        if_sound=("output/E843",),
        deferral_code="E840",
    ),
    "tidy": tidy_format("new_event", _STORIES()),
}
