/*
what:   no score for this trial of the key{more}
advice: Score every trial of the key; or take it out of the key; or have such trials rejected at every threshold:
        missing_scores = "reject" of the run.
*/
select 0 as file, null as line, shown as run, value,
    if(number = 1 and n > 20, printf(' (%d such trials, of which 20 are named)', n), '') as more
from (
    select run_no, concat_ws(' ', trial_id, test_id, side) as value,
        row_number() over (partition by run_no order by trial_no) as number, count(*) over (partition by run_no) as n
    from (select run_no from run_tally where kind = 'odd')
    cross join (from base.verification_trial where condition_no = $condition)
    anti join scored using (run_no, trial_no))
join new_run using (run_no)
where number <= 20
order by run_no, number
