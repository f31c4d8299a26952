"""Tracking, first story and link detection against NIST's TDT3eval, number for number, under profile tdt3eval (skips
where its numbers are absent).

Compared at rel 1e-9: global, per-topic and per-block counts, rates, costs; those of the subsets; minima; every point of
the curves, through the program's own normal deviates; every story's target flag, mapped decision and score. Utilities
at the digits it prints.

Not compared, because the program's own numbers are not what they are called: story-weighted rates of subsets (it adds
up topic rates), topic-weighted curve points inside a tie of several targets (in the order of a hash table).
"""

import math
from collections import Counter

import lanes
import pytest

import tdtsql
from golden_cases import asked_for, keyed
from tdt3eval_case import COST, UNDEFINED, ppndf, read_case, write_case
from tdtsql.load.bundle import evaluate_into

TRACKING = (
    "trk01_docno_3lang_ssd trk02_score_ties trk03_brief_no_multi trk04_missing_decisions "
    "trk05_topic_no_target trk06_recid_majority trk07_recid_impulse trk08_time_majority "
    "trk10_perfect_no_minimum trk11_cost_utility_opts trk12_nt4 trk15_single_topic_story_weighted_only"
).split()
NEW_EVENT = (
    "fsd01_basic fsd02_ties fsd03_brief_default fsd04_brief_plus_yes fsd05_multi_topic "
    "fsd07_single_story_topics fsd08_recid_misaligned"
).split()
LINK = "lnk01_basic lnk02_ties lnk03_block_no_target lnk04_other_shuffled lnk05_cost_utility_opts lnk06_3lang".split()
#: stories without a record id, which no other case of the default lane has
WITHOUT_RECID = "trk06_recid_majority"
OTHERS = lanes.some(NEW_EVENT + LINK, 7)
SOME = [*(pytest.param(WITHOUT_RECID), *lanes.some([case for case in TRACKING if case != WITHOUT_RECID], 5)), *OTHERS]
#: where the program gives up on the curves: one topic, and no -p
WITH_CURVES = [case for case in SOME if case.values[0] != "trk15_single_topic_story_weighted_only"]
OF_TRACKING = [case for case in SOME if case.values[0] in TRACKING]

WEIGHTINGS = {"SW": "story", "TW": "topic"}
COUNTS = {
    "trk": "# Corr Detect,# Corr Not Detect,# Miss,# Fa",
    "fsd": "# Corr First,# Corr ! First,# Miss First,# FA ! First",
    "lnk": "# Corr Link,# Corr ! Link,# Miss Link,# Fa ! Link",
}
METRICS = "n_hit n_correct_rejection n_miss n_false_alarm".split()
#: numbers compared, by kind
COMPARED = Counter()


@pytest.fixture(scope="module")
def cases(shared):
    folder = shared / "golden" / "tdt3eval"
    names = TRACKING + NEW_EVENT + LINK
    assert sorted(path.name for path in folder.iterdir() if path.name[:3] in COUNTS) == sorted(names)
    return {name: read_case(folder / name) for name in names}


@pytest.fixture(scope="module")
def store(request, cases, tmp_path_factory):
    """Return one store of the cases that are tested, each a condition of its name."""
    folder = tmp_path_factory.mktemp("cases")
    with tdtsql.connect(":memory:") as store:
        for name in asked_for(request, "name"):
            ids = dict.fromkeys(("corpus_id", "condition_id", "profile_id"), name)
            evaluate_into(store.engine, write_case(cases[name], folder / name, **ids), score=False)
        store.refresh()
        yield store


@pytest.fixture(scope="module", autouse=True)
def tally():
    """Say how many numbers were compared, by kind (seen with -s)."""
    COMPARED.clear()
    yield
    print("\nnumbers compared:", sum(n for kind, n in COMPARED.items() if not kind.startswith("(")), dict(COMPARED))


def check(kind, found, wanted, *what, rel=1e-9, absolute=1e-12):
    """Compare one number with the program's; an undefined one must be NULL."""
    COMPARED[kind] += 1
    wanted = None if isinstance(wanted, str) and wanted.strip() in UNDEFINED else wanted
    assert (found is None) == (wanted is None), (what, found, wanted)
    assert wanted is None or found == pytest.approx(wanted, rel=rel, abs=absolute), what


def rates(case):
    cost = COST[case.task]
    return {"P(Miss)": "p_miss", "P(Fa)": "p_fa", cost: "c_det", f"Norm({cost})": "c_det_norm"}


def check_counts(kind, case, numbers, found, *what):
    """Compare counts, of which the program prints none where there is nothing to count; ``found(metric)`` is ours."""
    counts = [*zip(COUNTS[case.task].split(","), map(found, METRICS))]
    n_target, n_nontarget = found("n_target"), found("n_nontarget")
    if case.task == "trk":
        counts.append(("# Test Story", n_target + n_nontarget))
    elif case.task == "fsd":
        counts += [("# First", n_target), ("# ! First", n_nontarget)]
    for theirs, ours in counts:
        check(kind, ours, numbers[theirs] or 0, case.name, *what, theirs, rel=0, absolute=0)


def scores(case, store):
    return keyed(store, "subset, metric, weighting", where=f"condition_id = '{case.name}'")


def block_scores(case, store):
    return keyed(store, "subset, block_id, metric", "block_score", f"condition_id = '{case.name}'")


@pytest.mark.parametrize("name", SOME)
def test_global_numbers(cases, store, name):
    case, found = cases[name], scores(cases[name], store)
    wanted = case.expected["global"]
    if case.task == "trk":
        check_counts("global", case, wanted, lambda metric: found["all", metric, "story"])
    for prefix, weighting in WEIGHTINGS.items():
        for theirs, ours in rates(case).items():
            check("global", found["all", ours, weighting], wanted[f"{prefix} {theirs}"], name, prefix, theirs)


@pytest.mark.parametrize("name", SOME)
def test_numbers_of_each_topic_or_block(cases, store, name):
    case, found = cases[name], block_scores(cases[name], store)
    for block, wanted in case.expected["topics"].items():
        check_counts("block", case, wanted, lambda metric, block=block: found["all", block, metric], block)
        for theirs, ours in rates(case).items():
            check("block", found["all", block, ours], wanted[theirs], name, block, theirs)


@pytest.mark.parametrize("name", [case for case in SOME if case.values[0] not in NEW_EVENT])
def test_utilities_at_printed_digits(cases, store, name):
    case, means, blocks = cases[name], scores(cases[name], store), block_scores(cases[name], store)
    digits = {"Utility": ("utility", 2), "Utility Normed": ("utility_norm", 4), "Utility Scaled": ("utility_scaled", 4)}
    for theirs, (ours, places) in digits.items():
        near = {"rel": 0, "absolute": 0.5 * 10**-places * 1.000001}
        check("utility", means["all", ours, "topic"], case.expected["global"][f"{theirs} mean"], name, theirs, **near)
        for block, wanted in case.expected["topics"].items():
            check("utility", blocks["all", block, ours], wanted[theirs], name, block, theirs, **near)


@pytest.mark.parametrize("name", ["trk01_docno_3lang_ssd"])
def test_numbers_of_subsets(cases, store, name):
    """Counts, topic-weighted numbers and pooled costs; its pooled rates are sums of rates and not compared."""
    case, found, blocks = cases[name], scores(cases[name], store), block_scores(cases[name], store)
    for heading, part in case.expected["subsets"].items():
        wanted = part["global"]
        check_counts("subset", case, wanted, lambda metric, of=heading: found[of, metric, "story"], heading)
        for prefix, weighting in WEIGHTINGS.items():
            for theirs, ours in rates(case).items():
                if prefix == "TW" or not theirs.startswith("P("):
                    ours = found[heading, ours, weighting]
                    check("subset", ours, wanted[f"{prefix} {theirs}"], name, heading, prefix, theirs)
        for topic, wanted in part["topics"].items():
            own = {metric: value for (of, block, metric), value in blocks.items() if (of, block) == (heading, topic)}
            check_counts("subset", case, wanted, own.__getitem__, heading, topic)
            for theirs, ours in rates(case).items():
                check("subset", own[ours], wanted[theirs], name, heading, topic, theirs)


@pytest.mark.parametrize("name", WITH_CURVES)
def test_minimum_points(cases, store, name):
    """Cost, rates and threshold; where two thresholds give the same cost the program's rounding chooses."""
    case, found = cases[name], scores(cases[name], store)
    for prefix, weighting in WEIGHTINGS.items():
        point, wanted = case.expected["mindet"]["det"][prefix], case.expected["global"]
        metrics = "min_c_det min_c_det_norm min_threshold min_p_miss min_p_fa".split()
        if point["score"] in UNDEFINED:
            theirs = ["NULL"] * len(metrics)
        else:
            theirs = [point["cost"], point["norm"]]
            costs = [row["c_det_norm"] for row in curve(case, store, weighting)]
            if sum(cost <= min(costs) + 1e-9 for cost in costs) == 1:
                theirs += [point["score"], *(wanted[f"{prefix} Min DET P({rate})"] for rate in ("miss", "fa"))]
        for metric, value in zip(metrics, theirs):
            check("minimum", found["all", metric, weighting], value, name, prefix, metric)


def curve(case, store, weighting):
    columns = ["threshold", "p_miss", "p_fa", "p_miss_se", "p_fa_se", "c_det_norm"]
    rows = store.sql(
        f"select {', '.join(columns)} from report.det_point where weighting = '{weighting}' and subset = 'all' and "
        f"condition_id = '{case.name}' order by point_no"
    ).fetchall()
    return [dict(zip(columns, row)) for row in rows]


@pytest.mark.parametrize("name", WITH_CURVES)
def test_story_weighted_curve_point_by_point(cases, store, name):
    found, wanted = curve(cases[name], store, "story"), cases[name].expected["det"]["det"]["story_weighted"]["rows"]
    for number, (point, row) in enumerate(zip(found, wanted, strict=True)):
        check("story curve", ppndf(point["p_miss"]), row[0], name, number, "p_miss")
        check("story curve", ppndf(point["p_fa"]), row[1], name, number, "p_fa")


@pytest.mark.parametrize("name", WITH_CURVES)
def test_topic_weighted_curve_point_by_point(cases, store, name):
    """All eleven columns; the band is 1.28 standard errors; derived columns at 1e-7. Those of topics are left out at
    rows after which a target of another topic with the same score is still to be passed.
    """
    case = cases[name]
    topics, stories = curve(case, store, "topic"), curve(case, store, "story")
    wanted = case.expected["det"]["det"]["topic_weighted"]["rows"]
    targets = store.sql(f"""
        select score, trial.block_no from base.detection_trial__v1 as trial join registry.run using (run_no)
            join registry.condition using (condition_no)
        where is_scored = 1 and is_target = 1 and condition_id = '{name}'""").fetchall()
    left, blocks = Counter(nine(score) for score, _ in targets), Counter(nine(score) for score, _ in set(targets))
    near = {"rel": 1e-7, "absolute": 1e-7}
    for number, (topic, story, row) in enumerate(zip(topics, stories, wanted, strict=True)):
        here = (name, number)
        check("topic curve", topic["threshold"], row[6], *here, "threshold")
        check("topic curve", ppndf(story["p_miss"]), row[7], *here, "SW p_miss")
        check("topic curve", ppndf(story["p_fa"]), row[8], *here, "SW p_fa")
        check("topic curve", ppndf(story["c_det_norm"]), row[10], *here, "SW cost", rel=1e-7)
        left[nine(row[6])] -= 1
        if left[nine(row[6])] > 0 and blocks[nine(row[6])] > 1:
            COMPARED["(skipped inside ties)"] += 6
            continue
        check("topic curve", ppndf(topic["p_miss"]), row[0], *here, "p_miss")
        check("topic curve", ppndf(topic["p_fa"]), row[1], *here, "p_fa")
        check("topic curve", ppndf(topic["c_det_norm"]), row[9], *here, "cost", **near)
        for place, (rate, sign) in enumerate((("p_miss", 1), ("p_miss", -1), ("p_fa", 1), ("p_fa", -1)), start=2):
            band = topic[rate] + sign * 1.28 * topic[f"{rate}_se"]
            check("topic curve", ppndf(band), row[place], *here, "band", place, **near)


def nine(score):
    """Return a score with nine digits, as it is printed where sums of doubles differ."""
    return float(f"{score:.9g}")


@pytest.mark.parametrize("name", OF_TRACKING)
def test_curve_of_each_topic_lies_on_the_program_s(cases, store, name):
    """It passes every trial by itself; our corners are rows of that, except accept-all, with which it does not
    begin.
    """
    for title, theirs in cases[name].expected["det"]["det"].items():
        if not title.startswith("topic 55"):
            continue
        block = title.split()[1]
        points = store.sql(
            f"select p_miss, p_fa from report.det_point where weighting = 'none' and block_id = '{block}' and subset "
            f"= 'all' and condition_id = '{name}' order by point_no"
        ).fetchall()
        assert theirs["rows"], (name, title)
        if cases[name].expected["topics"][block]["P(Miss)"] in UNDEFINED:
            assert not points, (name, title, "a curve of a topic without targets")
            continue
        assert points[0] == (1, 0) and points[-1] == (0, 1), (name, title)
        for point in points[:-1]:
            ours = [*map(ppndf, point)]
            assert any(
                all(math.isclose(*pair, rel_tol=1e-9, abs_tol=1e-9) for pair in zip(row, ours))
                for row in theirs["rows"]
            ), (name, title, point)
            COMPARED["topic curves"] += 2


@pytest.mark.parametrize("name", OF_TRACKING)
def test_every_story_s_truth_decision_and_score(cases, store, name):
    """The scored trials are the program's, all of them, and no other; the score is mapped from its pointers."""
    rows = store.sql(f"""
        select block.block_id, story.story_id, trial.is_target, trial.is_yes, trial.score
        from base.detection_trial__v1 as trial
        join registry.run as run on run.run_no = trial.run_no
        join registry.condition as condition on condition.condition_no = run.condition_no
        join base.block as block on block.condition_no = run.condition_no and block.block_no = trial.block_no
        join base.story as story on story.corpus_no = condition.corpus_no and story.story_no = trial.trial_no
        where trial.is_scored = 1 and condition_id = '{name}'""").fetchall()
    found = {row[:2]: row[2:] for row in rows}
    decisions = cases[name].expected["decisions"]
    wanted = {(topic, story): said for topic, stories in decisions.items() for story, said in stories.items()}
    assert found.keys() == wanted.keys()
    for key, (score, decision, truth) in wanted.items():
        is_target, is_yes, our_score = found[key]
        assert (is_target, is_yes) == (truth == "TARGET", decision == "YES"), (name, key)
        check("decision", our_score, score, name, key)
        COMPARED["decision"] += 2
