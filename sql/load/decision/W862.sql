/*
what:   {n:,} of {n_topic:,} {topics} {have} no {document} in the run
advice: {how}.
*/
-- a run that says nothing at all is another problem
with topic as (
    select block_no, block_id
    from base.block
    where condition_no = $condition
        and (not $is_in_plan or block_no in (select block_no from base.test_segment where condition_no = $condition))
),

answered as (
    select distinct run_no, block_no, true as is_answered from base.decision semi join new_run using (run_no)
)

select file, null as line, shown as run,
    string_agg(block_id, ', ' order by block_id) filter (is_answered is null) as value,
    count(*) - count(is_answered) as n, count(*) as n_topic, if(n_topic = 1, 'topic', 'topics') as topics,
    if(n = 1, 'has', 'have') as have, if($is_in_plan, 'decision', 'document') as document,
    if(
        $is_in_plan,
        if(n = 1, 'Its', 'Their') || ' stories count as no with the score -9e99',
        if(n = 1, 'It counts as an empty retrieved set', 'They count as empty retrieved sets')
            || ' (missing_topic of the profile)'
    ) as how
from new_run
cross join topic
left join answered using (run_no, block_no)
group by run_no, file, shown
having n > 0 and (n < n_topic or $is_in_plan)
order by run_no
