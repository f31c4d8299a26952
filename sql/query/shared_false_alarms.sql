/*
title:       False alarms shared by runs
question:    Which false alarms do several systems share, so that the judgment may be wrong?
about:       stories
inputs:      report.adjudication
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    runs       count      2     runs that make it, at least
grain:       condition_id, profile_id, block_id, story_id
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    block_id      key    topic or block of links
    story_id      key    story, or both stories of the pair, blank between
    n_run_yes     count  runs that report it
    n_run         count  runs of the condition
    best_rank     count  its best rank among a run's false alarms in the topic
    reasons       text   criteria of the plan's section 6 that hold, in words
order:       Conditions and profiles by name, the story that most runs report first.
see also:    top_false_alarms, report.adjudication
*/
select condition_id, profile_id, block_id, story_id, n_run_yes, n_run, best_rank, reasons
from report.adjudication
where n_run_yes >= $runs
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, n_run_yes desc, place
