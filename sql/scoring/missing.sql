/*
title:  Numbers that are computed on request only and are not stored: left out because they are much work (null_reason),
        or of a family that a task has on request; large: the reasons; on_request: task and metric; wanted: the metrics;
        runs: of these, NULL: of all
*/
with kept as (select computation_no, metric, null_reason from ledger.result_score),

left_out as (select distinct * from kept where list_contains($large, null_reason)),

with_family as (
    select distinct computation_no
    from ledger.current_computation
    join kept using (computation_no)
    where list_contains($on_request, [task, metric])
)

select condition_no, run_no, profile_no, task, run_id, condition_id, profile_id, metric, null_reason
from ledger.current_computation
cross join (select unnest($wanted) as metric)
left join left_out using (computation_no, metric)
where coalesce(list_contains($runs, run_no), true)
    and (
        null_reason is not null
        or list_contains($on_request, [task, metric])
        and computation_no not in (select computation_no from with_family)
    )
order by all
