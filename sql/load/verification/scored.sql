/*
what: The scores of a run with the numbers of their trials; NULL: the key does not have it, `unknown` is its name.
*/
select said.file, said.line, trial.trial_no, trial.segment_no, said.is_yes, said.is_target, said.score,
    if(trial.trial_no is null, concat_ws(' ', said.trial_id, said.test_id, said.side), null) as unknown, 1 as listing
from (from trial_row where run_id is not distinct from $run_id) as said
left join (from base.verification_trial where condition_no = $condition) as trial
    on trial.trial_id = said.trial_id and trial.test_id is not distinct from said.test_id
        and trial.side is not distinct from said.side
