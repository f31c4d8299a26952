"""Filtering: topics and documents as in tracking without training; the runs are retrieved sets."""

from tdtsql.intake.inputs import Inputs
from tdtsql.loading.plan import StoredCondition
from tdtsql.loading.tasks.tracking import OFFICIAL, numbering, read_plan
from tdtsql.loading.tidy_run import tidy_format
from tdtsql.loading.trec_run import trec_format

__all__ = ["FORMATS", "read_plan"]


def say_missing_topics(target: StoredCondition, run_no: int, inputs: Inputs, given: str) -> None:
    """Warn of topics of which a tidy run says nothing (W862), as of a file of TREC."""
    missing = [
        name
        for [name] in target.engine.rows(
            "select block_id from base.block where condition_no = ? and block_no not in (select block_no from "
            "base.decision where run_no = ?) order by block_id",
            [target.condition_no, run_no],
        )
    ]
    if 0 < len(missing) < len(target.block_no):  # a run that says nothing at all is W836
        inputs.add(
            "W862",
            given,
            f"{len(missing)} of {len(target.block_no)} topics have no document in the run",
            "They count as empty retrieved sets (missing_topic of the profile).",
            value=", ".join(missing),
        )


_TIDY = tidy_format("filtering", numbering, say_missing_topics)

FORMATS = {"trec": trec_format(), "tidy": _TIDY, "frame": _TIDY, "tdt": OFFICIAL}
