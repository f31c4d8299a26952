/*
what:   The segments of tested stories: those that are in the same subsets and of the same blocks, numbered by their
        first stories; `tested_story` has the stories with these numbers
*/
create or replace temp table tested_story as
select *, dense_rank() over (order by first_story_no) as segment_no
from (
    select *, min(story_no) over (partition by language, source, sets, day, period, mask_no) as first_story_no
    from tested);

insert into base.segment (condition_no, segment_no, n_trial)
select $condition, segment_no, count(*) from tested_story group by segment_no order by segment_no;

insert into base.segment_story (condition_no, story_no, segment_no)
select $condition, story_no, segment_no from tested_story order by story_no
