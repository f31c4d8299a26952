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
        run_no, block_no,
        1 as hit
    from metric.filtering_answered_topic__v1
),

topic as (
    select
        run_no, profile_no, subset_no, effectiveness.n_target, n_retrieved, precision, recall, f1, effectiveness.f_beta,
        t11u, t11su, tdt5su, c_det_prel, c_det_prel_norm, empty_topic, empty_retrieved, missing_topic,
        case
            when task in ('new_event', 'link') then 0
            when coalesce(hit, 0) = 1 then 0
            else 1
        end as is_missing
    from metric.filtering_effectiveness__v1 as effectiveness
    join metric.filtering_utility__v1 using (run_no, profile_no, subset_no, block_no)
    join metric.filtering_own_prior_cost__v1 using (run_no, profile_no, subset_no, block_no)
    join registry.profile using (profile_no)
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    left join answered using (run_no, block_no)
    where effectiveness.n_trial > 0
),

-- 1: the topic enters the means that need relevant stories
entry as (
    select
        run_no, profile_no, subset_no, n_target, n_retrieved, is_missing, precision, recall, f1, f_beta, t11u, t11su,
        tdt5su, c_det_prel, c_det_prel_norm, empty_retrieved,
        case
            when n_target = 0 and empty_topic <> 'zero' then 0
            when is_missing = 1 and missing_topic = 'undefined' then 0
            else 1
        end as is_in
    from topic
),

part as (
    select
        run_no, profile_no, subset_no,
        case
            when is_in = 0 then null
            when n_retrieved = 0 and empty_retrieved <> 'zero' then null
            else coalesce(precision, 0)
        end as precision,
        case when is_in = 1 then coalesce(recall, 0) end as recall,
        case when is_in = 1 then f1 end as f1,
        case when is_in = 1 then f_beta end as f_beta,
        t11u,
        case when is_in = 1 then coalesce(t11su, 0) end as t11su,
        case when is_in = 1 then coalesce(tdt5su, 0) end as tdt5su,
        c_det_prel, c_det_prel_norm,
        case when n_target = 0 then 1 else 0 end as is_empty_topic,
        case when n_retrieved = 0 then 1 else 0 end as is_empty_retrieved,
        is_missing,
        case when n_target = 0 then n_retrieved else 0 end as n_false_alarm_empty
    from entry
),

-- fixed point: each number as a whole number of 1e-15 (t11u 1e-9, the normalised cost 1e-12: they may be large)
total as (
    select
        run_no, profile_no, subset_no,
        sum(cast(floor(precision * 1e15 + 5e-1) as decimal(38, 0))) as sum_precision,
        sum(cast(floor(recall * 1e15 + 5e-1) as decimal(38, 0))) as sum_recall,
        sum(cast(floor(f1 * 1e15 + 5e-1) as decimal(38, 0))) as sum_f1,
        sum(cast(floor(f_beta * 1e15 + 5e-1) as decimal(38, 0))) as sum_f_beta,
        sum(cast(floor(t11u * 1e9 + 5e-1) as decimal(38, 0))) as sum_t11u,
        sum(cast(floor(t11su * 1e15 + 5e-1) as decimal(38, 0))) as sum_t11su,
        sum(cast(floor(tdt5su * 1e15 + 5e-1) as decimal(38, 0))) as sum_tdt5su,
        sum(cast(floor(c_det_prel * 1e15 + 5e-1) as decimal(38, 0))) as sum_c_det_prel,
        sum(cast(floor(c_det_prel_norm * 1e12 + 5e-1) as decimal(38, 0))) as sum_c_det_prel_norm,
        cast(sum(is_empty_topic) as bigint) as n_empty_topic,
        cast(sum(is_empty_retrieved) as bigint) as n_empty_retrieved,
        cast(sum(is_missing) as bigint) as n_missing_topic,
        cast(sum(n_false_alarm_empty) as bigint) as n_false_alarm_empty,
        cast(count(*) as bigint) as n_block,
        cast(count(precision) as bigint) as n_block_precision,
        cast(count(recall) as bigint) as n_block_effectiveness,
        cast(count(t11su) as bigint) as n_block_utility,
        cast(count(c_det_prel_norm) as bigint) as n_block_prel
    from part
    group by run_no, profile_no, subset_no
)

select
    run_no, profile_no, subset_no, weighting,
    case when n_block_precision > 0 then cast(sum_precision as double) / 1e15 / n_block_precision end as precision,
    case when n_block_effectiveness > 0 then cast(sum_recall as double) / 1e15 / n_block_effectiveness end as recall,
    case when n_block_effectiveness > 0 then cast(sum_f1 as double) / 1e15 / n_block_effectiveness end as f1,
    case when n_block_effectiveness > 0 then cast(sum_f_beta as double) / 1e15 / n_block_effectiveness end as f_beta,
    case when n_block > 0 then cast(sum_t11u as double) / 1e9 / n_block end as t11u,
    case when n_block_utility > 0 then cast(sum_t11su as double) / 1e15 / n_block_utility end as t11su,
    case when n_block_utility > 0 then cast(sum_tdt5su as double) / 1e15 / n_block_utility end as tdt5su,
    c_det as c_trk,
    case when n_block > 0 then cast(sum_c_det_prel as double) / 1e15 / n_block end as c_det_prel,
    case when n_block_prel > 0 then cast(sum_c_det_prel_norm as double) / 1e12 / n_block_prel end as c_det_prel_norm,
    coalesce(n_empty_topic, 0) as n_empty_topic,
    coalesce(n_empty_retrieved, 0) as n_empty_retrieved,
    coalesce(n_missing_topic, 0) as n_missing_topic,
    coalesce(n_false_alarm_empty, 0) as n_false_alarm_empty,
    coalesce(n_block, 0) as n_block,
    coalesce(n_block_precision, 0) as n_block_precision,
    coalesce(n_block_effectiveness, 0) as n_block_effectiveness,
    coalesce(n_block_utility, 0) as n_block_utility,
    coalesce(n_block_prel, 0) as n_block_prel,
    n_block_cost
from metric.detection_topic_weighted__v1
left join total using (run_no, profile_no, subset_no)
