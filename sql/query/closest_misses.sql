/*
title:       Missed targets with the highest scores
question:    Which missed targets had the scores nearest to the accepted stories of a run?
about:       stories
inputs:      report.missed_story, report.trial
parameters:
    run        run        needed  the run
    condition  condition  none    one condition; none: all that the run answers
    profile    profile    none    one scoring profile; none: all
    limit      count      none    rows at most; none: all
grain:       condition_id, profile_id, block_id, story_id, story_id_2
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    block_id      key    topic, or block of links
    story_id      key    story; of a pair the first
    story_id_2    key    of a pair the second; NULL elsewhere
    score         score  its score
    lowest_yes    score  the lowest score of the topic that the run accepted
    margin        score  lowest_yes - score; below 0: a story with a lower score was accepted
order:       The nearest first.
edges:       Missed targets without a score are not here, nor topics of which the run accepted nothing.
see also:    missed_by_all, threshold_loss, report.missed_story
*/
with

accepted as (
    select condition_id, profile_id, block_id, min(score) as lowest_yes
    from report.trial
    where run_id = $run
        and decision = 'yes'
        and is_scored = 1
    group by condition_id, profile_id, block_id
)

select
    condition_id, profile_id, block_id, story_id, story_id_2, score, lowest_yes,
    lowest_yes - score as margin
from report.missed_story
join accepted using (condition_id, profile_id, block_id)
where run_id = $run
    and score is not null
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by margin, condition_id, profile_id, block_id, story_id, story_id_2
limit $limit
