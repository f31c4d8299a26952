/*
title:    Topic-weighted error rates and detection cost
formula:  For the run, every topic counts the same, however many stories it has:
              p_miss = mean of p_miss(t) over the topics with targets
              p_fa   = mean of p_fa(t) over the topics with non-targets (fa_topics = all),
                       or over those that also have targets (fa_topics = with_target)
          topic_cost = cost_of_means: c_det from these two means
          topic_cost = mean_of_costs: mean of c_det(t) over the topics with both
source:   The 2004 TDT evaluation plan, section 5 (topic-weighted estimation);
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 5;
          TDT3eval v2.6 (mean of costs for first story detection); F4DE 3.5.0 (blocks without targets skipped)
inputs:   metric.detection_rate__v1, registry.profile, registry.task, base.detection_price__v1,
          base.detection_subset__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no        key           run
    profile_no    key           scoring profile
    subset_no     key           subset; 0 is all
    weighting     key           topic
    p_miss        ratio [0, 1]  NULL when no topic has a target trial
    p_fa          ratio [0, 1]  NULL when no topic has a non-target trial
    c_det         cost          NULL where a mean it needs is
    c_det_norm    cost          1 is a system that decides without reading
    n_block_miss  count         topics that entered the mean of p_miss
    n_block_fa    count         topics that entered the mean of p_fa
    n_block_both  count         topics with targets and non-targets
    n_block_cost  count         topics that entered the cost
metrics:
    p_miss      n=n_block_miss  best=lowest  Miss probability
    p_fa        n=n_block_fa    best=lowest  False-alarm probability
    c_det       n=n_block_cost  best=lowest  Detection cost
    c_det_norm  n=n_block_cost  best=lowest  Normalised detection cost
edges:    A topic without target trials has no miss rate (0/0). It is left out of
          p_miss and still counts in p_fa under fa_topics = all; the n columns say so.
          The mean of costs over the topics with both equals the cost of the mean
          rates over those topics; that is how it is computed.
class:    exact
see also: pooled__v1 (story weighting), rate__v1 (per topic)
*/
-- whose false alarms count, and of which means the cost is made, is the profile's
with topic as (
    select
        run_no, profile_no, subset_no,
        case when decides_on = 'story' then topic_cost_new_event else topic_cost end = 'mean_of_costs' as is_of_costs,
        p_miss as topic_miss, case when fa_topics = 'all' or n_target > 0 then p_fa end as topic_fa,
        case when n_trial > 0 then p_miss end as both_miss, case when n_trial > 0 then p_fa end as both_fa
    from base.detection_subset__v1 join registry.profile using (profile_no) join registry.task using (task)
    left join metric.detection_rate__v1 using (run_no, profile_no, subset_no)
),

mean as (
    select
        run_no, profile_no, subset_no, exact_mean(topic_miss) as p_miss, exact_mean(topic_fa) as p_fa,
        case when is_of_costs then exact_mean(both_miss) else exact_mean(topic_miss) end as cost_miss,
        case when is_of_costs then exact_mean(both_fa) else exact_mean(topic_fa) end as cost_fa,
        count(topic_miss) as n_block_miss, count(topic_fa) as n_block_fa, count(both_miss) as n_block_both,
        case when is_of_costs then n_block_both when n_block_miss = 0 then 0 else n_block_fa end as n_block_cost
    from topic group by run_no, profile_no, subset_no, is_of_costs
)

select
    run_no, profile_no, subset_no, 'topic' as weighting, p_miss, p_fa,
    detection_cost(cost_miss, cost_fa, weight_miss, weight_fa) as c_det,
    normalised_cost(c_det, c_default) as c_det_norm, n_block_miss, n_block_fa, n_block_both, n_block_cost
from mean join base.detection_price__v1 using (profile_no)
