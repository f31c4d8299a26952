"""One run under every definition of the equal error rate, and the group of equal scores that makes the difference.

Each definition is a rule about the same curve, crossing p_miss = p_fa within one group of equal scores
(metric.verification_eer_rule__v1). Where that group has targets and non-targets, rules that cut it in another way give
another number.
"""

from dataclasses import dataclass

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import UnknownName, counted
from tdtsql.definitions.catalogue import catalog, closure
from tdtsql.scoring.scope import open_scope
from tdtsql.store.registry import check_name, one_run, profiles_of_condition, subset_number
from tdtsql.task import TASKS

EER, CROSSING = "metric.verification_eer__v1", "metric.verification_crossing__v1"

#: definition -> (who has it, what it does with a tie)
DEFINITIONS = {
    "nearest_point": ("textbooks", "a tie is one point; mean of the two rates at the nearest point"),
    "nearest_corner": ("NIST MediScore", "the same among corner points, as scikit-learn's roc_curve leaves them"),
    "nearest_trial": ("ASVspoof", "of a tie the targets are rejected first, one by one"),
    "nearest_max": ("voxceleb_trainer", "the larger of the two rates at the nearest corner"),
    "target_step": ("Kaldi", "the first target with enough non-targets strictly below it"),
    "interpolated": ("VoxSRC", "a tie is one straight line"),
    "convex_hull": ("BOSARIS", "the line of the convex hull; ties do not matter"),
}


@dataclass(frozen=True, slots=True)
class EqualErrorRates:
    """One run under one profile and subset, pooled over its trials."""

    run: str
    condition: str
    profile: str
    subset: str
    chosen: str  #: the definition of the profile
    values: dict[str, float | None]  #: by definition; None: no targets or no non-targets
    n_target: int
    n_nontarget: int
    score: float | None  #: of the group where p_miss = p_fa is crossed
    n_target_here: int
    n_nontarget_here: int
    n_miss: int  #: targets below the group
    n_false_alarm: int  #: non-targets of the group and above

    def why(self) -> list[str]:
        """Return what makes the difference, in sentences."""
        if self.score is None:
            return [
                f"The subset has {self.n_target} targets and {self.n_nontarget} non-targets, so the curve is undefined."
            ]
        missed, alarms = self.n_miss + self.n_target_here, self.n_false_alarm - self.n_nontarget_here
        crossed = (
            f"p_miss = p_fa is crossed at score {self.score!r}, which {counted(self.n_target_here, 'target')} and "
            f"{counted(self.n_nontarget_here, 'non-target')} have: accepted, p_miss is {self.n_miss}/{self.n_target} "
            f"and p_fa {self.n_false_alarm}/{self.n_nontarget}; "
            f"rejected, {missed}/{self.n_target} and {alarms}/{self.n_nontarget}."
        )
        if self.n_target_here and self.n_nontarget_here:
            reason = "Targets and non-targets are tied there, and the definitions cut the tie differently."
        elif len(set(self.values.values())) > 1:
            reason = (
                "No target is tied with a non-target there: what is left is which point a definition takes, or the "
                "line between two."
            )
        else:
            reason = "The definitions agree."
        return [crossed, reason]


def equal_error_rates(
    engine: Engine, run: str, *, condition: str | None = None, profile: str | None = None, subset: str = "all"
) -> EqualErrorRates:
    """Return a run's equal error rate under all definitions.

    Args:
        profile: one of the condition's, whose rules say which trials count; None: the first.

    Raises:
        UnknownName: the run, condition, profile or subset does not exist; the run is in several conditions, or has no
        scores of decisions.
    """
    run_no, condition_no, condition_id, task = one_run(engine, run, condition)
    if not TASKS[task].is_detection:
        raise UnknownName(
            f"run '{run}' is of task {task}, which has no equal error rate: its runs give no scores of trials."
        )
    check_name(engine, "profile_id", profile)
    profile_no, profile_id = profiles_of_condition(engine, condition_no, profile)[0]
    chosen = engine.value("select eer from registry.profile where profile_no = ?", [profile_no])
    subset_no = subset_number(engine, condition_no, subset)
    with open_scope(engine, [condition_no], [run_no], [profile_no]) as scope:
        scope.replace(
            "base.curve_request", f"select {condition_no} as condition_no, {subset_no} as subset_no, 0 as all_points"
        )
        scope.build(closure(catalog(), [EER]))
        populations = engine.rows(
            f"""select n_target, n_nontarget from {scope.relation("metric.detection_det_population__v1")} where
            subset_no = {subset_no}"""
        )
        rows = engine.rows(f"""
            select {", ".join(f"rate.{name}" for name in DEFINITIONS)}, crossing.score, crossing.n_target_here,
                crossing.n_nontarget_here, crossing.n_miss,
                crossing.n_false_alarm
            from {scope.relation(EER)} as rate
                join {scope.relation(CROSSING)} as crossing using (run_no, profile_no, subset_no)
            where rate.weighting = 'story' and rate.subset_no = {subset_no}""")
    [(n_target, n_nontarget)] = populations or [(0, 0)]
    [(*values, score, target_here, nontarget_here, miss, false_alarm)] = rows or [
        (*[None] * len(DEFINITIONS), None, 0, 0, 0, 0)
    ]
    rates = dict(zip(DEFINITIONS, values, strict=True))
    counts = n_target, n_nontarget, score, target_here, nontarget_here, miss, false_alarm
    return EqualErrorRates(run, condition_id, profile_id, subset, chosen, rates, *counts)
