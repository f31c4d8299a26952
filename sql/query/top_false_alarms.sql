/*
title:       False alarms with the highest scores
question:    Which false alarms of a run have the highest scores?
about:       stories
inputs:      report.false_alarm
parameters:
    run        run        needed  the run
    condition  condition  none    one condition; none: all that the run answers
    profile    profile    none    one scoring profile; none: all
    topic      topic      none    one topic; none: all
    limit      count      none    rows at most; none: all
grain:       condition_id, profile_id, block_id, story_id, story_id_2
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    block_id      key    topic, or block of links
    story_id      key    story; of a pair the first
    story_id_2    key    of a pair the second; NULL elsewhere
    score         score  the run's confidence
    position      count  rank in the corpus in order of time; NULL for pairs and unknown documents
    published_at  time   when it was published; NULL where unknown
order:       Highest score first.
see also:    shared_false_alarms, report.false_alarm
*/
select condition_id, profile_id, block_id, story_id, story_id_2, score, position, published_at
from report.false_alarm
where run_id = $run
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
    and block_id = coalesce($topic, block_id)
order by score desc nulls last, condition_id, profile_id, block_id, story_id, story_id_2
limit $limit
