/*
what:   Matches with the words [from, to) that their spans mark, with offsets in bytes and in letters. Exactly, these
        are the words with a letter in the span. The track's programs widen the span to blanks, and count its first word
        from the blank before it: a span at the very beginning counts one word too few, others are shifted by one.
*/
with spanned as (
    select row.file, row.line, row.row_no, row.block_no, known.update_no, row.update_id, row.nugget_id,
        coalesce(nugget.nugget_no, 0) as nugget_no,
        case when row."end" is not null then row.start end as span_start,
        case when row.start is not null then row."end" end as span_end,
        pool.update_id is not null as is_pooled, twin.update_id is not null as is_twin,
        coalesce(pool.text_bytes, same.text_bytes) as text_bytes, coalesce(pool.text, same.text) as text
    from ts_match_row as row
    join ts_update as known on known.block_no = row.block_no and known.update_id = row.update_id
    left join ts_nugget as nugget on nugget.block_no = row.block_no and nugget.nugget_id = row.nugget_id
    left join ts_pool as pool on pool.block_no = row.block_no and pool.update_id = row.update_id
    left join ts_twin as twin on twin.update_id = row.update_id
    left join ts_pool as same on same.block_no = row.block_no and same.update_id = twin.other
),

-- a word that the span begins in is inside it
counted as (
    select *, list_transform([text_bytes, text], lambda said: {
        'program_from': greatest(0, len(substr(said, 1, span_start + 1))
            - len(replace(substr(said, 1, span_start + 1), ' ', '')) - 1),
        'program_to': len(substr(said, 1, span_end)) - len(replace(substr(said, 1, span_end), ' ', '')),
        'exact_from': len(regexp_extract_all(substr(said, 1, span_start), '[^ \t\n\r\x0b\f]+')) - cast(
            regexp_full_match(substr(said, span_start, 2), '[^ \t\n\r\x0b\f][^ \t\n\r\x0b\f]') as integer),
        'until': len(regexp_extract_all(substr(said, 1, span_end), '[^ \t\n\r\x0b\f]+'))
    }) as words
    from spanned
)

select * exclude (text, text_bytes, words), len(text_bytes) as n_byte,
    words[1].program_from as program_from_bytes, words[1].program_to as program_to_bytes,
    words[2].program_from as program_from_chars, words[2].program_to as program_to_chars,
    words[1].exact_from as exact_from_bytes,
    if(span_start < span_end, greatest(words[1].exact_from, words[1].until), words[1].exact_from) as exact_to_bytes,
    words[2].exact_from as exact_from_chars,
    if(span_start < span_end, greatest(words[2].exact_from, words[2].until), words[2].exact_from) as exact_to_chars
from counted
