"""Comparisons and intervals as rows of the store: what is missing is computed and stored, the rest is read.

A row of ``ledger.result_comparison`` is a pair under one setting. It rests on the computations of both runs, so it goes
when one of them is replaced; readers correct p values for their family. The baseline of a stored pair is the run
whose name comes first. Where a store is read only, new rows are in temporary tables.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy import ndarray

from tdtsql.compare.resample import ENUMERATED, How, Sample, Step, compare_means, interval
from tdtsql.compare.settings import METRICS, MISSING, Method, Setting
from tdtsql.compare.trials import Trials, compare_trials, trial_interval
from tdtsql.definitions.catalogue import catalog
from tdtsql.definitions.table import tables
from tdtsql.engine.arrow import columns as read_columns
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import InvalidComparison, InvalidSetting, MissingTopics, check_known, counted, not_none
from tdtsql.task import TASKS, topic_word
from tdtsql.compare.sample import check_values, read_subsets, read_trials

Row = dict[str, Any]
#: what turns its sign where run and baseline are exchanged, and what is exchanged
_SIGNED = ("difference", "statistic", "effect_size")
_EXCHANGED = (
    ("value", "baseline_value"),
    ("value_low", "baseline_low"),
    ("value_high", "baseline_high"),
    ("n_only_run", "n_only_baseline"),
    ("win", "loss"),
)
#: topics below which an interval is too unreliable to be shown by default
FEWEST_TOPICS = 6


# ---- stored rows


def stored(engine: Engine, kind: str) -> str:
    """Return the relation of stored rows (``comparison`` or ``interval``), with those of this connection alone."""
    if not (engine.read_only and engine.file is not None):
        return f"ledger.result_{kind}"
    engine.execute(f"create temp table if not exists result_{kind} as select * from ledger.result_{kind} limit 0")
    return f"(select * from ledger.result_{kind} union all select * from temp.result_{kind})"


def with_stored(engine: Engine, sql: str) -> str:
    """Return a query of report.comparison and report.interval that reads the rows of this connection too."""
    if not (engine.read_only and engine.file is not None):
        return sql
    for kind in ("comparison", "interval"):
        view = catalog()[f"report.{kind}"].body.replace(f"ledger.result_{kind}", stored(engine, kind))
        engine.execute(f"create or replace temp view {kind} as {view}")
        sql = re.sub(rf"\breport\.{kind}\b", f"temp.{kind}", sql)
    return sql


def _keep(engine: Engine, kind: str, rows: Sequence[Row]) -> None:
    """Store rows with their hashes."""
    types = {"double": float, "bigint": int, "integer": int, "varchar": str}
    kinds = {name: types[words[0].lower()] for name, words in tables()[f"ledger.result_{kind}"].columns.items()}
    for row in rows:
        for name, as_type in kinds.items():
            value = row.get(name)
            row[name] = None if value is None or value != value else as_type(value)
        row["sha256"] = row_hash(row[name] for name in kinds if name != "sha256")
    columns = {name: [row[name] for row in rows] for name in kinds}
    if engine.read_only and engine.file is not None:
        engine.insert(f"temp.result_{kind}", columns)
    elif engine.in_transaction:
        engine.insert(f"ledger.result_{kind}", columns)
    else:
        with engine.change():
            engine.insert(f"ledger.result_{kind}", columns)


def changed_rows(engine: Engine) -> list[str]:
    """Return what was changed of the stored rows: their hashes say otherwise."""
    found = []
    for kind in ("comparison", "interval"):
        for row in engine.records(f"select * from ledger.result_{kind} order by all"):
            if not _is_intact(row):
                found.append(f"{kind}: computation {row['computation_no']}, {row['metric']}, subset {row['subset']}")
    return found


def _is_intact(row: Row) -> bool:
    return row_hash(value for name, value in row.items() if name != "sha256") == row["sha256"]


def row_hash(values: Any) -> str:
    """Return the hash of values with all their bits."""
    texts = ("null" if value is None else value.hex() if isinstance(value, float) else str(value) for value in values)
    return sha256("\0".join(texts).encode()).hexdigest()[:16]


def computations(engine: Engine, setting: Setting) -> dict[str, int]:
    """Return the current computation of each run of a setting.

    Raises:
        InvalidComparison: a run has no number that is up to date.
    """
    numbers = {
        (condition, run): number
        for condition, run, number in engine.rows(
            "select condition_id, run_id, computation_no from ledger.current_computation where profile_id = ?",
            [setting.profile],
        )
    }
    for name, where in setting.runs.items():
        if where not in numbers:
            raise _not_current(name, setting)
    return {name: numbers[where] for name, where in setting.runs.items()}


def _not_current(name: str, setting: Setting) -> InvalidComparison:
    per_topic = "" if setting.is_by_trial else " per topic"
    return InvalidComparison(
        f"run {name!r} has no {setting.metric}{per_topic} for subset {setting.subset!r} that is up to date. "
        "`tdtsql score` computes what is missing."
    )


def comparison_rows(
    engine: Engine,
    setting: Setting,
    pairs: Sequence[tuple[str, str]],
    method: Method,
    *,
    missing: str = "error",
    step: Step | None = None,
) -> tuple[Method, list[Row]]:
    """Return the method with everything decided, and the row of each pair (run, baseline); missing ones are computed
    and stored.

    Raises:
        InvalidComparison, InvalidSetting, MissingTopics: the runs cannot be compared like this.
    """
    if not pairs:
        raise InvalidSetting("there is nothing to compare with. Name at least two different runs.")
    if missing not in MISSING:
        raise InvalidSetting(f"policy {missing!r} for missing topics is unknown. One of: {', '.join(MISSING)}.")
    numbers = computations(engine, setting)
    if setting.is_by_trial:
        method = method.of_trials(setting.metric, n_trials(engine, setting))
        missing = "none"
    else:
        n_unit, unit = _units(engine, setting, method.unit)
        method = method.of_topics(n_unit, unit=unit, is_items=setting.topic == "item")
    places = setting.runs
    # the baseline of a stored pair comes first by name
    canonical = [(a, b) if places[a] > places[b] else (b, a) for a, b in pairs]
    key = {
        "subset": setting.subset,
        "metric": setting.metric,
        "weighting": setting.weighted,
        "unit": method.unit,
        "test": method.test,
        "interval": method.interval,
        "level": method.level,
        "missing": missing,
        "n_permutation": 0 if setting.is_by_trial else method.n_permutation,
        "n_draw": 0 if method.interval == "normal" else method.n_resample,
        "seed": method.seed,
    }
    found = _found(engine, "comparison", key, numbers.values(), ("computation_no", "baseline_computation_no"))
    lacking = [pair for pair in dict.fromkeys(canonical) if (numbers[pair[0]], numbers[pair[1]]) not in found]
    if lacking:
        compute = _compare_trials if setting.is_by_trial else _compare_topics
        made = compute(engine, setting, lacking, method, missing, step)
        for (run, baseline), row in zip(lacking, made, strict=True):
            row |= key | {"computation_no": numbers[run], "baseline_computation_no": numbers[baseline]}
            found[numbers[run], numbers[baseline]] = row
        _keep(engine, "comparison", made)
    rows = []
    for (run, baseline), stored_as in zip(pairs, canonical, strict=True):
        row = found[numbers[stored_as[0]], numbers[stored_as[1]]]
        rows.append((row if stored_as == (run, baseline) else turned(row)) | {"run": run, "baseline": baseline})
    return method, rows


def _found(engine: Engine, kind: str, key: Row, numbers: Collection[int], by: Sequence[str]) -> dict[Any, Row]:
    """Return the stored rows of a setting, by their computations."""
    stated = " and ".join(f"{name} = ${name}" for name in key)
    rows = engine.records(
        f"select * from {stored(engine, kind)} where {stated} and list_contains($numbers, computation_no)",
        {**key, "numbers": list(numbers)},
    )
    for row in rows:
        if not _is_intact(row):
            raise InvalidComparison(
                f"a stored {kind} of {row['metric']} (computation {row['computation_no']}, subset {row['subset']}) was "
                f"changed: its hash is another. `tdtsql check` lists such rows; delete them from ledger.result_{kind}."
            )
    return {tuple(row[name] for name in by): row for row in rows}


def turned(row: Row) -> Row:
    """Return a row with run and baseline exchanged."""
    found = dict(row)
    for name in _SIGNED:
        found[name] = None if row[name] is None else -row[name] + 0.0
    for one, other in (*_EXCHANGED, ("low", "high")):
        found[one], found[other] = row[other], row[one]
    for name in ("low", "high"):
        found[name] = None if found[name] is None else -found[name] + 0.0
    return found


# ---- topics and items


@dataclass(frozen=True)
class TopicMatrix:
    """One metric of R runs on T topics."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]  #: sorted by id
    values: ndarray  #: T x R, no NaN
    n_undefined: int  #: topics left out because no run has a number
    n_missing: int  #: (run, topic) numbers that a policy dropped or filled
    kept: ndarray  #: flags of the topics that are compared


def without_holes(
    runs: Sequence[str], topics: Sequence[str], values: ndarray, *, missing: str = "error", best: str = "lowest"
) -> TopicMatrix:
    """Return T x R numbers without holes (NaN): a topic that no run has is left out, and ``missing`` says what one
    means that only some runs have.

    | policy   | a topic that a run lacks                                              |
    |----------|-----------------------------------------------------------------------|
    | `error`  | is refused, naming the run and the first topic (the default)          |
    | `common` | is left out for all runs                                              |
    | `zero`   | counts as 0                                                           |
    | `worst`  | counts as the worst value that any compared run has on any topic      |

    Raises:
        MissingTopics: the policy is `error` and a run lacks a topic.
        InvalidComparison: no topic is left.
    """
    hole = np.isnan(values)
    keep = ~hole.all(axis=1)
    n_undefined, n_missing = int((~keep).sum()), int(hole[keep].sum())
    if n_missing and missing == "error":
        row, column = (int(index) for index in np.argwhere(hole & keep[:, None])[0])
        raise MissingTopics(
            f"run {runs[column]!r} has no number on topic {topics[row]!r}, which other compared runs have "
            f"({n_missing} such gaps). Say what a missing topic means: --missing=common, zero or worst."
        )
    if missing == "common":
        keep &= ~hole.any(axis=1)
    elif n_missing and missing == "zero":
        values = np.where(hole, 0.0, values)
    elif n_missing and missing == "worst":
        if best == "none":
            raise InvalidSetting(
                "the metric has no better end, so no value is the worst. Use --missing=common or zero."
            )
        values = np.where(hole, np.nanmax(values) if best == "lowest" else np.nanmin(values), values)
    if not keep.any():
        raise InvalidComparison("the runs have no topic in common with a number. Check that they are of one condition.")
    kept = tuple(topics[at] for at in np.flatnonzero(keep).tolist())
    return TopicMatrix(tuple(runs), kept, values[keep], n_undefined, n_missing, keep)


def read_topics(engine: Engine, setting: Setting, *, missing: str = "error") -> TopicMatrix:
    """Return the numbers of the setting's runs per topic.

    Raises:
        InvalidComparison: a run has no number that is up to date.
    """
    topics, values = _topic_values(engine, setting)
    return without_holes(tuple(setting.runs), topics, values, missing=missing, best=setting.best)


def _topic_values(engine: Engine, setting: Setting) -> tuple[tuple[str, ...], ndarray]:
    found = topic_values(engine, list(setting.runs.values()), setting.profile, setting.subset, [setting.metric])
    for name, has_rows in zip(setting.runs, found.has_rows, strict=True):
        if not has_rows:
            raise _not_current(name, setting)
    return found.topics, found.values[setting.metric]


def _compare_topics(
    engine: Engine,
    setting: Setting,
    pairs: Sequence[tuple[str, str]],
    method: Method,
    missing: str,
    step: Step | None,
) -> list[Row]:
    """Return the results of pairs, which share their draws where they have the same topics."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    setting = replace(setting, runs={name: setting.runs[name] for name in names})
    topics, values = _topic_values(engine, setting)
    unit = None if method.unit == topic_word(setting.task) else method.unit
    clusters = clusters_of(engine, [condition for condition, _ in setting.runs.values()], setting.task, unit)
    codes = None if clusters is None else np.array([clusters[topic] for topic in topics])
    how = _how(method)
    weights, groups = _weights(engine, setting, topics)
    for column in (weights, groups):
        if column is not None:
            values[np.isnan(column)] = math.nan
    rows: list[Row] = [{}] * len(pairs)
    shared: dict[bytes, list[int]] = {}  # pairs with the same gaps: the same topics are compared
    columns = [[names.index(name) for name in pair] for pair in pairs]
    for index, pair in enumerate(columns):
        hole = np.isnan(values[:, pair])
        key = np.packbits([hole.any(axis=1), hole.all(axis=1)]).tobytes()
        is_own = missing == "worst" and (hole[:, 0] != hole[:, 1]).any()  # what a gap means is the pair's
        shared.setdefault(key + (str(index).encode() if is_own else b""), []).append(index)
    for members in shared.values():
        pair = columns[members[0]]
        first = without_holes([names[at] for at in pair], topics, values[:, pair], missing=missing, best=setting.best)
        some, local = first.values, [(0, 1)]
        if len(members) > 1:
            used = list(dict.fromkeys(at for index in members for at in columns[index]))
            some = np.nan_to_num(values[first.kept][:, used])  # where there still is a gap, it counts as 0
            local = [(used.index(columns[index][0]), used.index(columns[index][1])) for index in members]
        of_units = (None if column is None else column[first.kept] for column in (weights, codes, groups))
        sample = Sample(some, **dict(zip(("weights", "clusters", "groups"), of_units, strict=True)))
        facts: Row = {"n_topic": len(some), "n_undefined": first.n_undefined, "n_missing": first.n_missing}
        facts |= {"n_cluster": None if codes is None else sample.n_unit}
        for index, row in zip(members, compare_means(sample, local, how, step), strict=True):
            if setting.best == "lowest":
                row["win"], row["loss"] = row["loss"], row["win"]
            if "p" not in row:
                row["reason"] = (
                    f"one {'topic' if codes is None or len(some) == 1 else 'cluster'}: no test and no interval"
                )
            else:
                row["smallest_p"] = _smallest_p(row["n_differing"], method)
            rows[index] = row | facts | {"n_unit": str(sample.n_unit), "is_exact": int(row.get("is_exact", False))}
    return rows


def _weights(engine: Engine, setting: Setting, topics: Sequence[str]) -> tuple[ndarray | None, ndarray | None]:
    """Return the weight and the group of each topic by the weighting of a setting; NaN: it does not count.

    Raises:
        InvalidSetting: the metric is no mean of its topics with this weighting.
    """
    weighting, [(condition, run), *_] = setting.weighted, setting.runs.values()
    if weighting == "topic":
        return None, None
    known = engine.column(
        "select distinct weighting from report.score where condition_id = ? and metric = ? order by 1",
        [condition, setting.metric],
    )
    counts = {"p_miss": "n_target", "p_fa": "n_nontarget"}
    if weighting in ("weight", "group") and weighting in known:
        column = "weight" if weighting == "weight" else "group_no"
        rows = engine.rows(
            f"select block_id, nullif({column}, 0) from base.item join base.block using (condition_no, block_no) join "
            "registry.condition using (condition_no) where condition_id = ?",
            [condition],
        )
    elif weighting == "story" and weighting in known and setting.metric in counts:
        found = topic_values(engine, [(condition, run)], setting.profile, setting.subset, [counts[setting.metric]])
        rows = list(zip(found.topics, found.values[counts[setting.metric]][:, 0].tolist(), strict=True))
    else:
        can = [name for name in known if name in ("topic", "weight", "group") or setting.metric in counts]
        raise InvalidSetting(
            f"{setting.metric} cannot be compared with weighting {weighting!r}. One of: {', '.join(can) or 'topic'}."
        )
    of_topic = {topic: value for topic, value in rows if value}
    numbers = np.array([of_topic.get(topic, math.nan) for topic in topics], dtype=np.float64)
    return (None, numbers) if weighting == "group" else (numbers, None)


def compare_values(
    one: Mapping[str, float | None],
    other: Mapping[str, float | None],
    method: Method,
    *,
    missing: str,
    best: str,
    clusters: Mapping[str, int] | None = None,
    step: Step | None = None,
) -> Row:
    """Return the comparison of two runs by their numbers by topic, as it is of runs of one store."""
    topics = tuple(sorted({*one, *other}))
    values = np.array([[some.get(topic) for some in (one, other)] for topic in topics], dtype=np.float64)
    matrix = without_holes(("the new run", "the baseline"), topics, values, missing=missing, best=best)
    codes = None if clusters is None else np.array([clusters[topic] for topic in matrix.topics])
    sample = Sample(matrix.values, clusters=codes)
    method = replace(method, unit=None).of_topics(sample.n_unit)
    [row] = compare_means(sample, [(0, 1)], _how(method), step)
    if "p" in row:
        row["smallest_p"] = _smallest_p(row["n_differing"], method)
    return {name: None if value != value else value for name, value in row.items()} | {"n_topic": len(matrix.topics)}


def _how(method: Method) -> How:
    return How(
        not_none(method.test),
        not_none(method.interval),
        method.level,
        method.n_permutation,
        method.n_draw,
        method.seed,
    )


def _smallest_p(n_differing: int, method: Method) -> float:
    """Return the smallest p value that a test can have where so many units differ."""
    of_signs = min(1.0, 2.0 ** (1 - n_differing))  # all differences on one side
    if method.test == "randomisation":
        return of_signs if n_differing <= ENUMERATED else max(of_signs, 1.0 / (method.n_permutation + 1.0))
    if method.test == "bootstrap":
        return min(1.0, 2.0 / (method.n_draw + 1.0)) if n_differing else 1.0
    return of_signs if method.test != "t" or not n_differing else 0.0


def default_unit(engine: Engine, condition: str, task: str) -> str:
    """Return what is drawn where a call names nothing: clusters of items, where the condition has them."""
    has_cluster = TASKS[task].blocks == "item" and engine.value(
        "select count(cluster_no) from base.item join registry.condition using (condition_no) where condition_id = ?",
        [condition],
    )
    return "cluster" if has_cluster else topic_word(task)


def _units(engine: Engine, setting: Setting, unit: str | None) -> tuple[int, str]:
    """Return how many topics, items or clusters a setting has, and what they are called."""
    condition = next(iter(setting.runs.values()))[0]
    unit = unit or default_unit(engine, condition, setting.task)
    counted_in = "base.item" if unit == "cluster" else "base.block"
    n_unit = engine.value(
        f"select count(distinct {'cluster_no' if unit == 'cluster' else 'block_no'}) from {counted_in} "
        "join registry.condition using (condition_no) where condition_id = ?",
        [condition],
    )
    return n_unit, unit


def clusters_of(store: Engine, conditions: Collection[str], task: str, unit: str | None) -> dict[str, int] | None:
    """Return item -> cluster, where items are compared by cluster.

    Args:
        unit: None or ``item``: single items; ``cluster``: from the condition; an attribute: its values are the
            clusters.

    Raises:
        InvalidSetting: there are no such clusters.
    """
    if TASKS[task].blocks != "item" or unit in (None, "item"):
        return None
    named = ", ".join(map(sql_literal, conditions))
    if unit == "cluster":
        rows = store.rows(
            "select block_id, cluster_no from base.item join base.block using (condition_no, block_no) join "
            f"registry.condition using (condition_no) where condition_id in ({named}) and cluster_no is not null "
            "order by condition_no, block_no"
        )
    else:
        rows = store.rows(
            "select block_id, value from base.block join registry.condition using (condition_no) left join "
            f"base.item_attribute as said on said.condition_no = block.condition_no and said.block_no = block.block_no "
            f"and attribute = {sql_literal(unit)} where condition_id in ({named}) order by condition_no, block.block_no"
        )
        rows = [] if all(value is None for _, value in rows) else rows
    if not rows:
        known = store.rows(
            "select distinct attribute from base.item_attribute join registry.condition using (condition_no) where "
            f"condition_id in ({named}) order by 1"
        )
        listed = ", ".join(["item", *(name for [name] in known)])
        raise InvalidSetting(f"unit {unit!r}: the items have no such clusters. One of: {listed}.")
    place: dict[object, int] = {}
    return {item: place.setdefault(item if value is None else (value,), len(place)) for item, value in rows}


@dataclass(frozen=True)
class TopicValues:
    """Numbers of R runs on T topics."""

    topics: tuple[str, ...]  #: on which a run has a row, sorted by id
    values: dict[str, ndarray]  #: metric -> T x R, NaN where there is no number
    has_rows: ndarray  #: R flags: the run has a row


def topic_values(
    engine: Engine, runs: Sequence[tuple[str, str]], profile: str, subset: str, metrics: Sequence[str]
) -> TopicValues:
    """Return the stored numbers of runs (condition, run) by topic."""
    names = list(dict.fromkeys(metrics))
    made = engine.make_temporary(
        engine.unused_name("topic_value"),
        """
        select place, block_id, list_position($metrics, metric) - 1 as metric_no, value
        from report.block_score
        join (
            select unnest($conditions) as condition_id, unnest($runs) as run_id, unnest(range($n_run)) as place
        ) using (condition_id, run_id)
        where profile_id = $profile and subset = $subset and list_contains($metrics, metric)""",
        {
            "conditions": [condition for condition, _ in runs],
            "runs": [run for _, run in runs],
            "n_run": len(runs),
            "metrics": names,
            "profile": profile,
            "subset": subset,
        },
    )
    topics = tuple(engine.column(f"select distinct block_id from {made} order by 1"))
    has_rows = np.zeros(len(runs), dtype=bool)
    has_rows[engine.column(f"select distinct place from {made}")] = True
    values = np.full((len(names), len(topics), len(runs)), math.nan)
    for rows in read_columns(
        engine,
        f"""
        select cast(metric_no as bigint) as metric_no, topic_no, cast(place as bigint) as place, value
        from {made}
        join (
            select block_id, row_number() over (order by block_id) - 1 as topic_no
            from (select distinct block_id from {made})
        ) using (block_id)
        where value is not null""",
    ):
        metric, topic, place, value = (column.values for column in rows.values())
        values[metric, topic, place] = value
    engine.execute(f"drop table {made}")
    return TopicValues(topics, dict(zip(names, values, strict=True)), has_rows)


# ---- scored trials


def n_trials(engine: Engine, setting: Setting) -> int:
    """Return the trials of a condition in a subset."""
    return engine.value(
        """
        select coalesce(sum(n_trial), 0)::bigint from base.verification_segment join registry.condition
            using (condition_no)
        where condition_id = $condition and ($subset = 'all' or exists (
            select 1 from base.subset_cell as cell join base.subset as subset using (condition_no, subset_no)
            where cell.condition_no = verification_segment.condition_no
                and cell.segment_no = verification_segment.segment_no and subset.subset = $subset))""",
        {"condition": next(iter(setting.runs.values()))[0], "subset": setting.subset},
    )


def _read_sample(engine: Engine, setting: Setting, unit: str) -> tuple[Trials, Any, dict[str, float | None]]:
    """Return the trials of a setting as its runs scored them, their measure, and the stored numbers of the runs.

    Raises:
        InvalidComparison: the runs are of two conditions, or a run has no number that is up to date.
        UnknownName: no such subset or unit.
    """
    conditions = list(dict.fromkeys(condition for condition, _ in setting.runs.values()))
    if len(conditions) > 1:
        raise InvalidComparison(
            f"the runs are of {len(conditions)} conditions ({', '.join(conditions)}), hence not on the same trials."
        )
    numbers = {
        run: (condition_no, run_no)
        for condition_no, run_no, run in engine.rows(
            "select condition_no, run_no, run_id from registry.run join registry.condition using (condition_no) "
            "where condition_id = ?",
            conditions,
        )
    }
    condition_no = next(iter(numbers.values()))[0]
    subsets = read_subsets(engine, condition_no)
    check_known(f"subset of condition {conditions[0]}", setting.subset, subsets)
    read = read_trials(
        engine,
        condition_no,
        [numbers[run][1] for _, run in setting.runs.values()],
        profile=setting.profile,
        metric=setting.metric,
        unit=unit,
    )
    sample = read.of(subsets[setting.subset])
    kept = dict(
        engine.rows(
            "select run_id, value from report.score where condition_id = ? and profile_id = ? and subset = ? and "
            "metric = ? and weighting = 'story'",
            [conditions[0], setting.profile, setting.subset, setting.metric],
        )
    )
    for name, (_, run) in setting.runs.items():
        if run not in kept:
            raise _not_current(name, setting)
    values = {name: kept[run] for name, (_, run) in setting.runs.items()}
    check_values(sample, read.measure, list(values), list(values.values()), setting.subset)
    return sample, read.measure, values


def _compare_trials(
    engine: Engine,
    setting: Setting,
    pairs: Sequence[tuple[str, str]],
    method: Method,
    missing: str,
    step: Step | None,
) -> list[Row]:
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    setting = replace(setting, runs={name: setting.runs[name] for name in names})
    sample, measure, values = _read_sample(engine, setting, not_none(method.unit))
    rows, how = [], _how(method)
    for run, baseline in pairs:
        trials = sample.of([names.index(run), names.index(baseline)])
        row = compare_trials(trials, measure, [values[run], values[baseline]], how, step)
        row["n_cluster"] = None
        row["is_exact"] = int(row.get("is_exact", False))
        row["smallest_p"] = 2.0 / (how.n_resample + 1.0) if method.test == "bootstrap" else 0.0
        rows.append(row)
    return rows


# ---- intervals of numbers

Ends = dict[str, tuple[float, float]]


def interval_rows(
    engine: Engine, setting: Setting, printed: Mapping[str, float], method: Method, step: Step | None = None
) -> dict[str, Row]:
    """Return the row of the interval of each run's printed number; missing ones are computed and stored.

    Args:
        printed: name of a run in the setting -> its number, as `report.score` has it.
    """
    is_by_trial = setting.is_by_trial
    numbers = computations(engine, setting)
    unit = method.unit or "trial" if is_by_trial else _units(engine, setting, method.unit)[1]
    n_draw = method.n_resample or (min(method.n_draw, 1000) if is_by_trial else method.n_draw)
    key = {
        "subset": setting.subset,
        "metric": setting.metric,
        "weighting": setting.weighted,
        "unit": unit,
        "interval": "percentile",
        "level": method.level,
        "n_draw": n_draw,
        "seed": method.seed,
    }
    found = {
        number: row for (number,), row in _found(engine, "interval", key, numbers.values(), ("computation_no",)).items()
    }
    lacking = [name for name in printed if numbers[name] not in found]
    if lacking:
        some = replace(setting, runs={name: setting.runs[name] for name in lacking})
        how = How("bootstrap", "percentile", method.level, 0, n_draw, method.seed)
        made = (_trial_intervals if is_by_trial else _topic_intervals)(engine, some, printed, unit, how, step)
        for name, row in made.items():
            row |= key | {"computation_no": numbers[name], "value": printed[name]}
            found[numbers[name]] = row
        _keep(engine, "interval", list(made.values()))
    return {name: found[numbers[name]] for name in printed}


def _trial_intervals(
    engine: Engine, setting: Setting, printed: Mapping[str, float], unit: str, how: How, step: Step | None
) -> dict[str, Row]:
    sample, measure, values = _read_sample(engine, setting, unit)
    return {
        name: trial_interval(sample.of([at]), measure, value, how, step)
        for at, (name, value) in enumerate(values.items())
    }


def _topic_intervals(
    engine: Engine, setting: Setting, printed: Mapping[str, float], unit: str, how: How, step: Step | None
) -> dict[str, Row]:
    """Return intervals of numbers that resampling topics gives back exactly.

    A cost is linear in the mean miss and the mean false-alarm rate, which are means over different topics; any other
    number is the mean of its topics' own.
    """
    names = list(setting.runs)
    found = topic_values(
        engine, list(setting.runs.values()), setting.profile, setting.subset, (setting.metric, "p_miss", "p_fa")
    )
    conditions = [condition for condition, _ in setting.runs.values()]
    of_clusters = clusters_of(engine, conditions, setting.task, None if unit == setting.topic else unit)
    codes = None if of_clusters is None else np.array([of_clusters[topic] for topic in found.topics])
    [costs] = engine.rows("select p_target, c_miss, c_fa from registry.profile where profile_id = ?", [setting.profile])
    candidates = [[(1.0, found.values[setting.metric])]]
    if setting.metric == "c_det_norm" and None not in costs:
        miss, alarm = costs[1] * costs[0], costs[2] * (1.0 - costs[0])
        norm = min(miss, alarm)
        candidates.insert(0, [(miss / norm, found.values["p_miss"]), (alarm / norm, found.values["p_fa"])])
    rows: dict[str, Row] = {}
    for terms in candidates:
        shared: dict[bytes, list[int]] = {}
        for at, name in enumerate(names):
            defined = [~np.isnan(values[:, at]) for _, values in terms]
            if name not in rows and all(some.any() for some in defined):
                shared.setdefault(np.packbits(np.stack(defined)).tobytes(), []).append(at)
        for members in shared.values():
            here = np.logical_or.reduce([~np.isnan(values[:, members[0]]) for _, values in terms])
            draws = means = np.zeros(1)
            n_unit = 0
            for factor, values in terms:
                some = values[here][:, members]
                is_there = ~np.isnan(some[:, 0])
                weights = None if is_there.all() else is_there.astype(np.float64)
                sample = Sample(np.nan_to_num(some), weights=weights, clusters=None if codes is None else codes[here])
                n_unit = sample.n_unit
                drawn = sample.draws(sample.numbers, how, step)
                draws = draws + factor * np.array([sample.means(drawn, at) for at in range(len(members))])
                means = means + factor * np.array(
                    [
                        sample.mean(some[:, at])
                        if is_there.all()
                        else math.fsum(some[is_there, at].tolist()) / int(is_there.sum())
                        for at in range(len(members))
                    ]
                )
            for at, member in enumerate(members):
                value = printed[names[member]]
                if n_unit > 1 and abs(means[at] - value) <= 1e-9 * max(1.0, abs(value)):
                    own = draws[at][~np.isnan(draws[at])]
                    low, high, _ = interval(own, value, how.level)
                    rows[names[member]] = {
                        "low": low,
                        "high": high,
                        "n_unit": str(n_unit),
                        "n_undefined_draw": how.n_resample - len(own),
                    }
    reason = f"{setting.metric} has no interval: its value is not a mean over {topic_word(setting.task, 2)}."
    return {name: rows.get(name, {"reason": reason}) for name in names}


def score_intervals(
    engine: Engine,
    task: str,
    condition: str,
    profile: str,
    metric: str,
    subset: str,
    printed: Mapping[str, float],
    method: Method,
) -> tuple[Ends, str]:
    """Return run -> interval of its printed value, and a sentence on its computation or on why no run has one.

    Args:
        printed: run -> value, as `report.score` has it.
    """
    if not printed:
        return {}, ""
    is_by_trial = TASKS[task].is_by_trial
    runs = {run: (condition, run) for run in printed}
    setting = Setting(runs, task, profile, metric, subset, "none")
    rows = {} if is_by_trial and metric in METRICS else interval_rows(engine, setting, printed, method)
    if is_by_trial and metric in METRICS and subset == "all":
        try:
            rows = interval_rows(engine, replace(setting, is_by_trial=True), printed, replace(method, unit="trial"))
        except InvalidComparison as error:
            return {}, str(error)
    ends = {run: (row["low"], row["high"]) for run, row in rows.items() if row["low"] is not None}
    if not ends:
        return {}, f"{metric} has no interval: its value is not a mean over {topic_word(task, 2)}."
    row = next(row for row in rows.values() if row["low"] is not None)
    few = ""
    if row["unit"] != "trial" and int(row["n_unit"]) < FEWEST_TOPICS:
        few = f" With {counted(int(row['n_unit']), row['unit'])} they are unreliable."
    return ends, (
        f"Intervals: percentile bootstrap over {row['unit']}s, {row['n_draw']:,} resamples, seed {method.seed}.{few}"
    )
