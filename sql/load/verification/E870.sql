/*
what:   {none} among those of the key, of which one is {example!r}
advice: {advised}
*/
select arg_min(file, (file, line)) as file, arg_min(line, (file, line)) as line,
    arg_min(unknown, (file, line)) as value,
    if(count(*) = 1, 'the only one of the trials of the run is not',
        format('none of the {:,} trials of the run is', count(*))) as none,
    (select arg_min(concat_ws(' ', trial_id, test_id, side), trial_no) from base.verification_trial
        where condition_no = $condition) as example,
    coalesce(any_value(hint), 'Write the ids as the condition does, or name the condition of this run.') as advised
from scored
semi join (from run_tally where kind = 'disjoint') using (run_no)
left join trial_hint using (run_no)
group by run_no
order by run_no
