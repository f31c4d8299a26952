/*
what:   The answers of the key, and the subsets of the pairs: whether both stories are in one language, and in which
*/
insert into base.link_answer (condition_no, block_no, trial_no, answer)
select $condition, topic_block.block_no, trial_no, lower(answer)
from decided
join topic_block on block_id = block
order by trial_no, file, line;

create or replace temp table subset_row as
select unnest(['crossing', 'language']) as kind, unnest(['crossing=' || if(low = high, 'same', 'cross'),
        'language=' || low || if(low = high, '', ':' || high)]) as subset, block_no, segment_no
from link_segment
cross join topic_block
where low <> ''
