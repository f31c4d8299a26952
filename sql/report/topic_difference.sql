/*
title:    Every number of every run on one block, beside every other run of its condition
formula:  difference = value - baseline_value
source:   J. Zobel, How Reliable Are the Results of Large-Scale Information Retrieval Experiments?, SIGIR 1998
          (runs are compared topic by topic)
inputs:   report.block_score, registry.metric
grain:    condition_id, profile_id, subset, metric, run_id, baseline_id, block_id
columns:
    condition_id    key     evaluation condition
    profile_id      key     scoring profile
    subset          key     all, or what the number is conditioned on
    metric          key     metric id
    run_id          key     run
    baseline_id     key     run it is compared with
    block_id        key     topic, event, link block or attribute
    value           double  the run's number; NULL where undefined
    baseline_value  double  the other run's number; NULL where undefined
    difference      double  value - baseline_value; NULL where one of them is undefined
    outcome         text    win, tie or loss of run_id; NULL where the difference is, or neither end of the metric is better
edges:    Each pair of runs is here both ways round. Numbers that differ by no more than
          1e-12 are a tie, as costs are compared. A block that only one of the runs has is not here.
class:    exact
see also: win_tie_loss, block_score
*/
with

direction as (

    select
        published.metric as metric,
        min(published.best) as best
    from registry.metric as published
    where published.grain = 'block'
    group by published.metric

),

pair as (

    select
        score.condition_id as condition_id,
        score.profile_id as profile_id,
        score.subset as subset,
        score.metric as metric,
        score.run_id as run_id,
        baseline.run_id as baseline_id,
        score.block_id as block_id,
        score.value as value,
        baseline.value as baseline_value,
        score.value - baseline.value as difference
    from report.block_score as score
    inner join report.block_score as baseline
        on baseline.condition_id = score.condition_id
        and baseline.profile_id = score.profile_id
        and baseline.subset = score.subset
        and baseline.metric = score.metric
        and baseline.block_id = score.block_id
        and baseline.run_id <> score.run_id

)

select
    pair.condition_id as condition_id,
    pair.profile_id as profile_id,
    pair.subset as subset,
    pair.metric as metric,
    pair.run_id as run_id,
    pair.baseline_id as baseline_id,
    pair.block_id as block_id,
    pair.value as value,
    pair.baseline_value as baseline_value,
    pair.difference as difference,
    case
        when pair.difference is null or direction.best = 'none' then null
        when abs(pair.difference) <= 1e-12 then 'tie'
        when pair.difference < 0 and direction.best = 'lowest' then 'win'
        when pair.difference > 0 and direction.best = 'highest' then 'win'
        else 'loss'
    end as outcome
from pair as pair
inner join direction as direction
    on direction.metric = pair.metric
