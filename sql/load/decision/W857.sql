/*
what:   the decisions are in another order than the pairs of the index
advice: They are scored.
*/
select file, line, id_1 || ' ' || id_2 as value
from (
    select run_no, file, line, trial_no
    from run_decision where unknown is null
    qualify trial_no < lag(trial_no) over (partition by run_no order by file, line))
join (select trial_no, id_1, id_2 from base.link_pair where condition_no = $condition) using (trial_no)
qualify row_number() over (partition by run_no order by file, line) = 1
