"""What a bundle says of its keys, wrong ones with the way out."""

import pytest

from tdtsql.errors import Problems
from tdtsql.load.settings import read_bundle

BUNDLE = (
    '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "tracking"\n{condition}\n[[run]]\nid = "r"\ncondition = '
    '"c"\n{run}\n'
)


@pytest.mark.parametrize(
    ("condition", "run", "said"),
    [
        (
            "index = 7",
            'files = ["run.csv"]',
            "6: E703 condition 'c': index is not a list of texts ('7'). Correct the bundle.",
        ),
        (
            "deferral = -1",
            'files = ["run.csv"]',
            "6: E704 condition 'c': deferral is negative, expected a whole number of 0 or more ('-1'). Correct the "
            "bundle.",
        ),
        *(
            (
                f"nt = {nt}",
                'files = ["run.csv"]',
                "6: E704 condition 'c': nt is not a number of training stories, expected 1, 2, 4, 8, 16 or V "
                f"('{said}'). Correct the bundle.",
            )
            for nt, said in [
                ('"-4"', "-4"),
                ('"abc"', "abc"),
                ("0", "0"),
                ('""', ""),
                ('"1.5"', "1.5"),
                ('"1\\n2"', "1\\n2"),
            ]
        ),
        (
            "",
            'files = ["run.csv"]\nteam = 7',
            "11:8: E703 run 'r': team is not a printable text without blanks at the ends ('7'). Correct the bundle.",
        ),
        (
            "",
            'files = ["run.csv"]\nteam = "UMass"\n  "alias"  =   " final"  # with blanks',
            "12:16: E703 run 'r': alias is not a printable text without blanks at the ends (' final'). "
            "Correct the bundle.",
        ),
    ],
)
def test_what_is_said_of_a_wrong_value(condition, run, said):
    problems = Problems("b.toml")

    read_bundle(BUNDLE.format(condition=condition, run=run).encode(), problems)

    assert [str(problem) for problem in problems.found] == [f"b.toml:{said}"]


@pytest.mark.parametrize(
    ("task", "key", "tasks"),
    [
        ("tracking", 'gold = "g.csv"', "partition"),
        ("tracking", 'key_format = "kaldi"', "verification"),
        ("filtering", "tau = [3600]", "summarization"),
        ("link", 'group = ["a"]', "items"),
        ("summarization", 'index = ["a.ndx"]', "tracking, new_event, link, hierarchy, filtering"),
        ("value_tracking", 'nuggets = "n.tsv"', "summarization"),
        ("hierarchy", 'scores = "llr"', "tracking, new_event, link, filtering, verification"),
        ("partition", "deferral = 1", "tracking, new_event, link, hierarchy, filtering"),
        ("items", 'exclude_topics = { a = "b" }', "tracking, new_event, link, hierarchy, filtering, summarization, "
         "value_tracking"),
        ("verification", 'nt = "4"', "tracking, new_event, link, hierarchy, filtering"),
    ],
)  # fmt: skip
def test_a_key_of_other_tasks_is_refused(task, key, tasks):
    """It was ignored, except those of verification."""
    problems = Problems("b.toml")

    read_bundle(f'[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "{task}"\n{key}\n'.encode(), problems)

    [problem] = problems.found
    name = key.split(" ")[0]
    assert str(problem) == (
        f"b.toml:6: E701 condition 'c' has an unknown key ('{name}'). It is for task {tasks}: leave it out."
    )


def test_one_value_is_a_list_of_one():
    problems = Problems("b.toml")

    bundle = read_bundle(
        BUNDLE.format(condition='periods = 20\nprofile = "tdt2004"', run='files = "run.csv"').encode(), problems
    )

    assert not problems.found
    assert (bundle.conditions[0]["periods"], bundle.conditions[0]["profile"]) == ([20], ["tdt2004"])
    assert bundle.runs[0]["files"] == ["run.csv"]


@pytest.mark.parametrize("name", ["", " ", " k", "k\\t", "a\\u0007b", "a\\u202eb"])
def test_a_name_is_printable_text(name):
    problems = Problems("b.toml")

    read_bundle(f'[corpus]\nid = "{name}"\n'.encode(), problems)

    assert [problem.code for problem in problems.errors] == ["E703"]
    assert problems.errors[0].location == "b.toml:2:6"
