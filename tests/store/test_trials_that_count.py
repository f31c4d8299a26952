"""When a topic is answered: a small store whose numbers can be counted by hand."""

import tdtsql

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


def test_a_topic_is_answered_by_decisions_on_trials_that_count(tmp_path):
    """Of t2 the run decides on s2 alone, which is no news, of t3 on s1, which is brief for it: neither is answered, in
    the whole as in a subset.
    """
    files = {
        "stories.csv": STORIES + "s0,0,A,ENGLISH,NEWS\ns1,1,A,ENGLISH,NEWS\ns2,2,A,ENGLISH,MISCELLANEOUS\n",
        "judgments.csv": "topic_id,story_id,label\nt1,s0,yes\nt2,s1,yes\nt3,s0,yes\nt3,s1,brief\n",
        "r.csv": "topic_id,story_id,decision,score\nt1,s0,yes,1\nt1,s1,no,0\nt2,s2,no,0\nt3,s1,no,0\n",
    }
    condition = '[[condition]]\nid = "c"\ntask = "tracking"\n[[run]]\nid = "r"\ncondition = "c"\nfiles = ["r.csv"]\n'
    store, _ = evaluated(tmp_path, files, condition)
    with store:
        assert store.engine.rows(
            "select subset, value from report.score where metric = 'n_missing_topic' and weighting = 'topic' "
            "and subset in ('all', 'language=ENGLISH') order by subset"
        ) == [("all", 2), ("language=ENGLISH", 2)]
