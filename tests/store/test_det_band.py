"""The band of a topic-weighted curve: mean +- z standard errors, cut to [0, 1].

Two topics with one target each, at the threshold 2: t1 found, t2 missed. (The
non-target at 1.5 keeps that point: a corner.)
p_miss = (0 + 1)/2 = 1/2, sample variance 1/2, standard error sqrt(1/2 / 2) = 1/2.
"""

import pytest

import tdtsql


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("band")
    (tmp_path / "stories.csv").write_text("story_id,position\n" + "".join(f"s{n},{n}\n" for n in range(1, 12)))
    (tmp_path / "judgments.csv").write_text("topic_id,story_id,label\nt1,s1,yes\nt2,s2,yes\n")
    (tmp_path / "run.csv").write_text("topic_id,story_id,decision,score\nt1,s1,yes,2\nt1,s3,no,1.5\nt2,s2,no,1\n")
    (tmp_path / "bundle.toml").write_text(
        '[corpus]\nid = "k"\nstories = "stories.csv"\njudgments = "judgments.csv"\n'
        '[[condition]]\nid = "c"\ntask = "tracking"\nprofile = ["tdt2004", "tdt3eval"]\n'
        '[[run]]\nid = "a"\ncondition = "c"\nfiles = ["run.csv"]\n'
    )
    with tdtsql.evaluate(tmp_path / "bundle.toml") as store:
        yield store


def test_band_is_cut_to_probabilities(store):
    [row] = store.engine.rows(
        "select p_miss, p_miss_low, p_miss_high, p_fa, p_fa_low, p_fa_high, band_z from report.det_band where "
        "profile_id = 'tdt2004' and threshold = 2"
    )
    assert row == (0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 1.6448536269514722)


def test_the_program_has_its_own_width(store):
    assert {
        row[0] for row in store.engine.rows("select band_z from report.det_band where profile_id = 'tdt3eval'")
    } <= {1.28}
    [[low, high]] = store.engine.rows(
        "select p_miss_low, p_miss_high from report.det_band where profile_id = 'tdt2004' and threshold = 1"
    )
    assert (low, high) == (0.0, 0.0)  # both found: no spread
