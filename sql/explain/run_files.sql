/*
title:    Files of a run, each with whether it holds several runs
*/
select path, n_byte, sha256, run_id as run, is_shared as shared, condition_no
from (
    select
        path, n_byte, sha256, run_no, run_id, condition_no, input_file_no,
        exists (
            select 1
            from registry.input_file as other
            where other.path = input_file.path and other.owner <> input_file.owner
                and starts_with(other.owner, 'run:' || condition_id || '/')
        ) as is_shared
    from registry.input_file
    join registry.run on true
    join registry.condition using (condition_no)
    where owner = 'run:' || condition_id || '/' || run_id
)
where run_no = $run_no
order by input_file_no
