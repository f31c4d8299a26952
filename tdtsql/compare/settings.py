"""What is compared and how: the names of a call, and what is used where it names nothing (for every caller).

| of            | test                                       | interval                          | resamples         |
|---------------|--------------------------------------------|-----------------------------------|-------------------|
| topics, items | `randomisation`                            | `bca`; above 10,000 `percentile`  | 10,000            |
| scored trials | `bootstrap`; by trial `delong` for auc,    | `percentile`; `delong`: `normal`  | 10,000; above     |
|               | `mcnemar` for error rates                  |                                   | 100,000 1,000     |
| their values  |                                            | `percentile`                      | 1,000             |

Correction `holm`, level 0.95, 100,000 sign patterns, seed 20040.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from tdtsql.definitions.catalogue import published, read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidRule, InvalidSetting, Names, UnknownName, WrongCall, listed
from tdtsql.store.sets import check_intact
from tdtsql.task import TASKS, known_metrics, topic_word

#: what a call may choose
Test = Literal["randomisation", "bootstrap", "t", "wilcoxon", "delong", "mcnemar"]
Correction = Literal["holm", "bh", "none"]
Interval = Literal["bca", "percentile", "t", "normal"]
Missing = Literal["error", "common", "zero", "worst"]
Weighting = Literal["topic", "story", "group", "weight"]

#: of the rows of comparisons and intervals
TABLE = "ledger.result_comparison"
TESTS = ("randomisation", "bootstrap", "t", "wilcoxon")
INTERVALS = ("bca", "percentile", "t")
TRIAL_TESTS = ("bootstrap", "delong", "mcnemar")
TRIAL_INTERVALS = ("percentile", "bca", "normal")
CORRECTIONS = get_args(Correction)
#: rates of decisions: those of the runs, and those at the Bayes threshold (act_)
RATES = ("p_miss", "p_fa", "act_p_miss", "act_p_fa")
COSTS = ("c_det", "c_det_norm", "act_c_det", "act_c_det_norm")
METRICS = ("eer", "auc", "min_c_det", "min_c_det_norm", *COSTS, "cllr", "min_cllr", *RATES)
#: greatest number of units of a BCa interval
MOST_BCA = 10_000
#: greatest number of resamples and of permutations: sums of some hundred runs fit in memory
MOST_DRAWS = 1_000_000
#: policies for a topic that a run lacks
MISSING = get_args(Missing)
#: of what is wrong with a call, by its kind in statements of sql/compare
_ERRORS = {"name": UnknownName, "setting": InvalidSetting, "comparison": InvalidComparison, "rule": InvalidRule}
#: corrected p values below this are called significant in text, group letters and marks
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Method:
    """How runs are compared, as requested; None: the default. All of it is printed with the numbers."""

    test: str | None = None
    correction: str = "holm"
    interval: str | None = None
    level: float = 0.95
    n_permutation: int = 100_000
    n_resample: int | None = None
    seed: int = 20040
    unit: str | None = None  #: what is drawn of scored trials, or of items
    missing: str = "error"  #: what a topic means that a run lacks

    def __post_init__(self) -> None:
        """Refuse numbers that no method can have, whoever requests them.

        Raises:
            InvalidSetting: a number is out of its range.
        """
        if not 0.0 < self.level < 1.0:
            raise InvalidSetting(f"level {self.level!r} is not between 0 and 1. Give 0.95, for example.")
        for what, number, most in (
            ("seed", self.seed, 2**63 - 1),
            ("resamples", self.n_resample, MOST_DRAWS),
            ("permutations", self.n_permutation, MOST_DRAWS),
        ):
            if not 0 <= (number or 0) <= most:
                raise InvalidSetting(f"{what} {number} is not a whole number from 0 to {most:,}.")

    @classmethod
    def of_call(
        cls, *, no_cluster: bool, unit: str | None, resamples: int | None, permutations: int, **method: Any
    ) -> "Method":
        """Return what a call requests; ``no_cluster`` is unit ``item``.

        Raises:
            WrongCall: another unit is named too.
        """
        if no_cluster and unit not in (None, "item"):
            raise WrongCall("--no-cluster and --unit exclude each other: name one of them.")
        unit = "item" if no_cluster else unit
        return cls(unit=unit, n_resample=resamples, n_permutation=permutations, **method)

    @property
    def is_by_topic(self) -> bool:
        """A test over topics is requested by name: scored trials are compared over their blocks."""
        return self.test in TESTS and self.test != "bootstrap"

    @property
    def n_draw(self) -> int:
        """The number of resamples, where nothing else decides."""
        return 10_000 if self.n_resample is None else self.n_resample

    def of_topics(self, unit: str, n_unit: int) -> "Method":
        """Return the method of topics, or of items, with everything decided.

        Raises:
            InvalidSetting: a value is not for topics.
        """
        self._check("unknown", TESTS, INTERVALS)
        if self.n_permutation < 1 or self.n_draw < 1:
            raise InvalidSetting("at least one permutation and one resample are needed. Give 100000 and 10000.")
        interval = self.interval or ("bca" if n_unit <= MOST_BCA else "percentile")
        check_bca(interval, n_unit)
        test = self.test or "randomisation"
        return replace(self, test=test, interval=interval, n_resample=self.n_draw, unit=unit)

    def of_trials(self, metric: str, n_trial: int) -> "Method":
        """Return the method of scored trials with everything decided.

        Raises:
            InvalidSetting: a value is not for scored trials; the metric, the unit and the test do not go together.
        """
        self._check("not for scored trials", TRIAL_TESTS, TRIAL_INTERVALS)
        fewest = math.ceil(2.0 / (1.0 - self.level) - 1e-9)
        if self.n_resample is not None and self.n_resample < fewest:
            raise InvalidSetting(
                f"{self.n_resample} resamples cannot give a limit at level {self.level:g}. Request {fewest} or more."
            )
        if metric not in METRICS:
            raise InvalidSetting(
                f"metric {metric!r} cannot be compared on scored trials. One of: {', '.join(METRICS)}."
            )
        unit, test, interval = self.unit or "trial", self.test, self.interval
        is_by_trial = unit == "trial"
        if test is None:
            is_closed = is_by_trial and interval in (None, "normal") and metric == "auc"
            test = "delong" if is_closed else "mcnemar" if is_by_trial and metric in RATES else "bootstrap"
        if test == "delong" and metric != "auc":
            raise InvalidSetting(f"test delong is for auc, not for {metric}. Use --test=bootstrap.")
        if test == "mcnemar" and metric not in RATES:
            raise InvalidSetting(
                f"test mcnemar is for rates of decisions ({', '.join(RATES)}), not for {metric}. Use --test=bootstrap."
            )
        if test != "bootstrap" and not is_by_trial:
            raise InvalidSetting(
                f"test {test} is by trial and not valid for clusters (unit {unit}). Use --test=bootstrap."
            )
        interval = interval or ("normal" if test == "delong" else "percentile")
        is_closed = interval == "normal" and metric == "cllr" and is_by_trial
        if (interval == "normal") != (test == "delong") and not is_closed:
            proper = "normal" if test == "delong" else "percentile or bca"
            raise InvalidSetting(f"interval {interval} is not for {metric} with test {test}. Use {proper}.")
        n_resample = self.n_resample or (10_000 if n_trial <= 100_000 else 1_000)
        test = "normal" if is_closed else test
        used = replace(self, unit=unit, test=test, interval=interval, n_resample=n_resample)
        return replace(used, missing="none", n_permutation=0)

    def _check(self, problem: str, tests: Sequence[str], intervals: Sequence[str]) -> None:
        for what, value, known in (
            ("test", self.test, tests),
            ("correction", self.correction, CORRECTIONS),
            ("interval", self.interval, intervals),
        ):
            if value is not None and value not in known:
                raise InvalidSetting(f"{what} {value!r} is {problem}. One of: {', '.join(known)}.")
        if self.missing not in MISSING:
            raise InvalidSetting(
                f"policy {self.missing!r} for missing topics is unknown. One of: {', '.join(MISSING)}."
            )


def check_bca(interval: str | None, n_unit: int) -> None:
    """Refuse BCa intervals of many units: each is left out in turn."""
    if interval == "bca" and n_unit > MOST_BCA:
        raise InvalidSetting(
            f"interval bca is for at most {MOST_BCA:,} units, and there are {n_unit:,}. Use --interval percentile."
        )


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
    weighting: str = ""  #: empty: the usual one
    source: str = "report.block_score"  #: where numbers by topic are; another relation has no stored comparisons

    @property
    def weighted(self) -> str:
        """The weighting of the numbers."""
        return self.weighting or ("story" if self.is_by_trial else "topic")

    @property
    def topic(self) -> str:
        """What messages call a topic."""
        return topic_word(self.task)

    @property
    def condition(self) -> str:
        """The conditions of the runs, usually one."""
        return ", ".join(dict.fromkeys(condition for condition, _ in self.runs.values()))


def accepted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what a statement of sql/compare found, unless it says in ``words`` what is wrong with the call.

    Raises:
        UnknownName, InvalidComparison, InvalidRule: as its ``kind`` says.
    """
    for row in rows:
        if row["words"]:
            raise _ERRORS[row["kind"]](row["words"])
    return rows


def read_rules(engine: Engine, written: Any) -> list[dict[str, Any]]:
    """Return the rules of a gate with their metrics, and the lines that the query of verdicts takes.

    Raises:
        InvalidRule: a rule cannot be read, or stops what is better.
    """
    statement, given = read_statement("compare/rules"), {"rules": written, "metrics": None}
    rules = accepted(engine.records(statement, given))
    given["metrics"] = [metric_ids(engine, rule["metric"])[0] for rule in rules]
    return accepted(engine.records(statement, given))


def pairs_against(runs: Sequence[str], baselines: Sequence[str]) -> list[tuple[str, str]]:
    """Return (run, baseline) for every run that is not itself a baseline, then baseline against earlier baseline."""
    pairs = [(run, baseline) for baseline in baselines for run in runs if run not in baselines]
    return pairs + [(run, other) for index, run in enumerate(baselines) for other in baselines[:index]]


def chosen_pairs(setting: Setting, baselines: Sequence[str] | None, every_pair: bool) -> list[tuple[str, str]]:
    """Return the pairs of a call: all, or each run with the baselines, without any the first run."""
    names = list(setting.runs)
    chosen = list(baselines) if baselines else names[:1]
    for name in chosen:
        if name not in names:
            raise InvalidSetting(f"baseline {name!r} is not among the compared runs. One of: {', '.join(names)}.")
    return pairs_against(names, names if every_pair else chosen)


def runs_named(engine: Engine, name: str, conditions: Sequence[str] = ()) -> list[tuple[str, str, str]]:
    """Return condition, run and task of each run that a name means, RUN or CONDITION/RUN.

    Args:
        conditions: only of these; empty: all.

    Raises:
        UnknownName: no run has the name.
    """
    known = engine.rows(
        "select condition_id, run_id, task from registry.run join registry.condition using (condition_no) "
        "where len($conditions) = 0 or list_contains($conditions, condition_id) order by all",
        {"conditions": list(conditions)},
    )
    found = [row for row in known if name in (row[1], f"{row[0]}/{row[1]}")]
    if not found:
        under = f" under condition {' or '.join(map(repr, conditions))}" if conditions else ""
        raise UnknownName(f"run {name!r} is unknown{under}. `tdtsql run list` shows all {len(known)}.")
    return found


def metric_ids(engine: Engine, names: Names) -> list[str]:
    """Return the ids of metrics, from names as users write them (minDCF); unknown ones stay.

    Raises:
        BrokenDefinition: a user-defined one was changed.
    """
    if not (names := listed(names)):
        return []
    found = known_metrics(names, engine.column("select distinct metric from registry.metric"))
    check_intact(engine, found)
    return found


def withdrawn(engine: Engine, runs: Sequence[str], conditions: Sequence[str]) -> list[str]:
    """Return a sentence on each of some runs that is withdrawn; conditions: none, all."""
    rows = engine.rows(
        "select condition_id, run_id, reason from registry.withdrawal join registry.run using (run_no) join "
        "registry.condition using (condition_no) where list_contains($runs, run_id) and "
        "(list_contains($conditions, condition_id) or len($conditions) = 0) order by all",
        {"runs": [run.rpartition("/")[2] for run in runs] + list(runs), "conditions": list(conditions)},
    )
    return [f"{where}: {run} is withdrawn ({reason})." for where, run, reason in rows]


def choose(
    store: Engine,
    names: Sequence[str],
    *,
    metric: str | None = None,
    subset: str = "all",
    profile: str | None = None,
    condition: str | None = None,
    is_by_topic: bool = True,
    by: str | None = None,
    weighting: str | None = None,
) -> Setting:
    """Return the runs for ``names``: RUN, or CONDITION/RUN if a name alone is ambiguous.

    Raises:
        UnknownName: no such run, profile or metric.
        InvalidComparison: fewer than two runs, a name that several conditions
            have, runs of different tasks, or a metric without numbers per topic.

    Args:
        by: an attribute; its values are the subsets.
        weighting: of the means: topic, story, group or weight; None: the usual one.
    """
    if by is not None and subset != "all":
        raise InvalidSetting("--by and --subset exclude each other: name one of them.")
    names = list(dict.fromkeys(names))
    if metric is not None:
        [metric] = metric_ids(store, metric)
    if len(names) < 2:
        raise InvalidSetting("there is nothing to compare with. Name at least two different runs.")
    candidates: list[dict[str, Any]] = [
        {"place": place, "name": name, "condition_id": where, "run_id": run, "task": task}
        for place, name in enumerate(names)
        for where, run, task in runs_named(store, name, listed(condition))
    ]
    tasks: list[dict[str, Any]] = [
        {
            "task": task,
            "is_by_trial": not is_by_topic and TASKS[task].is_by_trial and weighting != "topic",
            "relations": [relation.name for relation in published(task)],
        }
        for task in {row["task"] for row in candidates}
    ]
    given = {"candidates": candidates, "tasks": tasks, "metrics": METRICS, "profile": profile, "metric": metric}
    given["weighting"] = weighting
    given["subset"] = f"{by}=*" if by else subset
    [found] = accepted(store.records(read_statement("compare/setting"), given))
    runs = dict(zip(names, zip(found["conditions"], found["runs"], strict=True), strict=True))
    weighting = None if weighting == ("story" if found["is_by_trial"] else "topic") else weighting
    names = ("task", "profile", "metric", "subset", "best", "is_by_trial")
    return Setting(runs, **{name: found[name] for name in names}, weighting=weighting or "")
