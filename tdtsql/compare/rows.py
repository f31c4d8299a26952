"""Comparisons and intervals as rows of the store: what is missing is computed and stored, the rest is read.

A row of ``ledger.result_comparison`` is a pair of runs under one setting, or one run and the interval of its number. It
rests on the computations of its runs, so it goes when one of them is replaced; readers correct p values for their
family. The baseline of a stored pair is the run whose name comes first. Where a store is read only, new rows are in a
temporary table.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial

import numpy as np
from numpy import ndarray

from tdtsql.compare.resample import DRAWS_VERSION, Row, Sample, Step, alike, compare_means, interval
from tdtsql.compare.settings import METRICS, TABLE, Method, Setting
from tdtsql.compare.trials import COVERAGE, compare_trials
from tdtsql.compare.units import (
    N_TRIAL,
    n_trials,
    places_of,
    read_runs,
    read_topics,
    setting_trials,
    weights_of,
    without_holes,
)
from tdtsql.definitions.catalogue import catalog, read_statement
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, not_none
from tdtsql.task import TASKS, topic_word

#: a run and its baseline; None: the run alone
Pair = tuple[str, str | None]
#: topics below which an interval is too unreliable to be shown by default
FEWEST_TOPICS = 6


# ---- stored rows


def stored(engine: Engine) -> str:
    """Return the relation of stored rows, with those that a store which is only read cannot store."""
    if not (engine.read_only and engine.file is not None):
        return TABLE
    engine.execute(f"create temp table if not exists result_comparison as select * from {TABLE} limit 0")
    return f"(select * from {TABLE} union all select * from {engine.own_results})"


def with_stored(engine: Engine, sql: str) -> str:
    """Return a query of report.comparison and report.interval that reads the rows of this connection too."""
    if (rows := stored(engine)) == TABLE:
        return sql
    for name in ("comparison", "interval"):
        view = catalog()[f"report.{name}"].body.replace(TABLE, rows)
        engine.execute(f"create or replace temp view {name} as {view}")
        sql = re.sub(rf"\breport\.{name}\b", f"temp.{name}", sql)
    return sql


@contextmanager
def pair_table(engine: Engine, rows: Sequence[Row]) -> Iterator[str]:
    """Give a temporary table of comparisons: columns of stored rows, with their places and names in a call."""
    named, table = ("condition_id", "profile_id", "run_id", "baseline_id"), engine.unused_name("compared_pair")
    columns = ", ".join(f"'' as {name}" for name in named)
    engine.execute(f"create temp table {table} as select 0 as row_no, {columns}, * from {TABLE} limit 0")
    own = {name: [row.get(name) for row in rows] for name in (*named, *tables()[TABLE].columns)}
    engine.insert(table, {"row_no": list(range(len(rows))), **own})
    yield table
    engine.execute(f"drop table {table}")


def comparison_rows(
    engine: Engine, setting: Setting, pairs: Sequence[Pair], method: Method, step: Step | None = None
) -> list[Row]:
    """Return the row of each pair (run, baseline) by a method that is `decided`; missing ones are computed and stored.

    Raises:
        InvalidComparison, InvalidSetting, MissingTopics: the runs cannot be compared like this.
    """
    compute = partial(_compare_trials if setting.is_by_trial else _compare_topics, step=step)
    rows = _rows(engine, setting, pairs, method, compute)
    if not (setting.is_by_trial or any(row["n_topic"] for row in rows)):
        raise InvalidComparison(
            f"the runs have no {setting.topic} in common with a number. Check that they are of one condition."
        )
    return rows


def decided(engine: Engine, setting: Setting, method: Method) -> Method:
    """Return a method with everything decided.

    Raises:
        InvalidSetting: it is not for the metric and the units of the setting.
    """
    if setting.is_by_trial:
        return method.of_trials(setting.metric, n_trials(engine, setting))
    return method.of_topics(*_topic_unit(engine, setting, method))


def _topic_unit(engine: Engine, setting: Setting, method: Method) -> tuple[str, int]:
    """Return what is drawn of topics, and how many there are: clusters where a condition has them and a call names
    nothing.

    Raises:
        InvalidSetting: a unit of topics, which are drawn themselves.
    """
    if method.unit is not None and setting.topic != "item":
        raise InvalidSetting(f"unit {method.unit!r} is for scored trials; topics are resampled. Leave --unit out.")
    given = {"condition": next(iter(setting.runs.values()))[0]}
    n_topic, n_clustered, n_cluster = engine.rows(read_statement("compare/n_unit"), given)[0]
    unit = method.unit or ("cluster" if n_clustered else setting.topic)
    return unit, n_cluster if unit == "cluster" else n_topic


def _rows(
    engine: Engine,
    setting: Setting,
    pairs: Sequence[Pair],
    method: Method,
    compute: Callable[[Engine, Setting, Sequence[Pair], Method], list[Row]],
) -> list[Row]:
    """Return the row of each pair; missing ones are computed and stored.

    Raises:
        InvalidComparison: a run has no number that is up to date; a stored row was changed.
    """
    names = ("unit", "test", "interval", "level", "n_permutation", "seed", "missing")
    key: Row = {name: getattr(method, name) for name in names}
    key |= {"subset": setting.subset, "metric": setting.metric, "weighting": setting.weighted}
    key |= {"n_draw": 0 if method.interval == "normal" else method.n_draw, "draws_version": DRAWS_VERSION}
    made_sql = read_statement("compare/made")
    if setting.source != Setting.source:  # stored rows are of the computations of this store
        with pair_table(engine, [row | key for row in compute(engine, setting, pairs, method)]) as computed:
            return engine.records(made_sql.replace("compared_pair", computed))
    numbers: dict[str | None, int] = {name: run["computation_no"] for name, run in read_runs(engine, setting).items()}
    table = stored(engine)
    given = key | places_of(setting.runs) | {"condition": setting.condition, "profile": setting.profile}
    given |= {"names": list(numbers), "numbers": list(numbers.values())}
    given |= dict(zip(("pair_runs", "pair_baselines"), map(list, zip(*pairs, strict=True)), strict=True))
    statement = read_statement("compare/stored").replace(TABLE, table)
    rows = engine.records(statement, given)
    for row in rows:
        if row["is_changed"]:
            raise InvalidComparison(
                f"a stored row of {setting.metric}, subset {setting.subset}, was changed, its hash is another "
                f"(computation {row['computation_no']}). `tdtsql check` lists such rows; delete them from {TABLE}."
            )
    lacking: list[Pair] = list(dict.fromkeys((row["first"], row["second"]) for row in rows if row["sha256"] is None))
    if not lacking:
        return rows
    used = dict.fromkeys(name for pair in lacking for name in pair if name is not None)
    made = compute(engine, replace(setting, runs={name: setting.runs[name] for name in used}), lacking, method)
    for (run, baseline), row in zip(lacking, made, strict=True):
        row |= {"computation_no": numbers[run], "baseline_computation_no": numbers.get(baseline)}
    is_own = table != TABLE
    with (
        nullcontext() if is_own or engine.in_transaction else engine.change(),
        pair_table(engine, [row | key for row in made]) as computed,
    ):
        into = engine.own_results if is_own else TABLE
        engine.execute(f"insert into {into} {made_sql.replace('compared_pair', computed)}")
    return engine.records(statement, given)


# ---- topics and items


def _compare_topics(
    engine: Engine, setting: Setting, pairs: Sequence[Pair], method: Method, step: Step | None
) -> list[Row]:
    """Return the results of pairs of runs, which share their draws where they have the same topics.

    Raises:
        MissingTopics, InvalidComparison: see `without_holes`.
    """
    n_trial, runs = N_TRIAL.get(setting.metric), list(setting.runs)
    topics = read_topics(engine, setting, method.unit, [n_trial] if n_trial and setting.weighted == "story" else [])
    values, (weights, groups) = topics.values[setting.metric], weights_of(engine, setting, topics)
    units = {"weights": weights, "groups": groups, "clusters": topics.clusters}
    for column in (weights, groups):
        if column is not None:
            values[np.isnan(column)] = math.nan
    places = [[runs.index(str(name)) for name in pair] for pair in pairs]
    rows: list[Row] = [{}] * len(pairs)

    def gaps(index: int) -> ndarray:
        hole = np.isnan(values[:, places[index]])
        is_own = method.missing == "worst" and (hole[:, 0] != hole[:, 1]).any()  # what a gap means is the pair's
        return np.append(np.packbits([hole.any(axis=1), hole.all(axis=1)]), index if is_own else -1)

    for members in alike(map(gaps, range(len(pairs)))):
        used = list(dict.fromkeys(at for index in members for at in places[index]))
        named = [runs[at] for at in used]
        try:
            some = without_holes(named, topics.names, values[:, used], method.missing, setting.best, setting.topic)
        except InvalidComparison:  # other pairs may have some in common
            for index in members:
                rows[index] = {"reason": f"no {setting.topic} in common", "n_topic": 0}
            continue
        sample = Sample(
            some.values, **{name: None if column is None else column[some.kept] for name, column in units.items()}
        )
        facts: Row = {"n_topic": len(some.values), "n_undefined": some.n_undefined, "n_missing": some.n_missing}
        facts["n_cluster"] = None if topics.clusters is None else sample.n_unit
        local = [(used.index(run), used.index(baseline)) for run, baseline in (places[index] for index in members)]
        for index, row in zip(members, compare_means(sample, local, method, step), strict=True):
            if setting.best == "lowest":
                row["win"], row["loss"] = row["loss"], row["win"]
            if "p" not in row:
                unit = setting.topic if topics.clusters is None or len(some.values) == 1 else "cluster"
                row["reason"] = row["reason"].replace("unit", unit)
            rows[index] = row | facts
    return rows


def _topic_intervals(engine: Engine, setting: Setting, pairs: Sequence[Pair], method: Method) -> list[Row]:
    """Return intervals of numbers that resampling topics gives back exactly.

    A cost is linear in the mean miss and the mean false-alarm rate, which are means over different topics; any other
    number is the mean of its topics' own.
    """
    topics = read_topics(engine, setting, method.unit, ("p_miss", "p_fa"), is_whole=False)
    values, codes = topics.values, topics.clusters
    [costs] = engine.rows("select p_target, c_miss, c_fa from registry.profile where profile_id = ?", [setting.profile])
    candidates = [[(1.0, values[setting.metric])]]
    if setting.metric == "c_det_norm" and None not in costs:
        miss, alarm = costs[1] * costs[0], costs[2] * (1.0 - costs[0])
        norm = min(miss, alarm)
        candidates.insert(0, [(miss / norm, values["p_miss"]), (alarm / norm, values["p_fa"])])
    reason = f"{setting.metric} has no interval: its value is not a mean over {topic_word(setting.task, 2)}."
    printed = [run["value"] for run in read_runs(engine, setting).values()]
    rows: list[Row] = [{"value": math.nan if value is None else value, "reason": reason} for value in printed]
    for terms in candidates:
        defined = ~np.isnan([numbers for _, numbers in terms])
        todo = [at for at, row in enumerate(rows) if "low" not in row]
        for places in alike(defined[:, :, todo].transpose(2, 0, 1)):
            members = [todo[place] for place in places]
            if not defined[:, :, members[0]].any(axis=1).all():
                continue
            here = np.logical_or.reduce(defined[:, :, members[0]])
            own = None if codes is None else codes[here]
            parts = [(factor, Sample(numbers[here][:, members], clusters=own)) for factor, numbers in terms]
            n_unit, draws = parts[0][1].n_unit, [sample.draws(method) for _, sample in parts]
            for at, row in enumerate(rows[member] for member in members):
                mean = sum(factor * sample.mean(at) for factor, sample in parts)
                if n_unit < 2 or not abs(mean - row["value"]) <= 1e-9 * max(1.0, abs(row["value"])):
                    continue
                drawn = np.sum([factor * means(at) for (factor, _), means in zip(parts, draws, strict=True)], axis=0)
                drawn = drawn[~np.isnan(drawn)]
                low, high, _ = interval(drawn, row["value"], method.level)
                row |= {"low": low, "high": high, "n_unit": n_unit, "reason": None}
                row |= {"n_undefined_draw": method.n_draw - len(drawn)}
    return rows


# ---- scored trials


def _compare_trials(
    engine: Engine, setting: Setting, pairs: Sequence[Pair], method: Method, step: Step | None = None
) -> list[Row]:
    sample, measure, values = setting_trials(engine, setting, not_none(method.unit))
    runs = list(values)
    places = [tuple(runs.index(name) for name in pair if name is not None) for pair in pairs]
    return compare_trials(sample, measure, list(values.values()), places, method, step)


# ---- intervals of numbers


def score_intervals(
    engine: Engine,
    task: str,
    condition: str,
    profile: str,
    metric: str,
    subset: str,
    printed: Mapping[str, float],
    method: Method,
) -> tuple[dict[str, tuple[float, float]], str]:
    """Return run -> interval of its printed value, and a sentence on its computation or on why no run has one.

    Args:
        printed: run -> value, as `report.score` has it.
    """
    is_by_trial = TASKS[task].is_by_trial and metric in METRICS
    if not printed:
        return {}, ""
    setting = Setting({run: (condition, run) for run in printed}, task, profile, metric, subset, "none", is_by_trial)
    method = replace(method, unit=None) if TASKS[task].is_by_trial and not is_by_trial else method
    n_draw = method.n_resample or (1_000 if is_by_trial else method.n_draw)
    try:
        unit = method.unit or "trial" if is_by_trial else _topic_unit(engine, setting, method)[0]
        method = replace(method, test="none", interval="percentile", n_permutation=0, n_resample=n_draw, unit=unit)
        method = replace(method, missing="none" if is_by_trial else "common")
        compute = _compare_trials if is_by_trial else _topic_intervals
        rows = _rows(engine, setting, [(run, None) for run in printed], method, compute)
    except InvalidComparison as error:
        return {}, str(error)
    given: Row = {"numbers": [{"run_id": run, "number": value} for run, value in printed.items()], "coverage": COVERAGE}
    given |= {"fewest": FEWEST_TOPICS, "topics": topic_word(task, 2)}
    with pair_table(engine, rows) as table:
        found = engine.records(read_statement("compare/intervals").replace("compared_pair", table), given)
    return {row["run_id"]: (row["low"], row["high"]) for row in found if row["low"] is not None}, found[0]["words"]
