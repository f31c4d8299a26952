/*
title:    What is known of a story for a topic of tracking or filtering
source:   The 2004 TDT evaluation plan, sections 3 and 5 (judgments, training stories and test sets)
inputs:   registry.condition, registry.task, base.block, base.judgment, base.training_story, base.segment_story,
          base.test_segment, base.listed_pair
fills:    base.labelled_story
owner:    condition_no
after:    judgments, training stories or test sets of the condition are loaded
edges:    Every number of a run needs, for each judged story, the segment in which it is a trial; that depends on the
          condition and the judgments alone, so it is stored.
class:    exact
see also: condition_is_partition
*/
with

topic_condition as (
    select condition_no, corpus_no, judgment_set
    from registry.condition
    join registry.task using (task)
    where decides_on = 'topic'
),

judged as (
    select condition_no, block_no, story_no, label
    from topic_condition
    join base.block using (condition_no)
    join base.judgment using (corpus_no, judgment_set, topic_no)
),

trained as (
    select distinct condition_no, block_no, story_no, 1 as is_trained
    from topic_condition
    join base.training_story using (condition_no)
),

known as (
    select condition_no, block_no, story_no, label, is_trained
    from judged
    full join trained using (condition_no, block_no, story_no)
)

select
    condition_no, block_no, story_no,
    coalesce(test_segment.segment_no, listed_pair.segment_no, 0) as segment_no,
    case when test_segment.segment_no is not null then 1 else 0 end as is_implied,
    label,
    coalesce(is_trained, 0) as is_training
from known
left join base.segment_story using (condition_no, story_no)
left join base.test_segment using (condition_no, block_no, segment_no)
left join base.listed_pair
    on listed_pair.condition_no = known.condition_no
    and listed_pair.block_no = known.block_no
    and listed_pair.trial_no = known.story_no
