"""Filtering: topics and documents as in tracking without training; the runs are retrieved sets."""

from tdtsql.loading.plan import RunFormat
from tdtsql.loading.tasks.tracking import OfficialRun, clean_rows, read_plan, tidy_decisions
from tdtsql.loading.tidy_run import TidyRun
from tdtsql.loading.trec_run import TrecRun

__all__ = ["FORMATS", "read_plan"]

_TIDY = TidyRun("filtering", tidy_decisions, clean_rows)

FORMATS: dict[str, RunFormat] = {"trec": TrecRun(), "tidy": _TIDY, "frame": _TIDY, "tdt": OfficialRun()}
