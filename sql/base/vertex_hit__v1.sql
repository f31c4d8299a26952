/*
title:    On-topic stories in each vertex of a hierarchy
formula:  n_hit(topic, vertex) = |stories on the topic, in the collection, in the vertex or below it|
source:   The 2004 TDT evaluation plan, appendix A, sections 9.3 and 10.1
inputs:   registry.run, registry.condition, registry.task, base.block, base.judgment, base.segment_story,
          base.vertex_story
grain:    run_no, block_no, vertex_no
columns:
    run_no     key    run
    block_no   key    topic
    vertex_no  key    vertex
    n_hit      count  stories on the topic
    n_brief    count  stories judged brief for the topic, which are not scored
edges:    Only vertices that hold such a story are here; all others have 0.
          A story reached on two paths counts once.
class:    exact
see also: hierarchy_topic__v1
*/
select
    run_no, block_no, vertex_no, count(*) filter (where has_word(on_topic, label)) as n_hit,
    count(*) filter (where not has_word(on_topic, label) and label = 'brief') as n_brief
from registry.run join registry.condition using (condition_no) join registry.task using (task)
join base.block using (condition_no)
join base.judgment using (corpus_no, judgment_set, topic_no)
join base.segment_story using (condition_no, story_no)
join base.vertex_story using (run_no, story_no)
where run_table = 'base.vertex' and is_scored = 1 and label in ('yes', 'brief')
group by all
