"""Trials by the names that users know: report.trial, report.missed_story, report.false_alarm, held against the numbers
and against base.detection_trial.
"""


def test_named_trials_are_the_trials(example):
    """Row by row, over every task of decisions of the example."""
    named = """
        select run_id, condition_id, profile_id, block_no, trial_no, is_target, case when decision = 'yes' then 1 else 0
            end as is_yes,
            case when exclusion_reason is null then 1 else 0 end as is_scored, exclusion_reason
        from metric.detection_named_trial__v1 join registry.run using (run_no, run_id)
            join registry.condition using (condition_no) join registry.profile using (profile_no)"""
    numbered = """
        select run_id, condition_id, profile_id, block_no, trial_no, is_target, is_yes, is_scored, exclusion_reason
        from base.detection_trial__v1 join registry.run using (run_no, run_id)
            join registry.condition using (condition_no) join registry.profile using (profile_no)"""

    assert example.engine.value(f"select count(*) from ({named})") > 1000
    assert (
        example.engine.rows(
            f"(from ({named}) except all from ({numbered})) union all (from ({numbered}) except all from ({named}))"
        )
        == []
    )
    tasks = {row[0] for row in example.engine.rows("select distinct task from report.trial")}
    assert tasks == {"tracking", "new_event", "link"}


def test_misses_and_false_alarms_are_those_that_are_counted(example):
    """n_miss and n_false_alarm of each run, pooled, are the rows of the two relations."""
    key, listed = "(condition_id, run_id, profile_id, ", {}
    for relation, metric in {"missed_story": "n_miss", "false_alarm": "n_false_alarm"}.items():
        listed |= dict(example.engine.rows(f"select {key} '{metric}'), count(*) from report.{relation} group by 1"))
    counted = dict(
        example.engine.rows(
            f"select {key} metric), value from report.score where metric in ('n_miss', 'n_false_alarm') "
            "and subset = 'all' and weighting = 'story'"
        )
    )

    assert len(counted) > 40 and sum(counted.values()) > 100
    assert {key: value for key, value in counted.items() if value} == listed


def test_names_are_those_of_the_corpus(example):
    """Stories with their places in order of time, pairs with both names."""
    rows = example.engine.rows("""
        select distinct story_id, position from report.trial where run_id = 'osprey' and task = 'tracking'
        order by position""")
    known = example.engine.rows("""
        select story_id, story_no from base.story join registry.condition using (corpus_no)
            join registry.run using (condition_no)
        where run_id = 'osprey' and task = 'tracking' order by story_no""")
    assert rows == sorted(set(known), key=lambda row: row[1]) and len(rows) > 10
    pairs = example.engine.rows(
        "select count(*), count(story_id_2), count(position) from report.trial where task = 'link'"
    )[0]
    assert pairs[0] == pairs[1] > 0 and pairs[2] == 0
    others = example.engine.rows("select count(story_id_2) from report.trial where task <> 'link'")[0]
    assert others == (0,)


def test_trials_without_judgments_of_stories_have_no_such_flag(example):
    assert dict(example.engine.rows("select task, count(is_judged) = count(*) from report.trial group by 1")) == {
        "tracking": True,
        "new_event": False,
        "link": False,
    }
    assert example.engine.value("select count(is_judged) from report.trial where task <> 'tracking'") == 0
