"""B-CUBED against exact fractions that several other programs agree with (skips where they are absent)."""

import csv
import itertools
import json

import pytest

from partition import DEFAULT, POLICIES, Answer, fetch, load

NAMES = {"story": "pooled", "topic": "weighted"}
STORIES_BESIDE = {"seed_limitation1": 899}


def read(path):
    with path.open(newline="") as file:
        return [(row["story"], row["topic"]) for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def golden(shared):
    """Return the cases' expected numbers, and all rows that the views give for them."""
    folder = shared / "golden" / "bcubed"
    expected = json.loads((folder / "expected.json").read_text())
    cases = {}
    for name in expected:
        reference, response = read(folder / name / "ref.csv"), read(folder / name / "sys.csv")
        if "current_algorithm" not in expected[name]:  # the names of the two sides have nothing to do with each other
            reference = [(story, f"reference {topic}") for story, topic in reference]
            response = [(story, f"response {topic}") for story, topic in response]
        cases[name] = Answer(set(reference), set(response), STORIES_BESIDE.get(name, 0))
    policies = list(itertools.product(POLICIES, POLICIES))
    found = {}
    with load(cases, policies) as con:
        for view in ("bcubed_score", "bcubed_extended_score", "detection_pooled", "detection_topic_weighted"):
            for row in fetch(con, view):
                key = (
                    view.removeprefix("detection_"),
                    list(cases)[row["run_no"] - 1],
                    policies[row["profile_no"] - 1],
                    row["weighting"],
                )
                found[key] = row
    return expected, found


def check(found, wanted, what):
    want = None if wanted is None else wanted["value"]
    assert (found is None) == (want is None), (what, found, want)
    assert want is None or found == pytest.approx(want, abs=1e-12), what
    return 1


def test_exact_fractions_under_all_policies(golden):
    expected, found = golden
    n_compared = 0
    for name, case in expected.items():
        for key, numbers in case.get("exact", {}).items():
            policy = tuple(part.split("=")[1] for part in key.split(","))
            for weighting, prefix in NAMES.items():
                row = found["bcubed_score", name, policy, weighting]
                for metric in ("precision", "recall", "f1"):
                    n_compared += check(
                        row[f"b3_{metric}"], numbers[f"{prefix}_{metric}"], (name, key, weighting, metric)
                    )
    assert n_compared >= 1000


def test_extended_fractions(golden):
    expected, found = golden
    n_compared = 0
    for name, case in expected.items():
        row = found["bcubed_extended_score", name, DEFAULT, "story"]
        for metric in ("precision", "recall"):
            n_compared += check(row[f"b3_ext_{metric}"], case["extended"][f"ext_{metric}"], (name, metric))
    assert n_compared == 2 * len(expected)


def test_miss_and_false_alarm_of_the_seed_s_responses(golden):
    expected, found = golden
    n_compared = 0
    for name, case in expected.items():
        for key, number in case.get("current_algorithm", {}).items():
            prefix, metric = key.split("_p")
            view, weighting = {"pooled": ("pooled", "story"), "weighted": ("topic_weighted", "topic")}[prefix]
            n_compared += check(found[view, name, DEFAULT, weighting][f"p_{metric}"], number, (name, key))
    assert n_compared >= 20


def test_overlap_leaves_the_plain_numbers_undefined(golden):
    expected, found = golden
    for name in expected:
        if name.startswith("overlap_"):
            assert found["bcubed_score", name, DEFAULT, "story"]["null_reason"] == "several topics"
