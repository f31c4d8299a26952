/*
what:   The topics of a condition, with their training stories: those of indexes, of which the last $nt count, or of a
        table, after which a topic is tested; and where the tests of each begin
*/
create or replace temp table topic_training as
with used as (
    select file, docno as story_id from index_training
    qualify $nt is null or row_number() over (partition by file order by line desc) <= $nt
)

select block_id, story_no
from (
    select min(file) as file, block_id from index_topic where $by_index group by block_id
)
join used using (file)
join (select story_id, story_no from base.story where corpus_no = $corpus) using (story_id)
union
select topic_id, story_no
from training_row
join (select story_id, story_no from base.story where corpus_no = $corpus) using (story_id)
where not $by_index;

create or replace temp table topic_block as
with known as (
    select block_id, topic_id, min(file) as file from index_topic where $by_index group by block_id, topic_id
    union all
    select topic_id, topic_id, null from (select unnest(cast($topics as varchar[])) as topic_id) where not $by_index
)

select row_number() over (order by block_id) as block_no, block_id, topic_id, file,
    if($by_index, 1, coalesce(1 + last_story_no, 1)) as first_test_story_no
from known
left join (select block_id, max(story_no) as last_story_no from topic_training group by block_id) using (block_id)
where topic_id in (select unnest(cast($topics as varchar[])));

-- the program compares with the recid under time pointers too; every official index begins at the start
create or replace temp table test_begin as
select block_no, source_file as name, if(begin > 1, begin, 0) as begin from topic_block join index_file using (file)
union all
select block_no, '', first_test_story_no from topic_block where not $by_index
