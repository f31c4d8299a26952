/*
what: The updates of a run that count, and what its events have.
*/
insert into base.run_update (run_no, block_no, update_seq, update_no, update_id, decision_time, confidence, position)
select $run, block_no, place, coalesce(update_no, 0), update_id, time, confidence,
    row_number() over (partition by block_no order by place) - 1
from run_row
where run_id = $run_id and block_no is not null
order by block_no, place;

insert into base.run_event (run_no, block_no, n_row, min_confidence, max_confidence)
select run_no, block_no, count(*), min(confidence), max(confidence)
from base.run_update
where run_no = $run
group by run_no, block_no
order by block_no
