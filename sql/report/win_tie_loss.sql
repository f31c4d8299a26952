/*
title:    On how many blocks a run is better than another of its condition, and by how much on the mean
formula:  mean_difference = mean of value - baseline_value over the blocks where both are defined
source:   J. Zobel, How Reliable Are the Results of Large-Scale Information Retrieval Experiments?, SIGIR 1998
          (runs are compared topic by topic)
inputs:   report.topic_difference
grain:    condition_id, profile_id, subset, metric, run_id, baseline_id
columns:
    condition_id     key     evaluation condition
    profile_id       key     scoring profile
    subset           key     all, or what the numbers are conditioned on
    metric           key     metric id
    run_id           key     run
    baseline_id      key     run it is compared with
    n_block          count   blocks where both runs have a number
    n_undefined      count   blocks where one of them has none
    n_win            count   blocks on which run_id is better; 0 where neither end of the metric is better
    n_tie            count   blocks on which they are equal to 1e-12
    n_loss           count   blocks on which run_id is worse
    mean_difference  double  NULL where n_block is 0
edges:    Intervals and p values are made by `tdtsql compare`; its win, tie, loss and difference are these.
          Differences are summed as whole multiples of 1e-15.
class:    exact
see also: topic_difference
*/
with

total as (

    select
        pair.condition_id as condition_id,
        pair.profile_id as profile_id,
        pair.subset as subset,
        pair.metric as metric,
        pair.run_id as run_id,
        pair.baseline_id as baseline_id,
        count(pair.difference) as n_block,
        count(*) - count(pair.difference) as n_undefined,
        sum(case when pair.outcome = 'win' then 1 else 0 end) as n_win,
        sum(case when pair.outcome = 'tie' then 1 else 0 end) as n_tie,
        sum(case when pair.outcome = 'loss' then 1 else 0 end) as n_loss,
        sum(cast(floor(pair.difference * 1e15 + 5e-1) as decimal(38, 0))) as sum_difference
    from report.topic_difference as pair
    group by pair.condition_id, pair.profile_id, pair.subset, pair.metric, pair.run_id, pair.baseline_id

)

select
    total.condition_id as condition_id,
    total.profile_id as profile_id,
    total.subset as subset,
    total.metric as metric,
    total.run_id as run_id,
    total.baseline_id as baseline_id,
    total.n_block as n_block,
    total.n_undefined as n_undefined,
    cast(total.n_win as bigint) as n_win,
    cast(total.n_tie as bigint) as n_tie,
    cast(total.n_loss as bigint) as n_loss,
    case when total.n_block > 0 then cast(total.sum_difference as double) / 1e15 / total.n_block end as mean_difference
from total as total
