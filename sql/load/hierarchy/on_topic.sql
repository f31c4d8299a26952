/*
title:  The stories on each topic of a condition, and the vertices of a run that list each; the root where none does
*/
select distinct
    block_no, story_no, coalesce(listed.vertex_no, root.vertex_no) as vertex_no, listed.vertex_no is null as is_unlisted
from registry.condition
join base.block using (condition_no)
join base.judgment using (corpus_no, judgment_set, topic_no)
semi join base.segment_story using (condition_no, story_no)
cross join (select vertex_no from base.vertex where run_no = $run_no and is_root = 1) as root
left join (select vertex_no, story_no from base.vertex_list where run_no = $run_no) as listed using (story_no)
where condition_no = $condition_no and is_scored = 1
    and list_contains(string_split(on_topic, ' '), label)
order by block_no, is_unlisted, story_no, vertex_no
