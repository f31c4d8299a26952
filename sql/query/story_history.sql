/*
title:       Everything about one story
question:    What did every run decide on one story, what are its labels, and does it count?
about:       stories
inputs:      report.trial
parameters:
    story      story      needed  the story
    run        run        none    one run; none: all
    condition  condition  none    one condition; none: all
    profile    profile    none    one scoring profile; none: all
    topic      topic      none    one topic; none: all
grain:       condition_id, profile_id, run_id, block_id, story_id, story_id_2
columns:
    condition_id      key    evaluation condition
    profile_id        key    scoring profile
    run_id            key    run
    block_id          key    topic, or block of links
    story_id          key    the story; of a pair the first
    story_id_2        key    of a pair the second; NULL elsewhere
    decision          text   yes or no; NULL: the run said nothing, which counts as no
    score             score  its confidence
    is_target         flag   1: on topic, first story, or linked
    is_scored         flag   1: it counts
    exclusion_reason  text   why it does not; NULL where it does
order:       Conditions, profiles, topics, pairs and runs by name.
edges:       No row if it is neither on topic nor decided.
see also:    topic_timeline, report.trial
*/
select
    condition_id, profile_id, run_id, block_id, story_id, story_id_2, decision, score, is_target, is_scored,
    exclusion_reason
from report.trial
where (story_id = $story or story_id_2 = $story)
    and (decision is not null or is_target = 1)
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
    and block_id = coalesce($topic, block_id)
order by condition_id, profile_id, block_id, story_id, story_id_2, run_id
