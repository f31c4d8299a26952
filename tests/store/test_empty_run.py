"""A run that says nothing is a run: it misses everything and alarms never."""

import tdtsql


def test_a_file_with_only_a_header_is_a_run_without_decisions(tmp_path):
    (tmp_path / "stories.csv").write_text("story_id,position\ns1,1\ns2,2\ns3,3\n")
    (tmp_path / "judgments.csv").write_text("topic_id,story_id,label\na,s1,yes\na,s2,yes\n")
    (tmp_path / "run.csv").write_text("topic_id,story_id,decision,score\n")
    (tmp_path / "bundle.toml").write_text(
        '[corpus]\nid = "k"\nstories = "stories.csv"\njudgments = "judgments.csv"\n[[condition]]\nid = "c"\ntask = '
        '"tracking"\n'
        '[[run]]\nid = "silent"\ncondition = "c"\nfiles = ["run.csv"]\n'
    )
    with tdtsql.evaluate(tmp_path / "bundle.toml") as store:
        numbers = dict(
            store.engine.rows(
                "select metric, value from report.score where run_id = 'silent' and weighting = 'topic' and subset = "
                "'all'"
            )
        )
        assert (numbers["p_miss"], numbers["p_fa"], numbers["c_det_norm"]) == (1, 0, 1)
        assert (numbers["b3_recall"], numbers["b3_precision"]) == (0, None)
        assert store.engine.rows("select code, line from registry.problem where code = 'W836'") == [("W836", 1)]
