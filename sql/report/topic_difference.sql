/*
title:    Every number of every run on one block, compared with every other run of its condition
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
    outcome         text    win, tie or loss of run_id; NULL where the difference is, or neither end of the metric is
                            better
edges:    Each pair of runs is here both ways round. Numbers that differ by no more than
          1e-12 are a tie, as costs are compared. A block that only one of the runs has is not here.
class:    exact
see also: win_tie_loss, block_score
*/
with direction as (select metric, min(best) as better_end from registry.metric where grain = 'block' group by all)

select
    condition_id, profile_id, subset, metric, score.run_id, baseline.run_id as baseline_id, block_id, score.value,
    baseline.value as baseline_value, score.value - baseline.value as difference,
    case
        when difference is null or better_end = 'none' then null
        when abs(difference) <= 1e-12 then 'tie'
        when difference < 0 and better_end = 'lowest' or difference > 0 and better_end = 'highest' then 'win'
        else 'loss'
    end as outcome
from report.block_score as score
join report.block_score as baseline using (condition_id, profile_id, subset, metric, block_id)
join direction using (metric)
where baseline.run_id <> score.run_id
