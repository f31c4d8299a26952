/*
what:   {n:,} of {n_topic:,} {topics} {have} no document in the run
advice: They count as empty retrieved sets (missing_topic of the profile).
*/
-- a run that says nothing at all is another problem
with topic as (
    select block_id, block_no in (select block_no from base.decision where run_no = $run) as is_answered
    from base.block where condition_no = $condition
)

select $file as file, null as line, string_agg(block_id, ', ' order by block_id) filter (not is_answered) as value,
    count(*) filter (not is_answered) as n, count(*) as n_topic, if(n_topic = 1, 'topic', 'topics') as topics,
    if(n = 1, 'has', 'have') as have
from topic
having n > 0 and n < n_topic
