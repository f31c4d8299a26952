/*
what: The updates of runs that count, and what their events have.
*/
insert into base.run_update (run_no, block_no, update_seq, update_no, update_id, decision_time, confidence, position)
select run_no, block_no, place, coalesce(update_no, 0), update_id, time, confidence,
    row_number() over (partition by run_no, block_no order by place) - 1
from run_row
where block_no is not null
order by run_no, block_no, place;

insert into base.run_event (run_no, block_no, n_row, min_confidence, max_confidence)
select run_no, block_no, count(*), min(confidence), max(confidence)
from base.run_update
semi join new_run using (run_no)
group by run_no, block_no
order by run_no, block_no
