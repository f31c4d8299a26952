/*
what:   {n:,} of {n_topic:,} {topics} {have} no {document} in the run
advice: {how}.
*/
-- a run that says nothing at all is another problem
with topic as (
    select block_id, block_no in (select block_no from base.decision where run_no = $run) as is_answered
    from base.block
    where condition_no = $condition
        and (not $is_in_plan or block_no in (select block_no from base.test_segment where condition_no = $condition))
)

select $file as file, null as line, string_agg(block_id, ', ' order by block_id) filter (not is_answered) as value,
    count(*) filter (not is_answered) as n, count(*) as n_topic, if(n_topic = 1, 'topic', 'topics') as topics,
    if(n = 1, 'has', 'have') as have, if($is_in_plan, 'decision', 'document') as document,
    if(
        $is_in_plan,
        if(n = 1, 'Its', 'Their') || ' stories count as no with the score -9e99',
        'They count as empty retrieved sets (missing_topic of the profile)'
    ) as how
from topic
having n > 0 and (n < n_topic or $is_in_plan)
