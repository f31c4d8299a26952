"""Tracking against NIST's TDT3eval, number for number, under profile tdt3eval (skips where its numbers are absent).

Compared at rel 1e-9: global and per-topic counts, rates, costs; those of the subsets;
minima; every point of the curves, through the program's own normal deviates; every
story's target flag, mapped decision and score. Utilities at the digits it prints.

Not compared, because the program's own numbers are not what they are called:
story-weighted rates of subsets (it adds up topic rates), topic-weighted curve
points inside a tie of several targets (in the order of a hash table).
"""

import math
from collections import Counter

import lanes
import pytest

from tdt3eval_case import UNDEFINED, ppndf, read_case
from tdt3eval_compare import (
    COMPARED,
    WEIGHTINGS,
    block_scores,
    check,
    check_curve_of_stories,
    check_curve_of_topics,
    check_minima,
    rates,
    scores,
    store_of,
)

CASES = (
    "trk01_docno_3lang_ssd trk02_score_ties trk03_brief_no_multi trk04_missing_decisions "
    "trk05_topic_no_target trk06_recid_majority trk07_recid_impulse trk08_time_majority "
    "trk10_perfect_no_minimum trk11_cost_utility_opts trk12_nt4 trk15_single_topic_story_weighted_only"
).split()
#: stories without a record id, which no other case of the default lane has
WITHOUT_RECID = "trk06_recid_majority"
SOME = [pytest.param(WITHOUT_RECID), *lanes.some([case for case in CASES if case != WITHOUT_RECID], 5)]
COUNTS = {
    "# Corr Detect": "n_hit",
    "# Corr Not Detect": "n_correct_rejection",
    "# Miss": "n_miss",
    "# Fa": "n_false_alarm",
}
#: cases where the program gives up on the curves: one topic, and no -p
NO_CURVES = {"trk15_single_topic_story_weighted_only"}


@pytest.fixture(scope="module")
def cases(shared):
    folder = shared / "golden" / "tdt3eval"
    assert sorted(path.name for path in folder.glob("trk*")) == CASES
    return {name: read_case(folder / name) for name in CASES}


@pytest.fixture(scope="module")
def evaluated(request, cases, tmp_path_factory):
    """Return a function that gives a case and the store of all."""
    with store_of(request, cases, tmp_path_factory.mktemp("tracking")) as store:
        yield lambda name: (cases[name], store)


@pytest.fixture(scope="module", autouse=True)
def tally():
    """Say how many numbers were compared, by kind (seen with -s)."""
    COMPARED.clear()
    yield
    print(
        "\nnumbers compared:",
        sum(count for kind, count in COMPARED.items() if not kind.startswith("(")),
        dict(COMPARED),
    )


def check_counts(kind, numbers, found, what):
    for name, metric in COUNTS.items():
        check(kind, found(metric), numbers[name], (*what, name), rel=0, absolute=0)
    check(
        kind,
        found("n_target") + found("n_nontarget"),
        numbers["# Test Story"],
        (*what, "# Test Story"),
        rel=0,
        absolute=0,
    )


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SOME)
def test_global_numbers(evaluated, name):
    case, store = evaluated(name)
    found, wanted = scores(case, store), case.expected["global"]
    check_counts("global", wanted, lambda metric: found["all", metric, "story"], (name,))
    for prefix, weighting in WEIGHTINGS.items():
        for theirs, ours in rates("trk").items():
            check("global", found["all", ours, weighting], wanted[f"{prefix} {theirs}"], (name, prefix, theirs))


@pytest.mark.parametrize("name", SOME)
def test_numbers_of_each_topic(evaluated, name):
    case, store = evaluated(name)
    found = block_scores(case, store)
    for topic, wanted in case.expected["topics"].items():
        check_counts("topic", wanted, lambda metric, topic=topic: found["all", topic, metric], (name, topic))
        for theirs, ours in rates("trk").items():
            check("topic", found["all", topic, ours], wanted[theirs], (name, topic, theirs))


@pytest.mark.parametrize("name", SOME)
def test_utilities_at_printed_digits(evaluated, name):
    case, store = evaluated(name)
    means, topics = scores(case, store), block_scores(case, store)
    digits = {"Utility": ("utility", 2), "Utility Normed": ("utility_norm", 4), "Utility Scaled": ("utility_scaled", 4)}
    for theirs, (ours, places) in digits.items():
        half = 0.5 * 10**-places * 1.000001
        check(
            "utility",
            means["all", ours, "topic"],
            case.expected["global"][f"{theirs} mean"],
            (name, theirs),
            rel=0,
            absolute=half,
        )
        for topic, wanted in case.expected["topics"].items():
            check("utility", topics["all", topic, ours], wanted[theirs], (name, topic, theirs), rel=0, absolute=half)


@pytest.mark.parametrize("name", ["trk01_docno_3lang_ssd"])
def test_numbers_of_subsets(evaluated, name):
    """Counts, topic-weighted numbers and pooled costs; its pooled rates are sums of rates and not compared."""
    case, store = evaluated(name)
    found, blocks = scores(case, store), block_scores(case, store)
    for heading, part in case.expected["subsets"].items():
        check_counts(
            "subset", part["global"], lambda metric, heading=heading: found[heading, metric, "story"], (name, heading)
        )
        for prefix, weighting in WEIGHTINGS.items():
            for theirs, ours in rates("trk").items():
                if prefix == "SW" and theirs.startswith("P("):
                    continue
                check(
                    "subset",
                    found[heading, ours, weighting],
                    part["global"][f"{prefix} {theirs}"],
                    (name, heading, prefix, theirs),
                )
        for topic, wanted in part["topics"].items():
            check_counts(
                "subset",
                wanted,
                lambda metric, heading=heading, topic=topic: blocks[heading, topic, metric],
                (name, heading, topic),
            )
            for theirs, ours in rates("trk").items():
                check("subset", blocks[heading, topic, ours], wanted[theirs], (name, heading, topic, theirs))


@pytest.mark.parametrize("name", [case for case in SOME if case.values[0] not in NO_CURVES])
def test_minimum_points(evaluated, name):
    check_minima(*evaluated(name))


@pytest.mark.parametrize("name", [case for case in SOME if case.values[0] not in NO_CURVES])
def test_story_weighted_curve_point_by_point(evaluated, name):
    check_curve_of_stories(*evaluated(name))


@pytest.mark.parametrize("name", [case for case in SOME if case.values[0] not in NO_CURVES])
def test_topic_weighted_curve_point_by_point(evaluated, name):
    """All eleven columns; the band is 1.28 standard errors; derived columns at 1e-7."""
    case, store = evaluated(name)
    check_curve_of_topics(
        case, store, inside_ties(case, [row[6] for row in case.expected["det"]["det"]["topic_weighted"]["rows"]])
    )


def inside_ties(case, thresholds):
    """Return the rows after which a target of another topic with the same score is still to be passed."""
    left = Counter(
        score
        for stories in case.expected["decisions"].values()
        for score, _, truth in stories.values()
        if truth == "TARGET"
    )
    topics = Counter()
    for stories in case.expected["decisions"].values():
        topics.update({score for score, _, truth in stories.values() if truth == "TARGET"})
    unfinished = set()
    for number, threshold in enumerate(thresholds):
        left[threshold] -= 1
        if left[threshold] > 0 and topics[threshold] > 1:
            unfinished.add(number)
    return unfinished


@pytest.mark.parametrize("name", SOME)
def test_curve_of_each_topic_lies_on_the_program_s(evaluated, name):
    """It passes every trial by itself; our corners are rows of that, except accept-all, with which it does not
    begin.
    """
    case, store = evaluated(name)
    for title, theirs in case.expected["det"]["det"].items():
        if not title.startswith("topic 55"):
            continue
        block = title.split()[1]
        points = store.sql(
            f"select p_miss, p_fa from report.det_point where weighting = 'none' and block_id = '{block}' and subset "
            f"= 'all' and condition_id = '{name}' order by point_no"
        ).fetchall()
        rows = theirs["rows"]
        assert rows, (name, title)
        if case.expected["topics"][block]["P(Miss)"] in UNDEFINED:
            assert not points, (name, title, "a curve of a topic without targets")
            continue
        assert points[0] == (1, 0) and points[-1] == (0, 1), (name, title)
        for p_miss, p_fa in points[:-1]:
            miss, fa = ppndf(p_miss), ppndf(p_fa)
            near = [
                row
                for row in rows
                if math.isclose(row[0], miss, rel_tol=1e-9, abs_tol=1e-9)
                and math.isclose(row[1], fa, rel_tol=1e-9, abs_tol=1e-9)
            ]
            assert near, (name, title, p_miss, p_fa)
            COMPARED["topic curves"] += 2


@pytest.mark.parametrize("name", SOME)
def test_every_story_s_truth_decision_and_score(evaluated, name):
    """The scored trials are the program's, all of them, and no other; the score is mapped from its pointers."""
    case, store = evaluated(name)
    rows = store.sql(f"""
        select block.block_id, story.story_id, trial.is_target, trial.is_yes, trial.score
        from base.detection_trial__v1 as trial
        join registry.run as run on run.run_no = trial.run_no
        join registry.condition as condition on condition.condition_no = run.condition_no
        join base.block as block on block.condition_no = run.condition_no and block.block_no = trial.block_no
        join base.story as story on story.corpus_no = condition.corpus_no and story.story_no = trial.trial_no
        where trial.is_scored = 1 and condition_id = '{name}'""").fetchall()
    found = {row[:2]: row[2:] for row in rows}
    wanted = {
        (topic, story): values
        for topic, stories in case.expected["decisions"].items()
        for story, values in stories.items()
    }
    assert found.keys() == wanted.keys()
    for key, (score, decision, truth) in wanted.items():
        is_target, is_yes, our_score = found[key]
        assert is_target == (truth == "TARGET"), (name, key)
        assert is_yes == (decision == "YES"), (name, key)
        check("decision", our_score, score, (name, key))
        COMPARED["decision"] += 2
