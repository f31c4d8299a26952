"""First story and link detection against NIST's TDT3eval, number for number (skips where its numbers are absent).

Compared at rel 1e-9: rates and costs, of all and of each topic or block, counts,
minima, every point of the curves; utilities of links at the digits it prints.
Topic-weighted points inside a tie of several targets are left out: the program
passes these in the order of a hash table.
"""

from collections import Counter

import lanes
import pytest

from tdt3eval_case import read_case
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

NEW_EVENT = (
    "fsd01_basic fsd02_ties fsd03_brief_default fsd04_brief_plus_yes fsd05_multi_topic "
    "fsd07_single_story_topics fsd08_recid_misaligned"
).split()
LINK = ("lnk01_basic lnk02_ties lnk03_block_no_target lnk04_other_shuffled lnk05_cost_utility_opts lnk06_3lang").split()
SOME = lanes.some(NEW_EVENT + LINK, 7)
COUNTS = {
    "fsd": {
        "# First": "n_target",
        "# ! First": "n_nontarget",
        "# Corr First": "n_hit",
        "# Miss First": "n_miss",
        "# Corr ! First": "n_correct_rejection",
        "# FA ! First": "n_false_alarm",
    },
    "lnk": {
        "# Corr Link": "n_hit",
        "# Miss Link": "n_miss",
        "# Corr ! Link": "n_correct_rejection",
        "# Fa ! Link": "n_false_alarm",
    },
}


@pytest.fixture(scope="module")
def evaluated(request, shared, tmp_path_factory):
    """Return a function that gives a case and the store of all."""
    folder = shared / "golden" / "tdt3eval"
    assert sorted(path.name for kind in ("fsd", "lnk") for path in folder.glob(f"{kind}*")) == NEW_EVENT + LINK
    cases = {name: read_case(folder / name) for name in NEW_EVENT + LINK}
    with store_of(request, cases, tmp_path_factory.mktemp("cases")) as store:
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


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", SOME)
def test_global_numbers(evaluated, name):
    case, store = evaluated(name)
    found = scores(case, store)
    for prefix, weighting in WEIGHTINGS.items():
        for theirs, ours in rates(case.task).items():
            check(
                "global",
                found["all", ours, weighting],
                case.expected["global"][f"{prefix} {theirs}"],
                (name, prefix, theirs),
            )


@pytest.mark.parametrize("name", SOME)
def test_numbers_of_each_topic_or_block(evaluated, name):
    case, store = evaluated(name)
    found = block_scores(case, store)
    for block, wanted in case.expected["topics"].items():
        for theirs, ours in rates(case.task).items():
            check("block", found["all", block, ours], wanted[theirs], (name, block, theirs))
        for theirs, ours in COUNTS[case.task].items():
            # it prints no count where there is nothing to count
            check("block", found["all", block, ours], wanted[theirs] or 0, (name, block, theirs), rel=0, absolute=0)


@pytest.mark.parametrize("name", [case for case in SOME if case.values[0] in LINK])
def test_utilities_at_printed_digits(evaluated, name):
    case, store = evaluated(name)
    means, blocks = scores(case, store), block_scores(case, store)
    for theirs, (ours, places) in {
        "Utility": ("utility", 2),
        "Utility Normed": ("utility_norm", 4),
        "Utility Scaled": ("utility_scaled", 4),
    }.items():
        half = 0.5 * 10**-places * 1.000001
        check(
            "utility",
            means["all", ours, "topic"],
            case.expected["global"][f"{theirs} mean"],
            (name, theirs),
            rel=0,
            absolute=half,
        )
        for block, wanted in case.expected["topics"].items():
            check("utility", blocks["all", block, ours], wanted[theirs], (name, block, theirs), rel=0, absolute=half)


@pytest.mark.parametrize("name", SOME)
def test_minimum_points(evaluated, name):
    check_minima(*evaluated(name))


@pytest.mark.parametrize("name", SOME)
def test_story_weighted_curve_point_by_point(evaluated, name):
    check_curve_of_stories(*evaluated(name))


@pytest.mark.parametrize("name", SOME)
def test_topic_weighted_curve_point_by_point(evaluated, name):
    case, store = evaluated(name)
    targets = store.sql(
        f"""select score, trial.block_no from base.detection_trial__v1 as trial join registry.run using (run_no)
            join registry.condition using (condition_no)
        where is_scored = 1 and is_target = 1 and condition_id = '{name}'"""
    ).fetchall()
    left, blocks = Counter(nine(score) for score, _ in targets), Counter(nine(score) for score, _ in set(targets))
    unfinished = set()
    for number, row in enumerate(case.expected["det"]["det"]["topic_weighted"]["rows"]):
        left[nine(row[6])] -= 1
        if left[nine(row[6])] > 0 and blocks[nine(row[6])] > 1:
            unfinished.add(number)
    check_curve_of_topics(case, store, unfinished)


def nine(score):
    """Return a score with nine digits, as it is printed where sums of doubles differ."""
    return float(f"{score:.9g}")
