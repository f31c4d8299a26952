"""Filtering: topics and documents as in tracking without training; the runs are retrieved sets."""

from tdtsql.loading.tasks.tracking import OFFICIAL, clean_rows, read_plan, tidy_decisions
from tdtsql.loading.tidy_run import tidy_format
from tdtsql.loading.trec_run import trec_format

__all__ = ["FORMATS", "read_plan"]

_TIDY = tidy_format("filtering", tidy_decisions, clean_rows)

FORMATS = {"trec": trec_format(), "tidy": _TIDY, "frame": _TIDY, "tdt": OFFICIAL}
