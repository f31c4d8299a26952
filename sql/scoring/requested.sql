/*
title:  What the stored numbers of some runs say of requests, by run and profile: the reason for which some are left
        out, and NULL where some are of a family on request; large, on_request: as in missing.sql
*/
select distinct run_no, profile_no, case when list_contains($large, null_reason) then null_reason end
from ledger.current_computation
join ledger.result_score using (computation_no)
where (list_contains($large, null_reason) or list_contains($on_request, [task, metric]))
    and list_contains($runs, run_no)
