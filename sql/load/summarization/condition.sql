/*
what: The judgments of a condition, its events, and the times that are evaluated.
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
order by row_no;

insert into base.nugget (condition_no, block_no, nugget_no, row_no, nugget_id, nugget_time, importance, length_column,
    n_word_blanks, n_word, nugget_text)
select $condition, block_no, nugget_no, row_no, nugget_id, time, importance, length, n_word_blanks, n_word, text
from ts_nugget_row
join ts_nugget using (nugget_id, block_no)
order by row_no;

insert into base.known_update (condition_no, block_no, update_no, update_id, is_pooled, length_column, n_word_blanks,
    n_word, duplicate_no, twin_no, update_text)
select $condition, *
from (
    select block_no, 0 as update_no, '', 0, null, null, null, 0, 0, null from ts_block
    union all
    select block_no, update_no, update_id, is_pooled, length, n_word_blanks, n_word, duplicate_no, twin_no, text
    from ts_known)
order by update_no, block_no;

insert into base.event (condition_no, block_no, event_id, title, kind, start_time, end_time, n_pool_row, n_match_row)
select $condition, block_no, event, title, kind, start_time, end_time, n_pool, n_match
from ts_event
order by block_no;

insert into base.block (condition_no, block_no, block_id, is_scored)
select $condition, block_no, event, not list_contains($excluded, event)
from ts_block
order by block_no;

insert into base.subset (condition_no, subset_no, subset, kind)
select $condition, 0, 'all', 'all'
union all
select $condition, number, 'tau=' || tau, 'tau'
from (select unnest($taus) as tau, generate_subscripts($taus, 1) as number);

insert into base.condition_tau (condition_no, subset_no, tau_seconds)
select $condition, generate_subscripts($taus, 1), unnest($taus)
