"""Comparison of two or more runs: differences with intervals and tests, their picture, curves, topics."""

from functools import partial
from collections.abc import Iterable, Mapping

import numpy as np

from tdtsql.compare.paired import INTERVALS, TESTS
from tdtsql.compare.scored import METRICS
from tdtsql.compare.trial_pairs import INTERVALS as TRIAL_INTERVALS
from tdtsql.compare.trial_pairs import TESTS as TRIAL_TESTS
from tdtsql.errors import InvalidComparison, MissingTopics
from tdtsql.report import comparing, variants
from tdtsql.report.comparing import CORRECTION_NAMES, ComparedRuns, Requested, Setting
from tdtsql.report.trials import comparing as trials
from tdtsql.report.trials.comparing import ComparedTrials
from tdtsql.report import charts
from tdtsql.report.curves import hull_of, thin
from tdtsql.report.sections import signature
from tdtsql.serve.server import PageRequest, Page
from tdtsql.serve.markup import Content, Html, choice, escaped, hidden, link, notice, section, shown, table, tag
from tdtsql.task import TASKS, WEIGHTING

_MISSING = ("error", "common", "zero", "worst")


def page(ask: PageRequest) -> Page:
    conditions = ask.rows("select condition_id, task, condition_no from registry.condition order by condition_no")
    condition = ask.get("condition") or (conditions[0][0] if conditions else None)
    names = list(dict.fromkeys(ask.all("run")))
    if baseline := ask.get("baseline"):
        names = [baseline, *(name for name in names if name != baseline)]
    body: list[Content] = [_form(ask, [row[0] for row in conditions], condition, names)]
    status = 200
    if len(names) > 1:
        try:
            body += _compared(ask, condition, names)
        except (InvalidComparison, MissingTopics) as error:
            body.append(
                section(
                    "Comparison failed",
                    notice(error.told("web")),
                )
            )
            status = 400
    elif names:
        body.append(notice("Choose at least two runs."))
    return Page("Compare", escaped(body), "/compare", status)


def _form(ask: PageRequest, conditions: list[str], condition: str | None, names: list[str]) -> Html:
    runs = [
        run
        for [run] in ask.rows(
            "select run_id from registry.run join registry.condition using (condition_no) where condition_id = ? "
            "order by run_id",
            condition,
        )
    ]
    profiles = ask.profiles(condition or "")
    subsets = [
        name
        for [name] in ask.rows(
            "select distinct subset from report.block_score where condition_id = ? order by subset <> 'all', subset",
            condition,
        )
    ]
    boxes = [
        tag("label", tag("input", type="checkbox", name="run", value=run, checked=run in names), run, class_="inline")
        for run in runs
    ]
    task = next(iter(ask.rows("select task from registry.condition where condition_id = ?", condition)), [None])[0]
    is_by_trial = task is not None and TASKS[task].decides_on == "trial"
    metrics = [
        name
        for [name] in ask.rows(
            "select distinct metric from report.block_score where condition_id = ? order by 1", condition
        )
    ]
    if is_by_trial:
        metrics = list(METRICS)
    switch = tag(
        "form",
        choice("condition", "condition", conditions, condition),
        tag("button", "Update", class_="plain", type="submit"),
        action="/compare",
        method="get",
        class_="controls",
    )
    form = tag(
        "form",
        hidden(condition=condition, data=ask.server.head),
        tag("fieldset", tag("legend", "Runs"), boxes, class_="controls"),
        tag(
            "div",
            choice("metric", "metric", metrics, ask.get("metric") or (TASKS[task].primary if task else None)),
            choice("profile", "profile", profiles, ask.get("profile")),
            choice("subset", "subset", subsets, ask.get("subset")),
            choice("baseline", "baseline", runs, names[0] if names else None),
            tag("button", "Compare", class_="plain", type="submit"),
            class_="controls",
        ),
        tag(
            "details",
            tag("summary", "Method"),
            choice("pairs", "pairs", ["baseline", "all"], ask.get("pairs")),
            choice("test", "test", ["", *(TRIAL_TESTS if is_by_trial else TESTS)], ask.get("test")),
            choice("correction", "correction", list(CORRECTION_NAMES), ask.get("correction")),
            choice("interval", "interval", ["", *(TRIAL_INTERVALS if is_by_trial else INTERVALS)], ask.get("interval")),
            choice("missing topics", "missing", _MISSING, ask.get("missing")),
            class_="controls",
        ),
        action="/compare",
        method="get",
    )
    return escaped([switch, form])


def _compared(ask: PageRequest, condition: str | None, names: list[str]) -> list[Html]:
    requested = Requested(
        test=_one_of(ask, "test", (*TESTS, *TRIAL_TESTS)),
        correction=_one_of(ask, "correction", CORRECTION_NAMES) or "holm",
        interval=_one_of(ask, "interval", (*INTERVALS, *TRIAL_INTERVALS)),
        unit=ask.get("unit") or None,
    )
    setting = comparing.choose(
        ask.engine,
        names,
        metric=ask.get("metric"),
        subset=ask.get("subset") or "all",
        profile=ask.get("profile") or next(iter(ask.profiles(condition or "")), None),
        condition=condition,
        is_by_topic=requested.is_by_topic,
    )
    method = requested.of(setting)
    missing = _one_of(ask, "missing", _MISSING) or "error"
    is_every_pair = ask.get("pairs") == "all"
    key = (
        "compare",
        tuple(names),
        condition,
        setting.metric,
        setting.subset,
        setting.profile,
        method,
        missing,
        is_every_pair,
        requested.unit,
    )
    made: ComparedRuns | ComparedTrials = ask.server.cached(
        key,
        lambda: comparing.compare_runs(
            ask.engine, setting, every_pair=is_every_pair, missing=missing, method=method, unit=requested.unit
        ),
    )
    rows = comparing.as_rows(made)
    parts = [
        section(
            f"{setting.metric} on {setting.condition}",
            tag("p", f"Subset {setting.subset}, profile {setting.profile}: {comparing.method_in_words(made)}."),
            [notice(note) for note in comparing.notes(made)],
            _table(setting, made),
            tag(
                "figure",
                charts.intervals(
                    [
                        (
                            f"{row['run_id']} – {row['baseline_id']}",
                            row["difference"],
                            _number(row["low"]),
                            _number(row["high"]),
                        )
                        for row in rows
                        if _number(row["difference"]) is not None
                    ],
                    f"Differences of {setting.metric}",
                ),
                tag(
                    "figcaption",
                    f"Differences of {setting.metric} with their {method.level:.0%} intervals; 0 means equal.",
                ),
            ),
            signature(made.signature),
        )
    ]
    more = [_curves(ask, setting)]
    if not setting.is_by_trial:
        more.append(_topics(ask, setting, names, missing))
    parts += [part for part in more if part is not None]
    return parts


def _table(setting: Setting, made: ComparedRuns | ComparedTrials) -> Html:
    if isinstance(made, ComparedTrials):
        shown_rows = [trials.shown_row(row, made.family) for row in made.family.rows]
        return table(
            ["run", "against", "value", "difference", "p", "p corrected"],
            [[_run(setting, str(run)), _run(setting, str(against)), *row] for run, against, *row in shown_rows],
            caption="Comparison of runs",
            numeric=[False, False, True, True, True, True],
        )
    rows = comparing.as_rows(made)
    return table(
        [
            "run",
            "against",
            "topics",
            "mean",
            "against's mean",
            "difference",
            "interval",
            "win/tie/loss",
            "p",
            "p corrected",
        ],
        [
            [
                _run(setting, row["run_id"]),
                _run(setting, row["baseline_id"]),
                row["n_topic"],
                shown(row["mean"]),
                shown(row["baseline_mean"]),
                shown(row["difference"]),
                f"{shown(row['low'])} … {shown(row['high'])}",
                f"{row['win']}/{row['tie']}/{row['loss']}",
                shown(row["p"]),
                shown(row["p_adjusted"]),
            ]
            for row in rows
        ],
        caption="Comparison of runs",
        numeric=[False, False, *([True] * 8)],
    )


def _one_of(ask: PageRequest, name: str, known: Iterable[str]) -> str | None:
    value = ask.get(name) or None
    if value is not None and value not in (known := list(known)):
        raise InvalidComparison(f"{name} is {value!r}, expected one of {', '.join(known)}.")
    return value


def _run(setting: Setting, name: str) -> Html:
    condition, run = setting.runs[name]
    return link(name, "/run", condition=condition, run=run, profile=setting.profile)


def _number(value: float | None) -> float | None:
    """Return NaN, which means undefined, as None."""
    return None if value is None or np.isnan(value) else value


def _curves(ask: PageRequest, setting: Setting) -> Html | None:
    """The DET curves of the runs, where they have any of this subset."""
    tasks = dict(ask.rows("select condition_id, task from registry.condition"))
    curves = []
    for name, (condition, run) in setting.runs.items():
        names = [condition, run, setting.profile, setting.subset, WEIGHTING]
        points = ask.server.cached(
            ("det", *names),
            partial(
                ask.rows,
                "select p_fa, p_miss, threshold from report.det_point where condition_id = ? and run_id = ? and "
                "profile_id = ? and subset = ? and weighting = ? and block_id is null and p_fa is not null and "
                "p_miss is not null order by point_no",
                *names,
            ),
        )
        if not points:
            continue
        found = dict(
            ask.rows(
                "select metric, value from report.score where condition_id = ? and run_id = ? and profile_id = ? and "
                "subset = ? and weighting = ? and metric in ('min_p_fa', 'min_p_miss', 'p_fa', 'p_miss', 'act_p_fa', "
                "'act_p_miss')",
                *names,
            )
        )
        marks: dict[str, tuple[float, float] | None] = {}
        for kind in ("min_", "", "act_"):
            fa, miss = found.get(f"{kind}p_fa"), found.get(f"{kind}p_miss")
            marks[kind] = None if fa is None or miss is None else (fa, miss)
        rates = [(fa, miss) for fa, miss, _ in points]
        kept = [points[at] for at in thin([fa for fa, _ in rates], [miss for _, miss in rates])]
        hull = [rates[at] for at in hull_of(rates)] if TASKS[tasks[condition]].decides_on == "trial" else []
        columns = zip(*kept, strict=True)
        p_fa, p_miss, threshold = (list(column) for column in columns)
        curves.append(charts.Curve(name, p_fa, p_miss, threshold, (), marks["min_"], marks[""] or marks["act_"], hull))
    if not curves:
        return None
    looks = run_looks(ask, setting.runs)
    said = "Topic-weighted; lower left is better. Triangle: minimum cost. Disc: the run's decisions" + (
        ", or those at the Bayes threshold. Dotted: convex hull." if any(curve.hull for curve in curves) else "."
    )
    return section(
        "DET curves",
        charts.legend({curve.run: looks[curve.run] for curve in curves}),
        tag("figure", tag("div", charts.det(curves, looks), class_="scroll-x"), tag("figcaption", said)),
    )


def run_looks(ask: PageRequest, runs: Mapping[str, tuple[str, str]]) -> dict[str, int]:
    """Return name -> number of the colour of its run, the same on every page and in the report."""
    every = ask.looks()
    return {name: every[run] for name, (_, run) in runs.items()}


def _topics(ask: PageRequest, setting: Setting, names: list[str], missing: str) -> Html:
    columns, rows = variants.topic_rows(ask.engine, setting, names[1], names[0], missing=missing)
    conditions = setting.runs[names[0]][0]
    return section(
        f"{names[1]} against {names[0]} by topic",
        table(
            ["topic", *columns[1:]],
            [
                [
                    link(row[0], "/topic", condition=conditions, topic=row[0], profile=setting.profile),
                    *(shown(_number(value)) for value in row[1:]),
                ]
                for row in rows
            ],
            caption=f"{setting.metric} by topic, the largest difference first",
            numeric=[False, True, True, True],
            tall=True,
        ),
    )
