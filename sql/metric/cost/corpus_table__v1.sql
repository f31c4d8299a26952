/*
title:    The corpus table of the adaptive filtering paper, for a loaded corpus
formula:  Averages are over the topics of the condition that have trials.
source:   The adaptive filtering paper, table 1
inputs:   registry.condition_profile, base.block, base.training_story, base.listed_trial__v1, metric.cost_topic_ratio__v1
grain:    condition_no, profile_no
columns:
    condition_no       key    condition
    profile_no         key    scoring profile
    n_topic            count  topics with trials
    n_topic_empty      count  of these, topics without targets
    mean_train_story   count  stories before the test set of a topic, average; NULL where training has no place in the order
    mean_test_story    count  test stories of a topic, average; NULL without topics
    mean_n_train       count  training stories on topic, average; NULL without topics
    mean_n_test        count  targets in the test set, average; NULL without topics
    max_n_test         count  targets of the topic with the most
    min_n_test         count  targets of the topic with the fewest
    n_labelled         count  test stories that are a target of some topic
    topic_per_story    ratio  topics per labelled test story; NULL without any
edges:    Topics without targets count in the averages and as the minimum (0); n_topic_empty says how many there are.
class:    exact
see also: corpus_ratio__v1, published_corpus__v1 (the table as printed)
*/
with

training as (
    select
        condition_no, block_no,
        cast(count(*) as bigint) as n_train
    from base.training_story
    group by condition_no, block_no
),

topic as (
    select
        condition_no, profile_no, n_target,
        n_target + n_nontarget as n_trial,
        coalesce(n_train, 0) as n_train,
        case when first_test_story_no > 1 then first_test_story_no - 1 end as n_before
    from metric.cost_topic_ratio__v1
    join base.block using (condition_no, block_no)
    left join training using (condition_no, block_no)
    where n_target + n_nontarget > 0
        and is_scored = 1
),

total as (
    select
        condition_no, profile_no,
        cast(count(*) as bigint) as n_topic,
        cast(sum(case when n_target = 0 then 1 else 0 end) as bigint) as n_topic_empty,
        cast(sum(n_target) as bigint) as n_target,
        cast(sum(n_trial) as bigint) as n_trial,
        cast(sum(n_train) as bigint) as n_train,
        cast(sum(coalesce(n_before, 0)) as bigint) as n_before,
        cast(count(n_before) as bigint) as n_topic_before,
        max(n_target) as most,
        min(n_target) as fewest
    from topic
    group by condition_no, profile_no
),

story as (
    select
        condition_no, profile_no,
        cast(count(distinct trial_no) as bigint) as n_labelled
    from base.listed_trial__v1
    where is_target = 1
        and is_scored = 1
    group by condition_no, profile_no
)

select
    condition_no, profile_no,
    coalesce(n_topic, 0) as n_topic,
    coalesce(n_topic_empty, 0) as n_topic_empty,
    case when n_topic_before > 0 then cast(n_before as double) / n_topic_before end as mean_train_story,
    case when n_topic > 0 then cast(n_trial as double) / n_topic end as mean_test_story,
    case when n_topic > 0 then cast(n_train as double) / n_topic end as mean_n_train,
    case when n_topic > 0 then cast(n_target as double) / n_topic end as mean_n_test,
    most as max_n_test,
    fewest as min_n_test,
    coalesce(n_labelled, 0) as n_labelled,
    case when n_labelled > 0 then cast(n_target as double) / n_labelled end as topic_per_story
from registry.condition_profile
join total using (condition_no, profile_no)
left join story using (condition_no, profile_no)
