/*
title:    Macro average of the filtering measures
formula:  Mean over the topics, each counting the same. Which topics enter is the profile's policy:
              empty_topic     = undefined  topics with nothing relevant enter no mean of precision,
                                           recall, f1, f_beta, t11su, tdt5su
                              = zero       they enter these with 0 where the number is undefined
              empty_retrieved = undefined  topics with nothing retrieved enter no mean of precision
                              = zero       they enter it with 0
              missing_topic   = empty      a topic the run says nothing of is an empty retrieved set
                              = undefined  it enters no mean of these
          t11u and the costs are defined for every topic with trials, and are averaged over all of these.
source:   The adaptive filtering paper, section 3.1 (macro-averaging);
          T. Kenter, K. Balog, M. de Rijke, Evaluating document filtering systems over time (2015), on topics without relevant documents;
          trec_eval 10.0 with -c (both policies zero)
inputs:   metric.filtering_effectiveness__v1, metric.filtering_utility__v1, metric.filtering_own_prior_cost__v1, metric.filtering_answered_topic__v1, metric.detection_topic_weighted__v1, registry.run, registry.condition, registry.profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no                    key           run
    profile_no                key           scoring profile
    subset_no                 key           subset; 0 is all
    weighting                 key           topic
    precision                 ratio [0, 1]  NULL when no topic enters
    recall                    ratio [0, 1]  NULL when no topic enters
    f1                        ratio [0, 1]  NULL when no topic enters
    f_beta                    ratio [0, 1]  NULL when no topic enters
    t11u                      score         NULL without topics with trials
    t11su                     ratio [0, 1]  NULL when no topic enters
    tdt5su                    ratio [0, 1]  NULL when no topic enters
    c_trk                     cost          the topic-weighted detection cost
    c_det_prel                cost          NULL without topics with trials
    c_det_prel_norm           cost          NULL without topics with targets and non-targets
    n_empty_topic             count         topics with trials and nothing relevant
    n_empty_retrieved         count         topics with trials and nothing retrieved
    n_missing_topic           count         topics with trials the run says nothing of
    n_false_alarm_empty       count         false alarms on topics with nothing relevant, which no mean sees
    n_block                   count         topics with trials
    n_block_precision         count         topics that entered the mean of precision
    n_block_effectiveness     count         topics that entered the means of recall, f1 and f_beta
    n_block_utility           count         topics that entered the means of t11su and tdt5su
    n_block_prel              count         topics that entered the mean of c_det_prel_norm
    n_block_cost              count         topics that entered c_trk
metrics:
    precision            n=n_block_precision      best=highest  Precision
    recall               n=n_block_effectiveness  best=highest  Recall
    f1                   n=n_block_effectiveness  best=highest  F1
    f_beta               n=n_block_effectiveness  best=highest  F_beta
    t11u                 n=n_block                best=highest  Linear utility
    t11su                n=n_block_utility        best=highest  Scaled linear utility
    tdt5su               n=n_block_utility        best=highest  Scaled linear utility with the ratio of the detection costs
    c_trk                n=n_block_cost           best=lowest   Tracking cost (the detection cost)
    c_det_prel           n=n_block                best=lowest   Detection cost with the topic's own prior
    c_det_prel_norm      n=n_block_prel           best=lowest   Normalised detection cost with the topic's own prior
    n_empty_topic        n=n_block                best=none     Topics with nothing relevant
    n_empty_retrieved    n=n_block                best=none     Topics with nothing retrieved
    n_missing_topic      n=n_block                best=none     Topics the run says nothing of
    n_false_alarm_empty  n=n_block                best=lowest   False alarms on topics with nothing relevant
edges:    With equal numbers of trials the mean of c_det_prel equals the pooled one: the
          cost per topic is then weighted by stories without saying so. c_det_prel_norm is not.
          c_trk follows the policies of the detection cost (topic_cost, fa_topics), not these.
class:    exact
see also: pooled__v1, report.median_difference__v1
*/
with

answered as (

    select
        answered.run_no as run_no,
        answered.block_no as block_no,
        1 as hit
    from metric.filtering_answered_topic__v1 as answered

),

topic as (

    select
        effectiveness.run_no as run_no,
        effectiveness.profile_no as profile_no,
        effectiveness.subset_no as subset_no,
        effectiveness.n_target as n_target,
        effectiveness.n_retrieved as n_retrieved,
        effectiveness.precision as precision,
        effectiveness.recall as recall,
        effectiveness.f1 as f1,
        effectiveness.f_beta as f_beta,
        utility.t11u as t11u,
        utility.t11su as t11su,
        utility.tdt5su as tdt5su,
        cost.c_det_prel as c_det_prel,
        cost.c_det_prel_norm as c_det_prel_norm,
        profile.empty_topic as empty_topic,
        profile.empty_retrieved as empty_retrieved,
        profile.missing_topic as missing_topic,
        case
            when condition.task in ('new_event', 'link') then 0
            when coalesce(answered.hit, 0) = 1 then 0
            else 1
        end as is_missing
    from metric.filtering_effectiveness__v1 as effectiveness
    inner join metric.filtering_utility__v1 as utility
        on utility.run_no = effectiveness.run_no
        and utility.profile_no = effectiveness.profile_no
        and utility.subset_no = effectiveness.subset_no
        and utility.block_no = effectiveness.block_no
    inner join metric.filtering_own_prior_cost__v1 as cost
        on cost.run_no = effectiveness.run_no
        and cost.profile_no = effectiveness.profile_no
        and cost.subset_no = effectiveness.subset_no
        and cost.block_no = effectiveness.block_no
    inner join registry.profile as profile
        on profile.profile_no = effectiveness.profile_no
    inner join registry.run as run
        on run.run_no = effectiveness.run_no
    inner join registry.condition as condition
        on condition.condition_no = run.condition_no
    left join answered as answered
        on answered.run_no = effectiveness.run_no
        and answered.block_no = effectiveness.block_no
    where effectiveness.n_trial > 0

),

-- 1: the topic enters the means that need relevant stories
entry as (

    select
        topic.run_no as run_no,
        topic.profile_no as profile_no,
        topic.subset_no as subset_no,
        topic.n_target as n_target,
        topic.n_retrieved as n_retrieved,
        topic.is_missing as is_missing,
        topic.precision as precision,
        topic.recall as recall,
        topic.f1 as f1,
        topic.f_beta as f_beta,
        topic.t11u as t11u,
        topic.t11su as t11su,
        topic.tdt5su as tdt5su,
        topic.c_det_prel as c_det_prel,
        topic.c_det_prel_norm as c_det_prel_norm,
        topic.empty_retrieved as empty_retrieved,
        case
            when topic.n_target = 0 and topic.empty_topic <> 'zero' then 0
            when topic.is_missing = 1 and topic.missing_topic = 'undefined' then 0
            else 1
        end as is_in
    from topic as topic

),

part as (

    select
        entry.run_no as run_no,
        entry.profile_no as profile_no,
        entry.subset_no as subset_no,
        case
            when entry.is_in = 0 then null
            when entry.n_retrieved = 0 and entry.empty_retrieved <> 'zero' then null
            else coalesce(entry.precision, 0)
        end as precision,
        case when entry.is_in = 1 then coalesce(entry.recall, 0) end as recall,
        case when entry.is_in = 1 then entry.f1 end as f1,
        case when entry.is_in = 1 then entry.f_beta end as f_beta,
        entry.t11u as t11u,
        case when entry.is_in = 1 then coalesce(entry.t11su, 0) end as t11su,
        case when entry.is_in = 1 then coalesce(entry.tdt5su, 0) end as tdt5su,
        entry.c_det_prel as c_det_prel,
        entry.c_det_prel_norm as c_det_prel_norm,
        case when entry.n_target = 0 then 1 else 0 end as is_empty_topic,
        case when entry.n_retrieved = 0 then 1 else 0 end as is_empty_retrieved,
        entry.is_missing as is_missing,
        case when entry.n_target = 0 then entry.n_retrieved else 0 end as n_false_alarm_empty
    from entry as entry

),

-- fixed point: each number as a whole number of 1e-15 (t11u 1e-9, the normalised cost 1e-12: they may be large)
total as (

    select
        part.run_no as run_no,
        part.profile_no as profile_no,
        part.subset_no as subset_no,
        sum(cast(floor(part.precision * 1e15 + 5e-1) as decimal(38, 0))) as sum_precision,
        sum(cast(floor(part.recall * 1e15 + 5e-1) as decimal(38, 0))) as sum_recall,
        sum(cast(floor(part.f1 * 1e15 + 5e-1) as decimal(38, 0))) as sum_f1,
        sum(cast(floor(part.f_beta * 1e15 + 5e-1) as decimal(38, 0))) as sum_f_beta,
        sum(cast(floor(part.t11u * 1e9 + 5e-1) as decimal(38, 0))) as sum_t11u,
        sum(cast(floor(part.t11su * 1e15 + 5e-1) as decimal(38, 0))) as sum_t11su,
        sum(cast(floor(part.tdt5su * 1e15 + 5e-1) as decimal(38, 0))) as sum_tdt5su,
        sum(cast(floor(part.c_det_prel * 1e15 + 5e-1) as decimal(38, 0))) as sum_c_det_prel,
        sum(cast(floor(part.c_det_prel_norm * 1e12 + 5e-1) as decimal(38, 0))) as sum_c_det_prel_norm,
        cast(sum(part.is_empty_topic) as bigint) as n_empty_topic,
        cast(sum(part.is_empty_retrieved) as bigint) as n_empty_retrieved,
        cast(sum(part.is_missing) as bigint) as n_missing_topic,
        cast(sum(part.n_false_alarm_empty) as bigint) as n_false_alarm_empty,
        cast(count(*) as bigint) as n_block,
        cast(count(part.precision) as bigint) as n_block_precision,
        cast(count(part.recall) as bigint) as n_block_effectiveness,
        cast(count(part.t11su) as bigint) as n_block_utility,
        cast(count(part.c_det_prel_norm) as bigint) as n_block_prel
    from part as part
    group by part.run_no, part.profile_no, part.subset_no

)

select
    weighted.run_no as run_no,
    weighted.profile_no as profile_no,
    weighted.subset_no as subset_no,
    weighted.weighting as weighting,
    case when total.n_block_precision > 0 then cast(total.sum_precision as double) / 1e15 / total.n_block_precision end as precision,
    case when total.n_block_effectiveness > 0 then cast(total.sum_recall as double) / 1e15 / total.n_block_effectiveness end as recall,
    case when total.n_block_effectiveness > 0 then cast(total.sum_f1 as double) / 1e15 / total.n_block_effectiveness end as f1,
    case when total.n_block_effectiveness > 0 then cast(total.sum_f_beta as double) / 1e15 / total.n_block_effectiveness end as f_beta,
    case when total.n_block > 0 then cast(total.sum_t11u as double) / 1e9 / total.n_block end as t11u,
    case when total.n_block_utility > 0 then cast(total.sum_t11su as double) / 1e15 / total.n_block_utility end as t11su,
    case when total.n_block_utility > 0 then cast(total.sum_tdt5su as double) / 1e15 / total.n_block_utility end as tdt5su,
    weighted.c_det as c_trk,
    case when total.n_block > 0 then cast(total.sum_c_det_prel as double) / 1e15 / total.n_block end as c_det_prel,
    case when total.n_block_prel > 0 then cast(total.sum_c_det_prel_norm as double) / 1e12 / total.n_block_prel end as c_det_prel_norm,
    coalesce(total.n_empty_topic, 0) as n_empty_topic,
    coalesce(total.n_empty_retrieved, 0) as n_empty_retrieved,
    coalesce(total.n_missing_topic, 0) as n_missing_topic,
    coalesce(total.n_false_alarm_empty, 0) as n_false_alarm_empty,
    coalesce(total.n_block, 0) as n_block,
    coalesce(total.n_block_precision, 0) as n_block_precision,
    coalesce(total.n_block_effectiveness, 0) as n_block_effectiveness,
    coalesce(total.n_block_utility, 0) as n_block_utility,
    coalesce(total.n_block_prel, 0) as n_block_prel,
    weighted.n_block_cost as n_block_cost
from metric.detection_topic_weighted__v1 as weighted
left join total as total
    on total.run_no = weighted.run_no
    and total.profile_no = weighted.profile_no
    and total.subset_no = weighted.subset_no
