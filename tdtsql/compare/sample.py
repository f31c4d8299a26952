"""Scored trials of a condition as arrays: labels, clusters, scores and decisions, in the order of the key."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from typing import Any

import numpy as np
from numpy import ndarray

from tdtsql.compare.trials import Measure, Trials, observed
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, unknown_name_error

#: units of resampling in addition to attributes: a trial; all trials of a block; all with one id on a side
TRIAL, BLOCK, ENROLLED = "trial", "block", "enrolled"
ENROLL_ID, TEST_ID = "enroll_id", "test_id"


#: the stored value and the one computed here are the same number, summed in another order
_SAME = 1e-9


@dataclass(frozen=True)
class ReadTrials:
    """The N trials of a condition, scored by R runs, and a metric of theirs."""

    measure: Measure
    segment: ndarray  #: N numbers of segments
    whole: Trials  #: all trials

    def of(self, segments: Sequence[int] | None) -> Trials:
        """Return the trials of some segments; None: all."""
        if segments is None:
            return self.whole
        is_here = np.zeros(int(self.segment.max(initial=0)) + 1, dtype=bool)
        is_here[np.asarray(segments, dtype=np.int64)] = True
        here, whole = is_here[self.segment], self.whole
        return Trials(
            whole.is_target[here],
            whole.scores[:, here],
            None if whole.accepts is None else whole.accepts[:, here],
            tuple(side[here] for side in whole.sides),
            whole.is_one_population,
        )


def read_trials(
    engine: Engine, condition_no: int, run_nos: Sequence[int], *, profile: str, metric: str, unit: str = TRIAL
) -> ReadTrials:
    """Return the trials of a condition with the scores of runs and their clusters.

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
    sides = _sides(engine, condition_no, names, is_one_population) if names else ()
    scores = [
        _columns(engine, f"select score from base.decision where run_no = {run_no} order by trial_no")[0]
        for run_no in run_nos
    ]
    is_of_runs = measure.is_decided and not metric.startswith("act")
    accepts = [_accepts(engine, run_no, profile_no) for run_no in run_nos] if is_of_runs else None
    whole = Trials(
        np.asarray(is_target) == 1,
        np.array(scores, dtype=np.float64),
        None if accepts is None else np.array(accepts),
        sides,
        is_one_population,
    )
    return ReadTrials(measure, np.asarray(segment, dtype=np.int64), whole)


def _accepts(engine: Engine, run_no: int, profile_no: int) -> ndarray:
    """Return the decisions of a run under a profile."""
    [is_yes] = _columns(
        engine,
        f"select cast(coalesce(is_yes, -1) as integer) as is_yes from base.scored_decision__v1 where run_no = {run_no} "
        f"and profile_no = {profile_no} order by trial_no",
    )
    if (np.asarray(is_yes) < 0).any():
        raise InvalidComparison(
            "a run has scores without decisions. Compare act_p_miss, act_p_fa or act_c_det: decisions at the Bayes "
            "threshold."
        )
    return np.asarray(is_yes) == 1


def _sides(engine: Engine, condition_no: int, names: Sequence[str], is_one_population: bool) -> tuple[ndarray, ...]:
    """Return the numbers of clusters on each side, -1 where a trial has no value."""
    attributes = engine.column(
        "select distinct attribute from base.verification_attribute where condition_no = ? order by 1", [condition_no]
    )
    parameters, sources = {}, []
    for index, name in enumerate(names):
        if name in (ENROLLED, ENROLL_ID, TEST_ID) and name not in attributes:
            if not engine.value(
                f"select count(test_id) from base.verification_trial where condition_no = {condition_no}"
            ):
                raise InvalidComparison(
                    f"the trials of this key have one id, and {name} is of two. Resample by trial, block, or an "
                    f"attribute: {', '.join(attributes) or 'the key has none'}."
                )
            value = "test_id || coalesce(':' || nullif(side, ''), '')" if name == TEST_ID else "trial_id"
            sources.append(
                f"select trial_no, {value} as value from base.verification_trial where condition_no = {condition_no}"
            )
            continue
        if name != BLOCK and name not in attributes:
            raise unknown_name_error("unit of resampling", name, [TRIAL, BLOCK, ENROLL_ID, TEST_ID, *attributes])
        if name == BLOCK:
            of_segment = "select segment_no, cast(block_no as varchar) as value from base.verification_segment"
        else:
            of_segment = "select segment_no, value from base.verification_attribute"
            parameters[f"attribute_{index}"] = name
        chosen = "" if name == BLOCK else f" and attribute = $attribute_{index}"
        sources.append(
            f"select trial_no, value from base.verification_trial left join ({of_segment} where condition_no = "
            f"{condition_no}{chosen}) using (segment_no) where condition_no = {condition_no}"
        )
    found = []
    for index, source in enumerate(sources):
        named = sources if is_one_population else [source]
        domain = " union ".join(f"select distinct value from ({some})" for some in named)
        mine = list(parameters) if is_one_population else [f"attribute_{index}"]
        [unit] = _columns(
            engine,
            f"select coalesce(unit, -1) as unit from ({source}) left join (select value, row_number() over (order by "
            f"value) - 1 as unit from ({domain}) where value is not null) using (value) order by trial_no",
            {name: value for name, value in parameters.items() if name in mine},
        )
        found.append(np.asarray(unit, dtype=np.int64))
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


def check_values(
    sample: Trials, measure: Measure, runs: Sequence[str], values: Sequence[float | None], subset: str
) -> None:
    """Refuse intervals of another number than the stored one.

    Raises:
        InvalidComparison: the trials do not reproduce a stored value.
    """
    if not len(sample.is_target) or all(value is None for value in values):
        return
    for run, value, found in zip(runs, values, observed(sample, measure), strict=True):
        if value is not None and math.isfinite(value) and not abs(found - value) <= _SAME * max(1.0, abs(value)):
            raise InvalidComparison(
                f"{measure.metric} of run '{run}' in subset {subset} is stored as {value!r}, and its trials give "
                f"{float(found)!r}. `tdtsql ledger verify` reports whether the store was changed."
            )


def _columns(engine: Engine, sql: str, parameters: dict[str, Any] | None = None) -> list[ndarray]:
    return [np.asarray(column) for column in engine.query(sql, parameters).fetchnumpy().values()]
