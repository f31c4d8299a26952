"""What is compared, as arrays: numbers of runs by topic with their clusters, weights and groups; scored trials."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ndarray

from tdtsql.compare.settings import COSTS, RATES, Setting
from tdtsql.compare.trials import Measure, Trials, observed
from tdtsql.engine.arrow import columns as read_columns
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, MissingTopics, check_known, counted, unknown_name_error
from tdtsql.task import TASKS, topic_word

#: units of resampling in addition to attributes: a trial; all trials of a block; all with one id on a side
TRIAL, BLOCK, ENROLLED = "trial", "block", "enrolled"
ENROLL_ID, TEST_ID = "enroll_id", "test_id"
#: what an item has one of
_OF_ITEMS = {"cluster": "cluster_no", "weight": "nullif(weight, 0)", "group": "group_no"}


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
    runs: Sequence[str],
    topics: Sequence[str],
    values: ndarray,
    *,
    missing: str = "error",
    best: str = "lowest",
    word: str = "topic",
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
            f"run {runs[column]!r} has no number on {word} {topics[row]!r}, which other compared runs have "
            f"({counted(n_missing, 'such gap')}). Say what a missing {word} means: --missing=common, zero or worst."
        )
    if missing == "common":
        keep &= ~hole.any(axis=1)
    elif n_missing and missing == "worst" and best == "none":
        raise InvalidSetting("the metric has no better end, so no value is the worst. Use --missing=common or zero.")
    elif n_missing:
        worst = np.nanmax(values) if best == "lowest" else np.nanmin(values)
        values = np.where(hole, worst if missing == "worst" else 0.0, values)
    if not keep.any():
        raise InvalidComparison(
            f"the runs have no {word} in common with a number. Check that they are of one condition."
        )
    kept = tuple(topics[at] for at in np.flatnonzero(keep).tolist())
    return TopicMatrix(tuple(runs), kept, values[keep], n_undefined, n_missing, keep)


def topic_values(
    engine: Engine, runs: Sequence[tuple[str, str]], profile: str, subset: str, metrics: Sequence[str], other: str = ""
) -> tuple[tuple[str, ...], dict[str, ndarray], ndarray]:
    """Return the stored numbers of R runs (condition, run) by topic: the T topics on which a run has a row, sorted;
    metric -> T x R numbers, NaN where there is none; flags of the runs that have a row. ``other``: as in `Setting`.
    """
    names = list(dict.fromkeys(metrics))
    columns = "condition_id, run_id, profile_id, subset, metric, block_id, value"
    source = f"select {columns}, false as is_other from report.block_score"
    if other:
        source += f" union all select {columns}, true from {other}.report.block_score"
    made = engine.make_temporary(
        engine.unused_name("topic_value"),
        f"""
        select place, block_id, list_position($metrics, metric) - 1 as metric_no, value
        from ({source})
        join (
            select unnest($conditions) as condition_id, unnest($runs) as run_id, unnest(range($n_run)) as place,
                unnest(range($n_run)) = 0 and $is_other as is_other
        ) using (condition_id, run_id, is_other)
        where profile_id = $profile and subset = $subset and list_contains($metrics, metric)""",
        {
            "conditions": [condition for condition, _ in runs],
            "runs": [run for _, run in runs],
            "n_run": len(runs),
            "is_other": bool(other),
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
    return topics, dict(zip(names, values, strict=True)), has_rows


def read_topics(engine: Engine, setting: Setting) -> tuple[tuple[str, ...], ndarray]:
    """Return the topics of a setting, and T x R numbers of its runs.

    Raises:
        InvalidComparison: a run has no number that is up to date.
    """
    metric, runs = setting.metric, list(setting.runs.values())
    topics, values, has_rows = topic_values(engine, runs, setting.profile, setting.subset, [metric], setting.other)
    for name, is_there in zip(setting.runs, has_rows, strict=True):
        if not is_there:
            raise not_current(name, setting)
    return topics, values[metric]


def not_current(name: str, setting: Setting) -> InvalidComparison:
    """Return the error that a run has no number."""
    per_topic = "" if setting.is_by_trial else " per topic"
    return InvalidComparison(
        f"run {name!r} has no {setting.metric}{per_topic} for subset {setting.subset!r} that is up to date. "
        "`tdtsql score` computes what is missing."
    )


def default_unit(engine: Engine, condition: str, task: str) -> str:
    """Return what is drawn where a call names nothing: clusters of items, where the condition has them."""
    has_cluster = TASKS[task].blocks == "item" and engine.value(
        "select count(cluster_no) from base.item join registry.condition using (condition_no) where condition_id = ?",
        [condition],
    )
    return "cluster" if has_cluster else topic_word(task)


def of_items(engine: Engine, conditions: Collection[str], name: str) -> dict[str, Any]:
    """Return item -> its cluster, weight or group, or the value of an attribute, where it has one."""
    return dict(
        engine.rows(
            f"""
            select block_id, {_OF_ITEMS.get(name, "value")} as value
            from base.block
            join registry.condition using (condition_no)
            join base.item using (condition_no, block_no)
            left join (select condition_no, block_no, value from base.item_attribute where attribute = $name)
                using (condition_no, block_no)
            where list_contains($conditions, condition_id)
            order by condition_no, block_no""",
            {"name": name, "conditions": list(conditions)},
        )
    )


def clusters_of(engine: Engine, conditions: Collection[str], task: str, unit: str | None) -> dict[str, int] | None:
    """Return item -> cluster, where items are compared by cluster; an item without one is its own.

    Args:
        unit: None or ``item``: single items; ``cluster``: from the condition; an attribute: its values are the
            clusters.

    Raises:
        InvalidSetting: there are no such clusters.
    """
    if TASKS[task].blocks != "item" or unit in (None, "item"):
        return None
    found = of_items(engine, conditions, str(unit))
    if all(value is None for value in found.values()):
        known = engine.column(
            "select distinct attribute from base.item_attribute join registry.condition using (condition_no) where "
            "list_contains(?, condition_id) order by 1",
            [list(conditions)],
        )
        raise InvalidSetting(f"unit {unit!r}: the items have no such clusters. One of: {', '.join(['item', *known])}.")
    place: dict[object, int] = {}
    return {item: place.setdefault(item if value is None else (value,), len(place)) for item, value in found.items()}


def weights_of(engine: Engine, setting: Setting, topics: Sequence[str]) -> tuple[ndarray | None, ndarray | None]:
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
    n_trial = {"p_miss": "n_target", "p_fa": "n_nontarget"}.get(setting.metric)
    if weighting in ("weight", "group") and weighting in known:
        of_topic = of_items(engine, [condition], weighting)
    elif weighting == "story" and weighting in known and n_trial:
        found, values, _ = topic_values(engine, [(condition, run)], setting.profile, setting.subset, [n_trial])
        of_topic = dict(zip(found, values[n_trial][:, 0].tolist(), strict=True))
    else:
        can = [name for name in known if name in ("topic", "weight", "group") or n_trial]
        raise InvalidSetting(
            f"{setting.metric} cannot be compared with weighting {weighting!r}. One of: {', '.join(can) or 'topic'}."
        )
    numbers = np.array([of_topic.get(topic) or math.nan for topic in topics], dtype=np.float64)
    return (None, numbers) if weighting == "group" else (numbers, None)


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


@dataclass(frozen=True)
class ReadTrials:
    """The N trials of a condition, scored by R runs, and a metric of theirs."""

    measure: Measure
    segment: ndarray  #: N numbers of segments
    whole: Trials  #: all trials

    def of(self, segments: Sequence[int] | None) -> Trials:
        """Return the trials of some segments; None: all."""
        return self.whole if segments is None else self.whole.of(slice(None), np.isin(self.segment, segments))


def read_trials(
    engine: Engine, condition_no: int, run_nos: Sequence[int], *, profile: str, metric: str, unit: str = TRIAL
) -> ReadTrials:
    """Return the trials of a condition, in the order of the key, with the scores of runs and their clusters.

    Args:
        unit: trial; a column (attribute, enroll_id, test_id, block); two as ``a,b`` (each side drawn by itself) or
            ``a=b`` (one population on both sides).

    Raises:
        UnknownName: the key has no such column.
        InvalidComparison: the trials have one id, and the unit is of a second one; a run has no decisions and the
            metric is of decisions.
    """
    profile_no, *policies = engine.rows(
        """
        select profile_no, eer, min_cllr, weight_miss, weight_fa, act_threshold
        from registry.profile join base.detection_price__v1 using (profile_no)
            join registry.condition_profile using (profile_no)
            left join base.bayes_threshold__v1 using (condition_no, profile_no)
        where profile_id = ? and condition_no = ?""",
        [profile, condition_no],
    )[0]
    measure = Measure(metric, *policies)
    segment, is_target = _columns(
        engine,
        f"select segment_no, is_target from base.verification_trial join (select segment_no, is_target from "
        f"base.verification_segment where condition_no = {condition_no}) using (segment_no) "
        f"where condition_no = {condition_no} order by trial_no",
    )
    separator = "=" if "=" in unit else ","
    names = [] if unit == TRIAL else [name.strip() for name in unit.split(separator)]
    if len(names) > 2:
        raise InvalidComparison(f"unit {unit!r} has {len(names)} sides. Name one column, or two.")
    is_one_population = separator == "=" and len(names) == 2
    scores = [
        _columns(engine, f"select score from base.decision where run_no = {run_no} order by trial_no")[0]
        for run_no in run_nos
    ]
    is_of_runs = metric in (*RATES, *COSTS) and not metric.startswith("act")
    accepts = [_accepts(engine, run_no, profile_no) for run_no in run_nos] if is_of_runs else None
    whole = Trials(
        is_target == 1,
        np.array(scores, dtype=np.float64),
        None if accepts is None else np.array(accepts),
        _sides(engine, condition_no, names, is_one_population),
        is_one_population,
    )
    return ReadTrials(measure, segment.astype(np.int64), whole)


def _accepts(engine: Engine, run_no: int, profile_no: int) -> ndarray:
    """Return the decisions of a run under a profile."""
    [is_yes] = _columns(
        engine,
        f"select cast(coalesce(is_yes, -1) as integer) as is_yes from base.scored_decision__v1 where run_no = {run_no} "
        f"and profile_no = {profile_no} order by trial_no",
    )
    if (is_yes < 0).any():
        raise InvalidComparison(
            "a run has scores without decisions. Compare act_p_miss, act_p_fa or act_c_det: decisions at the Bayes "
            "threshold."
        )
    return is_yes == 1


def _sides(engine: Engine, condition_no: int, names: Sequence[str], is_one_population: bool) -> tuple[ndarray, ...]:
    """Return the numbers of clusters on each side, -1 where a trial has no value."""
    attributes = engine.column(
        "select distinct attribute from base.verification_attribute where condition_no = ? order by 1", [condition_no]
    )
    of_trial = {
        ENROLLED: "trial_id",
        ENROLL_ID: "trial_id",
        TEST_ID: "test_id || coalesce(':' || nullif(side, ''), '')",
        BLOCK: "cast(block_no as varchar)",
    }
    sources = []
    for at, name in enumerate(names):
        if name not in (*of_trial, *attributes):
            raise unknown_name_error("unit of resampling", name, [TRIAL, BLOCK, ENROLL_ID, TEST_ID, *attributes])
        is_of_ids = name in of_trial and name != BLOCK and name not in attributes
        if is_of_ids and not engine.value(
            "select count(test_id) from base.verification_trial where condition_no = ?", [condition_no]
        ):
            raise InvalidComparison(
                f"the trials of this key have one id, and {name} is of two. Resample by trial, block, or an "
                f"attribute: {', '.join(attributes) or 'the key has none'}."
            )
        sources.append(f"""
            select trial_no, {"value" if name in attributes else of_trial[name]} as value
            from base.verification_trial
            join base.verification_segment using (condition_no, segment_no)
            left join (
                select condition_no, segment_no, value from base.verification_attribute where attribute = $name_{at}
            ) using (condition_no, segment_no)
            where condition_no = $condition_no""")
    parameters = {"condition_no": condition_no} | {f"name_{at}": name for at, name in enumerate(names)}
    found = []
    for source in sources:
        named = " union all ".join(sources if is_one_population else [source])
        used = {name: value for name, value in parameters.items() if f"${name}" in source + named}
        [unit] = _columns(
            engine,
            f"select coalesce(unit, -1) as unit from ({source}) left join (select value, row_number() over (order by "
            f"value) - 1 as unit from (select distinct value from ({named})) where value is not null) using (value) "
            "order by trial_no",
            used,
        )
        found.append(unit.astype(np.int64))
    return tuple(found)


def read_subsets(engine: Engine, condition_no: int) -> dict[str, list[int] | None]:
    """Return subset -> its segments (None: all), all first."""
    rows = engine.rows(
        """
        select subset, list(segment_no order by segment_no) from base.subset
            join base.subset_cell using (condition_no, subset_no)
        where condition_no = ? and subset <> 'all' group by subset order by subset""",
        [condition_no],
    )
    return {"all": None, **dict(rows)}


def setting_trials(engine: Engine, setting: Setting, unit: str) -> tuple[Trials, Measure, dict[str, float | None]]:
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
    kept = {
        run: (condition_no, run_no, value, is_there)
        for condition_no, run_no, run, value, is_there in engine.rows(
            """
            select condition_no, run_no, run.run_id, score.value, score.run_id is not null
            from registry.run join registry.condition using (condition_no)
            left join report.score as score on score.run_id = run.run_id and score.condition_id = $condition
                and profile_id = $profile and subset = $subset and metric = $metric and weighting = 'story'
            where condition.condition_id = $condition order by run_no""",
            {
                "condition": conditions[0],
                "profile": setting.profile,
                "subset": setting.subset,
                "metric": setting.metric,
            },
        )
    }
    condition_no = next(iter(kept.values()))[0]
    subsets = read_subsets(engine, condition_no)
    check_known(f"subset of condition {conditions[0]}", setting.subset, subsets)
    for name, (_, run) in setting.runs.items():
        if not kept[run][3]:
            raise not_current(name, setting)
    run_nos = [kept[run][1] for _, run in setting.runs.values()]
    read = read_trials(engine, condition_no, run_nos, profile=setting.profile, metric=setting.metric, unit=unit)
    sample = read.of(subsets[setting.subset])
    values = {name: kept[run][2] for name, (_, run) in setting.runs.items()}
    check_values(sample, read.measure, list(values), list(values.values()), setting.subset)
    return sample, read.measure, values


def check_values(
    sample: Trials, measure: Measure, runs: Sequence[str], values: Sequence[float | None], subset: str
) -> None:
    """Refuse intervals of another number than the stored one.

    Raises:
        InvalidComparison: the trials do not reproduce a stored value.
    """
    if not len(sample.is_target) or all(value is None for value in values):
        return
    for run, value, found in zip(runs, values, observed(sample, measure).tolist(), strict=True):
        # the same number, summed in another order
        if value is not None and math.isfinite(value) and not abs(found - value) <= 1e-9 * max(1.0, abs(value)):
            raise InvalidComparison(
                f"{measure.metric} of run '{run}' in subset {subset} is stored as {value!r}, and its trials give "
                f"{found!r}. `tdtsql ledger verify` reports whether the store was changed."
            )


def _columns(engine: Engine, sql: str, parameters: dict[str, Any] | None = None) -> list[ndarray]:
    return [np.asarray(column) for column in engine.query(sql, parameters).fetchnumpy().values()]
