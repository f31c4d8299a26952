"""What is compared, as arrays: numbers of runs by topic with their clusters, weights and groups; scored trials.

The queries are in ``sql/compare``.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ndarray

from tdtsql.compare.resample import Row
from tdtsql.compare.settings import COSTS, RATES, Setting
from tdtsql.compare.trials import Measure, Trials, observed
from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.arrow import columns as read_columns
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, MissingTopics, check_known, counted, unknown_name_error
from tdtsql.task import TASKS

#: units of resampling in addition to attributes: a trial; all trials of a block; all with one id on a side
TRIAL, BLOCK, ENROLLED = "trial", "block", "enrolled"
ENROLL_ID, TEST_ID = "enroll_id", "test_id"


def read_runs(engine: Engine, setting: Setting) -> dict[str, Row]:
    """Return run -> its numbers in the store, its current computation with the hashes of what that was computed from,
    and its number as `tdtsql score` prints it, with the n of that.

    Raises:
        InvalidComparison: a run has no number that is up to date.
    """
    usual = "story" if setting.is_by_trial else TASKS[setting.task].weighting
    found = engine.records(
        read_statement("compare/runs"),
        {
            "names": list(setting.runs),
            **places_of(setting.runs),
            "profile": setting.profile,
            "subset": setting.subset,
            "metric": setting.metric,
            "weighting": setting.weighting or usual,
        },
    )
    for row in found:
        if row["computation_no"] is None:
            raise not_current(row["name"], setting)
    return {row["name"]: row for row in found}


def places_of(runs: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """Return the conditions and the runs of names, as statements take them."""
    return dict(zip(("conditions", "runs"), map(list, zip(*runs.values(), strict=True)), strict=True))


def not_current(name: str, setting: Setting) -> InvalidComparison:
    """Return the error that a run has no number."""
    per_topic = "" if setting.is_by_trial else " per topic"
    return InvalidComparison(
        f"run {name!r} has no {setting.metric}{per_topic} for subset {setting.subset!r} that is up to date. "
        "`tdtsql score` computes what is missing."
    )


# ---- topics and items


@dataclass(frozen=True)
class Topics:
    """Numbers of R runs on the T topics on which one of them has a row, and what an item has."""

    names: tuple[str, ...]  #: T, sorted
    values: dict[str, ndarray]  #: metric -> T x R, NaN: undefined
    weight: ndarray  #: T, NaN: undefined
    group: ndarray  #: T
    clusters: ndarray | None  #: T codes, where items are compared by cluster


def read_topics(
    engine: Engine, setting: Setting, unit: str | None = None, more: Sequence[str] = (), *, is_whole: bool = True
) -> Topics:
    """Return the numbers of a setting's runs by topic.

    Args:
        unit: what is drawn: ``cluster``, from the condition; an attribute, whose values are the clusters; or topics.
        more: further metrics.
        is_whole: every run must have a number.

    Raises:
        InvalidComparison: a run has no number that is up to date.
        InvalidSetting: there are no such clusters.
    """
    metrics, n_run = list(dict.fromkeys([setting.metric, *more])), len(setting.runs)
    given = {"profile": setting.profile, "subset": setting.subset, "metrics": metrics, "places": list(range(n_run))}
    select = read_statement("compare/values").replace("report.block_score", setting.source)
    made = engine.make_temporary(engine.unused_name("topic_value"), select, given | places_of(setting.runs))
    known = engine.column(f"select distinct run_place from {made}")
    for at, name in enumerate(setting.runs):
        if is_whole and at not in known:
            raise not_current(name, setting)
    drawn = "" if TASKS[setting.task].blocks != "item" or unit in (None, "item") else str(unit)
    conditions = [condition for condition, _ in setting.runs.values()]
    named = engine.query(
        read_statement("compare/topics").replace("topic_value", made), {"unit": drawn, "conditions": conditions}
    ).fetchnumpy()
    weight, group, cluster = (
        np.ma.filled(named[name].astype(np.float64), math.nan) for name in ("weight", "group_no", "cluster")
    )
    if drawn and len(cluster) and np.isnan(cluster).all():
        attributes = engine.column(
            "select distinct attribute from base.item_attribute join registry.condition using (condition_no) where "
            "list_contains(?, condition_id) order by 1",
            [conditions],
        )
        named_units = ", ".join(["item", *attributes])
        raise InvalidSetting(f"unit {drawn!r}: the items have no such clusters. One of: {named_units}.")
    values = np.full((len(metrics), len(weight), n_run), math.nan)
    for rows in read_columns(engine, read_statement("compare/cells").replace("topic_value", made)):
        metric, topic, run, value = (column.values for column in rows.values())
        values[metric, topic, run] = value
    engine.execute(f"drop table {made}")
    names = tuple(named["block_id"].tolist())
    by_metric = dict(zip(metrics, values, strict=True))
    return Topics(names, by_metric, weight, group, cluster.astype(np.int64) if drawn else None)


@dataclass(frozen=True)
class TopicMatrix:
    """One metric of R runs on T topics."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]  #: sorted by id
    values: ndarray  #: T x R, no NaN
    n_undefined: int  #: topics left out because no run has a number
    n_missing: int  #: topics that a policy dropped or filled, as some run has no number
    kept: ndarray  #: flags of the topics that are compared


def without_holes(
    runs: Sequence[str],
    topics: Sequence[str],
    values: ndarray,
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
    n_undefined, n_missing = int((~keep).sum()), int(hole[keep].any(axis=1).sum())
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


#: metric that is a rate -> the number of trials that it is over
N_TRIAL = {"p_miss": "n_target", "p_fa": "n_nontarget"}


def weights_of(engine: Engine, setting: Setting, topics: Topics) -> tuple[ndarray | None, ndarray | None]:
    """Return the weight and the group of each topic by the weighting of a setting; NaN: it does not count.

    Raises:
        InvalidSetting: the metric is not a mean of its topics with this weighting.
    """
    weighting, [(condition, _), *_] = setting.weighted, setting.runs.values()
    if weighting == "topic":
        return None, None
    known = engine.column(
        "select distinct weighting from report.score where condition_id = ? and metric = ? order by 1",
        [condition, setting.metric],
    )
    n_trial = N_TRIAL.get(setting.metric)
    can = [name for name in known if name in ("topic", "weight", "group") or name == "story" and n_trial]
    if weighting not in can:
        raise InvalidSetting(
            f"{setting.metric} cannot be compared with weighting {weighting!r}. One of: {', '.join(can) or 'topic'}."
        )
    if weighting == "group":
        return None, topics.group
    numbers = topics.weight if weighting == "weight" else topics.values[str(n_trial)][:, 0]
    return np.where(numbers == 0, math.nan, numbers), None


# ---- scored trials


def n_trials(engine: Engine, setting: Setting) -> int:
    """Return the trials of a condition in a subset."""
    condition = next(iter(setting.runs.values()))[0]
    return engine.value(read_statement("compare/n_trial"), {"condition": condition, "subset": setting.subset})


@dataclass(frozen=True)
class ReadTrials:
    """The N trials of a condition, scored by R runs, and a metric of theirs."""

    measure: Measure
    whole: Trials  #: all trials
    segment: ndarray  #: N numbers of segments
    subsets: dict[str, Sequence[int] | None]  #: the segments of each; None: all

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
    separator = "=" if "=" in unit else ","
    names = [] if unit == TRIAL else [name.strip() for name in unit.split(separator)]
    if len(names) > 2:
        raise InvalidComparison(f"unit {unit!r} has {len(names)} sides. Name one column, or two.")
    given = {"condition_no": condition_no, "profile": profile}
    is_of_decisions = metric in (*RATES, *COSTS) and not metric.startswith("act")
    [facts] = engine.records(read_statement("compare/measure"), given | {"is_of_decisions": is_of_decisions})
    _check_unit(names, facts["attributes"], has_ids=facts["has_ids"])
    relation, value = "base.decision", "score"
    if is_of_decisions:
        relation = f"(select * from base.scored_decision__v1 where profile_no = {facts['profile_no']})"
        value = "coalesce(cast(is_yes as double), cast('nan' as double)) as is_yes"
    columns = [
        _columns(engine, f"select {value} from {relation} where run_no = {run_no} order by trial_no")[0]
        for run_no in run_nos
    ]
    scores = np.array(columns, dtype=np.float64)
    if np.isnan(scores).any():
        raise InvalidComparison(
            "a run has scores without decisions. Compare act_p_miss, act_p_fa or act_c_det: decisions at the Bayes "
            "threshold."
        )
    is_one_population = separator == "=" and len(names) == 2
    sides = {"condition_no": condition_no, "names": names, "is_one_population": is_one_population}
    is_target, segment, *units = _columns(engine, read_statement("compare/sides"), sides)
    whole = Trials(is_target, scores, tuple(units[: len(names)]), is_one_population)
    measure = Measure(metric, **{name: facts[name] for name in Measure.__match_args__[1:]})
    return ReadTrials(measure, whole, segment, {"all": None, **facts["subsets"]})


def _check_unit(names: Sequence[str], attributes: Sequence[str], *, has_ids: bool) -> None:
    """Refuse units that the key of trials does not have."""
    for name in names:
        if name not in (ENROLLED, ENROLL_ID, TEST_ID, BLOCK, *attributes):
            raise unknown_name_error("unit of resampling", name, [TRIAL, BLOCK, ENROLL_ID, TEST_ID, *attributes])
        if not has_ids and name not in (BLOCK, *attributes):
            raise InvalidComparison(
                f"the trials of this key have one id, and {name} is of two. Resample by trial, block, or an "
                f"attribute: {', '.join(attributes) or 'the key has none'}."
            )


def setting_trials(engine: Engine, setting: Setting, unit: str) -> tuple[Trials, Measure, dict[str, float | None]]:
    """Return the trials of a setting as its runs scored them, their measure, and the stored numbers of the runs.

    Raises:
        InvalidComparison: a run has no number that is up to date.
        UnknownName: no such subset or unit.
    """
    runs = read_runs(engine, setting)
    condition_no, run_nos = next(iter(runs.values()))["condition_no"], [run["run_no"] for run in runs.values()]
    read = read_trials(engine, condition_no, run_nos, profile=setting.profile, metric=setting.metric, unit=unit)
    check_known(f"subset of condition {setting.condition}", setting.subset, read.subsets)
    for name, run in runs.items():
        if not run["is_scored"]:
            raise not_current(name, setting)
    sample, values = read.of(read.subsets[setting.subset]), {name: run["value"] for name, run in runs.items()}
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
