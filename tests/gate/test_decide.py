"""Verdicts by hand: ten topics, and numbers on them; the randomisation test enumerates all sign patterns.

worse by 0.25 on all ten      |sum| is reached by 2 of 2^10 patterns                    p = 1/512
worse on seven, better on two p = 2 (1 + 9 + 36) / 2^9 = 92/512, the mean is the same
"""

import math
import xml.etree.ElementTree as ElementTree

import pytest

import tdtsql
from tdtsql.compare.settings import Method
from tdtsql.errors import InvalidComparison, MissingTopics
from tdtsql.gate.decide import Comparison, decide
from tdtsql.gate.gate import Gate
from tdtsql.gate.numbers import RunNumbers, Score, of_store
from tdtsql.gate.output import junit
from tdtsql.gate.rule import parse_rule

PLACE = ("tdt2004", "all", "c_det_norm")
TOPICS = [f"T{number}" for number in range(10)]
OLD = dict.fromkeys(TOPICS, 0.5)
DROP = dict.fromkeys(TOPICS, 0.75)
NOISE = dict(zip(TOPICS, [1.0] * 7 + [0.0, 0.0, 0.5], strict=True))
SIGNED = {"sql": "a" * 8, "judgments": "b" * 8, "run": "c" * 8}


def numbers(blocks, *, version="v1", key=PLACE, hashes=SIGNED, mean=None, silent=0):
    """Return a run's numbers: by topic, and the printed mean."""
    defined = [value for value in (blocks or {}).values() if value is not None]
    value = sum(defined) / len(defined) if mean is None and defined else mean
    scores = {
        (*key, "topic"): Score(value, len(defined) or 10, version, "signature"),
        (key[0], key[1], "n_missing_topic", "topic"): Score(silent, 10, "v1", "s"),
    }
    return RunNumbers(scores, {key: dict(blocks)} if blocks else {}, {key: version} if blocks else {}, {key[0]: hashes})


def ask(new, old, *rules, best="lowest", method=None, alpha=0.05, missing="common", key=PLACE):
    """Return the checks of one question."""
    comparison = Comparison(
        "c1", "new", "old", "c1", key, best, tuple(map(parse_rule, rules or ("c_det_norm > +0.02",)))
    )
    return decide(
        [comparison],
        {("c1", "new"): new},
        {("c1", "old"): old},
        method=method or Method(),
        alpha=alpha,
        missing=missing,
    )


def test_a_check_that_is_not_decided_is_skipped_in_junit():
    checks = (*ask(numbers(NOISE), numbers(OLD)), *ask(numbers(OLD), numbers(OLD)))
    suite = ElementTree.fromstring(junit(Gate("new", "old", 0.05, Method(), 1, checks, ())))

    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "0", "1")
    assert [case[0].tag for case in suite.iter("testcase")] == ["skipped", "system-out"]
    assert suite.find("testcase/skipped").get("message").startswith("not decided: 0.75 against 0.5, +0.25 ")


def test_numbers_of_a_run_are_those_of_its_condition(example_store):
    wanted = [("trk-eng-1", "osprey"), ("trk-eng-4", "kestrel")]
    with tdtsql.connect(example_store, read_only=True) as store:
        found = of_store(store.engine, wanted)
        printed = store.score(subset="all", metric="c_det_norm", weighting="topic")
        rows = printed.project("condition_id, run_id, profile_id, value").fetchall()

    assert list(found) == wanted
    for where in wanted:
        assert {
            profile: score.value
            for (profile, subset, metric, weighting), score in found[where].scores.items()
            if (subset, metric, weighting) == ("all", "c_det_norm", "topic")
        } == {profile: value for condition, run, profile, value in rows if (condition, run) == where}


def test_a_planted_drop_fails():
    [check] = ask(numbers(DROP), numbers(OLD))

    assert (check.verdict, check.mean, check.baseline_mean, check.difference, check.limit, check.n_topic) == (
        "fail",
        0.75,
        0.5,
        0.25,
        0.02,
        10,
    )
    assert check.p_adjusted == 2 / 2**10


def test_noise_of_the_same_size_is_not_decided():
    [check] = ask(numbers(NOISE), numbers(OLD))

    assert (check.verdict, check.difference, check.p_adjusted) == ("undecided", 0.25, 92 / 512)
    assert "not significantly: p 0.18 is not below 0.05" in check.reasons[0]


def test_what_is_not_worse_than_allowed_passes_however_sure():
    checks = ask(
        numbers(DROP),
        numbers(OLD),
        "c_det_norm > +0.25",
        "c_det_norm > +50%",
        "c_det_norm > +0.2499",
        "c_det_norm > +49%",
    )

    assert [check.verdict for check in checks] == ["pass", "pass", "fail", "fail"]
    assert checks[1].limit == 0.25


def test_what_is_better_passes():
    [check] = ask(numbers(OLD), numbers(DROP))

    assert (check.verdict, check.difference) == ("pass", -0.25)


def test_higher_is_better_where_the_metric_says_so():
    worse, better = (
        ask(numbers(OLD), numbers(DROP), "c_det_norm < -0.02", best="highest"),
        ask(numbers(DROP), numbers(OLD), "c_det_norm < -0.02", best="highest"),
    )

    assert (worse[0].verdict, better[0].verdict) == ("fail", "pass")


def test_the_correction_counts_all_that_is_asked():
    """26 questions with p = 1/512 each: Holm gives 26/512 = 0.0508; 25 give 0.0488. Two rules on one question are one
    test.
    """

    def verdicts(n: int) -> set[str]:
        rules = tuple(map(parse_rule, ("c_det_norm > +0.02", "c_det_norm > +0.03")))
        comparisons = [
            Comparison(f"c{number}", "new", "old", f"c{number}", PLACE, "lowest", rules) for number in range(n)
        ]
        new = {(f"c{number}", "new"): numbers(DROP) for number in range(n)}
        old = {(f"c{number}", "old"): numbers(OLD) for number in range(n)}
        return {check.verdict for check in decide(comparisons, new, old, method=Method(), alpha=0.05)}

    assert verdicts(25) == {"fail"}
    assert verdicts(26) == {"undecided"}


def test_topics_too_few_to_find_anything_are_said():
    few = TOPICS[:4]
    [check] = ask(numbers({topic: DROP[topic] for topic in few}), numbers({topic: OLD[topic] for topic in few}))

    assert check.verdict == "undecided"
    assert check.reasons[1] == "with 4 differing topics nothing could be"  # 2 / 2^4 = 0.125


@pytest.mark.parametrize(
    "gone",
    [{topic: value for topic, value in DROP.items() if topic != "T3"}, DROP | {"T3": None}],
    ids=["no row", "NULL"],
)
def test_a_missing_topic_is_said_and_the_others_decide(gone):
    [check] = ask(numbers(gone), numbers(OLD))
    [fine] = ask(numbers({**OLD, "T3": None}), numbers(OLD))

    assert (check.verdict, check.n_topic, check.p) == ("fail", 9, 2 / 2**9)
    assert check.reasons == ("the new run has no number on T3, which the baseline has",)
    assert (fine.verdict, fine.reasons) == ("undecided", check.reasons)


def test_a_policy_says_what_a_missing_topic_means():
    with pytest.raises(MissingTopics, match="the new run has no number on T3"):
        ask(numbers(DROP | {"T3": None}), numbers(OLD), missing="error")
    [check] = ask(numbers(OLD | {"T3": None}), numbers(OLD), missing="zero")

    assert (check.verdict, check.n_topic) == ("pass", 10)
    assert check.reasons == ("the new run has no number on T3, which the baseline has: it counts as 0",)


def test_topics_that_a_run_says_nothing_of_are_said():
    [check] = ask(numbers(DROP, silent=2), numbers(OLD))

    assert (check.verdict, check.reasons) == (
        "fail",
        ("the new run says nothing of 2 topics: its numbers there are those of no answer",),
    )


def test_printed_numbers_alone_decide_nothing_that_is_worse():
    [worse] = ask(numbers(DROP), numbers(None, mean=0.5))
    [fine] = ask(numbers(OLD), numbers(None, mean=0.5))

    assert (worse.verdict, worse.difference, worse.p) == ("undecided", 0.25, None)
    assert worse.reasons[0] == "worse by more than the tolerance, without a test"
    assert "the baseline has no numbers by topic" in worse.reasons[1]
    assert fine.verdict == "pass"


def test_printed_numbers_over_other_topics_do_not_pass():
    [check] = ask(numbers(dict.fromkeys(TOPICS[:9], 0.5)), numbers(None, mean=0.5))

    assert (check.verdict, check.reasons[0]) == ("undecided", "the printed numbers are over 9 and 10 topics")


@pytest.mark.parametrize(
    ("old", "said"),
    [
        (numbers(OLD, hashes=SIGNED | {"judgments": "d" * 8}), "other judgments (judgments:dddddddd, now bbbbbbbb)"),
        (numbers(OLD, version="v2"), "c_det_norm is version v1 of the new run and v2 of the baseline"),
    ],
)
def test_numbers_of_another_evaluation_are_not_compared(old, said):
    for new in (DROP, OLD):
        [check] = ask(numbers(new), old)

        assert check.verdict == "undecided"
        assert any(said in reason for reason in check.reasons)


def test_other_definitions_with_the_metrics_version_the_same_are_told():
    [check] = ask(numbers(DROP), numbers(OLD, hashes=SIGNED | {"sql": "e" * 16}))

    assert check.verdict == "fail"
    assert check.reasons == (
        "definitions of the task have changed since (sql:eeeeeeee, now aaaaaaaa), the metric's version has not",
    )


def test_what_has_no_mean_is_not_decided():
    [infinite] = ask(numbers(DROP | {"T1": math.inf}), numbers(OLD))
    [apart] = ask(numbers({"T98": 1.0}), numbers(OLD))
    [one] = ask(numbers({"T1": 1.0}), numbers({"T1": 0.5}))

    assert infinite.verdict == apart.verdict == one.verdict == "undecided"
    assert "a value is infinite" in infinite.reasons[0]
    assert "no topic in common" in apart.reasons[0]
    assert "one topic: no test" in one.reasons


def test_alpha_is_checked():
    with pytest.raises(InvalidComparison, match="alpha 1.0 is not between 0 and 1"):
        ask(numbers(DROP), numbers(OLD), alpha=1.0)
    [strict] = ask(numbers(DROP), numbers(OLD), alpha=0.001)  # p = 0.00195
    assert strict.verdict == "undecided"
