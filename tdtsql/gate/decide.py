"""Decide for every rule and every condition whether a run is significantly worse than its baseline by more than the
tolerance.

| verdict     | when                                                                                                |
|-------------|-----------------------------------------------------------------------------------------------------|
| `pass`      | the mean over the compared topics is not worse than the baseline's by more than the tolerance       |
| `fail`      | it is, and the difference is significant: its p value, corrected for all comparisons, is < alpha    |
| `undecided` | it is, but not significantly; or topics are missing, or the two were not scored on the same data      |

The test is that of `tdtsql compare` (two-sided, topics as the unit) of "no difference"; the tolerance is a bound on
what was observed. The family of the correction is every (condition, profile, subset, metric) that is compared, whether
its tolerance is exceeded or not; two rules on the same numbers are one test.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tdtsql.compare.resample import TIE, Step, adjusted, least_adjusted
from tdtsql.compare.rows import compare_values
from tdtsql.compare.settings import Method
from tdtsql.errors import InvalidComparison, InvalidSetting, MissingTopics, counted, first_few
from tdtsql.gate.numbers import BlockKey, RunNumbers
from tdtsql.gate.rule import Rule
from tdtsql.compare.words import Compared
from tdtsql.task import WEIGHTINGS

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"

#: names of the two sides in messages
NEW, BASELINE = "the new run", "the baseline"


@dataclass(frozen=True)
class Comparison:
    """One comparison: a metric of a run and of its baseline, and the rules on it."""

    condition: str
    run: str
    baseline: str
    baseline_condition: str
    key: BlockKey  #: profile, subset, metric
    best: str
    rules: tuple[Rule, ...]
    is_by_trial: bool = False  #: compared on the same scored trials
    clusters: Mapping[str, int] | None = None  #: of items, where they are compared by cluster


@dataclass(frozen=True)
class RuleResult:
    """The result of one rule for one comparison."""

    verdict: str
    comparison: Comparison
    rule: Rule
    mean: float | None  #: of the run over the compared topics; printed numbers where no values by topic exist
    baseline_mean: float | None
    difference: float | None  #: run minus baseline
    limit: float | None  #: by how much it may be worse
    low: float | None = None  #: interval of the difference
    high: float | None = None
    n_topic: int | None = None  #: topics compared
    p: float | None = None
    p_adjusted: float | None = None
    printed: float | None = None  #: as `tdtsql score` prints them
    baseline_printed: float | None = None
    signature: str | None = None
    baseline_signature: str | None = None
    n_trial: int | None = None  #: scored trials compared
    method: Method | None = None  #: how scored trials were compared
    reasons: tuple[str, ...] = ()  #: why it is undecided, and other notes; sentences without a full stop

    @property
    def note(self) -> str:
        """Why it is undecided, and other notes; empty without any."""
        return "; ".join(self.reasons)


@dataclass(frozen=True)
class _Test:
    """Test result before the multiple-comparison correction."""

    check: RuleResult  #: without rule and verdict
    foreign: tuple[
        str, ...
    ] = ()  #: why nothing can be decided: the numbers are not of the same evaluation, or not there
    gaps: tuple[str, ...] = ()  #: topics that one side lacks: a run that is not worse on the others has not passed
    notes: tuple[str, ...] = ()
    n_differing: int = 0
    smallest_p: float | None = None


def decide(
    comparisons: Sequence[Comparison],
    new: Mapping[tuple[str, str], RunNumbers],
    baseline: Mapping[tuple[str, str], RunNumbers],
    *,
    method: Method,
    alpha: float,
    missing: str = "common",
    progress: Step | None = None,
    on_trials: Callable[[Comparison], Compared] | None = None,
) -> list[RuleResult]:
    """Return the result of every rule for every comparison.

    Args:
        new, baseline: numbers by (condition_id, run_id).
        method: the paired test; its correction is over all comparisons.
        missing: policy for topics that one side lacks, of `compare.topics`.
        on_trials: compares the two runs of a comparison on their scored trials.

    Raises:
        InvalidComparison: alpha is not a probability.
        MissingTopics: a topic is missing and ``missing`` is `error`.
    """
    if not 0.0 < alpha < 1.0:
        raise InvalidSetting(f"alpha {alpha!r} is not between 0 and 1. Give 0.05, for example.")
    single = replace(method, correction="none")
    tests = [
        _test(
            comparison,
            new[comparison.condition, comparison.run],
            baseline[comparison.baseline_condition, comparison.baseline],
            single,
            missing,
            progress,
            on_trials,
        )
        for comparison in comparisons
    ]
    p = [test.check.p for test in tests]
    corrected = adjusted(p, method.correction)
    reachable = least_adjusted([test.smallest_p for test in tests], method.correction) or math.nan
    n_test = sum(value is not None for value in p)
    return [
        _verdict(test, rule, value, alpha, method.correction, n_test, reachable)
        for test, value in zip(tests, corrected, strict=True)
        for rule in test.check.comparison.rules
    ]


def _test(
    comparison: Comparison,
    new: RunNumbers,
    baseline: RunNumbers,
    method: Method,
    missing: str,
    progress: Step | None,
    on_trials: Callable[[Comparison], Compared] | None,
) -> _Test:
    """Return the test result of a comparison: on scored trials, or by topic where both sides have values by topic."""
    key = comparison.key
    printed, other = new.printed(key), baseline.printed(key)
    check = RuleResult(
        UNDECIDED,
        comparison,
        comparison.rules[0],
        None,
        None,
        None,
        None,
        printed=printed and printed[1].value,
        baseline_printed=other and other[1].value,
        signature=printed and printed[1].signature,
        baseline_signature=other and other[1].signature,
    )
    foreign, notes = _origin(comparison, new, baseline)
    if comparison.is_by_trial and on_trials is not None:
        return _on_trials(check, on_trials, foreign, notes)
    left, right = new.blocks.get(key), baseline.blocks.get(key)
    if not left or not right:
        return _printed(check, new, baseline, foreign, notes)
    gaps = []
    for here, there, lacks, has in ((left, right, NEW, BASELINE), (right, left, BASELINE, NEW)):
        names = sorted(block for block, value in there.items() if value is not None and here.get(block) is None)
        if names:
            gaps.append(f"{lacks} has no number on {first_few(names, 5)}, which {has} has")
    if gaps and missing == "error":
        raise MissingTopics(
            f"{_named(comparison)}: {'; '.join(gaps)}. Say what a missing topic means: --missing=common, zero or worst."
        )
    try:
        row = compare_values(
            left, right, method, missing=missing, best=comparison.best, clusters=comparison.clusters, step=progress
        )
    except InvalidComparison as error:  # no topic in common, an infinite value
        return _Test(check, (*foreign, str(error).rstrip(".")), tuple(gaps), notes)
    names = "difference low high n_topic p".split()
    found = replace(
        check, mean=row["value"], baseline_mean=row["baseline_value"], **{name: row.get(name) for name in names}
    )
    if row["n_topic"] == 1:
        notes = (*notes, "one topic: no test")
    if gaps and missing in ("zero", "worst"):  # a policy sets their value, so they do not prevent a decision
        filled = "0" if missing == "zero" else "the worst number of any topic"
        notes, gaps = (*notes, *(f"{gap}: it counts as {filled}" for gap in gaps)), []
    return _Test(found, foreign, tuple(gaps), notes, row["n_differing"], row.get("smallest_p"))


def _on_trials(
    check: RuleResult,
    on_trials: Callable[[Comparison], Compared],
    foreign: tuple[str, ...],
    notes: tuple[str, ...],
) -> _Test:
    """Return the result of a comparison on the same scored trials."""
    try:
        made = on_trials(check.comparison)
    except InvalidSetting:
        raise
    except InvalidComparison as error:
        return _Test(check, (*foreign, str(error).rstrip(".")), (), notes)
    [row] = made.rows
    found = replace(
        check,
        mean=row["value"],
        baseline_mean=row["baseline_value"],
        n_trial=row["n_target"] + row["n_nontarget"],
        method=made.method,
        **{name: row[name] for name in ("difference", "low", "high", "p")},
    )
    return _Test(found, foreign, (), (*notes, *filter(None, [row["note"], row["reason"]])), 0, row["smallest_p"])


def _printed(
    check: RuleResult, new: RunNumbers, baseline: RunNumbers, foreign: tuple[str, ...], notes: tuple[str, ...]
) -> _Test:
    """Return the difference of printed numbers, without a test."""
    key = check.comparison.key
    for weighting in WEIGHTINGS:
        one, other = new.scores.get((*key, weighting)), baseline.scores.get((*key, weighting))
        if one is None or other is None or one.value is None or other.value is None:
            continue
        sides = [side for side, numbers in ((NEW, new), (BASELINE, baseline)) if not numbers.blocks.get(key)]
        said = (
            f"{' and '.join(sides)} {'has' if len(sides) == 1 else 'have'} no numbers by topic, so what is compared "
            f"are the printed ones ({weighting}-weighted) without a test"
        )
        counts = (
            ()
            if one.n == other.n
            else (
                f"the printed numbers are over {one.n} and {other.n} "
                f"{'topics' if weighting.startswith('topic') else 'trials'}",
            )
        )
        return _Test(
            replace(
                check,
                mean=one.value,
                baseline_mean=other.value,
                difference=one.value - other.value,
                printed=one.value,
                baseline_printed=other.value,
                signature=one.signature,
                baseline_signature=other.signature,
            ),
            foreign,
            counts,
            (*notes, said),
        )
    sides = [side for side, numbers in ((NEW, new), (BASELINE, baseline)) if numbers.printed(key) is None]
    return _Test(
        check,
        (
            *foreign,
            f"{' and '.join(sides) or 'one side'} {'have' if len(sides) > 1 else 'has'} no {key[2]} of subset "
            f"{key[1]} under {key[0]}",
        ),
        (),
        notes,
    )


def _origin(comparison: Comparison, new: RunNumbers, baseline: RunNumbers) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return why two numbers are not of the same evaluation, and what differs and does not matter."""
    profile = comparison.key[0]
    here, there = new.hashes.get(profile, {}), baseline.hashes.get(profile, {})

    def differ(part: str) -> bool:
        one, other = here.get(part, ""), there.get(part, "")
        n = min(len(one), len(other))
        return n > 0 and one[:n] != other[:n]

    foreign, notes = [], []
    for side, numbers in ((NEW, new), (BASELINE, baseline)):
        silent = numbers.scores.get((profile, comparison.key[1], "n_missing_topic", "topic"))
        if silent is not None and silent.value:
            n = int(silent.value)
            notes.append(f"{side} says nothing of {counted(n, 'topic')}: its numbers there are those of no answer")
    versions = new.version(comparison.key), baseline.version(comparison.key)
    if None not in versions and versions[0] != versions[1]:
        foreign.append(f"{comparison.key[2]} is version {versions[0]} of the new run and {versions[1]} of the baseline")
    if comparison.condition == comparison.baseline_condition and differ("judgments"):
        foreign.append(
            f"the baseline was evaluated on another corpus or other judgments (judgments:{there['judgments'][:8]}, "
            f"now {here['judgments'][:8]})"
        )
    elif differ("sql"):
        notes.append(
            f"definitions of the task have changed since (sql:{there['sql'][:8]}, now {here['sql'][:8]}), the "
            f"metric's version has not"
        )
    return tuple(foreign), tuple(notes)


def _verdict(
    test: _Test, rule: Rule, p_adjusted: float | None, alpha: float, correction: str, n_test: int, reachable: float
) -> RuleResult:
    check = replace(test.check, rule=rule, p_adjusted=p_adjusted)
    about = (*test.foreign, *test.gaps, *test.notes)
    if check.difference is None or check.baseline_mean is None:
        return replace(check, verdict=UNDECIDED, reasons=about)
    limit = rule.limit(check.baseline_mean)
    worse = check.difference if rule.sign == ">" else -check.difference
    check = replace(check, limit=limit)
    if worse - limit <= TIE:
        return replace(check, verdict=UNDECIDED if test.foreign or test.gaps else PASS, reasons=about)
    if p_adjusted is None:
        return replace(check, verdict=UNDECIDED, reasons=("worse by more than the tolerance, without a test", *about))
    if p_adjusted < alpha:
        return replace(check, verdict=UNDECIDED if test.foreign else FAIL, reasons=about)
    over = f" ({correction} over {n_test} tests)" if n_test > 1 and correction != "none" else ""
    reasons = [f"worse by more than allowed, and not significantly: p {p_adjusted:.3g}{over} is not below {alpha:g}"]
    if reachable >= alpha or (test.smallest_p or 0.0) >= alpha:
        topics = counted(test.n_differing, "differing topic")
        what = f"{check.method.n_resample:,} draws" if check.method else topics
        reasons.append(f"with {what}{over} nothing could be")
    return replace(check, verdict=UNDECIDED, reasons=(*reasons, *about))


def _named(comparison: Comparison) -> str:
    profile, subset, metric = comparison.key
    return f"{metric} of {comparison.run} in {comparison.condition}, profile {profile}, subset {subset}"
