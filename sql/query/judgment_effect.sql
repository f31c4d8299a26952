/*
title:       Effect of one judgment
question:    How much would the miss probability of a run change without one on-topic story?
about:       trust
inputs:      report.trial, report.score
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    topic      topic      none  one topic; none: all
    story      story      none  one story; none: all
    limit      count      none  rows at most; none: all
grain:       condition_id, profile_id, run_id, block_id, story_id, story_id_2
columns:
    condition_id    key           evaluation condition
    profile_id      key           scoring profile
    run_id          key           run
    block_id        key           topic, or block of links
    story_id        key           story on topic; of a pair the first
    story_id_2      key           of a pair the second; NULL elsewhere
    outcome         text          hit or miss
    n_target        count         targets of the topic
    p_miss          ratio [0, 1]  miss probability of the topic
    p_miss_without  ratio [0, 1]  the same without the story; NULL where it is the only target
    mean_change     ratio         what that changes in the mean over topics; NULL where the topic would leave the mean
order:       Largest change of the mean first.
see also:    judgment_changes, story_history, report.trial
*/
with

target as (
    select
        condition_id, profile_id, run_id, block_id, story_id, story_id_2,
        case when decision = 'yes' then 0 else 1 end as is_missed,
        count(*) over (partition by condition_id, profile_id, run_id, block_id) as n_target,
        count(*) filter (where coalesce(decision, 'no') = 'no')
            over (partition by condition_id, profile_id, run_id, block_id) as n_miss
    from report.trial
    where is_target = 1
        and is_scored = 1
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and block_id = coalesce($topic, block_id)
),

moved as (
    select
        target.*,
        cast(n_miss as double) / n_target as p_miss,
        case when n_target > 1 then cast(n_miss - is_missed as double) / (n_target - 1) end as p_miss_without
    from target
)

select
    condition_id, profile_id, run_id, block_id, story_id, story_id_2,
    case when is_missed = 1 then 'miss' else 'hit' end as outcome,
    n_target, p_miss, p_miss_without,
    (p_miss_without - p_miss) / n as mean_change
from moved
join report.score using (condition_id, profile_id, run_id)
where metric = 'p_miss'
    and weighting = 'topic'
    and subset = 'all'
    and (story_id = coalesce($story, story_id) or story_id_2 = $story)
order by
    abs((p_miss_without - p_miss) / n) desc nulls last,
    condition_id, profile_id, run_id, block_id, story_id, story_id_2
limit $limit
