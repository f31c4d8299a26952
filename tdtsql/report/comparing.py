"""From a store to a comparison: selection of runs and topics, and their numbers.

Numbers are read from `report.block_score`, so only up-to-date numbers are
compared. The mean of a comparison is over the compared topics; where a profile
takes means over other topics (false alarms over all, misses over those with
targets), the printed score of a run can differ from it: then the text next to
the comparison states the difference, and the number of topics of each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote
from typing import Any, ClassVar

from tdtsql.compare.correction import CORRECTION_NAMES
from tdtsql.compare.paired import (
    ONE_CLUSTER,
    ONE_TOPIC,
    Comparison,
    Family,
    Method,
    all_pairs,
    compare_pairs,
    pairs_against,
)
from tdtsql.compare.resampling import Step
from tdtsql.compare.scored import METRICS as TRIAL_METRICS
from tdtsql.compare.topics import TopicMatrix, without_holes
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, UnknownName, counted, first_few, not_none
from tdtsql.definitions.published import published
from tdtsql.own.stored import check_intact
from tdtsql.report.intervals import clusters_of, topic_values
from tdtsql.report.tables import typed_columns
from tdtsql.report.trials.comparing import SIGNIFICANT, Compared, Setting, compare_scored, digest
from tdtsql.task import TASKS, known_metrics, topic_word


@dataclass(frozen=True)
class ComparedRuns(Compared):
    """A comparison over topics with its inputs."""

    columns: ClassVar[dict[str, str]] = typed_columns("""
        varchar  run_id baseline_id condition_id profile_id subset metric
        bigint   n_topic
        double   mean baseline_mean difference se
        bigint   n_cluster
        double   low high level effect_size
        bigint   win tie loss
        varchar  test
        double   p
        varchar  correction
        double   p_adjusted
        bigint   family_size
        double   smallest_p mc_error
        boolean  is_exact
        double   score
        bigint   n_score
        double   baseline_score
        varchar  reason signature
    """)
    results: ClassVar[list[str]] = "mean difference low high win tie loss p p_adjusted".split()

    setting: Setting
    matrix: TopicMatrix
    family: Family
    #: run -> its printed topic-weighted score and that one's n; empty if the store has no such score
    scores: dict[str, tuple[float | None, int | None]]
    unit: str | None = None  #: resampling unit, if it is not the default of the task: item, cluster, or an attribute

    def signed(self) -> dict[str, Any]:
        family, method, matrix = self.family, self.family.method, self.matrix
        n_cluster = family.rows[0].n_cluster
        return {
            "topics": family.n_topic,
            **({"unit": _quoted(self.unit)} if self.unit else {}),
            **({} if n_cluster is None else {"clusters": n_cluster}),
            "missing": family.policy,
            "test": method.test,
            "permutations": method.n_permutation,
            "resamples": method.n_resample,
            "correction": method.correction,
            "family": family.family_size,
            "interval": f"{method.interval}-{method.level:g}",
            "seed": method.seed,
            **against(self.setting, [(row.run, row.baseline) for row in family.rows]),
            "data": digest([*matrix.runs, *matrix.topics, *matrix.values.ravel().tolist()]),
        }

    def facts_of(self, row: Comparison) -> dict[str, Any]:
        score, n_score = self.scores.get(row.run, (None, None))
        baseline_score, _ = self.scores.get(row.baseline, (None, None))
        return {"is_exact": row.exact, "score": score, "n_score": n_score, "baseline_score": baseline_score}

    def method_in_words(self) -> str:
        family = self.family
        method = family.method
        gaps = (
            f", {family.n_missing} missing {'number' if family.n_missing == 1 else 'numbers'}: {family.policy}"
            if family.n_missing
            else ""
        )
        undefined = (
            f" (without {first_few(self.matrix.undefined)}: no run has a number)" if self.matrix.undefined else ""
        )
        n_cluster = family.rows[0].n_cluster
        clusters = "" if n_cluster is None else f" in {counted(n_cluster, 'cluster')}"
        topics = f"{self._topics(family.n_topic)}{clusters}{undefined}{gaps}"
        if family.n_topic == 1 or n_cluster == 1:
            return f"{topics}: no test and no interval"
        drawn = [row for row in family.rows if not row.exact]
        if method.test == "randomisation":
            how = f", {method.n_permutation:,} permutations" if drawn else ", all sign patterns"
        else:
            how = f", {method.n_resample:,} resamples" if method.test == "bootstrap" else ""
        error = max((row.mc_error for row in drawn), default=0.0)
        simulated = f", simulation error of p at most {error:.1g}" if error > 0.0 else ""
        test = TEST_NAMES[not_none(method.test)]
        interval = {"bca": "BCa bootstrap", "percentile": "percentile bootstrap", "t": "t"}[not_none(method.interval)]
        tests = counted(family.family_size, "test")
        return (
            f"{test} test{how}, {CORRECTION_NAMES[method.correction]} correction over {tests}, "
            f"{method.level * 100:g} % {interval} interval, {topics}, seed {method.seed}{simulated}"
        )

    def notes(self) -> list[str]:
        family, method = self.family, self.family.method
        found = []
        means = {row.run: row.mean for row in family.rows} | {row.baseline: row.baseline_mean for row in family.rows}
        others = [
            (abs(value - means[run]), run, value, n)
            for run, (value, n) in self.scores.items()
            if run in means and value is not None and abs(value - means[run]) > 1e-9 * max(1.0, abs(value))
        ]
        if others:
            others.sort(key=lambda other: (-other[0], other[1]))
            shown = first_few([f"{run} {value:.4f} over {n} (here {means[run]:.4f})" for _, run, value, n in others])
            found.append(
                f"Means are over the {self._topics(family.n_topic)} that are compared; scores take each rate over all "
                f"{self.setting.topic}s that have it: {shown}."
            )
        if family.smallest_p >= SIGNIFICANT:
            tests = counted(family.family_size, "test")
            found.append(
                f"With {self._of_drawn()} that differ and {tests} no corrected p is below "
                f"{family.smallest_p:.2g}: nothing can be significant at {SIGNIFICANT * 100:g} %."
            )
            if family.smallest_p / family.family_size < SIGNIFICANT and method.correction == "holm":
                found.append("Fewer pairs, or correction bh, can say more.")
        for reason in dict.fromkeys(
            row.reason for row in family.rows if row.reason and row.reason not in (ONE_TOPIC, ONE_CLUSTER)
        ):
            rows = [f"{row.run} and {row.baseline}" for row in family.rows if row.reason == reason]
            found.append(
                f"{reason[0].upper()}{reason[1:]}."
                if len(rows) == len(family.rows)
                else f"{reason[0].upper()}{reason[1:]} of {first_few(rows)}."
            )
        return found

    def _topics(self, n: int) -> str:
        return f"{n} {topic_word(self.setting.task, n)}"

    def _of_drawn(self) -> str:
        n = self.family.n_differing
        return self._topics(n) if self.family.rows[0].n_cluster is None else counted(n, "cluster")

    def tested(self) -> dict[str, float]:
        rows = self.family.rows
        return {row.run: row.mean for row in rows} | {row.baseline: row.baseline_mean for row in rows}


def choose(
    store: Engine,
    names: Sequence[str],
    *,
    metric: str | None = None,
    subset: str = "all",
    profile: str | None = None,
    condition: str | None = None,
    is_by_topic: bool = True,
) -> Setting:
    """Return the runs for ``names``: RUN, or CONDITION/RUN if a name alone is ambiguous.

    Raises:
        UnknownName: no such run, profile or metric.
        InvalidComparison: fewer than two runs, a name that several conditions
            have, runs of different tasks, or a metric without numbers per topic.
    """
    names = list(dict.fromkeys(names))
    if metric is not None:
        known = store.column("select distinct metric from registry.metric")
        [metric] = known_metrics([metric], known)
        check_intact(store, [metric])
    if len(names) < 2:
        raise InvalidSetting("there is nothing to compare with. Name at least two different runs.")
    found = store.rows(
        "select condition.condition_id, run.run_id, condition.task from registry.run as run "
        "join registry.condition as condition on condition.condition_no = run.condition_no order by all"
    )
    candidates: dict[str, list[tuple[str, str, str]]] = {}
    for name in names:
        candidates[name] = [
            row for row in found if name in (row[1], f"{row[0]}/{row[1]}") and condition in (None, row[0])
        ]
        if not candidates[name]:
            known = sorted({run for where, run, _ in found if condition in (None, where)})
            where = f" under condition {condition!r}" if condition else ""
            raise UnknownName(f"run {name!r} is unknown{where}. `tdtsql run list` shows all {len(known)}.")
    shared = set.intersection(*({row[0] for row in rows} for rows in candidates.values()))
    if len(shared) > 1:
        raise InvalidSetting(
            f"these runs answer {len(shared)} conditions: {', '.join(sorted(shared))}. Choose one with --condition."
        )
    chosen = {}
    for name, rows in candidates.items():
        rows = [row for row in rows if row[0] in shared] if shared else rows
        if len(rows) > 1:
            places = ", ".join(f"{where}/{run}" for where, run, _ in rows)
            raise InvalidSetting(f"run {name!r} exists under {len(rows)} conditions. Name one: {places}.")
        chosen[name] = rows[0]
    tasks = sorted({row[2] for row in chosen.values()})
    if len(tasks) > 1:
        raise InvalidSetting(f"the runs are of different tasks: {', '.join(tasks)}. Compare runs of one task.")
    runs = {name: row[:2] for name, row in chosen.items()}
    is_by_trial = not is_by_topic and TASKS[tasks[0]].is_by_trial
    return _setting(store, runs, tasks[0], metric, subset, profile, is_by_trial)


def _setting(
    store: Engine, runs: dict, task: str, metric: str | None, subset: str, profile: str | None, is_by_trial: bool
) -> Setting:
    """Return the setting after checking profile and metric."""
    conditions = list(dict.fromkeys(condition for condition, _ in runs.values()))
    profiles = store.column(
        "select profile_id from registry.condition_profile join registry.condition using (condition_no) "
        "join registry.profile using (profile_no) where list_contains(?, condition_id) "
        "group by profile_id having count(*) = ? order by profile_id",
        [conditions, len(conditions)],
    )
    if profile is None and len(profiles) == 1:
        [profile] = profiles
    if profile is None:
        raise InvalidSetting(
            f"the runs are scored under {len(profiles)} profiles: {', '.join(profiles) or 'none in common'}. Choose "
            f"one with --profile."
        )
    if profile not in profiles:
        raise UnknownName(f"profile {profile!r} is not one of the runs' conditions. One of: {', '.join(profiles)}.")
    ranked_by = set()
    if metric is None:
        ranked_by = {
            name
            for [name] in store.rows(
                "select distinct metric from report.leaderboard "
                "where profile_id = ? and list_contains(?, condition_id)",
                [profile, conditions],
            )
        }
    if is_by_trial:
        metric = metric or min(ranked_by, default=TASKS[task].primary)
        if metric not in TRIAL_METRICS:
            raise InvalidComparison(
                f"metric {metric!r} cannot be compared on scored trials. One of: {', '.join(TRIAL_METRICS)}."
            )
        [[best]] = store.rows("select min(best) from registry.metric where metric = ?", [metric])
        return Setting(runs, task, profile, metric, subset, best, is_by_trial)
    rows = store.rows("select distinct metric, grain, best, relation from registry.metric")
    if metric is None:  # of the task, where the conditions are not ranked by the same, or it has no numbers by topic
        is_one = len(ranked_by) == 1 and ranked_by <= {row[0] for row in rows if row[1] == "block"}
        metric = ranked_by.pop() if is_one else TASKS[task].primary
    if metric not in {row[0] for row in rows}:
        raise UnknownName(f"metric {metric!r} is unknown. `tdtsql metric list` shows all.")
    of_task = {relation.name for relation in published(task)}
    per_block = sorted(
        {row[0] for row in rows if row[1] == "block" and (row[3] in of_task or row[3].startswith("own."))}
    )
    if metric not in per_block:
        raise InvalidSetting(
            f"metric {metric!r} has no number per topic, so runs cannot be compared by it. One of: "
            f"{', '.join(per_block)}."
        )
    best = next((row[2] for row in rows if row[0] == metric and row[1] == "block"), "none")
    # persons, dollars and kilometres: their differences have no mean either
    if TASKS[task].blocks == "attribute" and subset == "all":
        named = store.column(
            "select distinct subset from base.subset join registry.condition using (condition_no) "
            "where list_contains(?, condition_id) and subset <> 'all' order by subset",
            [conditions],
        )
        if len(named) > 1:
            raise InvalidSetting(
                f"{metric} over all attributes has no unit. Choose one with --subset: {', '.join(named)}."
            )
        subset = named[0] if named else subset
    return Setting(runs, task, profile, metric, subset, best)


def read_topics(store: Engine, setting: Setting, *, missing: str = "error") -> TopicMatrix:
    """Return the numbers of the setting's runs per topic.

    Raises:
        InvalidComparison: a run has no number that is up to date.
    """
    found = topic_values(store, list(setting.runs.values()), setting.profile, setting.subset, [setting.metric])
    for name, has_rows in zip(setting.runs, found.has_rows, strict=True):
        if not has_rows:
            raise InvalidComparison(
                f"run {name!r} has no {setting.metric} per topic for subset {setting.subset!r} that is up to date. "
                "`tdtsql score` computes what is missing."
            )
    return without_holes(
        tuple(setting.runs), found.topics, found.values[setting.metric], missing=missing, best=setting.best
    )


def compare_runs(
    store: Engine,
    setting: Setting,
    *,
    baselines: Sequence[str] | None = None,
    every_pair: bool = False,
    missing: str = "error",
    method: Method | None = None,
    leader: str | None = None,
    progress: Step | None = None,
) -> Compared:
    """Return the comparison of a setting's runs; the first run is the baseline unless others are named.

    Args:
        leader: of topics, the run whose pairs alone get an interval; None: every pair gets one.
    """
    method, pairs = method or Method(), _pairs(setting, baselines, every_pair)
    if setting.is_by_trial:
        return compare_scored(store, setting, pairs, method, named=against(setting, pairs), progress=progress)
    method = method.of_topics(is_items=setting.topic == "item")
    matrix = read_topics(store, setting, missing=missing)
    clusters = clusters_of(store, [condition for condition, _ in setting.runs.values()], setting.task, method.unit)
    family = compare_pairs(
        matrix, pairs, best=setting.best, method=method, clusters=clusters, leader=leader, progress=progress
    )
    unit = method.unit or ("cluster" if clusters else None)
    return ComparedRuns(setting, matrix, family, _printed_scores(store, setting), unit)


def _pairs(setting: Setting, baselines: Sequence[str] | None, every_pair: bool) -> list[tuple[str, str]]:
    names = list(setting.runs)
    chosen = list(baselines) if baselines else names[:1]
    for name in chosen:
        if name not in names:
            raise InvalidSetting(f"baseline {name!r} is not among the compared runs. One of: {', '.join(names)}.")
    return all_pairs(names) if every_pair else pairs_against(names, chosen)


def _printed_scores(store: Engine, setting: Setting) -> dict[str, tuple[float | None, int | None]]:
    """Return run -> (value, n) as `tdtsql score` prints them, in the weighting of the task."""
    rows = store.rows(
        "select condition_id, run_id, value, n from report.score where profile_id = ? and subset = ? and metric = ? "
        "and weighting = ?",
        [setting.profile, setting.subset, setting.metric, TASKS[setting.task].weighting],
    )
    printed = {(condition, run): (value, n) for condition, run, value, n in rows}
    return {name: printed[place] for name, place in setting.runs.items() if place in printed}


def compare_everything(
    store: Engine, setting: Setting, method: Method | None = None, leader: str | None = None
) -> tuple[Compared | None, str]:
    """Return the comparison of every pair of a setting, and one sentence on the method; None without pairs.

    Of topics, only the pairs of ``leader`` have an interval if a run is named.

    Topics that a run lacks are excluded for all runs; the sentence states it. A single run of scored trials has an
    interval and no pair.
    """
    if setting.is_by_trial:
        method = method or Method()
        method = Method(level=method.level, seed=method.seed, correction=method.correction)
    elif len(setting.runs) < 2:
        return None, "One run: nothing to compare."
    try:
        compared = compare_runs(store, setting, every_pair=True, missing="common", method=method, leader=leader)
    except InvalidComparison as error:
        return None, f"No groups: {error}"
    if not compared.family.rows:
        return compared, f"Intervals: {compared.method_in_words()}. {' '.join(compared.notes())}".rstrip()
    if not compared.family.family_size:
        return None, f"No groups: {' '.join(compared.notes()) or f'{ONE_TOPIC}.'}"
    return compared, " ".join(
        [
            f"Groups: {compared.method_in_words()}; runs that share a letter do not differ at {SIGNIFICANT * 100:g} %.",
            *compared.notes(),
        ]
    )


#: the part ``against`` of a signature where every run was compared with every other
ALL_PAIRS = "*"


def against(setting: Setting, pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the parts of a signature that name the runs and their baselines."""
    baselines = list(dict.fromkeys(baseline for _, baseline in pairs))
    is_all = list(pairs) != pairs_against(list(setting.runs), baselines)
    return {
        "runs": ",".join(map(_quoted, setting.runs)),
        "against": ALL_PAIRS if is_all else ",".join(map(_quoted, baselines)),
    }


def _quoted(name: str) -> str:
    return quote(name, safe="/ +:;=()[]*'\"!?&@#$")


TEST_NAMES = {
    "randomisation": "paired randomisation",
    "bootstrap": "paired bootstrap",
    "t": "paired t",
    "wilcoxon": "Wilcoxon signed-rank",
}
