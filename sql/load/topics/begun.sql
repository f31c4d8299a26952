/*
what:   The stories that are tested from a begin on: a record of their source file, or a story; `mask_no` stands for the
        blocks that test a story, which follow from the last begin before it
*/
create or replace temp table test_mask as
select *, dense_rank() over (order by blocks) as mask_no
from (
    select this.name, this.begin, list(distinct earlier.block_no order by earlier.block_no) as blocks
    from (select distinct name, begin from test_begin) as this
    join test_begin as earlier on earlier.name = this.name and earlier.begin <= this.begin
    group by this.name, this.begin);

create or replace temp table tested as
select story.* exclude (name, place, mask_no, day), mask.mask_no, '' as day
from (
    select *, if($by_index, source_file, '') as name,
        if($by_index, coalesce(cast(begin_recid as double), cast('infinity' as double)), story_no) as place
    from condition_story where is_tested) as story
asof join test_mask as mask on mask.name = story.name and mask.begin <= story.place
