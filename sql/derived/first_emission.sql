/*
title:    When the runs of a condition first sent a pooled update
source:   TREC Temporal Summarization, evaluation programs (latency fix: the earliest time of any run)
inputs:   registry.run, base.run_update
fills:    base.first_emission
owner:    condition_no
after:    a run of the condition is loaded or dropped
class:    exact
*/
select condition_no, block_no, update_no, min(decision_time) as first_time
from base.run_update
join registry.run using (run_no)
where update_no > 0
group by condition_no, block_no, update_no
