/*
what:   the key does not have this trial
advice: {advised}
most:   20
*/
select file, line, unknown as value,
    coalesce(hint, 'Drop the line, add the trial to the key, or leave such scores out: unknown_trials = "ignore" '
        || 'of the run.') as advised
from scored
semi join (from run_tally where kind = 'odd') using (run_no)
left join trial_hint using (run_no)
where unknown is not null
