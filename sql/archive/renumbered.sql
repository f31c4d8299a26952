/*
title:    Numbers that the history of a store decides, and those of an archive, by name
edges:    Older computations are not in it.
*/
select 'run_no' as kind, run_no as old_no, row_number() over (order by condition_id, run_id) as new_no
from registry.run
join registry.condition using (condition_no)
union all
select 'input_file_no', input_file_no, row_number() over (order by owner, input_file_no)
from registry.input_file
union all
select
    'computation_no', max(computation_no), row_number() over (order by condition_id, run_id, profile_no)
from ledger.computation
join registry.run using (run_no)
join registry.condition using (condition_no)
group by condition_id, run_id, profile_no
