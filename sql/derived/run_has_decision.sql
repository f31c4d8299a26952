/*
title:    Whether a run accepts or rejects each of its trials, or gives scores alone
source:   The 2004 TDT evaluation plan, section 5 (hard decisions)
inputs:   registry.run, registry.condition, registry.task, base.decision
fills:    registry.run.has_decision
owner:    run_no
after:    decisions of the run are loaded
class:    exact
*/
select
    run_no,
    case
        when exists (select 1 from base.decision where decision.run_no = run.run_no and is_yes is null) then 0
        else 1
    end as has_decision
from registry.run
join registry.condition using (condition_no)
join registry.task using (task)
where is_detection = 1
