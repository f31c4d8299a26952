/*
what:   The events of a run.
*/
insert into base.run_event (run_no, block_no, n_row, min_confidence, max_confidence)
select run_no, block_no, count(*), min(confidence), max(confidence)
from base.run_update
where run_no = $run
group by run_no, block_no
order by block_no
