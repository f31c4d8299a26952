/*
what:   What is known of the updates of a condition; update 0 of each event stands for one that is not known.
*/
insert into base.known_update (condition_no, block_no, update_no, update_id, is_pooled, length_column, n_word_blanks,
    n_word, duplicate_no, twin_no, update_text)
select $condition, *
from (
    select block_no, 0 as update_no, '', 0, null, null, null, 0, 0, null from ts_block
    union all
    select block_no, update_no, update_id, is_pooled, length, n_word_blanks, n_word, duplicate_no, twin_no, text
    from ts_known)
order by update_no, block_no
