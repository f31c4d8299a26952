/*
what:   Pooled updates with their numbers in the order of the file, and the blocks of their events; those of 2015
        without prefix. Words are runs of what is not white space of ASCII. Of a repeated id the last row counts.
*/
select row.* replace (coalesce(length, n_word) as length, coalesce(text, '') as text), block_no
from (
    select row_number() over (order by file, line) as row_no,
        if($program = 'ts2015', regexp_replace(event_id, '^TS[0-9]+\.', ''), event_id) as key,
        len(regexp_extract_all(text_bytes, '[^ \t\n\r\x0b\f]+')) as n_word,
        len(text_bytes) - len(replace(text_bytes, ' ', '')) + 1 as n_word_blanks, *
    from read_updates) as row
left join ts_block on ts_block.key = row.key
qualify row_number() over (partition by row.key, update_id order by row_no desc) = 1
