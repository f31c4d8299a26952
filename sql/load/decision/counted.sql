/*
what: Whether a decision of a run counts: it is on a listed pair, on a story of the test set of its topic, or on a story
      that is tested. Pairs and trials that a condition does not have are errors, and were reported.
*/
select case when $decides_on not in ('topic', 'story') then true else exists (
    select 1
    from base.decision
    where run_no = $run and case
        when (select count(*) from base.listed_pair where condition_no = $condition) > 0
            then (block_no, trial_no) in (
                select (block_no, trial_no) from base.listed_pair where condition_no = $condition)
        when $decides_on = 'story' then segment_no > 0
        else (block_no, segment_no) in (
            select (block_no, segment_no) from base.test_segment where condition_no = $condition) end)
    end
