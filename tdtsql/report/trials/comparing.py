"""Runs compared on the same scored trials: from a store to rows, words and a signature."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar
from urllib.parse import quote

import numpy as np

from tdtsql.compare.correction import CORRECTION_NAMES
from tdtsql.compare.paired import Method
from tdtsql.compare.groups import significance_letters
from tdtsql.compare.resampling import Step
from tdtsql.compare.scored import DRAWS_VERSION, Sample
from tdtsql.compare.trial_pairs import TrialComparison, TrialFamily, compare_trials
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, first_few, not_none, check_known
from tdtsql.report.tables import typed_columns
from tdtsql.task import topic_word
from tdtsql.trials.sample import check_values, read_subsets, read_trials

#: corrected p values below this are called significant in text, group letters and marks
SIGNIFICANT = 0.05

#: names of metrics in captions
_NAMES = {
    "auc": "AUC",
    "cllr": "Cllr",
    "min_cllr": "minimum Cllr",
    "min_c_det": "minDCF",
    "min_c_det_norm": "minDCF (normalised)",
    "act_c_det": "actDCF",
    "act_c_det_norm": "actDCF (normalised)",
}


@dataclass(frozen=True)
class Setting:
    """What is compared, in the user's names."""

    runs: dict[str, tuple[str, str]]  #: the name as given -> (condition_id, run_id)
    task: str
    profile: str
    metric: str
    subset: str
    best: str  #: lowest, highest or none
    is_by_trial: bool = False  #: compared on the same scored trials, not over topics

    @property
    def topic(self) -> str:
        """What messages call a topic."""
        return topic_word(self.task)

    @property
    def condition(self) -> str:
        """The conditions of the runs, usually one."""
        return ", ".join(dict.fromkeys(condition for condition, _ in self.runs.values()))

    @property
    def named(self) -> dict[str, str]:
        """The columns that every comparison has."""
        places = {"condition_id": self.condition, "profile_id": self.profile}
        return {**places, "subset": self.subset, "metric": self.metric}


class Compared:
    """Runs compared with each other: rows, words, significance groups and a signature."""

    columns: ClassVar[dict[str, str]]  #: of `rows`, with their types
    results: ClassVar[list[str]]  #: attributes of a comparison that the signature has a hash over
    setting: Setting
    family: Any

    @property
    def signature(self) -> str:
        """The signature of these p values and intervals, with hashes of the numbers and of the results."""
        setting = self.setting
        parts = {"compare": setting.metric, "condition": setting.condition, "profile": setting.profile}
        results = digest(getattr(row, name) for row in self.family.rows for name in self.results)
        parts |= {"subset": setting.subset, **self.signed(), "result": results}
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def signed(self) -> dict[str, Any]:
        """Return the parts of the signature that say what was compared, and how."""
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat row per comparison, with the columns of ``columns``."""
        family, method = self.family, self.family.method
        shared = {
            **self.setting.named,
            "level": method.level,
            "test": method.test,
            "correction": method.correction,
            "family_size": family.family_size,
            "smallest_p": family.smallest_p,
            "signature": self.signature,
        }
        rows = []
        for row in family.rows:
            known = {"run_id": row.run, "baseline_id": row.baseline, "reason": row.reason or None}
            known |= shared | self.facts_of(row)
            rows.append({name: known[name] if name in known else getattr(row, name) for name in self.columns})
        return rows

    def facts_of(self, row: Any) -> dict[str, Any]:
        """Return the columns of a comparison that are neither shared nor its attributes."""
        raise NotImplementedError

    def method_in_words(self) -> str:
        """Return one sentence on the computation of p values and intervals, and their topics or trials."""
        raise NotImplementedError

    def notes(self) -> list[str]:
        """Return sentences that prevent misreadings: scores over other topics, tests without power, reasons of NULL."""
        raise NotImplementedError

    def tested(self) -> dict[str, float]:
        """Return run -> value of the runs that have a test."""
        raise NotImplementedError

    def groups(self) -> dict[str, str]:
        """Return run -> group letters, best run first; the comparison must contain every pair.

        A run without a test has none.
        """
        values, sign = self.tested(), -1.0 if self.setting.best == "highest" else 1.0
        different = [
            (row.run, row.baseline)
            for row in self.family.rows
            if row.p_adjusted is not None and row.p_adjusted < SIGNIFICANT
        ]
        return significance_letters(sorted(values, key=lambda run: (sign * values[run], run)), different)

    def value_intervals(self) -> dict[str, tuple[float, float]]:
        """Return run -> interval of its value, where scored trials were resampled."""
        return {}


@dataclass(frozen=True)
class ComparedTrials(Compared):
    """A comparison of scored trials with its inputs."""

    columns: ClassVar[dict[str, str]] = typed_columns("""
        varchar  run_id baseline_id condition_id profile_id subset metric
        double   value baseline_value difference low high level
        varchar  interval
        double   value_low value_high baseline_low baseline_high
        varchar  test
        double   p
        varchar  correction
        double   p_adjusted
        bigint   family_size
        double   smallest_p mc_error statistic se
        bigint   n_only_run n_only_baseline n_trial n_target n_nontarget
        varchar  unit n_unit n_cluster
        bigint   n_resample seed n_undefined_draw
        varchar  reason signature
    """)
    results: ClassVar[list[str]] = "value difference low high p p_adjusted statistic".split()

    setting: Setting
    family: TrialFamily
    eer: str  #: policy of the profile
    data: str  #: hash of the trials, their clusters and scores
    named: dict[str, str]  #: parts of the signature that name runs and baselines

    def signed(self) -> dict[str, Any]:
        family, method = self.family, self.family.method
        return {
            "trials": f"{family.n_target}+{family.n_nontarget}",
            "unit": quote(not_none(method.unit), safe=",="),
            "test": method.test,
            "resamples": f"{method.n_resample if method.is_drawn else 0}v{DRAWS_VERSION}",
            "correction": method.correction,
            "family": family.family_size,
            "interval": f"{method.interval}-{method.level:g}",
            "seed": method.seed,
            **self.named,
            "data": self.data,
        }

    def facts_of(self, row: TrialComparison) -> dict[str, Any]:
        family, method = self.family, self.family.method
        return {
            "interval": method.interval,
            "test": "normal" if method.test == "bootstrap" and not method.is_drawn else method.test,
            "n_trial": family.n_trial,
            "n_target": family.n_target,
            "n_nontarget": family.n_nontarget,
            "unit": method.unit,
            "n_unit": family.n_unit,
            "n_cluster": None if method.unit == "trial" else family.n_unit,
            "n_resample": method.n_resample if method.is_drawn else None,
            "seed": method.seed if method.is_drawn else None,
            "n_undefined_draw": family.n_undefined_draw,
        }

    def method_in_words(self) -> str:
        family, method = self.family, self.family.method
        name = metric_in_words(self.setting.metric, self.eer)
        name = f"difference of {name}" if family.rows else name
        trials = f"{family.n_target:,} targets, {family.n_nontarget:,} non-targets"
        unit = not_none(method.unit)
        units = f"{unit}s" if unit.isidentifier() and not unit.endswith("s") else unit
        drawn = f"{method.n_resample:,} draws of whole {units} ({family.n_unit})"
        if unit == "trial":
            drawn = f"{method.n_resample:,} draws by trial"
        how = {
            "delong": "DeLong's test",
            "mcnemar": f"exact McNemar test, {drawn}, seed {method.seed}",
            "bootstrap": f"{drawn}, seed {method.seed}" if method.is_drawn else "normal test of paired terms",
        }[not_none(method.test)]
        tests = ""
        if family.family_size > 1:
            tests = f", {CORRECTION_NAMES[method.correction]} correction over {family.family_size} tests"
        return f"{name}, {method.level * 100:g} % {method.interval} interval, {how}{tests}, {trials}"

    def notes(self) -> list[str]:
        family = self.family
        found = [f"{note[0].upper()}{note[1:]}." for note in family.notes]
        if family.family_size and family.smallest_p >= SIGNIFICANT:
            found.append(
                f"With {family.method.n_resample:,} draws and {family.family_size} tests no corrected p is below "
                f"{family.smallest_p:.2g}: nothing can be significant at {SIGNIFICANT * 100:g} %. Use more --resamples."
            )
        for reason in dict.fromkeys(row.reason for row in family.rows if row.reason):
            of = [f"{row.run} and {row.baseline}" for row in family.rows if row.reason == reason]
            found.append(f"{first_few(of)}: {reason}.")
        return found

    def tested(self) -> dict[str, float]:
        return {
            run: not_none(value)
            for row in self.family.rows
            if row.p_adjusted is not None
            for run, value in ((row.run, row.value), (row.baseline, row.baseline_value))
        }

    def value_intervals(self) -> dict[str, tuple[float, float]]:
        pairs = zip(self.setting.runs, self.family.intervals, strict=True)
        return {run: (interval.low, interval.high) for run, interval in pairs if interval.low == interval.low}


def compare_scored(
    engine: Engine,
    setting: Setting,
    pairs: Sequence[tuple[str, str]],
    method: Method,
    *,
    named: dict[str, str],
    progress: Step | None = None,
) -> ComparedTrials:
    """Return the comparison of pairs (run, baseline) of one condition.

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
    trials = read_trials(
        engine,
        condition_no,
        [numbers[run][1] for _, run in setting.runs.values()],
        profile=setting.profile,
        metric=setting.metric,
        unit=method.unit or "trial",
    )
    sample = trials.of(subsets[setting.subset])
    stored = dict(
        engine.rows(
            "select run_id, value from report.score where condition_id = ? and profile_id = ? and subset = ? and "
            "metric = ? and weighting = 'story'",
            [conditions[0], setting.profile, setting.subset, setting.metric],
        )
    )
    for name, (_, run) in setting.runs.items():
        if run not in stored:
            raise InvalidComparison(
                f"run {name!r} has no {setting.metric} for subset {setting.subset!r} that is up to date. "
                "`tdtsql score` computes what is missing."
            )
    values = [stored[run] for _, run in setting.runs.values()]
    check_values(sample, trials.measure, list(setting.runs), values, setting.subset)
    family = compare_trials(sample, trials.measure, list(setting.runs), values, pairs, method, progress=progress)
    return ComparedTrials(setting, family, trials.measure.eer, _data_hash(sample), named)


def _data_hash(sample: Sample) -> str:
    digest = sha256()
    for part in (sample.is_target, sample.scores, sample.accepts, *sample.sides):
        if part is not None:
            digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:16]


def digest(values: Iterable[object]) -> str:
    """Return the hash of values with all their bits, as a signature has it."""
    texts = ("null" if value is None else value.hex() if isinstance(value, float) else str(value) for value in values)
    return sha256("\0".join(texts).encode()).hexdigest()[:16]


def metric_in_words(metric: str, eer: str) -> str:
    """Return the field's name of a metric."""
    return f"EER ({eer})" if metric == "eer" else _NAMES.get(metric, metric)


def shown_row(row: TrialComparison, family: TrialFamily) -> list[str | int | float | None]:
    """Return the cells of a table for people: run, baseline, value and difference with intervals, p, corrected p."""
    floor = 2.0 / (family.method.n_draw + 1.0) if family.method.test == "bootstrap" else 0.0

    def ranged(value: float | None, low: float | None, high: float | None, sign: str = "") -> str | None:
        if value is None:
            return None
        return f"{value:{sign}.4f}" + ("" if low is None else f" [{low:{sign}.4f}, {high:{sign}.4f}]")

    def p_value(p: float | None) -> str | None:
        least = max(floor, 1e-4)  # never 0
        return None if p is None else f"< {least:.2g}" if p <= least else f"{p:.4f}"

    return [
        row.run,
        row.baseline,
        ranged(row.value, row.value_low, row.value_high),
        ranged(row.difference, row.low, row.high, "+"),
        p_value(row.p),
        p_value(row.p_adjusted),
    ]
