/*
what:   {none} among the {kind}, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
-- a decision counts that is on a listed pair, on a story of the test set of its topic, or on a story that is tested;
-- pairs and trials that a condition does not have are other errors
with story as (
    select story_no as trial_no, story_id from base.story where corpus_no = $corpus
),

listed as (
    select min(block_id || ' ' || story_id) as pair
    from base.listed_pair
    join story using (trial_no)
    join base.block using (condition_no, block_no)
    where condition_no = $condition
),

counted as (
    select distinct run_no
    from base.decision
    semi join new_run using (run_no)
    where case
        when exists (from base.listed_pair where condition_no = $condition)
            then (block_no, trial_no) in (
                select (block_no, trial_no) from base.listed_pair where condition_no = $condition)
        when $decides_on = 'story' then segment_no > 0
        else (block_no, segment_no) in (
            select (block_no, segment_no) from base.test_segment where condition_no = $condition) end
),

own as (
    select run_no, count(*) as n, max(trial_no) as trial_no, arg_max(block_no, (trial_no, block_no)) as block_no
    from base.decision
    semi join new_run using (run_no)
    anti join counted using (run_no)
    where $decides_on in ('topic', 'story')
    group by run_no
)

select file, null as line, shown as run,
    concat_ws(' ', if(pair is not null, block_id, null), coalesce(story_id, document_id)) as value,
    if(pair is not null, 'topics and stories that the condition lists together', 'stories that the condition tests')
        as kind,
    if(n = 1, 'the only one of the decisions of the run is not',
        format('none of the {:,} decisions of the run is', n)) as none,
    coalesce(
        pair,
        (select min(story_id) from base.segment_story join story on trial_no = story_no where condition_no = $condition)
    ) as example
from own
cross join listed
join new_run using (run_no)
left join base.block on block.condition_no = $condition and block.block_no = own.block_no
left join story using (trial_no)
left join base.unlisted_document as document using (run_no, trial_no)
