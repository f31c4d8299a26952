"""The measures of 15 contingencies, macro means too, against other programs' exact fractions."""

import csv
import json

import pytest

EXACT = 1e-12
NAMES = {
    "metric.filtering_effectiveness__v1": {
        "precision": "precision",
        "recall": "recall",
        "f_beta": "F_beta0_5",
        "f1": "F1",
    },
    "metric.filtering_utility__v1": {"t11u": "T11U", "t11su": "T11SU", "tdt5su": "TDT5SU"},
    "metric.filtering_own_prior_cost__v1": {"c_trk": "Ctrk", "c_det_prel": "Ctrk_trueP", "p_rel": "P_T"},
    "metric.detection_rate__v1": {"c_det": "Ctrk", "c_det_norm": "Ctrk_norm"},
}


@pytest.fixture
def golden(shared):
    return shared / "golden" / "filtering"


@pytest.fixture
def expected(golden):
    return json.loads((golden / "expected.json").read_text())


@pytest.fixture
def topics(golden):
    with (golden / "contingency.csv").open() as file:
        return {row["topic"]: tuple(int(row[name]) for name in "ABCD") for row in csv.DictReader(file)}


def value(number):
    return number["value"] if isinstance(number, dict) else number


def test_contingencies(contingencies, topics, expected):
    views = contingencies(topics)
    n = 0
    for view, names in NAMES.items():
        rows = views.topic_rows(view)
        assert rows.keys() == expected["contingency"].keys()
        for topic, numbers in expected["contingency"].items():
            for ours, theirs in names.items():
                assert rows[topic][ours] == pytest.approx(value(numbers[theirs]), abs=EXACT), (topic, ours)
                n += 1
    assert n == 15 * 12


def test_macro_means_over_topics_with_relevant_documents(contingencies, topics, expected):
    want = expected["macro_over_topics_with_relevant"]
    views = contingencies(topics)
    [mean] = views.rows("metric.filtering_mean__v1")
    [weighted] = views.rows("metric.detection_topic_weighted__v1")
    assert mean["n_block_utility"] == mean["n_block_effectiveness"] == mean["n_block_cost"] == want["n"]
    got = {
        "T11SU": mean["t11su"],
        "TDT5SU": mean["tdt5su"],
        "F_beta0_5": mean["f_beta"],
        "Ctrk": mean["c_trk"],
        "Ctrk_norm": weighted["c_det_norm"],
    }
    for name, number in got.items():
        assert number == pytest.approx(want[name]["value"], abs=EXACT), name


def test_set_measures_of_trec_eval_where_they_agree_by_definition(contingencies, topics, expected):
    """trec_eval -c prints 4 digits, knows 12 of the topics, and gives T11U -1 for an empty retrieved set (a defect)."""
    theirs = expected["trec_eval_10rc3"]["c"]
    known = {topic: topics[topic] for topic in theirs if topic in topics}
    views = contingencies(known, empty_topic="zero", empty_retrieved="zero")
    effectiveness = views.topic_rows("metric.filtering_effectiveness__v1")
    utility = views.topic_rows("metric.filtering_utility__v1")
    for topic in known:
        row, want = effectiveness[topic], theirs[topic]
        assert (row["precision"] or 0) == pytest.approx(want["set_P"], abs=5e-5)
        assert (row["recall"] or 0) == pytest.approx(want["set_recall"], abs=5e-5)
        assert row["f1"] == pytest.approx(want["set_F_1"], abs=5e-5)
        assert row["f_beta"] == pytest.approx(want["set_F_0.25"], abs=5e-5)
        assert row["n_retrieved"] == want["num_ret"]
        if want["num_ret"]:
            assert utility[topic]["t11u"] == want["utility_2,-1,0,0"]
    [mean] = views.rows("metric.filtering_mean__v1")
    assert mean["precision"] == pytest.approx(theirs["all"]["set_P"], abs=5e-5)
    assert mean["recall"] == pytest.approx(theirs["all"]["set_recall"], abs=5e-5)
    assert mean["f_beta"] == pytest.approx(theirs["all"]["set_F_0.25"], abs=5e-5)
