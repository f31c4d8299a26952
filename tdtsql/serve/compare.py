"""Comparison of two or more runs: differences with intervals and tests, their picture, curves, topics."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from tdtsql.compare.settings import (
    CORRECTION_NAMES,
    INTERVALS,
    METRICS,
    MISSING,
    TESTS,
    TRIAL_INTERVALS,
    TRIAL_TESTS,
    Method,
    Setting,
    choose,
)
from tdtsql.compare.words import Compared, compare_runs
from tdtsql.report.comparison import records, shown_row, topic_table
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, MissingTopics
from tdtsql.report.charts import Curve
from tdtsql.report.curves import SCREEN_STEP, curves_of, det_curves
from tdtsql.serve.server import Page, PageRequest
from tdtsql.task import TASKS, topic_word, usual_weighting, weighting_in_words

#: heads of a comparison over topics, and of one over scored trials
_HEADS = "run, against, {}s, mean, baseline mean, difference, interval, win/tie/loss, p, p corrected"
_TRIAL_HEADS = ["run", "against", "value", "difference", "p", "p corrected"]


def page(ask: PageRequest) -> Page:
    tasks = ask.tasks()
    condition = ask.get("condition") or next(iter(tasks), None)
    task = tasks.get(condition or "")
    is_by_trial = task is not None and TASKS[task].is_by_trial
    names = list(dict.fromkeys(ask.all("run")))
    if baseline := ask.get("baseline"):
        names = [baseline, *(name for name in names if name != baseline)]
    of_blocks = "from report.block_score where condition_id = ? order by"
    found: dict[str, Any] = {"made": None, "error": None}
    if len(names) > 1:
        try:
            found |= _compared(ask, condition, names)
        except (InvalidComparison, MissingTopics) as error:
            found["error"] = error.message_for("web")
    return ask.page(
        "Compare",
        "compare.html",
        "/compare",
        400 if found["error"] else 200,
        conditions=list(tasks),
        condition=condition,
        names=names,
        runs=ask.names(
            "select run_id from registry.run join registry.condition using (condition_no) where condition_id = ? "
            "order by run_id",
            condition,
        ),
        profiles=ask.profiles(condition or ""),
        subsets=ask.names(f"select distinct subset {of_blocks} subset <> 'all', subset", condition),
        metrics=METRICS if is_by_trial else ask.names(f"select distinct metric {of_blocks} 1", condition),
        primary=ask.primary(condition),
        methods=[
            ("pairs", "pairs", ["baseline", "all"]),
            ("test", "test", ["", *(TRIAL_TESTS if is_by_trial else TESTS)]),
            ("correction", "correction", list(CORRECTION_NAMES)),
            ("interval", "interval", ["", *(TRIAL_INTERVALS if is_by_trial else INTERVALS)]),
            *(
                []
                if is_by_trial
                else [(f"missing {topic_word(task)}s" if task else "missing topics", "missing", MISSING)]
            ),
        ],
        **found,
    )


def _compared(ask: PageRequest, condition: str | None, names: list[str]) -> dict[str, Any]:
    method = Method(
        test=_one_of(ask, "test", (*TESTS, *TRIAL_TESTS)),
        correction=_one_of(ask, "correction", CORRECTION_NAMES) or "holm",
        interval=_one_of(ask, "interval", (*INTERVALS, *TRIAL_INTERVALS)),
        unit=ask.get("unit"),
    )
    setting = choose(
        ask.engine,
        names,
        metric=ask.get("metric"),
        subset=ask.get("subset") or "all",
        profile=ask.profile(condition or "") or None,
        condition=condition,
        is_by_topic=method.is_by_topic,
    )
    missing = _one_of(ask, "missing", MISSING) or "error"
    every_pair = ask.get("pairs") == "all"
    made: Compared = compare_runs(ask.engine, setting, every_pair=every_pair, missing=missing, method=method)
    rows = records(made)
    curves = _curves(ask, setting)
    looks, topics = ask.looks(), None
    if not setting.is_by_trial:
        topics = topic_table(ask.engine, setting, names[:2], missing).fetchall()
    return {
        "made": made,
        "setting": setting,
        "words": made.method_in_words(),
        "notes": made.notes(),
        "heads": _TRIAL_HEADS if setting.is_by_trial else _HEADS.format(setting.topic).split(", "),
        "rows": [shown_row(made, row) for row in made.rows] if setting.is_by_trial else rows,
        "differences": [
            (f"{row['run_id']} – {row['baseline_id']}", row["difference"], row["low"], row["high"])
            for row in rows
            if row["difference"] is not None
        ],
        "level": method.level,
        "curves": curves,
        "has_hull": any(curve.hull for curve in curves),
        "weighting": weighting_in_words(usual_weighting(setting.task), setting.task),
        "looks": {curve.run: looks[setting.runs[curve.run][1]] for curve in curves},
        "topics": topics,
    }


def _curves(ask: PageRequest, setting: Setting) -> list[Curve]:
    """Return the DET curves of the runs on this subset; what is not stored is computed, if that does not take long."""
    curves = []
    with_hull = TASKS[setting.task].is_by_trial
    for name, (condition, run) in setting.runs.items():
        found: Iterable[Curve] = det_curves(
            ask.engine,
            condition,
            setting.profile,
            run=run,
            weighting=usual_weighting(setting.task),
            subsets=[setting.subset],
            with_hull=with_hull,
        ).values()
        if not found and setting.subset != "all":
            found = ask.patiently(partial(_made, ask.engine, condition, run, setting, with_hull)) or []
        curves += [replace(curve, run=name) for curve in found]
    return curves


def _made(engine: Engine, condition: str, run: str, setting: Setting, with_hull: bool) -> list[Curve]:
    """Return the curve of one run as it is drawn, or nothing where a class of trials is missing."""
    try:
        return curves_of(
            engine,
            condition=condition,
            profile=setting.profile,
            weighting=usual_weighting(setting.task),
            subsets=[setting.subset],
            runs=[run],
            with_hull=with_hull,
            step=SCREEN_STEP,
        )
    except InvalidComparison:
        return []


def _one_of(ask: PageRequest, name: str, known: Iterable[str]) -> str | None:
    value = ask.get(name)
    if value is not None and value not in (known := list(known)):
        raise InvalidComparison(f"{name} is {value!r}, expected one of {', '.join(known)}.")
    return value
