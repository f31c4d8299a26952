/*
title:    On-topic stories in each vertex of a hierarchy
formula:  n_hit(topic, vertex) = |stories on the topic, in the collection, in the vertex or below it|
source:   The 2004 TDT evaluation plan, appendix A, sections 9.3 and 10.1
inputs:   registry.run, registry.condition, base.block, base.judgment, base.segment_story, base.vertex_story
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
    run.run_no as run_no,
    block.block_no as block_no,
    held.vertex_no as vertex_no,
    cast(sum(case when ' ' || condition.on_topic || ' ' like '% ' || judgment.label || ' %' then 1 else 0 end) as bigint) as n_hit,
    cast(sum(case
        when ' ' || condition.on_topic || ' ' like '% ' || judgment.label || ' %' then 0
        when judgment.label = 'brief' then 1
        else 0
    end) as bigint) as n_brief
from registry.run as run
inner join registry.condition as condition
    on condition.condition_no = run.condition_no
inner join base.block as block
    on block.condition_no = run.condition_no
inner join base.judgment as judgment
    on judgment.corpus_no = condition.corpus_no
    and judgment.judgment_set = condition.judgment_set
    and judgment.topic_no = block.topic_no
inner join base.segment_story as member
    on member.condition_no = run.condition_no
    and member.story_no = judgment.story_no
inner join base.vertex_story as held
    on held.run_no = run.run_no
    and held.story_no = judgment.story_no
where condition.task = 'hierarchy'
    and block.is_scored = 1
    and judgment.label in ('yes', 'brief')
group by run.run_no, block.block_no, held.vertex_no
