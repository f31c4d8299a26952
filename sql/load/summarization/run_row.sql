/*
what:   The updates of run files with what is known of them; runs and updates have the order of the files.
*/
create or replace temp table run_row as
select row_number() over (order by read.file, line) as place, read.file, line, event_id, run_id, run_no,
    read.update_id, time, confidence, event.block_no, known.update_no, known.is_pooled
from read_summarization as read
join new_run using (run_id)
left join run_place as event using (event_id)
left join (select * from base.known_update where condition_no = $condition and update_no > 0) as known
    on known.block_no = event.block_no and known.update_id = read.update_id
