"""Filtering: topics and documents as in tracking without training; the runs are retrieved sets."""

from tdtsql.loading.decision_files import say_missing_topics, tidy_format, trec_format
from tdtsql.loading.tasks.tracking import OFFICIAL, numbering, read_plan

__all__ = ["FORMATS", "read_plan"]

_TIDY = tidy_format("filtering", numbering, say_missing_topics)

FORMATS = {"tidy": _TIDY, "trec": trec_format(), "tdt": OFFICIAL}
