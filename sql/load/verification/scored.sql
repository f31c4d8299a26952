/*
what: The scores of runs with the numbers of their trials; NULL: the key does not have it, `unknown` is its name.
*/
create or replace temp view run_trial as
select run_no, trial_row.*
from trial_row
join new_run on new_run.run_id is not distinct from trial_row.run_id;

create or replace temp table scored as
select run_no, said.file, said.line, trial.trial_no, trial.segment_no, said.is_yes, said.is_target, said.score,
    if(trial.trial_no is null, concat_ws(' ', said.trial_id, said.test_id, said.side), null) as unknown, 1 as listing
from run_trial as said
left join (from base.verification_trial where condition_no = $condition) as trial
    on trial.trial_id = said.trial_id and trial.test_id is not distinct from said.test_id
        and trial.side is not distinct from said.side
