/*
what:   The pooled updates.
*/
select file, line, block_no, update_id, event_id, length, coalesce(duplicate_of, '') as duplicate, text, text_bytes,
    n_word_blanks, n_word
from ts_update_row
where block_no is not null
