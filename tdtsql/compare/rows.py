"""Comparisons and intervals as rows of the store: what is missing is computed and stored, the rest is read.

A row of ``ledger.result_comparison`` is a pair of runs under one setting, or one run and the interval of its number. It
rests on the computations of its runs, so it goes when one of them is replaced; readers correct p values for their
family. The baseline of a stored pair is the run whose name comes first. Where a store is read only, new rows are in a
temporary table.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np

from tdtsql.compare.resample import DRAWS_VERSION, ENUMERATED, Row, Sample, Step, compare_means, interval
from tdtsql.compare.settings import METRICS, MISSING, Method, Setting
from tdtsql.compare.trials import COVERAGE, compare_trials
from tdtsql.compare.units import N_TRIAL, n_trials, read_runs, read_topics, setting_trials, weights_of, without_holes
from tdtsql.definitions.catalogue import catalog, read_statement
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, not_none
from tdtsql.task import TASKS, topic_word

#: a run and its baseline; None: the run alone
Pair = tuple[str, str | None]
#: what turns its sign where run and baseline are exchanged, and what is exchanged
_SIGNED = ("difference", "statistic", "effect_size", "low", "high")
_EXCHANGED = (
    ("low", "high"),
    ("value", "baseline_value"),
    ("value_low", "baseline_low"),
    ("value_high", "baseline_high"),
    ("n_only_run", "n_only_baseline"),
    ("win", "loss"),
)
#: topics below which an interval is too unreliable to be shown by default
FEWEST_TOPICS = 6
TABLE = "ledger.result_comparison"


# ---- stored rows


def stored(engine: Engine) -> str:
    """Return the relation of stored rows, with those of this connection alone."""
    if not (engine.read_only and engine.file is not None):
        return TABLE
    engine.execute(f"create temp table if not exists result_comparison as select * from {TABLE} limit 0")
    return f"(select * from {TABLE} union all select * from temp.result_comparison)"


def with_stored(engine: Engine, sql: str) -> str:
    """Return a query of report.comparison and report.interval that reads the rows of this connection too."""
    if (rows := stored(engine)) == TABLE:
        return sql
    for name in ("comparison", "interval"):
        view = catalog()[f"report.{name}"].body.replace(TABLE, rows)
        engine.execute(f"create or replace temp view {name} as {view}")
        sql = re.sub(rf"\breport\.{name}\b", f"temp.{name}", sql)
    return sql


def _typed(rows: Sequence[Row]) -> list[str]:
    """Give rows the columns of stored ones, with their types; return the names of these."""
    types = {"double": float, "bigint": int, "integer": int, "varchar": str}
    kinds = {name: types[words[0].lower()] for name, words in tables()[TABLE].columns.items()}
    for row in rows:
        for name, as_type in kinds.items():
            value = row.get(name)
            row[name] = None if value is None or value != value else as_type(value)
    return list(kinds)


def _keep(engine: Engine, rows: Sequence[Row]) -> None:
    """Store rows with their hashes."""
    names = _typed(rows)
    for row in rows:
        row["sha256"] = row_hash(row[name] for name in names if name != "sha256")
    is_own = engine.read_only and engine.file is not None
    with nullcontext() if is_own or engine.in_transaction else engine.change():
        engine.insert(
            "temp.result_comparison" if is_own else TABLE, {name: [row[name] for row in rows] for name in names}
        )


def pair_table(engine: Engine, rows: Sequence[Row]) -> str:
    """Return a temporary table of comparisons: stored rows, with their places and names in a call."""
    named, table = ("condition_id", "profile_id", "run_id", "baseline_id"), engine.unused_name("compared_pair")
    columns = ", ".join(f"'' as {name}" for name in named)
    engine.execute(f"create temp table {table} as select 0 as row_no, {columns}, * from {TABLE} limit 0")
    own = {name: [row[name] for row in rows] for name in (*named, *_typed(rows))}
    engine.insert(table, {"row_no": list(range(len(rows))), **own})
    return table


def changed_rows(engine: Engine) -> list[str]:
    """Return what was changed of the stored rows: their hashes say otherwise."""
    return [_called(row) for row in engine.records(f"select * from {TABLE} order by all") if not _is_intact(row)]


def _called(row: Row) -> str:
    kind = "interval" if row["baseline_computation_no"] is None else "comparison"
    return f"{kind}: computation {row['computation_no']}, {row['metric']}, subset {row['subset']}"


def _is_intact(row: Row) -> bool:
    return row_hash(value for name, value in row.items() if name != "sha256") == row["sha256"]


def row_hash(values: Any) -> str:
    """Return the hash of values with all their bits."""
    texts = ("null" if value is None else value.hex() if isinstance(value, float) else str(value) for value in values)
    return sha256("\0".join(texts).encode()).hexdigest()[:16]


def comparison_rows(
    engine: Engine,
    setting: Setting,
    pairs: Sequence[Pair],
    method: Method,
    *,
    missing: str = "error",
    step: Step | None = None,
) -> list[Row]:
    """Return the row of each pair (run, baseline) by a method that is `decided`; missing ones are computed and stored.

    Raises:
        InvalidComparison, InvalidSetting, MissingTopics: the runs cannot be compared like this.
    """
    if not pairs:
        raise InvalidSetting("there is nothing to compare with. Name at least two different runs.")
    if missing not in MISSING:
        raise InvalidSetting(f"policy {missing!r} for missing topics is unknown. One of: {', '.join(MISSING)}.")
    if setting.is_by_trial:
        return _rows(engine, setting, pairs, method, "none", partial(_compare_trials, step=step))
    compute = partial(_compare_topics, missing=missing, step=step)
    if setting.source != Setting.source:  # stored rows are of the computations of this store
        return compute(engine, setting, pairs, method)
    return _rows(engine, setting, pairs, method, missing, compute)


def decided(engine: Engine, setting: Setting, method: Method) -> Method:
    """Return a method with everything decided.

    Raises:
        InvalidSetting: it is not for the metric and the units of the setting.
    """
    if setting.is_by_trial:
        return replace(method.of_trials(setting.metric, n_trials(engine, setting)), n_permutation=0)
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
    missing: str,
    compute: Callable[[Engine, Setting, list[Pair], Method], list[Row]],
) -> list[Row]:
    """Return the row of each pair; missing ones are computed and stored.

    Raises:
        InvalidComparison: a run has no number that is up to date; a stored row was changed.
    """
    known, places = read_runs(engine, setting), setting.runs
    numbers: dict[str | None, int | None] = {None: None}
    numbers |= {name: run["computation_no"] for name, run in known.items()}
    # the baseline of a stored pair comes first by name
    canonical = [(a, b) if b is None or places[a] > places[b] else (b, a) for a, b in pairs]
    key: Row = {name: getattr(method, name) for name in ("unit", "test", "interval", "level", "n_permutation", "seed")}
    key |= {"subset": setting.subset, "metric": setting.metric, "weighting": setting.weighted, "missing": missing}
    key |= {"n_draw": 0 if method.interval == "normal" else method.n_draw, "draws_version": DRAWS_VERSION}
    found = {}
    for row in engine.records(
        f"select * from {stored(engine)} where {' and '.join(f'{name} = ${name}' for name in key)} "
        "and list_contains($numbers, computation_no)",
        {**key, "numbers": [numbers[name] for name in places]},
    ):
        if not _is_intact(row):
            raise InvalidComparison(
                f"a stored row was changed, its hash is another ({_called(row)}). `tdtsql check` lists such rows; "
                f"delete them from {TABLE}."
            )
        found[row["computation_no"], row["baseline_computation_no"]] = row
    lacking = [pair for pair in dict.fromkeys(canonical) if (numbers[pair[0]], numbers[pair[1]]) not in found]
    if lacking:
        names = dict.fromkeys(name for pair in lacking for name in pair if name is not None)
        made = compute(engine, replace(setting, runs={name: places[name] for name in names}), lacking, method)
        for (run, baseline), row in zip(lacking, made, strict=True):
            row |= key | {"computation_no": numbers[run], "baseline_computation_no": numbers[baseline]}
            found[numbers[run], numbers[baseline]] = row
        _keep(engine, made)
    rows = []
    for pair, (run, baseline) in zip(pairs, canonical, strict=True):
        row = found[numbers[run], numbers[baseline]]
        row = row if (run, baseline) == pair else turned(row)
        named = {"run_id": pair[0], "baseline_id": pair[1]}
        rows.append(row | named | {"condition_id": setting.condition, "profile_id": setting.profile})
    return rows


def turned(row: Row) -> Row:
    """Return a row with run and baseline exchanged."""
    found = dict(row)
    for one, other in _EXCHANGED:
        found[one], found[other] = row[other], row[one]
    for name in _SIGNED:
        found[name] = None if found[name] is None else -found[name] + 0.0
    return found


# ---- topics and items


def _compare_topics(
    engine: Engine, setting: Setting, pairs: Sequence[Pair], method: Method, *, missing: str, step: Step | None
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
    shared: dict[bytes, list[int]] = {}  # pairs with the same gaps: the same topics are compared
    for index, place in enumerate(places):
        hole = np.isnan(values[:, place])
        key = np.packbits([hole.any(axis=1), hole.all(axis=1)]).tobytes()
        is_own = missing == "worst" and (hole[:, 0] != hole[:, 1]).any()  # what a gap means is the pair's
        shared.setdefault(key + (str(index).encode() if is_own else b""), []).append(index)
    for members in shared.values():
        place = places[members[0]]
        first = without_holes(
            [runs[at] for at in place], topics.names, values[:, place], missing, setting.best, setting.topic
        )
        some, local = first.values, [(0, 1)]
        if len(members) > 1:
            used = list(dict.fromkeys(at for index in members for at in places[index]))
            some = np.nan_to_num(values[first.kept][:, used])  # where there still is a gap, it counts as 0
            local = [(used.index(places[index][0]), used.index(places[index][1])) for index in members]
        sample = Sample(
            some, **{name: None if column is None else column[first.kept] for name, column in units.items()}
        )
        facts: Row = {"n_topic": len(some), "n_undefined": first.n_undefined, "n_missing": first.n_missing}
        facts["n_cluster"] = None if topics.clusters is None else sample.n_unit
        for index, row in zip(members, compare_means(sample, local, method, step), strict=True):
            if setting.best == "lowest":
                row["win"], row["loss"] = row["loss"], row["win"]
            if "p" in row:
                row["smallest_p"] = _smallest_p(row["n_differing"], method)
            else:
                unit = setting.topic if topics.clusters is None or len(some) == 1 else "cluster"
                row["reason"] = row["reason"].replace("unit", unit)
            rows[index] = row | facts
    return rows


def _smallest_p(n_differing: int, method: Method) -> float:
    """Return the smallest p value that a test can have where so many units differ."""
    of_signs = min(1.0, 2.0 ** (1 - n_differing))  # all differences on one side
    if method.test == "randomisation":
        return of_signs if n_differing <= ENUMERATED else max(of_signs, 1.0 / (method.n_permutation + 1.0))
    if method.test == "bootstrap":
        return min(1.0, 2.0 / (method.n_draw + 1.0)) if n_differing else 1.0
    return of_signs if method.test != "t" or not n_differing else 0.0


def _topic_intervals(
    engine: Engine,
    setting: Setting,
    pairs: Sequence[Pair],
    method: Method,
    *,
    printed: Mapping[str, float],
) -> list[Row]:
    """Return intervals of numbers that resampling topics gives back exactly.

    A cost is linear in the mean miss and the mean false-alarm rate, which are means over different topics; any other
    number is the mean of its topics' own.
    """
    names = list(setting.runs)
    topics = read_topics(engine, setting, method.unit, ("p_miss", "p_fa"), is_whole=False)
    values, codes = topics.values, topics.clusters
    [costs] = engine.rows("select p_target, c_miss, c_fa from registry.profile where profile_id = ?", [setting.profile])
    candidates = [[(1.0, values[setting.metric])]]
    if setting.metric == "c_det_norm" and None not in costs:
        miss, alarm = costs[1] * costs[0], costs[2] * (1.0 - costs[0])
        norm = min(miss, alarm)
        candidates.insert(0, [(miss / norm, values["p_miss"]), (alarm / norm, values["p_fa"])])
    rows: dict[str, Row] = {}
    for terms in candidates:
        shared: dict[bytes, list[int]] = {}  # runs with numbers on the same topics
        for at, name in enumerate(names):
            defined = np.array([~np.isnan(numbers[:, at]) for _, numbers in terms])
            if name not in rows and defined.any(axis=1).all():
                shared.setdefault(np.packbits(defined).tobytes(), []).append(at)
        for members in shared.values():
            here = np.logical_or.reduce([~np.isnan(numbers[:, members[0]]) for _, numbers in terms])
            own = None if codes is None else codes[here]
            parts = [(factor, Sample(numbers[here][:, members], clusters=own)) for factor, numbers in terms]
            n_unit = parts[0][1].n_unit
            draws = [sample.draws(sample.numbers, method) for _, sample in parts]
            for at, member in enumerate(members):
                value = printed[names[member]]
                mean = sum(factor * sample.mean(at) for factor, sample in parts)
                if n_unit > 1 and abs(mean - value) <= 1e-9 * max(1.0, abs(value)):
                    drawn = np.sum(
                        [factor * means(at) for (factor, _), means in zip(parts, draws, strict=True)], axis=0
                    )
                    drawn = drawn[~np.isnan(drawn)]
                    low, high, _ = interval(drawn, value, method.level)
                    rows[names[member]] = {"low": low, "high": high, "n_unit": n_unit}
                    rows[names[member]] |= {"n_undefined_draw": method.n_draw - len(drawn)}
    reason = f"{setting.metric} has no interval: its value is not a mean over {topic_word(setting.task, 2)}."
    return [rows.get(name, {"reason": reason}) | {"value": printed[name]} for name in names]


# ---- scored trials


def _compare_trials(
    engine: Engine, setting: Setting, pairs: Sequence[Pair], method: Method, step: Step | None = None
) -> list[Row]:
    sample, measure, values = setting_trials(engine, setting, not_none(method.unit))
    runs, is_drawn = list(values), method.test == "bootstrap"
    places = [tuple(runs.index(name) for name in pair if name is not None) for pair in pairs]
    facts = {"is_exact": not is_drawn, "mc_error": None if is_drawn else 0.0}
    facts["smallest_p"] = 2.0 / (method.n_draw + 1.0) if is_drawn else 0.0
    return [facts | row for row in compare_trials(sample, measure, list(values.values()), places, method, step)]


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
    pairs: list[Pair] = [(run, None) for run in printed]
    compute = _compare_trials if is_by_trial else partial(_topic_intervals, printed=printed)
    try:
        unit = method.unit or "trial" if is_by_trial else _topic_unit(engine, setting, method)[0]
        method = replace(method, test="none", interval="percentile", n_permutation=0, n_resample=n_draw, unit=unit)
        made = _rows(engine, setting, pairs, method, "none" if is_by_trial else "common", compute)
    except InvalidComparison as error:
        return {}, str(error)
    known = {row["run_id"]: row for row in made if row["low"] is not None}
    first = [*known.values(), *made][0]
    if any(abs(row["value"] - printed[run]) > 1e-9 * max(1.0, abs(row["value"])) for run, row in known.items()):
        pooled = "it is a mean over blocks, and intervals are of all trials together: --weighting story has them"
        return {}, f"{metric} has no interval: {pooled}."
    if not known:
        return {}, first["reason"] or ""
    notes = dict.fromkeys(
        note for row in known.values() for note in (row["note"] or "").split("; ") if COVERAGE in note
    )
    few = "".join(f" {note.capitalize()}." for note in notes)
    if first["unit"] != "trial" and min(map(int, first["n_unit"].split(" x "))) < FEWEST_TOPICS:
        few += f" With {first['n_unit']} {first['unit']}s they are unreliable."
    drawn = f"{first['unit']}s, {first['n_draw']:,} resamples, seed {method.seed}"
    ends = {run: (row["low"], row["high"]) for run, row in known.items()}
    return ends, f"Intervals: percentile bootstrap over {drawn}.{few}"
