/*
what:   The values of runs, numbered in the order of the files, in which those of all runs count.
*/
insert into base.submitted_value (run_no, block_no, value_no, value_time, number, latitude, longitude, confidence,
    document_id, sentence_id)
select run_no, block_no, row_number() over (order by place), time, number, latitude, longitude, confidence, document_id,
    sentence_id
from vt_row
where block_no is not null
order by run_no, place
