"""Filtering: topics and documents as in tracking without training; the runs are retrieved sets."""

from tdtsql.load.decisions import TREC, Decisions, tidy_format, trec_format
from tdtsql.load.tasks.tracking import OFFICIAL, read_plan

__all__ = ["FORMATS", "read_plan"]

_TOPICS = ("decision/W862",)

FORMATS = {
    "trec": trec_format(TREC(missing=_TOPICS)),
    "tidy": tidy_format("filtering", Decisions("topics", "tidy", missing=_TOPICS)),
    "tdt": OFFICIAL,
}
