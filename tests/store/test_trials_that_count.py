"""Which trials count, and when a topic is answered: small stores whose numbers can be counted by hand."""

import pytest

import tdtsql
from tdtsql.errors import InvalidInput

TRACKING = '[[condition]]\nid = "c"\ntask = "tracking"\n[[run]]\nid = "r"\ncondition = "c"\nfiles = ["r.csv"]\n'
STORIES = "story_id,position,source_file,language,kind\n"


def evaluated(folder, files, bundle):
    """Evaluate files; return the store and the codes of its problems."""
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "b.toml").write_text(
        '[corpus]\nid = "k"\nstories = "stories.csv"\njudgments = "judgments.csv"\n' + bundle
    )
    store = tdtsql.evaluate(folder / "b.toml", db=folder / "store.duckdb")
    return store, store.engine.column("select code from registry.problem order by 1")


def test_a_pair_with_a_story_of_an_excluded_source_file_is_not_scored(tmp_path):
    """All four stories are on t, and the run accepts s0-s1 alone: s0-s2 is left out, since s2 is in file B, and s0-s3
    counts, whatever its kind. So 2 targets, 1 of them missed.
    """
    files = {
        "stories.csv": STORIES
        + "s0,0,A,ENGLISH,NEWS\ns1,1,A,ENGLISH,NEWS\ns2,2,B,ENGLISH,NEWS\ns3,3,A,ENGLISH,MISCELLANEOUS\n",
        "judgments.csv": "topic_id,story_id,label\n" + "".join(f"t,s{number},yes\n" for number in range(4)),
        "ex.ssd": '<source_subset><set title="x" heading="x"><source_file filename="B"></set></source_subset>\n',
        "pairs.csv": "story_id_1,story_id_2\ns0,s1\ns0,s2\ns0,s3\n",
        "r.csv": "story_id_1,story_id_2,decision,score\ns0,s1,yes,1\ns0,s2,no,0\ns0,s3,no,0\n",
    }
    condition = '[[condition]]\nid = "c"\ntask = "link"\n{}\n[[run]]\nid = "r"\ncondition = "c"\nfiles = ["r.csv"]\n'
    store, codes = evaluated(tmp_path, files, 'exclude = "ex.ssd"\n' + condition.format('trials = "pairs.csv"'))
    with store:
        assert "W855" in codes
        assert store.engine.rows(
            "select metric, value from report.score where subset = 'all' and weighting = 'story' "
            "and metric in ('n_target', 'n_miss', 'p_miss') order by metric"
        ) == [("n_miss", 1), ("n_target", 2), ("p_miss", 0.5)]
        assert store.engine.rows(
            "select story_id, story_id_2, exclusion_reason from report.trial where is_scored = 0"
        ) == [("s0", "s2", "excluded_source_file")]
    # with a key the same: s0-s2 is a non-target there
    for name in ("store.duckdb", "ex.ssd"):
        (tmp_path / name).rename(tmp_path / f"{name}.before")
    key = "# LINK_DETECTION\n" + "".join(f"A:s0 {pair} {answer} t\n" for pair, answer in KEY)
    out = "R 10\n" + "".join(f"A:s0 {pair} NO 0\n" for pair, _ in KEY)
    condition = '[[condition]]\nid = "c"\ntask = "link"\n{}\n[[run]]\nid = "r"\ncondition = "c"\nfiles = ["r.out"]\n'
    files |= {"l.key": key, "r.out": out}
    store, codes = evaluated(tmp_path, files, 'exclude = "ex.ssd"\n' + condition.format('key = "l.key"'))
    with store:
        assert store.engine.rows(
            "select metric, value from report.score where subset = 'all' and weighting = 'story' "
            "and metric in ('n_target', 'n_nontarget') order by metric"
        ) == [("n_nontarget", 0), ("n_target", 2)]


KEY = [("A:s1", "TARGET"), ("B:s2", "NONTARGET"), ("A:s3", "TARGET")]


def test_a_topic_is_answered_by_decisions_on_trials_that_count(tmp_path):
    """Of t2 the run decides on s2 alone, which is no news, of t3 on s1, which is brief for it: neither is answered, in
    the whole as in a subset.
    """
    files = {
        "stories.csv": STORIES + "s0,0,A,ENGLISH,NEWS\ns1,1,A,ENGLISH,NEWS\ns2,2,A,ENGLISH,MISCELLANEOUS\n",
        "judgments.csv": "topic_id,story_id,label\nt1,s0,yes\nt2,s1,yes\nt3,s0,yes\nt3,s1,brief\n",
        "r.csv": "topic_id,story_id,decision,score\nt1,s0,yes,1\nt1,s1,no,0\nt2,s2,no,0\nt3,s1,no,0\n",
    }
    store, _ = evaluated(tmp_path, files, TRACKING)
    with store:
        assert store.engine.rows(
            "select subset, value from report.score where metric = 'n_missing_topic' and weighting = 'topic' "
            "and subset in ('all', 'language=ENGLISH') order by subset"
        ) == [("all", 2), ("language=ENGLISH", 2)]


def test_an_id_in_other_capitals_is_named(tmp_path):
    """S1 is s1, and T1 is t1: the message says so, for stories and topics alike."""
    files = {
        "stories.csv": STORIES + "s0,0,A,ENGLISH,NEWS\ns1,1,A,ENGLISH,NEWS\n",
        "judgments.csv": "topic_id,story_id,label\nt1,s0,yes\n",
        "r.csv": "topic_id,story_id,decision,score\nt1,s0,yes,1\nt1,S1,no,0\n",
    }
    store, _ = evaluated(tmp_path, files, TRACKING)
    with store:
        [other] = [
            one for one in store.check_run("q", condition="c", decisions=tmp_path / "r.csv") if one.code == "W823"
        ]
        assert (other.value, other.advice) == ("S1", "Did you mean s1? It has no effect.")
        (tmp_path / "r.csv").write_text(files["r.csv"] + "T1,s0,yes,1\n")
        with pytest.raises(InvalidInput, match="E820 .*T1.* Did you mean t1?"):
            store.check_run("q", condition="c", decisions=tmp_path / "r.csv")
