/*
what: The first score of a run that has no trial of the key, and a trial of that.
*/
select file, line, unknown, (
    select arg_min(concat_ws(' ', trial_id, test_id, side), trial_no) from base.verification_trial
    where condition_no = $condition) as example
from scored
order by file, line
limit 1
