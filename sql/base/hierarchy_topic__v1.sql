/*
title:    What a topic is in a collection that hierarchies are built over
formula:  n_story = news stories of the collection, n_target = those on the topic,
          n_nontarget = n_story - n_target - those judged brief for it
source:   The 2004 TDT evaluation plan, appendix A, sections 9.1 and 10.1
inputs:   registry.condition, base.block, base.judgment, base.segment_story
grain:    condition_no, block_no
columns:
    condition_no  key    condition
    block_no      key    topic
    n_story       count  N: stories of the collection, whatever a system lists
    n_target      count  stories on the topic
    n_nontarget   count  scored stories that are not
edges:    The language condition chooses the collection, so it changes N.
          A story judged brief is neither a target nor a non-target.
class:    exact
see also: vertex_hit__v1
*/
with

collection as (

    select
        member.condition_no as condition_no,
        count(*) as n_story
    from base.segment_story as member
    group by member.condition_no

),

labelled as (

    select
        block.condition_no as condition_no,
        block.block_no as block_no,
        sum(case when ' ' || condition.on_topic || ' ' like '% ' || judgment.label || ' %' then 1 else 0 end) as n_target,
        sum(case
            when ' ' || condition.on_topic || ' ' like '% ' || judgment.label || ' %' then 0
            when judgment.label = 'brief' then 1
            else 0
        end) as n_brief
    from registry.condition as condition
    inner join base.block as block
        on block.condition_no = condition.condition_no
    inner join base.judgment as judgment
        on judgment.corpus_no = condition.corpus_no
        and judgment.judgment_set = condition.judgment_set
        and judgment.topic_no = block.topic_no
    inner join base.segment_story as member
        on member.condition_no = condition.condition_no
        and member.story_no = judgment.story_no
    where condition.task = 'hierarchy'
    group by block.condition_no, block.block_no

)

select
    block.condition_no as condition_no,
    block.block_no as block_no,
    cast(coalesce(collection.n_story, 0) as bigint) as n_story,
    cast(coalesce(labelled.n_target, 0) as bigint) as n_target,
    cast(coalesce(collection.n_story, 0) - coalesce(labelled.n_target, 0) - coalesce(labelled.n_brief, 0) as bigint) as n_nontarget
from registry.condition as condition
inner join base.block as block
    on block.condition_no = condition.condition_no
left join collection as collection
    on collection.condition_no = condition.condition_no
left join labelled as labelled
    on labelled.condition_no = block.condition_no
    and labelled.block_no = block.block_no
where condition.task = 'hierarchy'
    and block.is_scored = 1
