"""A gate for continuous evaluation: rules over comparisons of a run with its baseline.

    c_det_norm > +0.02                      worse by more than 0.02
    c_det_norm > +5%                        by more than 5 % of the baseline's number
    f1 < -0.01                              where higher is better, worse is less
    c_det_norm[language=ENGLISH] > +0.02    on one subset; [*] on every one that both have, [language=*] on each value

| verdict     | when                                                                                                |
|-------------|-----------------------------------------------------------------------------------------------------|
| `pass`      | the number over what is compared is not worse than the baseline's by more than the tolerance        |
| `fail`      | it is, and the difference is significant: its p value, corrected for all comparisons, is < alpha    |
| `undecided` | it is, but not significantly; or topics are missing, or the two were not scored on the same data    |

The test is that of `tdtsql compare` (two-sided) of "no difference"; the tolerance is a bound on what was observed. The
family of the correction is every (condition, profile, subset, metric) that is compared; two rules on the same numbers
are one test. A baseline is a run of the store, of another store, or of an archive, which is unpacked into a temporary
database: topics and items are compared by the numbers there; scored trials of two stores are not, so that what is worse
stays undecided.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tdtsql.audit import archive
from tdtsql.compare.resample import TIE, Step, adjusted, least_adjusted
from tdtsql.compare.rows import comparison_rows, decided_of_topics, topic_rows
from tdtsql.compare.settings import METRICS, Method, Setting
from tdtsql.compare.units import clusters_of, topic_values
from tdtsql.definitions.catalogue import published
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import (
    InvalidComparison,
    InvalidRule,
    InvalidSetting,
    MissingTopics,
    NotAStore,
    UnknownName,
    check_known,
    counted,
    first_few,
)
from tdtsql.store.sets import check_intact
from tdtsql.show.table import PEOPLE, RowTable, Table, relation_of, typed_columns
from tdtsql.store.opening import open_file
from tdtsql.store.registry import check_name
from tdtsql.task import TASKS, WEIGHTINGS, known_metrics

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"
ARCHIVE, STORE = ".zip", ".duckdb"
#: names of the two sides in messages
SIDES = ("the new run", "the baseline")
#: columns of a check
COLUMNS = typed_columns("""
    varchar  verdict condition_id run_id baseline_id profile_id subset metric rule
    double   mean baseline_mean difference limit low high
    bigint   n_topic n_trial
    double   p p_adjusted score baseline_score
    varchar  note signature baseline_signature
""")
#: columns of the plain table
SHORT = (
    "verdict condition_id profile_id subset rule mean baseline_mean difference limit n_topic n_trial p_adjusted".split()
)
_FORM = re.compile(
    r"(?P<metric>[^\s<>\[\]]+)\s*(?:\[(?P<subset>[^\[\]]+)\])?\s*(?P<sign>[<>])\s*(?P<number>[+-]\s*(?:\d+\.?\d*|"
    r"\.\d+)(?:[eE][+-]?\d+)?)\s*(?P<percent>%?)"
)
_EXAMPLES = (
    'Write for example "c_det_norm > +0.02", "c_det_norm > +5%", "f1 < -0.01" or "c_det_norm[language=ENGLISH] > +0.02"'
)
#: a condition and a run of it
Place = tuple[str, str]


@dataclass(frozen=True)
class Rule:
    """The largest acceptable drop of a metric. The sign is required: the tolerance applies to the difference."""

    text: str  #: as it was written
    metric: str
    subset: str | None  #: None: those that the gate selects
    sign: str  #: ``>``: more is worse; ``<``: less is
    tolerance: float  #: from 0; of the metric's unit, or of the baseline's number where ``is_relative``
    is_relative: bool

    def limit(self, baseline: float) -> float:
        """Return by how much a run may be worse than this baseline, in the metric's unit."""
        return self.tolerance * abs(baseline) if self.is_relative else self.tolerance

    def check_direction(self, best: str) -> None:
        """Refuse a rule that would reject an improvement.

        Raises:
            InvalidRule: the metric's worse end is the other one, or it has none.
        """
        if best == "none":
            raise InvalidRule(
                f"rule {self.text!r}: {self.metric} has no better end, so no difference of it is a drop. Choose "
                f"another metric."
            )
        if (best == "lowest") != (self.sign == ">"):
            turned = "> +" if best == "lowest" else "< -"
            raise InvalidRule(
                f"rule {self.text!r}: the best {self.metric} is the {best}, so this stops what is better. Write "
                f"{turned!r} for {self.sign!r} with its sign."
            )


def parse_rule(text: str) -> Rule:
    """Return a rule from its text.

    Raises:
        InvalidRule: it cannot be read, or its sign contradicts its direction.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise InvalidRule(
            f"rule {text!r} cannot be read: expected a metric, > or <, and a difference with its sign. {_EXAMPLES}."
        )
    number = float(found["number"].replace(" ", ""))
    if math.isinf(number):
        raise InvalidRule(
            f"rule {text!r}: the difference is not a finite number, so no run could break it. {_EXAMPLES}."
        )
    if number and (number > 0) != (found["sign"] == ">"):
        raise InvalidRule(
            f"rule {text!r} would block runs that are not worse: use + after > and - after <. {_EXAMPLES}."
        )
    is_relative = bool(found["percent"])
    subset = found["subset"] and found["subset"].strip()
    tolerance = abs(number) / (100.0 if is_relative else 1.0)
    return Rule(text.strip(), found["metric"], subset, found["sign"], tolerance, is_relative)


@dataclass
class Check:
    """A comparison of a run with its baseline, and the rules on it."""

    place: Place
    other: Place
    profile: str
    subset: str
    metric: str
    best: str
    rules: list[Rule]
    row: dict[str, Any] = field(default_factory=dict)  #: of the comparison
    foreign: list[str] = field(default_factory=list)  #: why nothing can be decided
    gaps: list[str] = field(default_factory=list)  #: topics that one side lacks
    notes: list[str] = field(default_factory=list)

    def verdict(self, rule: Rule, p: float | None, alpha: float, family: str, reachable: float) -> dict[str, Any]:
        """Return the row of a rule, by the columns of COLUMNS."""
        row = self.row
        made = {name: row.get(name) for name in COLUMNS}
        made |= {"condition_id": self.place[0], "run_id": self.place[1], "baseline_id": self.other[1]}
        made |= {"profile_id": self.profile, "subset": self.subset, "metric": self.metric, "rule": rule.text}
        made |= {"verdict": UNDECIDED, "mean": row.get("value"), "baseline_mean": row.get("baseline_value")}
        made["p_adjusted"], reasons = p, []
        if row.get("difference") is not None:
            made["limit"] = limit = rule.limit(row["baseline_value"])
            is_worse = (row["difference"] if rule.sign == ">" else -row["difference"]) - limit > TIE
            if not is_worse and not self.foreign and not self.gaps:
                made["verdict"] = PASS
            elif is_worse and p is not None and p < alpha and not self.foreign:
                made["verdict"] = FAIL
            elif is_worse and p is None:
                reasons = ["worse by more than the tolerance, without a test"]
            elif is_worse and p is not None and p >= alpha:
                what = f"p {p:.3g}{family} is not below {alpha:g}"
                reasons = [f"worse by more than allowed, and not significantly: {what}"]
                if max(reachable, row.get("smallest_p") or 0.0) >= alpha:
                    units = counted(row.get("n_differing") or 0, "differing topic")
                    drawn = units if row.get("n_target") is None else f"{row['n_draw']:,} draws"
                    reasons.append(f"with {drawn}{family} nothing could be")
        made["note"] = "; ".join([*reasons, *self.foreign, *self.gaps, *self.notes])
        return made


@dataclass(frozen=True)
class Gate:
    """The result of a gate: a row per rule and comparison, with the columns of COLUMNS."""

    run: str
    baseline: str  #: as it was named
    alpha: float
    method: Method  #: of the first comparison
    n_test: int  #: p values that the correction counts
    checks: list[dict[str, Any]]
    notes: list[str]  #: conditions that only one side has

    def counted(self, verdict: str) -> int:
        """Return how many checks have a verdict."""
        return sum(check["verdict"] == verdict for check in self.checks)

    @property
    def failed(self) -> bool:
        """A rule is broken."""
        return self.counted(FAIL) > 0

    @property
    def summary(self) -> str:
        """One sentence."""
        checks = f"{counted(len(self.checks), 'check')}: {self.counted(FAIL)} failed, {self.counted(UNDECIDED)}"
        return (
            f"{checks} not decided. {self.run} against {self.baseline}, alpha {self.alpha:g}, {self.method.test} test, "
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
    weighting: str = "",
    progress: Step | None = None,
) -> Gate:
    """Return whether a run of a store passes a gate.

    Args:
        run: RUN, or CONDITION/RUN.
        baseline: a run of the store, an archive (.zip), or another store (.duckdb).
        conditions, profiles, subsets: only these; left out: conditions and profiles that both have, subset all.
        baseline_run: the run's name in an archive or another store, where it is not the same and not the only one.
        weighting: of the means; empty: the usual one.

    Raises:
        UnknownName: no such run, condition, profile, subset or metric.
        InvalidComparison, InvalidRule: the request cannot be compared.
        MissingTopics: a topic is missing and ``missing`` is `error`.
        InvalidArchive, NotAStore: the baseline is not what was packed, or no store.
    """
    if not 0.0 < alpha < 1.0:
        raise InvalidSetting(f"alpha {alpha!r} is not between 0 and 1. Give 0.05, for example.")
    for column, names in (("condition_id", conditions), ("profile_id", profiles)):
        for name in names:
            check_name(engine, column, name)
    mine = _runs(engine, run, conditions)
    known = engine.column("select distinct metric from registry.metric order by 1")
    rules = [replace(rule, metric=known_metrics([rule.metric], known)[0]) for rule in rules]
    check_intact(engine, [rule.metric for rule in rules])
    with _opened(engine, baseline) as there:
        notes: list[str] = []
        if there is engine:
            pairs = _pairs_in_store(mine, _runs(engine, baseline, conditions), run, baseline)
        else:
            pairs, notes = _pairs_with_file(there, mine, run, baseline_run, conditions, baseline)
        for rule in rules:
            check_known("metric", rule.metric, known)
        checks, method = [], requested
        for pair in pairs:
            checks += _checks(engine, there, pair, rules, profiles, subsets)
        for rule in rules:
            if not any(rule in check.rules for check in checks):
                where = ", ".join(sorted({one[0] for one, _ in pairs}))
                raise InvalidRule(
                    f"rule {rule.text!r} matches nothing: {rule.metric} by topic does not exist for this subset and "
                    f"profile under {where}. "
                    "`tdtsql score RUN --per-topic` shows what is."
                )
        for check in checks:
            used = _compare(engine, there, check, requested, missing, weighting, progress)
            method = used if check is checks[0] else method
    p = [check.row.get("p") for check in checks]
    corrected = adjusted(p, requested.correction)
    reachable = least_adjusted([check.row.get("smallest_p") for check in checks], requested.correction) or 0.0
    n_test = sum(value is not None for value in p)
    family = f" ({requested.correction} over {n_test} tests)" if n_test > 1 and requested.correction != "none" else ""
    made = [
        check.verdict(rule, value, alpha, family, reachable)
        for check, value in zip(checks, corrected, strict=True)
        for rule in check.rules
    ]
    return Gate(run, baseline, alpha, replace(method, correction=requested.correction), n_test, made, notes)


# ---- what is compared


@contextmanager
def _opened(engine: Engine, baseline: str) -> Iterator[Engine]:
    """Yield the store of a baseline: another file, an unpacked archive, or this store."""
    path = Path(baseline)
    if path.suffix == STORE:
        if not path.is_file():
            raise NotAStore(f"{path}: file not found. Name the file of a store.")
        other = open_file(str(path), read_only=True)
        try:
            yield other
        finally:
            other.close()
    elif path.suffix == ARCHIVE:
        with TemporaryDirectory(prefix="tdtsql-") as folder:
            other = open_file(archive.unpack(path, Path(folder) / "archive.duckdb"), read_only=True)
            try:
                yield other
            finally:
                other.close()
    else:
        yield engine


def _runs(engine: Engine, name: str, conditions: Sequence[str]) -> list[Place]:
    """Return the runs that a name means."""
    places = _all_runs(engine)
    found = [
        place for place in places if name in (place[1], "/".join(place)) and (not conditions or place[0] in conditions)
    ]
    if not found:
        under = f" under {' or '.join(conditions)}" if conditions else ""
        raise UnknownName(
            f"run {name!r} is unknown{under}. `tdtsql run list` shows all {len(places)}. A baseline in a file is an "
            f"archive ({ARCHIVE}) or a store ({STORE})."
        )
    return found


def _all_runs(engine: Engine) -> list[Place]:
    return engine.rows(
        "select condition_id, run_id from registry.run join registry.condition using (condition_no) order by all"
    )


def _pairs_in_store(mine: list[Place], others: list[Place], run: str, baseline: str) -> list[tuple[Place, Place]]:
    there = dict(others)
    pairs = [(place, (place[0], there[place[0]])) for place in mine if place[0] in there]
    if not pairs and len(mine) == len(others) == 1:  # two conditions, each named
        pairs = [(mine[0], others[0])]
    if not pairs:
        raise InvalidSetting(f"{run} and {baseline} are under no condition together. Name them CONDITION/RUN.")
    if any(one == other for one, other in pairs):
        raise InvalidSetting(f"{run!r} cannot be compared with itself. Name another baseline.")
    return pairs


def _pairs_with_file(
    there: Engine, mine: list[Place], run: str, baseline_run: str | None, conditions: Sequence[str], where: str
) -> tuple[list[tuple[Place, Place]], list[str]]:
    """Return pairs of runs, and notes on conditions without a pair."""
    others, pairs, lacking = _all_runs(there), [], []
    for condition, own in mine:
        names = sorted(name for key, name in others if key == condition)
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
        of_run = f" of run {baseline_run!r}" if baseline_run else ""
        known = sorted({condition for condition, _ in others})
        raise UnknownName(f"{where} has no numbers{of_run} under {', '.join(lacking)}. It has {', '.join(known[:8])}.")
    notes = [f"{where} has no numbers under {', '.join(lacking)}: not compared."] if lacking else []
    name = baseline_run or mine[0][1]
    more = sorted({key for key, other in others if other == name} - {condition for condition, _ in mine})
    if more and not conditions and "/" not in run:
        notes.append(f"{run} is missing under {', '.join(more)}, which {where} has: not compared.")
    return pairs, notes


def _checks(
    engine: Engine,
    there: Engine,
    pair: tuple[Place, Place],
    rules: Sequence[Rule],
    profiles: Sequence[str],
    subsets: Sequence[str],
) -> list[Check]:
    """Return the checks of a pair: every profile and subset that a rule applies to."""
    [[task]] = engine.rows("select task from registry.condition where condition_id = ?", [pair[0][0]])
    of_task = {relation.name for relation in published(task)}
    best = dict(engine.rows("select metric, min(best) from registry.metric group by metric"))
    comparable = {
        metric
        for metric, relation in engine.rows("select metric, relation from registry.metric where grain = 'block'")
        if relation in of_task or relation.startswith("own.")
    }
    comparable |= set(METRICS) if TASKS[task].is_by_trial else set()
    is_by_attribute = TASKS[task].blocks == "attribute"
    checks: dict[tuple[str, str, str], Check] = {}
    for rule in rules:
        if rule.metric not in comparable:
            continue
        rule.check_direction(best[rule.metric])
        here, other = (_subsets(*side, rule.metric) for side in ((engine, pair[0]), (there, pair[1])))
        wanted = [rule.subset] if rule.subset else list(subsets) or ["all"]
        for profile in sorted(here.keys() & other.keys()):
            if profiles and profile not in profiles:
                continue
            both, either = here[profile] & other[profile], here[profile] | other[profile]
            # persons, dollars and kilometres have no mean together: each attribute by itself
            if wanted == ["*"] or is_by_attribute and wanted == ["all"]:
                chosen = sorted(both - ({"all"} if is_by_attribute else set()))
            elif wanted[0].endswith("=*"):
                chosen = sorted(name for name in both if name.startswith(wanted[0][:-1]) and "," not in name)
            else:
                chosen = [name for name in wanted if name in either]
            for subset in chosen:
                key = (profile, subset, rule.metric)
                checks.setdefault(key, Check(*pair, *key, best[rule.metric], [])).rules.append(rule)
    return [checks[key] for key in checks]


def _subsets(engine: Engine, place: Place, metric: str) -> dict[str, set[str]]:
    """Return profile -> subsets in which a run has a number."""
    found: dict[str, set[str]] = {}
    for profile, subset in engine.rows(
        "select distinct profile_id, subset from report.score where condition_id = $1 and run_id = $2 and metric = $3 "
        "union select distinct profile_id, subset from report.block_score where condition_id = $1 and run_id = $2 "
        "and metric = $3",
        [*place, metric],
    ):
        found.setdefault(profile, set()).add(subset)
    return found


# ---- comparisons


def _compare(
    engine: Engine,
    there: Engine,
    check: Check,
    requested: Method,
    missing: str,
    weighting: str,
    progress: Step | None,
) -> Method:
    """Fill in the comparison of a check; return how it was made."""
    [[task]] = engine.rows("select task from registry.condition where condition_id = ?", [check.place[0]])
    sides = ((engine, check.place), (there, check.other))
    numbers = [_printed(*side, check) for side in sides]
    _origin(check, numbers)
    is_here = there is engine
    is_by_trial = TASKS[task].is_by_trial and is_here and not requested.is_by_topic and check.place[0] == check.other[0]
    runs = {"baseline": check.other, "run": check.place}
    setting = Setting(runs, task, check.profile, check.metric, check.subset, check.best, is_by_trial, weighting)
    if is_by_trial:
        try:
            method, [row] = comparison_rows(engine, setting, [("run", "baseline")], requested, step=progress)
        except InvalidSetting:
            raise
        except InvalidComparison as error:
            check.foreign.append(str(error).rstrip("."))
            return requested
        check.row |= row | {"n_trial": row["n_target"] + row["n_nontarget"]}
        check.notes += [text for text in (row["note"], row["reason"]) if text]
        return method
    values: list[dict[str, float]] = []
    for side, place in sides:
        topics, found, _ = topic_values(side, [place], check.profile, check.subset, [check.metric])
        values.append(dict(zip(topics, found[check.metric][:, 0].tolist(), strict=True)))
    method = decided_of_topics(engine, setting, requested)
    if not all(values):
        _without_topics(check, numbers, values)
        return method
    _gaps(check, values, missing)
    try:
        if is_here:
            _, [row] = comparison_rows(
                engine, setting, [("run", "baseline")], requested, missing=missing, step=progress
            )
        else:
            named = sorted(values[0].keys() | values[1].keys())
            both = np.array([[side.get(topic, math.nan) for side in values] for topic in named])
            clusters = clusters_of(engine, [check.place[0]], task, method.unit)
            codes = None if clusters is None else np.array([clusters[topic] for topic in named])
            [row] = topic_rows(SIDES, named, both, [(0, 1)], method, missing=missing, best=check.best, clusters=codes)
            row = {name: None if value != value else value for name, value in row.items()}
    except MissingTopics:
        raise
    except InvalidSetting:
        raise
    except InvalidComparison as error:  # no topic in common, an infinite value
        check.foreign.append(str(error).rstrip("."))
        return method
    check.row |= row
    if row["n_topic"] == 1:
        check.notes.append("one topic: no test")
    return method


def _printed(engine: Engine, place: Place, check: Check) -> dict[str, dict[str, Any]]:
    """Return weighting -> the printed number of a run, in the order of preference; the usual one first."""
    rows = engine.records(
        "select weighting, value, n, score.version, score.signature, definition_sha256, condition_sha256, ("
        "select any_value(value) from report.score as silent where silent.run_id = score.run_id and "
        "silent.condition_id = score.condition_id and silent.profile_id = score.profile_id and silent.subset = "
        "score.subset and silent.metric = 'n_missing_topic') as n_silent "
        "from report.score as score join ledger.current_computation using (condition_id, run_id, profile_id) "
        "where condition_id = $1 and run_id = $2 and profile_id = $3 and subset = $4 and metric = $5",
        [*place, check.profile, check.subset, check.metric],
    )
    return {row["weighting"]: row for name in WEIGHTINGS for row in rows if row["weighting"] == name}


def _origin(check: Check, numbers: Sequence[dict[str, dict[str, Any]]]) -> None:
    """Say what of two numbers is not of the same evaluation, and what differs and does not matter."""
    first: list[dict[str, Any]] = []
    for side, found in zip(SIDES, numbers, strict=True):
        there = [row for row in found.values() if row["value"] is not None]
        first.append(there[0] if there else next(iter(found.values()), {}))
        if first[-1].get("n_silent"):
            n = counted(int(first[-1]["n_silent"]), "topic")
            check.notes.append(f"{side} says nothing of {n}: its numbers there are those of no answer")
    one, other = first
    check.row |= {"score": one.get("value"), "baseline_score": other.get("value")}
    check.row |= {"signature": one.get("signature"), "baseline_signature": other.get("signature")}
    if not one or not other:
        return
    if one["version"] != other["version"]:
        check.foreign.append(
            f"{check.metric} is version {one['version']} of the new run and {other['version']} of the baseline"
        )
    now, then = one["condition_sha256"][:8], other["condition_sha256"][:8]
    if check.place[0] == check.other[0] and now != then:
        check.foreign.append(
            f"the baseline was evaluated on another corpus or other judgments (judgments:{then}, now {now})"
        )
    elif (now := one["definition_sha256"][:8]) != (then := other["definition_sha256"][:8]):
        check.notes.append(
            f"definitions of the task have changed since (sql:{then}, now {now}), the metric's version has not"
        )


def _gaps(check: Check, values: Sequence[dict[str, float]], missing: str) -> None:
    """Say which topics one side lacks.

    Raises:
        MissingTopics: the policy is `error`.
    """
    there = [{topic for topic, value in side.items() if value == value} for side in values]
    for index, (lacks, has) in enumerate((SIDES, SIDES[::-1])):
        if names := sorted(there[1 - index] - there[index]):
            check.gaps.append(f"{lacks} has no number on {first_few(names, 5)}, which {has} has")
    if check.gaps and missing == "error":
        raise MissingTopics(
            f"{check.metric} of {check.place[1]} in {check.place[0]}, profile {check.profile}, subset {check.subset}: "
            f"{'; '.join(check.gaps)}. Say what a missing topic means: --missing=common, zero or worst."
        )
    if check.gaps and missing in ("zero", "worst"):  # a policy sets their value, so they do not prevent a decision
        filled = "0" if missing == "zero" else "the worst number of any topic"
        check.notes += [f"{gap}: it counts as {filled}" for gap in check.gaps]
        check.gaps.clear()


def _without_topics(
    check: Check, numbers: Sequence[dict[str, dict[str, Any]]], values: Sequence[dict[str, float]]
) -> None:
    """Take the difference of printed numbers, without a test."""
    for weighting in numbers[0]:
        one, other = (found.get(weighting) for found in numbers)
        if one is None or other is None or one["value"] is None or other["value"] is None:
            continue
        check.row |= {"value": one["value"], "baseline_value": other["value"]}
        check.row["difference"] = one["value"] - other["value"]
        sides = [side for side, found in zip(SIDES, values, strict=True) if not found]
        check.notes.append(
            f"{' and '.join(sides)} {'has' if len(sides) == 1 else 'have'} no numbers by topic, so what is compared "
            f"are the printed ones ({weighting}-weighted) without a test"
        )
        if one["n"] != other["n"]:
            units = "topics" if weighting.startswith("topic") else "trials"
            check.gaps.append(f"the printed numbers are over {one['n']} and {other['n']} {units}")
        return
    sides = [
        side for side, found in zip(SIDES, numbers, strict=True) if all(r["value"] is None for r in found.values())
    ]
    check.foreign.append(
        f"{' and '.join(sides) or 'one side'} {'have' if len(sides) > 1 else 'has'} no {check.metric} of subset "
        f"{check.subset} under {check.profile}"
    )


# ---- results


def short_columns(found: Gate) -> list[str]:
    """Return the columns of the plain table: of topics or trials those that a check was over."""
    by_trial = {check["n_trial"] is not None for check in found.checks}
    hidden = {"n_topic"} if by_trial == {True} else set() if True in by_trial else {"n_trial"}
    return [name for name in SHORT if name not in hidden]


def heading(check: dict[str, Any]) -> str:
    """Return which check it is, as one line."""
    return f"{check['condition_id']}, {check['profile_id']}, {check['subset']}: {check['rule']}"


def numbers(check: dict[str, Any]) -> str:
    """Return the numbers of a check as one line."""
    if check["difference"] is None:
        return "no numbers to compare"
    text = f"{check['mean']:.6g} against {check['baseline_mean']:.6g}, {check['difference']:+.6g} (allowed "
    text += f"{check['limit']:.6g})"
    if check["n_topic"] is not None:
        text += f" over {counted(check['n_topic'], 'topic')}"
    if check["n_trial"] is not None:
        text += f" over {check['n_trial']:,} trials"
    return text if check["p_adjusted"] is None else f"{text}, p {check['p_adjusted']:.3g}"


def rendered(found: Gate, kind: str) -> str:
    """Return the verdicts as markdown, JSON (floats with 17 digits; undefined numbers are null) or JUnit XML."""
    if kind != "json":
        from tdtsql.show.page import render  # imported late: most gates write no such file

        template = {"markdown": "gate.md", "junit": "gate.xml"}[kind]
        return f"{render(template, found=found, heading=heading, numbers=numbers).rstrip()}\n"
    method = found.method
    whole = {
        "gate": "failed" if found.failed else "not failed",
        **{name: getattr(found, name) for name in ("run", "baseline", "alpha")},
        "test": method.test,
        "correction": method.correction,
        "n_test": found.n_test,
        "permutations": method.n_permutation,
        "resamples": method.n_resample,
        "seed": method.seed,
        "interval": method.interval,
        "level": method.level,
        "checks": [
            {name: None if isinstance(v, float) and not math.isfinite(v) else v for name, v in check.items()}
            for check in found.checks
        ],
        "notes": found.notes,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


class Verdicts(RowTable):
    """The verdicts of a gate: a relation with one row per check, which is a table for a paper too."""

    keep = ("verdict", "condition_id", "rule", "difference", "p_adjusted")

    def __init__(self, engine: Engine, found: Gate):
        shown = short_columns(found)
        rows = [tuple(check[name] for name in shown) for check in found.checks]
        self._table = Table(tuple(shown), rows, found.summary, keep=self.keep)
        super().__init__(relation_of(engine, found.checks, COLUMNS), lambda most: [self._table])
        self.failed, self.summary, self.notes = found.failed, found.summary, found.notes
        reasons = [f"{heading(check)}: {check['note']}." for check in found.checks if check["note"]]
        self.remarks, self.exit_code = (*reasons, *found.notes, found.summary), int(found.failed)

    def shown(self, format_: str) -> list[Table]:
        return [replace(self._table, caption="")] if format_ in PEOPLE else super().shown(format_)
