/*
title:  The computations in keeping with what they are computed from, before their results are counted
*/
select
    keeping.computation_no, keeping.run_no, keeping.profile_no, input.sha256, profile.profile_text, definition.sha256,
    0, '', $tdtsql, $duckdb
from keeping
join registry.current_input as input on input.run_no = keeping.run_no
join ledger.profile_text as profile on profile.profile_no = keeping.profile_no
join registry.run on run.run_no = keeping.run_no
join registry.condition on condition.condition_no = run.condition_no
join registry.task_definition as definition on definition.task = condition.task
