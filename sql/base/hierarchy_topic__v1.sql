/*
title:    What a topic is in a collection that hierarchies are built over
formula:  n_story = news stories of the collection, n_target = those on the topic,
          n_nontarget = n_story - n_target - those judged brief for it
source:   The 2004 TDT evaluation plan, appendix A, sections 9.1 and 10.1
inputs:   registry.condition, registry.task, base.block, base.judgment, base.segment_story
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
with collection as (select condition_no, count(*) as n_news from base.segment_story group by all),

labelled as (
    select
        condition_no, block_no, count(*) filter (where has_word(on_topic, label)) as n_on_topic,
        count(*) filter (where not has_word(on_topic, label) and label = 'brief') as n_brief
    from registry.condition join registry.task using (task) join base.block using (condition_no)
    join base.judgment using (corpus_no, judgment_set, topic_no)
    join base.segment_story using (condition_no, story_no)
    where run_table = 'base.vertex'
    group by all
)

select
    condition_no, block_no, coalesce(n_news, 0) as n_story, coalesce(n_on_topic, 0) as n_target,
    coalesce(n_news, 0) - coalesce(n_on_topic, 0) - coalesce(n_brief, 0) as n_nontarget
from registry.condition join registry.task using (task) join base.block using (condition_no)
left join collection using (condition_no)
left join labelled using (condition_no, block_no)
where run_table = 'base.vertex' and is_scored = 1
