/*
what:   {n:,} {stories} of the test set of topic {topic} {have} no decision
advice: {they} as no with the score -9e99.
*/
-- of official output, in the file of the topic
with expected as (
    select block_no, sum(n_trial) as n_trial
    from base.test_segment
    join base.segment using (condition_no, segment_no)
    where condition_no = $condition group by block_no
),

decided_on as (
    select block_no, count(*) as n_decided
    from base.decision
    semi join (select block_no, segment_no from base.test_segment where condition_no = $condition)
        using (block_no, segment_no)
    where run_no = $run group by block_no
)

select coalesce(nullif(list_position($topics, block_id), 0) - 1, $file) as file, null as line, null as value,
    block_id as topic, cast(n_trial - coalesce(n_decided, 0) as bigint) as n, if(n = 1, 'story', 'stories') as stories,
    if(n = 1, 'has', 'have') as have, if(n = 1, 'It counts', 'They count') as they
from expected
join (select block_no, block_id from base.block where condition_no = $condition) using (block_no)
left join decided_on using (block_no)
where n > 0
order by block_id
