/*
what:   {n:,} {scores} of trials that have one already {are} left out (repeated_scores)
advice: Check the number.
*/
select file, line, coalesce(unknown, concat_ws(' ', trial_id, test_id, side)) as value, n,
    if(n = 1, 'score', 'scores') as scores, if(n = 1, 'is', 'are') as are
from (
    select *, count(*) over (partition by run_no) as n
    from (
        select *, row_number() over (partition by run_no, trial_no, unknown, if(trial_no is null, listing, null)
            order by file, line) as number from scored)
    where number > 1)
left join (from base.verification_trial where condition_no = $condition) using (trial_no)
qualify row_number() over (partition by run_no order by file, line) = 1
