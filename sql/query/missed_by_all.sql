/*
title:       Targets missed by all runs
question:    Which targets did every run of a condition miss, and what was the best score of each?
about:       stories
inputs:      report.missed_story, registry.counted_run
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    topic      topic      none  one topic; none: all
grain:       condition_id, profile_id, block_id, story_id, story_id_2
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    block_id      key    topic, or block of links
    story_id      key    story; of a pair the first
    story_id_2    key    of a pair the second; NULL elsewhere
    n_run         count  runs, all of which miss it
    nearest_run   text   run with the highest score for it, of several the first by name; NULL where none gave a score
    score         score  its score
    position      count  rank in the corpus in order of time; NULL for pairs
order:       Conditions, profiles and topics by name, stories in order of time.
pages:       topic 40
see also:    hard_topics, closest_misses, report.missed_story
*/
with panel as (select condition_id, count(*) as n_run from registry.counted_run group by condition_id)

select
    condition_id, profile_id, block_id, story_id, story_id_2, n_run,
    arg_min(run_id, (-score, run_id)) filter (where score is not null) as nearest_run,
    max(score) as score,
    min(position) as position
from report.missed_story
join registry.counted_run using (condition_id, run_id)
join panel using (condition_id)
where condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
    and block_id = coalesce($topic, block_id)
group by condition_id, profile_id, block_id, story_id, story_id_2, n_run
having count(*) = n_run
order by condition_id, profile_id, block_id, position nulls last, story_id, story_id_2
