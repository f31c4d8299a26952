/*
what: The output files of link detection, and their decisions on pairs (output_decision).
*/
create or replace temp table answer as
select file, line, deferral, '' as block_id, false as is_first, true as is_answer from header;

create or replace temp view output_decision as
select file, line, cast(null as varchar) as run_id, story_id_1, story_id_2, is_yes,
    case when abs(score) >= 1.7976931348623157e308 then sign(score) * 9e99 else score end as score
from read_output
