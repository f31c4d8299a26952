/*
what:   n_missing_score = {value:,}: trials of the key without a score, the first one '{trial}', count as rejected
        (missing_scores)
advice: Check the number.
*/
select 0 as file, null as line, count(*) as value,
    arg_min(concat_ws(' ', trial_id, test_id, side), trial_no) as trial
from (from base.verification_trial where condition_no = $condition)
anti join scored using (trial_no)
