/*
what:   The listed pairs that count, with a tested story that does not come before the end of the topic's training
        (base.trial__v1), and their segments
*/
create or replace temp table counted_pair as
select *, dense_rank() over (order by first_row_no) as segment_no
from (
    select *, min(row_no) over (partition by language, source, sets, period) as first_row_no
    from tested_pair where block_no is not null and story_no >= first_test_story_no and is_tested);

insert into base.listed_pair (condition_no, block_no, trial_no, segment_no)
select $condition, block_no, story_no, segment_no from counted_pair order by row_no;

create or replace temp table tested_cell as
select distinct segment_no, language, source, sets, period, block_no from counted_pair
