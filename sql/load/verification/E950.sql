/*
what:   no score for this trial of the key{more}
advice: Score every trial of the key; or take it out of the key; or have such trials rejected at every threshold:
        missing_scores = "reject" of the run.
*/
select 0 as file, null as line, value,
    if(number = 1 and n > 20, printf(' (%d such trials, of which 20 are named)', n), '') as more
from (
    select concat_ws(' ', trial_id, test_id, side) as value, row_number() over (order by trial_no) as number,
        count(*) over () as n
    from (from base.verification_trial where condition_no = $condition)
    anti join scored using (trial_no))
where number <= 20
order by number
