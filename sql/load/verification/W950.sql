/*
what:   n_missing_score = {value:,}: trials of the key without a score, the first one '{trial}', count as rejected
        (missing_scores)
advice: Check the number.
*/
select 0 as file, null as line, shown as run, count(*) as value,
    arg_min(concat_ws(' ', trial_id, test_id, side), trial_no) as trial
from (select run_no from run_tally where kind = 'lacking')
cross join (from base.verification_trial where condition_no = $condition)
anti join scored using (run_no, trial_no)
join new_run using (run_no)
group by run_no, shown
order by run_no
