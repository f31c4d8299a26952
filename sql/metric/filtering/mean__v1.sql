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
          T. Kenter, K. Balog, M. de Rijke, Evaluating document filtering systems over time (2015), on topics without
          relevant documents;
          trec_eval 10.0 with -c (both policies zero)
inputs:   metric.filtering_effectiveness__v1, metric.filtering_utility__v1, metric.filtering_own_prior_cost__v1,
          metric.filtering_answered_topic__v1, metric.detection_topic_weighted__v1, registry.run, registry.condition,
          registry.task, registry.profile
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
    n_missing_topic           count         topics with trials of which the run decides none that counts
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
-- a decision on a new event or a pair is not about one topic, so nothing tells that one is missing
with entry as (
    select
        topic.*, t11u, coalesce(t11su, 0) as t11su_or_0, coalesce(tdt5su, 0) as tdt5su_or_0, c_det_prel,
        c_det_prel_norm,
        case when coalesce(n_decision, 0) = 0 and decides_on = 'topic' then 1 else 0 end as is_missing,
        case
            when topic.n_target = 0 and empty_topic <> 'zero' or is_missing = 1 and missing_topic = 'undefined' then 0
            else 1
        end as is_in,
        case when is_in = 1 and (n_retrieved > 0 or empty_retrieved = 'zero') then 1 else 0 end as has_precision
    from metric.filtering_effectiveness__v1 as topic
    join metric.filtering_utility__v1 using (run_no, profile_no, subset_no, block_no)
    join metric.filtering_own_prior_cost__v1 using (run_no, profile_no, subset_no, block_no)
    join registry.profile using (profile_no) join registry.run using (run_no)
    join registry.condition using (condition_no) join registry.task using (task)
    left join metric.filtering_answered_topic__v1 using (run_no, profile_no, subset_no, block_no)
    where topic.n_trial > 0
),

-- t11u and the normalised cost may be large: fewer decimals
mean as (
    select
        run_no, profile_no, subset_no,
        exact_mean(case when has_precision = 1 then coalesce(entry.precision, 0) end) as precision,
        exact_mean(case when is_in = 1 then coalesce(entry.recall, 0) end) as recall,
        exact_mean(case when is_in = 1 then entry.f1 end) as f1,
        exact_mean(case when is_in = 1 then entry.f_beta end) as f_beta, exact_mean(entry.t11u, 1e9) as t11u,
        exact_mean(case when is_in = 1 then t11su_or_0 end) as t11su,
        exact_mean(case when is_in = 1 then tdt5su_or_0 end) as tdt5su, exact_mean(entry.c_det_prel) as c_det_prel,
        exact_mean(entry.c_det_prel_norm, 1e12) as c_det_prel_norm, count(*) as n_topic,
        count(*) filter (where n_target = 0) as n_empty, count(*) filter (where n_retrieved = 0) as n_silent,
        whole_sum(is_missing) as n_missing, whole_sum(case when n_target = 0 then n_retrieved else 0 end) as n_lost,
        whole_sum(has_precision) as n_precise, whole_sum(is_in) as n_in, count(entry.c_det_prel_norm) as n_prel
    from entry group by run_no, profile_no, subset_no
)

select
    run_no, profile_no, subset_no, weighting, precision, recall, f1, f_beta, t11u, t11su, tdt5su, c_det as c_trk,
    c_det_prel, c_det_prel_norm, coalesce(n_empty, 0) as n_empty_topic, coalesce(n_silent, 0) as n_empty_retrieved,
    coalesce(n_missing, 0) as n_missing_topic, coalesce(n_lost, 0) as n_false_alarm_empty,
    coalesce(n_topic, 0) as n_block, coalesce(n_precise, 0) as n_block_precision,
    coalesce(n_in, 0) as n_block_effectiveness, coalesce(n_in, 0) as n_block_utility,
    coalesce(n_prel, 0) as n_block_prel, n_block_cost
from metric.detection_topic_weighted__v1
left join mean using (run_no, profile_no, subset_no)
