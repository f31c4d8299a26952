"""The bundled example, against counts redone by hand from the plan in fixtures/make_example.py.

Condition trk-eng-1: a topic is tested from the source file after the one that
holds its fourth training story in English; brief stories and those that are not
news are no trials, and the file of 8 January, 22:00, is excluded.

    topic         tested from        news in the files  targets (day 1 + 2 + 3 + 4)  brief  non-targets
    70001 ferry   YZD 5 January      116                3 + 5 + 5 + 5 = 18           1      116 - 18 - 1 = 97
    70002 vote    YZD 6 January      85                 0 + 3 + 5 + 3 = 11           1      85 - 11 - 1 = 73
    70003 bridge  YZD 6 January      85                 0 + 1 + 2 + 2 = 5            1      85 - 5 - 1 = 79
    70006 chess   HRB 7 January      62                 0 + 0 + 1 + 1 = 2            0      62 - 2 = 60

News in the files: 8 a newswire file, 7 a radio file; a day is 31, so that two
days are 62, from YZD 6 January 62 + 23 = 85, from YZD 5 January 93 + 23 = 116.
Sums: 36 targets, 309 non-targets.
"""

import re
import subprocess
import sys
from fractions import Fraction as F

import pytest

from places import FIXTURES


COUNTS = {"70001": (18, 97), "70002": (11, 73), "70003": (5, 79), "70006": (2, 60)}

#: run in trk-eng-1: (misses, false alarms) of each topic
ERRORS = {"osprey": {"70001": (2, 8), "70002": (1, 1), "70003": (0, 3), "70006": (1, 1)}}


def blocks(example, metric, run, condition="trk-eng-1", profile="tdt2004", subset="all"):
    return dict(
        example.sql(f"""
        select block_id, value from report.block_score where metric = '{metric}' and run_id = '{run}'
            and condition_id = '{condition}' and profile_id = '{profile}' and subset = '{subset}'""").fetchall()
    )


def value(example, metric, run, weighting="topic", condition="trk-eng-1", profile="tdt2004", subset="all"):
    rows = example.score(
        run, metric=metric, condition=condition, profile=profile, subset=subset, weighting=weighting
    ).fetchall()
    [row] = rows
    return row[7]


@pytest.mark.parametrize("run", ["osprey", "kestrel", "sparrow"])
def test_trials_of_each_topic_are_those_counted_by_hand(example, run):
    assert blocks(example, "n_target", run) == {topic: counts[0] for topic, counts in COUNTS.items()}
    assert blocks(example, "n_nontarget", run) == {topic: counts[1] for topic, counts in COUNTS.items()}


def test_stories_examined_and_found_off_topic_are_trials_of_the_plan_but_not_of_the_program(example):
    # judged NO: one story of 70001, 70002 (8 January; 7 January, radio) and 70003 each
    found = blocks(example, "n_nontarget", "osprey", profile="tdt3eval")
    assert found == {"70001": 96, "70002": 72, "70003": 78, "70006": 60}
    assert blocks(example, "n_target", "osprey", profile="tdt3eval") == {
        topic: counts[0] for topic, counts in COUNTS.items()
    }


def test_every_topic_is_tracked_in_the_tables(example):
    # first story of a topic on; targets: all its yes judgments but the first, the excluded file aside
    found = blocks(example, "n_target", "osprey", condition="trk-any-1")
    assert found == {"70001": 21, "70002": 17, "70003": 8, "70004": 5, "70005": 5, "70006": 5}


@pytest.mark.parametrize("run", ["osprey", "sparrow"])
def test_errors_are_those_a_few_lines_of_python_find_in_the_files(example, run):
    folder = FIXTURES / "example"
    judged = {
        (topic, story): level
        for topic, level, story in re.findall(
            r"topicid=(\d+) level=(\w+) docno=(\S+)", (folder / "corpus/topics.rel").read_text()
        )
    }
    news = {
        story
        for path in folder.glob("corpus/tkn_bnd/*")
        for story in re.findall(r"docno=(\S+) doctype=NEWS", path.read_text())
    }
    found = {}
    for topic in COUNTS:
        said = [line.split() for line in (folder / f"tracking/{run}/nt1/trk_{topic}.out").read_text().splitlines()[1:]]
        said = [
            (judged.get((topic, story)), word)
            for file, story, word, _ in said
            if story in news and "_2200_" not in file and judged.get((topic, story)) != "BRIEF"
        ]
        found[topic] = (said.count(("YES", "NO")), said.count((None, "YES")) + said.count(("NO", "YES")))

    misses, alarms = blocks(example, "n_miss", run), blocks(example, "n_false_alarm", run)
    assert {topic: (misses[topic], alarms[topic]) for topic in COUNTS} == found


def test_rates_of_osprey_redone_by_hand(example):
    misses, alarms = blocks(example, "n_miss", "osprey"), blocks(example, "n_false_alarm", "osprey")
    assert {topic: (misses[topic], alarms[topic]) for topic in COUNTS} == ERRORS["osprey"]

    n = {
        topic: (F(miss, COUNTS[topic][0]), F(alarm, COUNTS[topic][1]))
        for topic, (miss, alarm) in ERRORS["osprey"].items()
    }
    p_miss, p_fa = (sum(rate[place] for rate in n.values()) / 4 for place in (0, 1))
    # c_det = 0.02 p_miss + 0.98 * 0.1 p_fa; saying no to everything costs 0.02
    c_det = F(2, 100) * p_miss + F(98, 1000) * p_fa
    assert value(example, "p_miss", "osprey") == pytest.approx(float(p_miss), abs=1e-14)
    assert value(example, "p_fa", "osprey") == pytest.approx(float(p_fa), abs=1e-14)
    assert value(example, "c_det", "osprey") == pytest.approx(float(c_det), abs=1e-14)
    assert value(example, "c_det_norm", "osprey") == pytest.approx(float(c_det / F(2, 100)), abs=1e-14)

    pooled = [F(sum(pair[place] for pair in ERRORS["osprey"].values()), total) for place, total in ((0, 36), (1, 309))]
    assert value(example, "p_miss", "osprey", "story") == pytest.approx(float(pooled[0]), abs=1e-14)
    assert value(example, "p_fa", "osprey", "story") == pytest.approx(float(pooled[1]), abs=1e-14)


def test_subsets_split_the_trials(example):
    def trials(subset):
        return sum(
            sum(blocks(example, metric, "osprey", subset=subset).values()) for metric in ("n_target", "n_nontarget")
        )

    assert trials("all") == 36 + 309
    for subsets in (
        ("language=ENGLISH", "language=MANDARIN", "language=ARABIC"),
        ("crossing=same", "crossing=cross"),
        ("source=HRB", "source=LTR", "source=NLH", "source=YZD"),
        ("topics=multilingual", "topics=monolingual"),
        ("NWT", "BN"),
    ):
        assert sum(trials(subset) for subset in subsets) == 36 + 309
    assert trials("NWT English") == trials("source=HRB")


def test_a_monolingual_topic_has_no_rate_in_another_language(example):
    assert blocks(example, "p_miss", "osprey", subset="language=ARABIC")["70003"] is None
    assert blocks(example, "p_fa", "osprey", subset="language=ARABIC")["70003"] is not None


def test_the_script_writes_the_committed_files(tmp_path):
    subprocess.run([sys.executable, str(FIXTURES / "make_example.py"), str(tmp_path)], check=True)

    written = [path.relative_to(tmp_path) for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert len(written) > 50
    for path in written:
        assert (tmp_path / path).read_bytes() == (FIXTURES / "example" / path).read_bytes(), path
