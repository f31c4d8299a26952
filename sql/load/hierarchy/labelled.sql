/*
title:  The labelled stories of a condition, and the vertices of a run that list each; the root, of number 0, where none
        does
*/
select distinct story_no, coalesce(vertex_no, 0) as vertex_no
from registry.condition
join base.judgment using (corpus_no, judgment_set)
semi join base.segment_story using (condition_no, story_no)
left join (select vertex_no, story_no from base.vertex_list where run_no = $run_no) as listed using (story_no)
where condition_no = $condition_no and label in ('yes', 'brief')
order by vertex_no, story_no
