/*
what:   All blocks test each segment.
*/
create or replace temp table tested_cell as
select distinct segment_no, language, source, sets, period, block_no
from tested_story
cross join topic_block
