/*
title:    Standard errors of the mean score of a run
formula:  topic: sd = sqrt(sum (x_i - mean)^2 / (n - 1)), se = sd / sqrt(n);
          weight: se = sqrt(n / (n - 1) * sum (w_i (x_i - m))^2) / sum w_i;
          group: se = sqrt(sum of se_g^2) / groups;
          se_clustered = sqrt(f * sum over clusters of (sum of deviations)^2) / denominator, f = G / (G - 1) or 1
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 2 and appendix A; lm-evaluation-harness
          0.4.13, lm_eval/api/metrics.py (unweighted_mean_stderr); statsmodels 0.15, WLS with HC1
inputs:   metric.items_deviation__v1, metric.items_cluster__v1, metric.items_group__v1, metric.items_mean__v1,
          base.item_measure, base.item, registry.run, registry.profile
grain:    run_no, profile_no, subset_no, weighting, measure
columns:
    run_no        key     run
    profile_no    key     scoring profile
    subset_no     key     subset; 0 is all
    weighting     key     topic, group or weight
    measure       key     measure
    sd            deviation  standard deviation of the items; NULL of fewer than two
    n_sd          count   items; NULL where the weighting has no standard deviation
    se            deviation  standard error of the mean; NULL of fewer than two items
    n_se          count   items or groups
    se_clustered  deviation  the same where items of a cluster are not independent; NULL of fewer than two clusters
    n_cluster     count   clusters; NULL where the condition names none
metrics:
    sd as {measure}.sd                      n=n_sd       best=none    Standard deviation of the items
    se as {measure}.se                      n=n_se       best=lowest  Standard error of the mean
    se_clustered as {measure}.se_clustered  n=n_cluster  best=lowest  Clustered standard error of the mean
edges:    By group NULL where a group has one item. The factor of clusters is cluster_correction of the profile.
class:    exact
*/
with spread as (
    select
        run_no, subset_no, measure_no, weighting, count(*) as n_item, scaled_square_sum(deviation, unit) as square_sum,
        max(denominator) as whole
    from metric.items_deviation__v1 group by run_no, subset_no, measure_no, weighting
),

grouped as (
    select *, power_of_two(max(square_sum) over (partition by run_no, subset_no, measure_no)) as unit
    from metric.items_group__v1
),

-- the same terms as of items: se = sqrt(square_sum) / denominator
error as (
    select
        run_no, subset_no, measure_no, spread.weighting, n_item as n_sd,
        case when spread.weighting = 'topic' and n_item > 1 then sqrt(spread.square_sum / (n_item - 1)) end as sd,
        n_item as n_se,
        case
            when n_item > 1 then sqrt(cast(n_item as double) / (n_item - 1) * spread.square_sum) / spread.whole
        end as se,
        clustered.n_cluster, clustered.square_sum as cluster_square_sum, spread.whole as error_denominator
    from spread
    left join metric.items_cluster__v1 as clustered using (run_no, subset_no, measure_no, weighting)
    union all
    select
        run_no, subset_no, measure_no, 'group' as weighting, null as n_sd, null as sd, count(*) as n_se,
        case
            when min(n_item) > 1
                then sqrt(
                    scaled_sum(case when n_item > 1 then square_sum / (n_item - 1) / n_item else 0e0 end, unit)
                ) / n_se
        end as se,
        null as n_cluster, null as cluster_square_sum, null as error_denominator
    from grouped group by run_no, subset_no, measure_no
),

clustered_run as (
    select distinct run_no
    from registry.run join base.item using (condition_no)
    where cluster_no is not null
)

select
    run_no, profile_no, subset_no, weighting, measure, sd,
    case when weighting = 'topic' then coalesce(n_sd, 0) end as n_sd, se, coalesce(n_se, 0) as n_se,
    case
        when n_cluster > 1 and cluster_correction = 'finite'
            then sqrt(cast(n_cluster as double) / (n_cluster - 1) * cluster_square_sum) / error_denominator
        when n_cluster > 1 then sqrt(cluster_square_sum) / error_denominator
    end as se_clustered,
    case when weighting <> 'group' and clustered_run.run_no is not null then coalesce(n_cluster, 0) end as n_cluster
from metric.items_mean__v1 as mean join registry.run using (run_no) join registry.profile using (profile_no)
join base.item_measure using (condition_no, measure)
left join error using (run_no, subset_no, measure_no, weighting)
left join clustered_run using (run_no)
where weighting in ('topic', 'weight', 'group')
