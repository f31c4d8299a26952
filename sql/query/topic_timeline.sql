/*
title:       A topic as a run saw it
question:    Which stories of a topic did a run detect, miss or accept wrongly, in order of time?
about:       stories
inputs:      report.trial
parameters:
    run        run        needed  the run
    topic      topic      needed  the topic
    condition  condition  none    one condition; none: all that the run answers
    profile    profile    none    one scoring profile; none: all
grain:       condition_id, profile_id, story_id, story_id_2
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    story_id      key    story; of a pair the first
    story_id_2    key    of a pair the second; NULL elsewhere
    position      count  rank in the corpus in order of time; NULL for pairs
    published_at  time   when it was published; NULL where unknown
    outcome       text   hit, miss or false alarm
    score         score  the run's confidence; NULL where it gave none
order:       Conditions and profiles by name, stories in order of time.
edges:       Stories that do not count are not here, nor those that are off topic and were rejected.
see also:    topic_overview, first_detection, report.trial
*/
select
    condition_id, profile_id, story_id, story_id_2, position, published_at,
    case when is_target = 0 then 'false alarm' when decision = 'yes' then 'hit' else 'miss' end as outcome,
    score
from report.trial
where run_id = $run
    and block_id = $topic
    and is_scored = 1
    and (is_target = 1 or decision = 'yes')
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, position nulls last, story_id, story_id_2
