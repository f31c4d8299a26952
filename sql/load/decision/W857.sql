/*
what:   the decisions are in another order than the pairs of the index
advice: They are scored.
*/
select file, line, id_1 || ' ' || id_2 as value
from (
    select file, line, trial_no
    from decided where unknown is null and run_id is not distinct from $run_id
    qualify trial_no < lag(trial_no) over (order by file, line))
join (select trial_no, id_1, id_2 from base.link_pair where condition_no = $condition) using (trial_no)
order by file, line limit 1
