/*
what:   no decision on this pair
advice: Decide on every pair of the index.
*/
select $file as file, null as line, id_1 || ' ' || id_2 as value
from (select trial_no, id_1, id_2 from base.link_pair where condition_no = $condition)
anti join (select trial_no from decided where unknown is null and run_id is not distinct from $run_id)
    using (trial_no)
order by trial_no
