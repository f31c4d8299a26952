/*
what:   What is known of updates: their text, the update that they repeat, and the pooled one of the same text.
*/
select known.block_no, known.update_no, known.update_id, pool.file, pool.line, pool.length, pool.n_word_blanks,
    pool.n_word, pool.text, cast(pool.update_id is not null as integer) as is_pooled,
    coalesce(first.update_no, 0) as duplicate_no, source.duplicate <> '' as is_chain,
    case when pool.update_id is null and same.update_id is not null then twin_no.update_no else 0 end as twin_no
from ts_update as known
left join ts_pool as pool on pool.block_no = known.block_no and pool.update_id = known.update_id
left join ts_pool as source on source.block_no = known.block_no and source.update_id = pool.duplicate
left join ts_update as first on first.block_no = source.block_no and first.update_id = source.update_id
left join ts_twin as twin on twin.update_id = known.update_id
left join ts_pool as same on same.block_no = known.block_no and same.update_id = twin.other
left join ts_update as twin_no on twin_no.block_no = same.block_no and twin_no.update_id = same.update_id
