/*
what:   The blocks of a condition: those of the key, or else the topics
*/
create or replace temp table topic_block as
select row_number() over (order by block_id) as block_no, block_id, block_id as topic_id, 1 as first_test_story_no
from (
    select distinct block as block_id from decided
    union all
    select unnest(cast($topics as varchar[])) where not $has_key);

create or replace temp table topic_training as select '' as block_id, 0 as story_no limit 0
