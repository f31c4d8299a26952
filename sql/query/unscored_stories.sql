/*
title:       Unscored trials by reason
question:    How many stories of each condition are not scored, for which reason, and how many of them are on topic?
about:       stories
inputs:      base.trial__v1, registry.condition, registry.profile
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, exclusion_reason
columns:
    condition_id      key    evaluation condition
    profile_id        key    scoring profile
    exclusion_reason  key    why; NULL: they are scored
    n_trial           count  stories of a topic, or pairs
    n_target          count  of them, those on topic
    n_topic           count  topics that have any
    example           text   one of them: topic and story, the first by name
order:       Conditions and profiles by name, the scored ones, then the most frequent reason first.
see also:    story_history, base.trial
*/
select
    condition_id, profile_id, exclusion_reason,
    count(*) as n_trial,
    count(*) filter (where is_target = 1) as n_target,
    count(distinct block_no) as n_topic,
    min(concat_ws(' ', block_id, story_id, story_id_2)) as example
from base.trial__v1
join registry.condition using (condition_no)
join registry.profile using (profile_no)
where condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
group by condition_id, profile_id, exclusion_reason
order by condition_id, profile_id, exclusion_reason is not null, n_trial desc, exclusion_reason
