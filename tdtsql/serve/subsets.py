"""Subsets of a condition with a key of trials, one column per run, with bootstrap intervals that are computed on
request.
"""

import time
from dataclasses import dataclass, replace

from markupsafe import Markup

from tdtsql.compare.settings import METRICS
from tdtsql.errors import InvalidComparison, UnknownName
from tdtsql.report.trials.subsets import SubsetGrid, attributes_of, default_draws, grid_of
from tdtsql.serve.server import Page, PageRequest
from tdtsql.task import TASKS
from tdtsql.compare.sample import BLOCK, ENROLLED, TRIAL
from tdtsql.trials.subsets import Setting

#: draws that can be chosen
DRAWS = (0, 100, 200, 1000)
#: trials times runs times (subsets + 1) that a page holds in memory at a time
MOST_HELD = 20_000_000
_LEVEL, _SEED = 0.95, 20040


class TooLong(InvalidComparison):
    """The draws exceeded the time limit of a page."""


@dataclass(frozen=True)
class _Clock:
    """Stops the draws when the time of a page is over: between two blocks of them."""

    end: float
    seconds: float

    def __call__(self, done: int, total: int, what: str) -> None:
        if time.monotonic() > self.end:
            raise TooLong(
                f"{done:,} of {total:,} resamples took {self.seconds:g} s, the time limit of a page. Request fewer, or "
                f"one attribute; `tdtsql stats subsets` has no limit."
            )


def page(ask: PageRequest) -> Page:
    conditions = {name: task for name, task in ask.tasks().items() if TASKS[task].is_by_trial}
    if not conditions:
        return Page("Subsets by runs", Markup("<p>No condition of this store has a key of trials.</p>"))
    condition = ask.get("condition") or next(iter(conditions))
    if condition not in conditions:
        raise UnknownName(
            f"condition '{condition}' has no key of trials. Conditions that have one: {', '.join(conditions)}."
        )
    attributes = attributes_of(ask.engine, condition)
    profile = ask.profile(condition)
    metric = ask.get("metric") or "eer"
    by, unit = ask.get("by"), ask.get("unit") or TRIAL
    n_draw = _number(ask, default_draws(ask.engine, condition))
    units = [
        TRIAL,
        BLOCK,
        ENROLLED,
        *ask.names(
            "select distinct attribute from base.verification_attribute join registry.condition using "
            "(condition_no) where condition_id = ? order by attribute",
            condition,
        ),
    ]
    grid, note, error = None, "", None
    try:
        grid, note = _grid(ask, Setting(condition, profile, metric, unit, _LEVEL, n_draw, _SEED), by)
    except InvalidComparison as failed:
        error = failed.message_for("web")
    return ask.page(
        f"Subsets of {condition} by runs",
        "subsets.html",
        "/",
        400 if error else 200,
        fields=[
            ("condition", "condition", conditions, condition, None),
            ("profile", "profile", ask.profiles(condition), profile, None),
            ("metric", "metric", METRICS, metric, None),
            ("attribute", "by", attributes, by, "all"),
            ("resampling unit", "unit", units, unit, None),
            ("resamples", "draws", [str(n) for n in sorted({*DRAWS, n_draw})], str(n_draw), None),
        ],
        task=conditions[condition],
        grid=grid,
        note=note,
        error=error,
    )


def _number(ask: PageRequest, default: int) -> int:
    """Return how many draws the address wants."""
    text = ask.get("draws")
    if text is None:
        return default
    if not (text.isascii() and text.isdigit()) or int(text) > max(DRAWS):
        raise InvalidComparison(
            f"draws is {text!r}, expected a whole number up to {max(DRAWS):,}. `tdtsql stats subsets --resamples` "
            f"has no limit."
        )
    return int(text)


def _grid(ask: PageRequest, setting: Setting, by: str | None) -> tuple[SubsetGrid | None, str]:
    """Return the table, and why requested intervals are missing."""
    note = ""
    [(n_trial, n_run, n_subset)] = ask.rows(
        """
        select (select coalesce(sum(n_trial), 0) from base.verification_segment as segment
        where segment.condition_no = condition.condition_no),
            (select count(*) from registry.run as run where run.condition_no = condition.condition_no),
            (select count(*) from base.subset as subset
            where subset.condition_no = condition.condition_no and starts_with(subset, coalesce(? || '=', '')))
        from registry.condition as condition where condition_id = ?""",
        by,
        setting.condition,
    )
    held = n_trial * n_run * (n_subset + 1)
    if setting.n_resample and held > MOST_HELD:
        note = (
            f"No intervals here: {n_trial:,} trials of {n_run:,} runs in {n_subset:,} subsets are too many to "
            "resample on a page. `tdtsql stats subsets` computes them, and one attribute may be few enough."
        )
        setting = replace(setting, n_resample=0)
    best = next(iter(ask.rows("select min(best) from registry.metric where metric = ?", setting.metric)))[0] or "none"
    seconds = ask.seconds or float("inf")
    clock = _Clock(time.monotonic() + seconds, seconds)
    grid = grid_of(ask.engine, setting, best=best, by=None if by is None else [by], progress=clock)
    return grid, note
