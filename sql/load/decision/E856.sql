/*
what:   no decision on this pair
advice: Decide on every pair of the index.
*/
select file, null as line, shown as run, id_1 || ' ' || id_2 as value
from new_run
cross join (select trial_no, id_1, id_2 from base.link_pair where condition_no = $condition)
anti join (select run_no, trial_no from run_decision where unknown is null) using (run_no, trial_no)
order by run_no, trial_no
