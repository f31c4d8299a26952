"""Confidence intervals of printed numbers: bootstrap over topics, or over trials where a task scores these."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from tdtsql.compare.bootstrap import bootstrap_means, cluster_sums, percentile_interval
from tdtsql.compare.paired import Method
from tdtsql.compare.scored import METRICS
from tdtsql.compare.fixed import to_fixed
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import InvalidComparison, InvalidSetting, counted, not_none
from tdtsql.task import TASKS, topic_word
from tdtsql.trials.subsets import Setting, subset_table

#: topics below which an interval is too unreliable to be shown by default
FEWEST_TOPICS = 6

Ends = dict[str, tuple[float, float]]


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
        printed: run -> its value, as `report.score` has it.
    """
    if not printed:
        return {}, ""
    values, topics = _by_topic(engine, condition, profile, metric, subset, list(printed))
    clusters = clusters_of(engine, [condition], task, None)
    codes = None if clusters is None else np.array([clusters[topic] for topic in topics], dtype=np.int64)
    costs = engine.rows("select p_target, c_miss, c_fa from registry.profile where profile_id = ?", [profile])[0]
    ends = topic_intervals(metric, printed, values.get, costs, method, codes)
    if ends:
        unit, n_unit = (topic_word(task), len(topics)) if codes is None else ("cluster", len(np.unique(codes)))
        few = "" if n_unit >= FEWEST_TOPICS else f" With {counted(n_unit, unit)} they are unreliable."
        return (
            ends,
            f"Intervals: percentile bootstrap over {unit}s, {method.n_draw:,} resamples, seed {method.seed}.{few}",
        )
    if TASKS[task].is_by_trial and metric in METRICS and subset == "all":
        setting = Setting(condition, profile, metric, "trial", method.level, min(method.n_draw, 1000), method.seed)
        try:
            _, lines = subset_table(engine, list(printed), setting, by=())
        except InvalidComparison as error:
            return {}, str(error)
        ends = {line.run: (line.low, line.high) for line in lines if line.low is not None and line.high is not None}
        return (
            ends,
            f"Intervals: percentile bootstrap over trials, {setting.n_resample:,} resamples, seed {method.seed}.",
        )
    return {}, f"{metric} has no interval: its value is not a mean over {topic_word(task, 2)}."


def clusters_of(store: Engine, conditions: Collection[str], task: str, unit: str | None) -> dict[str, int] | None:
    """Return item -> cluster, where items are compared by cluster.

    Args:
        unit: None: from the condition; ``item``: single items; an attribute: its values are the clusters.

    Raises:
        InvalidSetting: there are no such clusters.
    """
    if TASKS[task].blocks != "item" or unit == "item":
        return None
    named = ", ".join(map(sql_literal, conditions))
    if unit in (None, "cluster"):
        rows = store.rows(
            "select block_id, cluster_no from base.item join base.block using (condition_no, block_no) join "
            f"registry.condition using (condition_no) where condition_id in ({named}) and cluster_no is not null "
            "order by condition_no, block_no"
        )
        if unit is None and not rows:
            return None
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


def _by_topic(
    engine: Engine, condition: str, profile: str, metric: str, subset: str, runs: list[str]
) -> tuple[dict[str, ndarray], tuple[str, ...]]:
    """Return metric -> T x R values by topic and run, NaN if missing, and the T topics, those of other runs among
    them.
    """
    others = engine.rows(
        "select run_id from registry.run join registry.condition using (condition_no) where condition_id = ?",
        [condition],
    )
    places = [(condition, run) for run in dict.fromkeys([*runs, *(run for [run] in others)])]
    found = topic_values(engine, places, profile, subset, (metric, "p_miss", "p_fa"))
    values = {name: table[:, : len(runs)] for name, table in found.values.items()}
    return {name: table for name, table in values.items() if not np.isnan(table).all()}, found.topics


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
    from tdtsql.engine.arrow import columns  # imported late, as numpy where a store is only read

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
    for rows in columns(
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


def topic_intervals(
    metric: str,
    printed: Mapping[str, float | None],
    matrix: Callable[[str], ndarray | None],
    costs: tuple[float | None, float | None, float | None],
    method: Method,
    clusters: ndarray | None = None,
) -> Ends:
    """Return run -> interval of its printed value, where resampling topics gives that value back exactly.

    A cost is linear in the mean miss and the mean false-alarm rate, which are means over different topics; any other
    number is the mean of its topics' own.

    Args:
        printed: run -> value; the runs are the columns of the matrices.
        matrix: metric -> T x R values by topic, None if missing.
        costs: p_target, c_miss and c_fa of the profile.
        clusters: T codes, where the topics of a cluster are not independent: clusters are drawn whole.
    """

    def drawn(columns: ndarray) -> tuple[ndarray, ndarray]:
        if clusters is not None:
            return _means_of_clusters(columns, clusters, method)
        made = bootstrap_means(columns, n_resample=method.n_draw, seed=method.seed)
        return made.observed, made.means

    def cost_of_means(p_miss: ndarray, p_fa: ndarray) -> tuple[ndarray, ndarray]:
        p_target, c_miss, c_fa = (not_none(cost) for cost in costs)
        miss, alarm = c_miss * p_target, c_fa * (1.0 - p_target)
        (miss_mean, miss_draws), (alarm_mean, alarm_draws) = drawn(p_miss), drawn(p_fa)
        norm = min(miss, alarm)
        return (miss * miss_mean + alarm * alarm_mean) / norm, (miss * miss_draws + alarm * alarm_draws) / norm

    candidates = []
    p_miss, p_fa = matrix("p_miss"), matrix("p_fa")
    if metric == "c_det_norm" and None not in costs and p_miss is not None and p_fa is not None:
        candidates.append(lambda: cost_of_means(p_miss, p_fa))
    if (own := matrix(metric)) is not None:
        candidates.append(lambda: drawn(own))
    intervals: Ends = {}
    for candidate in candidates:
        if len(intervals) == len(printed):
            break
        observed, draws = candidate()
        for at, (run, value) in enumerate(printed.items()):
            if value is None or run in intervals or not abs(observed[at] - value) <= 1e-9 * max(1.0, abs(value)):
                continue
            column = draws[:, at]
            interval = percentile_interval(column[~np.isnan(column)], level=method.level)
            if not math.isnan(interval.low):  # one topic has none
                intervals[run] = interval.low, interval.high
    return intervals


def _means_of_clusters(columns: ndarray, clusters: ndarray, method: Method) -> tuple[ndarray, ndarray]:
    """Return the R means of T x R values without NaN, and B x R means of the values of drawn clusters (T codes)."""
    unit, kinds, kind = to_fixed(columns).unit, *np.unique(~np.isnan(columns), axis=1, return_inverse=True)
    means, draws = np.full(columns.shape[1], math.nan), np.full((method.n_draw, columns.shape[1]), math.nan)
    for at, here in enumerate(kinds.T):  # runs with numbers of the same topics have the same clusters
        runs = np.flatnonzero(kind == at)
        if here.any():
            sums, sizes = cluster_sums(columns[np.ix_(here, runs)], clusters[here])
            made = bootstrap_means(sums, n_resample=method.n_draw, seed=method.seed, unit=unit, sizes=sizes)
            means[runs], draws[:, runs] = made.observed, made.means
    return means, draws
