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
        training.condition_no as condition_no,
        training.block_no as block_no,
        cast(count(*) as bigint) as n_train
    from base.training_story as training
    group by training.condition_no, training.block_no

),

topic as (

    select
        ratio.condition_no as condition_no,
        ratio.profile_no as profile_no,
        ratio.n_target as n_target,
        ratio.n_target + ratio.n_nontarget as n_trial,
        coalesce(training.n_train, 0) as n_train,
        case when block.first_test_story_no > 1 then block.first_test_story_no - 1 end as n_before
    from metric.cost_topic_ratio__v1 as ratio
    inner join base.block as block
        on block.condition_no = ratio.condition_no
        and block.block_no = ratio.block_no
    left join training as training
        on training.condition_no = ratio.condition_no
        and training.block_no = ratio.block_no
    where ratio.n_target + ratio.n_nontarget > 0
        and block.is_scored = 1

),

total as (

    select
        topic.condition_no as condition_no,
        topic.profile_no as profile_no,
        cast(count(*) as bigint) as n_topic,
        cast(sum(case when topic.n_target = 0 then 1 else 0 end) as bigint) as n_topic_empty,
        cast(sum(topic.n_target) as bigint) as n_target,
        cast(sum(topic.n_trial) as bigint) as n_trial,
        cast(sum(topic.n_train) as bigint) as n_train,
        cast(sum(coalesce(topic.n_before, 0)) as bigint) as n_before,
        cast(count(topic.n_before) as bigint) as n_topic_before,
        max(topic.n_target) as most,
        min(topic.n_target) as fewest
    from topic as topic
    group by topic.condition_no, topic.profile_no

),

story as (

    select
        listed.condition_no as condition_no,
        listed.profile_no as profile_no,
        cast(count(distinct listed.trial_no) as bigint) as n_labelled
    from base.listed_trial__v1 as listed
    where listed.is_target = 1
        and listed.is_scored = 1
    group by listed.condition_no, listed.profile_no

)

select
    chosen.condition_no as condition_no,
    chosen.profile_no as profile_no,
    coalesce(total.n_topic, 0) as n_topic,
    coalesce(total.n_topic_empty, 0) as n_topic_empty,
    case when total.n_topic_before > 0 then cast(total.n_before as double) / total.n_topic_before end as mean_train_story,
    case when total.n_topic > 0 then cast(total.n_trial as double) / total.n_topic end as mean_test_story,
    case when total.n_topic > 0 then cast(total.n_train as double) / total.n_topic end as mean_n_train,
    case when total.n_topic > 0 then cast(total.n_target as double) / total.n_topic end as mean_n_test,
    total.most as max_n_test,
    total.fewest as min_n_test,
    coalesce(story.n_labelled, 0) as n_labelled,
    case when story.n_labelled > 0 then cast(total.n_target as double) / story.n_labelled end as topic_per_story
from registry.condition_profile as chosen
inner join total as total
    on total.condition_no = chosen.condition_no
    and total.profile_no = chosen.profile_no
left join story as story
    on story.condition_no = chosen.condition_no
    and story.profile_no = chosen.profile_no
