/*
what:   The values of a run, numbered in the order of the files, in which those of other runs count, too.
*/
insert into base.submitted_value (run_no, block_no, value_no, value_time, number, latitude, longitude, confidence,
    document_id, sentence_id)
select $run, block_no, value_no, time, number, latitude, longitude, confidence, document_id, sentence_id
from (select *, row_number() over (order by place) as value_no from vt_row where block_no is not null)
where run_id = $run_id
order by value_no
