/*
title:  The computations of detection tasks ($tasks) without fitted distributions, with costs and size of the run
*/
select
    newest.computation_no, run.run_no, computation.profile_no, [profile.c_miss, profile.c_fa, profile.p_target],
    run.n_row
from ledger.current_computation as newest
join ledger.computation on computation.computation_no = newest.computation_no
join registry.run on run.run_no = computation.run_no
join registry.condition on condition.condition_no = run.condition_no
join registry.profile on profile.profile_no = computation.profile_no
where list_contains($tasks, condition.task)
    and newest.computation_no not in (select computation_no from ledger.result_common_threshold)
    and coalesce(list_contains($runs, run.run_no), true) and run.n_row <= $largest
order by newest.computation_no
