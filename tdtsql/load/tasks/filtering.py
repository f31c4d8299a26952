"""Filtering: topics and documents as in tracking without training; the runs are retrieved sets."""

from functools import partial

from tdtsql.load.decisions import TREC, by_topic, tidy_format, trec_format
from tdtsql.load.tasks.tracking import OFFICIAL, TIDY, read_plan

__all__ = ["FORMATS", "read_plan"]

_TOPICS = ("decision/W862",)

FORMATS = {
    "tidy": tidy_format("filtering", partial(by_topic, **TIDY, missing=_TOPICS)),
    "trec": trec_format(partial(by_topic, **TREC, missing=_TOPICS)),
    "tdt": OFFICIAL,
}
