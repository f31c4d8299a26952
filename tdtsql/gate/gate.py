"""Resolve names and rules to comparisons (runs, conditions, profiles and subsets of a gate), and compute their
verdicts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tdtsql.compare.resample import Step
from tdtsql.compare.rows import clusters_of, default_unit
from tdtsql.compare.settings import METRICS as TRIAL_METRICS
from tdtsql.compare.settings import Method, choose
from tdtsql.compare.words import Compared, compare_runs
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import (
    InvalidComparison,
    InvalidRule,
    InvalidSetting,
    UnknownName,
    counted,
    check_known,
)
from tdtsql.gate.decide import FAIL, UNDECIDED, Comparison, RuleResult, decide
from tdtsql.gate.numbers import BlockKey, Numbers, RunNumbers, of_archive, of_store, of_store_file
from tdtsql.gate.rule import EVERY, Rule
from tdtsql.definitions.catalogue import published
from tdtsql.store.sets import check_intact
from tdtsql.store.registry import check_name
from tdtsql.task import TASKS, known_metrics, topic_word

#: (condition_id, run_id) of a run and of its baseline
Pair = tuple[tuple[str, str], tuple[str, str]]

#: endings of a baseline that is a file
ARCHIVE, STORE = ".zip", ".duckdb"


@dataclass(frozen=True)
class Gate:
    """Result of a gate."""

    run: str
    baseline: str  #: as it was named
    alpha: float
    method: Method  #: what was used, where several tests were: of the first check
    n_test: int  #: p values that the correction counts
    checks: tuple[RuleResult, ...]
    notes: tuple[str, ...]  #: conditions that only one side has

    def counted(self, verdict: str) -> int:
        return sum(check.verdict == verdict for check in self.checks)

    @property
    def failed(self) -> bool:
        return any(check.verdict == FAIL for check in self.checks)

    @property
    def summary(self) -> str:
        """One sentence."""
        said = (
            f"{counted(len(self.checks), 'check')}: {self.counted(FAIL)} failed, {self.counted(UNDECIDED)} not decided"
        )
        return (
            f"{said}. {self.run} against {self.baseline}, alpha {self.alpha:g}, {self.method.test} test, "
            f"{self.method.correction} over {self.n_test}."
        )


def gate(
    engine: Engine,
    run: str,
    baseline: str,
    rules: Sequence[Rule],
    *,
    conditions: Sequence[str] = (),
    profiles: Sequence[str] = (),
    subsets: Sequence[str] = (),
    baseline_run: str | None = None,
    requested: Method,
    alpha: float = 0.05,
    missing: str = "common",
    progress: Step | None = None,
) -> Gate:
    """Return whether a run of a store passes a gate.

    Args:
        run: RUN, or CONDITION/RUN.
        baseline: a run of the store, an archive (.zip), or another store (.duckdb).
        conditions, profiles, subsets: only these; left out: conditions and profiles that both have, subset all.
        baseline_run: the run's name in an archive or another store, where it is not the same and not the only one.

    Raises:
        UnknownName: no such run, condition, profile, subset or metric.
        InvalidComparison, InvalidRule: the request cannot be compared.
        InvalidArchive, InvalidNumbers, NotAStore: the baseline is not what was packed, or no store.
    """
    for name in conditions:
        check_name(engine, "condition_id", name)
    mine = _of_store(engine, run, conditions)
    notes: list[str] = []
    file = Path(baseline)
    is_file = file.suffix in (ARCHIVE, STORE)
    if is_file:
        there = of_archive(file) if file.suffix == ARCHIVE else of_store_file(file)
        pairs, notes = _pairs_with_file(mine, there, run, baseline_run, conditions, baseline)
    else:
        others = _of_store(engine, baseline, conditions)
        pairs = _pairs_in_store(mine, others, run, baseline)
        there = of_store(engine, [other for _, other in pairs])
    here = of_store(engine, [one for one, _ in pairs])
    comparisons = _comparisons(
        engine, pairs, here, there, rules, profiles, subsets, not is_file and not requested.is_by_topic, requested.unit
    )

    def on_trials(comparison: Comparison) -> Compared:
        profile, subset, metric = comparison.key
        names = [f"{comparison.condition}/{name}" for name in (comparison.baseline, comparison.run)]
        setting = choose(
            engine,
            names,
            metric=metric,
            subset=subset,
            profile=profile,
            condition=comparison.condition,
            is_by_topic=False,
        )
        return compare_runs(engine, setting, method=replace(requested, correction="none"), step=progress)

    is_by_topic = not all(comparison.is_by_trial for comparison in comparisons)
    is_items = any(topic_word(task) == "item" for task in _tasks(engine, pairs))
    topics = requested.of_topics(is_items=is_items) if is_by_topic else Method(correction=requested.correction)
    checks = decide(
        comparisons, here, there, method=topics, alpha=alpha, missing=missing, progress=progress, on_trials=on_trials
    )
    used: list[Method] = [check.method for check in checks if check.method]
    if is_by_topic or not used:
        used = [topics]
    method = replace(
        requested, test=used[0].test, interval=used[0].interval, n_resample=used[0].n_resample, level=used[0].level
    )
    n_test = len({(check.comparison.condition, check.comparison.key) for check in checks if check.p is not None})
    return Gate(run, baseline, alpha, method, n_test, tuple(checks), tuple(notes))


def _tasks(engine: Engine, pairs: Sequence[Pair]) -> set[str]:
    tasks = dict(engine.rows("select condition_id, task from registry.condition"))
    return {tasks[one[0]] for one, _ in pairs}


def _of_store(engine: Engine, name: str, conditions: Sequence[str]) -> list[tuple[str, str]]:
    """Return (condition_id, run_id) of the runs that a name means."""
    found = engine.rows(
        "select condition_id, run_id from registry.run join registry.condition using (condition_no) order by all"
    )
    there = [
        (where, run)
        for where, run in found
        if name in (run, f"{where}/{run}") and (not conditions or where in conditions)
    ]
    if not there:
        under = f" under {' or '.join(conditions)}" if conditions else ""
        raise UnknownName(
            f"run {name!r} is unknown{under}. `tdtsql run list` shows all {len(found)}. A baseline in a file is an "
            f"archive ({ARCHIVE}) or a store ({STORE})."
        )
    return there


def _pairs_with_file(
    mine: list[tuple[str, str]],
    there: Numbers,
    run: str,
    baseline_run: str | None,
    conditions: Sequence[str],
    where: str,
) -> tuple[list[Pair], list[str]]:
    """Return pairs of (condition_id, run_id), and notes on conditions without a pair."""
    pairs, lacking = [], []
    for condition, own in mine:
        names = sorted(name for key, name in there if key == condition)
        wanted = baseline_run or (own if own in names else names[0] if len(names) == 1 else None)
        if wanted in names:
            pairs.append(((condition, own), (condition, wanted)))
        elif names and baseline_run is None:
            raise InvalidComparison(
                f"{where} has {len(names)} runs of {condition}, none of them {own!r}: {', '.join(names[:6])}. Choose "
                f"one with --baseline-id."
            )
        else:
            lacking.append(condition)
    if not pairs:
        known = sorted({condition for condition, _ in there})
        raise UnknownName(
            f"{where} has no numbers{f' of run {baseline_run!r}' if baseline_run else ''} under {', '.join(lacking)}. "
            f"It has {', '.join(known[:8])}."
        )
    notes = [f"{where} has no numbers under {', '.join(lacking)}: not compared."] if lacking else []
    own = mine[0][1]
    more = (
        []
        if conditions or "/" in run
        else sorted(
            {key for key, name in there if name == (baseline_run or own)} - {condition for condition, _ in mine}
        )
    )
    return pairs, notes + (
        [f"{run} is missing under {', '.join(more)}, which {where} has: not compared."] if more else []
    )


def _pairs_in_store(mine: list[tuple[str, str]], others: list[tuple[str, str]], run: str, baseline: str) -> list[Pair]:
    by_condition = dict(others)
    pairs = [
        ((condition, own), (condition, by_condition[condition])) for condition, own in mine if condition in by_condition
    ]
    if not pairs and len(mine) == len(others) == 1:  # two conditions, each named
        pairs = [(mine[0], others[0])]
    if not pairs:
        raise InvalidSetting(f"{run} and {baseline} are under no condition together. Name them CONDITION/RUN.")
    if any(one == other for one, other in pairs):
        raise InvalidSetting(f"{run!r} cannot be compared with itself. Name another baseline.")
    return pairs


def _comparisons(
    engine: Engine,
    pairs: Sequence[Pair],
    here: Numbers,
    there: Numbers,
    rules: Sequence[Rule],
    profiles: Sequence[str],
    subsets: Sequence[str],
    is_by_trial: bool,
    unit: str | None,
) -> list[Comparison]:
    """Return the comparisons: every condition with the rules on metrics that its task has."""
    tasks = dict(engine.rows("select condition_id, task from registry.condition"))
    best = {
        (relation, metric): direction
        for metric, relation, direction in engine.rows(
            "select metric, relation, best from registry.metric where grain = 'block'"
        )
    }
    of_trials = dict(engine.rows("select metric, min(best) from registry.metric group by metric"))
    known = engine.column("select distinct metric from registry.metric order by 1")
    rules = [replace(rule, metric=known_metrics([rule.metric], known)[0]) for rule in rules]
    check_intact(engine, [rule.metric for rule in rules])
    for rule in rules:
        check_known("metric", rule.metric, known)
    for name in profiles:
        check_name(engine, "profile_id", name)
    comparisons: list[Comparison] = []
    for one, other in pairs:
        of_task = {relation.name for relation in published(tasks[one[0]])}
        direction = {
            metric: way
            for (relation, metric), way in sorted(best.items())
            if relation in of_task or relation.startswith("own.")
        }
        has_trials = is_by_trial and one[0] == other[0] and TASKS[tasks[one[0]]].is_by_trial
        if has_trials:
            direction = {metric: of_trials[metric] for metric in TRIAL_METRICS}
        both = sorted(
            {key[0] for key in here[one].scores} & {key[0] for key in there[other].scores or there[other].blocks}
        )
        chosen = [name for name in both if not profiles or name in profiles]
        asked: dict[BlockKey, list[Rule]] = {}
        for rule in rules:
            if rule.metric not in direction:
                continue
            rule.check_direction(direction[rule.metric])
            for profile in chosen:
                for subset in _subsets(
                    rule, profile, subsets, here[one], there[other], TASKS[tasks[one[0]]].blocks == "attribute"
                ):
                    asked.setdefault(BlockKey(profile, subset, rule.metric), []).append(rule)
        clusters = clusters_of(engine, [one[0]], tasks[one[0]], unit or default_unit(engine, one[0], tasks[one[0]]))
        comparisons += [
            Comparison(one[0], one[1], other[1], other[0], key, direction[key.metric], tuple(of), has_trials, clusters)
            for key, of in asked.items()
        ]
    for rule in rules:
        if not any(rule in comparison.rules for comparison in comparisons):
            where = ", ".join(sorted({one[0] for one, _ in pairs}))
            raise InvalidRule(
                f"rule {rule.text!r} matches nothing: {rule.metric} by topic does not exist for this subset and "
                f"profile under {where}. "
                "`tdtsql score RUN --per-topic` shows what is."
            )
    return comparisons


def _subsets(
    rule: Rule, profile: str, subsets: Sequence[str], here: RunNumbers, there: RunNumbers, is_by_attribute: bool
) -> list[str]:
    """Return the subsets of a rule: with EVERY those that both sides have, otherwise the given ones that one
    side has.
    """

    def known(numbers: RunNumbers) -> set[str]:
        return {key[1] for key in (*numbers.blocks, *numbers.scores) if key[0] == profile and key[2] == rule.metric}

    wanted = [rule.subset] if rule.subset else list(subsets) or ["all"]
    # persons, dollars and kilometres have no mean together: each attribute by itself
    if wanted == [EVERY] or is_by_attribute and wanted == ["all"]:
        return sorted((known(here) & known(there)) - ({"all"} if is_by_attribute else set()))
    return [subset for subset in wanted if subset in known(here) | known(there)]
