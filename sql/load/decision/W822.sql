/*
what:   {n:,} {stories} of the test {topics} {have} no decision
advice: {they} as no with the score -9e99.
*/
-- of one topic, in its file of official output; topics without any decision are another problem
with expected as (
    select block_no, sum(n_trial) as n_trial
    from base.test_segment
    join base.segment using (condition_no, segment_no)
    where condition_no = $condition group by block_no
),

decided_on as (
    select run_no, block_no, count(*) as n_decided
    from base.decision
    semi join new_run using (run_no)
    semi join (select block_no, segment_no from base.test_segment where condition_no = $condition)
        using (block_no, segment_no)
    group by run_no, block_no
),

topic as (
    select run_no, block_id, cast(n_trial - n_decided as bigint) as n_missing
    from expected
    join decided_on using (block_no)
    join (select block_no, block_id from base.block where condition_no = $condition) using (block_no)
    where n_trial > n_decided
)

select
    case when count(*) = 1 then coalesce(nullif(list_position($topics, min(block_id)), 0) - 1, file) else file end
        as file, null as line, shown as run,
    if(count(*) = 1, null, string_agg(block_id, ', ' order by block_id)) as value,
    if(count(*) = 1, 'set of topic ' || min(block_id), 'sets of ' || count(*) || ' topics') as topics,
    cast(sum(n_missing) as bigint) as n, if(n = 1, 'story', 'stories') as stories,
    if(n = 1, 'has', 'have') as have, if(n = 1, 'It counts', 'They count') as they
from topic
join new_run using (run_no)
group by run_no, new_run.file, shown
order by run_no
