"""A calibrated run: the scores of another run as natural logarithms of likelihood ratios, by a scale and an offset that
were fitted on one condition.

It is a run like any other, stored under a new name with scores only. Its inputs (runs with their hashes, scale, offset,
prior) are its provenance, in ``registry.run_fact`` and therefore in the ledger; an invariant of the audit reports where
these runs are not any more what they were.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

from tdtsql.definitions.catalogue import read_statement
from tdtsql.distribution.calibration import Affine, fit_affine
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidCalibration, InvalidSetting, UnknownName, check_known, counted, worded
from tdtsql.files.fingerprint import fingerprint
from tdtsql.load.plan import StoredCondition, stored_condition
from tdtsql.load.report import Report
from tdtsql.load.run import Runs
from tdtsql.store import registry
from tdtsql.store.ledger import check_contents
from tdtsql.store.provenance import store_facts
from tdtsql.task import task_list_sql, tasks_with
from tdtsql.version import __version__

#: tasks whose runs are calibrated: those with a key of trials
_TASKS = tasks_with(decides_on="trial")


@dataclass(frozen=True)
class Calibration:
    """A run that was calibrated: llr = scale * score + offset."""

    run: str  #: the new run
    condition: str  #: where it is
    scale: float
    offset: float
    prior: float  #: of targets, at which it was fitted
    fitted_on: str
    n_target: int  #: that it was fitted on
    n_nontarget: int
    notes: list[str] = field(default_factory=list)  #: warnings

    @property
    def remarks(self) -> list[str]:
        """Sentences on it."""
        return [
            *(f"{note}." for note in self.notes),
            f"Added run {self.run} to {self.condition}: llr = scale * score + offset\n"
            f"  scale   {self.scale!r}\n"
            f"  offset  {self.offset!r}\n"
            f"  fitted  on {self.fitted_on}, {self.n_target:,} targets, {self.n_nontarget:,} non-targets, prior "
            f"{self.prior:g}",
        ]


def calibrate(
    engine: Engine,
    run: str,
    *,
    fit_on: str,
    to: str,
    into: str | None = None,
    name: str | None = None,
    prior: float = 0.5,
    allow_same: bool = False,
) -> Calibration:
    """Add a run of calibrated scores of RUN, scale * score + offset, fitted by logistic regression, and score it.

    The scores are natural logarithms of likelihood ratios. Scale and offset minimise the cross entropy at a prior
    of targets (prior-weighted logistic regression). Task verification only. The inputs of the run are stored with
    it (`tdtsql run show`) and in the ledger.

    Args:
        fit_on: the condition on whose trials scale and offset are fitted.
        to: the condition whose scores are calibrated.
        into: the condition, over the same trials, that the new run answers; without it that of --to.
        name: the new run's name; without it the old one with -calibrated.
        prior: effective prior of targets at which it is fitted, p_target c_miss / (p_target c_miss + (1 -
            p_target) c_fa) of the application's costs.
        allow_same: fit on the trials that are calibrated (optimistic; else refused).

    Raises:
        UnknownName: no such run or condition.
        InvalidCalibration: no fit is optimal (one class, no overlap, an infinite score at the wrong end), or the
            trials differ.
    """
    called, place = f"{run}-calibrated" if name is None else name, into or to
    if (called, place) == (run, to):
        raise InvalidCalibration(f"run '{run}' would replace its source scores. Give the calibrated run another name.")
    with engine.change():
        fitted, scored = _found(engine, run, fit_on), _found(engine, run, to)
        notes = []
        if fitted["sha256"] == scored["sha256"]:
            if not allow_same:
                raise InvalidSetting(
                    f"run '{run}' would be fitted on the trials that it is applied to ({scored['name']}): its Cllr "
                    "there is the least that a scale and an offset can give, not that of new trials. Fit on another "
                    "condition, or allow it with --allow-same."
                )
            notes.append(f"fitted on the trials that it is applied to ({scored['name']}): Cllr is optimistic there")
        target = stored_condition(engine, _condition(engine, place))
        runs = Runs(engine, Report())
        notes += _replaced(target, called)
        numbers = sorted({fitted["run_no"], scored["run_no"]})
        check_contents(engine, numbers, [])
        affine = _fitted(engine, fitted, prior)
        facts = _facts(affine, fitted, scored)
        source = fingerprint(*(value for _, value in facts))
        runs.add_derived(target, called, lambda run_no: _write(target, run_no, scored, affine), "calibrated", source)
        runs.register()
        store_facts(engine, target.condition_no, called, facts, (f"run:{fitted['name']}", fitted["sha256"]))
        registry.refresh_current_inputs(engine)
    if affine.scale <= 0:
        notes.append(f"the scale is {affine.scale:.6g}: in {fit_on} targets have the lower scores")
    if target.policies.get("score_kind") != "llr":
        notes.append(
            worded(
                f'condition {place} does not say scores = "llr": numbers of likelihood ratios stay undefined there. '
                "Add such a condition over the same key, and name it with --into"
            )
        )
    return Calibration(
        called, place, affine.scale, affine.offset, prior, fit_on, affine.n_target, affine.n_nontarget, notes
    )


def _replaced(target: StoredCondition, run: str) -> list[str]:
    """Return a note where a run of this name is in the condition: it is replaced."""
    own = [run, target.condition_no]
    found = target.engine.rows(
        "select run_no, origin, n_row from stored_run where run_id = ? and condition_no = ?", own
    )
    if not found:
        return []
    [(run_no, origin, n_row)] = found
    facts = dict(target.engine.rows("select name, value from registry.run_fact where run_no = ?", [run_no]))
    made = (
        f" as {float(facts['calibration.scale']):.6g} * score + {float(facts['calibration.offset']):.6g}, fitted on "
        f"{facts['calibration.fitted_on']}"
        if "calibration.scale" in facts
        else ""
    )
    rows = counted(n_row, "row")
    return [f"run {run} of {target.condition_id} is replaced (was {origin}{made}, {rows})"]


def _condition(engine: Engine, condition_id: str) -> int:
    """Return the number of a condition of scored trials."""
    found = dict(
        engine.rows(
            f"select condition_id, condition_no from registry.condition where task in "
            f"({task_list_sql(decides_on='trial')}) order by condition_id"
        )
    )
    if condition_id not in found:
        registry.check_name(engine, "condition_id", condition_id)
        raise InvalidCalibration(
            f"condition '{condition_id}' is not of task {' or '.join(_TASKS)}, whose runs alone are calibrated. "
            f"Conditions of it: {', '.join(found) or 'none'}."
        )
    return found[condition_id]


def _found(engine: Engine, run: str, condition_id: str) -> dict[str, Any]:
    """Return a run of a condition as it is stored."""
    found = engine.records(
        "select run_id, run_no, condition_no, condition_id || '/' || run_id as name, run.content_sha256 as sha256 "
        "from registry.run join registry.condition using (condition_no) where condition_no = ? order by run_id",
        [_condition(engine, condition_id)],
    )
    runs = {row["run_id"]: row for row in found}
    if not runs:
        raise UnknownName(f"condition '{condition_id}' has no runs. Add run '{run}' to it.")
    check_known(f"run of condition {condition_id}", run, runs)
    return runs[run]


def _fitted(engine: Engine, run: dict[str, Any], prior: float) -> Affine:
    """Return the calibration of a run's scores."""
    given = {"run_no": run["run_no"], "condition_no": run["condition_no"]}
    counts = engine.query(read_statement("load/verification/score_counts"), given).fetchnumpy()
    try:
        return fit_affine(counts["score"], counts["n_target"], counts["n_nontarget"], prior=prior)
    except InvalidCalibration as error:
        raise InvalidCalibration(f"run:{run['name']}: {error}") from None


def _write(target: StoredCondition, run_no: int, scored: dict[str, Any], affine: Affine) -> None:
    """Store the calibrated scores of a run, which must be of the trials of the condition."""
    engine, given = target.engine, {"condition_no": target.condition_no, "run_no": scored["run_no"]}
    given |= {"scored_condition_no": scored["condition_no"]}
    given |= {"scale": affine.scale, "offset": affine.offset}
    table = engine.unused_name("calibrated")
    engine.make_temporary(table, read_statement("load/verification/calibrated"), given)
    [(lost, missing, surplus)] = engine.rows(
        "select count(*) filter (isfinite(score) and not isfinite(llr)), count(*) filter (score is null), "
        f"count(*) filter (trial_no is null) from {table}"
    )
    if lost:
        raise InvalidCalibration(
            f"run:{scored['name']}: {lost} finite scores would become infinite (scale {affine.scale!r}, offset "
            f"{affine.offset!r}). Are they of the system that was fitted?"
        )
    if missing or surplus:
        raise InvalidCalibration(
            f"condition '{target.condition_id}' has {counted(missing, 'trial')} that run:{scored['name']} has no score "
            f"for, and lacks {surplus} that it has. "
            "Name a condition over the same key."
        )
    engine.execute(
        "insert into base.decision (run_no, block_no, trial_no, segment_no, score) "
        f"select {run_no}, block_no, trial_no, segment_no, llr from {table} order by block_no, trial_no"
    )
    engine.execute(f"drop table {table}")


def _facts(affine: Affine, fitted: dict[str, Any], scored: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the inputs of a calibrated run, by name."""
    facts = {
        "method": "affine, prior-weighted logistic regression",
        "fitted_on": fitted["name"],
        "fitted_on_sha256": fitted["sha256"],
        "scores_of": scored["name"],
        "scores_of_sha256": scored["sha256"],
        **asdict(affine),
        "software": f"tdtsql {__version__}",
    }
    return [(f"calibration.{name}", str(value)) for name, value in facts.items()]
