/*
title:    The corpus table of the adaptive filtering paper, for a loaded corpus
formula:  Averages are over the topics of the condition that have trials.
source:   The adaptive filtering paper, table 1
inputs:   base.block, base.training_story, base.segment_story, base.test_segment, base.listed_trial__v1,
          metric.cost_topic_ratio__v1
grain:    condition_no, profile_no
columns:
    condition_no       key    condition
    profile_no         key    scoring profile
    n_topic            count  topics with trials
    n_topic_empty      count  of these, topics without targets
    mean_train_story   count  stories before the test set of a topic, average; NULL without training
    mean_test_story    count  test stories of a topic, average; NULL without topics
    mean_n_train       count  training stories on topic, average; NULL without topics
    mean_n_test        count  targets in the test set, average; NULL without topics
    max_n_test         count  targets of the topic with the most
    min_n_test         count  targets of the topic with the fewest
    n_labelled         count  test stories that are a target of some topic
    topic_per_story    ratio  topics per labelled test story; NULL without any
edges:    The test set of a topic begins after its last training story; with official index files at the first story of
          the files that they list, of the first file from its begin position: these lie behind the training stories.
          Topics without targets count in the averages and as the minimum (0); n_topic_empty says how many there are.
class:    exact
see also: corpus_ratio__v1, published_corpus__v1 (the table as printed)
*/
with training as (select condition_no, block_no, count(*) as n_train from base.training_story group by all),

test_begin as (
    select condition_no, block_no, min(story_no) as first_of_test
    from base.test_segment join base.segment_story using (condition_no, segment_no)
    group by all
),

story as (
    select condition_no, profile_no, count(distinct trial_no) as labelled
    from base.listed_trial__v1 where is_target = 1 and is_scored = 1 group by all
),

topic as (
    select
        condition_no, profile_no, n_target, n_target + n_nontarget as n_trial, coalesce(n_train, 0) as trained,
        case
            when first_test_story_no > 1 then first_test_story_no - 1 when n_train > 0 then first_of_test - 1
        end as n_before
    from metric.cost_topic_ratio__v1 join base.block using (condition_no, block_no)
    left join training using (condition_no, block_no)
    left join test_begin using (condition_no, block_no)
    where n_target + n_nontarget > 0 and is_scored = 1
)

select
    condition_no, profile_no, count(*) as n_topic, count(*) filter (where n_target = 0) as n_topic_empty,
    ratio(sum(n_before), count(n_before)) as mean_train_story, ratio(sum(n_trial), n_topic) as mean_test_story,
    ratio(sum(trained), n_topic) as mean_n_train, ratio(sum(n_target), n_topic) as mean_n_test,
    max(n_target) as max_n_test, min(n_target) as min_n_test, coalesce(labelled, 0) as n_labelled,
    ratio(sum(n_target), labelled) as topic_per_story
from topic
left join story using (condition_no, profile_no)
group by condition_no, profile_no, labelled
