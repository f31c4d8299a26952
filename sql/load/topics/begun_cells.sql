/*
what:   Which block tests which segment
*/
create or replace temp table tested_cell as
select segment_no, language, source, sets, period, unnest(blocks) as block_no
from (select distinct segment_no, language, source, sets, period, mask_no from tested_story)
join (select distinct mask_no, blocks from test_mask) using (mask_no);

insert into base.test_segment (condition_no, block_no, segment_no)
select $condition, block_no, segment_no from tested_cell order by segment_no, block_no
