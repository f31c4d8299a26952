/*
what:   Matches of a condition.
*/
insert into base.nugget_match (condition_no, match_no, block_no, update_no, nugget_no, has_span, span_start, span_end,
    program_from_bytes, program_to_bytes, program_from_chars, program_to_chars,
    exact_from_bytes, exact_to_bytes, exact_from_chars, exact_to_chars)
select $condition, row_no, block_no, update_no, nugget_no, span_start is not null, span_start, span_end,
    coalesce(program_from_bytes, 0), coalesce(program_to_bytes, 0),
    coalesce(program_from_chars, 0), coalesce(program_to_chars, 0),
    coalesce(exact_from_bytes, 0), coalesce(exact_to_bytes, 0),
    coalesce(exact_from_chars, 0), coalesce(exact_to_chars, 0)
from ts_match
order by row_no
